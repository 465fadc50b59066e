//! The life of an utterance (PIPELINE-1), and of one that ovos-core hands to us.

use serde_json::{Value, json};

use super::{Row, row, verdict};
use crate::frame::Frame;
use crate::ovos_core::Generation;
use crate::skill::{Manners, ScriptedSkill};
use crate::turn::{HANDLED, Turn, Utterance};
use crate::wait::PATIENCE;

/// Judges that there was one end, as many beginnings as ends of handlers, and one id on everything.
fn closed(turn: &Turn) -> super::Verdict {
    let count = |topic: &str| turn.frames.iter().filter(|frame| frame.topic == topic).count();
    let starts = count("ovos.intent.handler.start");
    let ends = count("ovos.intent.handler.complete") + count("ovos.intent.handler.error");
    let ids: std::collections::BTreeSet<_> = turn.frames.iter().filter_map(Frame::utterance_id).collect();
    let holds = turn.ends() == 1 && starts == ends && ids.len() == 1;
    verdict(
        holds,
        format!(
            "{} end, {starts} starts, {ends} ends of handlers, {} id",
            turn.ends(),
            ids.len()
        ),
    )
}

fn topics_in_order(turn: &Turn, wanted: &[&str]) -> super::Verdict {
    let topics = turn.topics();
    let mut rest = topics.iter();
    let holds = wanted.iter().all(|wanted| rest.any(|topic| topic == wanted));
    verdict(holds, topics.join(" "))
}

