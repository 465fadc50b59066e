//! Beside an ovos-core: what a dispatched handler owes it (PIPELINE-1 §7 to §9, FALLBACK-1, CONVERSE-1, INTENT-4).

use serde_json::{Value, json};

use super::stand::{PIRATE, SILENCE, TESTER};
use super::{Row, Stand, row, verdict};
use crate::frame::Frame;
use crate::ovos_core::Generation;
use crate::turn::HANDLED;
use crate::wait::PATIENCE;

/// Sends a dispatch as a newer core does, and gives all that came of it until the handler said that it was done.
async fn dispatched(stand: &Stand, topic: &'static str, session: &'static str) -> Vec<Frame> {
    let mark = stand.probe.mark();
    let data = json!({"utterances": ["hello"], "utterance": "hello", "lang": "en-US"});
    let context = json!({"session": {"session_id": session}, "utterance_id": session});
    stand.send(topic, data, context).await;
    let done = |frame: &Frame| {
        let end =
            ["mycroft.skill.handler.complete", "skill.converse.response"].contains(&frame.topic.as_str());
        (end || frame.topic.ends_with("fallback.loquat.response")) && frame.session_id() == session
    };
    stand.probe.try_wait(mark, PATIENCE, done).await;
    stand.settle().await;
    let frames = stand.probe.since(mark).into_iter();
    frames.filter(|frame| frame.session_id() == session).collect()
}

/// Judges that there was one answer, and no end marker, which is the core's to send.
fn answered_once(frames: &[Frame]) -> super::Verdict {
    let spoken: Vec<_> = frames
        .iter()
        .filter(|frame| frame.is_speak() && !frame.is_twin())
        .collect();
    let ends = frames.iter().filter(|frame| frame.topic == HANDLED).count();
    let stamped = spoken.iter().all(|frame| frame.utterance_id().is_some());
    let topics: Vec<_> = frames.iter().map(|frame| frame.topic.as_str()).collect();
    verdict(spoken.len() == 1 && ends == 0 && stamped, topics.join(" "))
}

/// Gives the last row of a run, since no core is there any more after it.
pub(super) fn last_rows() -> Vec<Row> {
    vec![row!("IN-4", "at the end everything is taken back", |stand| {
        let mark = stand.probe.mark();
        stand.terminate();
        let mut seen = Vec::new();
        for topic in ["ovos.fallback.deregister", "ovos.skill.deregister"] {
            let ours = |frame: &Frame| frame.topic == topic && frame.data == json!({"skill_id": "loquat"});
            seen.extend(
                stand
                    .probe
                    .try_wait(mark, PATIENCE, ours)
                    .await
                    .map(|frame| frame.topic),
            );
        }
        verdict(seen.len() == 2, seen.join(" "))
    })]
}

/// Waits for what we said about ourselves since then.
async fn announced(stand: &Stand, mark: usize, topic: &'static str) -> Option<Frame> {
    let ours = |frame: &Frame| frame.topic == topic && frame.data["skill_id"] == "loquat";
    stand.probe.try_wait(mark, PATIENCE, ours).await
}

pub(super) fn rows() -> Vec<Row> {
    let mut rows = handler_rows();
    rows.extend(registration_rows());
    rows
}

