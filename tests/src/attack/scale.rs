//! How much of each attack there is: the whole of `make attack`, or the short form of `make test`.

use std::time::Duration;

/// The numbers.
#[derive(Debug, Clone, Copy)]
pub struct Scale {
    /// What the generated frames grow from.
    pub seed: u64,
    /// Generated frames.
    pub frames: usize,
    /// Of the injections and forgeries one in so many.
    pub every: usize,
    /// Of the schemas one in so many.
    pub every_schema: usize,
    /// Paths, commands and addresses that want out.
    pub ways_out: usize,
    /// Texts that want something sent or done.
    pub leaks: usize,
    /// Words planted in each kind of thing that is kept.
    pub planted: usize,
    /// New sessions.
    pub sessions: usize,
    /// Queries while the brain hangs.
    pub queries: usize,
    /// Registrations.
    pub registrations: usize,
    /// Clients with half a frame of 24 MiB.
    pub half_frames: usize,
    /// Idle connections.
    pub descriptors: usize,
    /// Frames of many megabytes.
    pub oversize: usize,
    /// Mebibytes that slow readers do not read.
    pub unread: usize,
    /// Events at the door for Home Assistant.
    pub events: usize,
    /// Calls of tools that are poured over timers and memory.
    pub calls: usize,
    /// Facts that are remembered one after the other.
    pub facts: usize,
    /// Requests at the page, at its door for MCP clients, and on D-Bus.
    pub requests: usize,
    /// Things that are done before the power is cut.
    pub deeds: usize,
    /// Cuts of the power.
    pub cuts: usize,
    /// Questions under each bound of memory.
    pub pressed: usize,
}

impl Scale {
    /// Gives the whole attack, for a release build.
    pub fn full() -> Self {
        Self {
            seed: 16,
            frames: 1_000_000,
            every: 1,
            every_schema: 1,
            ways_out: 120,
            leaks: 200,
            planted: 24,
            sessions: 50_000,
            queries: 3000,
            registrations: 20_000,
            half_frames: 40,
            descriptors: 1100,
            oversize: 24,
            unread: 256,
            events: 10_000,
            calls: 20_000,
            facts: 1100,
            requests: 6000,
            deeds: 120,
            cuts: 250,
            pressed: 12,
        }
    }

    /// As much as a debug build on two slow cores does in a minute.
    pub fn short() -> Self {
        Self {
            seed: 16,
            frames: 6000,
            every: 7,
            every_schema: 3,
            ways_out: 30,
            leaks: 40,
            planted: 6,
            sessions: 1000,
            queries: 300,
            registrations: 1000,
            half_frames: 12,
            descriptors: 1100,
            oversize: 8,
            unread: 48,
            events: 1500,
            calls: 600,
            facts: 60,
            requests: 240,
            deeds: 24,
            cuts: 10,
            pressed: 2,
        }
    }
}

/// The longest that a ping may wait: a second. Where the programs are not optimised the machine compiles and tests beside,
/// and what counts is that nothing hangs.
pub const SLOWEST_PING: Duration = if cfg!(debug_assertions) {
    Duration::from_secs(10)
} else {
    Duration::from_secs(1)
};

/// The most memory above what the idle daemon has, in bytes, its children included.
pub const MOST_MEMORY: u64 = 150 << 20;

/// The longest that the daemon may take to end.
pub const SLOWEST_END: Duration = Duration::from_secs(3);

/// How long a person waits for an answer, before and after asking once more.
pub const PERSON: Duration = Duration::from_secs(10);
