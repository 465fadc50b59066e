//! A skill on the bus, as a test wants it: in the vocabulary of today's skills or of the older ones.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::{Value, json};
use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::frame::Frame;
use crate::probe::BusProbe;
use crate::turn::HANDLED;
use crate::wait::{PATIENCE, within};

/// How it speaks and what it does.
#[derive(Debug, Clone)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a habit that skills have or have not"
)]
pub struct Manners {
    /// As skills before the specifications: other topics, and it sends the end marker itself.
    pub older: bool,
    /// Whether it wants to go on with a conversation.
    pub converses: bool,
    /// Whether it takes replies where the specification has them; skills of today do not yet.
    pub takes_replies: bool,
    /// Whether it takes what no other skill does.
    pub falls_back: bool,
    /// It answers questions with this, if at all; with an empty text it never gets to the end of its search.
    pub knows: Option<&'static str>,
    /// Its handler never ends.
    pub hangs: bool,
    /// It does not hear that it is to stop.
    pub deaf: bool,
    /// Its handler fails; as a fallback handler it does not want what it has claimed.
    pub fails: bool,
}

impl Manners {
    /// Makes a skill of today that does what it is told.
    pub fn modern() -> Self {
        Self {
            older: false,
            converses: false,
            takes_replies: false,
            falls_back: false,
            knows: None,
            hangs: false,
            deaf: false,
            fails: false,
        }
    }

    /// Makes a skill that speaks the older vocabulary.
    pub fn older() -> Self {
        Self {
            older: true,
            ..Self::modern()
        }
    }
}

/// The skill; it leaves the bus when dropped.
#[derive(Debug)]
pub struct ScriptedSkill {
    skill: Arc<Skill>,
    _tasks: JoinSet<()>,
}

#[derive(Debug)]
struct Skill {
    id: String,
    manners: Manners,
    probe: BusProbe,
    heard: Mutex<Vec<Frame>>,
    count: watch::Sender<usize>,
    busy: Mutex<Option<Frame>>,
}

impl ScriptedSkill {
    /// Joins the bus on `port`.
    pub async fn join(port: u16, id: &str, manners: Manners) -> Self {
        let skill = Arc::new(Skill {
            id: id.to_owned(),
            manners,
            probe: BusProbe::connect(port).await,
            heard: Mutex::default(),
            count: watch::Sender::default(),
            busy: Mutex::default(),
        });
        let mut tasks = JoinSet::new();
        tasks.spawn(Arc::clone(&skill).run());
        Self { skill, _tasks: tasks }
    }

    /// Registers a sentence in its vocabulary.
    pub async fn teach(&self, intent: &str, samples: &[&str]) {
        let Skill { id, manners, .. } = &*self.skill;
        if manners.older {
            let name = format!("{id}:{intent}.intent");
            let data = json!({"name": name, "samples": samples, "lang": "en-us", "file_name": ""});
            self.tell("padatious:register_intent", &data).await;
        } else {
            let data = json!({"skill_id": id, "intent_name": intent, "lang": "en-US", "samples": samples});
            self.tell("ovos.intent.register.template", &data).await;
        }
    }

    /// Offers itself as a fallback handler.
    pub async fn offer(&self, priority: i64) {
        let topic = if self.skill.manners.older {
            "ovos.skills.fallback.register"
        } else {
            "ovos.fallback.register"
        };
        self.tell(topic, &json!({"skill_id": self.skill.id, "priority": priority}))
            .await;
    }

    /// Says that it takes part in common query.
    pub async fn take_part(&self) {
        self.tell(
            "ovos.common_query.pong",
            &json!({"skill_id": self.skill.id, "is_classic_cq": false}),
        )
        .await;
    }

