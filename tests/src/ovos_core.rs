//! As much of an ovos-core as a fallback handler meets, in both generations.
//!
//! It orchestrates with fallback handlers only: it polls them, dispatches to the first that claims the utterance, and
//! the newer generation ends the utterance itself.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::frame::Frame;
use crate::probe::BusProbe;
use crate::turn::HANDLED;
use crate::wait::within;

/// How long a real core waits for a claim.
const POLL: Duration = Duration::from_millis(500);

/// How long it waits for a handler.
const HANDLER: Duration = Duration::from_secs(60);

/// Tells the utterances of all cores apart.
static NEXT: AtomicU64 = AtomicU64::new(1);

/// Which core it imitates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Generation {
    /// 2.x: no `utterance_id`; the handler sends the end marker.
    Stable,
    /// 3.x: stamps an `utterance_id` and sends the end marker.
    PreRelease,
}

/// The core; it leaves the bus when dropped.
#[derive(Debug)]
pub struct ScriptedCore {
    core: Arc<Core>,
    _tasks: JoinSet<()>,
}

#[derive(Debug)]
struct Core {
    generation: Generation,
    /// How long it waits for a claim.
    patience: Duration,
    probe: BusProbe,
    registered: watch::Sender<Vec<(u64, String)>>,
    slowest_pong: Mutex<Duration>,
    /// Whether it answers a question whether it is ready only when the next one comes, and how often it has.
    lags: AtomicBool,
    late_answers: watch::Sender<usize>,
}

impl ScriptedCore {
    /// Joins the bus on `port`.
    pub async fn join(port: u16, generation: Generation) -> Self {
        Self::join_waiting(port, generation, POLL).await
    }

    /// Joins the bus as a core that waits so long for a claim.
    pub async fn join_waiting(port: u16, generation: Generation, patience: Duration) -> Self {
        let core = Arc::new(Core {
            generation,
            patience,
            probe: BusProbe::connect(port).await,
            registered: watch::Sender::default(),
            slowest_pong: Mutex::default(),
            lags: AtomicBool::new(false),
            late_answers: watch::Sender::default(),
        });
        let mut tasks = JoinSet::new();
        tasks.spawn(Arc::clone(&core).run());
        Self { core, _tasks: tasks }
    }

    /// Waits until this fallback handler has registered.
    pub async fn registered(&self, skill_id: &str, deadline: Duration) {
        let mut registered = self.core.registered.subscribe();
        let there = registered.wait_for(|list| list.iter().any(|(_, id)| id == skill_id));
        within(&format!("{skill_id} to register"), deadline, there)
            .await
            .expect("the core outlives the wait");
    }

    /// Loses all registrations, as a restart does.
    pub fn forget(&self) {
        self.core.registered.send_replace(Vec::new());
    }

    /// Says that it is up, as a core does at its start.
    pub async fn announce(&self) {
        self.core
            .probe
            .send(&json!({"type": "mycroft.skills.initialized", "data": {}, "context": {}}))
            .await;
    }

    /// Answers from now on as on a busy machine: a question whether it is there only when the next one comes.
    pub fn lag(&self) {
        self.core.lags.store(true, Ordering::Relaxed);
    }

    /// Waits until it has given so many answers late.
    pub async fn lagged(&self, times: usize, deadline: Duration) {
        let mut answers = self.core.late_answers.subscribe();
        within(
            "late answers",
            deadline,
            answers.wait_for(|given| *given >= times),
        )
        .await
        .expect("the core outlives the wait");
    }

    /// Gives the longest time that a handler took to claim an utterance.
    pub fn slowest_pong(&self) -> Duration {
        *self.core.pong()
    }
}

impl Core {
    async fn run(self: Arc<Self>) {
        let recording = self.probe.recording();
        let mut utterances = JoinSet::new();
        let mut unanswered = None;
        let mut position = 0;
        loop {
            let frame = recording.at(position).await;
            position += 1;
            if frame.is_twin() {
                continue;
            }
            match frame.topic.as_str() {
                "mycroft.intents.is_ready" | "mycroft.skills.is_ready" => {
                    self.tell_ready(frame, &mut unanswered).await;
                }
                "ovos.skills.fallback.register" | "ovos.fallback.register" => self.register(&frame),
                "ovos.skills.fallback.deregister" | "ovos.fallback.deregister" => self.deregister(&frame),
                _ if frame.is_entry() => drop(utterances.spawn(Arc::clone(&self).handle(frame))),
                _ => {}
            }
            while utterances.try_join_next().is_some() {}
        }
    }

