//! What `loquat check` finds of the wake words.

use loquat_failure::with_causes;
use loquat_models::Catalogue;
use loquat_part::{Finding, Verdict};
use loquat_speech::WakeWordEffect;

use crate::models::HearingModels;
use crate::wake_word::{self, WakeWordError, WakeWordInUse};

const PART: &str = "wake word";

/// One finding for each word that is listened for, or that was set up in vain.
/// Words may be for personas; `is_persona` tells which there are.
pub(crate) fn findings(models: &HearingModels, is_persona: impl Fn(&str) -> bool) -> Vec<Finding> {
    let words = &models.wake_words.words;
    let unheard = |remark: &String| {
        let mend = "name a model for it, or switch the word off in mycroft.conf";
        Finding::bad(PART, Verdict::Remark, remark.clone(), mend)
    };
    let mut findings: Vec<Finding> = words.iter().map(model).collect();
    findings.extend(models.wake_words.remarks.iter().map(unheard));
    let called = words.iter().filter_map(|word| match &word.effect {
        WakeWordEffect::Persona(persona) => Some((&word.name, persona)),
        _ => None,
    });
    let strangers = called.filter(|(_, persona)| !is_persona(persona));
    findings.extend(strangers.map(|(word, persona)| {
        let detail = format!("{word} is for the persona {persona}, which there is none of");
        let mend = "name one of `loquat personas`; until then the usual one answers";
        Finding::bad(PART, Verdict::Remark, detail, mend)
    }));
    findings
}

/// Loads it, since a file that is there may still be of no use. The device can be asked to listen without one.
fn model(word: &WakeWordInUse) -> Finding {
    match wake_word::load(word, &Catalogue::embedded()) {
        Ok(_) => {
            let purpose = wake_word::purpose(&word.effect, word.over_sound_alone);
            Finding::ok(PART, format!("{} loads; say it {purpose}", word.name))
        }
        Err(WakeWordError::Missing { name, path, mend }) => {
            let detail = format!("{name} is not at {}", path.display());
            Finding::bad(PART, Verdict::Missing, detail, mend)
        }
        Err(error) => {
            let mend = "see the line above; the device can still be asked to listen";
            let detail = format!("failed to {}", with_causes(&error));
            Finding::bad(PART, Verdict::Broken, detail, mend)
        }
    }
}
