//! The port through which a turn uses tools, and the one descriptor that says all about a tool.
//!
//! `loquat-skills` implements it in process, `loquat` over the bus. Nothing here runs a tool on its own account: the
//! hands do, after the gate.
//!
//! A turn sees a list of toolboxes. Each [`ToolboxWrapper`] around one adds one thing, and hands a call on from top to
//! bottom:
//!
//! ```text
//! turn: catalogue ─▶ gate ─▶ hands
//!  ├ Namesake *          another name for a tool whose name is taken
//!  ├ WrittenToolbox      writes or replays the result; no wrapper, since what it stands around may come later
//!  ├ WitnessedToolbox *  tells a worker what came of the call
//!  ├ AskingToolbox *     lets the tool ask the owner
//!  ├ BackgroundToolbox * begins calls that go on
//!  ├ SetApart *          tools of strangers' SKILL.md files, renamed
//!  ├ Cautious *          asks more often, as the persona wants
//!  ├ PermittedToolbox *  closed until the owner opens the service
//!  ▼
//! FunctionToolbox (ours), Server (MCP), RemoteToolbox (bus), SkillToolbox (skills on the bus, or SKILL.md),
//! Delegates (personas)
//!
//! * where it is needed
//! ```
//!
//! The journal is nearly outermost, so that a replay needs none of what is below it: `loquat replay` runs a turn again from
//! its entries alone, and a daemon that has crashed goes on with it. On a worker (`loquat worker`) a `DeviceToolbox` asks
//! the device what came of each call.

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

/// Says how much harm a call can do, and what it does to the turn.
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

/// Says whether the person is asked before the call.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Confirm {
    /// Never.
    #[default]
    Never,
    /// The person is asked aloud.
    Ask,
    /// The person is asked aloud, and for the PIN.
    Pin,
}

/// Says for whom a result may be used again.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CacheScope {
    /// It may be used again in the same turn.
    Turn,
    /// It may be used again in the same conversation.
    #[default]
    Session,
    /// It may be used again in all sessions: the result depends on none.
    Device,
}

/// Everything there is to know about a tool.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each says something of its own about a tool, and all of them can be true"
)]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Tool {
    /// The name, which is unique within its toolbox.
    pub name: String,
    /// Tells the brain what the tool does and when to use it.
    pub description: String,
    /// The JSON Schema of the arguments, always of type object.
    pub argument_schema: Value,
    /// The JSON Schema of the result, always of type object.
    pub output_schema: Value,
    /// The toolbox that holds it.
    pub toolbox_id: String,
    /// Says how much harm it can do, and whether it ends the turn.
    pub category: Category,
    /// Changes nothing; may run beside other read-only calls.
    pub read_only: bool,
    /// Running it twice does what running it once does.
    pub idempotent: bool,
    /// An equal call may be answered from the cache for this long; zero is never.
    pub cacheable: Duration,
    /// Says for whom it may be answered from the cache.
    pub cache_scope: CacheScope,
    /// A call is given up after this time.
    pub timeout: Duration,
    /// A failed call is made again this often; only for idempotent tools.
    pub retry: u32,
    /// Says whether the person is asked first.
    pub confirm: Confirm,
    /// Says how a call of it is taken back. A brain is told of the tool that does, unless that only takes back.
    pub undo: Option<Undo>,
    /// The words of [`crate::event::Event::ToolAwaited`] when a call takes long.
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
    /// Some of its calls ask that service nothing. The owner is asked only where a call needs it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub may_stay: bool,
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
    /// The person's words.
    pub question: String,
    /// Says why the tool is called, in a few words and without the tool's name.
    pub thought: String,
    /// The arguments of the call.
    pub arguments: Value,
    /// The result of the call.
    pub result: Value,
    /// The answer that follows.
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
            may_stay: false,
            within: None,
            unasked_when_tainted: false,
            streams: false,
            only_undoes: false,
            unseen: false,
            resolved_by: None,
            example: None,
        }
    }

    /// Tells whether its result is the answer of the turn.
    pub fn is_final(&self) -> bool {
        self.may_end_turn || self.category == Category::Terminal
    }

    /// Describes a tool that another program declared. Nothing is known of it, so it is treated as dangerous.
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

