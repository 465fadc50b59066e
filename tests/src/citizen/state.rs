//! What is kept of a session and what is not (SESSION-1 §2, SESSION-2 §2), and whose it is (USER-ID-1), where we
//! orchestrate.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::sessions::with_session;
use super::stand::PIRATE;
use super::{Row, row, verdict};
use crate::frame::Frame;
use crate::turn::{HANDLED, Utterance};

/// A recogniser's requests, which only a recogniser answers.
const SPEAKER: [&str; 4] = ["enroll", "delete", "list", "verify"];

#[expect(clippy::too_many_lines, reason = "a table of rows, each on its own")]
pub(super) fn rows() -> Vec<Row> {
    vec![
        row!(
            "SE1-7",
            "what a session leaves out is the device's, or empty",
            |stand| {
                let turn = with_session(stand, Some(json!({"session_id": "se-bare"}))).await;
                let lang = turn.frame("ovos.intent.matched").data["lang"].clone();
                let answered = turn.answer() == "The tester has it.";
                let session = &turn.frame("loquat:chat").context["session"];
                let lists = ["active_handlers", "converse_handlers"]
                    .map(|field| session[field].as_array().map(Vec::len));
                verdict(
                    answered && lang == "en-US" && lists == [Some(1), Some(1)],
                    format!("{lang}, handlers {lists:?}"),
                )
            }
        ),
        row!(
            "SE1-8",
            "empty lists are left out; the default id stays, for old peers",
            |stand| {
                let turn = with_session(stand, None).await;
                let ours = turn.frames.iter().filter(|frame| !frame.is_entry());
                let wrong = |frame: &&Frame| {
                    let session = &frame.context["session"];
                    let mut fields = session.as_object().into_iter().flatten();
                    fields.any(|(_, value)| *value == json!([])) || session["session_id"] != "default"
                };
                let wrong: Vec<String> = ours.filter(wrong).map(|frame| frame.topic.clone()).collect();
                verdict(wrong.is_empty(), format!("{} frames {wrong:?}", wrong.len()))
            }
        ),
        row!(
            "SE2-1",
            "of a named session nothing is kept that it does not bring",
            |stand| {
                let summoned = stand.say("Talk to Pirate", "se-store").await;
                let left = summoned.frame(HANDLED).context["session"]["persona_id"].clone();
                let turn = stand.say("hello", "se-store").await;
                verdict(
                    left == PIRATE && turn.answer() == "The tester has it.",
                    format!("{left} was summoned, then {}", turn.answer()),
                )
            }
        ),
        row!(
            "SE2-5",
            "a session changes at the match and nowhere else",
            |stand| {
                let turn = stand.say("change nothing", "se-five").await;
                let ours = turn.frames.iter().filter(|frame| !frame.is_entry());
                let sessions: BTreeSet<String> =
                    ours.map(|frame| frame.context["session"].to_string()).collect();
                verdict(sessions.len() == 1, format!("{} session", sessions.len()))
            }
        ),
        row!("ID-1", "nobody has to say who they are", |stand| {
            let mut said = Vec::new();
            for user in [Value::Null, json!(""), json!(7)] {
                let utterance = Utterance::new("who am I")
                    .in_session("id")
                    .session("user_id", user);
                said.push(utterance.ask(&stand.probe).await.answer().to_owned());
            }
            let answered = said.iter().all(|said| said == "The tester has it.");
            verdict(answered, said.join(" "))
        }),
        row!("ID-3", "nobody is made more than a guest by us", |stand| {
            let turn = with_session(stand, None).await;
            let fields = ["user_id", "auth_level", "authenticated_at"];
            let written = fields
                .iter()
                .filter(|field| !turn.frame(HANDLED).context["session"][**field].is_null());
            let written: Vec<_> = written.collect();
            verdict(written.is_empty(), format!("{written:?} written"))
        }),
        row!("ID-6", "the place of a session stays as it came", |stand| {
            let mut seen = BTreeSet::new();
            for session in ["default", "id-six"] {
                let utterance = Utterance::new("where am I")
                    .in_session(session)
                    .session("site_id", json!("Attic No. 1"));
                let turn = utterance.ask(&stand.probe).await;
                seen.extend(
                    turn.frames
                        .iter()
                        .map(|frame| frame.context["session"]["site_id"].to_string()),
                );
            }
            with_session(stand, Some(json!({"session_id": "default", "site_id": "attic"}))).await;
            verdict(seen.len() == 1, format!("{seen:?}"))
        }),
        row!(
            "ID-7",
            "what we say finds its way home through a bridge",
            |stand| {
                let utterance = Utterance::new("from afar").in_session("id-seven");
                let mut frame = utterance.frame();
                frame["context"]["source"] = json!("satellite-7");
                let mark = stand.probe.mark();
                stand.probe.send(&frame).await;
                let turn = utterance.end(&stand.probe, mark).await;
                let homes = ["ovos.utterance.speak", HANDLED]
                    .map(|topic| turn.frame(topic).context["destination"].clone());
                verdict(
                    homes.iter().all(|home| home == "satellite-7"),
                    format!("to {homes:?}"),
                )
            }
        ),
        row!("ID-8", "whoever knows no speakers answers for none", |stand| {
            let mark = stand.probe.mark();
            for request in SPEAKER {
                stand
                    .send(&format!("ovos.speaker.{request}"), json!({}), json!({}))
                    .await;
            }
            stand.probe.try_wait(mark, super::stand::SILENCE, |_| false).await;
            let answers = |frame: &&Frame| {
                frame.topic.starts_with("ovos.speaker.") && frame.topic.ends_with(".response")
            };
            let answers = stand.probe.since(mark).iter().filter(answers).count();
            verdict(answers == 0, format!("{answers} answers"))
        }),
    ]
}
