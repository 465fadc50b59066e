//! Figures in the text that Prometheus reads. A reader of the stream of events and of the bus; holds no word of a person.
//!
//! Names are those of OpenTelemetry's conventions for generative models where these have one, spelt as Prometheus does.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use loquat_agent::consent::Consent;
use loquat_agent::event::Event;
use loquat_bus::{Bus, Subscription, Topics};
use loquat_part::events::News;
use loquat_wire::topic;
use parking_lot::Mutex;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};
use tokio::sync::broadcast::{self, error::RecvError};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

/// Brains and tools that have figures of their own; strangers name tools, and each name costs memory for ever.
const MOST_NAMES: usize = 200;

/// What stands for all others.
const OTHER: &str = "other";

/// Bounds of spans, in seconds.
const SPANS: [f64; 12] = [0.01, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0];

type Labels = Vec<(&'static str, String)>;
type Counters = Family<Labels, Counter>;
type Histograms = Family<Labels, Histogram, fn() -> Histogram>;

#[derive(Debug)]
pub(super) struct Metrics {
    registry: Registry,
    turns: Counters,
    turn_seconds: Histograms,
    brain_seconds: Histograms,
    tokens: Counters,
    tool_seconds: Histograms,
    consents: Counters,
    lost: Counter,
    first_sound: Histogram,
    connected: Gauge,
    connections: Gauge,
    uptime: Gauge,
    began: Instant,
    names: Mutex<BTreeSet<String>>,
    /// When the person had spoken, until the device speaks.
    spoken: Mutex<Option<Instant>>,
    /// Brains that are being asked, by turn and step.
    asked: Mutex<Vec<(Arc<str>, u32, String)>>,
    /// Tools that run, by turn and call.
    called: Mutex<Vec<(Arc<str>, String, String)>>,
}

fn spans() -> Histogram {
    Histogram::new(SPANS)
}

/// What waits for its end; a turn that never told one is forgotten.
const MOST_OPEN: usize = 1024;

impl Metrics {
    pub(super) fn new() -> Self {
        let histograms = || Histograms::new_with_constructor(spans);
        let mut metrics = Self {
            registry: Registry::default(),
            turns: Counters::default(),
            turn_seconds: histograms(),
            brain_seconds: histograms(),
            tokens: Counters::default(),
            tool_seconds: histograms(),
            consents: Counters::default(),
            lost: Counter::default(),
            first_sound: spans(),
            connected: Gauge::default(),
            connections: Gauge::default(),
            uptime: Gauge::default(),
            began: Instant::now(),
            names: Mutex::default(),
            spoken: Mutex::default(),
            asked: Mutex::default(),
            called: Mutex::default(),
        };
        metrics.register();
        metrics
    }

    fn register(&mut self) {
        let registry = &mut self.registry;
        registry.register(
            "loquat_turns",
            "Turns by the reason of their end",
            self.turns.clone(),
        );
        registry.register_with_unit(
            "gen_ai_invoke_agent_duration",
            "How long turns took, by the reason of their end",
            Unit::Seconds,
            self.turn_seconds.clone(),
        );
        registry.register_with_unit(
            "gen_ai_client_operation_duration",
            "How long calls of brains took",
            Unit::Seconds,
            self.brain_seconds.clone(),
        );
        registry.register(
            "gen_ai_client_token_usage",
            "Tokens that brains read (input) and wrote (output)",
            self.tokens.clone(),
        );
        registry.register_with_unit(
            "gen_ai_execute_tool_duration",
            "How long calls of tools took",
            Unit::Seconds,
            self.tool_seconds.clone(),
        );
        registry.register(
            "loquat_consents",
            "Questions for a yes, by their answers",
            self.consents.clone(),
        );
        registry.register(
            "loquat_events_lost",
            "Events that were not counted",
            self.lost.clone(),
        );
        registry.register_with_unit(
            "loquat_speech_to_sound",
            "From the end of what a person said to the first sound of the answer",
            Unit::Seconds,
            self.first_sound.clone(),
        );
        registry.register(
            "loquat_bus_connected",
            "Whether the bus answers",
            self.connected.clone(),
        );
        registry.register(
            "loquat_bus_connections",
            "Connections to the bus so far",
            self.connections.clone(),
        );
        registry.register_with_unit(
            "loquat_uptime",
            "Since the start",
            Unit::Seconds,
            self.uptime.clone(),
        );
    }

    /// Gives a name that may have figures of its own.
    fn named(&self, name: &str) -> String {
        let mut names = self.names.lock();
        if names.contains(name) {
            return name.to_owned();
        }
        if names.len() >= MOST_NAMES || name.len() > 120 {
            return OTHER.to_owned();
        }
        names.insert(name.to_owned());
        name.to_owned()
    }

    fn take(&self, news: &News) {
        let turn = &news.turn_id;
        match &news.event {
            Event::BrainAsked { step, brain, .. } => {
                open(&self.asked, (Arc::clone(turn), *step, self.named(brain)));
            }
            Event::BrainReplied { step, elapsed, usage } => {
                let brain = self.asked_brain(turn, *step);
                let token =
                    |kind: &str| vec![("brain", brain.clone()), ("gen_ai_token_type", kind.to_owned())];
                self.tokens
                    .get_or_create(&token("input"))
                    .inc_by(usage.prompt_tokens);
                self.tokens
                    .get_or_create(&token("output"))
                    .inc_by(usage.completion_tokens);
                let labels = vec![("brain", brain), ("outcome", "ok".to_owned())];
                observe(&self.brain_seconds, &labels, *elapsed);
            }
            Event::BrainFailed { step, .. } => {
                let brain = self.asked_brain(turn, *step);
                let labels = vec![("brain", brain), ("outcome", "failed".to_owned())];
                observe(&self.brain_seconds, &labels, Duration::ZERO);
            }
            Event::ToolCalled {
                call_id,
                toolbox_id,
                tool,
                ..
            } => {
                let name = self.named(&format!("{toolbox_id}/{tool}"));
                open(&self.called, (Arc::clone(turn), call_id.clone(), name));
            }
            Event::ToolReturned {
                call_id, ok, elapsed, ..
            } => {
                // One that was turned away before it ran took no time.
                if let Some(name) = self.called_tool(turn, call_id) {
                    let outcome = if *ok { "ok" } else { "failed" };
                    let labels = vec![("tool", name), ("outcome", outcome.to_owned())];
                    observe(&self.tool_seconds, &labels, *elapsed);
                }
            }
            Event::ConsentAnswered { consent, .. } => {
                let answer = match consent {
                    Consent::Given => "given",
                    Consent::Refused => "refused",
                    Consent::Unclear => "unclear",
                    Consent::Barred => "barred",
                };
                self.consents
                    .get_or_create(&vec![("answer", answer.to_owned())])
                    .inc();
            }
            Event::TurnEnded { reason, elapsed, .. } => {
                let word = serde_json::to_value(reason).unwrap_or_default();
                let labels = vec![("reason", word.as_str().unwrap_or(OTHER).to_owned())];
                self.turns.get_or_create(&labels).inc();
                observe(&self.turn_seconds, &labels, *elapsed);
                self.asked.lock().retain(|(known, ..)| known != turn);
                self.called.lock().retain(|(known, ..)| known != turn);
            }
            _ => {}
        }
    }

    fn asked_brain(&self, turn: &Arc<str>, step: u32) -> String {
        let mut asked = self.asked.lock();
        let at = asked
            .iter()
            .rposition(|(known, number, _)| known == turn && *number == step);
        at.map_or_else(|| OTHER.to_owned(), |at| asked.swap_remove(at).2)
    }

    fn called_tool(&self, turn: &Arc<str>, call_id: &str) -> Option<String> {
        let mut called = self.called.lock();
        let at = called
            .iter()
            .rposition(|(known, call, _)| known == turn && call == call_id)?;
        Some(called.swap_remove(at).2)
    }

    /// Writes all figures in the text form that Prometheus reads.
    pub(super) fn text(&self, bus: &Bus) -> String {
        let is_connected = bus.state().borrow().is_connected();
        self.connected.set(i64::from(is_connected));
        let connections = bus.counts().connections;
        self.connections
            .set(i64::try_from(connections).unwrap_or(i64::MAX));
        let uptime = self.began.elapsed().as_secs();
        self.uptime.set(i64::try_from(uptime).unwrap_or(i64::MAX));
        let mut text = String::new();
        // Writing to a text cannot fail.
        encode(&mut text, &self.registry).unwrap_or_default();
        text
    }
}

fn open<T>(all: &Mutex<Vec<T>>, one: T) {
    let mut all = all.lock();
    if all.len() >= MOST_OPEN {
        all.remove(0);
    }
    all.push(one);
}

fn observe(histograms: &Histograms, labels: &Labels, span: Duration) {
    histograms.get_or_create(labels).observe(span.as_secs_f64());
}

/// The reader of the bus listens to these.
pub(super) fn topics() -> Topics {
    Topics::of([
        topic::RECORD_ENDED,
        topic::AUDIO_OUTPUT_STARTED,
        topic::STT_FAILED,
    ])
    .including_own()
}

impl Metrics {
    /// Counts until cancelled.
    pub(super) async fn follow(
        &self,
        mut news: broadcast::Receiver<News>,
        mut frames: Subscription,
        cancel: CancellationToken,
    ) {
        loop {
            tokio::select! {
                biased;
                () = cancel.cancelled() => return,
                heard = news.recv() => match heard {
                    Ok(news) => self.take(&news),
                    Err(RecvError::Lagged(missed)) => drop(self.lost.inc_by(missed)),
                    Err(RecvError::Closed) => return,
                },
                frame = frames.recv() => match frame {
                    Some(frame) => self.hear(&frame.canonical),
                    None => return,
                },
            }
        }
    }

    fn hear(&self, topic: &str) {
        let mut spoken = self.spoken.lock();
        match topic {
            topic::RECORD_ENDED => *spoken = Some(Instant::now()),
            topic::AUDIO_OUTPUT_STARTED => {
                if let Some(since) = spoken.take() {
                    self.first_sound.observe(since.elapsed().as_secs_f64());
                }
            }
            _ => *spoken = None,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Map;

    use super::*;

    #[test]
    fn names_of_strangers_take_a_bounded_room() {
        let metrics = Metrics::new();
        for number in 0..5_000 {
            metrics.take(&News {
                session_id: "default".into(),
                turn_id: "turn".into(),
                persona: "Tester".into(),
                event: Event::ToolCalled {
                    step: 1,
                    call_id: number.to_string(),
                    toolbox_id: "stranger".to_owned(),
                    tool: format!("tool{number}"),
                    arguments: Arc::new(Map::new()),
                },
            });
        }
        assert_eq!(metrics.names.lock().len(), MOST_NAMES);
        assert!(metrics.called.lock().len() <= MOST_OPEN);
        assert_eq!(metrics.named("one more"), OTHER);
    }
}
