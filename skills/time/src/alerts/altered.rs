//! What comes of a call that cancels, changes, pauses or resumes. Alters nothing itself.

use loquat_agent::toolbox::Circumstances;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

use super::alert::Alert;
use super::figures::{self, Figures};
use super::which::unclear;
use super::{AlertTools, undo};
use loquat_kit::dialog::{Tell, Telling};

#[derive(Debug, Default, Serialize, JsonSchema)]
pub(super) struct Altered {
    count: usize,
    /// Those that could be meant, where that is not clear.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    which: Vec<String>,
    /// What a restart undoes, because it could not be kept on the disk.
    #[serde(skip_serializing_if = "Option::is_none")]
    warning: Option<String>,
    /// The timers as they are now, or as they were when they were cancelled.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    timers: Vec<Figures>,
    #[serde(skip)]
    told: Option<Telling>,
    #[serde(skip)]
    undo: Map<String, Value>,
}

impl Tell for Altered {
    fn tell(&self) -> Option<Telling> {
        self.told.clone()
    }

    fn undo(&self) -> Map<String, Value> {
        self.undo.clone()
    }

    fn choices(&self) -> Vec<String> {
        self.which.clone()
    }
}

impl Altered {
    /// Of nothing, for which this is the reason.
    pub(super) fn nothing(told: Telling) -> Self {
        Self {
            told: Some(told),
            ..Self::default()
        }
    }

    /// Of nothing, since it is asked which of these is meant.
    pub(super) fn asking(meant: &[Alert], tools: &AlertTools, person: &Circumstances) -> Self {
        let (which, told) = unclear(meant, tools, person);
        Self {
            which,
            ..Self::nothing(told)
        }
    }

    /// Of one that was gone and is set once more. `is_kept` tells whether a restart would find it.
    pub(super) fn set(
        alert: &Alert,
        told: Telling,
        is_kept: bool,
        tools: &AlertTools,
        person: &Circumstances,
    ) -> Self {
        let unkept = (!is_kept).then(|| Telling::new("not_kept"));
        Self {
            undo: undo::of_set(Some(alert.id)),
            ..Self::of(&[], std::slice::from_ref(alert), told, unkept, tools, person)
        }
    }

    /// Of alerts that were like this and are told to be like that; `unkept` is what a restart makes of it.
    pub(super) fn of(
        were: &[Alert],
        are: &[Alert],
        told: Telling,
        unkept: Option<Telling>,
        tools: &AlertTools,
        person: &Circumstances,
    ) -> Self {
        Self {
            count: are.len(),
            which: Vec::new(),
            warning: super::warning(unkept.as_ref(), tools, person),
            timers: figures::of(are, tools),
            told: Some(match unkept {
                Some(unkept) => told.then(unkept),
                None => told,
            }),
            undo: undo::of_gone(were),
        }
    }
}
