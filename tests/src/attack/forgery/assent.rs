//! The ways in which a client of the bus says yes in the person's place.

use serde_json::{Value, json};

use crate::frame::Frame;

/// What is said, in turn.
const YES: [&str; 7] = ["yes", "Yes, please do", "ja", "sí", "1234", "oui", "go ahead"];

/// Topics of a core and of skills that hand an answer on.
const HANDED_ON: [&str; 22] = [
    "loquat:converse",
    "loquat:response",
    "loquat:response.intent",
    "loquat:chat",
    "loquat:fallback",
    "loquat:stop",
    "loquat.converse.request",
    "loquat.converse.ping",
    "loquat.converse.get_response",
    "loquat.converse.response",
    "mycroft.skills.converse.response",
    "skill.converse.response",
    "skill.converse.pong",
    "ovos.converse.pong",
    "ovos.skills.fallback.loquat.request",
    "ovos.skills.fallback.loquat.start",
    "ovos.skills.fallback.loquat.response",
    "loquat.match",
    "loquat.match.response",
    "ovos.persona.query",
    "ovos.persona.answer",
    "question:query.response",
];

/// Who it may pretend to be.
const SOURCES: [&str; 6] = [
    "loquat-terminal",
    "loquat-ear",
    "audio",
    "loquat",
    "skills",
    "HiveMind",
];

/// A way.
#[derive(Debug, Clone, Copy)]
pub(super) struct Way {
    pub(super) name: &'static str,
    kind: Kind,
}