    async fn tell_ready(&self, question: Frame, unanswered: &mut Option<Frame>) {
        let ready = json!({"status": true});
        let is_of_presence = question.context.get("loquat_presence").is_some();
        if !is_of_presence || !self.lags.load(Ordering::Relaxed) {
            self.probe.send(&question.response(&ready)).await;
        } else if let Some(earlier) = unanswered.take() {
            self.probe.send(&earlier.response(&ready)).await;
            self.late_answers.send_modify(|given| *given += 1);
        } else {
            *unanswered = Some(question);
        }
    }

    fn register(&self, frame: &Frame) {
        let id = frame.data["skill_id"].as_str().unwrap_or_default().to_owned();
        let priority = frame.data["priority"].as_u64().unwrap_or(101);
        self.registered.send_modify(|list| {
            list.retain(|(_, other)| *other != id);
            list.push((priority, id));
            list.sort();
        });
    }

    fn deregister(&self, frame: &Frame) {
        let id = frame.data["skill_id"].as_str().unwrap_or_default();
        self.registered
            .send_modify(|list| list.retain(|(_, other)| other != id));
    }

    async fn handle(self: Arc<Self>, entry: Frame) {
        let mut context = entry.reply("", &json!({}))["context"].take();
        if self.generation == Generation::PreRelease {
            context["utterance_id"] = json!(format!("utterance-{}", NEXT.fetch_add(1, Ordering::Relaxed)));
        }
        let entry = Frame { context, ..entry };
        let ids: Vec<String> = self
            .registered
            .borrow()
            .iter()
            .map(|(_, id)| id.clone())
            .collect();
        for id in ids {
            if self.claims(&entry, &id).await {
                self.dispatch(&entry, &id).await;
                return;
            }
        }
        self.probe
            .send(&entry.forward("complete_intent_failure", &json!({})))
            .await;
        self.probe.send(&entry.forward(HANDLED, &json!({}))).await;
    }

    async fn claims(&self, entry: &Frame, id: &str) -> bool {
        let data =
            json!({"utterances": entry.data["utterances"], "lang": entry.data["lang"], "range": [0, 101]});
        let mark = self.probe.mark();
        let ping = entry.forward("ovos.skills.fallback.ping", &data);
        self.probe.send(&ping).await;
        let echo = self
            .probe
            .wait("the own ping", mark, self.patience, |frame| {
                frame.topic == "ovos.skills.fallback.ping"
            })
            .await;
        let is_pong = |frame: &Frame| {
            matches!(
                frame.topic.as_str(),
                "ovos.skills.fallback.pong" | "ovos.fallback.pong"
            ) && frame.data["skill_id"] == json!(id)
                && frame.utterance_id() == entry.utterance_id()
        };
        let Some(pong) = self.probe.try_wait(mark, self.patience, is_pong).await else {
            return false;
        };
        let mut slowest = self.pong();
        *slowest = (*slowest).max(pong.seen - echo.seen);
        pong.data["can_handle"] == true
    }

    async fn dispatch(&self, entry: &Frame, id: &str) {
        let utterances = &entry.data["utterances"];
        let data = json!({"utterances": utterances, "utterance": utterances[0], "lang": entry.data["lang"],
                          "skill_id": id});
        let mark = self.probe.mark();
        self.probe
            .send(&entry.forward(&format!("ovos.skills.fallback.{id}.request"), &data))
            .await;
        let response = format!("ovos.skills.fallback.{id}.response");
        let is_end = |frame: &Frame| frame.topic == response && frame.utterance_id() == entry.utterance_id();
        let handled: Option<Frame> = self.probe.try_wait(mark, HANDLER, is_end).await;
        if self.generation == Generation::PreRelease {
            let data = handled.map_or(Value::Null, |frame| frame.data);
            self.probe
                .send(&entry.forward(HANDLED, &json!({"result": data["result"]})))
                .await;
        }
    }

    fn pong(&self) -> MutexGuard<'_, Duration> {
        self.slowest_pong.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
