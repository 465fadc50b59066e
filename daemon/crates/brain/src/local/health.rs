//! What a worker says of its health. Never fails: an older worker says less.

use serde::Deserialize;

use super::confinement::Confinement;

/// The worker's word on its health.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct Health {
    /// What it is held to; absent when it does not say.
    #[serde(rename = "sandbox")]
    pub confinement: Option<Confinement>,
    /// What it computes with, in words for a person.
    pub kernel: Option<String>,
}

impl Health {
    /// Reads what a worker said.
    pub(crate) fn read(health: &[u8]) -> Self {
        serde_json::from_slice(health).unwrap_or_default()
    }
}