/// Says for whom and under which circumstances a tool runs.
#[derive(Debug, Clone, Default)]
pub struct Circumstances {
    /// The id of the session.
    pub session_id: String,
    /// The speaker; a program for a call that came straight from the bus.
    pub speaker: Speaker,
    /// The id of the turn; empty for a call that came straight from the bus.
    pub turn_id: String,
    /// Identifies this call within the turn.
    pub call_id: String,
    /// Language of the answer, BCP-47.
    pub lang: Option<String>,
    /// The units, `metric` or `imperial`; absent where they are not known.
    pub units: Option<String>,
    /// IANA name of the person's time zone.
    pub time_zone: Option<String>,
    /// `half` (12 h) or `full` (24 h), as OVOS calls them.
    pub time_format: Option<String>,
    /// The order of a date, `MDY`, `DMY` or `YMD`; absent where it is not known.
    pub date_format: Option<String>,
    /// The keys of a frame that bring what is told to the person, where that needs any.
    pub route: Map<String, Value>,
    /// The dialog in which the result is to be told; without one, the tool's own.
    pub dialog: Option<String>,
    /// The sentence of others that tells the result where the tool has no words in the language.
    pub phrasing: Option<Phrasing>,
    /// The fields that the previous tool handed on. They are never shown to a brain.
    pub extras: Map<String, Value>,
    /// Takes what the tool tells while it works.
    pub pieces: Pieces,
    /// Takes in a few words how far the call is; no part of its result.
    pub progress: Pieces,
    /// The person who can be asked in the middle of the call. The daemon sets it for toolboxes that do.
    pub person: Reachable,
    /// The name of the persona that answers, where it asks nothing outside of the device.
    pub offline: Option<String>,
    /// The limits that the turn has left, for a tool that thinks itself; absent for a call that came straight from
    /// the bus.
    pub left: Option<Left>,
    /// Says whether the turn has taken in what strangers wrote, so that the arguments may be theirs; those of a call
    /// that a sentence asked for are the person's own words whatever was read before.
    pub is_tainted: bool,
    /// Says whether the person has said yes to this very call. Nothing but the turn that asked sets it.
    pub is_consented: bool,
    /// Cancelled when the turn stops; the tool has to end promptly.
    pub cancel: CancellationToken,
}

/// Says what is left of the limits of a turn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Left {
    /// The wall clock time that is left.
    pub time: Duration,
    /// The tokens that are left; absent where they are not limited.
    pub tokens: Option<u64>,
    /// Cost in the currency of the brain's prices, where it is limited.
    pub cost: Option<f64>,
}

/// The meaning of a call: the result of the tool that resolves it ([`Tool::resolved_by`]), which is called with
/// `tool` and `arguments`. What is run then is this and nothing else.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Resolved {
    /// The arguments with which the tool is called.
    pub arguments: Map<String, Value>,
    /// Says whether the person has to say yes first.
    pub asks: bool,
    /// The arguments of which the person is told when they are asked.
    pub told: Map<String, Value>,
}

/// The outcome of a call.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// Satisfies the tool's output schema.
    pub result: Map<String, Value>,
    /// The result is the answer: say this and end the turn.
    pub answer: Option<String>,
    /// A sentence in the person's language that tells the whole result; absent where the tool has no words for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spoken: Option<String>,
    /// Handed to the next tool only, never shown to a brain.
    pub extras: Map<String, Value>,
    /// The arguments of the tool that takes this call back, where the call and its result do not say them. They are
    /// never shown to a brain.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub undo: Map<String, Value>,
    /// The tokens that brains were asked for it. They count against the turn's limits.
    #[serde(default, skip_serializing_if = "Usage::is_nothing")]
    pub usage: Usage,
    /// Says whether it holds words of strangers, where the tool itself is none.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_foreign: bool,
    /// Names that others have given to things which are told in it. The turn judges whether they are names and
    /// nothing else.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<String>,
    /// The things that the call may have meant, where the person is asked which one it is. Nothing was done then.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<String>,
    /// Instructions that the brain is to follow. What it answers then is the result.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instructions: Option<Instructions>,
}

