//! Hears sentences in tests as the device does: the best fit of all skills.

use loquat_agent::turn::IntendedCall;
use loquat_orchestrator::template::{ALL_FUEL, Template};
use loquat_orchestrator::words::words_and_figures;

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
    let intents = Intents::new(Locales::embedded().into());
    let said = words_and_figures(text);
    let mut best: Option<((f64, usize), IntendedCall)> = None;
    for sentences in intents.sentences() {
        if sentences.lang != lang || sentences.is_answer {
            continue;
        }
        let accepts = |slot: &str, text: &str| intents.takes(&sentences.name, lang, (slot, text));
        for line in sentences.lines {
            let template = Template::parse(&line.text).unwrap_or_else(|| panic!("{}", line.place));
            let slots = template.slots();
            assert!(
                slots.iter().all(|slot| intents.has_slot(&sentences.name, slot)),
                "{}",
                line.place
            );
            let Some(fit) = template.fit_where(&said, &mut ALL_FUEL.clone(), &accepts, &Intents::holds_time)
            else {
                continue;
            };
            let worth = (fit.score, fit.slots.len());
            if best.as_ref().is_none_or(|(score, _)| worth > *score) {
                let slots = fit
                    .slots
                    .iter()
                    .map(|(slot, said)| (slot.as_str(), said.as_str()));
                let call = intents.call(&sentences.name, lang, slots).expect("a call");
                best = Some((worth, call));
            }
        }
    }
    best.map(|(_, call)| call)
}
