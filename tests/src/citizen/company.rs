//! In the company of skills, where we orchestrate: who is asked first, for how long, and who is left alone.

use std::time::Duration;

use serde_json::json;

use super::stand::{PIRATE, SILENCE};
use super::{Row, Stand, row, verdict};
use crate::frame::Frame;
use crate::skill::{Manners, ScriptedSkill};
use crate::turn::{HANDLED, Turn, Utterance};
use crate::wait::PATIENCE;

const SKILL: &str = "test-skill";

/// A skill that is asked and says nothing holds the utterance up no longer than this.
const BOUND: Duration = Duration::from_secs(10);

fn listed(skill_id: &str, activated_at: f64) -> serde_json::Value {
    json!([{"skill_id": skill_id, "activated_at": activated_at}])
}

/// Joins as a skill that does this, with an intent for `hello {name}`.
async fn skill(stand: &Stand, manners: Manners) -> ScriptedSkill {
    let skill = ScriptedSkill::join(stand.port, SKILL, manners).await;
    skill.teach("greet", &["hello {name}"]).await;
    skill
}

async fn leave(skill: ScriptedSkill) {
    for topic in ["ovos.fallback.deregister", "ovos.skill.deregister"] {
        skill.tell(topic, &json!({"skill_id": SKILL})).await;
    }
}

fn owner(turn: &Turn) -> String {
    let matched = turn
        .frames
        .iter()
        .find(|frame| frame.topic == "ovos.intent.matched");
    let data = matched.map(|frame| frame.data.clone()).unwrap_or_default();
    format!(
        "{}:{}",
        data["skill_id"].as_str().unwrap_or("nobody"),
        data["intent_name"].as_str().unwrap_or_default()
    )
}

async fn through(stand: &Stand, stage: &str) -> String {
    let utterance = Utterance::new("x y z").in_session("company");
    owner(
        &utterance
            .session("pipeline", json!([stage]))
            .ask(&stand.probe)
            .await,
    )
}

