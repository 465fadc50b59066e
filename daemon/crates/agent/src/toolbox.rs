//! The port through which a turn uses tools, and the one descriptor that says all about a tool.
//!
//! `loquat-skills` implements it in process, `loquat` over the bus. Nothing here runs a tool on its own account: the
//! hands do, after the gate.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use tokio_util::sync::CancellationToken;

use crate::brain::Usage;
use crate::consent::Reachable;
use crate::pieces::Pieces;
use crate::question::Phrasing;
use crate::speaker::Speaker;
use crate::undo::Undo;

/// How much harm a call can do, and what it does to the turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Category {
    /// Harmless; may run at any time.
    Safe,
    /// Its outcome ends the turn.
    Terminal,
    /// May do harm; needs a yes of the person first.
    Dangerous,
    /// Goes on after the turn; the outcome is only that it was started.
    Async,
}

/// Whether the person is asked before the call.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Confirm {
    /// Never.
    #[default]
    Never,
    /// With a spoken question.
    Ask,
    /// With a spoken question and a PIN.
    Pin,
}

/// For whom a result may be used again.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CacheScope {
    /// For the same turn.
    Turn,
    /// For the same conversation.
    #[default]
    Session,
    /// For all sessions: the result depends on none.
    Device,
}

/// Everything there is to know about a tool.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each says something of its own about a tool, and all of them can be true"
)]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Tool {
    /// Unique within its toolbox.
    pub name: String,
    /// What it does and when to use it, for the brain.
    pub description: String,
    /// JSON Schema of the arguments, always of type object.
    pub argument_schema: Value,
    /// JSON Schema of the result, always of type object.
    pub output_schema: Value,
    /// The toolbox that holds it.
    pub toolbox_id: String,
    /// Harm and ending.
    pub category: Category,
    /// Changes nothing; may run beside other read-only calls.
    pub read_only: bool,
    /// Running it twice does what running it once does.
    pub idempotent: bool,
    /// How long an equal call may be answered from the cache; zero is never.
    pub cacheable: Duration,
    /// For whom.
    pub cache_scope: CacheScope,
    /// When a call is given up.
    pub timeout: Duration,
    /// How often a failed call is made again; only for idempotent tools.
    pub retry: u32,
    /// Whether the person is asked first.
    pub confirm: Confirm,
    /// How a call of it is taken back. A brain is told of the tool that does, unless that only takes back.
    pub undo: Option<Undo>,
    /// What [`crate::event::Event::ToolAwaited`] tells when a call takes long.
    pub progress_phrase: Option<String>,
    /// Its result may be the answer.
    pub may_end_turn: bool,
    /// Its arguments are made of the numbers that the person says, and its result is the number that is asked for. A call that
    /// leaves out what was said is not run.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub calculates: bool,
    /// The member of its result that stands for all of it in a later call of the same step; without one, its only value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// Members of its result that its `spoken` tells again; a brain, which has to read each word, is shown `spoken` alone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub retold: Vec<String>,
    /// Its results, and its complaints, may hold words of people who are not known here.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub brings_foreign_text: bool,
    /// Its arguments go to a server: in a turn that has read such words it runs unasked only with words of the person, or with
    /// words that came from such a server.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub sends: bool,
    /// The service outside the device that it asks, as the owner's settings name it. The toolbox asks nothing there before the
    /// owner has allowed it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reaches: Option<String>,
    /// The tool of this toolbox whose instructions may use it; it is shown to a brain only while that follows them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub within: Option<String>,
    /// The persona has it run unasked even where the turn has read such words.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unasked_when_tainted: bool,
    /// It tells pieces of text while it works, which joined are the `text` of its result.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub streams: bool,
    /// It only serves other calls of its toolbox, which it takes back or resolves: no brain is shown it, and no program.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub only_undoes: bool,
    /// Sentences and programs call it and no brain is shown it: another tool does for a brain, and each one more misleads a
    /// small model.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unseen: bool,
    /// The tool of this toolbox that finds what a call means before a person is asked and before it runs; only for tools that
    /// change something. See [`Resolved`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resolved_by: Option<String>,
    /// A worked call, for brains that learn from one.
    #[serde(default)]
    pub example: Option<Example>,
}

