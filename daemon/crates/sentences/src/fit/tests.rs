//! What fits an utterance, what a slot holds then, and what stands in a part of it.

use super::*;
use crate::home::Name;
use crate::source::{List, Source};
use crate::words::{Word, words, words_and_figures};

/// Steps that all comparisons of one utterance may take.
const ALL: u32 = 100_000;

fn language(sentences: &[&str]) -> Language {
    let sentences = sentences.iter().map(|sentence| (*sentence).to_owned());
    Language::whole(&Source::of_words([("any", sentences.collect())])).unwrap()
}

fn best(language: &Language, said: &[Word]) -> Option<Vec<(String, String)>> {
    let fits = language.fits(&Utterance::new(said), Fitting::ALL, &mut ALL.clone());
    Fit::best(fits, |slot| slot == "time").map(|fit| fit.slots)
}

/// What the slots of a sentence hold, or `-` where it does not fit.
fn slots(sentence: &str, said: &str) -> String {
    let Some(slots) = best(&language(&[sentence]), &words(said)) else {
        return "-".to_owned();
    };
    let told = slots.iter().map(|(slot, text)| format!("{slot}={text}"));
    told.collect::<Vec<_>>().join(" ")
}

#[test]
fn alternatives_options_and_slots_are_filled() {
    let sentence = "(talk|speak) [please] to {persona} [now]";
    for (said, wanted) in [
        ("Talk to Alice.", "persona=Alice"),
        ("speak please to Old Bob now", "persona=Old Bob"),
        ("talk to", "-"),
        ("let us talk to Alice", "-"),
        ("talk tomorrow", "-"),
    ] {
        assert_eq!(slots(sentence, said), wanted, "{said}");
    }
    assert_eq!(
        slots("ask {who} about {what}", "ask the cook about about soup"),
        "who=the cook what=about soup"
    );
    assert_eq!(slots("set {{x}} | drop {x}", "drop it"), "x=it");
    assert_eq!(slots("light[s] [(|very)] on", "Lights on!"), "");
}

#[test]
fn signs_count_nowhere_and_words_end_where_a_word_ends() {
    assert_eq!(slots("What's the time, please?", "what's the time please"), "");
    assert_eq!(slots("dim to {n}%", "Dim to 50%"), "n=50");
    assert_eq!(slots("a <b> ; c \\ d", "a b c d"), "");
    assert_eq!(
        slots("find {x} to {y}", "find tomatoes to eat"),
        "x=tomatoes y=eat"
    );
    assert_eq!(slots("find {x} to", "find into"), "-");
    assert_eq!(
        slots("call {who}'s mother", "Call Old Bob's mother"),
        "who=Old Bob"
    );
    assert_eq!(slots("l'{area}", "l’Entrée"), "area=Entrée");
    assert_eq!(slots("turn it on", "turn-it on"), "");
}

#[test]
fn a_slot_keeps_the_commas_between_its_words() {
    let language = language(&["add {items} to the list"]);
    let said = words_and_figures("add milk, eggs + 2 pies, to the list");
    let items = ("items".to_owned(), "milk, eggs + 2 pies".to_owned());
    assert_eq!(best(&language, &said), Some(vec![items]));
}

#[test]
fn slots_side_by_side_take_few_words_and_typed_ones_what_belongs_to_them() {
    assert_eq!(
        slots("set {what} {where}", "set the old lamp"),
        "what=the where=old lamp"
    );
    for said in ["wake me at six hours", "wake me six hours"] {
        assert_eq!(
            slots("wake me [at] {time} [hours]", said),
            "time=six hours",
            "{said}"
        );
    }
    assert_eq!(slots("note {what} [please]", "note six please"), "what=six");
    let refuses = |_: &str, slot: &str, text: &str| slot != "time" || text == "noon";
    let asked = Fitting {
        takes: Some(&refuses),
        ..Fitting::ALL
    };
    let sentences = ["{time} {what}", "do {what} at {time}"];
    let heard = |said: &str| {
        let language = language(&sentences);
        let fits = language.fits(&Utterance::of(said), asked, &mut ALL.clone());
        fits.iter().map(|fit| fit.slots.clone()).collect::<Vec<_>>()
    };
    assert_eq!(heard("do it at home at noon").len(), 1);
    assert_eq!(heard("noon is high").len(), 1);
    assert!(heard("six is high").is_empty());
}

#[test]
fn a_sentence_that_names_more_words_scores_more() {
    let score = |sentence: &str| {
        let language = language(&[sentence]);
        let fits = language.fits(&Utterance::of("What time is it?"), Fitting::ALL, &mut ALL.clone());
        fits.iter().map(|fit| fit.score).fold(0.0, f64::max)
    };
    let (loose, close, exact) = (
        score("{all}"),
        score("what time {rest}"),
        score("what time is it"),
    );
    assert!(loose < close && close < exact && (exact - 1.0).abs() < f64::EPSILON);
}

#[test]
fn a_template_made_to_take_for_ever_gives_up_and_leaves_others_their_steps() {
    let endless = format!("{}never", "[a] {x} ".repeat(40));
    let language = language(&[&endless, "{all} never"]);
    let said = format!("{}never", "a ".repeat(150));
    let mut steps_left = ALL;
    let fits = language.fits(&Utterance::of(&said), Fitting::ALL, &mut steps_left);
    assert_eq!(fits.len(), 1, "the other one fits");
    assert!(ALL - steps_left <= 2 * (MOST_STEPS + 1));
    assert!(
        language
            .fits(&Utterance::of(&said), Fitting::ALL, &mut 0)
            .is_empty()
    );
}

#[test]
fn sentences_are_found_within_an_utterance() {
    let mut source = Source::of_words([
        (
            "polite",
            vec!["thank you [very much]".to_owned(), "please".to_owned()],
        ),
        ("address", vec!["[hey] {name}".to_owned()]),
        ("open", vec!["say {what}".to_owned()]),
    ]);
    source.lists.insert("name".to_owned(), List::Home);
    let language = Language::whole(&source).unwrap();
    let home = Home::new().with_names("name", [Name::new("old bob")]);
    let said = Utterance::of("Hey Old Bob, say: thank you very much, pleased bobby");
    let places: Vec<(usize, Range<usize>)> = language
        .places(&said, &home)
        .into_iter()
        .map(|place| (place.intent, place.words))
        .collect();
    assert_eq!(places, [(0, 4..6), (0, 4..8), (1, 0..3), (1, 1..3)]);
}
