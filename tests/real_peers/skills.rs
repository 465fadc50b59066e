//! Stock skills of both generations with us as their orchestrator: their intents, questions and conversations work as
//! with ovos-core, and every utterance ends once.

use loquat_tests::brain::{Reply, ScriptedBrain};
use loquat_tests::frame::Frame;
use loquat_tests::peers::Peers;
use loquat_tests::turn::Utterance;
use loquat_tests::wait::PATIENCE;
use serde_json::json;

use crate::{GENERATIONS, TESTER, daemon};

#[tokio::test]
async fn stock_skills_complete_their_turns_with_us() {
    for generation in GENERATIONS {
        let peers = Peers::of(generation);
        let (_bus, _watch) = peers.bus().await;
        let brain = ScriptedBrain::start();
        brain.whenever(TESTER, "", Reply::answers("The persona has it."));
        let (_daemon, probe) = daemon(&peers, &brain).await;
        let _skills = peers.stock_skills().await;
        let ask = async |text: &str| Utterance::new(text).in_session("default").ask(&probe).await;

        let greeted = ask("Greet Ada Lovelace").await;
        assert_eq!(greeted.answer(), "Hello Ada Lovelace.", "{generation:?}");
        let topics = greeted.topics();
        let place = |wanted: &str| topics.iter().position(|topic| *topic == wanted);
        let trio = [
            "ovos.intent.matched",
            "ovos.intent.handler.start",
            "stock.skill:greet",
            "ovos.intent.handler.complete",
        ];
        let places: Vec<_> = trio.iter().map(|topic| place(topic)).collect();
        assert!(
            places.iter().all(Option::is_some) && places.is_sorted(),
            "{generation:?}: {topics:?}"
        );

        assert_eq!(ask("Please go on").await.answer(), "On we go.", "{generation:?}");
        assert_eq!(
            ask("I am a little teapot").await.answer(),
            "Short and stout.",
            "{generation:?}"
        );
        assert_eq!(
            ask("Anything else?").await.answer(),
            "The persona has it.",
            "{generation:?}"
        );
    }
}

#[tokio::test]
async fn a_stock_skill_that_asks_is_given_the_answer() {
    for generation in GENERATIONS {
        let peers = Peers::of(generation);
        let (_bus, _watch) = peers.bus().await;
        let brain = ScriptedBrain::start();
        brain.whenever(TESTER, "", Reply::answers("The persona has it."));
        let (_daemon, probe) = daemon(&peers, &brain).await;
        let _skills = peers.stock_skills().await;
        let quiz = Utterance::new("Start the quiz").in_session("default");
        let mark = quiz.enter(&probe).await;
        let waits = |frame: &Frame| frame.topic == "skill.converse.get_response.enable";
        probe.wait("the skill to ask", mark, PATIENCE, waits).await;
        let answer = Utterance::new("Ada").in_session("default").ask(&probe).await;
        assert_eq!(answer.ends(), 1, "{generation:?}");
        let turn = quiz.end(&probe, mark).await;
        assert_eq!(turn.ends(), 1, "{generation:?}");
        let spoken: Vec<_> = turn.spoken().into_iter().map(Frame::utterance).collect();
        assert_eq!(spoken, ["Who are you?", "So you are Ada."], "{generation:?}");
    }
}

#[tokio::test]
async fn a_stock_skill_at_work_is_stopped_by_the_word() {
    for generation in GENERATIONS {
        let peers = Peers::of(generation);
        let (_bus, _watch) = peers.bus().await;
        let brain = ScriptedBrain::start();
        let (_daemon, probe) = daemon(&peers, &brain).await;
        let _skills = peers.stock_skills().await;
        let linger = Utterance::new("Linger a while").in_session("default");
        let mark = linger.enter(&probe).await;
        let begun = |frame: &Frame| frame.topic == "mycroft.skill.handler.start";
        probe.wait("the skill to begin", mark, PATIENCE, begun).await;
        let stop = Utterance::new("Stop").in_session("default").ask(&probe).await;
        assert_eq!(stop.ends(), 1, "{generation:?}");
        assert_eq!(linger.end(&probe, mark).await.ends(), 1, "{generation:?}");
    }
}

#[tokio::test]
async fn a_launched_skill_is_found_whoever_starts_first_and_after_a_restart() {
    for generation in GENERATIONS {
        let peers = Peers::of(generation);
        let (_bus, watch) = peers.bus().await;
        let brain = ScriptedBrain::start();
        brain.whenever(TESTER, "", Reply::answers("The persona has it."));
        let _skill = peers.launched_skill(&watch).await;
        for start in ["first", "second"] {
            let mark = watch.mark();
            let (daemon, probe) = daemon(&peers, &brain).await;
            let registered = |frame: &Frame| {
                frame.topic.contains("register") && frame.data.to_string().contains("launched.skill")
            };
            watch.wait("its intent", mark, PATIENCE, registered).await;
            probe.request("mycroft.loquat.all_loaded", &json!({})).await;
            let turn = Utterance::new("Greet Ada")
                .in_session("default")
                .ask(&probe)
                .await;
            assert_eq!(turn.answer(), "Hello Ada.", "{generation:?}, {start}");
            drop(daemon);
        }
    }
}
