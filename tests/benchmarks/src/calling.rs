//! Function calling as the Berkeley Function-Calling Leaderboard v4 asks for it: a question and tools of strangers, put to the
//! daemon with a small model and to a stock model server with the same file.
//!
//! Its cases are counted and never shown, so that no rule is made for one of them.

pub mod case;
pub mod device;
pub mod judge;
pub mod stock_server;
pub mod tally;

pub use self::case::{CATEGORIES, Case};
pub use self::device::Device;
pub use self::stock_server::StockServer;
pub use self::tally::Tally;

/// What both are told beside the tools.
const INSTRUCTIONS: &str = "You are a voice assistant. Your answer is spoken aloud, so answer in one or two short, \
     plain sentences. Use a tool whenever one fits, and say what it returned.";
