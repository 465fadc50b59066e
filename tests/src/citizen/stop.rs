//! Stop (STOP-1).

use std::time::Duration;

use serde_json::json;

use super::stand::TESTER;
use super::{Row, Stand, row, verdict};
use crate::frame::Frame;
use crate::turn::{HANDLED, Turn, Utterance};
use crate::wait::PATIENCE;

/// Has the brain think for ever; gives the utterance and where it began.
pub(super) async fn pondering(stand: &Stand, session: &str) -> (Utterance, usize) {
    let asked = stand.brain.requests(TESTER).len();
    let long = Utterance::new("ponder this").in_session(session);
    let mark = long.enter(&stand.probe).await;
    stand.brain.asked(TESTER, asked + 1, PATIENCE).await;
    (long, mark)
}

/// Has the brain think for ever, and stops that with this frame. Gives the turn and how long its end took.
pub(super) async fn stopped(stand: &Stand, topic: &'static str, session: &str) -> (Turn, Duration) {
    let (long, mark) = pondering(stand, session).await;
    let before = stand.probe.mark();
    stand
        .send(topic, json!({}), json!({"session": {"session_id": session}}))
        .await;
    let order = stand
        .probe
        .wait("the order", before, PATIENCE, |frame| frame.topic == topic)
        .await;
    let turn = long.end(&stand.probe, mark).await;
    let took = turn.frame(HANDLED).seen - order.seen;
    (turn, took)
}

pub(super) fn guest_rows() -> Vec<Row> {
    vec![
        row!("SP-6", "a stop ends generation, silently and once", |stand| {
            let given_up = stand.brain.given_up(TESTER);
            let (turn, took) = stopped(stand, "mycroft.stop", "default").await;
            stand
                .brain
                .abandoned(TESTER, given_up + 1, Duration::from_secs(1))
                .await;
            let holds = turn.ends() == 1 && turn.spoken().is_empty() && took < Duration::from_secs(1);
            verdict(holds, format!("{took:?}, request closed"))
        }),
        row!("SP-2", "an order to us alone does the same", |stand| {
            let (turn, took) = stopped(stand, "loquat:stop", "default").await;
            let holds = turn.ends() == 1 && turn.spoken().is_empty() && took < Duration::from_secs(1);
            verdict(holds, format!("{took:?}, {} end", turn.ends()))
        }),
        row!("SP-4", "pings are answered truly and fast", |stand| {
            let mark = stand.probe.mark();
            stand
                .send(
                    "ovos.stop.ping",
                    json!({}),
                    json!({"session": {"session_id": "sp-idle"}}),
                )
                .await;
            let is = |name: &'static str| {
                move |frame: &Frame| frame.topic == name && frame.session_id() == "sp-idle"
            };
            let ping = stand
                .probe
                .wait("the echo", mark, super::stand::SILENCE, is("ovos.stop.ping"))
                .await;
            let ours = |frame: &Frame| is("ovos.stop.pong")(frame) && frame.data["skill_id"] == "loquat";
            let pong = stand
                .probe
                .wait("a pong", mark, super::stand::SILENCE, ours)
                .await;
            let took = pong.seen - ping.seen;
            verdict(
                pong.data["can_handle"] == false && took.as_millis() < 100,
                format!("{took:?} {}", pong.data),
            )
        }),
    ]
}

/// Lists the rows about what a core does not pass on in time, or not at all.
pub(super) fn beside_rows() -> Vec<Row> {
    vec![
        row!(
            "SP-6",
            "what was stopped before it was brought is not said",
            |stand| {
                for session in ["sp-behind", "default"] {
                    let first = Utterance::new("answer this").in_session(session);
                    let mark = first.enter(&stand.probe).await;
                    Utterance::new("stop")
                        .in_session(session)
                        .enter(&stand.probe)
                        .await;
                    let turn = first.end(&stand.probe, mark).await;
                    if turn.ends() != 1 || !turn.spoken().is_empty() {
                        return Err(format!("{session}: {:?}", turn.topics()));
                    }
                    let again = stand.say("answer this", session).await;
                    if again.spoken().len() != 1 {
                        return Err(format!("{session}: said again {:?}", again.topics()));
                    }
                }
                verdict(true, "silent, and answered when said again")
            }
        ),
        row!("SP-6", "the word ends what the session does not list", |stand| {
            let (long, mark) = pondering(stand, "sp-unlisted").await;
            let word = Utterance::new("stop")
                .in_session("sp-unlisted")
                .session(
                    "active_handlers",
                    json!([{"skill_id": "test-skill", "activated_at": 4e9}]),
                )
                .session("active_skills", json!([["test-skill", 4e9]]));
            let before = stand.probe.mark();
            word.enter(&stand.probe).await;
            let said = stand
                .probe
                .wait("the word", before, PATIENCE, Frame::is_entry)
                .await;
            let turn = long.end(&stand.probe, mark).await;
            let took = turn.frame(HANDLED).seen - said.seen;
            let holds = turn.ends() == 1 && turn.spoken().is_empty() && took < Duration::from_millis(300);
            verdict(holds, format!("{took:?}"))
        }),
    ]
}

