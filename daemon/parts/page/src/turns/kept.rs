//! What is kept of a turn: its bars, each with what was sent and what came back, bounded in number and size.

use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use loquat_agent::consent::Consent;
use loquat_agent::event::Event;
use loquat_agent::record::Reason;
use tokio::time::Instant;

use super::super::excerpt::shortened;

/// Bars of a turn; what happens beyond is counted only.
const MOST_BARS: usize = 128;

/// Bytes of one text of a bar.
const LONGEST: usize = 4096;

/// Texts of one bar.
const MOST_TEXTS: usize = 12;

/// What a bar stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum Kind {
    /// The brain was asked.
    Brain,
    /// A tool was run.
    Tool,
    /// The person was asked.
    Person,
    /// Something happened at that moment.
    Note,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum Outcome {
    Running,
    Done,
    Failed,
}

/// Something with a beginning and an end.
#[derive(Debug, Clone)]
pub(in super::super) struct Bar {
    pub(in super::super) kind: Kind,
    pub(in super::super) step: u32,
    /// Finds it again: the call's id.
    key: String,
    pub(in super::super) label: String,
    /// What a brain calls a tool, which it may have made up of what was said.
    pub(in super::super) said: Option<String>,
    pub(in super::super) from: Duration,
    pub(in super::super) to: Option<Duration>,
    pub(in super::super) outcome: Outcome,
    /// Figures that say nothing of what people said.
    pub(in super::super) figures: Option<String>,
    /// What was sent and what came back, with what each is.
    pub(in super::super) texts: Vec<(&'static str, String)>,
}

/// What finds a bar of a turn again.
#[derive(Debug, Clone, Copy)]
struct Place<'a> {
    kind: Kind,
    step: u32,
    /// The call's id; empty where there is no call.
    key: &'a str,
}

impl<'a> Place<'a> {
    fn of_call(kind: Kind, step: u32, call_id: &'a str) -> Self {
        let key = call_id;
        Self { kind, step, key }
    }

    /// The place of a bar that is alone of its kind in its step.
    fn alone(kind: Kind, step: u32) -> Self {
        Self::of_call(kind, step, "")
    }
}

impl Bar {
    fn add(&mut self, what: &'static str, text: &str) -> usize {
        if text.is_empty() || self.texts.len() >= MOST_TEXTS {
            return 0;
        }
        let text = shortened(text, LONGEST);
        let bytes = text.len();
        self.texts.push((what, text));
        bytes
    }

    fn call(&mut self, tool: &str) -> usize {
        let tool = shortened(tool, 200);
        let bytes = tool.len();
        self.said = Some(tool);
        bytes
    }

    fn end(&mut self, at: Duration, is_good: bool) {
        self.to = Some(at.max(self.from));
        self.outcome = if is_good { Outcome::Done } else { Outcome::Failed };
    }
}

#[derive(Debug, Clone)]
pub(in super::super) struct KeptTurn {
    pub(in super::super) id: Arc<str>,
    pub(in super::super) session: Arc<str>,
    /// Whether a form of the page has asked for it, and not a sentence.
    pub(in super::super) is_of_form: bool,
    pub(in super::super) since: Timestamp,
    began: Instant,
    pub(in super::super) utterance: String,
    pub(in super::super) engine: String,
    pub(in super::super) bars: Vec<Bar>,
    /// Bars that are not kept.
    pub(in super::super) left_out: usize,
    pub(in super::super) answer: String,
    pub(in super::super) ended: Option<(Reason, Duration)>,
    bytes: usize,
}

impl KeptTurn {
    /// Makes one that has just begun.
    pub(in super::super) fn new(id: Arc<str>, session: Arc<str>) -> Self {
        Self {
            id,
            session,
            is_of_form: false,
            since: Timestamp::now(),
            began: Instant::now(),
            utterance: String::new(),
            engine: String::new(),
            bars: Vec::new(),
            left_out: 0,
            answer: String::new(),
            ended: None,
            bytes: 512,
        }
    }

