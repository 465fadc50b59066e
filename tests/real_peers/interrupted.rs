//! What comes between a question and its answer beside the real core: a stop right behind it, a stop that the core would
//! give to another persona, and our own death.

use std::time::Duration;

use loquat_tests::brain::{Delivery, Gate, Reply, ScriptedBrain};
use loquat_tests::daemon::Launch;
use loquat_tests::frame::Frame;
use loquat_tests::peers::Peers;
use loquat_tests::turn::{HANDLED, Utterance};
use loquat_tests::wait::PATIENCE;
use rustix::process::Signal;

use crate::{GENERATIONS, TESTER, daemon};

/// What is stopped ends at once.
const AT_ONCE: Duration = Duration::from_millis(300);

fn is_our_registration(frame: &Frame) -> bool {
    frame.topic.ends_with("fallback.register") && frame.data["skill_id"] == "loquat"
}

#[tokio::test]
async fn a_stop_right_behind_a_question_is_for_that_question() {
    for generation in GENERATIONS {
        let peers = Peers::of(generation);
        let (_bus, watch) = peers.bus().await;
        let _core = peers.core(&watch).await;
        let brain = ScriptedBrain::start();
        brain.whenever(TESTER, "", Reply::answers("Here it is."));
        let (_daemon, probe) = daemon(&peers, &brain).await;
        watch
            .wait("our registration", 0, PATIENCE, is_our_registration)
            .await;
        // The second time the stop before has left the older core with itself to stop.
        for session in ["kitchen", "default", "default"] {
            let question = Utterance::new("Tell me a story").in_session(session);
            let mark = question.enter(&probe).await;
            Utterance::new("Stop").in_session(session).enter(&probe).await;
            let turn = question.end(&probe, mark).await;
            assert_eq!(turn.ends(), 1, "{generation:?} {session}");
            assert!(turn.spoken().is_empty(), "{generation:?} {session}");
            let again = Utterance::new("Tell me a story").in_session(session);
            assert_eq!(again.ask(&probe).await.answer(), "Here it is.", "{generation:?}");
        }
    }
}

#[tokio::test]
async fn a_stop_reaches_us_behind_a_skill_that_was_at_work_before() {
    for generation in GENERATIONS {
        let peers = Peers::of(generation);
        let (_bus, watch) = peers.bus().await;
        let _core = peers.core(&watch).await;
        let _skills = peers.stock_skills().await;
        let brain = ScriptedBrain::start();
        let never = Reply::says("").delivered(Delivery::Never);
        brain.whenever(TESTER, "ponder", never);
        let (_daemon, probe) = daemon(&peers, &brain).await;
        watch
            .wait("our registration", 0, PATIENCE, is_our_registration)
            .await;
        for (count, session) in [(1, "default"), (2, "kitchen")] {
            let greeting = Utterance::new("Greet Ada Lovelace").in_session(session);
            let greeted = greeting.ask(&probe).await;
            // A satellite keeps the session of the last end, in the words of either generation.
            let left = greeted.frame(HANDLED).context["session"].clone();
            let next = |text: &str| {
                let mut utterance = Utterance::new(text).in_session(session);
                if session != "default" {
                    for field in ["active_handlers", "active_skills"] {
                        utterance = utterance.session(field, left[field].clone());
                    }
                }
                utterance
            };
            let question = next("ponder this");
            let mark = question.enter(&probe).await;
            brain.asked(TESTER, count, PATIENCE).await;
            let before = probe.mark();
            next("Stop").enter(&probe).await;
            let word = probe.wait("the word", before, PATIENCE, Frame::is_entry).await;
            let turn = question.end(&probe, mark).await;
            assert_eq!(turn.ends(), 1, "{generation:?} {session}");
            assert!(turn.spoken().is_empty(), "{generation:?} {session}");
            let took = turn.frame(HANDLED).seen - word.seen;
            assert!(took < AT_ONCE, "{generation:?} {session}: {took:?}");
        }
    }
}

#[tokio::test]
async fn a_core_that_waits_for_us_has_its_one_end_when_we_are_back() {
    for generation in GENERATIONS {
        let peers = Peers::of(generation);
        let (_bus, watch) = peers.bus().await;
        let _core = peers.core(&watch).await;
        let brain = ScriptedBrain::start();
        let (mut daemon, mut probe) = daemon(&peers, &brain).await;
        // Kept, and not spoken through again: ovos-messagebus closes the connection of a client that speaks when another
        // client has gone without a word.
        let mut earlier = Vec::new();
        watch
            .wait("our registration", 0, PATIENCE, is_our_registration)
            .await;
        for signal in [Signal::KILL, Signal::TERM] {
            let never = Gate::default();
            brain.script(TESTER, [Reply::answers("Nobody hears this.").behind(&never)]);
            brain.script(TESTER, (signal == Signal::KILL).then(|| Reply::answers("Lima.")));
            let asked = brain.requests(TESTER).len();
            let question = Utterance::new("Capital of Peru?").in_session("default");
            let mark = watch.mark();
            question.enter(&probe).await;
            brain.asked(TESTER, asked + 1, PATIENCE).await;
            daemon.signal(signal);
            daemon.ended(PATIENCE).await;
            let restarted = watch.mark();
            let (next, fresh) = Launch::new(peers.home(), &["run"]).ready().await;
            daemon = next;
            earlier.push(std::mem::replace(&mut probe, fresh));
            let is_end = |frame: &Frame| frame.topic == HANDLED && question.owns(frame);
            watch.wait("the end", mark, PATIENCE, is_end).await;
            // Everything is announced again, and once.
            watch
                .wait("our registration", restarted, PATIENCE, is_our_registration)
                .await;
            brain.script(TESTER, [Reply::answers("Still here.")]);
            let again = Utterance::new("And now?").in_session("default");
            assert_eq!(again.ask(&probe).await.answer(), "Still here.", "{generation:?}");
            let turn = question.seen(&watch.recording(), mark);
            turn.assert_ended_once();
            assert_eq!(turn.spoken().len(), 1, "{generation:?} {signal:?}");
            if signal == Signal::KILL {
                assert_eq!(turn.answer(), "Lima.", "{generation:?}");
            }
            let registrations = watch.since(restarted).into_iter().filter(is_our_registration);
            let registrations = registrations.filter(|frame| !frame.is_twin()).count();
            assert_eq!(registrations, 1, "{generation:?} {signal:?}");
        }
    }
}