#[expect(clippy::too_many_lines, reason = "a table of rows, each on its own")]
pub(super) fn rows() -> Vec<Row> {
    vec![
        row!(
            "PL-14",
            "who is asked and is silent is not waited for, nor heard late",
            |stand| {
                let utterance = Utterance::new("is it there")
                    .in_session("mute")
                    .session("converse_handlers", listed("mute-skill", 4e9));
                let mark = utterance.enter(&stand.probe).await;
                let turn = utterance.end(&stand.probe, mark).await;
                let ping = turn.frame("ovos.converse.ping");
                let took = turn.frame("ovos.intent.matched").seen - ping.seen;
                let late = ping.reply(
                    "ovos.converse.pong",
                    &json!({"skill_id": "mute-skill", "can_handle": true}),
                );
                stand.probe.send(&late).await;
                stand.settle().await;
                let heard = |frame: &&Frame| frame.topic.starts_with("mute-skill:");
                let heard = stand.probe.since(mark).iter().filter(heard).count();
                verdict(
                    took < BOUND && heard == 0,
                    format!("after {took:?}, {heard} late dispatches"),
                )
            }
        ),
        row!(
            "SP-5",
            "where nobody says that it can stop, the newest is stopped",
            |stand| {
                let skill = skill(stand, Manners::modern()).await;
                let word = Utterance::new("stop")
                    .in_session("sp-five")
                    .session("active_handlers", listed(SKILL, 4e9));
                let turn = word.ask(&stand.probe).await;
                leave(skill).await;
                verdict(
                    owner(&turn) == "test-skill:stop" && turn.ends() == 1,
                    format!("{}, {} end", owner(&turn), turn.ends()),
                )
            }
        ),
        row!(
            "SP-8",
            "of those who could be stopped, the newest by its time is",
            |stand| {
                let skill = skill(stand, Manners::modern()).await;
                let handlers = json!([{"skill_id": "older-skill", "activated_at": 3e9},
                                      {"skill_id": SKILL, "activated_at": 4e9}]);
                let word = Utterance::new("stop")
                    .in_session("sp-eight")
                    .session("active_handlers", handlers);
                let turn = word.ask(&stand.probe).await;
                leave(skill).await;
                verdict(
                    owner(&turn) == "test-skill:stop" && turn.ends() == 1,
                    format!("{}, listed second", owner(&turn)),
                )
            }
        ),
        row!("CV-7", "a conversation goes before an intent", |stand| {
            let manners = Manners {
                converses: true,
                ..Manners::modern()
            };
            let skill = skill(stand, manners).await;
            let utterance = Utterance::new("hello ada")
                .in_session("cv-seven")
                .session("converse_handlers", listed(SKILL, 4e9));
            let conversing = owner(&utterance.ask(&stand.probe).await);
            let greeted = owner(&stand.say("hello ada", "cv-seven").await);
            leave(skill).await;
            verdict(
                conversing == "test-skill:converse" && greeted == "test-skill:greet",
                format!("{conversing} before {greeted}"),
            )
        }),
        row!(
            "CV-8",
            "who has been silent for five minutes is no participant",
            |stand| {
                let utterance = Utterance::new("hello")
                    .in_session("cv-eight")
                    .session("converse_handlers", listed("old-skill", 1.0));
                let turn = utterance.ask(&stand.probe).await;
                let left = turn.frame(HANDLED).context["session"]["converse_handlers"].to_string();
                verdict(!left.contains("old-skill"), left)
            }
        ),
        row!(
            "PE-21",
            "skills, then the persona, then general chat of others",
            |stand| {
                let manners = Manners {
                    falls_back: true,
                    ..Manners::modern()
                };
                let skill = skill(stand, manners).await;
                let mut owners = Vec::new();
                for (priority, text, persona) in [
                    (50, "x y z", ""),
                    (99, "x y z", ""),
                    (99, "x y z", PIRATE),
                    (99, "hello ada", PIRATE),
                ] {
                    skill.offer(priority).await;
                    let utterance = Utterance::new(text).in_session("pe-order").to(persona);
                    owners.push(owner(&utterance.ask(&stand.probe).await));
                }
                leave(skill).await;
                let wanted = [
                    "test-skill:fallback",
                    "loquat:chat",
                    "loquat:chat",
                    "test-skill:greet",
                ];
                verdict(owners == wanted, owners.join(" "))
            }
        ),
        row!("FB-5", "a band has the handlers of its priorities", |stand| {
            let manners = Manners {
                falls_back: true,
                ..Manners::modern()
            };
            let skill = skill(stand, manners).await;
            let mut seen = Vec::new();
            for (priority, stage) in [
                (5, "loquat-fallback-high"),
                (6, "loquat-fallback-high"),
                (6, "loquat-fallback-medium"),
                (90, "loquat-fallback-medium"),
                (91, "loquat-fallback-medium"),
            ] {
                skill.offer(priority).await;
                let has_it = through(stand, stage).await == "test-skill:fallback";
                seen.push(has_it);
            }
            leave(skill).await;
            verdict(seen == [true, false, true, true, false], format!("{seen:?}"))
        }),
        row!("IN-2", "a registration is not acknowledged", |stand| {
            let mark = stand.probe.mark();
            let data = json!({"skill_id": SKILL, "intent_name": "quiet", "lang": "en-US", "samples": ["paint the fence"]});
            stand
                .send("ovos.intent.register.template", data, json!({"skill_id": SKILL}))
                .await;
            stand.probe.try_wait(mark, SILENCE, |_| false).await;
            let answers = |frame: &&Frame| frame.topic.starts_with("ovos.intent.register.template.");
            let answers = stand.probe.since(mark).iter().filter(answers).count();
            let gone = json!({"skill_id": SKILL});
            stand
                .send("ovos.skill.deregister", gone, json!({"skill_id": SKILL}))
                .await;
            let turn = stand.say("paint the fence", "in-two").await;
            let is_gone = owner(&turn) == "loquat:chat";
            let echo = |frame: &Frame| frame.topic == "ovos.skill.deregister";
            stand.probe.wait("the echo", mark, PATIENCE, echo).await;
            verdict(answers == 0 && is_gone, format!("{answers} answers"))
        }),
    ]
}
