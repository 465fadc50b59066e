//! Home Assistant's way in: the real package of its protocol talks to the real daemon, and so do peers that break it.

use std::path::{Path, PathBuf};
use std::time::Duration;

use loquat_tests::brain::{Delivery, Reply};
use loquat_tests::daemon::Launch;
use loquat_tests::frame::Frame;
use loquat_tests::models::smallest;
use loquat_tests::persona::Persona;
use loquat_tests::sound::speak;
use loquat_tests::toolbox::{Act, ScriptedTool, ScriptedToolbox, Told};
use loquat_tests::turn::Utterance;
use loquat_tests::wait::{PATIENCE, wait_for, within};
use loquat_tests::wyoming::{WyomingPort, hear_out, sentence, tell, visit_home_assistant};
use serde_json::json;
use tokio::io::AsyncReadExt;

use crate::story::{Scene, Story, TESTER};

const DOORS: &str = "door-tools";

/// A daemon whose door is open.
async fn open() -> (Story, WyomingPort) {
    let scene = Scene::default();
    let door = WyomingPort::of(&scene.home);
    let tester = scene.tester();
    (scene.play(&tester).await, door)
}

fn handled(text: &str) -> (String, String) {
    ("handled".to_owned(), text.to_owned())
}

#[tokio::test]
async fn a_persona_is_offered_and_no_ears_without_a_model() {
    let (_story, door) = open().await;
    let info = door.stock(&["describe"]).await;
    assert_eq!(info["type"], "info");
    let data = &info["data"];
    assert_eq!(data["handle"][0]["name"], "loquat");
    assert_eq!(data["handle"][0]["models"][0]["name"], TESTER);
    let languages = &data["handle"][0]["models"][0]["languages"];
    assert!(
        languages.as_array().unwrap().contains(&json!("en")),
        "{languages}"
    );
    assert_eq!(data["asr"], json!([]));
}

#[tokio::test]
async fn a_sentence_is_answered_and_its_conversation_remembered() {
    let (story, door) = open().await;
    story
        .brain
        .whenever(TESTER, "my cat", Reply::answers("A fine name."));
    story.brain.whenever(TESTER, "is it", Reply::answers("I see."));
    assert_eq!(door.say("one", "Tiger is my cat").await, handled("A fine name."));
    assert_eq!(door.say("one", "What is it?").await, handled("I see."));
    assert_eq!(door.say("two", "What is it?").await, handled("I see."));
    let shown: Vec<bool> = story
        .brain
        .requests(TESTER)
        .iter()
        .map(|request| request.text().contains("Tiger"))
        .collect();
    assert_eq!(shown, [true, true, false]);
}

#[tokio::test]
async fn what_is_said_at_a_satellite_is_not_spoken_at_the_device() {
    let (story, door) = open().await;
    story.brain.whenever(TESTER, "", Reply::answers("Guten Tag."));
    let mark = story.probe.mark();
    let arguments = [
        "--conversation",
        "c",
        "--device",
        "kitchen-1",
        "--language",
        "de",
        "say",
        "Hallo",
    ];
    let answer = door.stock(&arguments).await;
    assert_eq!(answer["data"]["text"], "Guten Tag.");
    let spoken: Vec<Frame> = story
        .probe
        .since(mark)
        .into_iter()
        .filter(Frame::is_speak)
        .collect();
    assert!(!spoken.is_empty());
    for frame in spoken {
        assert_eq!(frame.session_id(), "wyoming:127.0.0.1:c");
        assert_eq!(frame.context["session"]["site_id"], "kitchen-1");
        assert_eq!(frame.context["destination"], "wyoming");
        assert_eq!(frame.data["lang"], "de");
    }
    // The device's own session is not to be had under any name.
    door.say("default", "Hallo").await;
    let own = |frame: &Frame| frame.is_speak() && frame.session_id() == "default";
    assert!(!story.probe.since(mark).iter().any(own));
}

