//! Beside ovos-persona in the real core: who is summoned answers, and there is one answer.

use loquat_tests::brain::{Reply, ScriptedBrain};
use loquat_tests::frame::Frame;
use loquat_tests::ovos_core::Generation;
use loquat_tests::peers::Peers;
use loquat_tests::turn::Utterance;
use loquat_tests::wait::PATIENCE;
use serde_json::{Value, json};

use crate::{GENERATIONS, TESTER, daemon};

const NEIGHBOUR: &str = "Neighbour";

/// Their stage goes before ours, as on a device that had it first.
fn pipeline(generation: Generation) -> Value {
    match generation {
        Generation::Stable => json!([
            "ovos-persona-pipeline-plugin-high",
            "padacioso_high",
            "fallback_high",
            "fallback_medium",
            "fallback_low"
        ]),
        Generation::PreRelease => json!([
            "ovos-persona-pipeline-plugin-high",
            "ovos-padacioso-pipeline-plugin-high",
            "ovos-fallback-pipeline-plugin-high",
            "ovos-fallback-pipeline-plugin-medium",
            "ovos-fallback-pipeline-plugin-low"
        ]),
    }
}

/// A persona of theirs among the files that both read; it always has the same few sentences, and for us nothing that
/// could answer.
fn move_in(peers: &Peers) {
    let engine = "ovos-solver-failure-plugin";
    let persona = json!({"name": NEIGHBOUR, "solvers": [engine], "handlers": [engine]});
    let file = format!("config/ovos_persona/{NEIGHBOUR}.json");
    peers.home().write(&file, &persona.to_string());
    let settings = json!({"ignore_plugin_personas": true});
    peers.configure(&json!({"intents": {"pipeline": pipeline(peers.generation()), "persona": settings}}));
}

#[tokio::test]
async fn whoever_is_summoned_answers_and_nobody_answers_twice() {
    for generation in GENERATIONS {
        let peers = Peers::of(generation);
        move_in(&peers);
        let (_bus, watch) = peers.bus().await;
        let _core = peers.core(&watch).await;
        let brain = ScriptedBrain::start();
        brain.whenever(TESTER, "", Reply::answers("The tester has it."));
        let (_daemon, probe) = daemon(&peers, &brain).await;
        let registered =
            |frame: &Frame| frame.topic.ends_with("fallback.register") && frame.data["skill_id"] == "loquat";
        watch.wait("our registration", 0, PATIENCE, registered).await;
        let ask = async |text: &str| Utterance::new(text).in_session("default").ask(&probe).await;

        assert_eq!(
            ask("Tell me something").await.answer(),
            "The tester has it.",
            "{generation:?}"
        );
        let summoned = ask("Summon neighbour").await;
        assert!(
            summoned.answer().contains(NEIGHBOUR),
            "{generation:?}: {}",
            summoned.answer()
        );
        assert_eq!(
            summoned.spoken()[0].context["skill_id"],
            "persona.openvoiceos",
            "{generation:?}"
        );

        let asked = brain.requests(TESTER).len();
        let theirs = ask("What is the colour of the sky").await;
        assert_ne!(theirs.answer(), "The tester has it.", "{generation:?}");
        assert_eq!(
            brain.requests(TESTER).len(),
            asked,
            "{generation:?}: it was not for us"
        );

        let released = ask("Goodbye").await;
        assert_eq!(released.ends(), 1, "{generation:?}: {:?}", released.topics());
        assert_eq!(
            ask("And now").await.answer(),
            "The tester has it.",
            "{generation:?}"
        );
    }
}
