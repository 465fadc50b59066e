//! Beside the real core: the person is asked before a tool that may do harm, and their answer reaches us, in the device's
//! own session and in one that a satellite keeps badly.

use loquat_tests::brain::{Reply, ScriptedBrain};
use loquat_tests::daemon::Launch;
use loquat_tests::frame::Frame;
use loquat_tests::peers::Peers;
use loquat_tests::persona::Persona;
use loquat_tests::toolbox::{Act, ScriptedTool, ScriptedToolbox};
use loquat_tests::turn::Utterance;
use loquat_tests::wait::PATIENCE;
use serde_json::json;

use crate::{GENERATIONS, TESTER};

const DOORS: &str = "door-tools";

#[tokio::test]
async fn a_yes_runs_it_a_no_does_not_and_other_words_are_answered() {
    for generation in GENERATIONS {
        let peers = Peers::of(generation);
        let (_bus, watch) = peers.bus().await;
        let _core = peers.core(&watch).await;
        let brain = ScriptedBrain::start();
        let home = peers.home();
        home.setting("desk.persona", &format!("\"{TESTER}\""));
        home.setting("bus.embed", "\"never\"");
        home.setting("desk.consent_from", "\"bus\"");
        home.persona(&Persona::react(TESTER, &brain.url(TESTER)).toolboxes(&[DOORS]));
        let (_daemon, probe) = Launch::new(home, &["run"]).ready().await;
        let registered =
            |frame: &Frame| frame.topic.ends_with("fallback.register") && frame.data["skill_id"] == "loquat";
        watch.wait("our registration", 0, PATIENCE, registered).await;
        let door = json!({"text": "front"});
        let doors = vec![ScriptedTool::named("unlock_door", Act::Returns(door.clone()))];
        let doors = ScriptedToolbox::join(home.port(), DOORS, doors).await;

        for session in ["default", "kitchen"] {
            for (words, runs, answer) in [
                ("Yes, please", 1, None),
                ("No", 0, None),
                ("What else", 0, Some("Something else.")),
            ] {
                let what = format!("{generation:?} {session} {words}");
                brain.script(
                    TESTER,
                    [
                        Reply::acts("unlock_door", &door),
                        Reply::answers("That was the door."),
                    ],
                );
                brain.script(TESTER, answer.map(Reply::answers));
                let before = doors.calls().len();
                let unlock = Utterance::new("Unlock the front door").in_session(session);
                let mark = unlock.enter(&probe).await;
                let asks = |frame: &Frame| frame.topic == "speak" && frame.data["expect_response"] == true;
                probe.wait("the question", mark, PATIENCE, asks).await;
                let reply = Utterance::new(words).in_session(session);
                let mark_of_reply = reply.enter(&probe).await;
                let turn = unlock.end(&probe, mark).await;
                let reply = reply.end(&probe, mark_of_reply).await;
                assert_eq!((turn.ends(), reply.ends()), (1, 1), "{what}");
                let said: Vec<&str> = turn.spoken().into_iter().map(Frame::utterance).collect();
                assert_eq!(
                    said,
                    [
                        "Shall I do this: unlock door, text: front, unlock door?",
                        "That was the door."
                    ],
                    "{what}"
                );
                let said: Vec<&str> = reply.spoken().into_iter().map(Frame::utterance).collect();
                assert_eq!(said, Vec::from_iter(answer), "{what}");
                assert_eq!(doors.calls().len() - before, runs, "{what}");
            }
        }
    }
}
