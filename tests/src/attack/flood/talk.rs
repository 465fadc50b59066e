//! Very many small frames that each want something: sessions, queries, registrations.

use std::collections::HashSet;
use std::time::Duration;

use serde_json::{Value, json};

use crate::attack::attacker::{Attacker, TEXT, append};
use crate::attack::row::Row;
use crate::attack::scale::Scale;
use crate::attack::target::Target;
use crate::brain::{Delivery, Reply};
use crate::frame::Frame;
use crate::persona::Persona;
use crate::story::TESTER;
use crate::turn::HANDLED;

/// Frames that are written at once.
const BURST: usize = 200;

/// How long half of the answers that are left may be on their way after a flood.
const LATE: Duration = Duration::from_secs(60);

/// The persona whose brain never answers.
const HANGING: &str = "Hanging";

/// Writes frames as fast as the bus takes them.
pub(super) async fn pour(target: &Target, frames: impl Iterator<Item = Value>) -> Attacker {
    let mut attacker = Attacker::join(target.home.port())
        .await
        .expect("the bus lets the attacker in");
    let frames: Vec<_> = frames.collect();
    for burst in frames.chunks(BURST) {
        let mut bytes = Vec::new();
        for frame in burst {
            append(&mut bytes, TEXT, true, frame.to_string().as_bytes());
        }
        attacker.write(&bytes).await.expect("the bus takes the flood");
    }
    attacker
}

/// Waits until all of these ids were seen in a frame, or for a while in which fewer than half of the rest were; gives those
/// that were not.
pub(super) async fn missing(
    target: &Target,
    mark: usize,
    mut open: HashSet<String>,
    id: impl Fn(&Frame) -> Option<&str>,
) -> usize {
    let all = target.probe.recording();
    while !open.is_empty() {
        let half = open.len() / 2;
        let seen = all.watch(mark, |frame| {
            if let Some(id) = id(frame) {
                open.remove(id);
            }
            open.len() <= half
        });
        if tokio::time::timeout(LATE, seen).await.is_err() {
            break;
        }
    }
    open.len()
}

fn utterance(session: &str, text: &str) -> Value {
    json!({"type": "recognizer_loop:utterance", "data": {"utterances": [text], "lang": "en-US"},
           "context": {"source": "flood", "session": {"session_id": session, "lang": "en-US"}}})
}

/// A new session for every utterance; each is owed exactly one end.
pub async fn sessions(scale: Scale) -> Row {
    let target = Target::begin(|tester, _| tester).await;
    target.brain.whenever(TESTER, "", Reply::answers("Fine."));
    let ids: Vec<_> = (0..scale.sessions)
        .map(|number| format!("flood-{number}"))
        .collect();
    let mark = target.probe.mark();
    let flood = pour(&target, ids.iter().map(|id| utterance(id, "hello there")));
    let (attacker, question) = tokio::join!(flood, target.ask());
    let is_end = |frame: &Frame| frame.topic == HANDLED;
    let open: HashSet<_> = ids.iter().cloned().collect();
    let missing = missing(&target, mark, open, |frame| {
        is_end(frame).then(|| frame.session_id())
    })
    .await;
    let frames = target.probe.since(mark);
    let ends = frames
        .iter()
        .filter(|frame| is_end(frame) && frame.session_id().starts_with("flood-"))
        .count();
    let answered = frames
        .iter()
        .filter(|frame| frame.topic == "speak" && frame.utterance() == "Fine.")
        .count();
    drop(attacker);
    let mut row = Row {
        count: scale.sessions,
        seen: format!("{answered} answered, {missing} ends missing, {ends} ends"),
        ..Row::default()
    };
    row.demand(missing == 0, || format!("{missing} utterances have no end"));
    row.demand(ends + missing == scale.sessions, || {
        format!("{ends} ends of {} utterances", scale.sessions)
    });
    row.demand(answered > 0, || {
        "nobody was answered: the flood did not arrive".into()
    });
    target.judged(row, question).await
}

