//! Timers through the running daemon: set by voice, rung on the bus, stopped by a word, and there again after a crash.

use loquat_tests::brain::Reply;
use loquat_tests::bus::FakeBus;
use loquat_tests::daemon::Launch;
use loquat_tests::frame::Frame;
use loquat_tests::home::Home;
use loquat_tests::ovos_core::{Generation, ScriptedCore};
use loquat_tests::toolbox::Act;
use loquat_tests::turn::Utterance;
use loquat_tests::wait::PATIENCE;
use rustix::process::Signal;
use serde_json::{Value, json};

use crate::crash::{beside_a_lamp, crash, on};
use crate::story::{Scene, Story, TESTER};

async fn story() -> Story {
    let scene = Scene::default();
    scene.home.setting("skills.intents", "\"alone\"");
    let tester = scene.tester();
    scene.play(&tester).await
}

/// What becomes of an alert, as programs hear it.
async fn told(story: &Story, mark: usize, state: &str) -> Frame {
    let is_told = |frame: &Frame| frame.topic == "loquat.alert" && frame.data["state"] == state;
    story.probe.wait(state, mark, PATIENCE, is_told).await
}

#[tokio::test]
async fn a_timer_rings_until_a_person_says_stop() {
    let story = story().await;
    let mark = story.probe.mark();
    let turn = story.ask("Set a timer for two seconds").await;
    assert_eq!(turn.answer(), "Timer set for 2 seconds.");
    told(&story, mark, "ringing").await;
    let spoken = |frame: &Frame| {
        frame.is_speak() && frame.data["utterance"] == "Your 2-second timer is up. Say stop to end it."
    };
    story.probe.wait("the sentence", mark, PATIENCE, spoken).await;
    let sound = |frame: &Frame| frame.topic == "mycroft.audio.play_sound";
    let sound = story.probe.wait("the sound", mark, PATIENCE, sound).await;
    let file = sound.data["uri"].as_str().expect("a file").to_owned();
    assert!(std::fs::metadata(&file).expect("a sound").len() > 1000, "{file}");
    story.ask("stop").await;
    told(&story, mark, "stopped").await;
    let turn = story.ask("What timers are set?").await;
    assert_eq!(turn.answer(), "No timer is running.");
}

#[tokio::test]
async fn a_day_that_has_passed_is_said_and_no_brain_is_asked() {
    let story = story().await;
    for words in [
        "Remind me to call Bob on the 3rd of March 2020",
        "Set an alarm for 7 am on the 5th of May 2019",
        "Wake me on the 1st of January 2021 at 8",
    ] {
        let turn = story.ask(words).await;
        assert!(
            turn.answer().starts_with("That has passed already."),
            "{words}: {}",
            turn.answer()
        );
    }
    assert_eq!(story.brain.requests(TESTER).len(), 0);
}

#[tokio::test]
async fn what_is_set_is_there_after_a_crash_and_rings_once() {
    let (_bus, mut story, _lamps) = beside_a_lamp(Act::Returns(on())).await;
    let mark = story.probe.mark();
    let set =
        json!({"toolbox_id": "loquat-alert-tools", "name": "set_timer", "kwargs": {"duration": "2 seconds"}});
    let answer = story.probe.request("ovos.persona.tools.call", &set).await;
    assert!(answer.data["result"]["id"].is_u64(), "{:?}", answer.data);
    crash(&mut story).await;
    let first = told(&story, mark, "ringing").await;
    crash(&mut story).await;
    let again = |frame: &Frame| frame.topic == "loquat.alert" && frame.data["id"] == first.data["id"];
    // It was ringing, so it goes on; stopped, it is gone for good.
    story
        .probe
        .send(&json!({"type": "mycroft.stop", "data": {}, "context": {}}))
        .await;
    let stopped = |frame: &Frame| again(frame) && frame.data["state"] == "stopped";
    story.probe.wait("its end", mark, PATIENCE, stopped).await;
    crash(&mut story).await;
    let list = json!({"toolbox_id": "loquat-alert-tools", "name": "list_alerts", "kwargs": {}});
    let answer = story.probe.request("ovos.persona.tools.call", &list).await;
    assert_eq!(answer.data["result"]["count"], 0, "{:?}", answer.data);
}

fn asks(frame: &Frame) -> bool {
    frame.is_speak() && frame.data["expect_response"] == true && frame.data["listen"] == true
}

