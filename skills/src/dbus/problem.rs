//! Why a tool did not do what it was asked: with the mend for the brain, and as a dialog for the person.
//!
//! Knows no service; every toolbox that asks one has the dialogs `absent` and `refused`.

use crate::dbus::Fault;
use crate::dialog::Telling;

/// What stood in the way.
#[derive(Debug, Clone)]
pub(crate) struct Problem {
    /// What is wrong, and the mend.
    pub(crate) text: String,
    /// How it is told.
    pub(crate) told: Telling,
}

impl Problem {
    pub(crate) fn new(text: impl Into<String>, dialog: &'static str) -> Self {
        Self {
            text: text.into(),
            told: Telling::new(dialog),
        }
    }

    /// What was asked for by this name is not there.
    pub(crate) fn unknown(text: impl Into<String>, name: &str) -> Self {
        let name: String = name.chars().take(40).collect();
        Self {
            text: text.into(),
            told: Telling::new("unknown").words("name", loquat_agent::speakable(&name)),
        }
    }
}

impl From<Fault> for Problem {
    fn from(fault: Fault) -> Self {
        let dialog = match fault {
            Fault::NoBus { .. }
            | Fault::NoSystemBus { .. }
            | Fault::Unreachable { .. }
            | Fault::Absent { .. } => "absent",
            Fault::Silent { .. } | Fault::Refused { .. } => "refused",
        };
        Self::new(fault.to_string(), dialog)
    }
}
