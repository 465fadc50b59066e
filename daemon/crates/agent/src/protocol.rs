//! How an engine and a brain speak about tools: as text, as one constrained JSON object, natively, or not at all.
//!
//! A protocol words requests and records what came of them. It never decides anything: what a reply means is the
//! decoder's business, whatever the protocol.

mod in_language;
mod own_words;
pub(crate) mod prompts;
mod spaced;
mod step_schema;
mod widen;
mod wishes;
pub(crate) mod worked;

use std::sync::Arc;

use serde_json::{Value, json};

use crate::brain::{
    Capabilities, ChatMessage, ChatReply, ChatRequest, Finish, NativeCall, Role, ToolChoice, ToolOffer,
};
use crate::catalogue::{Catalogue, Entry};
use crate::decoder::{
    Arguments, Call, Decoded, Flaw, Names, decode, decode_follow_up, part_thought, strip_specials,
};
use crate::form::head;
use crate::record::CallRecord;
use spaced::spaced;

pub(crate) use in_language::in_language;
pub(crate) use step_schema::{
    answering as answering_schema, call as call_schema, only_answer as only_answer_schema,
    planned_call as planned_call_schema,
};
pub(crate) use wishes::after_failure;

/// A way to ask for steps.
#[derive(Debug, Clone)]
pub(crate) enum Protocol {
    /// No tools: plain chat.
    Plain,
    /// ReAct text with stop sequences.
    Text,
    /// Self-Ask text with stop sequences.
    FollowUp {
        /// The tool that is asked what no tool is named for.
        answering: Option<String>,
    },
    /// One JSON object a step, which the server enforces.
    Json {
        /// Schema of a step.
        step: Arc<Value>,
        /// Schema of a step that may only answer.
        answer: Arc<Value>,
    },
    /// The server's own tool calls.
    Native {
        /// The tools in its form.
        offers: Vec<Arc<ToolOffer>>,
    },
}

/// A reply's text that goes back to the brain is cut to this many characters.
const LONGEST_ECHO: usize = 2_000;

/// And one that the length limit cut off to this many: it mostly went astray, and would lead the brain there again.
const LONGEST_ASTRAY: usize = 300;

/// What may not be written by a brain ends its reply.
const STOPS: &[&str] = &["\nObservation:", "\n**Observation"];

/// The same for Self-Ask.
const FOLLOW_UP_STOPS: &[&str] = &["\nIntermediate answer:", "\n**Intermediate"];

impl Protocol {
    /// ReAct: constrained where the brain can be held to a schema, text where it cannot.
    pub(crate) fn react(capabilities: Capabilities, catalogue: &Catalogue) -> Self {
        if catalogue.is_empty() {
            Self::Plain
        } else if capabilities.json_schema {
            Self::Json {
                step: Arc::new(step_schema::step(catalogue)),
                answer: Arc::new(step_schema::answering()),
            }
        } else {
            Self::Text
        }
    }

    /// Native calls, for a brain that takes them.
    pub(crate) fn native(catalogue: &Catalogue) -> Self {
        if catalogue.is_empty() {
            return Self::Plain;
        }
        Self::Native {
            offers: catalogue.entries().iter().map(offer).collect(),
        }
    }

    /// The instructions for an answer in this language, with the tools where the protocol lists them itself.
    pub(crate) fn instructions(&self, catalogue: &Catalogue, lang: Option<&str>) -> String {
        match self {
            Self::Plain => prompts::PLAIN.to_owned(),
            Self::Native { .. } => prompts::NATIVE.to_owned(),
            Self::Text => prompts::with_tools(prompts::TEXT, catalogue),
            Self::FollowUp { .. } if catalogue.is_empty() => prompts::FOLLOW_UP.to_owned(),
            Self::FollowUp { .. } => prompts::with_tools(prompts::FOLLOW_UP_TOOLS, catalogue),
            Self::Json { .. } => worked::instructions(catalogue, lang),
        }
    }

    /// Understands a reply.
    pub(crate) fn decode(&self, reply: &ChatReply, names: &Names) -> Decoded {
        match self {
            Self::FollowUp { answering } => decode_follow_up(reply, names, answering.as_deref()),
            _ => decode(reply, names),
        }
    }

    /// Equips a request that may ask for tools.
    pub(crate) fn equip(&self, request: &mut ChatRequest) {
        let stops = |stops: &[&str]| stops.iter().map(|stop| (*stop).to_owned()).collect();
        match self {
            Self::Plain => {}
            Self::Text => request.stop = stops(STOPS),
            Self::FollowUp { answering: None } => {}
            Self::FollowUp { .. } => request.stop = stops(FOLLOW_UP_STOPS),
            Self::Json { step, .. } => request.response_schema = Some(Arc::clone(step)),
            Self::Native { offers } => request.tools.clone_from(offers),
        }
    }

    /// Equips a request that has to be answered in words: tools are withheld.
    pub(crate) fn equip_for_answer(&self, request: &mut ChatRequest) {
        request.tool_choice = ToolChoice::None;
        match self {
            Self::Plain | Self::Native { .. } => {}
            Self::Text | Self::FollowUp { .. } => self.equip(request),
            Self::Json { answer, .. } => request.response_schema = Some(Arc::clone(answer)),
        }
    }

