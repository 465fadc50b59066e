//! Personas (PERSONA-1): queries and lists everywhere, routes and commands where we orchestrate.

use serde_json::{Value, json};

use super::stand::{PIRATE, TESTER};
use super::{Row, Stand, row, verdict};
use crate::frame::Frame;
use crate::turn::{HANDLED, Turn, Utterance};
use crate::wait::PATIENCE;

async fn query(stand: &Stand, data: Value) -> Vec<Frame> {
    let context = json!({"session": {"session_id": "pe-query", "persona_id": "somebody"}});
    let answers = stand
        .answers("ovos.persona.query", data, context, "ovos.persona.answer")
        .await;
    // A persona of ovos-core answers every query too, and has read the same files; only we stamp what we answer.
    let theirs = |frame: &Frame| stand.beside.is_some() && frame.utterance_id().is_none();
    answers.into_iter().filter(|frame| !theirs(frame)).collect()
}

fn left(turn: &Turn) -> Value {
    turn.frame(HANDLED).context["session"]["persona_id"].clone()
}

async fn routed(stand: &Stand, persona_id: Option<&str>, stage: &str) -> Turn {
    let mut utterance = Utterance::new("whose is it")
        .in_session("pe-route")
        .session("pipeline", json!([stage]));
    if let Some(id) = persona_id {
        utterance = utterance.to(id);
    }
    utterance.ask(&stand.probe).await
}

pub(super) fn rows() -> Vec<Row> {
    vec![
        row!("PE-13", "every query is answered once", |stand| {
            let cases = [
                (json!({"persona_id": TESTER, "utterance": "hi"}), "response"),
                (json!({"persona_id": TESTER, "utterance": "please fail"}), "error"),
                (json!({"persona_id": "nobody", "utterance": "hi"}), "error"),
                (json!({"persona_id": TESTER}), "error"),
                (json!({"utterance": 7}), "error"),
                (json!({}), "error"),
            ];
            for (data, field) in &cases {
                let answers = query(stand, data.clone()).await;
                let other = if *field == "error" { "response" } else { "error" };
                let good = answers.len() == 1
                    && answers[0].data[*field].is_string()
                    && answers[0].data.get(other).is_none();
                if !good {
                    let seen: Vec<_> = answers.iter().map(|answer| answer.data.to_string()).collect();
                    return Err(format!("{data}: {}", seen.join(" ")));
                }
            }
            verdict(true, format!("{} kinds, one answer each", cases.len()))
        }),
        row!(
            "PE-14",
            "a query changes no session and has no life cycle",
            |stand| {
                let mark = stand.probe.mark();
                let answers = query(stand, json!({"persona_id": TESTER, "utterance": "again"})).await;
                let kept = answers
                    .first()
                    .map(|answer| answer.context["session"]["persona_id"].clone());
                let noise = stand
                    .probe
                    .since(mark)
                    .iter()
                    .filter(|frame| {
                        frame.session_id() == "pe-query" && (frame.is_speak() || frame.topic == HANDLED)
                    })
                    .count();
                verdict(
                    kept == Some(json!("somebody")) && noise == 0,
                    format!("persona_id {kept:?}, {noise} frames of a life"),
                )
            }
        ),
        row!("PE-18", "the list has ids and names", |stand| {
            let answers = stand
                .answers(
                    "ovos.persona.list",
                    json!({}),
                    json!({}),
                    "ovos.persona.list.response",
                )
                .await;
            let ours = answers
                .iter()
                .find(|answer| answer.data["pipeline_id"] == "loquat");
            let data = ours.map(|answer| answer.data.clone()).unwrap_or_default();
            let named = data["personas"]
                .as_array()
                .is_some_and(|list| list.iter().any(|entry| entry["persona_id"] == TESTER));
            verdict(
                named && data["fallback_pipeline_id"].is_string(),
                data["personas"].to_string(),
            )
        }),
    ]
}