/// What is answered to a sentence of this conversation by the bare protocol.
async fn answered(door: WyomingPort, conversation: &str, text: &str) -> String {
    let mut stream = door.connect().await;
    tell(&mut stream, &sentence(conversation, text)).await;
    let mut heard = Vec::new();
    let look = async {
        let mut piece = [0; 4096];
        while !String::from_utf8_lossy(&heard).contains("\"text\"") {
            let count = stream.read(&mut piece).await.expect("a connection that goes on");
            assert!(count > 0, "the connection ended without an answer");
            heard.extend_from_slice(&piece[..count]);
        }
    };
    within("the answer to a sentence", PATIENCE, look).await;
    String::from_utf8_lossy(&heard).into_owned()
}

#[tokio::test]
async fn a_satellite_is_a_guest_wherever_it_calls_itself() {
    let scene = Scene::default();
    scene.home.setting("skills.intents", "\"alone\"");
    let door = WyomingPort::of(&scene.home);
    let tester = scene.tester();
    let story = scene.play(&tester).await;
    let own = |text: &str| Utterance::new(text).in_session("default");
    own("remind me to call the lawyer in 3 hours")
        .ask(&story.probe)
        .await;
    own("set an alarm for 6 am").ask(&story.probe).await;
    for conversation in ["one", "default", "a:b"] {
        for text in [
            "what reminders do I have",
            "what alarms do I have",
            "cancel all alarms",
            "cancel all reminders",
        ] {
            let heard = answered(door, conversation, text).await;
            assert!(
                !heard.contains("lawyer") && !heard.contains("6:00"),
                "{text}: {heard}"
            );
        }
    }
    let own_reminders = own("what reminders do I have").ask(&story.probe).await;
    assert!(
        own_reminders.answer().contains("lawyer"),
        "{}",
        own_reminders.answer()
    );
    own("emergency stop").ask(&story.probe).await;
    let heard = answered(door, "one", "end the emergency stop").await;
    assert!(!heard.contains("is over"), "{heard}");
    let refused = own("What is the time?").ask(&story.probe).await;
    assert!(
        refused.answer().contains("end the emergency stop"),
        "{}",
        refused.answer()
    );
}

async fn with_a_door(consent_from: &str) -> (Story, WyomingPort, ScriptedToolbox) {
    let scene = Scene::default();
    let door = WyomingPort::of(&scene.home);
    scene
        .home
        .setting("desk.consent_from", &format!("\"{consent_from}\""));
    let tester = scene.tester().toolboxes(&[DOORS]);
    let story = scene.play(&tester).await;
    let front = json!({"text": "front"});
    let doors = vec![ScriptedTool::named("unlock_door", Act::Returns(front.clone()))];
    let doors = ScriptedToolbox::join(story.home.port(), DOORS, doors).await;
    story.script([
        Reply::acts("unlock_door", &front),
        Reply::answers("That was the door."),
    ]);
    (story, door, doors)
}

#[tokio::test]
async fn a_question_back_is_answered_by_the_next_sentence() {
    let (story, door, doors) = with_a_door("bus").await;
    let (kind, question) = door.say("c", "Unlock the front door").await;
    assert_eq!(kind, "handled");
    assert!(question.starts_with("Shall I do this: unlock door"), "{question}");
    // The probe is what tells that it has been spoken there.
    let is_question = |frame: &Frame| frame.topic == "speak" && frame.data["expect_response"] == true;
    story.probe.wait("the question", 0, PATIENCE, is_question).await;
    assert!(doors.calls().is_empty());
    assert_eq!(door.say("c", "Yes, please").await, handled("That was the door."));
    assert_eq!(doors.calls().len(), 1);
}

#[tokio::test]
async fn without_leave_a_satellite_consents_to_nothing() {
    let (_story, door, doors) = with_a_door("own").await;
    let answer = door.say("c", "Unlock the front door").await;
    let refused = "I may only do that when you ask me at the device itself.\nThat was the door.";
    assert_eq!(answer, handled(refused));
    assert!(doors.calls().is_empty());
}

