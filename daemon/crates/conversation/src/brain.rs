//! The port through which a turn talks to a chat model.
//!
//! `loquat-brain` implements it over HTTP; tests script it. A turn never learns which server answers, and nothing
//! here knows a server's JSON.
//!
//! A turn sees one brain. Each [`BrainWrapper`] around it adds one thing, and hands a request on from top to bottom:
//!
//! ```text
//! turn
//!  ├ Successor         a turn that is gone on with asks by the name of the brain that began it
//!  ├ WrittenBrain      writes or replays the reply
//!  ├ FollowedBrain     a worker thinks; where none does:
//!  ├ QueuedBrain       waits for a free line
//!  ├ Ladder            asks the first brain that works
//!  ▼
//! OpenAiBrain          a server
//! LocalBrain           our worker, as a server
//! ```
//!
//! On a worker (`loquat worker`) a `TellingBrain` stands around the worker's brain, so that the device hears its words.

use std::fmt;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use futures_util::future::BoxFuture;
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use loquat_decoder::{ChatReply, Finish, NativeCall, Usage};

/// The speaker of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// It holds instructions of ours or of the persona.
    System,
    /// The person, or an observation where the protocol has no role for tools.
    User,
    /// The brain said it.
    Assistant,
    /// The outcome of a native tool call.
    Tool,
}

/// A message of the conversation as the brain is shown it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ChatMessage {
    /// It was said in this role.
    pub role: Role,
    /// The text. It is empty when an assistant only called tools.
    pub content: String,
    /// Native calls that an assistant message asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tool_calls: Vec<NativeCall>,
    /// The call that a message of role [`Role::Tool`] answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool_call_id: Option<String>,
    /// The tool that a message of role [`Role::Tool`] comes from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// It was written by a turn that had taken in what strangers wrote. No brain is told.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub foreign: bool,
}

impl ChatMessage {
    /// Marks the message as holding words of strangers, or not.
    #[must_use]
    pub fn with_foreign_text(self, foreign: bool) -> Self {
        Self { foreign, ..self }
    }

    /// A plain message without calls.
    pub fn new(role: Role, content: impl Into<String>) -> Self {
        Self {
            role,
            content: content.into(),
            tool_calls: Vec::new(),
            tool_call_id: None,
            name: None,
            foreign: false,
        }
    }

    /// Instructions.
    pub fn system(content: impl Into<String>) -> Self {
        Self::new(Role::System, content)
    }

    /// The person's words, or an observation of a text protocol.
    pub fn user(content: impl Into<String>) -> Self {
        Self::new(Role::User, content)
    }

    /// The brain's words.
    pub fn assistant(content: impl Into<String>) -> Self {
        Self::new(Role::Assistant, content)
    }
}

/// A tool as a brain with native tools is told of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolOffer {
    /// The name to call it by.
    pub name: String,
    /// Tells the model what the tool does.
    pub description: String,
    /// They are the JSON Schema of its arguments.
    pub parameters: Value,
}

/// Says whether the brain may, must or must not call a tool.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ToolChoice {
    /// The model decides.
    #[default]
    Auto,
    /// The model has to answer in words.
    None,
}

/// What is asked, before it is known which brain answers.
///
/// It becomes a request for each brain that is asked: a server is offered native calls, the model on the device is held
/// to a schema.
pub struct Asking<'p> {
    request: Box<dyn Fn(Capabilities) -> ChatRequest + Send + Sync + 'p>,
    /// The request for the brain that was asked first, which is mostly the only one.
    first: OnceLock<(Capabilities, Arc<ChatRequest>)>,
}

impl<'p> Asking<'p> {
    /// Takes what makes the request for a brain's capabilities. It has to make the same request of the same
    /// capabilities.
    pub fn new(request: impl Fn(Capabilities) -> ChatRequest + Send + Sync + 'p) -> Self {
        Self {
            request: Box::new(request),
            first: OnceLock::new(),
        }
    }

    /// This request, whichever brain is asked.
    pub fn of(request: ChatRequest) -> Self {
        Self::new(move |_| request.clone())
    }

    /// The request for a brain that can do this.
    pub fn for_brain(&self, capabilities: Capabilities) -> Arc<ChatRequest> {
        let made = || Arc::new((self.request)(capabilities));
        let (known, first) = self.first.get_or_init(|| (capabilities, made()));
        if *known == capabilities {
            Arc::clone(first)
        } else {
            made()
        }
    }
}

impl fmt::Debug for Asking<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Asking").finish_non_exhaustive()
    }
}

