//! From events of turns to spans: `invoke_agent` for a turn, `chat` for a call of a brain and `execute_tool` for one of a tool.
//!
//! All names are those of OpenTelemetry's conventions, or begin with `loquat.`. A turn that never tells its end is forgotten.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use loquat_agent::event::Event;
use loquat_agent::record::Reason;
use loquat_part::events::News;
use serde_json::Value;
use uuid::Uuid;

/// Turns that may be open at once.
const MOST_TURNS: usize = 256;

/// Calls of one turn that may be open at once.
const MOST_CALLS: usize = 64;

/// A text that goes along where the settings say so has at most this many bytes.
const LONGEST: usize = 8 * 1024;

type Attributes = Vec<(&'static str, Value)>;

/// OTLP's kind of a span: whether it stays in this process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Internal,
    Client,
}

/// A turn or a call that has ended.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Span {
    pub(super) trace: u128,
    pub(super) id: u64,
    pub(super) parent: Option<u64>,
    pub(super) name: String,
    pub(super) kind: Kind,
    pub(super) began: SystemTime,
    pub(super) ended: SystemTime,
    pub(super) failed: bool,
    pub(super) attributes: Attributes,
}

/// A turn that has begun and not ended.
#[derive(Debug)]
struct Turn {
    span: Span,
    /// The spans that are still open, each by what will end it: the step of a brain or the id of a call.
    open: Vec<(Key, Span)>,
}

#[derive(Debug, PartialEq, Eq)]
enum Key {
    Step(u32),
    Call(String),
}

/// The turns that run.
#[derive(Debug)]
pub(super) struct Spans {
    content: bool,
    turns: HashMap<Arc<str>, Turn>,
    /// The turns in the order in which they began, so that the oldest gives way.
    order: VecDeque<Arc<str>>,
}

impl Spans {
    /// Begins without any; with `content`, what people said goes into the spans.
    pub(super) fn new(content: bool) -> Self {
        Self {
            content,
            turns: HashMap::new(),
            order: VecDeque::new(),
        }
    }

    /// Takes an event; what has ended with it comes back.
    pub(super) fn take(&mut self, news: &News) -> Vec<Span> {
        let now = SystemTime::now();
        if let Event::TurnStarted { utterance, engine } = &news.event {
            self.begin(news, utterance, engine, now);
            return Vec::new();
        }
        if let Event::TurnEnded {
            reason,
            answer,
            elapsed,
        } = &news.event
        {
            return self.end(&news.turn_id, *reason, answer, *elapsed, now);
        }
        let content = self.content;
        let Some(turn) = self.turns.get_mut(&news.turn_id) else {
            return Vec::new();
        };
        turn.take(&news.event, content, now).into_iter().collect()
    }

    fn begin(&mut self, news: &News, utterance: &str, engine: &str, now: SystemTime) {
        if self.order.len() >= MOST_TURNS
            && let Some(oldest) = self.order.pop_front()
        {
            self.turns.remove(&oldest);
        }
        let mut attributes: Attributes = vec![
            ("gen_ai.operation.name", "invoke_agent".into()),
            ("gen_ai.provider.name", "loquat".into()),
            ("gen_ai.agent.name", news.persona.to_string().into()),
            ("gen_ai.conversation.id", news.session_id.to_string().into()),
            ("loquat.turn.id", news.turn_id.to_string().into()),
            ("loquat.engine", engine.into()),
        ];
        if self.content {
            attributes.push(("gen_ai.input.messages", message("user", utterance)));
        }
        let span = Span {
            trace: Uuid::new_v4().as_u128(),
            id: fresh_id(),
            parent: None,
            name: format!("invoke_agent {}", news.persona),
            kind: Kind::Internal,
            began: now,
            ended: now,
            failed: false,
            attributes,
        };
        self.order.push_back(Arc::clone(&news.turn_id));
        let open = Vec::new();
        self.turns.insert(Arc::clone(&news.turn_id), Turn { span, open });
    }

    fn end(
        &mut self,
        id: &Arc<str>,
        reason: Reason,
        answer: &str,
        elapsed: Duration,
        now: SystemTime,
    ) -> Vec<Span> {
        self.order.retain(|open| open != id);
        let Some(Turn { mut span, open }) = self.turns.remove(id) else {
            return Vec::new();
        };
        span.ended = now;
        span.began = now.checked_sub(elapsed).unwrap_or(span.began);
        let reason_name = serde_json::to_value(reason).unwrap_or_default();
        span.failed = matches!(
            reason,
            Reason::LlmError | Reason::ParseError | Reason::Deadline | Reason::LoopDetected
        );
        if span.failed {
            span.attributes.push(("error.type", reason_name.clone()));
        }
        span.attributes.push(("loquat.outcome", reason_name));
        if self.content {
            let answer = message("assistant", answer);
            span.attributes.push(("gen_ai.output.messages", answer));
        }
        // What the turn's end has cut off.
        let cut = open.into_iter().map(|(_, mut call)| {
            call.ended = now;
            call.failed = true;
            call.attributes.push(("error.type", "cancelled".into()));
            call
        });
        cut.chain([span.clone()]).collect()
    }
}

