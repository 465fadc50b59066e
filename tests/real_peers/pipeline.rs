//! Our pipeline plugin in the real core: personas at their place in its pipeline, as PERSONA-1 has it, and nothing where
//! no Loquat answers.

use loquat_tests::brain::{Reply, ScriptedBrain};
use loquat_tests::frame::Frame;
use loquat_tests::ovos_core::Generation;
use loquat_tests::peers::Peers;
use loquat_tests::persona::Persona;
use loquat_tests::turn::{HANDLED, Turn, Utterance};
use serde_json::json;

use crate::{GENERATIONS, TESTER, daemon};

const PIRATE: &str = "Pirate";

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
        let brain = ScriptedBrain::start().await;
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