    /// Puts a frame of its own on the bus and waits until everybody has had it.
    pub async fn tell(&self, topic: &str, data: &Value) {
        let mark = self.skill.probe.mark();
        let frame = json!({"type": topic, "data": data, "context": {"skill_id": self.skill.id}});
        self.skill.probe.send(&frame).await;
        self.skill
            .probe
            .send(&json!({"type": "mycroft.loquat.all_loaded", "context": {"source": self.skill.id, "told": mark}}))
            .await;
        // Answers to other clients and to earlier questions say nothing of what was sent here.
        let answered = |frame: &Frame| {
            frame.topic == "mycroft.loquat.all_loaded.response"
                && frame.context["destination"] == self.skill.id.as_str()
                && frame.context["told"] == mark
        };
        self.skill
            .probe
            .wait("the registration to be read", mark, PATIENCE, answered)
            .await;
    }

    /// Lists the dispatches and requests that it has had, oldest first.
    pub fn heard(&self) -> Vec<Frame> {
        self.skill.heard().clone()
    }

    /// Waits until it has had so many.
    pub async fn had(&self, count: usize) {
        let mut counted = self.skill.count.subscribe();
        let reached = counted.wait_for(|have| *have >= count);
        within("the skill to be asked", PATIENCE, reached)
            .await
            .expect("the skill outlives the wait");
    }

    /// Asks the person something in the middle of its work: from now on it waits for the next utterance.
    pub async fn wait_for_answer(&self) {
        let cause = self
            .skill
            .heard()
            .last()
            .cloned()
            .expect("it has been asked something");
        let data = json!({"skill_id": self.skill.id});
        self.skill
            .probe
            .send(&cause.forward("skill.converse.get_response.enable", &data))
            .await;
    }

    /// Ends what it hangs in.
    pub async fn finish(&self) {
        let cause = self
            .skill
            .heard()
            .first()
            .cloned()
            .expect("it has been asked something");
        self.skill.end(&cause).await;
    }
}

impl Skill {
    fn heard(&self) -> MutexGuard<'_, Vec<Frame>> {
        self.heard.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn busy(&self) -> MutexGuard<'_, Option<Frame>> {
        self.busy.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn run(self: Arc<Self>) {
        let recording = self.probe.recording();
        let mut position = 0;
        loop {
            let frame = recording.at(position).await;
            position += 1;
            self.react(&frame).await;
        }
    }

    async fn react(&self, frame: &Frame) {
        let id = &self.id;
        let own = |event: &str| frame.topic == format!("{id}.{event}");
        let dispatch = frame.topic.strip_prefix(&format!("{id}:")).map(str::to_owned);
        match frame.topic.as_str() {
            "ovos.stop.ping" if !frame.is_twin() => {
                let data = json!({"skill_id": id, "can_handle": self.busy().is_some()});
                self.send(frame.reply("ovos.stop.pong", &data)).await;
            }
            "ovos.converse.ping" if !self.manners.older && !frame.is_twin() => {
                let data = json!({"skill_id": id, "result": self.manners.converses});
                self.send(frame.reply("ovos.converse.pong", &data)).await;
            }
            "ovos.skills.fallback.ping" if self.manners.older => {
                self.claim(frame, "ovos.skills.fallback.pong").await;
            }
            "ovos.fallback.ping" if !self.manners.older => self.claim(frame, "ovos.fallback.pong").await,
            "ovos.common_query.ping" if !frame.is_twin() && self.manners.knows.is_some() => {
                let data = json!({"skill_id": id, "can_answer": true, "is_classic_cq": false});
                self.send(frame.reply("ovos.common_query.pong", &data)).await;
            }
            "question:query" => self.know(frame).await,
            _ if own("converse.ping") && self.manners.older => {
                let data = json!({"skill_id": id, "can_handle": self.manners.converses});
                self.send(frame.reply("skill.converse.pong", &data)).await;
            }
            _ if own("converse.request") => {
                self.note(frame);
                self.speak(frame).await;
                let data = json!({"skill_id": id, "result": true});
                self.send(frame.reply("skill.converse.response", &data)).await;
                self.end_marker(frame).await;
            }
            _ if own("converse.get_response") => self.note(frame),
            _ if frame.topic == format!("ovos.skills.fallback.{id}.request") => {
                self.note(frame);
                let wanted = !self.manners.fails;
                if wanted {
                    self.speak(frame).await;
                }
                let data = json!({"result": wanted, "fallback_handler": "any"});
                self.send(frame.forward(&format!("ovos.skills.fallback.{id}.response"), &data))
                    .await;
                if wanted {
                    self.end_marker(frame).await;
                }
            }
            _ if frame.topic == format!("question:action.{id}") => {
                self.note(frame);
                self.handle(frame).await;
            }
            _ => {
                if let Some(intent) = dispatch {
                    self.dispatched(&intent, frame).await;
                }
            }
        }
    }

