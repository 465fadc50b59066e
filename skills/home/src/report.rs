//! What a question about the home gives back, and whose words are in it. Asks nothing.

use loquat_kit::dialog::{Tell, Telling};
use schemars::JsonSchema;
use serde::Serialize;

use super::seen::Seen;
use super::telling::apart;

/// A reading.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub(super) struct Reading {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) states: Vec<Seen>,
    /// yes or no.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) answer: Option<&'static str>,
    /// How many match.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) count: Option<usize>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) matched: Vec<Seen>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) unmatched: Vec<Seen>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) problem: Option<String>,
    #[serde(skip)]
    pub(super) is_of_strangers: bool,
    /// Which it may be, where it is asked which one is meant.
    #[serde(skip)]
    pub(super) choices: Vec<String>,
    #[serde(skip)]
    pub(super) told: Option<Telling>,
}

impl Tell for Reading {
    fn tell(&self) -> Option<Telling> {
        self.told.clone()
    }

    fn is_of_strangers(&self) -> bool {
        self.is_of_strangers
    }

    fn choices(&self) -> Vec<String> {
        self.choices.clone()
    }

    fn names(&self) -> Vec<String> {
        let told = self.told.iter().flat_map(Telling::names).cloned();
        let seen = self.states.iter().chain(&self.matched).chain(&self.unmatched);
        let shown = seen.flat_map(|seen| {
            // Where a person is, is the name of a zone.
            let zone = (seen.is_person()).then(|| seen.state.clone());
            let further = seen.unit.iter().chain(&seen.area).cloned().chain(zone);
            apart(&seen.name).chain(further)
        });
        shown.chain(told).collect()
    }
}
