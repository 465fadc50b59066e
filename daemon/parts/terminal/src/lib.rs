//! The person in front of the terminal: what is typed becomes an utterance on the bus, and what happens meanwhile is shown. Answers
//! nothing.

mod part;
mod terminal;

pub use self::part::TerminalPart;
pub use self::terminal::{Terminal, is_attended, show, stdin_is_terminal};