    /// Skills of before hear the name with `.intent`, newer ones the name without.
    async fn dispatched(&self, intent: &str, frame: &Frame) {
        match intent {
            "response" if self.manners.takes_replies => {
                self.note(frame);
                self.handle(frame).await;
            }
            "converse" | "response" | "fallback" | "common_query" => {}
            "stop" if self.manners.deaf => {}
            "stop" => {
                self.note(frame);
                let interrupted = self.busy().take();
                self.send(frame.reply(
                    &format!("{}.stop.response", self.id),
                    &json!({"skill_id": self.id}),
                ))
                .await;
                self.end(frame).await;
                if let Some(cause) = interrupted {
                    self.end(&cause).await;
                }
            }
            _ if intent.ends_with(".intent") == self.manners.older => {
                self.note(frame);
                self.handle(frame).await;
            }
            _ => {}
        }
    }

    async fn handle(&self, frame: &Frame) {
        self.send(self.forward(frame, "mycroft.skill.handler.start", &json!({"name": "x"})))
            .await;
        if self.manners.hangs {
            *self.busy() = Some(frame.clone());
            return;
        }
        if self.manners.fails {
            let data = json!({"name": "x", "exception": "ValueError: on purpose"});
            self.send(self.forward(frame, "mycroft.skill.handler.error", &data))
                .await;
            return;
        }
        self.speak(frame).await;
        self.end(frame).await;
    }

    async fn end(&self, cause: &Frame) {
        self.send(self.forward(cause, "mycroft.skill.handler.complete", &json!({"name": "x"})))
            .await;
        self.end_marker(cause).await;
    }

    async fn end_marker(&self, cause: &Frame) {
        if self.manners.older {
            self.send(self.forward(cause, HANDLED, &json!({"name": "x"})))
                .await;
        }
    }

    async fn speak(&self, frame: &Frame) {
        let said = format!("{} has it.", self.id);
        let data = json!({"utterance": said, "lang": "en-US"});
        self.send(self.forward(frame, "speak", &data)).await;
    }

    async fn claim(&self, frame: &Frame, pong: &str) {
        let data = json!({"skill_id": self.id, "can_handle": self.manners.falls_back});
        self.send(frame.reply(pong, &data)).await;
    }

    async fn know(&self, frame: &Frame) {
        let Some(answer) = self.manners.knows else { return };
        let phrase = &frame.data["phrase"];
        let searching = json!({"phrase": phrase, "skill_id": self.id, "searching": true});
        self.send(frame.reply("question:query.response", &searching))
            .await;
        if answer.is_empty() {
            return;
        }
        let data = json!({"phrase": phrase, "skill_id": self.id, "answer": answer, "conf": 0.9, "callback_data": {}});
        self.send(frame.reply("question:query.response", &data)).await;
    }

    fn note(&self, frame: &Frame) {
        let mut heard = self.heard();
        heard.push(frame.clone());
        self.count.send_replace(heard.len());
    }

    fn forward(&self, cause: &Frame, topic: &str, data: &Value) -> Value {
        let mut frame = cause.forward(topic, data);
        frame["context"]["skill_id"] = json!(self.id);
        frame
    }

    async fn send(&self, frame: Value) {
        self.probe.send(&frame).await;
    }
}
