//! This device as a member of another hive: questions that go to all of its nodes are answered here too, each in a session
//! of its asker. What the hive says is a stranger's word: it enters over the bus as that of any other client.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use loquat_bus::{Bus, Received, Subscription, Topics};
use loquat_failure::{Backoff, with_causes};
use loquat_hive::{HiveMessage, Kind, Link};
use loquat_part::guests;
use loquat_skills::Unspoken;
use loquat_skills::intercom::Intercom;
use loquat_wire::{Message, Session, object, topic};
use serde_json::{Map, Value, json};
use tokio::time::{Instant, interval_at, sleep, timeout};
use tokio_util::sync::CancellationToken;

use super::crossing::Sent;
use super::hub::Hub;
use super::hub_rooms::HubRooms;
use super::line::Line;
use super::wishes::{ANNOUNCED, ANNOUNCEMENT, Outcome, ROOMS};

/// The source of what the hive asks.
const HUB: &str = "hub";

/// Our own key in the context, which comes back on everything that the question causes.
const KEY: &str = "loquat_hub";

/// Questions that are being answered; one more is not.
const OPEN: usize = 16;

/// No turn may take this long.
const PATIENCE: Duration = Duration::from_secs(300);

/// What a question tells of its asker has at most this many bytes.
const LONGEST_ID: usize = 96;

/// The hive is asked this often whether it is there. After [`GONE_AFTER`] without a word it is gone.
const ASKED_EVERY: Duration = Duration::from_secs(20);
const GONE_AFTER: Duration = Duration::from_secs(70);

/// A hive that does not read is not waited for longer.
const SENDING: Duration = Duration::from_secs(10);

/// The wait between two tries to join the hive.
const AGAIN: Backoff = Backoff::doubling(Duration::from_secs(1), Duration::from_secs(60));

/// A connection that lasted so long was a good one.
const GOOD: Duration = Duration::from_secs(60);

/// The end of an answer, in the words of HiveMind.
const STREAM_END: &str = "hive.query.complete";

/// A question that is being answered.
#[derive(Debug)]
struct Question {
    metadata: Map<String, Value>,
    lang: Option<String>,
    since: Instant,
}

/// Joins the hive, and joins again, until cancelled.
pub(super) async fn run(hub: Hub, bus: Bus, speaking: Speaking, cancel: CancellationToken) {
    let mut tries = 0;
    loop {
        let joined = cancel.run_until_cancelled(hub.join()).await;
        let began = Instant::now();
        match joined {
            None => return,
            Some(Ok(link)) => {
                tracing::info!(hive = hub.place(), "the hive is joined");
                let member = Member {
                    bus: bus.clone(),
                    open: HashMap::new(),
                    speaking: speaking.clone(),
                    asks_rooms: true,
                };
                let ended = cancel.run_until_cancelled(member.serve(link, &hub.site)).await;
                speaking.rooms.leave();
                let Some(reason) = ended else { return };
                tracing::warn!(hive = hub.place(), reason, "the hive is lost; it is joined again");
            }
            Some(Err(error)) => {
                tracing::warn!(
                    error = with_causes(&error),
                    "the hive is not joined, and it is tried again"
                );
            }
        }
        tries = if began.elapsed() >= GOOD { 0 } else { tries + 1 };
        if cancel
            .run_until_cancelled(sleep(AGAIN.after(tries)))
            .await
            .is_none()
        {
            return;
        }
    }
}

/// What is said in the rooms of the hive, and what the hive has said in this one.
#[derive(Debug, Clone)]
pub(super) struct Speaking {
    pub(super) rooms: Arc<HubRooms>,
    /// Absent where nothing comes from other rooms.
    pub(super) intercom: Option<Arc<Intercom>>,
    /// The language of the device.
    pub(super) lang: String,
}

struct Member {
    bus: Bus,
    open: HashMap<String, Question>,
    speaking: Speaking,
    /// Whether the hive may tell rooms.
    asks_rooms: bool,
}

