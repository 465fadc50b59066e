//! The one descriptor that says all about a tool.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Undo;

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
    /// It never asks.
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
    /// It is always of type object.
    pub argument_schema: Value,
    /// It is always of type object.
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
    /// Another program declared it: nothing here knows for which sentences it is meant.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_strangers: bool,
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
    /// change something. See [`Resolved`](super::Resolved).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resolved_by: Option<String>,
    /// A worked call, for brains that learn from one.
    #[serde(default)]
    pub example: Option<Example>,
    /// What people may say for it without naming what it does, for brains that are shown very many tools.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<Hint>,
}

/// Words that a call of a tool answers, and that call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Hint {
    /// A person says this.
    pub said: String,
    /// Says why the tool is called, in a few words and without the tool's name.
    pub thought: String,
    /// The arguments of the call.
    pub arguments: Value,
}

impl Hint {
    /// These words, why they mean the tool, and with which arguments.
    pub fn new(said: &str, thought: &str, arguments: Value) -> Self {
        Self {
            said: said.to_owned(),
            thought: thought.to_owned(),
            arguments,
        }
    }
}

/// A question that one call of a tool answers, from the person's words to the answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Example {
    /// A person asks this.
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
            is_strangers: false,
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
            hint: None,
        }
    }

    /// Tells whether a person has to say yes before any call of it.
    pub fn is_guarded(&self) -> bool {
        self.category == Category::Dangerous || self.confirm != Confirm::Never
    }

    /// Tells whether its result is the answer of the turn.
    pub fn is_final(&self) -> bool {
        self.may_end_turn || self.category == Category::Terminal
    }

    /// Tells whether it reads this device, changes nothing and asks no server.
    pub fn reads_here(&self) -> bool {
        self.read_only && !self.sends && !self.calculates && self.reaches.is_none()
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
            is_strangers: true,
            confirm: Confirm::Ask,
            ..Self::safe(toolbox_id, name, description)
        }
    }
}