#[tokio::test]
async fn a_recording_is_heard() {
    let scene = Scene::default();
    let door = WyomingPort::of(&scene.home);
    scene
        .home
        .setting("speech.whisper_model", &smallest("ggml-tiny", "bin"));
    let wav = speak("what time is it in Tokyo?", scene.home.path()).await;
    let tester = scene.tester();
    let story = scene.play(&tester).await;
    let info = door.stock(&["describe"]).await;
    let model = &info["data"]["asr"][0]["models"][0];
    assert!(
        model["name"].as_str().unwrap().starts_with("ggml-tiny"),
        "{model}"
    );
    assert!(
        model["languages"].as_array().unwrap().contains(&json!("en")),
        "{model}"
    );

    let wav = wav.display().to_string();
    let heard = door.stock(&["--language", "en", "hear", &wav]).await;
    assert_eq!(heard["type"], "transcript");
    let text = heard["data"]["text"].as_str().unwrap().to_lowercase();
    assert!(text.contains("what time is it in tokyo"), "{heard}");
    assert_eq!(heard["data"]["language"], "en");

    let refused = door.stock(&["--model", "large", "hear", &wav]).await;
    assert_eq!(
        (&refused["type"], &refused["data"]["code"]),
        (&json!("error"), &json!("unsupported"))
    );
    story.assert_goes_on().await;
}

#[tokio::test]
async fn of_a_hundred_peers_at_once_some_are_served_and_all_are_answered() {
    let (story, door) = open().await;
    let told = door.stock(&["crowd", "100"]).await;
    let count = |kind: &str| told[kind].as_u64().unwrap_or_default();
    assert_eq!(count("info"), 32, "{told}");
    assert!(count("error") > 0, "{told}");
    assert_eq!(count("info") + count("error") + count("end"), 100, "{told}");
    story.brain.whenever(TESTER, "", Reply::answers("Hello."));
    assert_eq!(door.say("c", "Hi").await, handled("Hello."));
}

#[tokio::test]
async fn who_only_holds_connections_keeps_nobody_out() {
    let (story, door) = open().await;
    story.brain.whenever(TESTER, "Hi", Reply::answers("Hello."));
    let mut held = Vec::new();
    // Far more than are served: some say nothing, and some begin what they never end.
    for number in 0..300 {
        let mut idle = door.connect().await;
        if number % 3 == 1 {
            tell(&mut idle, b"{\"type\": \"describe\", ").await;
        }
        held.push(idle);
    }
    // A connection that has just come is given a second; no peer waits for a minute.
    let answered = async || {
        let mut stream = door.connect().await;
        tell(&mut stream, &sentence("c", "Hi")).await;
        let mut heard = vec![0; 4096];
        let length = stream.read(&mut heard).await.ok()?;
        let heard = String::from_utf8_lossy(&heard[..length]).into_owned();
        heard.contains("Hello.").then_some(())
    };
    wait_for(
        "a place among idle connections",
        Duration::from_secs(10),
        answered,
    )
    .await;
    drop(held);
}

#[tokio::test]
async fn lines_without_an_end_hold_nothing_up() {
    let (story, door) = open().await;
    story.brain.whenever(TESTER, "Hi", Reply::answers("Hello."));
    let mut endless = door.connect().await;
    tell(&mut endless, b"{\"type\": \"describe\", ").await;
    let mut long = door.connect().await;
    tell(&mut long, &vec![b'x'; 200_000]).await;
    assert_eq!(door.say("c", "Hi").await, handled("Hello."));
    hear_out(&mut long).await;
    // It is told when it has taken too long, and let go.
    let heard = hear_out(&mut endless).await;
    assert!(heard.contains("not whole within 20 s"), "{heard}");
    story.assert_goes_on().await;
}

#[tokio::test]
async fn a_peer_that_goes_ends_its_turn_and_leaves_its_conversation_free() {
    let (story, door) = open().await;
    let never = Reply::says("").delivered(Delivery::Never);
    story.brain.whenever(TESTER, "ponder", never);
    story
        .brain
        .whenever(TESTER, "And now", Reply::answers("Now, yes."));
    let mut peer = door.connect().await;
    tell(&mut peer, &sentence("c", "ponder this")).await;
    story.brain.asked(TESTER, 1, PATIENCE).await;
    let (kind, text) = door.say("c", "And now?").await;
    assert_eq!(kind, "error", "{text}");
    drop(peer);
    assert_eq!(story.reasons(1).await, ["Stopped"]);
    assert_eq!(door.say("c", "And now?").await, handled("Now, yes."));
}

