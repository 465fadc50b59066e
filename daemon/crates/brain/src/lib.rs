//! Brains: chat models behind the OpenAI-compatible HTTP interface.
//!
//! [`OpenAiBrain`] speaks to one server, [`LocalBrain`] starts and stops a worker of ours and speaks to it through the
//! same client, and [`Ladder`] asks several brains in order. This crate knows the JSON of model servers and nothing of
//! the bus, of personas or of what a turn does with a reply.
//!
//! ```no_run
//! use std::sync::Arc;
//!
//! use loquat_conversation::brain::{Brain, ChatMessage, ChatRequest};
//! use loquat_brain::{Ladder, LocalBrain, LocalBrainSettings, OpenAiBrain, OpenAiSettings};
//!
//! # async fn ask() -> Result<(), Box<dyn std::error::Error>> {
//! let remote = OpenAiBrain::new(OpenAiSettings::new("http://desktop.lan:8080/v1", "qwen2.5-7b"))?;
//! let local = LocalBrain::new(LocalBrainSettings::new(
//!     "/usr/lib/loquat/loquat-local-brain",
//!     "/var/lib/loquat/models/qwen2.5-coder-0.5b.gguf",
//!     "/run/loquat",
//! ));
//! let brain = Ladder::new(vec![Arc::new(remote), Arc::new(local)]);
//! let request = ChatRequest {
//!     messages: vec![ChatMessage::user("What is the capital of France?").into()],
//!     ..ChatRequest::default()
//! };
//! let reply = brain.chat(&request, &()).await?;
//! assert!(reply.content.contains("Paris"));
//! # Ok(())
//! # }
//! ```

mod client;
mod ladder;
mod lesson;
mod local;
mod reply;
mod server_words;
mod settings;
mod sink;
mod sse;

pub use self::client::{OpenAiBrain, clear_text_host};
pub use self::ladder::Ladder;
pub use self::lesson::{Lesson, Refusal};
pub use self::local::{Ahead, Confinement, Health, LocalBrain, LocalBrainSettings, LocalState, Sandbox};
pub use self::reply::{ReadReplyError, read_reply};
pub use self::settings::{
    BrainSettingsError, DEFAULT_MAX_RETRIES, DEFAULT_RETRY_AFTER_CAP, OpenAiSettings, Prices, Timeouts,
};
