//! The page: what a person sees and does with a browser. Rendered here, kept up to date by events, and reached by those only
//! whom the device's owner lets in.
//!
//! Everything shown comes from the stream of events, the bus, the journal and small questions to the parts that own it;
//! nothing is decided here that the desk or the gate decides.

mod answer;
mod answering;
mod bearer;
mod change;
mod clock;
mod command;
mod conversation;
pub mod device;
mod door;
mod entry;
mod entry_file;
mod excerpt;
mod fares;
mod fetches;
mod first_visit;
mod guard;
mod kept_alerts;
mod listener;
mod log_tail;
mod mcp;
mod metrics;
mod own_address;
mod page_state;
mod part;
pub mod password;
mod questions;
mod readers;
mod server;
mod session;
pub mod settings;
mod submission;
mod turns;
mod veil;
mod views;
mod words_choice;
mod work;

pub use self::log_tail::LogTail;
pub use self::part::PagePart;