#[tokio::test]
async fn what_was_left_out_is_asked_for_and_taken_from_the_answer() {
    let story = story().await;
    let turn = story.ask("Set a timer").await;
    assert_eq!(turn.answer(), "For how long?");
    assert!(
        turn.spoken().iter().all(|frame| asks(frame)),
        "{:?}",
        turn.topics()
    );
    let turn = story.ask("ten minutes").await;
    assert_eq!(turn.answer(), "Timer set for 10 minutes.");
    assert!(
        !turn.spoken().iter().any(|frame| asks(frame)),
        "{:?}",
        turn.topics()
    );
    let turn = story.ask("set a reminder").await;
    assert_eq!(turn.answer(), "What shall I remind you of?");
    let turn = story.ask("to call Ada").await;
    assert_eq!(turn.answer(), "When?");
    assert!(story.ask("in one hour").await.answer().contains("call Ada"));
    let turn = story.ask("Wake me at ten past").await;
    assert_eq!(turn.answer(), "Ten past which hour?");
    assert!(
        turn.spoken().iter().all(|frame| asks(frame)),
        "{:?}",
        turn.topics()
    );
    let turn = story.ask("seven").await;
    let set = turn.answer();
    assert!(set.starts_with("Alarm set for 7:10 "), "{set}");
    assert_eq!(story.brain.requests(TESTER).len(), 0, "no brain is asked");
}

#[tokio::test]
async fn a_question_ends_with_the_next_utterance_whatever_that_is() {
    let story = story().await;
    story.ask("Set an alarm").await;
    let turn = story.ask("never mind").await;
    assert!(turn.spoken().is_empty(), "{:?}", turn.topics());
    assert_eq!(
        story.ask("when is my next alarm").await.answer(),
        "No alarm is set."
    );
    story.ask("Set an alarm").await;
    assert_eq!(
        story.ask("what timers are set").await.answer(),
        "No timer is running."
    );
    story.script([Reply::answers("That is a time.")]);
    assert_eq!(story.ask("at seven").await.answer(), "That is a time.");
    story.ask("Set a timer").await;
    let elsewhere = Utterance::new("ten minutes").in_session("elsewhere");
    story.script([Reply::answers("Of what?")]);
    assert_eq!(elsewhere.ask(&story.probe).await.answer(), "Of what?");
    assert_eq!(
        story.ask("ten minutes").await.answer(),
        "Timer set for 10 minutes."
    );
}

#[tokio::test]
async fn a_timer_is_changed_by_voice() {
    let story = story().await;
    story.ask("set a pasta timer for ten minutes").await;
    let turn = story.ask("add five minutes to the pasta timer").await;
    assert!(
        turn.answer().starts_with("The pasta timer now has 1"),
        "{}",
        turn.answer()
    );
    let turn = story.ask("make it one second").await;
    assert_eq!(turn.answer(), "The pasta timer now has 1 second left.");
    told(&story, 0, "ringing").await;
}

#[tokio::test]
async fn a_satellite_s_timer_rings_at_the_satellite() {
    let (_bus, mut story, _lamps) = beside_a_lamp(Act::Returns(on())).await;
    story.home.setting("skills.intents", "\"alone\"");
    crash(&mut story).await;
    let mark = story.probe.mark();
    let turn = Utterance::new("Set a timer for two seconds")
        .in_session("satellite-session")
        .context("source", json!("satellite::1"))
        .context("destination", json!("skills"))
        .ask(&story.probe)
        .await;
    assert_eq!(turn.answer(), "Timer set for 2 seconds.");
    // Where it rings is known after a restart, too.
    crash(&mut story).await;
    let rings = told(&story, mark, "ringing").await;
    let sound = |frame: &Frame| frame.topic == "mycroft.audio.play_sound";
    let sound = story.probe.wait("the sound", mark, PATIENCE, sound).await;
    let words = |frame: &Frame| {
        frame.is_speak() && frame.utterance() == "Your 2-second timer is up. Say stop to end it."
    };
    let words = story.probe.wait("the sentence", mark, PATIENCE, words).await;
    for frame in [rings, sound, words] {
        assert_eq!(frame.session_id(), "satellite-session", "{}", frame.topic);
        assert_eq!(frame.context["destination"], "satellite::1", "{}", frame.topic);
    }
}

/// Says it in a session; gives all that was answered.
async fn said(story: &Story, session: &str, text: &str, lang: &str) -> String {
    let utterance = Utterance::new(text).in_session(session);
    let turn = utterance.session("lang", json!(lang)).ask(&story.probe).await;
    let spoken: Vec<&str> = turn.spoken().into_iter().map(Frame::utterance).collect();
    spoken.join(" ")
}