/// A request to a brain.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ChatRequest {
    /// The conversation, oldest first. System messages are instructions and are always delivered.
    pub messages: Vec<Arc<ChatMessage>>,
    /// The native tools; empty where a text protocol is used or tools are withheld.
    pub tools: Vec<Arc<ToolOffer>>,
    /// Says whether a tool may be called; without effect when `tools` is empty.
    pub tool_choice: ToolChoice,
    /// JSON Schema the reply has to satisfy. Only set for a brain whose [`Capabilities::json_schema`] is true.
    pub response_schema: Option<Arc<Value>>,
    /// The probable beginning of the reply, for a brain that reads it sooner than it writes it. It says nothing about
    /// what is wanted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub guess: Option<String>,
    /// A word of the reply that is not judged by its likelihood alone. Only set for a brain whose [`Capabilities::favours`] is true.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub favour: Option<Favour>,
    /// Texts at which generation stops, where the server takes them.
    pub stop: Vec<String>,
    /// It overrides the brain's own settings for this request.
    pub sampling: Sampling,
}

/// A word that is drawn as if it were likelier, or less likely, than the model finds it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Favour {
    /// The word, of which the first token counts.
    pub word: String,
    /// This is added to the logarithm of its odds.
    pub by: f32,
}

/// Says how the next token is drawn. An absent field leaves the brain's own setting.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Sampling {
    /// 0.0 is greedy.
    pub temperature: Option<f32>,
    /// It is nucleus sampling, from 0.0 to 1.0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub top_p: Option<f32>,
    /// The reply has at most this many tokens.
    pub max_tokens: Option<u32>,
}

impl Sampling {
    /// Takes a wish for all that is not set. Of two bounds the smaller one counts.
    #[must_use]
    pub fn or(self, wish: Self) -> Self {
        Self {
            temperature: self.temperature.or(wish.temperature),
            top_p: self.top_p.or(wish.top_p),
            max_tokens: match (self.max_tokens, wish.max_tokens) {
                (Some(own), Some(wished)) => Some(own.min(wished)),
                (own, wished) => own.or(wished),
            },
        }
    }

    /// Tells whether nothing is set.
    pub fn is_usual(&self) -> bool {
        *self == Self::default()
    }
}

/// Says what a brain can be asked for beyond plain chat.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is something of its own that a brain can do or not"
)]
pub struct Capabilities {
    /// Takes `tools` and answers with native calls.
    pub native_tools: bool,
    /// The brain can be held to a JSON Schema.
    pub json_schema: bool,
    /// Is a model of so few parameters, some four billion or less, that it loses the thread in a long conversation.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub small: bool,
    /// Chooses a tool as well when it writes no thought before, and sooner.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub acts_at_once: bool,
    /// Draws a word as if it were likelier than it finds it, see [`Favour`].
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub favours: bool,
    /// Its window in tokens; absent where that is not known.
    pub context_tokens: Option<u32>,
}

/// A piece of a reply while it is being written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Delta {
    /// [`ChatReply::content`] goes on with this.
    Content(String),
    /// [`ChatReply::reasoning`] goes on with this.
    Reasoning(String),
    /// What was streamed so far is void: the call is being made again, perhaps by another brain.
    Restart,
}

/// Hears a reply while it is being written. Must not block.
pub trait DeltaSink: Send + Sync {
    /// Takes the next piece.
    fn delta(&self, delta: Delta);
}

/// Ignores what is streamed.
impl DeltaSink for () {
    fn delta(&self, _: Delta) {}
}

/// Says which wait ran out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WaitPhase {
    /// The wait for the connection.
    Connect,
    /// The wait for the first token.
    FirstToken,
    /// The wait between two tokens.
    NextToken,
    /// The wait for the whole reply.
    Whole,
}

impl fmt::Display for WaitPhase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Connect => "a connection",
            Self::FirstToken => "the first token",
            Self::NextToken => "the next token",
            Self::Whole => "the whole reply",
        })
    }
}

