//! Sessions, derivations and languages through whole turns (MSG-1 §5, SESSION-1, SESSION-2), where we orchestrate.

use serde_json::{Value, json};

use super::stand::{PIRATE, TESTER};
use super::{Row, Stand, row, verdict};
use crate::frame::Frame;
use crate::skill::{Manners, ScriptedSkill};
use crate::turn::{HANDLED, Turn, Utterance};

/// What an orchestrator adds to a session by itself; the last is the older name of the first.
const OWNED: [&str; 3] = ["active_handlers", "converse_handlers", "active_skills"];

/// Says an utterance whose frame has exactly this session, or none.
pub(super) async fn with_session(stand: &Stand, session: Option<Value>) -> Turn {
    let utterance = Utterance::new("hello there");
    let mut frame = utterance.frame();
    match session {
        Some(session) => frame["context"]["session"] = session,
        None => drop(
            frame["context"]
                .as_object_mut()
                .and_then(|context| context.remove("session")),
        ),
    }
    let mark = stand.probe.mark();
    stand.probe.send(&frame).await;
    utterance.end(&stand.probe, mark).await
}

fn left(turn: &Turn, field: &str) -> Value {
    turn.frame(HANDLED).context["session"][field].clone()
}

#[expect(clippy::too_many_lines, reason = "a table of rows, each on its own")]
pub(super) fn rows() -> Vec<Row> {
    vec![
        row!("MS-9", "speech and the end of a handler are forwards", |stand| {
            let turn = stand.say("go forward", "ms").await;
            let dispatch = turn.frame("loquat:chat");
            let derived =
                ["ovos.utterance.speak", "ovos.intent.handler.complete"].map(|topic| turn.frame(topic));
            let same = derived.iter().all(|frame| frame.context == dispatch.context);
            verdict(same, dispatch.context.to_string())
        }),
        row!("MS-11", "an answer is a reply on .response", |stand| {
            let context = json!({"destination": "there", "k": 1});
            let answer = stand
                .ask("ovos.tools.list", json!({}), context, "ovos.tools.list.response")
                .await;
            let context = answer.map(|frame| frame.context).unwrap_or_default();
            let holds =
                context["source"] == "there" && context["destination"] == "suite" && context["k"] == 1;
            verdict(holds, context.to_string())
        }),
        row!("MS-12", "an unknown session key survives a turn", |stand| {
            let utterance = Utterance::new("carry this").session("zzz", json!({"deep": [1]}));
            let turn = utterance.ask(&stand.probe).await;
            let ours = turn.frames.iter().filter(|frame| !frame.is_entry());
            let lost = ours.filter(|frame| frame.context["session"]["zzz"] != json!({"deep": [1]}));
            let lost: Vec<_> = lost.map(|frame| frame.topic.clone()).collect();
            verdict(
                lost.is_empty(),
                format!("{} frames without it {lost:?}", lost.len()),
            )
        }),
        row!(
            "SE1-3",
            "no session, an empty one and the default are one",
            |stand| {
                stand.say("Talk to Pirate", "default").await;
                let mut said = Vec::new();
                for session in [
                    None,
                    Some(json!(null)),
                    Some(json!({})),
                    Some(json!({"session_id": "default"})),
                ] {
                    let turn = with_session(stand, session).await;
                    said.push(turn.answer().to_owned());
                }
                stand.say("Goodbye Pirate", "default").await;
                let same = said.iter().all(|said| said == "The pirate has it.");
                verdict(same, said.join(" "))
            }
        ),
        row!("SE1-6", "what one session says, another never sees", |stand| {
            stand.say("the password is heron", "se-one").await;
            stand.say("what is the password", "se-two").await;
            let requests = stand.brain.requests(TESTER);
            let seen = requests
                .last()
                .map(crate::brain::Request::text)
                .unwrap_or_default();
            verdict(!seen.contains("heron"), "its brain was asked without it")
        }),
        row!(
            "SE1-9",
            "the clock of a session is where the session is",
            |stand| {
                let mut seen = Vec::new();
                for (zone, offset) in [("Asia/Tokyo", "+09:00"), ("America/Phoenix", "-07:00")] {
                    let session = json!({"session_id": "tz", "location": {"tz": zone}});
                    let answer = stand
                        .ask(
                            "ovos.tools.invoke",
                            json!({"name": "get_current_datetime"}),
                            json!({"session": session}),
                            "ovos.tools.invoke.response",
                        )
                        .await;
                    let iso = answer
                        .map(|frame| frame.data["result"]["iso"].to_string())
                        .unwrap_or_default();
                    if !iso.contains(offset) {
                        return Err(format!("{zone}: {iso}"));
                    }
                    seen.push(iso);
                }
                verdict(true, seen.join(" "))
            }
        ),
        row!("SE1-10", "nothing foreign is added to a named session", |stand| {
            let turn = with_session(stand, Some(json!({"session_id": "bare"}))).await;
            let session = turn.frame(HANDLED).context["session"].clone();
            let keys = session.as_object().into_iter().flat_map(|session| session.keys());
            let added: Vec<_> = keys
                .filter(|key| *key != "session_id" && !OWNED.contains(&key.as_str()))
                .collect();
            verdict(added.is_empty(), format!("{added:?} added"))
        }),
        row!(
            "SE2-2",
            "the device's session keeps what a frame leaves out",
            |stand| {
                let sent = json!({"session_id": "default", "site_id": "attic"});
                with_session(stand, Some(sent)).await;
                let turn = with_session(stand, None).await;
                let site = left(&turn, "site_id");
                verdict(site == "attic", site.to_string())
            }
        ),
        row!("SE2-3", "the session of a match replaces the whole", |stand| {
            stand.say("Talk to Pirate", "default").await;
            let released = stand.say("Goodbye Pirate", "default").await;
            let session = released.frame(HANDLED).context["session"].clone();
            verdict(session.get("persona_id").is_none(), session.to_string())
        }),
        row!(
            "SE2-4",
            "the first frame of a session needs no handshake",
            |stand| {
                let turn = stand.say("hello", "never-seen-before").await;
                verdict(turn.answer() == "The tester has it.", turn.answer().to_owned())
            }
        ),
        row!("SE2-8", "no topic pushes a session", |stand| {
            let pushed: Vec<_> = stand
                .ours()
                .into_iter()
                .filter(|frame| {
                    frame["type"]
                        .as_str()
                        .is_some_and(|topic| topic.starts_with("ovos.session."))
                })
                .filter(|frame| frame["type"] != "ovos.session.rejected")
                .collect();
            verdict(pushed.is_empty(), format!("{} such frames", pushed.len()))
        }),
        row!("LA-2", "an utterance is matched in one language", |stand| {
            let utterance = Utterance::new("hallo").session("secondary_langs", json!(["de-DE", "fr-FR"]));
            let turn = utterance.ask(&stand.probe).await;
            let langs: std::collections::BTreeSet<_> = turn
                .frames
                .iter()
                .filter(|frame| !frame.is_entry() && !frame.is_speak())
                .filter_map(|frame| frame.data["lang"].as_str())
                .collect();
            verdict(langs.len() == 1, format!("{langs:?}"))
        }),
        row!("LA-4", "an answer in another language says in which", |stand| {
            let utterance = Utterance::new("x").session("output_lang", json!("it-IT"));
            let turn = utterance.ask(&stand.probe).await;
            let (asked, said) = (
                turn.frame("ovos.intent.matched").data["lang"].clone(),
                turn.spoken()[0].data["lang"].clone(),
            );
            verdict(
                asked == "en-US" && said == "it-IT",
                format!("{asked} answered in {said}"),
            )
        }),
        row!(
            "PL-15",
            "without a match: unmatched, then the end at once",
            |stand| {
                let utterance = Utterance::new("x y z").session("pipeline", json!(["loquat-stop"]));
                let turn = utterance.ask(&stand.probe).await;
                verdict(
                    turn.topics() == ["ovos.intent.unmatched", HANDLED],
                    turn.topics().join(" "),
                )
            }
        ),
        row!("PL-18", "the ids of stages are words", |stand| {
            let turn = stand.say("which stage", "pl").await;
            let ids: std::collections::BTreeSet<_> = turn
                .frames
                .iter()
                .filter_map(|frame| frame.context["pipeline_id"].as_str())
                .collect();
            let letter = |letter: char| letter.is_ascii_alphanumeric() || "_-".contains(letter);
            let legal = ids.iter().all(|id| !id.is_empty() && id.chars().all(letter));
            verdict(legal && ids.len() == 1, format!("{ids:?}"))
        }),
        row!(
            "PE-3",
            "a summoned persona takes everything that reaches it",
            |stand| {
                for text in [
                    "?",
                    "no",
                    "a very long sentence about nothing in particular",
                    "42",
                ] {
                    let turn = Utterance::new(text)
                        .in_session("pe")
                        .to(PIRATE)
                        .ask(&stand.probe)
                        .await;
                    if turn.answer() != "The pirate has it." {
                        return Err(format!("{text}: {}", turn.answer()));
                    }
                }
                verdict(true, "4 utterances")
            }
        ),
        row!(
            "PE-5",
            "to ask for a persona that is not there is talk",
            |stand| {
                let turn = stand.say("Ask Nobodaddy about soup", "pe").await;
                verdict(turn.answer() == "The tester has it.", turn.answer().to_owned())
            }
        ),
        row!(
            "PE-9",
            "a match has id, intent, language and a candidate",
            |stand| {
                let utterance = Utterance::new("who are you").in_session("pe").to(PIRATE);
                let matched = utterance
                    .ask(&stand.probe)
                    .await
                    .frame("ovos.intent.matched")
                    .data
                    .clone();
                let holds = matched["skill_id"] == matched["pipeline_id"]
                    && matched["intent_name"] == "chat"
                    && matched["utterance"] == "who are you"
                    && matched["lang"] == "en-US";
                verdict(holds, matched.to_string())
            }
        ),
        row!("PE-10", "speech comes before the end, in its language", |stand| {
            let turn = stand.say("say it", "pe").await;
            turn.assert_ended_once();
            verdict(turn.spoken().len() == 1, turn.spoken()[0].data.to_string())
        }),
        row!(
            "FB-6",
            "behind all others somebody says that nobody knows",
            |stand| {
                let utterance = Utterance::new("x y z").session("pipeline", json!(["loquat-fallback-low"]));
                let turn = utterance.ask(&stand.probe).await;
                verdict(!turn.answer().is_empty(), turn.answer().to_owned())
            }
        ),
        row!("CV-6", "the reply that a skill waits for goes to it", |stand| {
            let manners = Manners {
                takes_replies: true,
                ..Manners::modern()
            };
            let skill = ScriptedSkill::join(stand.port, "test-skill", manners).await;
            let handlers = json!([{"skill_id": "test-skill", "activated_at": 4e9}]);
            let reply = |expires: f64| {
                Utterance::new("this is it")
                    .in_session("cv")
                    .session("converse_handlers", handlers.clone())
                    .session(
                        "response_mode",
                        json!({"skill_id": "test-skill", "expires_at": expires}),
                    )
            };
            let live = reply(4e9).ask(&stand.probe).await;
            let dead = reply(1.0).ask(&stand.probe).await;
            drop(skill);
            let cleared = live.frame("test-skill:response").context["session"]["response_mode"].is_null();
            let inert = !dead
                .frames
                .iter()
                .any(|frame: &Frame| frame.topic == "test-skill:response");
            verdict(cleared && inert, "taken once, and an expired wait is none")
        }),
    ]
}
