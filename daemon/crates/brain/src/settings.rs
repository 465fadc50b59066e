//! What is set for one brain behind HTTP.
//!
//! The daemon fills it from a persona file or `loquat.toml`; nothing here reads files or the environment.

use std::fmt;
use std::time::Duration;

use loquat_conversation::brain::Usage;
use secrecy::SecretString;
use serde_json::{Map, Value};
use tokio::sync::mpsc;

use crate::lesson::Refusal;

/// Says how long each wait may last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timeouts {
    /// The TCP, TLS or Unix connection has to stand within this time. It is tried again.
    pub connect: Duration,
    /// The first piece of text, reasoning or call has to come within this time. It is not tried again: the brain is
    /// at work or hangs, and a second wait of the same length is one too many for a person who stands in front of a
    /// silent device. Without effect where no stream is asked for.
    pub first_token: Duration,
    /// Between two pieces of a stream at most this long may pass. The call is tried again.
    pub next_token: Duration,
    /// The whole call may take this long, with all its retries.
    pub whole: Duration,
}

impl Default for Timeouts {
    /// OVOS's own client waits 10 s for the connection and 60 s for the reply. A stream lets us notice a dead brain much
    /// earlier, while a slow machine may write for two minutes.
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(5),
            first_token: Duration::from_secs(30),
            next_token: Duration::from_secs(15),
            whole: Duration::from_secs(120),
        }
    }
}

/// A failed call is made again at most this often unless the settings say otherwise.
pub const DEFAULT_MAX_RETRIES: u32 = 2;

/// A server that asks for a longer pause than this is given up at once: no person waits longer for an answer to begin.
pub const DEFAULT_RETRY_AFTER_CAP: Duration = Duration::from_secs(5);

/// Prices of a million tokens, in any currency.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Prices {
    /// The price of a million tokens that the model reads.
    pub prompt: f64,
    /// The price of a million tokens that the model writes.
    pub completion: f64,
}

impl Prices {
    /// Adds to the figures what they cost.
    #[must_use]
    pub fn applied(self, usage: Usage) -> Usage {
        let cost = |price: f64, tokens: u64| price.max(0.0) * tokens as f64;
        // The price of a million in the currency is that of one in its millionths.
        let cost = cost(self.prompt, usage.prompt_tokens) + cost(self.completion, usage.completion_tokens);
        Usage {
            cost_millionths: cost.ceil() as u64,
            ..usage
        }
    }
}

/// The settings of a brain behind an OpenAI-compatible server.
#[derive(Clone)]
#[expect(clippy::struct_excessive_bools, reason = "each is a setting of its own")]
pub struct OpenAiSettings {
    /// The name that logs use; absent, it is made of model and address.
    pub name: Option<String>,
    /// It is `http(s)://host[:port]/v1`, with or without `/chat/completions`, or `unix:/path/to.sock`.
    pub api_url: String,
    /// The key, which is sent as a bearer token; absent where the server wants none.
    pub key: Option<SecretString>,
    /// The model's name on that server.
    pub model: String,
    /// The server takes `tools` and answers with native calls.
    pub supports_tools: bool,
    /// The server enforces a JSON Schema given as `response_format`.
    pub json_schema: bool,
    /// The server takes `guess`, what the reply probably begins with. Ours does.
    pub guesses: bool,
    /// The server takes `favour`, a word that is drawn as if it were likelier. Ours does.
    pub favours: bool,
    /// The model is a small one, see [`Capabilities::small`](loquat_conversation::brain::Capabilities::small).
    pub small: bool,
    /// See [`Capabilities::acts_at_once`](loquat_conversation::brain::Capabilities::acts_at_once).
    pub acts_at_once: bool,
    /// The model's window in tokens; absent where it is not known.
    pub context_tokens: Option<u32>,
    /// Texts at which each reply stops, beside those of the request.
    pub stop: Vec<String>,
    /// A reply has at most this many tokens; absent is the server's own bound.
    pub max_tokens: Option<u32>,
    /// 0.0 is greedy; the server's own when absent.
    pub temperature: Option<f32>,
    /// It is nucleus sampling, and the server's own when absent.
    pub top_p: Option<f32>,
    /// They are zero where tokens cost nothing.
    pub prices: Prices,
    /// Each wait may last this long.
    pub timeouts: Timeouts,
    /// Ask for the reply as a stream. A plain answer is taken in any case.
    pub stream: bool,
    /// A transient fault is tried again at most this often.
    pub max_retries: u32,
    /// The longest pause a server may ask for before it is given up as overloaded.
    pub retry_after_cap: Duration,
    /// Hears of what the server refuses and is asked without from then on.
    pub refusals: Option<mpsc::Sender<Refusal>>,
    /// Further fields of the request body, which are passed through. Our own fields win.
    pub extra: Map<String, Value>,
}

impl OpenAiSettings {
    /// Takes the usual settings: streaming, no key, no native tools.
    pub fn new(api_url: impl Into<String>, model: impl Into<String>) -> Self {
        Self {
            name: None,
            api_url: api_url.into(),
            key: None,
            model: model.into(),
            supports_tools: false,
            json_schema: false,
            guesses: false,
            favours: false,
            small: false,
            acts_at_once: false,
            context_tokens: None,
            stop: Vec::new(),
            max_tokens: None,
            temperature: None,
            top_p: None,
            prices: Prices::default(),
            timeouts: Timeouts::default(),
            stream: true,
            max_retries: DEFAULT_MAX_RETRIES,
            retry_after_cap: DEFAULT_RETRY_AFTER_CAP,
            refusals: None,
            extra: Map::new(),
        }
    }
}

impl fmt::Debug for OpenAiSettings {
    /// Leaves out all that may hold a secret or a person's words.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OpenAiSettings")
            .field("name", &self.name)
            .field("model", &self.model)
            .field("supports_tools", &self.supports_tools)
            .field("json_schema", &self.json_schema)
            .field("small", &self.small)
            .field("acts_at_once", &self.acts_at_once)
            .field("timeouts", &self.timeouts)
            .field("stream", &self.stream)
            .finish_non_exhaustive()
    }
}

/// Says why a brain cannot be made from its settings.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BrainSettingsError {
    /// The address is no address.
    #[error(
        "understand the brain's api_url {api_url:?}: {reason}; expected http://host:port/v1 or unix:/path/to.sock"
    )]
    Address {
        /// The address as far as it may be shown: without user, password and query.
        api_url: String,
        /// Says what is wrong with it.
        reason: String,
    },
    /// The key cannot be sent.
    #[error("use the brain's key: it holds characters that no HTTP header can carry; check the key's file")]
    Key,
    /// The HTTP client cannot be made, for example because the machine has no certificates.
    #[error("prepare the HTTP client for {address}; is the package ca-certificates installed?")]
    Client {
        /// The brain has this address.
        address: String,
        /// The HTTP client says this.
        #[source]
        source: reqwest::Error,
    },
}