#[tokio::test]
async fn a_name_that_a_timer_and_a_list_have_is_asked_about_in_its_session_alone() {
    let story = story().await;
    let persona = "The persona has it.";
    story.brain.whenever(TESTER, "", Reply::answers(persona));
    let said = async |session: &str, text: &str, lang: &str| said(&story, session, text, lang).await;
    for (lang, asks, question, timer, gone) in [
        (
            "en-US",
            "delete the pasta",
            "Which one do you mean: pasta (timer) and pasta (list)?",
            "the timer",
            "pasta",
        ),
        (
            "de-DE",
            "lösche pasta",
            "Was meinst du: pasta (Timer) und pasta (Liste)?",
            "den ersten",
            "pasta",
        ),
    ] {
        said("kitchen", "Set a pasta timer for 20 minutes", "en-US").await;
        said("kitchen", "Add salt to my pasta list", "en-US").await;
        assert_eq!(said("kitchen", asks, lang).await, question);
        assert_eq!(
            said("bedroom", timer, lang).await,
            persona,
            "nothing was asked there"
        );
        let done = said("kitchen", timer, lang).await;
        assert!(done.to_lowercase().contains(gone), "{done}");
        // With the timer gone only the list is meant.
        let asked = said("kitchen", asks, lang).await;
        assert!(
            !asked.contains("(timer)") && !asked.contains("(Timer)"),
            "{asked}"
        );
        said("kitchen", if lang == "en-US" { "no" } else { "nein" }, lang).await;
    }
    // What is said next ends the question.
    said("kitchen", "Set a pasta timer for 20 minutes", "en-US").await;
    said("kitchen", "delete the pasta", "en-US").await;
    assert_eq!(said("kitchen", "tell me a joke", "en-US").await, persona);
    assert_eq!(said("kitchen", "the timer", "en-US").await, persona);
}

#[tokio::test]
async fn what_the_owner_has_set_is_neither_told_nor_changed_nor_cancelled_for_others() {
    let story = story().await;
    said(
        &story,
        "default",
        "remind me to call the lawyer in 3 hours",
        "en-US",
    )
    .await;
    said(&story, "default", "set an alarm for 6 am", "en-US").await;
    said(&story, "default", "set a pasta timer for two hours", "en-US").await;
    let tries = [
        ("what reminders do I have", "en-US"),
        ("what alarms do I have", "en-US"),
        ("what timers are set", "en-US"),
        ("cancel all alarms", "en-US"),
        ("cancel all reminders", "en-US"),
        ("cancel the pasta timer", "en-US"),
        ("change my alarm to 9 am", "en-US"),
        ("add five minutes to the pasta timer", "en-US"),
        ("undo that", "en-US"),
        ("welche Erinnerungen habe ich", "de-DE"),
        ("lösche alle Wecker", "de-DE"),
        ("quels rappels ai-je", "fr-FR"),
        ("qué recordatorios tengo", "es-ES"),
    ];
    for session in ["wyoming:10.0.0.2:c", "hive:kitchen:s", "mcp-1", "probe"] {
        for (text, lang) in tries {
            let heard = said(&story, session, text, lang).await;
            for secret in ["lawyer", "pasta", "6:00", "06:00"] {
                assert!(!heard.contains(secret), "{session}, {text}: {heard}");
            }
        }
        let heard = said(&story, session, "what reminders do I have", "en-US").await;
        assert!(
            heard.contains("only know of what was set here"),
            "{session}: {heard}"
        );
    }
    let call = |name: &str, kwargs: Value| {
        let data = json!({"toolbox_id": "loquat-alert-tools", "name": name, "kwargs": kwargs});
        json!({"type": "ovos.persona.tools.call", "data": data, "context": {"session": {"session_id": "default"}}})
    };
    for (name, kwargs) in [
        ("list_alerts", json!({})),
        ("cancel_alert", json!({"kind": "alarm", "name": "all"})),
        ("cancel_alert", json!({"name": "all"})),
        ("change_alert", json!({"name": "pasta", "by": "5 minutes"})),
        ("snooze_alert", json!({})),
    ] {
        let mark = story.probe.mark();
        story.probe.send(&call(name, kwargs)).await;
        let is_answer = |frame: &Frame| frame.topic == "ovos.persona.tools.call.response";
        let answer = story
            .probe
            .wait("the answer to a call", mark, PATIENCE, is_answer)
            .await;
        assert_eq!(answer.data["result"]["count"], 0, "{name}: {}", answer.data);
    }
    let own = said(&story, "default", "what reminders do I have", "en-US").await;
    assert!(own.contains("lawyer"), "{own}");
    let own = said(&story, "default", "what alarms do I have", "en-US").await;
    assert!(own.contains("6:00") && !own.contains("9:00"), "{own}");
    let own = said(&story, "default", "what timers are set", "en-US").await;
    assert!(own.contains("pasta"), "{own}");
}