#[expect(clippy::too_many_lines, reason = "a table of rows, each on its own")]
fn handler_rows() -> Vec<Row> {
    vec![
        row!("HD-1", "a dispatch to another is not ours", |stand| {
            let asked = stand.brain.requests(TESTER).len();
            let data = json!({"utterance": "hello", "lang": "en-US"});
            stand
                .send("other-skill:chat", data, json!({"session": {"session_id": "hd"}}))
                .await;
            stand.settle().await;
            let more = stand.brain.requests(TESTER).len() - asked;
            verdict(more == 0, format!("{more} requests to the brain"))
        }),
        row!("HD-2", "speech is derived from what was dispatched", |stand| {
            let turn = stand.say("derive it", "kitchen").await;
            let request = turn.frame("ovos.skills.fallback.loquat.request").clone();
            let speech = turn.spoken()[0];
            // Older cores send lists where there is one name.
            let name = |frame: &Frame, key: &str| match &frame.context[key] {
                Value::Array(names) => names.first().cloned().unwrap_or_default(),
                name => name.clone(),
            };
            let same = |key: &str| name(&request, key) == name(speech, key);
            verdict(
                same("utterance_id") && same("source") && same("destination"),
                format!(
                    "to {} of {}",
                    speech.context["destination"], speech.context["utterance_id"]
                ),
            )
        }),
        row!(
            "HD-7",
            "who was summoned rides on speech and completion",
            |stand| {
                let turn = stand.say("Talk to Pirate", "default").await;
                let persona = |frame: &Frame| frame.context["session"]["persona_id"].clone();
                let (speech, done) = (
                    persona(turn.spoken()[0]),
                    persona(turn.frame("mycroft.skill.handler.complete")),
                );
                stand.say("Goodbye Pirate", "default").await;
                verdict(speech == PIRATE && done == PIRATE, format!("{speech} and {done}"))
            }
        ),
        row!("HD-8", "slots are read flat and nested", |stand| {
            let mut seen = Vec::new();
            for slots in [json!({"persona": PIRATE}), json!({"slots": {"persona": PIRATE}})] {
                let mark = stand.probe.mark();
                let mut data = json!({"utterance": "ask pirate", "lang": "en-US", "query": "soup"});
                if let (Some(data), Value::Object(slots)) = (data.as_object_mut(), slots) {
                    data.extend(slots);
                }
                if data["slots"].is_object() {
                    data["slots"]["query"] = json!("soup");
                }
                let context = json!({"session": {"session_id": "hd8"}, "utterance_id": "hd8"});
                stand.send("loquat:ask", data, context).await;
                let spoken = |frame: &Frame| frame.is_speak() && frame.session_id() == "hd8";
                let spoken = stand.probe.try_wait(mark, PATIENCE, spoken).await;
                seen.push(
                    spoken
                        .map(|frame| frame.utterance().to_owned())
                        .unwrap_or_default(),
                );
            }
            verdict(
                seen.iter().all(|said| said == "The pirate has it."),
                seen.join(" "),
            )
        }),
        row!(
            "HD-3",
            "the life of an utterance is the core's to tell",
            |stand| {
                let frames = dispatched(stand, "loquat:chat", "hd3").await;
                let told = |frame: &&Frame| {
                    let life = frame.topic.starts_with("ovos.intent.handler.") || frame.topic == HANDLED;
                    life && frame.utterance_id() == Some("hd3")
                };
                let told: Vec<&str> = frames
                    .iter()
                    .filter(told)
                    .map(|frame| frame.topic.as_str())
                    .collect();
                verdict(told.is_empty(), format!("{told:?} from us"))
            }
        ),
        row!("FB-4", "the canonical fallback dispatch is handled", |stand| {
            answered_once(&dispatched(stand, "loquat:fallback", "fb4").await)
        }),
        row!("CV-4", "the canonical converse dispatch is handled", |stand| {
            answered_once(&dispatched(stand, "loquat:converse", "cv4").await)
        }),
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
    ]
}

