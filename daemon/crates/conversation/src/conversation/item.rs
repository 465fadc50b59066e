//! What has happened in a turn since the question, as data: an item says what it is, and is worded for the brain that is
//! asked.

use std::sync::{Arc, OnceLock};

use serde_json::{Map, Value};

use crate::brain::{ChatMessage, ChatReply, Finish, NativeCall, Role};
use crate::dialect::{
    Dialect, Manner, Reader, Speech, Words, after_failure, call_step, phase::head, prompts,
};
use crate::record::CallRecord;
use loquat_decoder::{Arguments, Call, part_thought, strip_specials};

/// A reply's text that goes back to the brain is cut to this many characters.
const LONGEST_ECHO: usize = 2_000;

/// An item that the length limit cut off is cut to this many characters: it mostly went astray, and would lead the
/// brain there again.
const LONGEST_ASTRAY: usize = 300;

/// This stands behind an item that was cut.
const CUT: &str = " … (cut, because the conversation grew too long)";

/// Something that happened in a turn.
#[derive(Debug, Clone)]
pub enum Item {
    /// The turn asked for something, or told something, in the role of the person: the only role that every brain
    /// listens to late in a conversation.
    Asked(Words),
    /// Tools came that were not there before.
    Came(String),
    /// The brain said this, and called nothing.
    Said(String),
    /// The brain asked for calls.
    Called(Calls),
    /// The calls brought this.
    Observed(Observations),
}

/// A reply with the calls that were taken from it.
#[derive(Debug, Clone)]
pub struct Calls {
    thought: String,
    echo: String,
    /// Says whether the server marked the calls.
    native: bool,
    made: Vec<Made>,
}

/// A call with its id.
#[derive(Debug, Clone)]
struct Made {
    id: String,
    tool: String,
    /// Absent where they could not be read as an object.
    arguments: Option<Map<String, Value>>,
}

/// The results of calls, and what the brain is reminded of below them.
#[derive(Debug, Clone)]
pub struct Observations {
    seen: Vec<Seen>,
    /// Says how much is left of the budget; absent while much is.
    pub advice: Option<&'static str>,
    /// The person's question, for a brain that has forgotten it by now.
    pub asked: Option<String>,
    /// Says whether nothing has brought anything so far.
    pub stuck: bool,
    /// Says how a small model mends the call that failed.
    pub mend: Option<String>,
}

#[derive(Debug, Clone)]
struct Seen {
    id: String,
    tool: String,
    observation: Arc<str>,
}

impl Item {
    /// A reply that calls nothing, as the conversation keeps it.
    pub fn said(reply: &ChatReply) -> Self {
        Self::Said(echo(reply))
    }

    /// A reply that could not be used; nothing when there is nothing to keep.
    pub fn rejected(reply: &ChatReply) -> Option<Self> {
        let mut text = echo(reply);
        if reply.finish == Finish::Length {
            text.truncate(head(&text, LONGEST_ASTRAY).len());
        }
        (!text.is_empty()).then_some(Self::Said(text))
    }

    /// A reply with calls.
    pub fn called(reply: &ChatReply, thought: &str, calls: &[(String, Call)]) -> Self {
        let made = |(id, call): &(String, Call)| Made {
            id: id.clone(),
            tool: call.tool.clone(),
            arguments: match &call.arguments {
                Arguments::Named(arguments) => Some(arguments.clone()),
                _ => None,
            },
        };
        Self::Called(Calls {
            thought: head(thought, LONGEST_ECHO).to_owned(),
            echo: echo(reply),
            native: !reply.tool_calls.is_empty(),
            made: calls.iter().map(made).collect(),
        })
    }

    /// A call that an engine made, as if the brain had made it for this reason.
    pub fn made(record: &CallRecord, thought: &str) -> Self {
        Self::Called(Calls {
            thought: thought.to_owned(),
            echo: String::new(),
            native: false,
            made: vec![Made {
                id: record.call_id.clone(),
                tool: record.tool.clone(),
                arguments: Some((*record.arguments).clone()),
            }],
        })
    }