    /// Estimates how much memory it takes.
    pub(in super::super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Measures how long it has taken so far, or took.
    pub(in super::super) fn length(&self) -> Duration {
        let last = self
            .bars
            .iter()
            .filter_map(|bar| bar.to)
            .max()
            .unwrap_or_default();
        match self.ended {
            Some((_, elapsed)) => elapsed.max(last),
            None => self.began.elapsed().max(last),
        }
    }

    /// Tells whether an event changes what is kept.
    pub(in super::super) fn minds(event: &Event) -> bool {
        !matches!(
            event,
            Event::ReplyDelta { .. }
                | Event::ReasoningDelta { .. }
                | Event::AnswerDelta { .. }
                | Event::AnswerVoided { .. }
                | Event::ToolPiece { .. }
        )
    }

    /// Takes what happened now.
    pub(in super::super) fn take(&mut self, event: &Event) {
        let now = self.began.elapsed();
        match event {
            Event::TurnStarted { utterance, engine } => {
                // A persona's next handler begins anew.
                if self.utterance.is_empty() {
                    self.utterance = shortened(utterance, LONGEST);
                    self.bytes += self.utterance.len();
                }
                self.engine = shortened(engine, 64);
            }
            Event::TurnEnded {
                reason,
                answer,
                elapsed,
            } => {
                self.answer = shortened(answer, LONGEST);
                self.bytes += self.answer.len();
                self.ended = Some((*reason, *elapsed));
                for bar in self.bars.iter_mut().filter(|bar| bar.outcome == Outcome::Running) {
                    bar.end(now, false);
                }
            }
            _ => self.take_of_brain(event, now),
        }
    }

    fn take_of_brain(&mut self, event: &Event, now: Duration) {
        match event {
            Event::BrainAsked {
                step,
                brain,
                prompt_tokens,
            } => {
                let figures = format!("about {prompt_tokens} tokens sent");
                self.begin(Place::alone(Kind::Brain, *step), brain, now, Some(figures));
            }
            Event::BrainReplied { step, elapsed, usage } => {
                let figures = format!(
                    "{} tokens read, {} written",
                    usage.prompt_tokens, usage.completion_tokens
                );
                self.change(Place::alone(Kind::Brain, *step), |bar| {
                    bar.from = bar.from.max(now.saturating_sub(*elapsed));
                    bar.figures = Some(figures);
                    bar.end(now, true);
                    0
                });
            }
            Event::BrainFailed { step, error } => self.change(Place::alone(Kind::Brain, *step), |bar| {
                bar.end(now, false);
                bar.add("Why it failed", error)
            }),
            Event::Thought { step, text } => {
                self.change(Place::alone(Kind::Brain, *step), |bar| bar.add("Thought", text));
            }
            _ => self.take_of_tool(event, now),
        }
    }

    fn take_of_tool(&mut self, event: &Event, now: Duration) {
        match event {
            Event::ToolCalled {
                step,
                call_id,
                toolbox_id,
                tool,
                arguments,
            } => {
                self.begin(
                    Place::of_call(Kind::Tool, *step, call_id),
                    &format!("{toolbox_id}/{tool}"),
                    now,
                    None,
                );
                let arguments = serde_json::to_string_pretty(&**arguments).unwrap_or_default();
                self.change(Place::of_call(Kind::Tool, *step, call_id), |bar| {
                    bar.add("Arguments", &arguments)
                });
            }
            Event::ToolAwaited {
                step,
                call_id,
                phrase: Some(phrase),
                ..
            }
            | Event::ToolProgressed {
                step,
                call_id,
                text: phrase,
                ..
            } => self.change(Place::of_call(Kind::Tool, *step, call_id), |bar| {
                bar.add("Meanwhile", phrase)
            }),
            Event::ToolReturned {
                step,
                call_id,
                tool,
                ok,
                observation,
                ..
            } => {
                if self.find(Place::of_call(Kind::Tool, *step, call_id)).is_none() {
                    self.begin(Place::of_call(Kind::Tool, *step, call_id), "Not run:", now, None);
                    self.change(Place::of_call(Kind::Tool, *step, call_id), |bar| bar.call(tool));
                }
                self.change(Place::of_call(Kind::Tool, *step, call_id), |bar| {
                    bar.end(now, *ok);
                    bar.add("Observation", observation)
                });
            }
            _ => self.take_of_person(event, now),
        }
    }

    fn take_of_person(&mut self, event: &Event, now: Duration) {
        match event {
            Event::ConsentAsked { step, call_id, tool } => {
                self.begin(
                    Place::of_call(Kind::Person, *step, call_id),
                    &format!("May {tool} run?"),
                    now,
                    None,
                );
            }
            Event::ConsentAnswered {
                step,
                call_id,
                consent,
            } => self.change(Place::of_call(Kind::Person, *step, call_id), |bar| {
                bar.end(now, *consent == Consent::Given);
                bar.figures = Some(worded(*consent).to_owned());
                0
            }),
            _ => self.take_note(event, now),
        }
    }

    fn take_note(&mut self, event: &Event, now: Duration) {
        match event {
            Event::Planned { steps } => self.note(0, "Made a plan", "Plan", &steps.join("\n"), now),
            Event::Delegated {
                persona_id, turn_id, ..
            } => {
                self.note(0, &format!("Asked {persona_id}"), "Its turn", turn_id, now);
            }
            Event::ContextCompacted { step, .. } => {
                self.note(*step, "Made the conversation shorter", "", "", now);
            }
            Event::Tainted { by } => {
                self.note(0, &format!("Strangers' words came in by {by}"), "", "", now);
            }
            Event::CallDropped { step, tool, why } => {
                self.note(*step, "Did not run", "Why", why, now);
                self.change(Place::alone(Kind::Note, *step), |bar| bar.call(tool));
            }
            Event::ReplyRejected { step, why, .. } => {
                self.note(*step, "Could not use the reply", "Why", why, now);
            }
            Event::ReplyRestarted { step } => self.note(*step, "Asked the brain again", "", "", now),
            _ => {}
        }
    }

    fn begin(
        &mut self,
        Place { kind, step, key }: Place<'_>,
        label: &str,
        from: Duration,
        figures: Option<String>,
    ) {
        if self.bars.len() >= MOST_BARS {
            self.left_out += 1;
            return;
        }
        let label = shortened(label, 200);
        self.bytes += 256 + label.len() + key.len();
        self.bars.push(Bar {
            kind,
            step,
            key: key.to_owned(),
            label,
            said: None,
            from,
            to: None,
            outcome: Outcome::Running,
            figures,
            texts: Vec::new(),
        });
    }

    fn note(&mut self, step: u32, label: &str, what: &'static str, text: &str, now: Duration) {
        let before = self.bars.len();
        self.begin(Place::alone(Kind::Note, step), label, now, None);
        if let Some(bar) = self.bars.get_mut(before) {
            bar.end(now, true);
            self.bytes += bar.add(what, text);
        }
    }

    /// It ended before it began.
    pub(in super::super) fn fail(&mut self, why: &str) {
        let now = self.began.elapsed();
        self.note(0, "Could not begin", "Why", why, now);
        self.ended = Some((Reason::Noop, now));
    }

    fn find(&mut self, Place { kind, step, key }: Place<'_>) -> Option<&mut Bar> {
        let mut bars = self.bars.iter_mut().rev();
        bars.find(|bar| bar.kind == kind && bar.step == step && bar.key == key)
    }

    /// Changes a bar, and counts the bytes that come to it.
    fn change(&mut self, place: Place<'_>, change: impl FnOnce(&mut Bar) -> usize) {
        if let Some(bar) = self.find(place) {
            self.bytes += change(bar);
        }
    }
}

fn worded(consent: Consent) -> &'static str {
    match consent {
        Consent::Given => "yes",
        Consent::Refused => "no",
        Consent::Unclear => "no answer that was clear",
        Consent::Barred => "could not be asked",
    }
}
