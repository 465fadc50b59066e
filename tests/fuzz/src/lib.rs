//! What strangers write, fed to what reads it: one function for each kind of input, which takes any bytes.
//!
//! The fuzzer (`make test-long`) and the tests on the stable compiler (`make test`) call the same functions. One panics
//! when something is wrong: when what it calls panics, breaks its word, or takes longer than it may.
#![expect(
    clippy::expect_used,
    clippy::panic,
    reason = "a panic is how a fuzzer is told what was found"
)]

mod decoder;
mod folder;
mod frame;
mod gguf;
mod hive;
mod persona;
mod reply;
mod schema;
mod sentences;
mod settings;
mod skill;
mod wake_word;
mod wav;
mod worker;

use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

/// What any input may take of a processor, in an optimised program.
pub const BOUND: Duration = Duration::from_millis(100);

/// Longer inputs are those of other tests; the limits on size are theirs.
pub const LONGEST: usize = 64 * 1024;

/// One kind of input.
#[derive(Debug, Clone, Copy)]
pub struct Target {
    /// Also the name of the program and of the folder of seeds.
    pub name: &'static str,
    /// Feeds it.
    feed: fn(&[u8]),
}

/// All kinds.
pub const TARGETS: [Target; 16] = [
    Target::new("frame", frame::feed),
    Target::new("reply", reply::feed),
    Target::new("decoder", decoder::feed),
    Target::new("schema", schema::feed),
    Target::new("persona", persona::feed),
    Target::new("mycroft", settings::feed_mycroft),
    Target::new("settings", settings::feed_settings),
    Target::new("skill", skill::feed),
    Target::new("wake_word", wake_word::feed),
    Target::new("wav", wav::feed),
    Target::new("gguf", gguf::feed),
    Target::new("hive", hive::feed),
    Target::new("worker", worker::feed),
    Target::new("sentence_template", sentences::feed_template),
    Target::new("sentence_text", sentences::feed_text),
    Target::new("sentence_pack", sentences::feed_pack),
];

/// The target of this name.
///
/// # Panics
/// When there is none.
pub fn target(name: &str) -> Target {
    let found = TARGETS.into_iter().find(|target| target.name == name);
    found.unwrap_or_else(|| panic!("there is no target {name}"))
}

impl Target {
    const fn new(name: &'static str, feed: fn(&[u8])) -> Self {
        Self { name, feed }
    }

    /// Feeds the bytes; `bound` is of processor time, so that a busy machine makes no target slow.
    ///
    /// # Panics
    /// When the input breaks something, or takes longer twice: the first time something else may have been made ready.
    pub fn run(self, bytes: &[u8], bound: Duration) {
        let bytes = bytes.get(..LONGEST).unwrap_or(bytes);
        if self.measured(bytes) > bound {
            let again = self.measured(bytes);
            assert!(
                again <= bound,
                "{}: {} bytes took {again:?}, and {bound:?} are allowed",
                self.name,
                bytes.len()
            );
        }
    }

    fn measured(self, bytes: &[u8]) -> Duration {
        let before = processor_time();
        (self.feed)(bytes);
        processor_time().saturating_sub(before)
    }
}

/// What this thread has had of a processor.
fn processor_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    let whole = Duration::from_secs(time.tv_sec.unsigned_abs());
    whole + Duration::from_nanos(time.tv_nsec.unsigned_abs())
}
