//! Where turns are thought, and why, in words for a person. Looks for nothing.

use std::fmt;

use crate::broker::BrokerError;
use crate::order::VERSION;

/// Tells where turns are thought.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Condition {
    /// The broker is being looked for.
    Connecting,
    /// There is no broker, and why.
    NoBroker(BrokerError),
    /// There is a broker, and no worker.
    NoWorkers,
    /// The only workers are of other versions.
    OtherVersion(String),
    /// No worker has a brain that is wanted; the workers have these brains.
    OtherBrains(Vec<String>),
    /// This many workers are there, and each of them was left within the last half minute.
    Shunned(usize),
    /// Workers take turns.
    Ready {
        /// So many workers are there.
        workers: usize,
        /// The names of their brains.
        brains: Vec<String>,
    },
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Connecting => f.write_str("turns run here; the NATS server is being looked for"),
            Self::NoBroker(error) => write!(f, "turns run here: {error}"),
            Self::NoWorkers => f.write_str("turns run here: no worker is there"),
            Self::OtherVersion(version) => write!(
                f,
                "turns run here: the workers are of version {version} and this device of {VERSION}; bring both to the same"
            ),
            Self::OtherBrains(brains) => write!(
                f,
                "turns run here: the workers have {} and workers.brains does not name it",
                brains.join(", ")
            ),
            Self::Shunned(1) => f.write_str(
                "turns run here: the worker has just failed to answer, and is asked again half a minute later",
            ),
            Self::Shunned(workers) => write!(
                f,
                "turns run here: all {workers} workers have just failed to answer, and are asked again half a minute later"
            ),
            Self::Ready { workers: 1, brains } => {
                write!(f, "turns run on a worker with {}", brains.join(", "))
            }
            Self::Ready { workers, brains } => {
                write!(f, "turns run on {workers} workers with {}", brains.join(", "))
            }
        }
    }
}
