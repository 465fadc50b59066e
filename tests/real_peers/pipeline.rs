//! Our pipeline plugin in the real core: personas at their place in its pipeline, as PERSONA-1 has it, and nothing where
//! no Loquat answers.

use std::time::Duration;

use loquat_tests::brain::{Gate, Reply, ScriptedBrain};
use loquat_tests::frame::Frame;
use loquat_tests::ovos_core::Generation;
use loquat_tests::peers::Peers;
use loquat_tests::persona::Persona;
use loquat_tests::turn::{HANDLED, Turn, Utterance};
use loquat_tests::wait::PATIENCE;
use serde_json::json;

use crate::{GENERATIONS, TESTER, daemon};

const PIRATE: &str = "Pirate";

/// A match never waits for a brain (PERSONA-1 §7.3).
const AT_ONCE: Duration = Duration::from_millis(50);

/// The older bus holds single frames back for 44 ms, so the middle one of several counts.
const SAMPLES: usize = 7;

fn persona_after(turn: &Turn) -> &serde_json::Value {
    &turn.frame(HANDLED).context["session"]["persona_id"]
}

#[tokio::test]
async fn personas_stand_in_the_pipeline_of_the_core() {
    for generation in GENERATIONS {
        let peers = Peers::of(generation);
        peers.pipeline_plugin().await;
        let (_bus, watch) = peers.bus().await;
        let _core = peers.core(&watch).await;
        let brain = ScriptedBrain::start();
        brain.whenever(TESTER, "", Reply::answers("The tester has it."));
        brain.whenever(PIRATE, "", Reply::answers("Arr."));
        peers
            .home()
            .persona(&Persona::react(PIRATE, &brain.url(PIRATE)).toolboxes(&[]));
        let (_daemon, probe) = daemon(&peers, &brain).await;
        probe.request("mycroft.intents.is_ready", &json!({})).await;
        let ask = async |text: &str| Utterance::new(text).in_session("default").ask(&probe).await;

        let nobodys = ask("Tell me something").await;
        assert_eq!(nobodys.answer(), "The tester has it.", "{generation:?}");
        let dispatch = nobodys.frame("loquat:chat");
        if generation == Generation::PreRelease {
            assert_eq!(dispatch.context["pipeline_id"], "loquat-fallback");
        }
        let summoned = ask("Talk to Pirate").await;
        assert!(summoned.answer().contains(PIRATE), "{generation:?}");
        assert_eq!(persona_after(&summoned), PIRATE, "{generation:?}");
        assert_eq!(ask("Tell me more").await.answer(), "Arr.", "{generation:?}");
        assert!(ask("Who am I talking to").await.answer().contains(PIRATE));
        let asked = ask("Ask Tester about soup").await;
        assert_eq!(asked.answer(), "The tester has it.", "{generation:?}");
        assert_eq!(
            ask("And now?").await.answer(),
            "Arr.",
            "{generation:?}: asking summons nobody"
        );
        let released = ask("Goodbye Pirate").await;
        assert!(
            released.answer().contains(PIRATE),
            "{generation:?}: {}",
            released.answer()
        );
        assert!(persona_after(&released).is_null(), "{generation:?}");
        assert_eq!(
            ask("And now?").await.answer(),
            "The tester has it.",
            "{generation:?}"
        );
        assert!(
            ask("List personas").await.answer().contains(PIRATE),
            "{generation:?}"
        );

        let kitchen = Utterance::new("Hello").in_session("kitchen").to(PIRATE);
        assert_eq!(kitchen.ask(&probe).await.answer(), "Arr.", "{generation:?}");
        for (field, value) in [
            ("persona_id", json!("Stranger")),
            ("blacklisted_skills", json!(["loquat"])),
        ] {
            let declined = Utterance::new("Hello").in_session("hall").session(field, value);
            let declined = declined.ask(&probe).await;
            assert!(declined.spoken().is_empty(), "{generation:?} {field}");
            assert_eq!(declined.ends(), 1, "{generation:?} {field}");
        }
    }
}

#[tokio::test]
async fn a_stage_has_its_match_at_once_and_the_brain_is_asked_afterwards() {
    for generation in GENERATIONS {
        let peers = Peers::of(generation);
        peers.pipeline_plugin().await;
        let (_bus, watch) = peers.bus().await;
        let _core = peers.core(&watch).await;
        let brain = ScriptedBrain::start();
        let gate = Gate::default();
        brain.whenever(TESTER, "", Reply::answers("At last.").behind(&gate));
        let (_daemon, probe) = daemon(&peers, &brain).await;
        probe.request("mycroft.intents.is_ready", &json!({})).await;
        let start = probe.mark();
        let mut asked = Vec::new();
        let mut took = Vec::new();
        for number in 0..SAMPLES {
            // None of those before has been answered, so this is a device at work.
            let utterance = Utterance::new("Ponder this").in_session(&format!("room-{number}"));
            let mark = utterance.enter(&probe).await;
            let of = |topic: &'static str| {
                let utterance = &utterance;
                move |frame: &Frame| frame.topic == topic && utterance.owns(frame)
            };
            let dispatch = probe
                .wait("the dispatch", mark, PATIENCE, of("loquat:chat"))
                .await;
            let is_found =
                |frame: &Frame| of("loquat.match.response")(frame) && !frame.data["match"].is_null();
            let found = probe.wait("the match", mark, PATIENCE, is_found).await;
            let round = &found.data["round"];
            let is_question = |frame: &&Frame| frame.topic == "loquat.match" && frame.data["round"] == *round;
            let question = probe.since(mark).iter().find(is_question).cloned().unwrap();
            assert!(found.seen <= dispatch.seen, "{generation:?}");
            took.push(found.seen - question.seen);
            asked.push(utterance);
        }
        took.sort();
        assert!(took[SAMPLES / 2] < AT_ONCE, "{generation:?}: {took:?}");
        gate.open();
        for utterance in asked {
            assert_eq!(
                utterance.end(&probe, start).await.answer(),
                "At last.",
                "{generation:?}"
            );
        }
    }
}

#[tokio::test]
async fn without_us_the_stages_decline_and_the_utterance_ends() {
    for generation in GENERATIONS {
        let peers = Peers::of(generation);
        peers.pipeline_plugin().await;
        let (_bus, watch) = peers.bus().await;
        let _core = peers.core(&watch).await;
        let turn = Utterance::new("Is anybody there?").ask(&watch).await;
        assert!(
            turn.frames.iter().any(|frame| frame.topic == "loquat.match"),
            "{generation:?}"
        );
        assert_eq!(turn.ends(), 1, "{generation:?}");
        assert!(
            turn.frames.iter().all(|frame: &Frame| !frame.is_speak()),
            "{generation:?}"
        );
    }
}
