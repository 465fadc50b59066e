//! What a device publishes: a turn to be run. And what a worker tells of itself, by which a device chooses.

use loquat_agent::brain::Capabilities;
use loquat_agent::journal::Opening;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::seal::hex;

/// What device and worker have to have in common: both run the same turn, and so have to word the same prompts.
pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// A turn to be run.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Order {
    /// The version of the device.
    pub(crate) version: String,
    /// Names this order; a turn that is ordered again has another.
    pub(crate) placement: String,
    /// Whose turn it is.
    pub(crate) device: String,
    /// What seals all that is said of it.
    pub(crate) key: String,
    /// Whether tools may come to it while it runs.
    pub(crate) grows: bool,
    /// All that it begins with.
    pub(crate) opening: Opening,
}

/// What a worker tells of itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Announcement {
    /// Its name.
    pub(crate) worker: String,
    /// Its version.
    pub(crate) version: String,
    /// Which turns it takes: those that were ordered of workers of this kind.
    pub(crate) kind: String,
    /// The name of its brain.
    pub(crate) brain: String,
    /// What its brain can be asked for.
    pub(crate) capabilities: Capabilities,
    /// How many turns it runs at once.
    #[serde(default)]
    pub(crate) places: u32,
    /// How many further turns it would begin at once.
    pub(crate) free: u32,
    /// It takes no more.
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
