//! Chance is held still here: what was asked for is drawn from the right range and told in six languages.

use std::sync::atomic::{AtomicI64, Ordering};

use loquat_agent::toolbox::{Circumstances, Toolbox};
use loquat_trial::{heard, languages_are_whole};
use serde_json::{Map, Value, json};

use super::*;

/// The lowest number of a range, then the next one, and so on.
fn counting() -> Draw {
    let next = AtomicI64::new(0);
    Arc::new(move |range| {
        let step = next.fetch_add(1, Ordering::Relaxed);
        range.start() + step % (range.end() - range.start() + 1)
    })
}

async fn told(draw: &Draw, tool: &str, arguments: Map<String, Value>, lang: &str) -> Option<String> {
    let toolbox = toolbox(draw, &Wording::new(Arc::new(Skill::locales([&SKILL]))));
    let person = Circumstances {
        lang: Some(lang.to_owned()),
        ..Circumstances::default()
    };
    toolbox.call(tool, arguments, &person).await.ok()?.spoken
}

fn arguments(members: Value) -> Map<String, Value> {
    serde_json::from_value(members).expect("an object")
}

#[test]
fn every_language_is_whole() {
    languages_are_whole(&SKILL);
}

#[tokio::test]
async fn what_people_try_first_is_understood_and_told() {
    for (text, lang, expected) in [
        ("Flip a coin", "en-us", "It's heads."),
        ("heads or tails?", "en-us", "It's heads."),
        ("Right, tails or heads this time?", "en-us", "It's heads."),
        ("Let's toss a coin", "en-us", "It's heads."),
        ("Roll a die", "en-us", "It's a 1."),
        ("roll two dice", "en-us", "1 and 2, that makes 3."),
        ("roll a d20", "en-us", "It's a 1."),
        ("roll three 20-sided dice", "en-us", "1, 2 and 3, that makes 6."),
        ("roll a twelve sided die", "en-us", "It's a 1."),
        ("Pick a number between 5 and 10", "en-us", "5."),
        ("Give me a random number from ten to one", "en-us", "1."),
        ("a random number", "en-us", "1."),
        ("Wirf eine Münze", "de-de", "Kopf."),
        ("Kopf oder Zahl?", "de-de", "Kopf."),
        ("Na, Kopf oder Zahl?", "de-de", "Kopf."),
        ("Würfle", "de-de", "Eine 1."),
        ("Würfle mit zwei Würfeln", "de-de", "1 und 2, das macht 3."),
        ("Wirf einen W20", "de-de", "Eine 1."),
        ("Nenn mir eine Zahl zwischen 3 und 9", "de-de", "3."),
        ("Lance une pièce", "fr-fr", "Face."),
        ("Pile ou face ?", "fr-fr", "Face."),
        ("Bon, pile ou face cette fois ?", "fr-fr", "Face."),
        ("Lance un dé", "fr-fr", "1."),
        ("Lance deux dés", "fr-fr", "1 et 2, ce qui fait 3."),
        ("Choisis un nombre entre 2 et 8", "fr-fr", "2."),
        ("Donne-moi un nombre au hasard entre 2 et 8", "fr-fr", "2."),
        ("Lanza una moneda", "es-es", "Cara."),
        ("Tira un dado", "es-es", "Un 1."),
        ("Tira dos dados", "es-es", "1 y 2, en total 3."),
        ("Dime un número entre 4 y 6", "es-es", "4."),
        ("Venga, cara o cruz", "es-es", "Cara."),
        ("Lancia una moneta", "it-it", "Testa."),
        ("Tira un dado", "it-it", "1."),
        ("Lancia due dadi", "it-it", "1 e 2, in tutto 3."),
        ("Scegli un numero tra 1 e 10", "it-it", "1."),
        ("Dai, testa o croce", "it-it", "Testa."),
        ("Lança uma moeda", "pt-pt", "Cara."),
        ("Lança um dado", "pt-pt", "1."),
        ("Rola dois dados", "pt-pt", "1 e 2, ao todo 3."),
        ("Diz-me um número entre 7 e 9", "pt-pt", "7."),
        ("Cara ou coroa, então?", "pt-pt", "Cara."),
        // Behind a throw.
        ("and with two dice", "en-us", "1 and 2, that makes 3."),
        ("three of those now", "en-us", "1, 2 and 3, that makes 6."),
        ("diesmal mit zwei Würfeln", "de-de", "1 und 2, das macht 3."),
        ("et maintenant deux dés", "fr-fr", "1 et 2, ce qui fait 3."),
        ("y ahora con dos dados", "es-es", "1 y 2, en total 3."),
        ("e stavolta con due dadi", "it-it", "1 e 2, in tutto 3."),
        ("e agora com dois dados", "pt-pt", "1 e 2, ao todo 3."),
    ] {
        let call = heard(&[&SKILL], text, lang).unwrap_or_else(|| panic!("{text} is not understood"));
        let said = told(&counting(), &call.tool, call.arguments, lang).await;
        assert_eq!(said.as_deref(), Some(expected), "{text}");
    }
}

#[test]
fn other_wishes_are_not_drawn() {
    for text in [
        "roll the credits",
        "flip the pancake",
        "pick a movie between five and six",
        "roll a hundred dice",
        "roll a zero sided die",
        "what is the number between us",
        "pick a number between love and hate",
        "heads or tails of it",
        "two of us this time",
        "and with three eggs",
    ] {
        assert_eq!(heard(&[&SKILL], text, "en-us"), None, "{text}");
    }
}

#[test]
fn so_many_more_have_the_sides_that_were_said_before() {
    for (text, kept) in [
        ("roll a d20", Some(json!({"sides": 20}))),
        ("roll two dice", Some(json!({}))),
        ("flip a coin", None),
    ] {
        let call = heard(&[&SKILL], text, "en-us").expect(text);
        assert_eq!((SKILL.object)(&call).map(Value::Object), kept, "{text}");
    }
}

#[tokio::test]
async fn what_cannot_be_thrown_is_refused() {
    for (tool, wrong) in [
        (ROLL, json!({"count": 0})),
        (ROLL, json!({"count": 21})),
        (ROLL, json!({"sides": 1})),
        (PICK, json!({"to": i64::MAX})),
        (PICK, json!({"from": i64::MIN})),
    ] {
        let said = told(&counting(), tool, arguments(wrong.clone()), "en-US").await;
        assert_eq!(said, None, "{wrong}");
    }
}

#[tokio::test]
async fn a_real_die_shows_each_of_its_sides_and_no_other() {
    let toolbox = toolbox(&fair(), &Wording::new(Arc::new(Skill::locales([&SKILL]))));
    let mut seen = [0_u32; 7];
    for _ in 0..100 {
        let thrown = arguments(json!({"count": 20}));
        let outcome = toolbox.call(ROLL, thrown, &Circumstances::default()).await;
        let rolled = outcome.expect("a throw").result["rolled"].clone();
        for number in serde_json::from_value::<Vec<usize>>(rolled).expect("numbers") {
            seen[number] += 1;
        }
    }
    assert_eq!(seen[0], 0);
    // Of 2,000 throws each side comes up about 333 times; fewer than 150 would be a miracle.
    assert!(seen[1..].iter().all(|count| *count > 150), "{seen:?}");
}
