//! Hears sentences in tests as the device does: the best fit of all skills.

use loquat_agent::turn::IntendedCall;
use loquat_kit::intent::Standing;
use loquat_kit::{Intents, Skill};
use loquat_sentences::words::words_and_figures;
use loquat_sentences::{Fit, Fitting, Language, Source, Utterance};

/// The call that a sentence asks for, among these skills.
pub fn heard(skills: &[&'static Skill], text: &str, lang: &str) -> Option<IntendedCall> {
    heard_among(skills, text, lang, |_| true)
}

/// The call that a sentence of these intents asks for.
///
/// # Panics
///
/// Where the sentences of the skills cannot be read.
pub fn heard_among(
    skills: &[&'static Skill],
    text: &str,
    lang: &str,
    is_meant: impl Fn(&str) -> bool,
) -> Option<IntendedCall> {
    let skills = || skills.iter().copied();
    let intents = Intents::new(skills(), Skill::locales(skills()).into());
    let spoken = intents
        .sentences()
        .filter(|sentences| sentences.lang == lang && sentences.standing == Standing::Alone)
        .filter(|sentences| is_meant(&sentences.name));
    let spoken: Vec<(String, Vec<String>)> = spoken
        .map(|sentences| {
            let lines = sentences.lines.iter().map(|line| line.text.clone());
            (sentences.name, lines.collect())
        })
        .collect();
    let source = Source::of_words(spoken.iter().map(|(name, lines)| (name.as_str(), lines.clone())));
    let language = Language::whole(&source).expect("sentences that can be read");
    let takes = |intent: &str, slot: &str, text: &str| {
        assert!(intents.has_slot(intent, slot), "{intent} has no {slot}");
        intents.takes(intent, lang, slot, text)
    };
    let asked = Fitting {
        takes: Some(&takes),
        ..Fitting::ALL
    };
    let fits = language.fits(
        &Utterance::new(&words_and_figures(text)),
        asked,
        &mut u32::MAX.clone(),
    );
    let best = Fit::best(fits, Intents::holds_time)?;
    let slots = best
        .slots
        .iter()
        .map(|(slot, said)| (slot.as_str(), said.as_str()));
    Some(intents.call(best.intent, lang, slots).expect("a call"))
}

/// Every language has every list that English has, and none is empty.
///
/// # Panics
///
/// Where one is missing.
pub fn languages_are_whole(skill: &'static Skill) {
    let locales = Skill::locales([skill]);
    let english: Vec<&str> = locales.names(skill.folder, "en-us").collect();
    assert!(!english.is_empty());
    for lang in ["de-de", "fr-fr", "es-es", "pt-pt", "it-it"] {
        for name in &english {
            let lines = locales.file(skill.folder, lang, name);
            assert!(lines.is_some_and(|lines| !lines.is_empty()), "{lang}/{name}");
        }
        assert_eq!(locales.names(skill.folder, lang).count(), english.len(), "{lang}");
    }
}