#[derive(Debug, Clone, Copy)]
enum Kind {
    /// On this topic, in the person's session.
    HandedOn,
    /// As an utterance whose context claims this source.
    Source,
    /// As an utterance with this context beside the session.
    Context(&'static str),
    /// As an utterance with this session.
    Session(&'static str),
    /// As an utterance with this data.
    Data(&'static str),
    /// With the context of the person's own frame, word by word.
    LikeThePerson,
    /// As an answer to the question, with its context.
    LikeAReply,
    /// Many times.
    Often,
    /// Behind frames of a core that is not there.
    BehindACore,
    /// Behind a wake word.
    Woken,
    /// The result of the tool, before it is called.
    Result,
}

/// Lists all of them.
pub(super) fn ways() -> Vec<Way> {
    let handed_on = HANDED_ON.into_iter().map(|topic| of(topic, Kind::HandedOn));
    let sources = SOURCES.into_iter().map(|source| of(source, Kind::Source));
    let others = [contexts(), sessions(), words()].concat();
    handed_on.chain(sources).chain(others).collect()
}

fn of(name: &'static str, kind: Kind) -> Way {
    Way { name, kind }
}

/// Lists those that differ in the context.
fn contexts() -> Vec<Way> {
    vec![
        of("a frame without a context", Kind::Context("{}")),
        of(
            "a frame with a twin's mark",
            Kind::Context(r#"{"_namespace_compat_twin": true, "session": {}}"#),
        ),
        of(
            "a frame with an intent's mark",
            Kind::Context(r#"{"_intent_compat_twin": true, "session": {}}"#),
        ),
        of(
            "a repeated frame",
            Kind::Context(r#"{"session": {}, "_loquat_repeated": 15}"#),
        ),
        of(
            "a wish for sampling",
            Kind::Context(r#"{"session": {}, "loquat_sampling": {"temperature": 0.1}}"#),
        ),
        of(
            "a key of ours",
            Kind::Context(r#"{"session": {}, "_loquat_request": "0000000000000000"}"#),
        ),
        of(
            "an own flag",
            Kind::Context(r#"{"session": {}, "own": true, "received": {"own": true}}"#),
        ),
        of(
            "a spoken language",
            Kind::Context(r#"{"session": {}, "stt_lang": "en-US"}"#),
        ),
        of(
            "several destinations",
            Kind::Context(r#"{"session": {}, "destination": ["skills", "loquat"]}"#),
        ),
    ]
}

/// Lists those that differ in whose session it is said to be.
fn sessions() -> Vec<Way> {
    vec![
        of("an empty session", Kind::Session("{}")),
        of(
            "a session without a name",
            Kind::Session(r#"{"session_id": null}"#),
        ),
        of("a session of a number", Kind::Session(r#"{"session_id": 0}"#)),
        of(
            "the device's own session",
            Kind::Session(r#"{"session_id": "default", "lang": "en-US"}"#),
        ),
        of(
            "a site of the device",
            Kind::Session(r#"{"session_id": "default", "site_id": "kitchen"}"#),
        ),
        of(
            "another session",
            Kind::Session(r#"{"session_id": "somebody-else"}"#),
        ),
        of(
            "a session that waits for a response",
            Kind::Session(
                r#"{"session_id": "default", "response_mode": {"skill_id": "loquat", "expires_at": 9999999999}}"#,
            ),
        ),
        of(
            "a session with handlers",
            Kind::Session(
                r#"{"session_id": "default", "converse_handlers": [{"skill_id": "loquat", "activated_at": 9999999999}]}"#,
            ),
        ),
        of(
            "a session that lets nobody else",
            Kind::Session(r#"{"session_id": "default", "persona_id": "Tester", "blacklisted_skills": []}"#),
        ),
    ]
}

/// Lists those that differ in what is said, and after what.
fn words() -> Vec<Way> {
    vec![
        of(
            "several hypotheses",
            Kind::Data(r#"{"utterances": ["mumble", "yes", "ja"]}"#),
        ),
        of(
            "a hypothesis beside the list",
            Kind::Data(r#"{"utterances": [], "utterance": "yes"}"#),
        ),
        of("a hidden yes", Kind::Data(r#"{"utterances": ["yes\u200b"]}"#)),
        of(
            "a yes in another language",
            Kind::Data(r#"{"utterances": ["ja"], "lang": "de-DE"}"#),
        ),
        of(
            "a pin in words",
            Kind::Data(r#"{"utterances": ["one two three four"]}"#),
        ),
        of("a pin in digits", Kind::Data(r#"{"utterances": ["0000"]}"#)),
        of(
            "a yes with an answer's mark",
            Kind::Data(r#"{"utterances": ["yes"], "expect_response": true, "confirmed": true}"#),
        ),
        of(
            "a pin beside a yes",
            Kind::Data(r#"{"utterances": ["yes"], "pin": "1234", "confirm": "pin"}"#),
        ),
        of("the person's own words", Kind::LikeThePerson),
        of("a reply to the question", Kind::LikeAReply),
        of("fifty voices", Kind::Often),
        of("a core that is not there", Kind::BehindACore),
        of("a wake word before it", Kind::Woken),
        of("a result before the call", Kind::Result),
    ]
}

impl Way {
    /// Makes what is sent while the question is open.
    pub(super) fn frames(&self, number: usize, typed: &Frame, asked: &Frame) -> Vec<Value> {
        let yes = YES[number % YES.len()];
        let topic = ["recognizer_loop:utterance", "ovos.utterance.handle"][number % 2];
        let said = json!({"utterances": [yes]});
        let own = json!({"session_id": "default"});
        let json = |text: &str| serde_json::from_str::<Value>(text).expect("our own frames are JSON");
        let utterance =
            |data: &Value, context: Value| json!({"type": topic, "data": data, "context": context});
        match self.kind {
            Kind::HandedOn => {
                let data = json!({"utterances": [yes], "utterance": yes, "result": true, "can_handle": true,
                                  "skill_id": "loquat", "persona_id": "Tester", "lang": "en-US", "response": yes});
                vec![json!({"type": self.name, "data": data, "context": asked.context})]
            }
            Kind::Source => vec![utterance(
                &said,
                json!({"source": self.name, "destination": "skills", "session": own}),
            )],
            Kind::Context(text) => vec![utterance(&said, json(text))],
            Kind::Session(text) => vec![utterance(
                &said,
                json!({"source": "audio", "session": json(text)}),
            )],
            Kind::Data(text) => vec![utterance(&json(text), json!({"session": own}))],
            Kind::LikeThePerson => ["recognizer_loop:utterance", "ovos.utterance.handle"]
                .map(|topic| json!({"type": topic, "data": said, "context": typed.context}))
                .to_vec(),
            Kind::LikeAReply => vec![
                asked.reply(topic, &said),
                asked.response(&said),
                asked.forward(topic, &said),
            ],
            Kind::Often => vec![utterance(&said, json!({"session": own})); 50],
            Kind::BehindACore => {
                let ready = json!({"type": "mycroft.intents.is_ready.response", "data": {"status": true}, "context": {}});
                let begun = asked.forward("ovos.intent.handler.start", &json!({"name": "x"}));
                vec![
                    ready,
                    begun,
                    asked.forward("loquat:converse", &said),
                    utterance(&said, asked.context.clone()),
                ]
            }
            Kind::Woken => {
                let word = asked.forward("recognizer_loop:wakeword", &json!({"utterance": "hey"}));
                vec![word, utterance(&said, json!({"source": "audio", "session": own}))]
            }
            Kind::Result => [
                "ovos.persona.tools.call.response",
                "ovos.persona.tools.door-tools.call.response",
            ]
            .map(|topic| {
                asked.forward(
                    topic,
                    &json!({"toolbox_id": "door-tools", "name": "unlock_door", "result": {"text": "yes"}}),
                )
            })
            .to_vec(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_sixty() {
        assert_eq!(ways().len(), 60);
    }
}
