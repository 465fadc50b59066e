//! How a brain is spoken to about tools: with native calls, with one JSON object that it is held to, or as text.
//!
//! A dialect is chosen for each brain call from the brain that is asked, so that a turn can go from a server to the model
//! on the device and be understood by both. A dialect words requests; what a reply means is the decoder's business.
//!
//! What a brain said earlier stands in later prompts as JSON, as a tool's result does, so that nothing in it reads as
//! protocol.

mod examples;
pub mod fits;
mod in_language;
pub mod phase;
pub mod prompts;
pub mod restated;
mod spaced;
mod step_schema;
pub mod talk;
mod wishes;

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::brain::Capabilities;
use crate::catalogue::Catalogue;
use loquat_decoder::Flaw;

pub(crate) use examples::call_step;
pub use in_language::{guessed_in_language, in_language};
use prompts::Prompt;
pub use spaced::spaced;
pub use step_schema::only_answer as only_answer_schema;
pub(crate) use step_schema::{
    answering as answering_schema, call as call_schema, planned_call as planned_call_schema,
};
pub(crate) use wishes::after_failure;
pub use wishes::{AFTER_FAILURE, apology};

/// A way to speak to one brain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// The server's own tool calls.
    Native,
    /// The brain writes one JSON object, which the server enforces.
    Schema,
    /// The brain writes lines with labels.
    Text,
}

impl Dialect {
    /// Finds the dialect that a persona file names.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "native" => Some(Self::Native),
            "schema" => Some(Self::Schema),
            "text" => Some(Self::Text),
            _ => None,
        }
    }
}

/// Says what a conversation consists of, which decides how it is worded in each dialect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Manner {
    /// One thing after the other is asked for: a plan, a verdict, an answer.
    Phases,
    /// The brain takes steps of thinking and acting.
    Steps {
        /// The dialect where the brain has it.
        dialect: Dialect,
        /// Says whether a call may say that its result is the whole answer. Only a schema has room for that.
        one_call: bool,
    },
    /// Follow-up questions (Self-Ask), which tools answer if there are any.
    FollowUps {
        /// Says whether there are tools.
        tools: bool,
    },
    /// The brain takes steps without any tool: plain chat.
    Chat,
}

impl Manner {
    /// The dialect for a brain that can do this.
    pub fn dialect(self, capabilities: Capabilities) -> Dialect {
        let enforced = if capabilities.json_schema {
            Dialect::Schema
        } else {
            Dialect::Text
        };
        match self {
            Self::Chat | Self::FollowUps { tools: false } => Dialect::Text,
            Self::Steps { dialect, .. } if dialect == Dialect::Text => dialect,
            Self::Steps { dialect, .. } if dialect == Dialect::Native && capabilities.native_tools => dialect,
            Self::Phases | Self::Steps { .. } | Self::FollowUps { .. } => enforced,
        }
    }

    /// Says what a step consists of, for a brain that can do this and is held to a schema. A follow-up question is
    /// the thought of its step, so it is always there.
    pub fn step_form(self, capabilities: Capabilities) -> StepForm {
        let is_step = matches!(self, Self::Steps { .. });
        StepForm {
            thinks: !(is_step && capabilities.acts_at_once),
            one_call: matches!(self, Self::Steps { one_call: true, .. }),
        }
    }
}

/// The forms of a step in our prompts begin so.
const THOUGHT_OF_FORMS: &str = r#""thought": "why", "#;

/// Says what a step holds beside its tool and the arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StepForm {
    /// It begins with a thought.
    pub(crate) thinks: bool,
    /// A call says behind the arguments whether its result is the whole answer.
    pub one_call: bool,
}

impl StepForm {
    /// A thought, and no word about the whole answer.
    pub(crate) const THOUGHTFUL: Self = Self {
        thinks: true,
        one_call: false,
    };
}

/// Says to whom a conversation is worded, and what of the conversation the words depend on.
#[derive(Debug, Clone, Copy)]
pub struct Speech<'c> {
    /// The conversation is held in this manner.
    pub manner: Manner,
    /// The dialect of the brain that is asked.
    pub dialect: Dialect,
    /// Says whether the brain is a small model, which needs to be reminded.
    pub small: bool,
    /// A step in it has this form.
    pub step_form: StepForm,
    /// Language of the answer, BCP-47.
    pub lang: Option<&'c str>,
    /// The prompts that the persona has changed, by name.
    pub prompts: &'c BTreeMap<String, String>,
    /// The person said this.
    pub utterance: &'c str,
    /// The tools that there were when the conversation began.
    pub catalogue: &'c Catalogue,
}