#[expect(clippy::too_many_lines, reason = "a table of rows, each on its own")]
fn registration_rows() -> Vec<Row> {
    vec![
        row!("IN-3", "a core that is ready again is told everything", |stand| {
            let mark = stand.probe.mark();
            stand
                .send("mycroft.skills.initialized", json!({}), json!({}))
                .await;
            let fallback = announced(stand, mark, "ovos.fallback.register").await;
            let intent = announced(stand, mark, "ovos.intent.register.template").await;
            verdict(
                fallback.is_some() && intent.is_some(),
                "fallback handler and intents",
            )
        }),
        row!(
            "FB-5",
            "among the last handlers, behind those that know better",
            |stand| {
                let mark = stand.probe.mark();
                stand
                    .send("mycroft.skills.initialized", json!({}), json!({}))
                    .await;
                let frame = announced(stand, mark, "ovos.fallback.register").await;
                let priority = frame.and_then(|frame| frame.data["priority"].as_i64());
                let low = priority.is_some_and(|priority| (91..=100).contains(&priority));
                verdict(low, format!("priority {priority:?}"))
            }
        ),
        row!("IN-2", "nobody waits for an acknowledgement", |stand| {
            // What the row before has asked for comes first.
            stand.settle().await;
            let mark = stand.probe.mark();
            stand
                .send("mycroft.skills.initialized", json!({}), json!({}))
                .await;
            announced(stand, mark, "ovos.skill.loaded").await;
            stand.probe.try_wait(mark, SILENCE, |_| false).await;
            let frames = stand.probe.since(mark);
            let ours = frames.iter().filter(|frame| {
                frame.topic == "ovos.intent.register.template" && frame.data["skill_id"] == "loquat"
            });
            let mut names: Vec<String> = ours.map(|frame| frame.data["intent_name"].to_string()).collect();
            let all = names.len();
            names.sort();
            names.dedup();
            verdict(
                all > 0 && names.len() == all,
                format!("{all} intents, each told once"),
            )
        }),
        row!(
            "IN-6",
            "announced as loaded, with what we take part in",
            |stand| {
                let mark = stand.probe.mark();
                stand
                    .send("mycroft.skills.initialized", json!({}), json!({}))
                    .await;
                let loaded = announced(stand, mark, "ovos.skill.loaded").await;
                let loaded = loaded.map(|frame| frame.data).unwrap_or_default();
                let wanted = json!(["fallback", "converse"]);
                if stand.beside == Some(Generation::Stable) {
                    return verdict(loaded["capabilities"] == wanted, loaded.to_string());
                }
                let list = stand.probe.request("ovos.skills.list", &json!({})).await;
                let skills = list.data["skills"].as_array().cloned().unwrap_or_default();
                let ours = skills.iter().find(|skill| skill["skill_id"] == "loquat");
                let capabilities = ours
                    .map(|skill| skill["capabilities"].clone())
                    .unwrap_or_default();
                verdict(capabilities == wanted, format!("the core lists {capabilities}"))
            }
        ),
        row!("IN-5", "registrations are for every session", |stand| {
            let mark = stand.probe.mark();
            stand
                .send("mycroft.skills.initialized", json!({}), json!({}))
                .await;
            let frame = announced(stand, mark, "ovos.intent.register.template").await;
            let frame = frame.ok_or("no registration")?;
            let scoped = frame.data.get("session_id").is_some() || frame.session_id() != "default";
            verdict(!scoped, frame.session_id().to_owned())
        }),
        row!("IN-7", "payload and context name the same skill", |stand| {
            let mark = stand.probe.mark();
            stand
                .send("mycroft.skills.initialized", json!({}), json!({}))
                .await;
            let frame = announced(stand, mark, "ovos.intent.register.template").await;
            let id = frame
                .map(|frame| frame.context["skill_id"].clone())
                .unwrap_or_default();
            verdict(id == "loquat", id.to_string())
        }),
        row!("MS-15", "what we originate names its source", |stand| {
            let mark = stand.probe.mark();
            stand
                .send("mycroft.skills.initialized", json!({}), json!({}))
                .await;
            let frame = announced(stand, mark, "ovos.fallback.register").await;
            let source = frame
                .map(|frame| frame.context["source"].clone())
                .unwrap_or_default();
            verdict(source == "loquat", source.to_string())
        }),
        row!("SP-11", "no reserved name is registered", |stand| {
            let mark = stand.probe.mark();
            stand
                .send("mycroft.skills.initialized", json!({}), json!({}))
                .await;
            announced(stand, mark, "ovos.intent.register.template").await;
            stand.probe.try_wait(mark, SILENCE, |_| false).await;
            let reserved = ["stop", "converse", "response", "fallback", "common_query"];
            let names: Vec<String> = stand
                .probe
                .since(mark)
                .iter()
                .filter(|frame| {
                    frame.topic == "ovos.intent.register.template" && frame.data["skill_id"] == "loquat"
                })
                .map(|frame| frame.data["intent_name"].as_str().unwrap_or_default().to_owned())
                .collect();
            let clash = names.iter().any(|name| reserved.contains(&name.as_str()));
            verdict(!clash && !names.is_empty(), names.join(" "))
        }),
    ]
}
