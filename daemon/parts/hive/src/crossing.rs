//! Messages that cross between a client of the hive and the bus. What a client sends is bound to its own session and its own
//! name, and nothing else of its context comes along; what the bus says to it gets the session's own id back.

use loquat_bus::Received;
use loquat_hive::{HiveMessage, Kind};
use loquat_part::hive_place as place;
use loquat_wire::{Context, Message, Session, object, topic};
use serde_json::{Map, Value, json};

use super::access::Access;

/// Our own key in the context of a wish for speech as bytes. It comes back on the answer.
pub(super) const AS_BYTES: &str = "loquat_hive_bytes";

/// A session has at most this many bytes.
const LARGEST_SESSION: usize = 16 * 1024;

/// A topic has at most this many bytes.
const LONGEST_TOPIC: usize = 256;

/// Says why something of a client's is not taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Denial {
    /// The topic, or the type of HiveMind, that was denied.
    pub(super) denied: String,
    /// Programs know the reason by this short code.
    pub(super) code: &'static str,
    /// Persons read the reason in this sentence.
    pub(super) reason: String,
}

impl Denial {
    /// The client may not send it.
    pub(super) fn forbidden(denied: &str) -> Self {
        Self {
            denied: shortened(denied),
            code: "acl_disallowed_type",
            reason: format!(
                "this client may not send {}; at the device, `loquat hive allow NAME TOPIC` lets it",
                shortened(denied)
            ),
        }
    }

    /// It cannot be read.
    pub(super) fn malformed(denied: &str, why: &str) -> Self {
        Self {
            denied: shortened(denied),
            code: "malformed_payload",
            reason: why.to_owned(),
        }
    }

    /// Nothing here does what it wants.
    pub(super) fn unserved(denied: &str, why: &str) -> Self {
        Self {
            denied: shortened(denied),
            code: "backend_unavailable",
            reason: why.to_owned(),
        }
    }

    /// Builds the message by which the client is told, in the words of HiveMind.
    pub(super) fn message(&self, client: &str) -> HiveMessage {
        let data = json!({"denied_type": self.denied, "code": self.code, "reason": self.reason, "data": {}});
        let mut told = Message::new("hive.policy.denied", data);
        told.context.set_source("loquat");
        told.context.set_destination(&place::peer(client));
        wrapped(&told)
    }
}

fn shortened(text: &str) -> String {
    text.chars().take(80).collect()
}

/// Wraps a message of the bus into one of HiveMind.
pub(super) fn wrapped(message: &Message) -> HiveMessage {
    let payload = json!({"type": message.topic, "data": message.data, "context": message.context.as_map()});
    HiveMessage::new(Kind::Bus, object(payload))
}

/// The fields that a client has told of the session in which it speaks.
#[derive(Debug, Clone)]
pub(super) struct Baseline(Map<String, Value>);

impl Baseline {
    /// Begins without any; a client that has told nothing has one session for its connection.
    pub(super) fn new() -> Self {
        let id = uuid::Uuid::new_v4().to_string();
        Self(object(json!({"session_id": id})))
    }

    /// Takes over what the client's hello says.
    pub(super) fn hear(&mut self, hello: &Map<String, Value>) {
        if let Some(Value::Object(session)) = hello.get("session") {
            overlay(&mut self.0, session);
        }
        if let Some(site) = hello.get("site_id").filter(|site| site.is_string()) {
            self.0.insert("site_id".to_owned(), site.clone());
        }
        let mut bounded = Session::from(std::mem::take(&mut self.0));
        bounded.bound();
        bounded.shed(LARGEST_SESSION);
        self.0.clone_from(bounded.as_map());
    }

    /// Makes the session of a message of this client, as the bus is told.
    pub(super) fn session(
        &self,
        client: &str,
        access: &Access,
        told: Option<&Map<String, Value>>,
    ) -> Option<Session> {
        let mut fields = self.0.clone();
        if let Some(told) = told {
            overlay(&mut fields, told);
        }
        let declared = fields
            .get("session_id")
            .and_then(Value::as_str)
            .unwrap_or_default();
        let id = place::session(client, declared)?;
        let mut session = Session::from(fields);
        session.bound();
        session.shed(LARGEST_SESSION);
        session.insert("session_id", id);
        access.bind(&mut session);
        Some(session)
    }
}

fn overlay(fields: &mut Map<String, Value>, more: &Map<String, Value>) {
    let present = more.iter().filter(|(_, value)| !value.is_null());
    fields.extend(present.map(|(key, value)| (key.clone(), value.clone())));
}

/// Builds a frame for the bus: this topic and these data, said by this client in this session.
pub(super) fn frame(topic: &str, data: Map<String, Value>, client: &str, session: &Session) -> Message {
    let mut frame = Message::new(topic, Value::Object(data));
    frame.context.set_session(session);
    frame.context.set_source(&place::peer(client));
    frame.context.set_destination("skills");
    frame
}

/// A message that a client has sent: a topic, data, and what it tells of the session.
#[derive(Debug)]
pub(super) struct Sent {
    pub(super) topic: String,
    pub(super) data: Map<String, Value>,
    pub(super) session: Option<Map<String, Value>>,
}

