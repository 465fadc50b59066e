//! What a daemon holds beside memory over many turns: open files, threads, and bytes in its state folder. Each must stay
//! what it was once the daemon was warm.

use std::fmt;
use std::fs;
use std::path::Path;

use crate::bytes::bytes_below;

/// What may come on top of the most while it warmed up: sessions that happen to talk at once, and a log of the state file
/// that is not folded in yet.
const MORE_DESCRIPTORS: u64 = 24;
const MORE_THREADS: u64 = 8;
const MORE_STATE: u64 = 8 << 20;

/// The part of the looks that is warming up.
const WARM_UP_PERCENT: usize = 30;

/// One look.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Holding {
    descriptors: u64,
    threads: u64,
    state: u64,
}

/// All looks.
#[derive(Debug, Clone, Default)]
pub(super) struct Holdings(Vec<Holding>);

impl Holding {
    /// Looks at this process, whose state is in this folder.
    pub(super) fn of(pid: u32, state: &Path) -> Self {
        let count =
            |part: &str| fs::read_dir(format!("/proc/{pid}/{part}")).map_or(0, |all| all.count() as u64);
        Self {
            descriptors: count("fd"),
            threads: count("task"),
            state: bytes_below(state),
        }
    }

    fn most(self, other: Self) -> Self {
        Self {
            descriptors: self.descriptors.max(other.descriptors),
            threads: self.threads.max(other.threads),
            state: self.state.max(other.state),
        }
    }
}

impl Holdings {
    pub(super) fn add(&mut self, holding: Holding) {
        self.0.push(holding);
    }

    /// Gives the most while it warmed up, and afterwards.
    fn mosts(&self) -> (Holding, Holding) {
        let (cold, warm) = self.0.split_at(self.0.len() * WARM_UP_PERCENT / 100);
        let most = |looks: &[Holding]| looks.iter().copied().fold(Holding::default(), Holding::most);
        (most(cold), most(warm))
    }

    /// Tells whether it holds more and more.
    pub(super) fn grow(&self) -> bool {
        let (cold, warm) = self.mosts();
        self.0.len() > 1
            && (warm.descriptors > cold.descriptors + MORE_DESCRIPTORS
                || warm.threads > cold.threads + MORE_THREADS
                || warm.state > cold.state + MORE_STATE)
    }
}

impl fmt::Display for Holdings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (cold, warm) = self.mosts();
        write!(
            f,
            "most while warming up and afterwards: {} and {} open files, {} and {} threads, {:.1} and {:.1} MiB of state",
            cold.descriptors,
            warm.descriptors,
            cold.threads,
            warm.threads,
            cold.state as f64 / 1_048_576.0,
            warm.state as f64 / 1_048_576.0
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_held_more_and_more_is_told_from_what_is_held() {
        let holdings = |descriptor_each: u64| {
            let looks = (0..100).map(|look| Holding {
                descriptors: 40 + look * descriptor_each,
                ..Holding::default()
            });
            Holdings(looks.collect())
        };
        assert!(!holdings(0).grow() && holdings(1).grow());
    }
}