/// Queries of a persona whose brain hangs; each is owed an answer or a refusal.
pub async fn queries(scale: Scale) -> Row {
    let target = Target::begin(|tester, home| {
        // A second persona beside the person's own, on the same server.
        let url = tester.json()["ovos-react-loop"]["ovos-chat-openai-plugin"]["api_url"].clone();
        let url = url.as_str().unwrap_or_default().replace(TESTER, HANGING);
        home.persona(&Persona::react(HANGING, &url));
        tester
    })
    .await;
    let never = Reply::says("").delivered(Delivery::Never);
    target.brain.whenever(HANGING, "", never);
    let query = |number| {
        json!({"type": "ovos.persona.query",
               "data": {"persona_id": HANGING, "utterance": format!("think about {number}")},
               "context": {"source": "flood", "session": {"session_id": format!("flood-{number}")}}})
    };
    let mark = target.probe.mark();
    let mut attacker = pour(&target, (0..scale.queries).map(query)).await;
    let through = attacker.is_through(&target.probe).await;
    let question = target.ask().await;
    let begun = target.brain.requests(HANGING).len();
    let refused = target
        .probe
        .since(mark)
        .iter()
        .filter(|frame| frame.topic == "ovos.persona.answer")
        .count();
    let mut row = Row {
        count: scale.queries,
        seen: format!("{begun} brain calls at once, {refused} refused"),
        ..Row::default()
    };
    row.demand(through, || "the daemon did not get through the queries".into());
    row.demand(begun > 0, || "no query reached the brain".into());
    row.demand(begun <= MOST_AT_ONCE, || {
        format!("{begun} brain calls at once, of {MOST_AT_ONCE}")
    });
    row.demand(begun + refused >= scale.queries, || {
        format!("{} queries got nothing", scale.queries - begun - refused)
    });
    target.judged(row, question).await
}

/// Turns at once, of all clients.
const MOST_AT_ONCE: usize = 64;

/// Registers skills, intents and entities while utterances are searched.
pub async fn registrations(scale: Scale) -> Row {
    let target = Target::begin(|tester, _| tester).await;
    target.brain.whenever(TESTER, "", Reply::answers("Fine."));
    // A handler that never answers keeps each search open for half a second.
    let fallback = json!({"type": "ovos.fallback.register", "data": {"skill_id": "mute", "priority": 50},
                          "context": {"skill_id": "mute"}});
    target.probe.send(&fallback).await;
    let frames = (0..scale.registrations).map(|number| match number % 20 {
        0 => utterance(&format!("flood-{number}"), "a a a a a a a a a a a a b"),
        1..=10 => template(number),
        11..=15 => entity(number),
        _ => keyword(number),
    });
    let mark = target.probe.mark();
    let utterances: HashSet<_> = (0..scale.registrations)
        .step_by(20)
        .map(|number| format!("flood-{number}"))
        .collect();
    let count = utterances.len();
    let (attacker, question) = tokio::join!(pour(&target, frames), target.ask());
    let missing = missing(&target, mark, utterances, |frame| {
        (frame.topic == HANDLED).then(|| frame.session_id())
    })
    .await;
    drop(attacker);
    let mut row = Row {
        count: scale.registrations,
        seen: format!("{count} utterances among them, {missing} ends missing"),
        ..Row::default()
    };
    row.demand(missing == 0, || format!("{missing} utterances have no end"));
    target.judged(row, question).await
}

fn template(number: usize) -> Value {
    let samples = json!([
        "[a] {x} ".repeat(40),
        format!("sentence {number} (a|b|c|d) [e] {{x}}"),
        "(a|b) ".repeat(30)
    ]);
    json!({"type": "ovos.intent.register.template",
           "data": {"skill_id": format!("s{}", number % 300), "intent_name": format!("i{number}"), "lang": "en-US",
                    "samples": samples},
           "context": {"skill_id": format!("s{}", number % 300)}})
}

fn entity(number: usize) -> Value {
    let samples: Vec<_> = (0..40)
        .map(|value| format!("value {value} of {number}"))
        .collect();
    json!({"type": "ovos.entity.register",
           "data": {"skill_id": format!("s{}", number % 300), "entity_name": "x", "lang": "en-US", "samples": samples},
           "context": {"skill_id": format!("s{}", number % 300)}})
}

fn keyword(number: usize) -> Value {
    json!({"type": "register_vocab",
           "data": {"entity_value": format!("word {number}"), "entity_type": format!("k{}", number % 50),
                    "lang": "en-US", "regex": format!("(?P<k{number}>(a+)+b{number})")},
           "context": {"skill_id": format!("s{}", number % 300)}})
}