impl Member {
    /// Serves until the connection ends, and gives the reason.
    async fn serve(mut self, mut link: Link<Line>, site: &str) -> String {
        let mut frames = self.subscribe();
        let session = uuid::Uuid::new_v4().to_string();
        if let Err(error) = link.send(&HiveMessage::hello(&session, site)).await {
            return with_causes(&error);
        }
        let mut wishes = self.speaking.rooms.join();
        let mut tick = interval_at(Instant::now(), ASKED_EVERY);
        loop {
            let told = tokio::select! {
                message = link.receive() => match message {
                    Ok(Some(message)) => {
                        self.hear(&message).await
                    }
                    Ok(None) => return "it has ended the connection".to_owned(),
                    Err(error) => return with_causes(&error),
                },
                Some(frame) = frames.recv() => self.answered(&frame),
                Some(wish) = wishes.recv() => vec![wish],
                _ = tick.tick() => {
                    self.open.retain(|_, question| question.since.elapsed() < PATIENCE);
                    let asked = timeout(SENDING, link.ping()).await;
                    if link.heard().elapsed() >= GONE_AFTER || !matches!(asked, Ok(Ok(()))) {
                        return "nothing was heard of it".to_owned();
                    }
                    let question = || HubRooms::question(&self.speaking.lang);
                    self.asks_rooms.then(question).into_iter().collect()
                }
            };
            for message in told {
                match timeout(SENDING, link.send(&message)).await {
                    Ok(Ok(())) => {}
                    Ok(Err(error)) => return with_causes(&error),
                    Err(_) => return "it does not read".to_owned(),
                }
            }
        }
    }

    fn subscribe(&self) -> Subscription {
        self.bus
            .subscribe(Topics::of([topic::SPEAK, topic::UTTERANCE_HANDLED]))
    }

    /// Takes in what the hive says, and gives what it is told then.
    async fn hear(&mut self, message: &HiveMessage) -> Vec<HiveMessage> {
        match message.kind {
            Kind::Cascade => self.question(message).await,
            Kind::Bus => return self.told(message).await.into_iter().collect(),
            _ => {}
        }
        Vec::new()
    }

    /// Takes in what this device is told: which rooms there are, or what is to be said here. Nothing else is done with it.
    async fn told(&mut self, message: &HiveMessage) -> Option<HiveMessage> {
        let payload = message.object()?;
        let named = payload.get("type").and_then(Value::as_str).unwrap_or_default();
        let data = payload.get("data").and_then(Value::as_object)?;
        if self.speaking.rooms.hear(named, data) {
            return None;
        }
        if topic::canonical_of(named) != topic::SPEAK {
            // A hive that is kept by another program knows no rooms.
            if data.get("denied_type").and_then(Value::as_str) == Some(ROOMS) {
                self.asks_rooms = false;
            } else {
                tell_denied(message);
            }
            return None;
        }
        let text = |key: &str| data.get(key).and_then(Value::as_str);
        let announced = payload.get("context")?.get(ANNOUNCEMENT);
        let of = |key: &str| announced?.get(key)?.as_str();
        let from = HubRooms::station(of("from").unwrap_or_default());
        let lang = text("lang").unwrap_or(&self.speaking.lang);
        let spoken = match &self.speaking.intercom {
            Some(intercom) => intercom.say_here(&from, text("utterance")?, lang).await,
            None => Err(Unspoken::Gone),
        };
        let outcome = Outcome::from(spoken).name();
        let told = json!({"type": ANNOUNCED, "data": {"id": of("id")?, "outcome": outcome}, "context": {}});
        Some(HiveMessage::new(Kind::Bus, object(told)))
    }

    /// Puts a question of the hive to all nodes on our bus. What is no question, and the answers of others, are left
    /// alone.
    async fn question(&mut self, message: &HiveMessage) {
        let is_answer = message.metadata.get("is_response").and_then(Value::as_bool) == Some(true);
        let inner = message.object().filter(|_| !is_answer);
        let is_bus = |inner: &&Map<String, Value>| {
            inner.get("msg_type").and_then(Value::as_str) == Some(Kind::Bus.name())
        };
        let payload = inner.filter(is_bus).and_then(|inner| inner.get("payload"));
        let Some(Ok(sent)) = payload.and_then(Value::as_object).map(Sent::read) else {
            return;
        };
        let asker = message.metadata.get("originator_peer").and_then(Value::as_str);
        let session = asker.and_then(session_of);
        let (Some(session), true) = (
            session,
            topic::canonical_of(&sent.topic) == topic::UTTERANCE_HANDLE,
        ) else {
            return;
        };
        if self.open.len() >= OPEN {
            tracing::warn!("a question of the hive is not answered: too many are");
            return;
        }
        self.ask(&session, sent, message.metadata.clone()).await;
    }

