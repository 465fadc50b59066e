//! What a worker says of its health. Never fails: an older worker says less.

use serde::Deserialize;

use super::confinement::Confinement;

/// The worker's word on its health.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct Health {
    /// Tells what the worker is held to; absent when it does not say.
    #[serde(rename = "sandbox")]
    pub confinement: Option<Confinement>,
    /// Names the kernel with which it computes, in words for a person; absent when it does not say.
    pub kernel: Option<String>,
}

impl Health {
    /// Reads what a worker said.
    pub(crate) fn read(health: &[u8]) -> Self {
        serde_json::from_slice(health).unwrap_or_default()
    }
}
