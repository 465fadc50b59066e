//! Routines: sentences that are done one after another when the owner says a word for them, as "when I say good night, turn
//! everything off and wake me at seven" asks for.
//!
//! Nothing here does a step: the sentences are understood when the word is said, with all that asks and refuses then. A routine
//! holds no routine, itself least of all.

use loquat_agent::toolbox::{Circumstances, ToolError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::AlertTools;
use super::alert::{Alert, Kind};
use super::book::Alerts;
use super::foreseen::Foreseen;
use super::later::foreseen;
use super::setting::{self, Set, checked, complaint, said};
use loquat_kit::dialog::{Tell, Telling};
use loquat_kit::folded;
use loquat_kit::locale::Locales;

/// The tool that keeps one, and the one that tells of a step that is understood no more.
pub(super) const TOOL: &str = "set_routine";
pub(super) const MISS: &str = "miss_step";

/// The list of a person's own file: what is said, and the sentences that are done.
const LIST: &str = "routines.value";

/// Who hears of more forgets the first; a word for them has no more words.
const MOST_STEPS: usize = 12;
const LONGEST_PHRASE: usize = 6;

#[derive(Debug, Default, Deserialize, JsonSchema)]
pub(super) struct Routine {
    /// What the person will say, as in "good night".
    phrase: String,
    /// What to do then, each as the person would say it.
    steps: Vec<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Missed {
    text: String,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Unclear {
    text: String,
}

impl Tell for Unclear {
    fn tell(&self) -> Option<Telling> {
        Some(Telling::new("step_unclear").words("text", self.text.as_str()))
    }
}

pub(super) async fn set_routine(
    tools: AlertTools,
    routine: Routine,
    person: &Circumstances,
) -> Result<Set, ToolError> {
    let is_theirs = person.speaker.is_owner() && (!person.is_tainted || person.is_consented);
    if !is_theirs {
        return Ok(nothing("routine_of_others", &routine.phrase));
    }
    let phrase = checked("phrase", said(Some(routine.phrase)))?.unwrap_or_default();
    let steps: Vec<String> = routine
        .steps
        .into_iter()
        .filter_map(|step| said(Some(step)))
        .collect();
    let words = phrase.split_whitespace().count();
    if !(1..=LONGEST_PHRASE).contains(&words) || steps.is_empty() || steps.len() > MOST_STEPS {
        let rule = format!("write a phrase of 1 to {LONGEST_PHRASE} words and 1 to {MOST_STEPS} steps");
        return Err(complaint(&format!("phrase, steps: {rule}")));
    }
    for step in &steps {
        checked("steps", Some(step.clone()))?;
        if folded(step) == folded(&phrase) || tools.alerts.routine(step).is_some() {
            return Ok(nothing("routine_itself", step));
        }
        if !matches!(foreseen(&tools, step, person).await?, Foreseen::Calls(_)) {
            return Ok(nothing("step_unclear", step));
        }
    }
    let old = tools
        .alerts
        .all()
        .await
        .into_iter()
        .filter(|alert| is_called(alert, &phrase));
    let old: Vec<u64> = old.map(|alert| alert.id).collect();
    tools.alerts.remove(&old).await;
    setting::set_routine(&tools, phrase, steps, person).await
}

fn is_called(alert: &Alert, phrase: &str) -> bool {
    let is_it = alert
        .name
        .as_deref()
        .is_some_and(|name| folded(name) == folded(phrase));
    alert.kind == Kind::Routine && is_it
}

fn nothing(dialog: &'static str, text: &str) -> Set {
    let spoken = format!("nothing is set: {}", dialog.replace('_', " "));
    Set::nothing(Kind::Routine, spoken, Telling::new(dialog).words("text", text))
}

/// Tells that a step of a routine is understood no more.
pub(super) fn miss_step(missed: Missed, _: &Circumstances) -> Result<Unclear, ToolError> {
    let text = checked("text", Some(missed.text))?.unwrap_or_default();
    Ok(Unclear { text })
}

/// The sentences that are done for what was said, and the language that they are in: those of a person's own file, or those that
/// the owner has set.
pub fn steps_for(
    said: &str,
    lang: &str,
    locales: &Locales,
    alerts: Option<&Alerts>,
) -> Option<(Vec<String>, String)> {
    let said = folded(said);
    let mut own = locales.values(super::FOLDER, lang, LIST);
    let own = own.find(|(phrase, _)| folded(phrase.trim()) == said);
    if let Some((_, steps)) = own {
        let steps = steps.split('|').map(|step| step.trim().to_owned());
        return Some((steps.take(MOST_STEPS).collect(), lang.to_owned()));
    }
    let (steps, spoken) = alerts?.routine(&said)?;
    Some((steps, spoken.unwrap_or_else(|| lang.to_owned())))
}
