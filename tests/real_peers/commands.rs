//! Beside the real core: our commands are intents of its, a summoned persona goes on with the conversation, and what we
//! are at work on can be stopped.

use std::time::Duration;

use loquat_tests::brain::{Delivery, Gate, Reply, ScriptedBrain};
use loquat_tests::frame::Frame;
use loquat_tests::peers::Peers;
use loquat_tests::turn::Utterance;
use loquat_tests::wait::PATIENCE;

use crate::{GENERATIONS, TESTER, daemon};

/// An end that a dead core owes is paid for it within this.
const OWED_ENDS: Duration = Duration::from_secs(8);

fn is_our_registration(frame: &Frame) -> bool {
    frame.topic.ends_with("fallback.register") && frame.data["skill_id"] == "loquat"
}

#[tokio::test]
async fn people_choose_who_answers_through_the_core() {
    for generation in GENERATIONS {
        let peers = Peers::of(generation);
        let (_bus, watch) = peers.bus().await;
        let _core = peers.core(&watch).await;
        let brain = ScriptedBrain::start();
        brain.whenever(TESTER, "", Reply::answers("Yes."));
        let (_daemon, probe) = daemon(&peers, &brain).await;
        watch
            .wait("our registration", 0, PATIENCE, is_our_registration)
            .await;
        probe
            .request("mycroft.intents.is_ready", &serde_json::json!({}))
            .await;
        let ask = async |text: &str| Utterance::new(text).in_session("default").ask(&probe).await;

        let summoned = ask("Talk to Tester").await;
        assert!(
            summoned.answer().contains(TESTER),
            "{generation:?}: {}",
            summoned.answer()
        );
        let checked = ask("Who am I talking to").await;
        assert!(
            checked.answer().contains(TESTER),
            "{generation:?}: {}",
            checked.answer()
        );
        assert_eq!(ask("Tell me something").await.answer(), "Yes.", "{generation:?}");
        let released = ask("Goodbye Tester").await;
        assert!(
            released.answer().contains("gone"),
            "{generation:?}: {}",
            released.answer()
        );
        let list = ask("List personas").await;
        assert!(
            list.answer().contains(TESTER),
            "{generation:?}: {}",
            list.answer()
        );
    }
}

#[tokio::test]
async fn a_running_answer_is_stopped_through_the_core() {
    for generation in GENERATIONS {
        let peers = Peers::of(generation);
        let (_bus, watch) = peers.bus().await;
        let _core = peers.core(&watch).await;
        let brain = ScriptedBrain::start();
        brain.whenever(TESTER, "ponder", Reply::says("").delivered(Delivery::Never));
        let (_daemon, probe) = daemon(&peers, &brain).await;
        watch
            .wait("our registration", 0, PATIENCE, is_our_registration)
            .await;
        let pondering = Utterance::new("Please ponder this").in_session("default");
        let mark = pondering.enter(&probe).await;
        brain.asked(TESTER, 1, PATIENCE).await;
        let stop = Utterance::new("stop").in_session("default").ask(&probe).await;
        assert_eq!(stop.ends(), 1, "{generation:?}");
        brain.abandoned(TESTER, 1, PATIENCE).await;
        let turn = pondering.end(&probe, mark).await;
        assert_eq!(turn.ends(), 1, "{generation:?}");
        assert!(turn.spoken().is_empty(), "{generation:?}");
    }
}

#[tokio::test]
async fn a_core_that_is_killed_and_started_again_loses_and_doubles_nothing() {
    for generation in GENERATIONS {
        let peers = Peers::of(generation);
        let (_bus, watch) = peers.bus().await;
        let mut core = peers.core(&watch).await;
        let brain = ScriptedBrain::start();
        brain.whenever(TESTER, "", Reply::answers("Yes."));
        let (_daemon, probe) = daemon(&peers, &brain).await;
        watch
            .wait("our registration", 0, PATIENCE, is_our_registration)
            .await;
        let ask = async |text: &str| Utterance::new(text).ask(&probe).await;
        assert_eq!(ask("Before").await.answer(), "Yes.", "{generation:?}");
        core.kill();
        core.ended(PATIENCE).await;
        let alone = ask("While it is away").await;
        assert_eq!(alone.answer(), "Yes.", "{generation:?}");
        alone.frame("loquat:chat");
        let mark = probe.mark();
        let _again = peers.core(&watch).await;
        probe
            .wait("our registration", mark, PATIENCE, is_our_registration)
            .await;
        let beside = ask("And afterwards").await;
        assert_eq!(beside.answer(), "Yes.", "{generation:?}");
        beside.frame("ovos.skills.fallback.loquat.response");
    }
}

#[tokio::test]
async fn a_core_that_is_killed_in_the_middle_of_a_turn_costs_and_doubles_nothing() {
    for generation in GENERATIONS {
        let peers = Peers::of(generation);
        let (_bus, watch) = peers.bus().await;
        let mut core = peers.core(&watch).await;
        let brain = ScriptedBrain::start();
        let gate = Gate::default();
        brain.whenever(TESTER, "slowly", Reply::answers("Yes.").behind(&gate));
        brain.whenever(TESTER, "", Reply::answers("Yes."));
        let (_daemon, probe) = daemon(&peers, &brain).await;
        watch
            .wait("our registration", 0, PATIENCE, is_our_registration)
            .await;
        let start = probe.mark();
        let mut asked = Vec::new();
        for session in ["default", "kitchen"] {
            let utterance = Utterance::new("Think slowly").in_session(session);
            utterance.enter(&probe).await;
            asked.push(utterance);
        }
        brain.asked(TESTER, asked.len(), PATIENCE).await;
        core.kill();
        core.ended(PATIENCE).await;
        // Said to a core that is dead, before anybody can know it.
        let unheard = Utterance::new("Are you there?").in_session("hall");
        unheard.enter(&probe).await;
        asked.push(unheard);
        let started = peers.core(&watch);
        let (again, ()) = tokio::join!(started, async { gate.open() });
        for utterance in &asked {
            utterance.end(&probe, start).await;
        }
        let mark = probe.mark();
        probe
            .request("mycroft.intents.is_ready", &serde_json::json!({}))
            .await;
        let after = Utterance::new("And afterwards").ask(&probe).await;
        assert_eq!(after.answer(), "Yes.", "{generation:?}");
        // A second answer comes late.
        probe.try_wait(mark, OWED_ENDS, |_| false).await;
        for utterance in &asked {
            let turn = utterance.seen(&probe.recording(), start);
            assert_eq!(turn.answer(), "Yes.", "{generation:?}");
        }
        drop(again);
    }
}