/// A question that one call of a tool answers, from the person's words to the answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Example {
    /// What the person says.
    pub question: String,
    /// Why the tool is called, in a few words and without the tool's name.
    pub thought: String,
    /// The arguments of the call.
    pub arguments: Value,
    /// What the call returns.
    pub result: Value,
    /// What is said then.
    pub answer: String,
}

/// A call is given up after this long unless its tool says otherwise: a person in front of a silent device has
/// walked away by then.
pub const DEFAULT_TOOL_TIMEOUT: Duration = Duration::from_secs(15);

impl Tool {
    /// A harmless, read-only, idempotent tool with the usual limits.
    pub fn safe(
        toolbox_id: impl Into<String>,
        name: impl Into<String>,
        description: impl Into<String>,
    ) -> Self {
        Self {
            name: name.into(),
            description: description.into(),
            argument_schema: serde_json::json!({"type": "object", "properties": {}}),
            output_schema: serde_json::json!({"type": "object"}),
            toolbox_id: toolbox_id.into(),
            category: Category::Safe,
            read_only: true,
            idempotent: true,
            cacheable: Duration::ZERO,
            cache_scope: CacheScope::Session,
            timeout: DEFAULT_TOOL_TIMEOUT,
            retry: 0,
            confirm: Confirm::Never,
            undo: None,
            progress_phrase: None,
            may_end_turn: false,
            calculates: false,
            value: None,
            retold: Vec::new(),
            brings_foreign_text: false,
            sends: false,
            reaches: None,
            within: None,
            unasked_when_tainted: false,
            streams: false,
            only_undoes: false,
            unseen: false,
            resolved_by: None,
            example: None,
        }
    }

    /// Whether its result is the answer of the turn.
    pub fn is_final(&self) -> bool {
        self.may_end_turn || self.category == Category::Terminal
    }

    /// A tool that another program declared: nothing is known of it, so it is treated as dangerous.
    pub fn foreign(
        toolbox_id: impl Into<String>,
        name: impl Into<String>,
        description: impl Into<String>,
    ) -> Self {
        Self {
            category: Category::Dangerous,
            read_only: false,
            idempotent: false,
            brings_foreign_text: true,
            confirm: Confirm::Ask,
            ..Self::safe(toolbox_id, name, description)
        }
    }
}

/// For whom and under which circumstances a tool runs.
#[derive(Debug, Clone, Default)]
pub struct Circumstances {
    /// The conversation.
    pub session_id: String,
    /// Who speaks in it; a program for a call that came straight from the bus.
    pub speaker: Speaker,
    /// The turn's id; empty for a call that came straight from the bus.
    pub turn_id: String,
    /// Identifies this call within the turn.
    pub call_id: String,
    /// Language of the answer, BCP-47.
    pub lang: Option<String>,
    /// `metric` or `imperial`.
    pub units: Option<String>,
    /// IANA name of the person's time zone.
    pub time_zone: Option<String>,
    /// `half` (12 h) or `full` (24 h), as OVOS calls them.
    pub time_format: Option<String>,
    /// `MDY`, `DMY` or `YMD`.
    pub date_format: Option<String>,
    /// The keys of a frame that bring what is told to the person, where that needs any.
    pub route: Map<String, Value>,
    /// The dialog in which the result is to be told; without one, the tool's own.
    pub dialog: Option<String>,
    /// The sentence of others that tells the result where the tool has no words in the language.
    pub phrasing: Option<Phrasing>,
    /// What the previous tool handed on; never shown to a brain.
    pub extras: Map<String, Value>,
    /// Takes what the tool tells while it works.
    pub pieces: Pieces,
    /// Takes in a few words how far the call is; no part of its result.
    pub progress: Pieces,
    /// Who can be asked in the middle of the call; set by the daemon for toolboxes that do.
    pub person: Reachable,
    /// The name of the persona that answers, where it asks nothing outside of the device.
    pub offline: Option<String>,
    /// What the turn has left, for a tool that thinks itself; nothing for a call that came straight from the bus.
    pub left: Option<Left>,
    /// Whether the turn has taken in what strangers wrote, so that the arguments may be theirs; those of a call that a
    /// sentence asked for are the person's own words whatever was read before.
    pub is_tainted: bool,
    /// Whether the person has said yes to this very call. Nothing but the turn that asked sets it.
    pub is_consented: bool,
    /// Cancelled when the turn stops; the tool has to end promptly.
    pub cancel: CancellationToken,
}