#[tokio::test]
async fn an_open_door_is_refused_with_the_mend() {
    let scene = Scene::default();
    scene.home.setting("wyoming.listen", "\"0.0.0.0:10700\"");
    for command in ["run", "check"] {
        let refused = Launch::new(&scene.home, &[command]).run().await;
        assert_eq!(refused.status.code(), Some(78), "{}", refused.shown());
        let shown = refused.shown();
        assert!(shown.contains("wyoming.allow names none"), "{shown}");
    }
}

#[tokio::test]
async fn a_check_tells_whether_the_door_is_free_ours_or_another_s() {
    let (story, door) = open().await;
    let look = async || {
        let check = Launch::new(&story.home, &["check"]).run().await.shown();
        let mut lines = check.lines().filter(|line| line.contains("wyoming"));
        lines.next().unwrap_or_default().to_owned()
    };
    door.open().await;
    let said = look().await;
    assert!(
        said.starts_with("ok") && said.contains("a running Loquat listens"),
        "{said}"
    );
    assert!(said.contains("for this machine alone"), "{said}");
    let other = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let taken = other.local_addr().unwrap();
    story.home.setting("wyoming.listen", &format!("\"{taken}\""));
    let said = look().await;
    assert!(
        said.starts_with("BROKEN") && said.contains("another program listens"),
        "{said}"
    );
    drop(other);
    story.home.setting("wyoming.allow", "[\"192.168.1.20\"]");
    let said = look().await;
    assert!(said.starts_with("ok") && said.contains("is free"), "{said}");
    assert!(said.contains("this machine and 192.168.1.20"), "{said}");
}

#[tokio::test]
async fn what_is_set_at_a_satellite_rings_at_the_device() {
    let scene = Scene::default();
    let door = WyomingPort::of(&scene.home);
    scene.home.setting("skills.intents", "\"alone\"");
    let tester = scene.tester().toolboxes(&["loquat-alert-tools"]);
    let story = scene.play(&tester).await;
    let mark = story.probe.mark();
    let (kind, said) = door.say("c", "Set a timer for two seconds").await;
    assert_eq!(kind, "handled", "{said}");
    let rings = |frame: &Frame| frame.topic == "loquat.alert" && frame.data["state"] == "ringing";
    let ringing = story.probe.wait("the timer", mark, PATIENCE, rings).await;
    assert_eq!(ringing.session_id(), "default");
    let speaks = |frame: &Frame| frame.is_speak() && frame.session_id() == "default";
    story.probe.wait("its words", mark, PATIENCE, speaks).await;
}

/// A satellite cannot be called: what comes of a call that goes on is told with the next answer, and that is said beforehand.
#[tokio::test]
async fn what_goes_on_is_told_with_the_next_answer() {
    const PEER: &str = "peer-tools";
    let scene = Scene::default();
    let door = WyomingPort::of(&scene.home);
    let tester = scene
        .tester()
        .trusting(PEER)
        .setting(PEER, json!({"trust": "safe"}));
    let tester = tester.unasked_when_tainted(PEER, &["back_up"]);
    let story = scene.play(&tester).await;
    let outcome = json!({"started": "c1", "result": {"text": "Twelve files are safe."}});
    let told = vec![
        Told::now(None, json!({"result": {"started": "c1"}, "started": "c1"})),
        Told::now(Some("loquat.tool.outcome"), outcome).after(Duration::from_secs(1)),
    ];
    let definition = json!({"name": "back_up", "description": "Backs up.", "async": true,
        "argument_schema": {"type": "object", "properties": {}}, "output_schema": {"type": "object"}});
    let tool = ScriptedTool::new(definition, move |_, _| Act::Tells(told.clone()));
    let _peer = ScriptedToolbox::join(story.home.port(), PEER, vec![tool]).await;
    story.script([
        Reply::acts("back_up", &json!({})),
        Reply::answers("I have begun."),
    ]);
    let mark = story.probe.mark();
    assert_eq!(
        door.say("one", "Back up my files").await,
        handled("I have begun.")
    );
    let shown = story.brain.requests(TESTER).last().unwrap().text();
    assert!(
        shown.contains("when the person speaks here the next time"),
        "{shown}"
    );
    let late = |frame: &Frame| frame.is_speak() && frame.utterance().contains("Twelve files");
    let frame = story.probe.wait("what came of it", mark, PATIENCE, late).await;
    assert!(
        frame.session_id().starts_with("wyoming:"),
        "{}",
        frame.session_id()
    );
    story.brain.whenever(TESTER, "Hello", Reply::answers("Good day."));
    assert_eq!(
        door.say("two", "Hello").await,
        handled("Good day."),
        "of another conversation"
    );
    let (_, said) = door.say("one", "Hello").await;
    assert_eq!(
        said,
        "This is done now: back up. Twelve files are safe.\nGood day."
    );
    assert_eq!(door.say("one", "Hello").await, handled("Good day."), "once");
}

