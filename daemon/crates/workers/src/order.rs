//! What a device publishes: a turn to be run. And what a worker tells of itself, by which a device chooses.

use loquat_agent::brain::Capabilities;
use loquat_agent::journal::Opening;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::seal::hex;

/// Device and worker must have one version: both run the same turn, and so must word the same prompts.
pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// A turn to be run.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Order {
    pub(crate) version: String,
    /// Names this order; a turn that is ordered again has another.
    pub(crate) placement: String,
    pub(crate) device: String,
    /// The key that seals all that is said of the turn.
    pub(crate) key: String,
    /// Says whether tools may come to it while it runs.
    pub(crate) grows: bool,
    /// All that it begins with.
    pub(crate) opening: Opening,
}

/// A worker tells this of itself every second and whenever it changes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Announcement {
    pub(crate) worker: String,
    pub(crate) version: String,
    /// The kind of turns that it takes: a digest of version, brain and capabilities.
    pub(crate) kind: String,
    pub(crate) brain: String,
    pub(crate) capabilities: Capabilities,
    /// The number of turns that it runs at once.
    #[serde(default)]
    pub(crate) places: u32,
    /// The number of further turns that it would begin at once.
    pub(crate) free: u32,
    #[serde(default)]
    pub(crate) leaving: bool,
}

/// Workers of one kind can go on with each other's turns: they have one version and the same brain.
pub(crate) fn kind_of(version: &str, brain: &str, capabilities: Capabilities) -> String {
    // Its members are numbers and truths.
    let capabilities = serde_json::to_string(&capabilities).unwrap_or_default();
    let digest = Sha256::digest(format!("{version}\n{brain}\n{capabilities}"));
    hex(digest.get(..6).unwrap_or_default())
}