#[expect(clippy::too_many_lines, reason = "a table of rows, each on its own")]
pub(super) fn rows() -> Vec<Row> {
    let mut rows = guest_rows();
    rows.extend([
        row!("SP-5", "a skill that is gone does not keep the word", |stand| {
            let gone = json!([{"skill_id": "test-skill", "activated_at": 4e9}]);
            let word = Utterance::new("stop")
                .in_session("sp-gone")
                .session("active_handlers", gone);
            let turn = word.ask(&stand.probe).await;
            let took = turn.frame(HANDLED).seen - turn.frames[0].seen;
            verdict(
                turn.ends() == 1 && took < Duration::from_millis(300),
                format!("{took:?}"),
            )
        }),
        row!("SP-1", "one session stops, another goes on", |stand| {
            let asked = stand.brain.requests(TESTER).len();
            let other = Utterance::new("ponder that").in_session("sp-other");
            let mark = other.enter(&stand.probe).await;
            stand.brain.asked(TESTER, asked + 1, PATIENCE).await;
            let (turn, took) = stopped(stand, "ovos.stop", "sp-one").await;
            let open = other.seen(&stand.probe.recording(), mark).ends() == 0;
            stand
                .send(
                    "ovos.stop",
                    json!({}),
                    json!({"session": {"session_id": "sp-other"}}),
                )
                .await;
            other.end(&stand.probe, mark).await;
            verdict(
                open && turn.ends() == 1 && took < Duration::from_millis(300),
                format!("{took:?}"),
            )
        }),
        row!("SP-3", "a second stop does nothing", |stand| {
            let mark = stand.probe.mark();
            stand
                .send(
                    "ovos.stop",
                    json!({}),
                    json!({"session": {"session_id": "sp-one"}}),
                )
                .await;
            stand.settle().await;
            let ends = stand
                .probe
                .since(mark)
                .iter()
                .filter(|frame| frame.topic == HANDLED)
                .count();
            verdict(ends == 0, format!("{ends} ends"))
        }),
        row!("SP-8", "the word stops the newest busy handler", |stand| {
            let asked = stand.brain.requests(TESTER).len();
            let long = Utterance::new("ponder this").in_session("sp-word");
            let mark = long.enter(&stand.probe).await;
            stand.brain.asked(TESTER, asked + 1, PATIENCE).await;
            let handlers = json!([{"skill_id": "loquat", "activated_at": 4e9}]);
            let word = Utterance::new("stop")
                .in_session("sp-word")
                .session("active_handlers", handlers);
            let stop = word.ask(&stand.probe).await;
            let turn = long.end(&stand.probe, mark).await;
            let matched = stop.frame("ovos.intent.matched").data.clone();
            let holds = matched["skill_id"] == "loquat"
                && matched["intent_name"] == "stop"
                && stop.ends() == 1
                && turn.ends() == 1;
            verdict(
                holds,
                format!("{}:{}", matched["skill_id"], matched["intent_name"]),
            )
        }),
        row!(
            "SP-9",
            "with nobody active the word stops all, with one frame",
            |stand| {
                let stop = stand.say("stop", "sp-nobody").await;
                let stops = stop
                    .frames
                    .iter()
                    .filter(|frame| frame.topic == "ovos.stop")
                    .count();
                let matched = stop.frame("ovos.intent.matched").data["intent_name"].clone();
                verdict(
                    stops == 1 && matched == "global_stop" && stop.ends() == 1,
                    format!("{stops} stop, {matched}"),
                )
            }
        ),
        row!("SP-7", "nothing reopens the microphone", |stand| {
            let listens = stand
                .ours()
                .iter()
                .filter(|frame| {
                    matches!(
                        frame["type"].as_str(),
                        Some("ovos.mic.listen" | "mycroft.mic.listen")
                    )
                })
                .count();
            verdict(listens == 0, format!("{listens} requests to listen"))
        }),
    ]);
    rows
}
