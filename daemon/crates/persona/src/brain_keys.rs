//! What a persona file may say about a brain: each key once, with its type, what it may look like, and which brains have it.

use serde::Deserialize;
use serde_json::{Map, Value};

use super::fields::{Shape, Spec};

/// A wait of a brain, in seconds: a tenth is the least that a clock of the network can tell, an hour is for ever.
const WAIT: Shape = Shape::Number(0.1, 3600.0);

/// The price of a million tokens, in whatever currency the owner counts.
const PRICE: Shape = Shape::Number(0.0, 1_000_000.0);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Of {
    /// Model servers alone heed it.
    Server,
    /// Model servers and the model of this device heed it.
    Both,
}

/// A text or several.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(untagged)]
pub enum Texts {
    /// It is one.
    One(String),
    /// They are several.
    Several(Vec<String>),
}

impl Default for Texts {
    fn default() -> Self {
        Self::Several(Vec::new())
    }
}

impl From<Texts> for Vec<String> {
    fn from(texts: Texts) -> Self {
        match texts {
            Texts::One(text) => vec![text],
            Texts::Several(texts) => texts,
        }
    }
}

/// Declares the keys that a brain is made from.
macro_rules! brain_settings {
    ($($(#[$doc:meta])* $of:ident $name:ident: $type:ty, $shape:expr;)*) => {
        /// What a persona file says about a brain, in OVOS's names; absent is as usual.
        #[derive(Debug, Clone, Default, PartialEq, Deserialize)]
        #[serde(default)]
        pub struct BrainSettings {
            $($(#[$doc])* pub $name: $type,)*
        }

        /// The keys of which a brain is made.
        const MADE_OF: &[(Of, Spec<'static>)] = &[$((Of::$of, (stringify!($name), $shape)),)*];
    };
}

brain_settings! {
    /// Where the server is.
    Server api_url: String, Shape::Address;
    /// The name of the model there.
    Both model: String, Shape::Text;
    /// The most tokens of a reply.
    Both max_tokens: Option<u32>, Shape::Whole(1, 1_000_000);
    /// How freely words are drawn.
    Both temperature: Option<f32>, Shape::Number(0.0, 2.0);
    /// From which part of the likely words they are drawn.
    Both top_p: Option<f32>, Shape::Number(0.0, 1.0);
    /// Passed on to the server.
    Server frequency_penalty: Option<Value>, Shape::Number(-2.0, 2.0);
    /// Passed on to the server.
    Server presence_penalty: Option<Value>, Shape::Number(-2.0, 2.0);
    /// What ends a reply.
    Server stop_token: Texts, Shape::TextOrTexts;
    /// Passed on to the server.
    Server extra_params: Map<String, Value>, Shape::Object;
    /// The window of the model, in tokens.
    Server context_tokens: Option<u32>, Shape::Whole(512, 10_000_000);
    /// In the currency of the owner, for a million tokens that are read.
    Server prompt_price: f64, PRICE;
    /// In the currency of the owner, for a million tokens that are written.
    Server completion_price: f64, PRICE;
    /// Whether the model calls tools by itself.
    Server supports_tools: Option<bool>, Shape::Switch;
    /// Whether the server holds replies to a schema.
    Server json_schema: Option<bool>, Shape::Switch;
    /// Whether the model needs the help that small ones do.
    Both small: Option<bool>, Shape::Switch;
    /// Whether it writes a thought before it acts.
    Both thought: Option<bool>, Shape::Switch;
    /// Whether the reply is read as it is written.
    Server stream: Option<bool>, Shape::Switch;
    /// How long a connection may take.
    Server connect_timeout_seconds: Option<f64>, WAIT;
    /// How long the first token may take.
    Both first_token_timeout_seconds: Option<f64>, WAIT;
    /// How long each further one may take.
    Both next_token_timeout_seconds: Option<f64>, WAIT;
    /// How long the whole reply may take.
    Both timeout_seconds: Option<f64>, WAIT;
    /// How often it is asked again after a failure.
    Server retries: Option<u32>, Shape::Whole(0, 10);
}

/// The keys that say something else, or that OVOS has and that change nothing here.
const BESIDE: &[(Of, Spec<'static>)] = &[
    (Of::Server, ("key", Shape::Any)),
    (Of::Server, ("api_key", Shape::Any)),
    (Of::Both, ("system_prompt", Shape::Text)),
    (Of::Server, ("persona", Shape::Text)),
    (Of::Server, ("initial_prompt", Shape::Text)),
    // Instructions always reach the model here.
    (Of::Server, ("allow_system_prompts", Shape::Without)),
    // The history is the persona's, not the brain's.
    (Of::Server, ("enable_memory", Shape::Without)),
    (Of::Server, ("memory_size", Shape::Without)),
    (Of::Server, ("enable_tx", Shape::Without)),
    (Of::Server, ("enable_cache", Shape::Without)),
    (Of::Server, ("priority", Shape::Without)),
    (Of::Both, ("enabled", Shape::Without)),
];

/// Lists all keys that a model server may have.
pub(super) fn of_server() -> Vec<Spec<'static>> {
    all().map(|(_, spec)| *spec).collect()
}

/// Lists all keys that the model of this device may have.
pub(super) fn of_local() -> Vec<Spec<'static>> {
    let both = all().filter(|(of, _)| *of == Of::Both);
    both.map(|(_, spec)| *spec).collect()
}

fn all() -> impl Iterator<Item = &'static (Of, Spec<'static>)> {
    MADE_OF.iter().chain(BESIDE)
}