    /// Tells whether the brain said it. A step begins with such an item, and its observations follow.
    pub(crate) fn is_brains(&self) -> bool {
        matches!(self, Self::Said(_) | Self::Called(_))
    }

    /// Cuts what is long. False when nothing was.
    pub fn shrink(&mut self, longest: usize) -> bool {
        match self {
            Self::Asked(words) => words.cut(longest, CUT),
            Self::Came(text) | Self::Said(text) => shorten(text, longest),
            Self::Called(calls) => shorten(&mut calls.echo, longest) | shorten(&mut calls.thought, longest),
            Self::Observed(observations) => observations.shrink(longest),
        }
    }

    /// The messages that this brain is shown of it.
    fn messages(&self, speech: &Speech<'_>) -> Vec<Arc<ChatMessage>> {
        let messages = match self {
            Self::Asked(words) => vec![ChatMessage::user(words.told(speech))],
            Self::Came(_) if speech.dialect == Dialect::Native => Vec::new(),
            Self::Came(text) => vec![ChatMessage::user(text.as_str())],
            Self::Said(text) => vec![ChatMessage::assistant(text.as_str())],
            Self::Called(calls) => vec![calls.message(speech)],
            Self::Observed(observations) => observations.messages(speech),
        };
        messages.into_iter().map(Arc::new).collect()
    }
}

fn shorten(text: &mut String, longest: usize) -> bool {
    let end = text.char_indices().nth(longest).map(|(at, _)| at);
    if let Some(end) = end {
        text.truncate(end);
        text.push_str(CUT);
    }
    end.is_some()
}

impl Calls {
    fn message(&self, speech: &Speech<'_>) -> ChatMessage {
        if speech.dialect == Dialect::Native {
            return self.natively();
        }
        let readable = |made: &Made| made.arguments.is_some();
        // What was written with other calls, or with arguments that could not be read, is best understood as it was.
        if !self.echo.is_empty() && !self.native && !matches!(self.made.as_slice(), [one] if readable(one)) {
            return ChatMessage::assistant(self.echo.as_str());
        }
        let thoughts = std::iter::once(self.thought.as_str()).chain(std::iter::repeat(""));
        let calls = self.made.iter().zip(thoughts);
        let calls: Vec<String> = calls
            .map(|(made, thought)| made.written(thought, speech))
            .collect();
        ChatMessage::assistant(calls.join("\n"))
    }

    /// Arguments that could not be read are left out: a server may refuse a history with broken JSON in it, and the
    /// observation says what was wrong.
    fn natively(&self) -> ChatMessage {
        let native = |made: &Made| NativeCall {
            id: made.id.clone(),
            name: made.tool.clone(),
            arguments: made.dense(),
        };
        let content = if self.native { self.echo.as_str() } else { "" };
        ChatMessage {
            tool_calls: self.made.iter().map(native).collect(),
            ..ChatMessage::assistant(content)
        }
    }
}

impl Made {
    fn written(&self, thought: &str, speech: &Speech<'_>) -> String {
        if speech.dialect == Dialect::Schema {
            let arguments = Value::Object(self.arguments.clone().unwrap_or_default());
            // What it brought did not end the turn.
            return call_step(thought, &self.tool, &arguments, speech.step_form, false);
        }
        let (why, name, input) = match speech.manner {
            Manner::FollowUps { .. } => ("Follow up", "Tool", "Tool Input"),
            _ => ("Thought", "Action", "Action Input"),
        };
        let thought = if thought.is_empty() {
            [""; 4]
        } else {
            [why, ": ", thought, "\n"]
        };
        let call = [name, ": ", &self.tool, "\n", input, ": ", &self.dense()];
        [thought.concat(), call.concat()].concat()
    }

    fn dense(&self) -> String {
        let written = self.arguments.as_ref().map(serde_json::to_string);
        written.and_then(Result::ok).unwrap_or_else(|| "{}".to_owned())
    }
}

