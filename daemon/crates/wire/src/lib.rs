//! The OVOS message, its session and its topics, without any I/O.
//!
//! This is the only crate that knows the JSON of the OVOS bus. It parses and writes frames, derives answers from what
//! caused them, knows every topic in both vocabularies, and tells a legacy twin from a new event. It opens no
//! sockets, reads no clock and knows nothing of personas.
//!
//! ```
//! use loquat_wire::{Message, topic};
//! use serde_json::json;
//!
//! let heard = Message::parse(r#"{"type":"recognizer_loop:utterance","data":{"utterances":["hi"]}}"#)?;
//! assert_eq!(topic::canonical_of(&heard.topic), topic::UTTERANCE_HANDLE);
//! let answer = heard.forward(topic::SPEAK, json!({"utterance": "hello"}));
//! assert_eq!(Message::parse(&answer.to_text())?, answer);
//! # Ok::<(), loquat_wire::ParseError>(())
//! ```

pub mod carrier;
pub mod context;
mod data;
pub mod extent;
pub mod language;
pub mod message;
pub mod repeat;
mod reshape;
pub mod session;
pub mod speech;
pub mod stub;
pub mod text;
pub mod topic;
pub mod twin;

pub use context::Context;
pub use data::{IntoData, object, with};
pub use language::{Languages, answer_lang, listening_lang, utterance_lang};
pub use message::{Message, ParseError, topic_of};
pub use session::Session;
pub use twin::{TwinFilter, Vocabulary, with_twin};
