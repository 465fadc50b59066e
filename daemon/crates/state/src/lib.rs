//! What survives a restart: one SQLite file in the state folder, written by one thread.
//!
//! It holds the journal, each turn with everything that reached it, what was said last in each session, and what skills
//! keep. A device without a place to write goes on without it; one whose disk is full, locked or damaged goes on with what
//! it can still write. Nothing here decides what a turn does.
//!
//! No frame of a turn goes out before it is written that the turn is pending, and no closing frame before what is said
//! is written. This waits for the commit and not for the disk, half a second at most. The beginning and the end of a
//! turn are not synced: a turn from before a loss of power is ended in silence. A turn is gone on with only within the
//! same run of the kernel and an age by its clock, or by two synchronised wall clocks, when all of it is in the file.

mod ailment;
mod archive;
mod column;
mod condition;
mod damage;
mod file;
mod kept_records;
mod lock;
mod memory;
mod moment;
mod order;
mod pending_turn;
mod private;
mod records;
mod reserve;
mod slots;
mod state;
mod tables;
#[cfg(test)]
mod tests;
mod turns;
mod writer;

pub use ailment::{Ailment, examine};
pub use archive::{Archive, Kept, Turn};
pub use condition::{Condition, Trouble};
pub use file::StateError;
pub use kept_records::KeptRecords;
pub use lock::{Holder, LockError, StateLock};
pub use memory::Remembered;
pub use moment::{Moment, unix_now};
pub use pending_turn::PendingTurn;
pub use records::{Record, UNDOABLE};
pub use state::State;
