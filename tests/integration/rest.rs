//! Rest: the device is sent to sleep and woken, is quiet when it was asked to be, and knows of both after a crash.

use loquat_tests::brain::Reply;
use loquat_tests::daemon::Launch;
use loquat_tests::frame::Frame;
use loquat_tests::toolbox::Act;
use loquat_tests::turn::Utterance;
use loquat_tests::wait::PATIENCE;
use serde_json::json;

use crate::crash::{beside_a_lamp, crash, on};
use crate::story::{Scene, Story, TESTER};

/// Sentences are understood without a brain.
async fn story() -> Story {
    let scene = Scene::default();
    scene.home.setting("skills.intents", "\"alone\"");
    let tester = scene.tester();
    scene.play(&tester).await
}

/// The device's own conversation.
fn here(text: &str) -> Utterance {
    Utterance::new(text).in_session("default")
}

async fn told(story: &Story, mark: usize, topic: &'static str) {
    let is_told = |frame: &Frame| frame.topic == topic;
    story.probe.wait(topic, mark, PATIENCE, is_told).await;
}

#[tokio::test]
async fn sent_to_sleep_it_tells_every_listener_and_sleeps_on_after_a_crash() {
    let (_bus, mut story, _lamps) = beside_a_lamp(Act::Returns(on())).await;
    story.home.setting("skills.intents", "\"alone\"");
    crash(&mut story).await;
    let mark = story.probe.mark();
    let turn = here("Go to sleep").ask(&story.probe).await;
    assert_eq!(turn.answer(), "Good night.");
    for topic in ["ovos.listener.sleep", "recognizer_loop:sleep"] {
        told(&story, mark, topic).await;
    }
    let turn = here("Go to sleep").ask(&story.probe).await;
    assert_eq!(turn.answer(), "I am asleep already.");
    let mark = story.probe.mark();
    crash(&mut story).await;
    told(&story, mark, "recognizer_loop:sleep").await;
    let mark = story.probe.mark();
    let turn = here("Wake up").ask(&story.probe).await;
    assert_eq!(turn.answer(), "I am awake.");
    for topic in ["ovos.listener.wake", "recognizer_loop:wake_up"] {
        told(&story, mark, topic).await;
    }
    let turn = here("Go to sleep").ask(&story.probe).await;
    assert_eq!(turn.answer(), "Good night.", "it was awake");
}

#[tokio::test]
async fn what_other_programs_tell_of_sleep_is_known() {
    let story = story().await;
    // Of two names of one thing, told at once and with all else equal, the second counts as a twin of the first.
    let tell = async |topic: &str| {
        let context = json!({"source": "probe", "number": story.probe.mark()});
        let frame = json!({"type": topic, "data": {}, "context": context});
        story.probe.send(&frame).await;
    };
    for (sleeps, wakes) in [
        ("recognizer_loop:sleep", "recognizer_loop:wake_up"),
        ("ovos.listener.sleep", "mycroft.awoken"),
    ] {
        tell(sleeps).await;
        let turn = here("Go to sleep").ask(&story.probe).await;
        assert_eq!(turn.answer(), "I am asleep already.", "{sleeps}");
        tell(wakes).await;
        let turn = here("Go to sleep").ask(&story.probe).await;
        assert_eq!(turn.answer(), "Good night.", "{wakes}");
        tell("ovos.listener.wake").await;
    }
}

#[tokio::test]
async fn a_satellite_cannot_send_the_device_to_sleep() {
    let story = story().await;
    let mark = story.probe.mark();
    for said in ["Go to sleep", "Do not disturb me"] {
        let turn = Utterance::new(said)
            .in_session("satellite")
            .ask(&story.probe)
            .await;
        assert_eq!(
            turn.answer(),
            "That can only be asked for at the device itself.",
            "{said}"
        );
    }
    let sleeps =
        |frame: &Frame| ["ovos.listener.sleep", "recognizer_loop:sleep"].contains(&frame.topic.as_str());
    assert!(!story.probe.since(mark).iter().any(sleeps));
}

#[tokio::test]
async fn undisturbed_a_person_hears_timers_at_once_and_reminders_when_they_speak() {
    let story = story().await;
    let turn = here("Do not disturb me").ask(&story.probe).await;
    assert_eq!(turn.answer(), "I will be quiet until you tell me otherwise.");
    let mark = story.probe.mark();
    here("Remind me to call Ada in one second")
        .ask(&story.probe)
        .await;
    let mark_of_timer = story.probe.mark();
    here("Set a timer for two seconds").ask(&story.probe).await;
    let rings = |frame: &Frame| frame.topic == "loquat.alert" && frame.data["state"] == "ringing";
    let first = story.probe.wait("the timer", mark, PATIENCE, rings).await;
    assert_eq!(first.data["kind"], "timer");
    let chimes = |frame: &Frame| frame.topic == "mycroft.audio.play_sound";
    story
        .probe
        .wait("the chime", mark_of_timer, PATIENCE, chimes)
        .await;
    let mark = story.probe.mark();
    here("stop").ask(&story.probe).await;
    // They spoke, so they may be told.
    let second = story.probe.wait("the reminder", mark, PATIENCE, rings).await;
    assert_eq!(second.data["kind"], "reminder");
    let spoken = |frame: &Frame| frame.is_speak() && frame.utterance().contains("call Ada");
    story.probe.wait("its words", mark, PATIENCE, spoken).await;
}

#[tokio::test]
async fn what_was_held_back_is_told_when_the_device_may_disturb_again() {
    let story = story().await;
    here("Do not disturb me").ask(&story.probe).await;
    let mark = story.probe.mark();
    let set = json!({"toolbox_id": "loquat-alert-tools", "name": "set_reminder",
                     "kwargs": {"text": "call Ada", "duration": "1 second"}});
    story.probe.request("ovos.persona.tools.call", &set).await;
    let set = json!({"toolbox_id": "loquat-alert-tools", "name": "set_timer",
                     "kwargs": {"duration": "2 seconds"}});
    story.probe.request("ovos.persona.tools.call", &set).await;
    let rings = |kind: &'static str| {
        move |frame: &Frame| {
            frame.topic == "loquat.alert" && frame.data["state"] == "ringing" && frame.data["kind"] == kind
        }
    };
    story
        .probe
        .wait("the timer", mark, PATIENCE, rings("timer"))
        .await;
    assert!(!story.probe.since(mark).iter().any(rings("reminder")));
    let turn = here("You may disturb me again").ask(&story.probe).await;
    assert_eq!(turn.answer(), "I will speak up again.");
    story
        .probe
        .wait("the reminder", mark, PATIENCE, rings("reminder"))
        .await;
}

#[tokio::test]
async fn short_conversations_are_looked_back_on_while_the_device_is_quiet() {
    let story = story().await;
    story.script(["Hello.", "I am well.", "They greeted me."].map(Reply::answers));
    for said in ["Good day to you", "How do you fare"] {
        here(said).ask(&story.probe).await;
    }
    here("Do not disturb me").ask(&story.probe).await;
    story.brain.asked(TESTER, 3, PATIENCE).await;
    let looked_back = story.brain.requests(TESTER)[2].text();
    assert!(looked_back.contains("How do you fare"), "{looked_back}");
}

#[tokio::test]
async fn hours_that_are_none_are_refused_with_the_mend() {
    let scene = Scene::default();
    scene.home.setting("rest.quiet_hours", "\"22-7\"");
    let check = Launch::new(&scene.home, &["check"]).run().await;
    let shown = check.shown();
    assert!(
        shown.contains("rest.quiet_hours") && shown.contains("22:00-07:00"),
        "{shown}"
    );
}