    /// The brain's own message with the calls that were taken from it, as the conversation keeps it.
    pub(crate) fn calling_message(
        &self,
        reply: &ChatReply,
        thought: &str,
        calls: &[(String, Call)],
    ) -> ChatMessage {
        let thought = head(thought, LONGEST_ECHO);
        match self {
            Self::Native { .. } => native_message(reply, calls),
            Self::Json { .. } => match calls {
                [
                    (
                        _,
                        Call {
                            tool,
                            arguments: Arguments::Named(arguments),
                            ..
                        },
                    ),
                ] => ChatMessage::assistant(spaced(
                    &json!({"thought": thought, "tool": tool, "arguments": arguments}),
                )),
                _ => echo(reply),
            },
            Self::Plain | Self::Text | Self::FollowUp { .. } => match calls {
                [
                    (
                        _,
                        Call {
                            tool,
                            arguments: Arguments::Named(arguments),
                            ..
                        },
                    ),
                ] => {
                    let arguments = serde_json::to_string(arguments).unwrap_or_default();
                    let (why, name, input) = self.labels();
                    let thought = if thought.is_empty() {
                        [""; 4]
                    } else {
                        [why, ": ", thought, "\n"]
                    };
                    let call = [name, ": ", tool, "\n", input, ": ", &arguments];
                    ChatMessage::assistant([thought.concat(), call.concat()].concat())
                }
                _ => echo(reply),
            },
        }
    }

    /// What the text protocol calls the reason, the name and the arguments of a call.
    fn labels(&self) -> (&'static str, &'static str, &'static str) {
        match self {
            Self::FollowUp { .. } => ("Follow up", "Tool", "Tool Input"),
            _ => ("Thought", "Action", "Action Input"),
        }
    }

    /// What came of the calls, one observation each.
    pub(crate) fn observations(&self, records: &[CallRecord]) -> Vec<ChatMessage> {
        match self {
            Self::Native { .. } => records
                .iter()
                .map(|record| ChatMessage {
                    tool_call_id: Some(record.call_id.clone()),
                    name: Some(record.tool.clone()),
                    ..ChatMessage::new(Role::Tool, &*record.observation)
                })
                .collect(),
            _ => match records {
                [one] => {
                    let label = match self {
                        Self::FollowUp { .. } => "Intermediate answer",
                        _ => "Observation",
                    };
                    vec![ChatMessage::user([label, ": ", &one.observation].concat())]
                }
                several => {
                    let line = |(index, record): (usize, &CallRecord)| {
                        format!(
                            "Observation {} of {}: {}",
                            index + 1,
                            record.tool,
                            record.observation
                        )
                    };
                    vec![ChatMessage::user(
                        several
                            .iter()
                            .enumerate()
                            .map(line)
                            .collect::<Vec<_>>()
                            .join("\n"),
                    )]
                }
            },
        }
    }

    /// A reply that could not be used, as the conversation keeps it; nothing when there is nothing to keep.
    pub(crate) fn rejected_message(reply: &ChatReply) -> Option<ChatMessage> {
        let mut message = echo(reply);
        if reply.finish == Finish::Length {
            let kept = head(&message.content, LONGEST_ASTRAY).len();
            message.content.truncate(kept);
        }
        Some(message).filter(|message| !message.content.is_empty())
    }

    /// Asks the brain to mend a reply.
    pub(crate) fn mend(&self, flaw: &Flaw) -> String {
        let shape = match self {
            Self::Plain => "Answer in plain words.",
            Self::Native { .. } => "Call a tool, or answer in plain words.",
            Self::Text => prompts::MEND_TEXT,
            Self::FollowUp { .. } => prompts::MEND_FOLLOW_UP,
            Self::Json { .. } => prompts::MEND_JSON,
        };
        mending(flaw, shape)
    }

    /// Asks the brain to answer now.
    pub(crate) fn conclude(&self) -> &'static str {
        match self {
            Self::Plain | Self::Native { .. } => prompts::CONCLUDE,
            Self::Text => prompts::CONCLUDE_TEXT,
            Self::FollowUp { .. } => prompts::CONCLUDE_FOLLOW_UP,
            Self::Json { .. } => prompts::CONCLUDE_JSON,
        }
    }
}

/// Asks for a reply of this shape instead of a flawed one.
pub(crate) fn mending(flaw: &Flaw, shape: &str) -> String {
    let brief = if *flaw == Flaw::CutOff {
        " Be much shorter."
    } else {
        ""
    };
    format!("That cannot be used: {flaw}. {shape}{brief}")
}

/// A tool as a brain with native calls is told of it.
fn offer(entry: &Arc<Entry>) -> Arc<ToolOffer> {
    Arc::clone(&entry.offer)
}

/// The reply's text without reasoning, template tokens and invented observations, cut to a bounded length.
pub(crate) fn echo(reply: &ChatReply) -> ChatMessage {
    let parted = part_thought(&reply.content);
    let text = strip_specials(&parted.text);
    let text = text.split("\nObservation").next().unwrap_or_default();
    ChatMessage::assistant(text.chars().take(LONGEST_ECHO).collect::<String>())
}

/// Arguments that could not be read are left out: a server may refuse a history with broken JSON in it, and the
/// observation says what was wrong.
fn native_message(reply: &ChatReply, calls: &[(String, Call)]) -> ChatMessage {
    let native = |(id, call): &(String, Call)| NativeCall {
        id: id.clone(),
        name: call.tool.clone(),
        arguments: match &call.arguments {
            Arguments::Named(arguments) => serde_json::to_string(arguments).unwrap_or_default(),
            _ => "{}".to_owned(),
        },
    };
    let content = if reply.tool_calls.is_empty() {
        String::new()
    } else {
        echo(reply).content
    };
    ChatMessage {
        tool_calls: calls.iter().map(native).collect(),
        ..ChatMessage::assistant(content)
    }
}