/// What is left of the limits of a turn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Left {
    /// Wall clock.
    pub time: Duration,
    /// Tokens, where they are limited.
    pub tokens: Option<u64>,
    /// Cost in the currency of the brain's prices, where it is limited.
    pub cost: Option<f64>,
}

/// What a call means: the result of the tool that resolves it ([`Tool::resolved_by`]), which is called with `tool` and
/// `arguments`. What is run then is this and nothing else.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Resolved {
    /// What the tool is called with.
    pub arguments: Map<String, Value>,
    /// Whether the person has to say yes first.
    pub asks: bool,
    /// What the person is told of the call when they are asked.
    pub told: Map<String, Value>,
}

/// What a tool gives back.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// Satisfies the tool's output schema.
    pub result: Map<String, Value>,
    /// The result is the answer: say this and end the turn.
    pub answer: Option<String>,
    /// One sentence in the person's language that tells the whole result; none where the tool has no words for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spoken: Option<String>,
    /// Handed to the next tool only, never shown to a brain.
    pub extras: Map<String, Value>,
    /// What the tool that takes this call back is called with, where the call and its result do not say it; never shown to a
    /// brain.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub undo: Map<String, Value>,
    /// What brains were asked for it, which counts against the turn's limits.
    #[serde(default, skip_serializing_if = "Usage::is_nothing")]
    pub usage: Usage,
    /// Whether it holds words of strangers, where the tool itself is none.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_foreign: bool,
    /// What others have called things that are told in it. The turn judges whether these are names and nothing else.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<String>,
    /// What the call may have meant, where the person is asked which one it is; nothing was done then.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<String>,
    /// What the brain is to follow; what it answers then is the result.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instructions: Option<Instructions>,
}

impl Outcome {
    /// What there is to say of it: what the tool says itself, or the one value that its result is.
    pub fn words(&self) -> Option<String> {
        let told = self.answer.clone().or_else(|| self.spoken.clone());
        told.or_else(|| crate::hands::observation::words(&self.result))
    }
}

/// Instructions that a tool brings. A turn has its brain follow them in a turn within, with the tools of the turn.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Instructions {
    /// The task, on the first line, and how it is done.
    pub text: String,
    /// The member of the result that the answer becomes. Where no turn follows them, the tool has put them there itself.
    pub member: String,
    /// The names of the tools, or the ids of the toolboxes, that may be used meanwhile; of those that the turn has, all
    /// where nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub only: Option<Vec<String>>,
}

impl From<Map<String, Value>> for Outcome {
    fn from(result: Map<String, Value>) -> Self {
        Self {
            result,
            ..Self::default()
        }
    }
}