#[expect(clippy::too_many_lines, reason = "a table of rows, each on its own")]
pub(super) fn rows() -> Vec<Row> {
    vec![
        row!("PL-1", "both names of the entry, and twins once", |stand| {
            let asked = stand.brain.requests(super::stand::TESTER).len();
            let twin = Utterance::new("twice told").in_session("twin");
            let mark = stand.probe.mark();
            let mut frame = twin.clone().canonical().frame();
            stand.probe.send(&frame).await;
            frame["type"] = json!("recognizer_loop:utterance");
            frame["context"]["_namespace_compat_twin"] = json!(true);
            stand.probe.send(&frame).await;
            let turn = twin.end(&stand.probe, mark).await;
            let alone = Utterance::new("once told").in_session("twin");
            let mark = stand.probe.mark();
            let mut frame = alone.frame();
            frame["context"]["_namespace_compat_twin"] = json!(true);
            stand.probe.send(&frame).await;
            let marked = alone.end(&stand.probe, mark).await;
            let times = stand.brain.requests(super::stand::TESTER).len() - asked;
            let holds = turn.ends() == 1 && marked.ends() == 1 && times == 2;
            verdict(
                holds,
                format!("canonical with twin and a lone marked frame: {times} turns"),
            )
        }),
        row!("PL-2", "one utterance_id on everything", |stand| closed(
            &stand.say("a plain question", "pl").await
        )),
        row!("PL-3", "one end, also when the brain fails", |stand| {
            let turn = stand.say("please fail", "pl").await;
            closed(&turn)?;
            verdict(
                !turn.spoken().is_empty(),
                format!("{:?}", turn.spoken()[0].utterance()),
            )
        }),
        row!("PL-4", "an empty list is unmatched and ended", |stand| {
            let utterance = Utterance::new("").in_session("pl");
            topics_in_order(
                &utterance.ask(&stand.probe).await,
                &["ovos.intent.unmatched", HANDLED],
            )
        }),
        row!("PL-5", "a pipeline of strangers matches nothing", |stand| {
            let utterance = Utterance::new("x").session("pipeline", json!(["nobody"]));
            topics_in_order(
                &utterance.ask(&stand.probe).await,
                &["ovos.intent.unmatched", HANDLED],
            )
        }),
        row!("PL-6", "deny lists hold", |stand| {
            let utterance = Utterance::new("x").session("blacklisted_skills", json!(["loquat"]));
            let turn = utterance.ask(&stand.probe).await;
            topics_in_order(&turn, &["ovos.intent.unmatched", HANDLED])
        }),
        row!(
            "PL-7",
            "matched, start, dispatch, speech, complete, end",
            |stand| {
                let wanted = [
                    "ovos.intent.matched",
                    "ovos.intent.handler.start",
                    "loquat:chat",
                    "ovos.utterance.speak",
                    "ovos.intent.handler.complete",
                    HANDLED,
                ];
                topics_in_order(&stand.say("in order", "pl").await, &wanted)
            }
        ),
        row!(
            "PL-8",
            "the dispatch is a reply with lang, utterance and slots",
            |stand| {
                let turn = stand.say("exactly this", "pl").await;
                let dispatch = turn.frame("loquat:chat");
                let keys: Vec<&String> = dispatch
                    .data
                    .as_object()
                    .into_iter()
                    .flat_map(|data| data.keys())
                    .collect();
                let stamped =
                    dispatch.context["skill_id"] == "loquat" && dispatch.context["pipeline_id"].is_string();
                let turned =
                    dispatch.context["source"] == "skills" && dispatch.context["destination"] == "audio";
                verdict(
                    keys.len() == 3 && stamped && turned,
                    format!("{} {}", dispatch.data, dispatch.context["pipeline_id"]),
                )
            }
        ),
        row!("PL-9", "the handler becomes active", |stand| {
            let turn = stand.say("be active", "pl").await;
            let session = &turn.frame("loquat:chat").context["session"];
            let first = &session["active_handlers"][0];
            verdict(
                first["skill_id"] == "loquat" && first["activated_at"].is_number(),
                first.to_string(),
            )
        }),
        row!("PL-10", "and may converse", |stand| {
            let turn = stand.say("be there", "pl").await;
            let first = &turn.frame("loquat:chat").context["session"]["converse_handlers"][0];
            verdict(first["skill_id"] == "loquat", first.to_string())
        }),
        row!("PL-11", "a skill's intent: the trio, then the end", |stand| {
            let skill = ScriptedSkill::join(stand.port, "test-skill", Manners::modern()).await;
            skill.teach("greet", &["hello {name}"]).await;
            let turn = stand.say("hello ada", "pl").await;
            skill
                .tell("ovos.skill.deregister", &json!({"skill_id": "test-skill"}))
                .await;
            closed(&turn)?;
            topics_in_order(
                &turn,
                &[
                    "ovos.intent.handler.start",
                    "test-skill:greet",
                    "ovos.intent.handler.complete",
                    HANDLED,
                ],
            )
        }),
        row!("PL-13", "another utterance during a long run", |stand| {
            let long = Utterance::new("ponder this").in_session("pl-long");
            let mark = long.enter(&stand.probe).await;
            let quick = stand.say("a quick one", "pl-quick").await;
            let open = long.seen(&stand.probe.recording(), mark).ends() == 0;
            stand
                .send(
                    "ovos.stop",
                    json!({}),
                    json!({"session": {"session_id": "pl-long"}}),
                )
                .await;
            long.end(&stand.probe, mark).await;
            verdict(
                open && quick.ends() == 1,
                "answered while the other was thought about",
            )
        }),
        row!("PL-17", "every stage lists its intents", |stand| {
            let mut seen = Vec::new();
            for stage in ["loquat", "loquat-fallback", "loquat-stop", "loquat-converse"] {
                let answer = stand
                    .probe
                    .request(&format!("ovos.pipeline.{stage}.intents.list"), &json!({}))
                    .await;
                let intents = answer.data["intents"].as_array().map(Vec::len);
                seen.push(format!(
                    "{stage} {}",
                    intents.ok_or_else(|| answer.data.to_string())?
                ));
            }
            verdict(true, seen.join(", "))
        }),
        row!("PL-19", "who may converse is told", |stand| {
            let answer = stand.probe.request("ovos.converse.active.list", &json!({})).await;
            verdict(
                answer.data["converse_handlers"].is_array(),
                answer.data.to_string(),
            )
        }),
        row!("PL-20", "the manifest is answered", |stand| {
            let intents = stand.probe.request("ovos.intent.list", &json!({})).await;
            let skills = stand.probe.request("ovos.skills.list", &json!({})).await;
            let count = intents.data["intents"].as_array().map(Vec::len);
            verdict(
                count.is_some() && skills.data["skills"].is_array(),
                format!("{count:?} intents"),
            )
        }),
        row!("LA-1", "the first good language signal counts", |stand| {
            let mut seen = Vec::new();
            for (data, session, wanted) in [
                (json!("de-de"), json!({"lang": "fr-FR"}), "de-DE"),
                (
                    Value::Null,
                    json!({"stt_lang": "it-IT", "lang": "fr-FR"}),
                    "it-IT",
                ),
                (
                    Value::Null,
                    json!({"request_lang": "es-ES", "detected_lang": "pt-PT"}),
                    "pt-PT",
                ),
                (Value::Null, json!({}), "en-US"),
            ] {
                let utterance = Utterance::new("x").in_session("la");
                let mut frame = utterance.frame();
                frame["data"]["lang"] = data;
                let mut session = session;
                session["session_id"] = json!("la");
                frame["context"]["session"] = session;
                let mark = stand.probe.mark();
                stand.probe.send(&frame).await;
                let turn = utterance.end(&stand.probe, mark).await;
                let lang = turn.frame("ovos.intent.matched").data["lang"].clone();
                if lang != wanted {
                    return Err(format!("{lang} instead of {wanted}"));
                }
                seen.push(wanted);
            }
            verdict(true, seen.join(" "))
        }),
        row!("LA-3", "answers are in output_lang, and say so", |stand| {
            let utterance = Utterance::new("x").session("output_lang", json!("de-DE"));
            let turn = utterance.ask(&stand.probe).await;
            let lang = turn.spoken()[0].data["lang"].clone();
            verdict(lang == "de-DE", lang.to_string())
        }),
    ]
}