/// Says why a brain gave no reply, after the client's own retries. Texts never hold prompts, replies or keys.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(tag = "error", rename_all = "snake_case")]
#[non_exhaustive]
pub enum BrainError {
    /// No server listens at the address.
    #[error("reach the brain at {address}: {reason}")]
    Unreachable {
        /// The address at which it was looked for.
        address: String,
        /// The operating system says this.
        reason: String,
    },
    /// The brain took too long.
    #[error("get {phase} from the brain at {address} within {limit:?}")]
    TimedOut {
        /// The address that was asked.
        address: String,
        /// Says which wait ran out.
        phase: WaitPhase,
        /// The limit of the wait.
        limit: Duration,
    },
    /// The brain is busy and says so (429 or 503 with Retry-After).
    #[error("be served by the brain at {address}: it is overloaded (HTTP {status})")]
    Overloaded {
        /// The address that was asked.
        address: String,
        /// The server answered with this status.
        status: u16,
        /// The server asks us to wait this long; absent where it does not say.
        retry_after: Option<Duration>,
    },
    /// The brain itself failed (5xx). Asking again may help.
    #[error("be served by the brain at {address}: it failed with HTTP {status}: {message}")]
    Faulty {
        /// The address that was asked.
        address: String,
        /// The server answered with this status.
        status: u16,
        /// The server says this, shortened.
        message: String,
    },
    /// The brain refused the request. Asking again would not help.
    #[error("be served by the brain at {address}: HTTP {status}: {message}")]
    Refused {
        /// The address that was asked.
        address: String,
        /// The server answered with this status.
        status: u16,
        /// The server says this, shortened.
        message: String,
    },
    /// The conversation is longer than the model's window.
    #[error("fit the conversation into the context of the brain at {address}")]
    ContextTooLong {
        /// The address that was asked.
        address: String,
    },
    /// The reply made no sense.
    #[error("understand the reply of the brain at {address}: {reason}")]
    Garbled {
        /// The address that was asked.
        address: String,
        /// Says what was wrong with it.
        reason: String,
    },
    /// The reply ended in the middle.
    #[error("hear the brain at {address} out: its reply was cut off")]
    CutOff {
        /// The address that was asked.
        address: String,
    },
    /// The reply grew past the cap.
    #[error("take in the reply of the brain at {address}: more than {limit_bytes} bytes")]
    TooLarge {
        /// The address that was asked.
        address: String,
        /// The cap that was hit.
        limit_bytes: usize,
    },
    /// The local model cannot be started; the reason holds the mend.
    #[error("start the local brain: {reason}")]
    NotStarted {
        /// Says what is missing or broken, and what to do.
        reason: String,
    },
}

impl BrainError {
    /// Tells whether the same request may well succeed a little later.
    pub fn is_transient(&self) -> bool {
        !matches!(
            self,
            Self::Refused { .. }
                | Self::ContextTooLong { .. }
                | Self::TooLarge { .. }
                | Self::NotStarted { .. }
        )
    }
}

/// A chat model.
pub trait Brain: Send + Sync + fmt::Debug {
    /// The name in logs and events, for example `loquat-local-brain (qwen2.5-coder-0.5b)`.
    fn name(&self) -> &str;

    /// Says what the brain can be asked for.
    fn capabilities(&self) -> Capabilities;

    /// Asks once, with the request that the prompt is for this brain, and hears the reply out; `sink` hears it as it is
    /// written. A brain that asks others hands the prompt on.
    ///
    /// Dropping the future closes the request at once. Retries of transient faults are the implementation's; each
    /// retry after something was streamed begins with [`Delta::Restart`].
    fn ask<'a>(
        &'a self,
        asking: &'a Asking<'_>,
        sink: &'a dyn DeltaSink,
    ) -> BoxFuture<'a, Result<ChatReply, BrainError>>;

    /// Asks with this request, whichever brain replies. Otherwise as [`ask`](Self::ask).
    fn chat<'a>(
        &'a self,
        request: &'a ChatRequest,
        sink: &'a dyn DeltaSink,
    ) -> BoxFuture<'a, Result<ChatReply, BrainError>> {
        Box::pin(async move { self.ask(&Asking::of(request.clone()), sink).await })
    }

    /// Prepares for a conversation that begins like `request`, if that makes its first reply faster and costs no caller
    /// money, and says how long that took. A brain elsewhere does nothing.
    fn warm<'a>(&'a self, _request: &'a ChatRequest) -> BoxFuture<'a, Result<Option<Duration>, BrainError>> {
        Box::pin(std::future::ready(Ok(None)))
    }
}

/// A brain around another one. It does what the other does, wherever it says nothing else.
pub trait BrainWrapper: Send + Sync + fmt::Debug {
    /// Gives the brain that it stands around.
    fn inner(&self) -> &dyn Brain;

    /// See [`Brain::name`].
    fn name(&self) -> &str {
        self.inner().name()
    }

    /// See [`Brain::capabilities`].
    fn capabilities(&self) -> Capabilities {
        self.inner().capabilities()
    }

    /// See [`Brain::ask`].
    fn ask<'a>(
        &'a self,
        asking: &'a Asking<'_>,
        sink: &'a dyn DeltaSink,
    ) -> BoxFuture<'a, Result<ChatReply, BrainError>> {
        self.inner().ask(asking, sink)
    }
}

impl<W: BrainWrapper> Brain for W {
    fn name(&self) -> &str {
        BrainWrapper::name(self)
    }

    fn capabilities(&self) -> Capabilities {
        BrainWrapper::capabilities(self)
    }

    fn ask<'a>(
        &'a self,
        asking: &'a Asking<'_>,
        sink: &'a dyn DeltaSink,
    ) -> BoxFuture<'a, Result<ChatReply, BrainError>> {
        BrainWrapper::ask(self, asking, sink)
    }

    fn warm<'a>(&'a self, request: &'a ChatRequest) -> BoxFuture<'a, Result<Option<Duration>, BrainError>> {
        self.inner().warm(request)
    }
}
