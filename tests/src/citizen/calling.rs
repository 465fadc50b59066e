//! When our persona calls the tools of others, and has to ask first (MSG-1 §5.4, CONVERSE-1 §5.1, PERSONA-1 §8.3).

use std::time::Duration;

use serde_json::{Value, json};

use super::stand::{CALLER, DOORS, TOOLS};
use super::{Row, Stand, row, verdict};
use crate::frame::Frame;
use crate::toolbox::{Act, ScriptedTool, ScriptedToolbox};
use crate::turn::{HANDLED, Utterance};
use crate::wait::PATIENCE;

/// The slower of two answers, so that they come in the other order.
const LATER: Duration = Duration::from_millis(1500);

/// Joins as a box whose tool takes long for one argument and no time for another.
async fn looking(stand: &Stand) -> ScriptedToolbox {
    let text = json!({"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]});
    let definition =
        json!({"name": "look", "description": "Looks.", "argument_schema": text, "output_schema": text});
    let tool = ScriptedTool::new(definition, |arguments, _| {
        let text = arguments.get("text").and_then(Value::as_str).unwrap_or_default();
        let seen = json!({"text": format!("seen {text}")});
        if text == "slow" {
            Act::Later(LATER, seen)
        } else {
            Act::Returns(seen)
        }
    });
    ScriptedToolbox::join(stand.port, TOOLS, vec![tool]).await
}

/// Joins as a box that no persona trusts. It stays: ovos-messagebus closes the connection of a client that
/// speaks when another has gone without a word.
async fn doors(stand: &Stand) -> &ScriptedToolbox {
    let join = || async {
        let tool = ScriptedTool::named("unlock", Act::Returns(json!({"text": "unlocked"})));
        ScriptedToolbox::join(stand.port, DOORS, vec![tool]).await
    };
    stand.doors.get_or_init(join).await
}

/// Has the persona ask whether it may; gives the utterance, where it began, and the question.
async fn asked(stand: &Stand, session: &str, auth_level: Value) -> (Utterance, usize, Frame) {
    let utterance = Utterance::new("open the door")
        .in_session(session)
        .to(CALLER)
        .session("auth_level", auth_level);
    let mark = utterance.enter(&stand.probe).await;
    let is_question = |frame: &Frame| frame.is_speak() && !frame.is_twin() && utterance.owns(frame);
    let question = stand
        .probe
        .wait("the question", mark, PATIENCE, is_question)
        .await;
    // An answer counts that is said when the question has been spoken.
    for begins in [true, false] {
        stand.probe.speaks(session, begins).await;
    }
    (utterance, mark, question)
}

/// Makes the next words of the same session, as a client has it after the question.
fn next(text: &str, question: &Frame) -> Utterance {
    let fields = question.context["session"]
        .as_object()
        .cloned()
        .unwrap_or_default();
    let utterance = Utterance::new(text);
    fields.into_iter().fold(utterance, |utterance, (key, value)| {
        utterance.session(&key, value)
    })
}

pub(super) fn rows() -> Vec<Row> {
    vec![
        row!(
            "MS-13",
            "answers in the other order reach those who asked",
            |stand| {
                let _box = looking(stand).await;
                let ask = |what: &str| {
                    let utterance = Utterance::new(&format!("please look {what}"));
                    utterance
                        .in_session("ms-thirteen")
                        .session("session_id", json!(format!("ms-{what}")))
                        .to(CALLER)
                };
                let (slow, fast) = (ask("slow"), ask("fast"));
                let mark = slow.enter(&stand.probe).await;
                let is_call = |frame: &Frame| frame.topic == "ovos.persona.tools.call";
                stand.probe.wait("the first call", mark, PATIENCE, is_call).await;
                fast.enter(&stand.probe).await;
                let (slow, fast) = (
                    slow.end(&stand.probe, mark).await,
                    fast.end(&stand.probe, mark).await,
                );
                let order = fast.frame(HANDLED).seen < slow.frame(HANDLED).seen;
                verdict(
                    order && slow.answer() == "It was slow." && fast.answer() == "It was fast.",
                    format!("{} {}", fast.answer(), slow.answer()),
                )
            }
        ),
        row!(
            "CV-5",
            "who asks waits for one reply, and it comes as a response",
            |stand| {
                let doors = doors(stand).await;
                let before = doors.calls().len();
                let (utterance, mark, question) = asked(stand, "cv-five", json!(0)).await;
                let session = &question.context["session"];
                let waits = session["response_mode"]["skill_id"] == "loquat"
                    && session["response_mode"]["expires_at"].is_number()
                    && session["converse_handlers"].to_string().contains("loquat");
                let yes = next("yes", &question).ask(&stand.probe).await;
                let cleared = yes.frame("loquat:response").context["session"]["response_mode"].is_null()
                    && yes.frame(HANDLED).context["session"]["response_mode"].is_null();
                let turn = utterance.end(&stand.probe, mark).await;
                // A client that still believes that we wait is answered like anybody else.
                let after = next("and now", &question).ask(&stand.probe).await;
                let inert = after.answer() == "Very well.";
                verdict(
                    waits && cleared && inert && turn.ends() == 1 && doors.calls().len() == before + 1,
                    format!("waits {waits}, cleared {cleared}, then inert {inert}"),
                )
            }
        ),
    ]
    .into_iter()
    .chain(asking_rows())
    .collect()
}

/// Lists the rows that apply beside a core.
pub(super) fn guest_rows() -> Vec<Row> {
    [row!(
        "CV-5",
        "the reply comes to us whatever of a session its client keeps",
        |stand| {
            let doors = doors(stand).await;
            let before = doors.calls().len();
            let mut seen = Vec::new();
            for (session, keeps_it) in [("cv-keeps", true), ("cv-forgets", false)] {
                let (utterance, mark, question) = asked(stand, session, json!(0)).await;
                let yes = if keeps_it {
                    next("yes", &question)
                } else {
                    Utterance::new("yes").in_session(session)
                };
                let yes = yes.ask(&stand.probe).await;
                let turn = utterance.end(&stand.probe, mark).await;
                // A client that still believes that we wait is answered like anybody else.
                let after = next("and now", &question).ask(&stand.probe).await;
                let ends = [yes.ends(), turn.ends(), after.ends()] == [1, 1, 1];
                let said = (yes.spoken().len(), turn.spoken().len(), after.answer().to_owned());
                if !ends || said != (0, 2, "Very well.".to_owned()) {
                    return Err(format!("{session}: {said:?}, ends {ends}"));
                }
                seen.push(session);
            }
            let calls = doors.calls().len() - before;
            verdict(calls == 2, format!("{}: {calls} calls", seen.join(" ")))
        }
    )]
    .into_iter()
    .chain(asking_rows())
    .collect()
}

fn asking_rows() -> Vec<Row> {
    vec![
        row!("PE-11", "a question opens the microphone", |stand| {
            let _box = doors(stand).await;
            let (utterance, mark, question) = asked(stand, "pe-eleven", json!(0)).await;
            next("no", &question).ask(&stand.probe).await;
            let turn = utterance.end(&stand.probe, mark).await;
            let last = turn.spoken().last().map(|frame| frame.data["listen"].clone());
            verdict(
                question.data["listen"] == true && last == Some(json!(false)),
                format!("{}: listen", question.utterance()),
            )
        }),
        row!("ID-2", "a level that a frame claims opens nothing", |stand| {
            let doors = doors(stand).await;
            let before = doors.calls().len();
            let (utterance, mark, question) = asked(stand, "id-two", json!(5)).await;
            next("no", &question).ask(&stand.probe).await;
            let turn = utterance.end(&stand.probe, mark).await;
            verdict(
                doors.calls().len() == before && turn.ends() == 1,
                "asked all the same, and not done",
            )
        }),
    ]
}