#[tokio::test]
async fn what_a_guest_has_set_is_its_own_in_each_of_its_conversations_and_the_owner_s() {
    let story = story().await;
    said(
        &story,
        "wyoming:10.0.0.2:one",
        "set an egg timer for one hour",
        "en-US",
    )
    .await;
    let heard = said(&story, "wyoming:10.0.0.2:two", "what timers are set", "en-US").await;
    assert!(heard.contains("egg"), "{heard}");
    let heard = said(&story, "wyoming:10.0.0.3:one", "what timers are set", "en-US").await;
    assert!(!heard.contains("egg"), "{heard}");
    let heard = said(&story, "default", "what timers are set", "en-US").await;
    assert!(heard.contains("egg"), "{heard}");
    let heard = said(&story, "wyoming:10.0.0.2:three", "cancel the egg timer", "en-US").await;
    assert!(heard.contains("cancelled"), "{heard}");
    let heard = said(&story, "default", "what timers are set", "en-US").await;
    assert_eq!(heard, "No timer is running.");
}

#[tokio::test]
async fn the_owner_is_known_at_the_command_line_and_who_poses_as_it_is_not() {
    let scene = Scene::default();
    scene.home.setting("skills.intents", "\"alone\"");
    let tester = scene.tester();
    let story = scene.play_attended(&tester).await;
    let mark = story.probe.mark();
    story
        .daemon
        .types("remind me to call the lawyer in 3 hours")
        .await;
    story
        .probe
        .wait("the reminder to be set", mark, PATIENCE, Frame::is_speak)
        .await;
    let question = "what reminders do I have";
    let asked = Launch::new(&story.home, &["ask", question]).run().await;
    assert!(asked.stdout.contains("lawyer"), "{}", asked.shown());
    for id in ["", "loquat.emergency_stop"] {
        let posing = Utterance::new(question)
            .in_session("default")
            .context("source", json!("loquat-cli"));
        let told = posing
            .context("loquat_question", json!(id))
            .ask(&story.probe)
            .await;
        assert!(!told.answer().contains("lawyer"), "{}", told.answer());
    }
}

#[tokio::test]
async fn the_command_line_sets_timers_of_the_daemon_and_none_of_its_own() {
    let story = story().await;
    let arguments = ["tools", "call", "set_timer", r#"{"duration": "1 hour"}"#];
    let set = Launch::new(&story.home, &arguments).run().await;
    assert!(set.status.success(), "{}", set.shown());
    let owner = Utterance::new("what timers are set").in_session("default");
    let listed = owner.ask(&story.probe).await;
    assert!(listed.answer().contains("1-hour timer"), "{}", listed.answer());
    let Story { mut daemon, home, .. } = story;
    daemon.signal(Signal::TERM);
    daemon.ended(PATIENCE).await;
    let refused = Launch::new(&home, &arguments).run().await;
    assert!(!refused.status.success(), "{}", refused.shown());
    assert!(refused.shown().contains("loquat run"), "{}", refused.shown());
}

#[tokio::test]
async fn beside_a_core_the_answer_to_a_question_comes_as_a_conversation() {
    let bus = FakeBus::start().await;
    let core = ScriptedCore::join(bus.port(), Generation::PreRelease).await;
    let scene = Scene::at(Home::with_bus(bus.port()));
    scene.home.setting("skills.intents", "\"always\"");
    let tester = scene.tester();
    let story = scene.play(&tester).await;
    core.registered("loquat", PATIENCE).await;
    let handlers = json!([{"skill_id": "loquat", "activated_at": 1}]);
    let session = json!({"session_id": "kitchen", "converse_handlers": handlers});
    let send = async |topic: &str, text: &str, number: &str| {
        let mark = story.probe.mark();
        let data = json!({"lang": "en-US", "utterance": text, "utterances": [text], "slots": {}});
        let context = json!({"source": "skills", "utterance_id": number, "session": session});
        let frame = json!({"type": topic, "data": data, "context": context});
        story.probe.send(&frame).await;
        mark
    };
    let mark = send("loquat:alerts.set_timer", "Set a timer", "u1").await;
    let question = story.probe.wait("the question", mark, PATIENCE, asks).await;
    assert_eq!(question.utterance(), "For how long?");
    for (said, is_ours) in [("ten minutes", true), ("tell me a joke", false)] {
        let mark = send("ovos.converse.ping", said, "u2").await;
        let pong = |frame: &Frame| frame.topic == "ovos.converse.pong";
        let pong = story.probe.wait("the pong", mark, PATIENCE, pong).await;
        assert_eq!(pong.data["can_handle"], is_ours, "{said}");
    }
    let mark = send("loquat.converse.request", "ten minutes", "u2").await;
    let answer = story
        .probe
        .wait("the answer", mark, PATIENCE, Frame::is_speak)
        .await;
    assert_eq!(answer.utterance(), "Timer set for 10 minutes.");
}
