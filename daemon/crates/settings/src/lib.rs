//! How settings are declared, found, judged, shown and changed: what OVOS owns from its `mycroft.conf`, what is ours from
//! `loquat.toml`, the environment and flags; and where things are kept.
//!
//! A table is declared once ([`section!`]); the loader, the complaints and the sample file are made from that. No table
//! stands here: each belongs to the part that reads it, and the program names them all in its [`Document`].
//!
//! Nothing else in a program reads the environment or a settings file; what is written is what [`amend`](mod@amend) is asked
//! for, and the copy of [`kept`].

#[cfg(test)]
extern crate self as loquat_settings;

pub mod amend;
pub mod brought;
mod catalogue;
pub mod commented_json;
pub mod complaint;
mod document;
pub mod environment;
pub mod folders;
pub mod form;
mod layers;
pub mod mycroft;
mod resolve;
pub mod sample;
pub mod secret;
pub mod secret_hash;
pub mod section;
mod settings;
#[cfg(test)]
mod tests;
pub mod wording;

pub use complaint::{Complaint, Complaints, Origin, Severity};
pub use document::{Document, LeftOut};
pub use environment::Environment;
pub use folders::Folders;
pub use layers::LoadOptions;
pub use mycroft::{Hotword, Mycroft};
pub use secret::{Secret, SecretError};
pub use settings::{Entry, Settings, kept};
// What [`section!`] writes names it.
#[doc(hidden)]
pub use toml;