impl Turn {
    fn take(&mut self, event: &Event, content: bool, now: SystemTime) -> Option<Span> {
        match event {
            Event::BrainAsked { step, brain, .. } => {
                let attributes = vec![
                    ("gen_ai.operation.name", "chat".into()),
                    ("gen_ai.provider.name", provider(brain).into()),
                    ("gen_ai.request.model", model(brain).into()),
                    ("loquat.brain", brain.as_str().into()),
                    ("loquat.step", (*step).into()),
                ];
                let span = self.child(format!("chat {}", model(brain)), Kind::Client, attributes, now);
                self.open(Key::Step(*step), span);
                None
            }
            Event::BrainReplied { step, usage, elapsed } => {
                let mut span = self.close(&Key::Step(*step), now, *elapsed)?;
                let tokens = [
                    ("gen_ai.usage.input_tokens", usage.prompt_tokens.into()),
                    ("gen_ai.usage.output_tokens", usage.completion_tokens.into()),
                ];
                span.attributes.extend(tokens);
                Some(span)
            }
            // The error may quote what a server was sent.
            Event::BrainFailed { step, .. } => {
                let mut span = self.close(&Key::Step(*step), now, Duration::ZERO)?;
                span.failed = true;
                span.attributes.push(("error.type", "_OTHER".into()));
                Some(span)
            }
            Event::ToolCalled {
                call_id,
                toolbox_id,
                tool,
                arguments,
                step,
            } => {
                let mut attributes = vec![
                    ("gen_ai.operation.name", "execute_tool".into()),
                    ("gen_ai.tool.name", tool.as_str().into()),
                    ("gen_ai.tool.type", "function".into()),
                    ("gen_ai.tool.call.id", call_id.as_str().into()),
                    ("loquat.toolbox", toolbox_id.as_str().into()),
                    ("loquat.step", (*step).into()),
                ];
                if content {
                    let arguments = Value::Object((**arguments).clone()).to_string();
                    attributes.push(("gen_ai.tool.call.arguments", bounded(&arguments).into()));
                }
                let span = self.child(format!("execute_tool {tool}"), Kind::Internal, attributes, now);
                self.open(Key::Call(call_id.clone()), span);
                None
            }
            Event::ToolReturned {
                call_id,
                ok,
                observation,
                elapsed,
                ..
            } => {
                let mut span = self.close(&Key::Call(call_id.clone()), now, *elapsed)?;
                span.failed = !ok;
                if !ok {
                    span.attributes.push(("error.type", "_OTHER".into()));
                }
                if content {
                    let result = bounded(observation).into();
                    span.attributes.push(("gen_ai.tool.call.result", result));
                }
                Some(span)
            }
            _ => None,
        }
    }

    fn child(&self, name: String, kind: Kind, attributes: Attributes, now: SystemTime) -> Span {
        Span {
            trace: self.span.trace,
            id: fresh_id(),
            parent: Some(self.span.id),
            name,
            kind,
            began: now,
            ended: now,
            failed: false,
            attributes,
        }
    }

    fn open(&mut self, key: Key, span: Span) {
        if self.open.len() < MOST_CALLS {
            self.open.push((key, span));
        }
    }

    /// Ends a span. The time that the event tells counts before our own clock.
    fn close(&mut self, key: &Key, now: SystemTime, elapsed: Duration) -> Option<Span> {
        let place = self.open.iter().position(|(open, _)| open == key)?;
        let (_, mut span) = self.open.swap_remove(place);
        span.ended = now;
        if !elapsed.is_zero() {
            span.began = now.checked_sub(elapsed).unwrap_or(span.began);
        }
        Some(span)
    }
}

fn provider(brain: &str) -> &'static str {
    if brain.starts_with("loquat-local-brain") {
        "loquat"
    } else {
        "openai_compatible"
    }
}

/// Names the model of a brain that is called `PROGRAM (MODEL)` or `MODEL at ADDRESS`; else it gives the
/// brain's name, which a persona chose.
fn model(brain: &str) -> &str {
    let in_brackets = brain.strip_suffix(')').and_then(|name| name.rsplit_once(" ("));
    let at_an_address = || brain.split_once(" at ").map(|(model, _)| model);
    in_brackets
        .map(|(_, model)| model)
        .or_else(at_an_address)
        .unwrap_or(brain)
}

fn message(role: &str, text: &str) -> Value {
    let part = serde_json::json!({"type": "text", "content": bounded(text)});
    serde_json::json!([{"role": role, "parts": [part]}])
        .to_string()
        .into()
}

fn bounded(text: &str) -> &str {
    let end = (0..=LONGEST.min(text.len()))
        .rev()
        .find(|end| text.is_char_boundary(*end));
    text.get(..end.unwrap_or(0)).unwrap_or_default()
}

/// None is zero, which stands for no span.
fn fresh_id() -> u64 {
    (Uuid::new_v4().as_u128() as u64).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_model_of_a_brain_is_named_without_its_program_and_address() {
        for (brain, expected) in [
            ("loquat-local-brain (qwen2.5-coder-0.5b)", "qwen2.5-coder-0.5b"),
            ("gpt-oss at http://127.0.0.1:8080/v1", "gpt-oss"),
            ("tiny", "tiny"),
        ] {
            assert_eq!(model(brain), expected);
        }
    }
}