#[expect(clippy::too_many_lines, reason = "a table of rows, each on its own")]
pub(super) fn solo_rows() -> Vec<Row> {
    vec![
        row!("PE-13", "one more than there may be says so", |stand| {
            let send = |text: &'static str| {
                let data = json!({"persona_id": TESTER, "utterance": text});
                stand.send(
                    "ovos.persona.query",
                    data,
                    json!({"session": {"session_id": "pe-many"}}),
                )
            };
            for _ in 0..8 {
                let asked = stand.brain.requests(TESTER).len();
                send("ponder it").await;
                stand.brain.asked(TESTER, asked + 1, PATIENCE).await;
            }
            let mark = stand.probe.mark();
            send("one more").await;
            let is_answer =
                |frame: &Frame| frame.topic == "ovos.persona.answer" && frame.data["utterance"] == "one more";
            let answer = stand.probe.wait("the answer", mark, PATIENCE, is_answer).await;
            let session = json!({"session": {"session_id": "pe-many"}});
            stand.send("ovos.stop", json!({}), session).await;
            let is_stopped = |frame: &&Frame| frame.data["error"] == "stopped";
            let all = || stand.probe.since(mark).iter().filter(is_stopped).count();
            crate::wait::wait_for("the others to end", PATIENCE, async || (all() == 8).then_some(())).await;
            let error = answer.data["error"].as_str().unwrap_or_default().to_owned();
            verdict(
                error.starts_with("busy: ") && answer.data.get("response").is_none(),
                error,
            )
        }),
        row!("PE-2", "who claims, by route and persona_id", |stand| {
            let unmatched = |turn: &Turn| turn.topics().contains(&"ovos.intent.unmatched");
            let said = |turn: &Turn| {
                turn.spoken()
                    .first()
                    .map(|frame| frame.utterance().to_owned())
                    .unwrap_or_default()
            };
            let table = [
                ("loquat", None, "declines"),
                ("loquat", Some(""), "declines"),
                ("loquat", Some(PIRATE), "The pirate has it."),
                ("loquat", Some("foreign"), "declines"),
                ("loquat-fallback", None, "The tester has it."),
                ("loquat-fallback", Some(""), "The tester has it."),
                ("loquat-fallback", Some(PIRATE), "The pirate has it."),
                ("loquat-fallback", Some("foreign"), "declines"),
            ];
            for (stage, id, wanted) in &table {
                let turn = routed(stand, *id, stage).await;
                let good = if *wanted == "declines" {
                    unmatched(&turn) && said(&turn).is_empty()
                } else {
                    said(&turn) == *wanted
                };
                if !good {
                    return Err(format!("{stage} with {id:?}: {}", turn.topics().join(" ")));
                }
            }
            verdict(true, format!("{} cases", table.len()))
        }),
        row!("PE-4", "summon sets and release clears persona_id", |stand| {
            let summoned = stand.say("Talk to Pirate", "pe").await;
            let set = left(&summoned);
            let released = Utterance::new("Goodbye Pirate")
                .in_session("pe")
                .to(PIRATE)
                .ask(&stand.probe)
                .await;
            verdict(
                set == PIRATE && left(&released).is_null(),
                format!("{set}, then {}", left(&released)),
            )
        }),
        row!(
            "PE-7",
            "the device's session remembers, and an empty id dismisses",
            |stand| {
                stand.say("Talk to Pirate", "default").await;
                let kept = stand.say("hello", "default").await;
                let cleared = Utterance::new("hello")
                    .in_session("default")
                    .to("")
                    .ask(&stand.probe)
                    .await;
                let holds = kept.answer() == "The pirate has it." && cleared.answer() == "The tester has it.";
                verdict(holds, format!("{} then {}", kept.answer(), cleared.answer()))
            }
        ),
        row!("PE-8", "a match takes less than 50 ms", |stand| {
            let turn = stand.say("quickly now", "pe").await;
            let entry = turn
                .frames
                .iter()
                .find(|frame| frame.is_entry())
                .map(|frame| frame.seen);
            let matched = turn.frame("ovos.intent.matched").seen;
            let took = entry.map(|entry| matched - entry).unwrap_or_default();
            verdict(took.as_millis() < 50, format!("{took:?}"))
        }),
        row!(
            "PE-19",
            "taken back: not listed, but served where it is used",
            |stand| {
                stand.say("Talk to Pirate", "default").await;
                stand
                    .send(
                        "ovos.persona.deregister",
                        json!({"persona_id": PIRATE}),
                        json!({}),
                    )
                    .await;
                let list = stand
                    .probe
                    .request("ovos.persona.list", &json!({}))
                    .await
                    .data
                    .to_string();
                let served = stand.say("hello", "default").await;
                stand
                    .send("ovos.persona.register", json!({"persona_id": PIRATE}), json!({}))
                    .await;
                stand.say("Goodbye Pirate", "default").await;
                verdict(
                    !list.contains(PIRATE) && served.answer() == "The pirate has it.",
                    served.answer().to_owned(),
                )
            }
        ),
        row!("PE-20", "activated and dismissed are told", |stand| {
            let summoned = stand.say("Talk to Pirate", "pe").await;
            let told = summoned.frame("ovos.persona.activated").data.clone();
            let released = Utterance::new("Goodbye Pirate")
                .in_session("pe")
                .to(PIRATE)
                .ask(&stand.probe)
                .await;
            let gone = released.frame("ovos.persona.dismissed").data.clone();
            verdict(told == gone && told["session_id"] == "pe", told.to_string())
        }),
    ]
}