/// Beside a core it orchestrates; we answer once and it, or we for it, end once.
#[expect(clippy::too_many_lines, reason = "a table of rows, each on its own")]
pub(super) fn guest_rows() -> Vec<Row> {
    vec![
        row!("FB-1", "registered with the core", |stand| {
            let turn = stand.say("are you there", "default").await;
            verdict(turn.answer() == "The tester has it.", turn.topics().join(" "))
        }),
        row!("HD-4", "a command: done once, ended once", |stand| {
            let turn = stand.say("who am I talking to", "default").await;
            let done = |frame: &&Frame| {
                frame.topic.starts_with("mycroft.skill.handler.") && frame.context["skill_id"] == "loquat"
            };
            let done: Vec<&str> = turn
                .frames
                .iter()
                .filter(done)
                .map(|frame| frame.topic.as_str())
                .collect();
            let wanted = ["mycroft.skill.handler.start", "mycroft.skill.handler.complete"];
            verdict(
                done == wanted && turn.ends() == 1,
                format!("{} and {} end", done.join(" "), turn.ends()),
            )
        }),
        row!("HD-5", "one answer and one end, also on failure", |stand| {
            let good = stand.say("once more", "default").await;
            let bad = stand.say("please fail", "kitchen").await;
            let holds =
                good.ends() == 1 && bad.ends() == 1 && good.spoken().len() == 1 && bad.spoken().len() == 1;
            verdict(holds, format!("{} and {} ends", good.ends(), bad.ends()))
        }),
        row!("HD-6", "what we originate carries our id", |stand| {
            let turn = stand.say("who are you", "default").await;
            let id = turn.spoken()[0].context["skill_id"].clone();
            verdict(id == "loquat", id.to_string())
        }),
        row!("FB-2", "every ping is answered, in time", |stand| {
            let mark = stand.probe.mark();
            let data = json!({"utterances": ["x y z"], "lang": "en-US"});
            stand
                .send(
                    "ovos.skills.fallback.ping",
                    data,
                    json!({"session": {"session_id": "fb"}}),
                )
                .await;
            let is = |name: &'static str| {
                move |frame: &Frame| frame.topic.ends_with(name) && frame.session_id() == "fb"
            };
            let ping = stand
                .probe
                .wait("the echo", mark, super::stand::SILENCE, is("fallback.ping"))
                .await;
            let pong = stand
                .probe
                .wait("a pong", mark, super::stand::SILENCE, is("fallback.pong"))
                .await;
            let took = pong.seen - ping.seen;
            let holds = took.as_millis() < 100
                && pong.data["can_handle"] == true
                && pong.data["utterance"] == "x y z";
            verdict(holds, format!("{took:?} {}", pong.data))
        }),
        row!(
            "FB-3",
            "they are answered without a brain, also at work",
            |stand| {
                let mut turns = Vec::new();
                for session in ["default", "fb-one", "fb-two"] {
                    turns.push((session, super::stop::pondering(stand, session).await));
                }
                let mark = stand.probe.mark();
                let data = json!({"utterances": ["x y z"], "lang": "en-US"});
                let context = json!({"session": {"session_id": "fb-three"}});
                stand.send("ovos.fallback.ping", data, context).await;
                let is = |name: &'static str| {
                    move |frame: &Frame| frame.topic.ends_with(name) && frame.session_id() == "fb-three"
                };
                let ping = stand
                    .probe
                    .wait("the echo", mark, PATIENCE, is("fallback.ping"))
                    .await;
                let pong = stand
                    .probe
                    .wait("a pong", mark, PATIENCE, is("fallback.pong"))
                    .await;
                for (session, (long, mark)) in turns {
                    let context = json!({"session": {"session_id": session}});
                    stand.send("ovos.stop", json!({}), context).await;
                    long.end(&stand.probe, mark).await;
                }
                let took = pong.seen - ping.seen;
                verdict(took.as_millis() < 100, format!("{took:?} beside 3 turns"))
            }
        ),
        row!("CV-1", "silent where the session does not list us", |stand| {
            let data = json!({"utterances": ["x"], "lang": "en-US"});
            let context = json!({"session": {"session_id": "cv"}, "utterance_id": "cv1"});
            let pongs = stand
                .answers("ovos.converse.ping", data, context, "ovos.converse.pong")
                .await;
            let ours = pongs
                .iter()
                .filter(|pong| pong.data["skill_id"] == "loquat")
                .count();
            verdict(ours == 0, format!("{ours} pongs"))
        }),
        row!("CV-2", "answered where it does, with both field names", |stand| {
            let data = json!({"utterances": ["x"], "lang": "en-US"});
            let session = json!({"session_id": "cv", "converse_handlers": [{"skill_id": "loquat", "activated_at": 4e9}]});
            let context = json!({"session": session, "utterance_id": "cv2"});
            let pong = stand
                .ask("ovos.converse.ping", data, context, "ovos.converse.pong")
                .await;
            let data = pong.map(|pong| pong.data).unwrap_or_default();
            verdict(
                data["result"] == false && data["can_handle"] == false,
                data.to_string(),
            )
        }),
        row!(
            "CV-3",
            "a refusal has no reason that is not ours to give",
            |stand| {
                let data = json!({"utterances": ["x"], "lang": "en-US"});
                let session = json!({"session_id": "cv", "converse_handlers": [{"skill_id": "loquat", "activated_at": 4e9}]});
                let context = json!({"session": session, "utterance_id": "cv3"});
                let pong = stand
                    .ask("ovos.converse.ping", data, context, "ovos.converse.pong")
                    .await;
                let code = pong
                    .map(|pong| pong.data["error_code"].clone())
                    .unwrap_or_default();
                let codes = ["done", "not_eligible", "handler_error", "killed"];
                let known = code.as_str().is_none_or(|code| codes.contains(&code));
                verdict(known, format!("error_code {code}"))
            }
        ),
        row!("IN-1", "our commands are intents of the core", |stand| {
            if stand.beside == Some(Generation::Stable) {
                let turn = stand.say("Talk to Tester", "default").await;
                stand.say("Goodbye Tester", "default").await;
                return verdict(turn.answer().contains("Tester"), turn.answer().to_owned());
            }
            let answer = stand.probe.request("ovos.intent.list", &json!({})).await;
            let entries = answer.data["intents"].as_array().cloned().unwrap_or_default();
            let ours = entries
                .iter()
                .filter(|entry| entry["skill_id"] == "loquat")
                .count();
            verdict(ours >= 5, format!("{ours} intents of ours in the manifest"))
        }),
    ]
}
