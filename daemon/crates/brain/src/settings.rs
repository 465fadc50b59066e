//! What is set for one brain behind HTTP.
//!
//! The daemon fills it from a persona file or `loquat.toml`; nothing here reads files or the environment.

use std::fmt;
use std::time::Duration;

use loquat_agent::brain::Usage;
use secrecy::SecretString;
use serde_json::{Map, Value};
use tokio::sync::mpsc;

use crate::client::Refusal;

/// How long each wait may last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timeouts {
    /// For the TCP, TLS or Unix connection; tried again.
    pub connect: Duration,
    /// From asking to the first piece of text, reasoning or call. Not tried again: the brain is at work or hangs, and a
    /// second wait of the same length is one too many for a person who stands in front of a silent device. Without
    /// effect where no stream is asked for.
    pub first_token: Duration,
    /// Between two pieces of a stream; tried again.
    pub next_token: Duration,
    /// For the whole call, with all its retries.
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

/// How often and how patiently a failed call is made again.
pub const DEFAULT_MAX_RETRIES: u32 = 2;

/// A server that asks for a longer pause than this is given up at once: no person waits longer for an answer to begin.
pub const DEFAULT_RETRY_AFTER_CAP: Duration = Duration::from_secs(5);

/// What a million tokens cost, in any currency.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Prices {
    /// That it reads.
    pub prompt: f64,
    /// That it writes.
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

/// One brain behind an OpenAI-compatible server.
#[derive(Clone)]
#[expect(clippy::struct_excessive_bools, reason = "each is a setting of its own")]
pub struct OpenAiSettings {
    /// What logs call it; made of model and address when absent.
    pub name: Option<String>,
    /// `http(s)://host[:port]/v1`, with or without `/chat/completions`, or `unix:/path/to.sock`.
    pub api_url: String,
    /// Sent as a bearer token.
    pub key: Option<SecretString>,
    /// The model's name on that server.
    pub model: String,
    /// The server takes `tools` and answers with native calls.
    pub supports_tools: bool,
    /// The server enforces a JSON Schema given as `response_format`.
    pub json_schema: bool,
    /// The server takes `guess`, what the reply probably begins with. Ours does.
    pub guesses: bool,
    /// The model is a small one, see [`Capabilities::small`](loquat_agent::brain::Capabilities::small).
    pub small: bool,
    /// See [`Capabilities::acts_at_once`](loquat_agent::brain::Capabilities::acts_at_once).
    pub acts_at_once: bool,
    /// The model's window, in tokens; unknown when absent.
    pub context_tokens: Option<u32>,
    /// Texts at which each reply stops, beside those of the request.
    pub stop: Vec<String>,
    /// Upper bound of a reply, in tokens; the server's own when absent.
    pub max_tokens: Option<u32>,
    /// 0.0 is greedy; the server's own when absent.
    pub temperature: Option<f32>,
    /// Nucleus sampling; the server's own when absent.
    pub top_p: Option<f32>,
    /// What a million tokens that it reads, and as many that it writes, cost; zero is nothing.
    pub prices: Prices,
    /// How long each wait may last.
    pub timeouts: Timeouts,
    /// Ask for the reply as a stream. A plain answer is taken in any case.
    pub stream: bool,
    /// How often a transient fault is tried again.
    pub max_retries: u32,
    /// The longest pause a server may ask for before it is given up as overloaded.
    pub retry_after_cap: Duration,
    /// Who hears of what the server refuses and is asked without from then on.
    pub refusals: Option<mpsc::Sender<Refusal>>,
    /// Further fields of the request body, passed through; our own fields win.
    pub extra: Map<String, Value>,
}

impl OpenAiSettings {
    /// A brain with the usual settings: streaming, no key, no native tools.
    pub fn new(api_url: impl Into<String>, model: impl Into<String>) -> Self {
        Self {
            name: None,
            api_url: api_url.into(),
            key: None,
            model: model.into(),
            supports_tools: false,
            json_schema: false,
            guesses: false,
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

/// Why a brain cannot be made from its settings.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BrainSettingsError {
    /// The address is no address.
    #[error(
        "understand the brain's api_url {api_url:?}: {reason}; expected http://host:port/v1 or unix:/path/to.sock"
    )]
    Address {
        /// As far as it may be shown: without user, password and query.
        api_url: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The key cannot be sent.
    #[error("use the brain's key: it holds characters that no HTTP header can carry; check the key's file")]
    Key,
    /// The HTTP client cannot be made, for example because the machine has no certificates.
    #[error("prepare the HTTP client for {address}; is the package ca-certificates installed?")]
    Client {
        /// The brain's address.
        address: String,
        /// What the HTTP client said.
        #[source]
        source: reqwest::Error,
    },
}