/// The ways a tool can fail.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(rename_all = "snake_case")]
pub enum ToolError {
    /// The brain should read this and react: a bad argument, a tool's own complaint.
    #[error("{class}: {message}")]
    Reply {
        /// Short class of the fault, for example `ValueError`, as OVOS peers show it.
        class: String,
        /// What is wrong, naming the field and the rule where there is one.
        message: String,
        /// What others have called things that are named in it; see [`Outcome::names`].
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        names: Vec<String>,
    },
    /// Going on makes no sense; the turn ends.
    #[error("{0}")]
    Fault(String),
    /// It would have left the device, where that may not be; the turn ends with this sentence.
    #[error("{0}")]
    Withheld(String),
}

impl ToolError {
    /// A complaint for the brain.
    pub fn reply(class: impl Into<String>, message: impl Into<String>) -> Self {
        Self::Reply {
            class: class.into(),
            message: message.into(),
            names: Vec::new(),
        }
    }

    /// With what others have called things that are named in it.
    #[must_use]
    pub fn naming(self, named: impl IntoIterator<Item = impl Into<String>>) -> Self {
        match self {
            Self::Reply { class, message, .. } => Self::Reply {
                class,
                message,
                names: named.into_iter().map(Into::into).collect(),
            },
            other @ (Self::Fault(_) | Self::Withheld(_)) => other,
        }
    }

    /// The tool took longer than it may.
    pub fn timed_out(limit: Duration) -> Self {
        let limit = limit.as_secs_f64();
        Self::reply(
            "TimeoutError",
            format!("the tool gave no result within {limit} seconds"),
        )
    }

    /// The tool told more pieces than are taken.
    pub fn flooded() -> Self {
        Self::reply(
            "OverflowError",
            "the tool told more text than is taken, and was ended",
        )
    }

    /// Of a call that was on its way when the way was lost.
    pub fn unsure(tool: &str) -> Self {
        Self::reply(
            "ConnectionError",
            format!("the bus was lost during the call of '{tool}', and it is not known whether it was done"),
        )
    }

    /// Of a call that ran when the device stopped.
    pub fn interrupted() -> Self {
        Self::reply(
            "InterruptedError",
            "the device stopped while this ran; it may have taken effect and was not run again",
        )
    }

    /// Of a call that was not made, since an effect that cannot be recorded must not happen.
    pub fn unwritten() -> Self {
        Self::reply(
            "JournalError",
            "this cannot be written down at the moment, so it was not run; nothing was changed",
        )
    }

    /// Of a toolbox that was asked and kept silent.
    pub fn unanswered(toolbox_id: &str, tool: &str) -> Self {
        Self::reply(
            "TimeoutError",
            format!("toolbox '{toolbox_id}' did not answer the call of '{tool}'"),
        )
    }
}

/// A set of tools.
pub trait Toolbox: Send + Sync + fmt::Debug {
    /// Stable over restarts, without `:` and `.`, unique on the bus.
    fn id(&self) -> &str;

    /// The tools it holds now: the same list as long as they are the same, so that turns share it.
    fn tools(&self) -> Arc<[Tool]>;

    /// What a call may take beside the tool's own time limit, which then holds inside of it.
    fn overhead(&self) -> Duration {
        Duration::ZERO
    }

    /// Runs a tool. The arguments have been validated against the argument schema.
    ///
    /// Dropping the future gives the call up; the implementation frees what it holds.
    fn call<'a>(
        &'a self,
        name: &'a str,
        arguments: Map<String, Value>,
        circumstances: &'a Circumstances,
    ) -> BoxFuture<'a, Result<Outcome, ToolError>>;

    /// Hears of a call that is not made after all, and what the turn is told in its place. Most need not know.
    fn decline(
        &self,
        _name: &str,
        _arguments: &Map<String, Value>,
        _circumstances: &Circumstances,
        _why: &ToolError,
    ) {
    }
}

/// Tells of toolboxes that come while a turn runs.
pub trait Arrivals: Send + Sync + fmt::Debug {
    /// Those that have come since this was asked last. Waits for none.
    fn take(&self) -> BoxFuture<'_, Vec<Arc<dyn Toolbox>>>;
}
