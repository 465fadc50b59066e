//! Floods: of sessions, queries, registrations, half frames, connections and megabytes, and readers that do not read.

mod crowd;
mod mass;
mod talk;

pub use self::crowd::{descriptors, half_frames, slow_readers};
pub use self::mass::oversize;
pub use self::talk::{queries, registrations, sessions};