impl Outcome {
    /// Gives what there is to say of it: the tool's own words, or the one value that its result is.
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
        /// Says what is wrong, naming the field and the rule where there is one.
        message: String,
        /// Names that others have given to things which it names; see [`Outcome::names`].
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
    /// Makes a complaint for the brain.
    pub fn reply(class: impl Into<String>, message: impl Into<String>) -> Self {
        Self::Reply {
            class: class.into(),
            message: message.into(),
            names: Vec::new(),
        }
    }

    /// Adds names that others have given to things which it names.
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

    /// Is the error of a call that was on its way when the way was lost.
    pub fn unsure(tool: &str) -> Self {
        Self::reply(
            "ConnectionError",
            format!("the bus was lost during the call of '{tool}', and it is not known whether it was done"),
        )
    }

    /// Is the error of a call that ran when the device stopped.
    pub fn interrupted() -> Self {
        Self::reply(
            "InterruptedError",
            "the device stopped while this ran; it may have taken effect and was not run again",
        )
    }

    /// Is the error of a call that was not made, since an effect that cannot be recorded must not happen.
    pub fn unwritten() -> Self {
        Self::reply(
            "JournalError",
            "this cannot be written down at the moment, so it was not run; nothing was changed",
        )
    }

    /// Is the error of a toolbox that was asked and kept silent.
    pub fn unanswered(toolbox_id: &str, tool: &str) -> Self {
        Self::reply(
            "TimeoutError",
            format!("toolbox '{toolbox_id}' did not answer the call of '{tool}'"),
        )
    }
}

/// A set of tools.
pub trait Toolbox: Send + Sync + fmt::Debug {
    /// The id. It is stable over restarts, without `:` and `.`, and unique on the bus.
    fn id(&self) -> &str;

    /// The tools it holds now: the same list as long as they are the same, so that turns share it.
    fn tools(&self) -> Arc<[Tool]>;

    /// A call may take this long beside the tool's own time limit, which then holds inside of it.
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

/// A toolbox around another one. It does what the other does, wherever it says nothing else.
pub trait ToolboxWrapper: Send + Sync + fmt::Debug {
    /// Gives the toolbox that it stands around.
    fn inner(&self) -> &dyn Toolbox;

    /// See [`Toolbox::tools`].
    fn tools(&self) -> Arc<[Tool]> {
        self.inner().tools()
    }

    /// See [`Toolbox::overhead`].
    fn overhead(&self) -> Duration {
        self.inner().overhead()
    }

    /// See [`Toolbox::call`].
    fn call<'a>(
        &'a self,
        name: &'a str,
        arguments: Map<String, Value>,
        circumstances: &'a Circumstances,
    ) -> BoxFuture<'a, Result<Outcome, ToolError>> {
        self.inner().call(name, arguments, circumstances)
    }

    /// See [`Toolbox::decline`].
    fn decline(
        &self,
        name: &str,
        arguments: &Map<String, Value>,
        circumstances: &Circumstances,
        why: &ToolError,
    ) {
        self.inner().decline(name, arguments, circumstances, why);
    }
}

impl<W: ToolboxWrapper> Toolbox for W {
    fn id(&self) -> &str {
        self.inner().id()
    }

    fn tools(&self) -> Arc<[Tool]> {
        ToolboxWrapper::tools(self)
    }

    fn overhead(&self) -> Duration {
        ToolboxWrapper::overhead(self)
    }

    fn call<'a>(
        &'a self,
        name: &'a str,
        arguments: Map<String, Value>,
        circumstances: &'a Circumstances,
    ) -> BoxFuture<'a, Result<Outcome, ToolError>> {
        ToolboxWrapper::call(self, name, arguments, circumstances)
    }

    fn decline(
        &self,
        name: &str,
        arguments: &Map<String, Value>,
        circumstances: &Circumstances,
        why: &ToolError,
    ) {
        ToolboxWrapper::decline(self, name, arguments, circumstances, why);
    }
}

/// Tells of toolboxes that come while a turn runs.
pub trait Arrivals: Send + Sync + fmt::Debug {
    /// Takes the toolboxes that have come since this was asked last. It waits for none.
    fn take(&self) -> BoxFuture<'_, Vec<Arc<dyn Toolbox>>>;
}