/// The dialect, whether the brain is small, and the form of steps.
pub(crate) type Reader = (Dialect, bool, StepForm);

impl Speech<'_> {
    /// Tells what of the brain the words depend on.
    pub(crate) fn reader(&self) -> Reader {
        (self.dialect, self.small, self.step_form)
    }

    /// The words of a prompt, as the persona has them.
    pub(crate) fn text(&self, prompt: &Prompt) -> &str {
        prompt.among(self.prompts)
    }

    /// The words of a prompt about steps, without the thought of the forms in it where steps have none.
    pub(crate) fn in_step_form(&self, prompt: &Prompt) -> Cow<'_, str> {
        let words = self.text(prompt);
        if self.step_form.thinks {
            Cow::Borrowed(words)
        } else {
            Cow::Owned(words.replace(THOUGHT_OF_FORMS, ""))
        }
    }

    /// Adds the tools behind them.
    pub(crate) fn with_tools(&self, prompt: &Prompt) -> String {
        let words = self.text(prompt);
        if self.catalogue.is_empty() {
            return words.to_owned();
        }
        format!("{words}\n\n{}", prompts::tools(self.catalogue))
    }

    /// Adds the question below the words for a small model: it has forgotten what was asked once it has read a
    /// result.
    pub(crate) fn reminding(&self, words: &Prompt) -> String {
        let words = self.text(words);
        if self.small && self.dialect == Dialect::Schema {
            format!("{words}\n{}", prompts::asked(self.utterance))
        } else {
            words.to_owned()
        }
    }
}

/// Words that are chosen when it is known who is asked.
pub type Wording = fn(&Speech<'_>) -> String;

/// Words of ours beside the conversation. They may depend on who is asked.
#[derive(Debug, Clone, Default)]
pub struct Words {
    said: String,
    prompt: Option<&'static Prompt>,
    wording: Option<Wording>,
    /// Stands at the end.
    last: &'static str,
}

impl Words {
    /// No words, where the conversation as it is asks.
    pub fn none() -> Self {
        Self::default()
    }

    /// Tells whether there are no words.
    pub fn is_none(&self) -> bool {
        self.said.is_empty() && self.prompt.is_none() && self.wording.is_none()
    }

    /// Adds these words in front.
    #[must_use]
    pub fn behind(mut self, said: &str) -> Self {
        self.said.insert_str(0, said);
        self
    }

    /// Asks for a reply of this shape instead of a flawed one.
    pub fn mending(flaw: &Flaw, shape: impl Into<Self>) -> Self {
        let last = if *flaw == Flaw::CutOff {
            " Be much shorter."
        } else {
            ""
        };
        Self {
            last,
            ..shape.into().behind(&format!("That cannot be used: {flaw}. "))
        }
    }

    /// Gives the words for this brain.
    pub fn told(&self, speech: &Speech<'_>) -> String {
        let prompt = self.prompt.map(|prompt| speech.text(prompt)).unwrap_or_default();
        let chosen = self.wording.map(|wording| wording(speech)).unwrap_or_default();
        [self.said.as_str(), prompt, &chosen, self.last].concat()
    }

    /// Cuts the fixed part to this many characters. False when it was no longer than that.
    pub fn cut(&mut self, longest: usize, mark: &str) -> bool {
        let end = self.said.char_indices().nth(longest).map(|(at, _)| at);
        if let Some(end) = end {
            self.said.truncate(end);
            self.said.push_str(mark);
        }
        end.is_some()
    }
}

impl From<&str> for Words {
    fn from(said: &str) -> Self {
        said.to_owned().into()
    }
}

impl From<String> for Words {
    fn from(said: String) -> Self {
        Self {
            said,
            ..Self::default()
        }
    }
}

impl From<&'static Prompt> for Words {
    fn from(prompt: &'static Prompt) -> Self {
        Self {
            prompt: Some(prompt),
            ..Self::default()
        }
    }
}

impl From<Wording> for Words {
    fn from(wording: Wording) -> Self {
        Self {
            wording: Some(wording),
            ..Self::default()
        }
    }
}