    async fn ask(&mut self, session: &str, sent: Sent, metadata: Map<String, Value>) {
        let lang = sent.data.get("lang").and_then(Value::as_str).map(str::to_owned);
        let id = uuid::Uuid::new_v4().to_string();
        let mut frame = Message::new(topic::UTTERANCE_HANDLE, Value::Object(sent.data));
        let mut named = Session::named(session);
        if let Some(lang) = &lang {
            named.insert("lang", lang.as_str());
        }
        frame.context.set_session(&named);
        frame.context.set_source(HUB);
        frame.context.set_destination("skills");
        frame.context.insert(KEY, id.as_str());
        let question = Question {
            metadata,
            lang,
            since: Instant::now(),
        };
        self.open.insert(id, question);
        if let Err(error) = self.bus.emit(frame).await {
            tracing::warn!(%error, "a question of the hive does not reach the bus");
        }
    }

    /// Turns what the bus says to a question into messages for the hive.
    fn answered(&mut self, frame: &Received) -> Vec<HiveMessage> {
        let Some(id) = frame.message.context.text(KEY) else {
            return Vec::new();
        };
        let Some(question) = self.open.get(id) else {
            return Vec::new();
        };
        if frame.canonical == topic::SPEAK {
            let said = frame.message.data.get("utterance").and_then(Value::as_str);
            let said = json!({"utterance": said.unwrap_or_default(), "lang": question.lang});
            return vec![question.response("speak", &said)];
        }
        let end = question.response(STREAM_END, &json!({}));
        self.open.remove(id);
        vec![end]
    }
}

impl Question {
    fn response(&self, topic: &str, data: &Value) -> HiveMessage {
        let of = |key: &str| self.metadata.get(key).cloned().unwrap_or_default();
        let inner = json!({"msg_type": Kind::Bus.name(), "payload": {
            "type": topic, "data": data, "context": {"query_id": of("query_id")}}});
        let mut message = HiveMessage::new(Kind::Cascade, object(inner));
        message.metadata = object(json!({
            "query_id": of("query_id"),
            "originator_peer": of("originator_peer"),
            "responder_peer": "loquat",
            "is_response": true,
        }));
        message
    }
}

/// Names the session in which an asker's questions are put on our bus.
fn session_of(asker: &str) -> Option<String> {
    let is_id = (1..=LONGEST_ID).contains(&asker.len()) && asker.chars().all(|letter| !letter.is_control());
    is_id.then(|| format!("{}{}", guests::HUB, asker.replace(' ', "_")))
}

/// Logs what the hive does not let us send.
fn tell_denied(message: &HiveMessage) {
    let Some(payload) = message.object() else { return };
    if payload.get("type").and_then(Value::as_str) == Some("hive.policy.denied") {
        let text = |key: &str| {
            payload
                .get("data")
                .and_then(|data| data.get(key))
                .and_then(Value::as_str)
        };
        tracing::warn!(
            what = text("denied_type").unwrap_or_default(),
            why = text("reason").unwrap_or_default(),
            "the hive does not allow this device something"
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_asks_has_a_session_of_their_own() {
        assert_eq!(session_of("my sat::12").unwrap(), "hub:my_sat::12");
        for wrong in ["", "a\nb", &"x".repeat(LONGEST_ID + 1)] {
            assert_eq!(session_of(wrong), None, "{wrong:?}");
        }
    }

    #[test]
    fn an_answer_says_to_which_question_it_is() {
        let question = Question {
            metadata: object(json!({"query_id": "q", "originator_peer": "sat::1", "more": 1})),
            lang: Some("en-US".to_owned()),
            since: Instant::now(),
        };
        let told = question.response("speak", &json!({"utterance": "hi"}));
        assert_eq!(told.metadata["query_id"], "q");
        assert_eq!(told.metadata["is_response"], true);
        assert_eq!(told.object().unwrap()["payload"]["context"]["query_id"], "q");
    }
}
