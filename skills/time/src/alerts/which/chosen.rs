//! The answer to the question which of several timers, alarms or reminders is meant: by number, by name, by span or by time.
//! Asks nothing itself.

use loquat_agent::toolbox::Circumstances;
use serde_json::Value;

use super::super::AlertTools;
use super::super::alert::Alert;
use super::super::names::plain;
use super::super::night;
use super::super::spoken;
use super::super::told::Told;
use super::Named;
use loquat_kit::answers::{Choice, Words};
use loquat_kit::calendar::Calendar;
use loquat_kit::intent::InLanguage;
use loquat_kit::slots;

/// A longer answer says something else.
const LONGEST: usize = 8;

/// What an answer chooses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Chosen {
    /// By its place among those that were told, or all of them.
    Counted(Choice),
    /// By what it is called, was set to or is due at.
    Called(String),
}

impl Chosen {
    /// What these words choose; nothing where there are none.
    pub(super) fn read(said: &str, spoken: &InLanguage<'_>) -> Option<Self> {
        let words = Words::of(spoken.locales, spoken.lang);
        let folded = words.plain(said);
        let bare = match words.choice(&folded) {
            _ if folded.is_empty() => return None,
            Ok(choice) => return Some(Self::Counted(choice)),
            Err(bare) => words.telling(bare).collect::<Vec<_>>().join(" "),
        };
        Some(Self::Called(plain(&bare, spoken).unwrap_or(bare)))
    }

    pub(super) fn is_all(&self) -> bool {
        *self == Self::Counted(Choice::All)
    }

    /// Those that are chosen, out of those that were told. None where the chosen one has gone since; all of them, so that it is
    /// asked once more, where the answer makes no sense.
    pub(super) fn among(&self, found: Vec<Alert>, tools: &AlertTools, person: &Circumstances) -> Vec<Alert> {
        let told = tools.alerts.told_to(&person.session_id);
        match self {
            Self::Counted(Choice::All) => left_of(&told, &found),
            Self::Counted(Choice::Last) => at(told.last(), found),
            Self::Counted(Choice::Nth(place)) => at(told.get(*place), found),
            Self::Called(name) if has_gone(name, &told, &found) => Vec::new(),
            Self::Called(name) => {
                let named = Named::read(name, tools, person);
                called(&named, &told, found, person)
            }
        }
    }
}

/// The one that is called so among those that were told, or where none was told among all that there are.
fn called(named: &Named, told: &[Told], found: Vec<Alert>, person: &Circumstances) -> Vec<Alert> {
    let left = if told.is_empty() {
        found.clone()
    } else {
        left_of(told, &found)
    };
    let one = named.among(left, &spoken::zone(person));
    if one.len() == 1 { one } else { again(found) }
}

/// Those of the told ones that are still there, in the order in which they were told.
fn left_of(told: &[Told], found: &[Alert]) -> Vec<Alert> {
    let still = |told: &Told| found.iter().find(|alert| alert.id == told.id).cloned();
    told.iter().filter_map(still).collect()
}

/// The one that was told at a place, if it is still there.
fn at(told: Option<&Told>, found: Vec<Alert>) -> Vec<Alert> {
    match told {
        Some(told) => left_of(std::slice::from_ref(told), &found),
        None => again(found),
    }
}

/// Several are asked about once more. A single one is not what was answered, and would be taken without a question.
fn again(found: Vec<Alert>) -> Vec<Alert> {
    if found.len() > 1 { found } else { Vec::new() }
}

/// Whether one was told in these words that is no longer there.
fn has_gone(name: &str, told: &[Told], found: &[Alert]) -> bool {
    let mut gone = told
        .iter()
        .filter(|told| found.iter().all(|alert| alert.id != told.id));
    gone.any(|told| has_words(&told.text, name))
}

/// Whether these words say which of these is meant, as they were told.
pub(crate) fn chooses(choices: &[String], said: &str, spoken: &InLanguage<'_>) -> bool {
    if said.split_whitespace().count() > LONGEST {
        return false;
    }
    if let Some(is_answer) = night::answers(choices, said, spoken) {
        return is_answer;
    }
    match Chosen::read(said, spoken) {
        None => false,
        Some(Chosen::Counted(Choice::Nth(number))) => number < choices.len(),
        Some(Chosen::Counted(_)) => true,
        Some(Chosen::Called(name)) => {
            let is_span_or_time = |read: Option<Value>| read.is_some();
            is_span_or_time(slots::span(&name, spoken))
                || is_span_or_time(slots::time(&name, spoken))
                || Calendar::spoken(spoken.lang).day(&name).is_some()
                || choices.iter().any(|choice| has_words(choice, &name))
        }
    }
}

fn has_words(choice: &str, name: &str) -> bool {
    let (choice, name) = (loquat_kit::folded(choice), loquat_kit::folded(name));
    let mut words = name.split_whitespace();
    !name.is_empty() && words.all(|word| choice.split_whitespace().any(|known| known == word))
}
