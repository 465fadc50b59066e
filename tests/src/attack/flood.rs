//! Floods: of sessions, queries, registrations, half frames, connections and megabytes, of timers, facts and programs of the
//! desktop, and at the page and its MCP door; and readers that do not read.

mod crowd;
mod desktop;
mod mass;
mod mcp_door;
mod memories;
mod page;
mod talk;
mod timers;

pub use self::crowd::{descriptors, half_frames, slow_readers};
pub use self::desktop::desktop;
pub use self::mass::oversize;
pub use self::mcp_door::mcp_door;
pub use self::memories::memories;
pub use self::page::page;
pub use self::talk::{queries, registrations, sessions};
pub use self::timers::timers;
pub(super) use self::timers::told;
