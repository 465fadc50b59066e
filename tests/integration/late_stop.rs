//! "Stop" where no turn of ours runs: before it is known whose an utterance is, while its answer is being spoken, and for
//! skills that do not listen.

use std::time::Duration;

use loquat_tests::brain::Reply;
use loquat_tests::frame::Frame;
use loquat_tests::skill::{Manners, ScriptedSkill};
use loquat_tests::turn::{HANDLED, Turn, Utterance};
use loquat_tests::wait::{PATIENCE, within};
use serde_json::{Value, json};

use crate::story::{Story, TESTER};

/// What is stopped in a search ends at once; all that a search waits for takes longer.
const AT_ONCE: Duration = Duration::from_millis(300);

/// What a skill has not ended by then is ended for it.
const GIVEN_UP: Duration = Duration::from_secs(4);

async fn story() -> Story {
    let story = Story::begin().await;
    let answer = Reply::answers("The persona has it.");
    story.brain.whenever(TESTER, "", answer);
    story
}

async fn send(story: &Story, topic: &str, session: Value) {
    let context = json!({"source": "audio", "session": session});
    let frame = json!({"type": topic, "data": {}, "context": context});
    story.probe.send(&frame).await;
}

/// An utterance for which a skill is asked that says nothing for seconds. It waits in `kitchen`.
async fn searched(story: &Story) -> (Utterance, usize, ScriptedSkill) {
    let thinks = Manners {
        knows: Some(""),
        ..Manners::modern()
    };
    let skill = ScriptedSkill::join(story.home.port(), "test-skill", thinks).await;
    skill.take_part().await;
    let utterance = Utterance::new("Capital of Peru?").in_session("kitchen");
    let mark = utterance.enter(&story.probe).await;
    let is_question = |frame: &Frame| frame.topic == "question:query";
    story
        .probe
        .wait("the skill to be asked", mark, PATIENCE, is_question)
        .await;
    (utterance, mark, skill)
}

fn assert_called_off(turn: &Turn) {
    assert!(turn.spoken().is_empty(), "{:?}", turn.topics());
    assert_eq!(turn.ends(), 1);
    assert!(!turn.topics().contains(&"ovos.intent.matched"));
    let cancelled = turn.frame("ovos.utterance.cancelled");
    assert_eq!(cancelled.data["cancel_by"], "loquat-stop");
}

#[tokio::test]
async fn a_stop_reaches_an_utterance_that_is_nobodys_yet() {
    for topic in ["ovos.stop", "mycroft.stop"] {
        let story = story().await;
        let (utterance, mark, _skill) = searched(&story).await;
        send(&story, topic, json!({"session_id": "garage"})).await;
        story.probe.request("mycroft.loquat.all_loaded", &json!({})).await;
        assert_eq!(utterance.seen(&story.probe.recording(), mark).ends(), 0);
        send(&story, topic, json!({"session_id": "kitchen"})).await;
        let turn = within("the end", AT_ONCE, utterance.end(&story.probe, mark)).await;
        assert_called_off(&turn);
        assert!(story.brain.requests(TESTER).is_empty());
    }
}

#[tokio::test]
async fn the_word_reaches_it_too_and_has_an_end_of_its_own() {
    let story = story().await;
    let (utterance, mark, _skill) = searched(&story).await;
    let stop = Utterance::new("Stop!")
        .in_session("kitchen")
        .ask(&story.probe)
        .await;
    assert_eq!(stop.ends(), 1);
    assert_called_off(&utterance.end(&story.probe, mark).await);
}

#[tokio::test]
async fn the_word_silences_an_answer_that_is_still_being_spoken() {
    let story = story().await;
    for (session, hushes) in [
        (json!({"session_id": "default"}), 1),
        (json!({"session_id": "kitchen"}), 0),
        (json!({"session_id": "kitchen", "is_speaking": true}), 1),
    ] {
        let said = |text: &str| {
            let fields = session.as_object().unwrap().clone().into_iter();
            fields.fold(Utterance::new(text), |utterance, (key, value)| {
                utterance.session(&key, value)
            })
        };
        let answered = said("Tell me a long story").ask(&story.probe).await;
        let handlers = answered.frame(HANDLED).context["session"]["active_handlers"].clone();
        let stop = said("Stop").session("active_handlers", handlers);
        let turn = stop.ask(&story.probe).await;
        assert_eq!(turn.frame("ovos.intent.matched").data["skill_id"], "loquat");
        for topic in ["ovos.audio.stop", "mycroft.audio.speech.stop"] {
            let count = turn.frames.iter().filter(|frame| frame.topic == topic).count();
            assert_eq!(count, hushes, "{topic} in {session}: {:?}", turn.topics());
        }
    }
}

