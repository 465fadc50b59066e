//! The language model of this device: what its file says of it, how quick it is here, and why it is the one that is used.

use std::time::Duration;

use loquat_mind::model_speed::ModelSpeeds;
use loquat_models::{Catalogue, GgufFacts, Kind};
use loquat_part::model_speed::Choice;
use loquat_part::{Finding, Verdict};

use crate::models_in_use::ModelsInUse;
use crate::settings::Settings;

const PART: &str = "model";

/// The model, with what is wrong with it.
pub(super) fn finding(settings: &Settings, models: &ModelsInUse) -> Finding {
    let found = Finding::of_model(PART, &models.language);
    if found.verdict != Verdict::Ok {
        return found;
    }
    let path = &models.language.path;
    match GgufFacts::read(path).and_then(|facts| facts.check(path)) {
        Ok(()) => with_speed(found, settings, models),
        Err(error) => Finding::bad(
            PART,
            Verdict::Remark,
            format!("failed to {error}"),
            "set local_brain.model to another of `loquat models list`",
        ),
    }
}

fn with_speed(mut found: Finding, settings: &Settings, models: &ModelsInUse) -> Finding {
    let local = &settings.local_brain;
    let speeds = ModelSpeeds::recall(&settings.folders.state);
    let rates = speeds.of(&models.language.path, local.threads.map(u32::from));
    if let Some(rates) = rates {
        found.detail += "; it ";
        found.detail += &rates.to_string();
    }
    found.detail += &why(&models.language_choice, local.answer_seconds);
    if is_too_slow(&models.language_choice, local.answer_seconds) {
        found.verdict = Verdict::Remark;
        found.mend = Some(quicker(models.language.bytes));
    }
    found
}

fn why(choice: &Choice, bound: f64) -> String {
    match choice {
        Choice::Named | Choice::Only { took: Some(_) } => String::new(),
        Choice::Only { took: None } | Choice::Unmeasured => {
            "; it was not timed yet: `loquat run` does that when nobody speaks, and `loquat models time` at once".to_owned()
        }
        Choice::Largest { larger, .. } => {
            let larger = larger.as_ref().map(|(name, took)| {
                format!(", and {name} would take {:.1} s", took.as_secs_f64())
            });
            format!(
                "; chosen as the largest that takes at most {bound} s{}",
                larger.unwrap_or_default()
            )
        }
        Choice::Quickest { .. } => format!("; chosen as the quickest, since all take longer than {bound} s"),
    }
}

/// Nothing is said of a model that a person has named.
fn is_too_slow(choice: &Choice, bound: f64) -> bool {
    match choice {
        Choice::Only { took: Some(took) } | Choice::Quickest { took } => {
            *took > Duration::try_from_secs_f64(bound).unwrap_or(Duration::MAX)
        }
        _ => false,
    }
}

/// What could be fetched, or done otherwise.
fn quicker(bytes: u64) -> String {
    let catalogue = Catalogue::embedded();
    let usual = catalogue
        .models()
        .iter()
        .filter(|model| model.kind == Kind::Language && model.usual && model.size < bytes);
    let smaller = usual.max_by_key(|model| model.size).map(|model| &model.name);
    let offered = || {
        catalogue
            .offers()
            .min_by(|one, other| one.memory_gib.total_cmp(&other.memory_gib))
    };
    let smaller = smaller.or_else(|| offered().map(|offer| &offer.name));
    let fetch = smaller.map_or_else(String::new, |name| format!("run `loquat models fetch {name}`, "));
    format!(
        "{fetch}let a quicker machine think (a persona with a model server), or set local_brain.answer_seconds to what you will wait"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_that_is_too_slow_names_a_smaller_one() {
        let took = Duration::from_secs(7);
        assert!(is_too_slow(&Choice::Quickest { took }, 3.0));
        assert!(is_too_slow(&Choice::Only { took: Some(took) }, 3.0));
        assert!(!is_too_slow(&Choice::Only { took: Some(took) }, 8.0));
        assert!(!is_too_slow(&Choice::Named, 3.0));
        assert!(
            quicker(1_117_320_768).contains("fetch qwen2.5-coder-0.5b"),
            "{}",
            quicker(1_117_320_768)
        );
        assert!(quicker(0).contains("a quicker machine"), "{}", quicker(0));
    }
}