#[tokio::test]
async fn a_persona_is_summoned_for_a_conversation() {
    let scene = Scene::default();
    let door = WyomingPort::of(&scene.home);
    let other = Persona::react("Gardener", &scene.brain.url("Gardener"));
    scene.home.persona(&other);
    let tester = scene.tester();
    let story = scene.play(&tester).await;
    story
        .brain
        .whenever(TESTER, "", Reply::answers("I am the tester."));
    story.brain.whenever("Gardener", "", Reply::answers("I dig."));
    let (kind, _) = door.say("c", "Talk to Gardener").await;
    assert_eq!(kind, "handled");
    assert_eq!(door.say("c", "Who are you?").await, handled("I dig."));
    assert_eq!(door.say("d", "Who are you?").await, handled("I am the tester."));
}

#[tokio::test]
#[ignore = "needs a real Home Assistant, which `make test-home` brings"]
async fn the_real_home_assistant_is_answered_and_heard() {
    let scene = Scene::default();
    let door = WyomingPort::of(&scene.home);
    scene
        .home
        .setting("speech.whisper_model", &smallest("ggml-tiny", "bin"));
    let wav = speak("what time is it in Tokyo?", scene.home.path()).await;
    let wav = at_16_khz(&wav).display().to_string();
    let tester = scene.tester();
    let story = scene.play(&tester).await;
    story
        .brain
        .whenever(TESTER, "my cat", Reply::answers("A fine name."));
    story
        .brain
        .whenever(TESTER, "is it", Reply::answers("It is Tiger."));
    let told = visit_home_assistant(door, &wav, &["Tiger is my cat", "What is it?"]).await;
    assert_eq!(told["title"], "loquat");
    assert_eq!(told["answers"], json!(["A fine name.", "It is Tiger."]));
    // Home Assistant of 2025 names no conversation, since its package leaves it out: the test of the newest package above
    // tells whether one is remembered.
    let heard = told["heard"]["text"].as_str().unwrap_or_default().to_lowercase();
    assert!(heard.contains("what time is it in tokyo"), "{told}");
}

/// The recording as Home Assistant takes it: its voice devices have 16,000 samples a second, espeak-ng has 22,050.
fn at_16_khz(path: &Path) -> PathBuf {
    let mut reader = hound::WavReader::open(path).unwrap();
    let from = reader.spec();
    let samples: Vec<i16> = reader.samples().map(Result::unwrap).collect();
    let spec = hound::WavSpec {
        sample_rate: 16_000,
        ..from
    };
    let path = path.with_extension("16k.wav");
    let mut writer = hound::WavWriter::create(&path, spec).unwrap();
    let length = samples.len() * 16_000 / from.sample_rate as usize;
    for index in 0..length {
        let at = index as f64 * f64::from(from.sample_rate) / 16_000.0;
        let left = samples[at as usize];
        let right = samples.get(at as usize + 1).copied().unwrap_or(left);
        let between = f64::from(left) + (f64::from(right) - f64::from(left)) * at.fract();
        writer.write_sample(between as i16).unwrap();
    }
    writer.finalize().unwrap();
    path
}
