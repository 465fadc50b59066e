//! Turns that other machines think, as the settings want it: which persona's, over which server, and who signs in there. What
//! a worker says is a brain's word; nothing here gives it a right.

mod check;
mod command;
mod part;
pub mod settings;
mod sign_in;
mod workers;

pub use self::command::{Thinker, Thinking};
pub use self::part::WorkersPart;
pub use self::sign_in::worker_settings;
pub use self::workers::Workers;
