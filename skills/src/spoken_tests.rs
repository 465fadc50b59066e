//! Hears sentences in tests as the device does: the best fit of all skills.

use loquat_agent::turn::IntendedCall;
use loquat_sentences::words::words_and_figures;
use loquat_sentences::{Fit, Fitting, Language, Source, Utterance};

use crate::{Intents, Locales};

/// The toolboxes that look things up.
pub(crate) const OURS: &[&str] = &[
    crate::web::ID,
    crate::wikipedia::ID,
    crate::wiktionary::ID,
    crate::wikidata::ID,
];

/// Whether a call is for one of them.
pub(crate) fn is_ours(call: &IntendedCall) -> bool {
    OURS.contains(&call.toolbox_id.as_str())
}

/// The call that a sentence asks for.
pub(crate) fn heard(text: &str, lang: &str) -> Option<IntendedCall> {
    heard_among(text, lang, |_| true)
}

/// The call that a sentence of these intents asks for.
pub(crate) fn heard_among(text: &str, lang: &str, is_meant: impl Fn(&str) -> bool) -> Option<IntendedCall> {
    let intents = Intents::new(Locales::embedded().into());
    let spoken = intents
        .sentences()
        .filter(|sentences| sentences.lang == lang && !sentences.is_answer && is_meant(&sentences.name));
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
        intents.takes(intent, lang, (slot, text))
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
