//! The answer to the question which of several timers, alarms or reminders is meant: by number, by name, by span or by time.
//! Asks nothing itself.

use jiff::tz::TimeZone;
use loquat_agent::toolbox::Circumstances;
use serde_json::Value;

use super::super::AlertTools;
use super::super::alert::Alert;
use super::super::names::plain;
use super::super::spoken::{read_span, read_time};
use super::Named;
use crate::clock::calendar::Calendar;
use crate::home::words::{Choice, Words};
use crate::intent::InLanguage;

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

    /// Those that are chosen; all of them where the answer makes no sense, so that it is asked once more.
    pub(super) fn among(
        &self,
        found: Vec<Alert>,
        tools: &AlertTools,
        (person, zone): (&Circumstances, &TimeZone),
    ) -> Vec<Alert> {
        let one = match self {
            Self::Counted(Choice::All) => return found,
            Self::Counted(Choice::Last) => found.last().cloned(),
            Self::Counted(Choice::Nth(number)) => found.get(*number).cloned(),
            Self::Called(name) => {
                let named = Named::read(name, tools, person).among(found.clone(), zone);
                let mut named = named.into_iter();
                named.next().filter(|_| named.next().is_none())
            }
        };
        one.map_or(found, |one| vec![one])
    }
}

/// Whether these words say which of these is meant, as they were told.
pub(crate) fn chooses(choices: &[String], said: &str, spoken: &InLanguage<'_>) -> bool {
    if said.split_whitespace().count() > LONGEST {
        return false;
    }
    match Chosen::read(said, spoken) {
        None => false,
        Some(Chosen::Counted(Choice::Nth(number))) => number < choices.len(),
        Some(Chosen::Counted(_)) => true,
        Some(Chosen::Called(name)) => {
            let is_span_or_time = |read: Option<Value>| read.is_some();
            is_span_or_time(read_span(&name, spoken))
                || is_span_or_time(read_time(&name, spoken))
                || Calendar::spoken(spoken.lang).day(&name).is_some()
                || choices.iter().any(|choice| has_words(choice, &name))
        }
    }
}

fn has_words(choice: &str, name: &str) -> bool {
    let (choice, name) = (crate::folded(choice), crate::folded(name));
    let mut words = name.split_whitespace();
    !name.is_empty() && words.all(|word| choice.split_whitespace().any(|known| known == word))
}