impl Observations {
    /// Shows the results of these calls.
    pub fn new(records: &[CallRecord]) -> Self {
        let seen = |record: &CallRecord| Seen {
            id: record.call_id.clone(),
            tool: record.tool.clone(),
            observation: Arc::clone(&record.observation),
        };
        Self {
            seen: records.iter().map(seen).collect(),
            advice: None,
            asked: None,
            stuck: false,
            mend: None,
        }
    }

    fn shrink(&mut self, longest: usize) -> bool {
        let mut cut = false;
        for Seen { observation, .. } in &mut self.seen {
            let mut text = observation.to_string();
            if shorten(&mut text, longest) {
                *observation = text.into();
                cut = true;
            }
        }
        cut
    }

    fn messages(&self, speech: &Speech<'_>) -> Vec<ChatMessage> {
        let mut messages = if speech.dialect == Dialect::Native {
            self.seen.iter().map(Seen::natively).collect()
        } else {
            vec![ChatMessage::user(self.labelled(speech))]
        };
        if let Some(last) = messages.last_mut() {
            self.remind(&mut last.content, speech);
        }
        messages
    }

    fn labelled(&self, speech: &Speech<'_>) -> String {
        match self.seen.as_slice() {
            [one] => {
                let label = match (speech.manner, speech.dialect) {
                    (Manner::FollowUps { .. }, Dialect::Text) => "Intermediate answer",
                    _ => "Observation",
                };
                [label, ": ", &one.observation].concat()
            }
            several => {
                let numbered = several.iter().enumerate();
                let line = |(index, seen): (usize, &Seen)| {
                    format!("Observation {} of {}: {}", index + 1, seen.tool, seen.observation)
                };
                numbered.map(line).collect::<Vec<_>>().join("\n")
            }
        }
    }

    /// Writes what stands below the observations. A small model has forgotten the question by then, and tells of an
    /// error what it takes for an answer.
    fn remind(&self, content: &mut String, speech: &Speech<'_>) {
        let asked = self
            .asked
            .as_ref()
            .filter(|_| speech.small && speech.dialect == Dialect::Schema);
        let lines = [
            self.advice.map(str::to_owned),
            asked.map(|asked| prompts::asked(asked)),
            asked.and_then(|_| {
                self.mend
                    .clone()
                    .or_else(|| self.stuck.then(|| after_failure(speech.lang)))
            }),
        ];
        for line in lines.into_iter().flatten() {
            content.push('\n');
            content.push_str(&line);
        }
    }
}

impl Seen {
    fn natively(&self) -> ChatMessage {
        ChatMessage {
            tool_call_id: Some(self.id.clone()),
            name: Some(self.tool.clone()),
            ..ChatMessage::new(Role::Tool, &*self.observation)
        }
    }
}

/// The reply's text without reasoning, template tokens and invented observations, cut to a bounded length.
fn echo(reply: &ChatReply) -> String {
    let parted = part_thought(&reply.content);
    let text = strip_specials(&parted.text);
    let text = text.split("\nObservation").next().unwrap_or_default();
    text.chars().take(LONGEST_ECHO).collect()
}

/// An item with its messages for the brain that was asked first, which nearly always is the only one.
#[derive(Debug)]
pub(super) struct Kept {
    pub(super) item: Item,
    first: OnceLock<(Reader, Vec<Arc<ChatMessage>>)>,
}

impl Kept {
    pub(super) fn new(item: Item) -> Self {
        Self {
            item,
            first: OnceLock::new(),
        }
    }

    pub(super) fn messages(&self, speech: &Speech<'_>) -> Vec<Arc<ChatMessage>> {
        let (reader, messages) = self
            .first
            .get_or_init(|| (speech.reader(), self.item.messages(speech)));
        if *reader == speech.reader() {
            messages.clone()
        } else {
            self.item.messages(speech)
        }
    }
}