impl Sent {
    /// Reads the payload of a message of the bus.
    pub(super) fn read(payload: &Map<String, Value>) -> Result<Self, Denial> {
        let named = payload.get("type").and_then(Value::as_str).unwrap_or_default();
        let is_topic = (1..=LONGEST_TOPIC).contains(&named.len()) && topic::is_valid(named);
        if !is_topic {
            return Err(Denial::malformed(
                named,
                "a message of the bus needs a type of letters, digits, dots and colons",
            ));
        }
        let of = |value: Option<&Value>, what: &str| match value {
            None | Some(Value::Null) => Ok(None),
            Some(Value::Object(map)) => Ok(Some(map.clone())),
            Some(_) => Err(Denial::malformed(
                named,
                &format!("{what} of a message is a JSON object"),
            )),
        };
        let context = of(payload.get("context"), "the context")?.unwrap_or_default();
        Ok(Self {
            topic: named.to_owned(),
            data: of(payload.get("data"), "the data")?.unwrap_or_default(),
            session: of(context.get("session"), "the session")?,
        })
    }
}

/// Tells whether a frame of the bus is for the client of its session.
pub(super) fn is_for_client(frame: &Received) -> bool {
    let context = &frame.message.context;
    let client = place::of_session(context.session_id()).map(|(client, _)| place::peer(client));
    client.is_some_and(|client| is_addressed(context, &client))
}

fn is_addressed(context: &Context, peer: &str) -> bool {
    match context.get("destination") {
        Some(Value::String(one)) => one == peer,
        Some(Value::Array(all)) => all.iter().any(|one| one.as_str() == Some(peer)),
        _ => false,
    }
}

/// Makes a frame of the bus as its client hears it: under the name that stock clients know, in its own
/// session.
pub(super) fn told(frame: &Received) -> Option<Message> {
    as_heard(&frame.message, &frame.canonical)
}

/// Makes a message of this canonical topic as its client hears it.
pub(super) fn as_heard(message: &Message, canonical: &str) -> Option<Message> {
    let (_, declared) = place::of_session(message.context.session_id())?;
    let mut session = message.context.session();
    session.insert("session_id", declared);
    let topic = topic::legacy_of(canonical).unwrap_or(&message.topic);
    let mut told = message.forward(topic, Value::Object(message.data.clone()));
    told.context.set_session(&session);
    told.context.set_source("hive");
    Some(told)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn received(context: Value) -> Received {
        let mut message = Message::new(topic::SPEAK, json!({"utterance": "hi"}));
        message.context = object(context).into();
        Received {
            message,
            canonical: topic::SPEAK.to_owned(),
            own: false,
            cut: None,
        }
    }

    #[test]
    fn a_message_is_said_in_the_client_s_own_session_whatever_it_claims() {
        let payload = object(json!({
            "type": "recognizer_loop:utterance",
            "data": {"utterances": ["hi"]},
            "context": {"source": "audio", "skill_id": "x", "utterance_id": "y",
                        "session": {"session_id": "default", "lang": "de-DE", "persona_id": null}},
        }));
        let sent = Sent::read(&payload).unwrap();
        let session = Baseline::new()
            .session("kitchen", &Access::default(), sent.session.as_ref())
            .unwrap();
        let frame = frame(&sent.topic, sent.data, "kitchen", &session);
        assert_eq!(frame.context.session_id(), "hive:kitchen:default");
        assert_eq!(frame.context.session().lang(), Some("de-DE"));
        assert_eq!(frame.context.source(), Some("hive:kitchen"));
        assert_eq!(
            (frame.context.skill_id(), frame.context.utterance_id()),
            (None, None)
        );
    }

    #[test]
    fn what_is_no_message_is_denied_with_a_reason() {
        for payload in [
            json!({}),
            json!({"type": 7}),
            json!({"type": "a b"}),
            json!({"type": "speak", "data": []}),
            json!({"type": "speak", "context": "x"}),
            json!({"type": "speak", "context": {"session": "default"}}),
        ] {
            let denial = Sent::read(&object(payload.clone())).unwrap_err();
            assert_eq!(denial.code, "malformed_payload", "{payload}");
        }
        let named = object(json!({"session_id": "two words"}));
        assert!(
            Baseline::new()
                .session("a", &Access::default(), Some(&named))
                .is_none()
        );
    }

    #[test]
    fn a_client_hears_what_is_addressed_to_it_in_its_sessions_alone() {
        let own = json!({"session": {"session_id": "hive:kitchen:s"}, "destination": ["hive:kitchen"], "source": "skills"});
        let frame = received(own);
        assert!(is_for_client(&frame));
        let heard = told(&frame).unwrap();
        assert_eq!((heard.topic.as_str(), heard.context.session_id()), ("speak", "s"));
        for other in [
            json!({"session": {"session_id": "hive:kitchen:s"}, "destination": "hive:bath"}),
            json!({"session": {"session_id": "hive:kitchen:s"}, "destination": "skills"}),
            json!({"session": {"session_id": "hive:kitchen:s"}}),
            json!({"session": {"session_id": "default"}, "destination": "hive:kitchen"}),
            json!({"destination": "hive:kitchen"}),
        ] {
            assert!(!is_for_client(&received(other.clone())), "{other}");
        }
    }
}
