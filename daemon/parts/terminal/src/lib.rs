//! The person in front of the terminal: what is typed becomes an utterance on the bus, and what happens meanwhile is shown. Answers
//! nothing.

mod part;
mod screen;
mod settings;
mod shown;
mod terminal;
mod typing;

pub use self::part::TerminalPart;
pub use self::shown::shown;
pub use self::terminal::{is_attended, stdin_is_terminal};