#[tokio::test]
async fn a_turn_is_stopped_where_the_session_does_not_know_of_it_yet() {
    let story = Story::begin().await;
    let slow = Reply::says("").delivered(loquat_tests::brain::Delivery::Never);
    story.brain.whenever(TESTER, "ponder", slow);
    let long = Utterance::new("ponder this").in_session("kitchen");
    let mark = long.enter(&story.probe).await;
    story.brain.asked(TESTER, 1, PATIENCE).await;
    // A satellite has its session from the last end marker, and there another skill was the last.
    let before = json!([{"skill_id": "gone-skill", "activated_at": 4_000_000_000_u64}]);
    let stop = Utterance::new("Stop")
        .in_session("kitchen")
        .session("active_handlers", before);
    let turn = stop.ask(&story.probe).await;
    assert_eq!(turn.frame("ovos.intent.matched").data["skill_id"], "loquat");
    let stopped = within("the end", AT_ONCE, long.end(&story.probe, mark)).await;
    assert!(stopped.spoken().is_empty() && stopped.ends() == 1);
}

#[tokio::test]
async fn a_skill_that_has_died_does_not_keep_the_word_from_its_end() {
    let story = story().await;
    let gone = json!([{"skill_id": "gone-skill", "activated_at": 4_000_000_000_u64}]);
    let stop = Utterance::new("Stop").session("active_handlers", gone);
    let turn = within("the end of the word", AT_ONCE, stop.ask(&story.probe)).await;
    assert_eq!(turn.ends(), 1);
    let error = turn.frame("ovos.intent.handler.error");
    assert!(error.data["exception"].as_str().unwrap().starts_with("timeout"));
}

#[tokio::test]
async fn what_a_skill_does_not_stop_is_ended_for_it() {
    for manners in [Manners::modern(), Manners::older()] {
        let story = story().await;
        let works_on = Manners {
            hangs: true,
            deaf: true,
            ..manners
        };
        let skill = ScriptedSkill::join(story.home.port(), "test-skill", works_on).await;
        skill.teach("work", &["work on"]).await;
        let work = Utterance::new("Work on").in_session("default");
        let mark = work.enter(&story.probe).await;
        skill.had(1).await;
        let stop = Utterance::new("Stop").in_session("default");
        let turn = within("the end of the word", AT_ONCE, stop.ask(&story.probe)).await;
        assert_eq!(turn.frame("ovos.intent.matched").data["skill_id"], "test-skill");
        let turn = within("the end of the work", GIVEN_UP, work.end(&story.probe, mark)).await;
        assert_eq!(turn.ends(), 1);
        let error = turn.frame("ovos.intent.handler.error");
        let exception = error.data["exception"].as_str().unwrap_or_default();
        assert!(exception.starts_with("stopped by user"), "{exception}");
    }
}

#[tokio::test]
async fn a_stop_of_one_skill_is_none_of_another() {
    let story = story().await;
    let works_on = Manners {
        hangs: true,
        deaf: true,
        ..Manners::modern()
    };
    let skill = ScriptedSkill::join(story.home.port(), "test-skill", works_on).await;
    skill.teach("work", &["work on"]).await;
    let work = Utterance::new("Work on").in_session("kitchen");
    let mark = work.enter(&story.probe).await;
    skill.had(1).await;
    let newer = json!([{"skill_id": "gone-skill", "activated_at": 4_000_000_000_u64}]);
    let stop = Utterance::new("Stop")
        .in_session("kitchen")
        .session("active_handlers", newer);
    stop.ask(&story.probe).await;
    story.probe.try_wait(mark, GIVEN_UP, |_| false).await;
    assert_eq!(work.seen(&story.probe.recording(), mark).ends(), 0);
    skill.finish().await;
    let turn = work.end(&story.probe, mark).await;
    turn.frame("ovos.intent.handler.complete");
}
