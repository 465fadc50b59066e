//! Satellites of HiveMind ask the running daemon, each in sessions of its own, and are denied what their owner does not
//! allow; strangers, forgers and floods get nothing and hold nothing up.

use std::time::Duration;

use loquat_hive::{HiveMessage, Kind, Payload, Sound, StaticKey};
use loquat_tests::brain::{Delivery, Reply};
use loquat_tests::daemon::Launch;
use loquat_tests::frame::Frame;
use loquat_tests::hive::{HivePort, Keys, let_in, owner, with_ears};
use loquat_tests::models::smallest;
use loquat_tests::sound::speak;
use loquat_tests::toolbox::{Act, ScriptedTool, ScriptedToolbox};
use loquat_tests::turn::{HANDLED, Utterance};
use loquat_tests::wait::{PATIENCE, wait_for, within};
use serde_json::{Map, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use crate::story::{Scene, Story, TESTER};

/// The toolbox of the doors.
pub(super) const DOORS: &str = "door-tools";

/// Utterances of a program, of which most find no room.
const FLOOD: usize = 260;

/// A daemon whose hive is open, and the keys of a satellite in the kitchen.
async fn open() -> (Story, HivePort, Keys) {
    let scene = Scene::default();
    let door = HivePort::of(&scene.home);
    let keys = let_in(&scene.home, "kitchen", &[]).await;
    let tester = scene.tester();
    (scene.play(&tester).await, door, keys)
}

#[tokio::test]
async fn a_satellite_is_answered_in_its_own_session_and_the_device_is_silent() {
    let (story, door, keys) = open().await;
    story.brain.whenever(TESTER, "", Reply::answers("Good morning."));
    let mark = story.probe.mark();
    let mut kitchen = door.satellite(&keys, "default").await;
    assert_eq!(kitchen.ask("Hello there").await, ["Good morning."]);
    story
        .probe
        .wait("the answer on the bus", mark, PATIENCE, Frame::is_speak)
        .await;
    let spoken: Vec<Frame> = story
        .probe
        .since(mark)
        .into_iter()
        .filter(Frame::is_speak)
        .collect();
    assert!(!spoken.is_empty());
    for frame in spoken {
        assert_eq!(frame.session_id(), "hive:kitchen:default");
        assert_eq!(frame.context["session"]["site_id"], "kitchen");
        assert_eq!(frame.context["destination"], "hive:kitchen");
    }
}

#[tokio::test]
async fn two_satellites_share_neither_words_nor_memory() {
    let (story, door, keys) = open().await;
    let others = let_in(&story.home, "bath", &[]).await;
    story
        .brain
        .whenever(TESTER, "my cat", Reply::answers("A fine name."));
    story.brain.whenever(TESTER, "is it", Reply::answers("I see."));
    let mut kitchen = door.satellite(&keys, "s").await;
    let look = async || {
        let device = StaticKey::generate()?;
        door.join(&others, &device).await.ok()
    };
    let mut bath = wait_for("the new satellite to be known", PATIENCE, look).await;
    bath.tell(&HiveMessage::hello("s", "bath")).await;
    assert_eq!(kitchen.ask("Tiger is my cat").await, ["A fine name."]);
    assert_eq!(bath.ask("What is it?").await, ["I see."]);
    assert_eq!(kitchen.ask("What is it?").await, ["I see."]);
    let requests = story.brain.requests(TESTER);
    let shown: Vec<bool> = requests
        .iter()
        .map(|request| request.text().contains("Tiger"))
        .collect();
    assert_eq!(shown, [true, false, true]);
    assert!(bath.hears_nothing(Duration::from_millis(300)).await);
}

#[tokio::test]
async fn what_the_owner_does_not_allow_is_denied_with_a_sentence() {
    let (story, door, keys) = open().await;
    let mut kitchen = door.satellite(&keys, "s").await;
    let mark = story.probe.mark();
    for topic in ["speak", "mycroft.volume.set", "loquat.emergency_stop"] {
        kitchen.send(topic, json!({"utterance": "hi"})).await;
        let denied = kitchen.hear("hive.policy.denied").await;
        assert_eq!(denied["data"]["denied_type"], topic);
        assert_eq!(denied["data"]["code"], "acl_disallowed_type");
        let reason = denied["data"]["reason"].as_str().unwrap();
        assert!(reason.contains("loquat hive allow"), "{reason}");
    }
    story
        .daemon
        .wrote("denied to a client of the hive", PATIENCE)
        .await;
    assert!(
        !story
            .probe
            .since(mark)
            .iter()
            .any(|frame| frame.topic == "mycroft.volume.set")
    );
    // Envelopes that others would pass on are not.
    let inner = json!({"msg_type": "bus", "payload": {"type": "speak", "data": {}, "context": {}}});
    let inner = inner.as_object().unwrap();
    for kind in [
        Kind::Broadcast,
        Kind::Propagate,
        Kind::Escalate,
        Kind::Query,
        Kind::Cascade,
        Kind::Intercom,
    ] {
        kitchen.tell(&HiveMessage::new(kind, inner.clone())).await;
        let denied = kitchen.hear("hive.policy.denied").await;
        assert_eq!(denied["data"]["denied_type"], kind.name());
    }
    // What is changed counts for a connection that is there.
    owner(
        &story.home,
        &["--json", "hive", "allow", "kitchen", "mycroft.volume.set"],
    )
    .await;
    let allowed = async {
        loop {
            kitchen.send("mycroft.volume.set", json!({"percent": 0.5})).await;
            kitchen.send("speak", json!({})).await;
            let denied = kitchen.hear("hive.policy.denied").await;
            if denied["data"]["denied_type"] == "speak" {
                return;
            }
            kitchen.hear("hive.policy.denied").await;
        }
    };
    within("the topic to be allowed", PATIENCE, allowed).await;
    let arrived = |frame: &Frame| frame.topic == "mycroft.volume.set";
    story
        .probe
        .wait("the allowed message", mark, PATIENCE, arrived)
        .await;
    owner(
        &story.home,
        &["--json", "hive", "deny", "kitchen", "recognizer_loop:utterance"],
    )
    .await;
    let denied = async {
        while !kitchen
            .ask("Hello")
            .await
            .concat()
            .contains("acl_disallowed_type")
        {}
    };
    story.brain.whenever(TESTER, "", Reply::answers("Hello."));
    within("questions to be denied", PATIENCE, denied).await;
}

#[tokio::test]
async fn in_a_flood_a_person_at_a_satellite_still_hears_why_there_is_no_answer() {
    let (story, door, keys) = open().await;
    let never = Reply::says("").delivered(Delivery::Never);
    story.brain.whenever(TESTER, "ponder", never);
    story.brain.whenever(TESTER, "", Reply::answers("Hello."));
    let mut kitchen = door.satellite(&keys, "s").await;
    assert_eq!(kitchen.ask("hello").await, ["Hello."]);
    let mark = story.probe.mark();
    for number in 0..FLOOD {
        let flood = Utterance::new("ponder this").in_session(&format!("flood-{number}"));
        flood.enter(&story.probe).await;
    }
    let count = |is_meant: &dyn Fn(&Frame) -> bool| {
        story
            .probe
            .since(mark)
            .iter()
            .filter(|frame| is_meant(frame))
            .count()
    };
    let refused = async || (count(&|frame| frame.topic == HANDLED) >= FLOOD / 2).then_some(());
    wait_for("most of the flood to be refused", PATIENCE, refused).await;
    assert!(
        count(&|frame| frame.is_speak() && !frame.is_twin()) < count(&|frame| frame.topic == HANDLED),
        "strangers are told less and less"
    );
    let told = kitchen.ask("hello").await;
    assert_eq!(told, ["I am still busy with what you asked before."]);
}

async fn with_a_door(consent_from: &str) -> (Story, HivePort, Keys, ScriptedToolbox) {
    let scene = Scene::default();
    let door = HivePort::of(&scene.home);
    let keys = let_in(&scene.home, "kitchen", &[]).await;
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
    (story, door, keys, doors)
}

#[tokio::test]
async fn a_question_back_is_answered_by_whoever_was_asked() {
    let (story, door, keys, doors) = with_a_door("bus").await;
    let others = let_in(&story.home, "bath", &[]).await;
    let mut kitchen = door.satellite(&keys, "s").await;
    kitchen.say("Unlock the front door").await;
    let question = kitchen.hear_said().await;
    assert!(question.starts_with("Shall I do this: unlock door"), "{question}");
    // The probe is what tells that it has been spoken there.
    let is_question = |frame: &Frame| frame.topic == "speak" && frame.data["expect_response"] == true;
    story.probe.wait("the question", 0, PATIENCE, is_question).await;
    // Another satellite says yes, in a session of the same name.
    let look = async || door.join(&others, &StaticKey::generate()?).await.ok();
    let mut bath = wait_for("the other satellite to be known", PATIENCE, look).await;
    bath.tell(&HiveMessage::hello("s", "bath")).await;
    story.brain.whenever(TESTER, "Yes", Reply::answers("Yes what?"));
    assert_eq!(bath.ask("Yes, please").await, ["Yes what?"]);
    assert!(doors.calls().is_empty());
    kitchen.say("Yes, please").await;
    assert_eq!(kitchen.hear_said().await, "That was the door.");
    assert_eq!(doors.calls().len(), 1);
}

#[tokio::test]
async fn without_leave_a_satellite_consents_to_nothing() {
    let (_story, door, keys, doors) = with_a_door("own").await;
    let mut kitchen = door.satellite(&keys, "s").await;
    let answer = kitchen.ask("Unlock the front door").await.join(" ");
    assert!(
        answer.contains("when you ask me at the device itself"),
        "{answer}"
    );
    assert!(doors.calls().is_empty());
}

#[tokio::test]
async fn only_whoever_proves_who_it_is_comes_in() {
    let (story, door, keys) = open().await;
    story.brain.whenever(TESTER, "", Reply::answers("Hello."));
    let device = StaticKey::generate().unwrap();
    let wrong = Keys {
        password: "another password".to_owned(),
        ..keys.clone()
    };
    assert!(door.join(&wrong, &device).await.is_err());
    let unknown = Keys {
        access_key: "00000000000000000000000000000000".to_owned(),
        ..keys.clone()
    };
    assert!(door.join(&unknown, &device).await.is_err());
    story.daemon.wrote("not let into the hive", PATIENCE).await;
    let mut kitchen = door.join(&keys, &device).await.unwrap();
    assert_eq!(kitchen.ask("Hi").await, ["Hello."]);
    // From now on the satellite is this device and no other, unless its owner says so.
    let another = StaticKey::generate().unwrap();
    let mut stranger = door.join(&keys, &another).await.ok();
    if let Some(stranger) = &mut stranger {
        stranger.let_go().await;
    }
    assert_eq!(kitchen.ask("Hi").await, ["Hello."]);
    owner(&story.home, &["--json", "hive", "forget", "kitchen"]).await;
    kitchen.let_go().await;
    let look = async || {
        let mut stranger = door.join(&keys, &another).await.ok()?;
        stranger.say("Hi").await;
        let message = stranger.next().await?;
        Some(message)
    };
    wait_for("another device to be let in", PATIENCE, look).await;
    let mut other = door.join(&keys, &another).await.unwrap();
    // A client that is removed is let go.
    owner(&story.home, &["--json", "hive", "remove", "kitchen"]).await;
    other.let_go().await;
    assert!(door.join(&keys, &another).await.is_err());
}

#[tokio::test]
async fn a_session_that_is_replayed_is_refused() {
    let (story, door, keys) = open().await;
    story.brain.whenever(TESTER, "", Reply::answers("Hello."));
    drop(door.connect().await);
    let between = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = between.local_addr().unwrap().port();
    let eavesdropper = async {
        // The first connection only looks whether the door is open.
        drop(between.accept().await.unwrap());
        let (mut satellite, _) = between.accept().await.unwrap();
        let mut daemon = TcpStream::connect(("127.0.0.1", door.number())).await.unwrap();
        let (mut from_satellite, mut to_satellite) = satellite.split();
        let (mut from_daemon, mut to_daemon) = daemon.split();
        let mut written_down = Vec::new();
        let listen = async {
            let mut bytes = vec![0; 4096];
            while let Ok(count @ 1..) = from_satellite.read(&mut bytes).await {
                written_down.extend_from_slice(&bytes[..count]);
                to_daemon.write_all(&bytes[..count]).await.unwrap();
            }
            to_daemon.shutdown().await.ok();
        };
        let pass = async { tokio::io::copy(&mut from_daemon, &mut to_satellite).await.ok() };
        tokio::join!(listen, pass);
        written_down
    };
    let conversation = async {
        let mut kitchen = HivePort::at(port).satellite(&keys, "s").await;
        assert_eq!(kitchen.ask("Hi").await, ["Hello."]);
    };
    let both = async { tokio::join!(Box::pin(eavesdropper), Box::pin(conversation)) };
    let (written_down, ()) = within("the end of the conversation", PATIENCE, both).await;
    let asked = story.brain.requests(TESTER).len();
    let mut replay = door.connect().await;
    let head = head_length(&written_down);
    opened(&mut replay, &written_down[..head]).await;
    replay.write_all(&written_down[head..]).await.unwrap();
    let mut heard = Vec::new();
    let ended = replay.read_to_end(&mut heard);
    within("the end of the replay", PATIENCE, ended).await.ok();
    story.daemon.wrote("not let into the hive", PATIENCE).await;
    assert_eq!(story.brain.requests(TESTER).len(), asked);
}

/// Bytes up to the end of the head of an HTTP message.
fn head_length(bytes: &[u8]) -> usize {
    let end = bytes.windows(4).position(|window| window == b"\r\n\r\n");
    end.map_or(bytes.len(), |end| end + 4)
}

/// Asks for a websocket, and waits until it is there or refused.
async fn opened(stream: &mut TcpStream, head: &[u8]) {
    stream.write_all(head).await.ok();
    let mut heard = Vec::new();
    let response = async {
        while head_length(&heard) == heard.len() && !heard.ends_with(b"\r\n\r\n") {
            match stream.read_u8().await {
                Ok(byte) => heard.push(byte),
                Err(_) => return,
            }
        }
    };
    within("an answer to the request for a websocket", PATIENCE, response).await;
}

/// What opens a websocket with this authorization.
fn upgrade(authorization: &str, more: &str) -> String {
    format!(
        "GET /?authorization={authorization} HTTP/1.1\r\nHost: h:1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
         Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n{more}\r\n"
    )
}

/// A frame of a websocket, masked with zeros.
fn frame(opcode: u8, payload: &[u8]) -> Vec<u8> {
    let mut bytes = vec![0x80 | opcode, 0x80 | 127];
    bytes.extend((payload.len() as u64).to_be_bytes());
    bytes.extend([0; 4]);
    bytes.extend(payload);
    bytes
}

/// All that is heard until the connection ends, which a client that says too little has half a minute for.
async fn hear_out(stream: &mut TcpStream) -> String {
    let mut heard = Vec::new();
    within(
        "the end of the connection",
        2 * PATIENCE,
        stream.read_to_end(&mut heard),
    )
    .await
    .ok();
    String::from_utf8_lossy(&heard).into_owned()
}

#[tokio::test]
async fn what_is_no_satellite_is_let_go_and_holds_nothing_up() {
    let (story, door, keys) = open().await;
    story.brain.whenever(TESTER, "Hi", Reply::answers("Hello."));
    let authorization = keys.authorization();
    let shake = |payload: &str| {
        frame(
            1,
            format!("{{\"msg_type\": \"shake\", \"payload\": {payload}}}").as_bytes(),
        )
    };
    let noise = |pattern: &str, msg: &str| {
        let suite = "25519_ChaChaPoly_SHA256";
        shake(&json!({"noise": {"pattern": pattern, "suite": suite, "msg": msg}}).to_string())
    };
    let known = upgrade(&authorization, "");
    let cases: Vec<(&str, Vec<u8>)> = vec![
        ("no HTTP", b"\x16\x03\x01 hello\r\n\r\n".to_vec()),
        ("no websocket", b"GET / HTTP/1.1\r\nHost: h\r\n\r\n".to_vec()),
        ("nobody", upgrade("", "").into_bytes()),
        ("no Base64", upgrade("%25%25", "").into_bytes()),
        ("a stranger", upgrade("YTpi", "").into_bytes()),
        (
            "another page",
            upgrade(&authorization, "Origin: http://evil.example\r\n").into_bytes(),
        ),
        (
            "an older protocol",
            [
                known.as_bytes(),
                &shake("{\"envelope\": \"00\", \"binarize\": true}"),
            ]
            .concat(),
        ),
        (
            "an older key",
            [known.as_bytes(), &shake("{\"pubkey\": \"00\"}")].concat(),
        ),
        ("no handshake", [known.as_bytes(), &shake("{}")].concat()),
        ("no JSON", [known.as_bytes(), &frame(1, b"{{{{")].concat()),
        (
            "a message in the clear",
            [
                known.as_bytes(),
                &frame(1, b"{\"msg_type\": \"bus\", \"payload\": {\"type\": \"speak\"}}"),
            ]
            .concat(),
        ),
        (
            "bytes in the clear",
            [known.as_bytes(), &frame(2, &[0; 100])].concat(),
        ),
        (
            "a pattern that is not offered",
            [known.as_bytes(), &noise("KKpsk0", "00")].concat(),
        ),
        (
            "a pattern that there is not",
            [known.as_bytes(), &noise("NN", "00")].concat(),
        ),
        ("no digits", [known.as_bytes(), &noise("XXpsk2", "zz")].concat()),
        ("too little", [known.as_bytes(), &noise("XXpsk2", "00")].concat()),
        (
            "too much",
            [known.as_bytes(), &noise("XXpsk2", &"ab".repeat(32_000))].concat(),
        ),
        (
            "a huge frame",
            [known.as_bytes(), &frame(1, &vec![b' '; 300_000])].concat(),
        ),
    ];
    for (what, bytes) in cases {
        let mut stream = door.connect().await;
        let head = head_length(&bytes);
        opened(&mut stream, &bytes[..head]).await;
        stream.write_all(&bytes[head..]).await.ok();
        let heard = hear_out(&mut stream).await;
        assert!(!heard.contains("\"bus\""), "{what}: {heard}");
    }
    // What only claims to be large is not waited for with memory, and what says nothing holds no place for ever.
    let mut claims = door.connect().await;
    let claim = [
        known.as_bytes(),
        &[0x82, 0xff, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff][..],
    ]
    .concat();
    let head = head_length(&claim);
    opened(&mut claims, &claim[..head]).await;
    claims.write_all(&claim[head..]).await.unwrap();
    hear_out(&mut claims).await;
    let mut silent = Vec::new();
    for _ in 0..200 {
        silent.push(door.connect().await);
    }
    let look = async || {
        let device = StaticKey::generate()?;
        door.join(&keys, &device).await.ok()
    };
    drop(silent);
    let mut kitchen = wait_for("a satellite among a crowd", PATIENCE, look).await;
    assert_eq!(kitchen.ask("Hi").await, ["Hello."]);
    story.assert_goes_on().await;
}

#[tokio::test]
async fn who_only_connects_keeps_no_satellite_out() {
    let (story, door, keys) = open().await;
    story.brain.whenever(TESTER, "Hi", Reply::answers("Hello."));
    let device = StaticKey::generate().unwrap();
    let mut silent = Vec::new();
    for _ in 0..100 {
        silent.push(door.connect().await);
    }
    // Strangers of all kinds are still there, behind the very address of the satellite.
    let mut kitchen = door.join(&keys, &device).await.unwrap();
    assert_eq!(kitchen.ask("Hi").await, ["Hello."]);
    for _ in 0..100 {
        silent.push(door.connect().await);
    }
    assert_eq!(kitchen.ask("Hi").await, ["Hello."], "who is in stays");
    // A wrong password has the key wait for a moment, and keeps no satellite out for long.
    let wrong = Keys {
        password: "another password".to_owned(),
        ..keys.clone()
    };
    for _ in 0..4 {
        assert!(door.join(&wrong, &device).await.is_err());
    }
    let mut again = door.join(&keys, &device).await.unwrap();
    assert_eq!(again.ask("Hi").await, ["Hello."]);
    drop(silent);
}

#[tokio::test]
async fn a_satellite_that_breaks_the_protocol_harms_itself_alone() {
    let (story, door, keys) = open().await;
    story.brain.whenever(TESTER, "Hi", Reply::answers("Hello."));
    let device = StaticKey::generate().unwrap();
    let mut kitchen = door.join(&keys, &device).await.unwrap();
    // Sessions and messages that are none are denied, and the connection goes on.
    for payload in [
        json!({}),
        json!({"type": "recognizer_loop:utterance", "data": 7}),
        json!({"type": "recognizer_loop:utterance", "data": {}, "context": {"session": {"session_id": "a b"}}}),
        json!({"type": "x".repeat(70_000), "data": {}}),
    ] {
        let payload = payload.as_object().unwrap();
        kitchen.tell(&HiveMessage::new(Kind::Bus, payload.clone())).await;
        let denied = kitchen.hear("hive.policy.denied").await;
        assert_eq!(denied["data"]["code"], "malformed_payload", "{payload:?}");
    }
    for sound in [
        Sound::Undefined,
        Sound::Raw,
        Sound::Image,
        Sound::File,
        Sound::Speech,
        Sound::Transcribe,
    ] {
        kitchen
            .tell(&HiveMessage::bytes(sound, vec![1; 1000], Map::new()))
            .await;
        kitchen.hear("hive.policy.denied").await;
    }
    // A flood is read as fast as one may speak, and others are served meanwhile.
    for _ in 0..300 {
        kitchen.tell(&HiveMessage::hello("s", "kitchen")).await;
    }
    let others = let_in(&story.home, "bath", &[]).await;
    let look = async || door.join(&others, &StaticKey::generate()?).await.ok();
    let mut bath = wait_for("another satellite beside a flood", PATIENCE, look).await;
    assert_eq!(bath.ask("Hi").await, ["Hello."]);
    assert_eq!(kitchen.ask("Hi").await, ["Hello."]);
    story.assert_goes_on().await;
}

#[tokio::test]
async fn speech_comes_as_bytes_where_a_satellite_wishes_it() {
    let scene = Scene::default();
    let door = HivePort::of(&scene.home);
    let keys = let_in(&scene.home, "kitchen", &[]).await;
    scene.home.setting("voice.espeak", "\"auto\"");
    let tester = scene.tester();
    let _story = scene.play(&tester).await;
    let mut kitchen = door.satellite(&keys, "s").await;
    kitchen
        .send("speak:synth", json!({"utterance": "Good morning"}))
        .await;
    let sound = loop {
        let message = kitchen.next().await.unwrap();
        if let Payload::Bytes(Sound::Speech, bytes) = message.payload {
            assert_eq!(message.metadata["utterance"], "Good morning");
            break bytes;
        }
    };
    assert!(
        sound.starts_with(b"RIFF") && sound.len() > 10_000,
        "{}",
        sound.len()
    );
    kitchen
        .send("speak:b64_audio", json!({"utterance": "Good evening"}))
        .await;
    let spoken = kitchen.hear("speak:b64_audio.response").await;
    assert_eq!(spoken["data"]["utterance"], "Good evening");
    assert!(spoken["data"]["audio"].as_str().unwrap().len() > 10_000);
}

#[tokio::test]
async fn a_recording_is_heard_and_answered() {
    let scene = Scene::default();
    let door = HivePort::of(&scene.home);
    let keys = let_in(&scene.home, "kitchen", &[]).await;
    scene
        .home
        .setting("speech.whisper_model", &smallest("ggml-tiny", "bin"));
    let wav = speak("what time is it in Tokyo?", scene.home.path()).await;
    let tester = scene.tester();
    let story = scene.play(&tester).await;
    story.brain.whenever(TESTER, "okyo", Reply::answers("Late."));
    let recording = std::fs::read(wav).unwrap();
    let mut kitchen = door.satellite(&keys, "s").await;
    let told = json!({"lang": "en-us"}).as_object().unwrap().clone();
    kitchen
        .tell(&HiveMessage::bytes(
            Sound::Transcribe,
            recording.clone(),
            told.clone(),
        ))
        .await;
    let words = kitchen.hear("recognizer_loop:transcribe.response").await;
    let text = words["data"]["transcriptions"][0][0]
        .as_str()
        .unwrap()
        .to_lowercase();
    assert!(text.contains("what time is it in tokyo"), "{text}");
    kitchen
        .tell(&HiveMessage::bytes(Sound::Handle, recording, told))
        .await;
    let said = kitchen.hear_said().await;
    assert!(!said.is_empty());
    kitchen
        .tell(&HiveMessage::bytes(Sound::Transcribe, vec![0; 9], Map::new()))
        .await;
    kitchen.hear("recognizer_loop:transcribe.response").await;
}

/// As stock satellites send what a microphone hears: in small pieces, of which nothing is told but their format.
#[tokio::test]
async fn a_microphone_is_listened_to_for_the_wake_word() {
    let scene = Scene::default();
    let door = HivePort::of(&scene.home);
    let keys = let_in(&scene.home, "kitchen", &[]).await;
    with_ears(&scene.home);
    let unmeant = speak("what time is it in Paris?", scene.home.path()).await;
    let meant = speak("hey mycroft what time is it in Tokyo?", scene.home.path()).await;
    let tester = scene.tester();
    let story = scene.play(&tester).await;
    story.brain.whenever(TESTER, "", Reply::answers("Late."));
    let mut kitchen = door.satellite(&keys, "s").await;
    for wav in [unmeant, meant] {
        let mut reader = hound::WavReader::open(wav).unwrap();
        let told = json!({"sample_rate": reader.spec().sample_rate});
        let sound: Vec<u8> = reader
            .samples::<i16>()
            .flat_map(|sample| sample.unwrap().to_le_bytes())
            .collect();
        for piece in sound.chunks(4096) {
            let told = told.as_object().unwrap().clone();
            kitchen
                .tell(&HiveMessage::bytes(Sound::Raw, piece.to_vec(), told))
                .await;
        }
    }
    kitchen.hear("recognizer_loop:wakeword").await;
    kitchen.hear("recognizer_loop:record_begin").await;
    kitchen.hear("recognizer_loop:record_end").await;
    let heard = kitchen.hear("recognizer_loop:utterance").await;
    let text = heard["data"]["utterances"][0].as_str().unwrap().to_lowercase();
    assert!(text.contains("tokyo") && !text.contains("paris"), "{text}");
    assert_eq!(kitchen.hear_said().await, "Late.");
    assert_eq!(
        story.brain.requests(TESTER).len(),
        1,
        "what came without the word"
    );
}

#[tokio::test]
async fn a_hive_is_joined_over_tls_by_a_certificate_that_is_trusted() {
    let scene = Scene::default();
    let port = HivePort::of(&scene.home);
    let keys = let_in(&scene.home, "kitchen", &[]).await;
    let made = rcgen::generate_simple_self_signed(["somewhere.lan".to_owned()]).unwrap();
    let quoted = |path: &std::path::Path| format!("{:?}", path.display().to_string());
    let certificate = scene.home.write("hive.pem", &made.cert.pem());
    let key = scene.home.write("hive.key", &made.signing_key.serialize_pem());
    scene.home.setting("hive.certificate", &quoted(&certificate));
    let half = Launch::new(&scene.home, &["check"]).run().await.shown();
    assert!(
        half.contains("hive.certificate and hive.key belong together"),
        "{half}"
    );
    scene.home.setting("hive.key", &quoted(&key));
    let tester = scene.tester();
    let story = scene.play(&tester).await;
    story.brain.whenever(TESTER, "", Reply::answers("Good morning."));
    drop(port.connect().await);
    let member = loquat_tests::home::Home::without_bus();
    let file = member.write("hive.keys", &format!("{}:{}\n", keys.access_key, keys.password));
    member.setting("hive.join", &format!("\"wss://127.0.0.1:{}\"", port.number()));
    member.setting("hive.join_file", &quoted(&file));
    let untrusted = Launch::new(&member, &["hive", "ask", "Hello"]).run().await;
    assert!(
        !untrusted.status.success() && untrusted.shown().contains("hive.join_ca_file"),
        "{}",
        untrusted.shown()
    );
    member.setting("hive.join_ca_file", &quoted(&certificate));
    let told = owner(&member, &["--json", "hive", "ask", "Hello"]).await;
    assert_eq!(told["answer"], json!(["Good morning."]));
    // Without TLS no node comes in.
    member.setting("hive.join", &format!("\"ws://127.0.0.1:{}\"", port.number()));
    let bare = Launch::new(&member, &["hive", "ask", "Hello"]).run().await;
    assert!(!bare.status.success(), "{}", bare.shown());
}

#[tokio::test]
async fn a_timer_rings_at_the_satellite_where_it_was_set() {
    let scene = Scene::default();
    let door = HivePort::of(&scene.home);
    let keys = let_in(&scene.home, "kitchen", &[]).await;
    scene.home.setting("skills.intents", "\"alone\"");
    let tester = scene.tester().toolboxes(&["loquat-alert-tools"]);
    let story = scene.play(&tester).await;
    let mut kitchen = door.satellite(&keys, "s").await;
    let answer = kitchen.ask("Set a timer for two seconds").await.concat();
    assert!(
        answer.contains("2 seconds") || answer.contains("two seconds"),
        "{answer}"
    );
    let mark = story.probe.mark();
    let rung = kitchen.hear_said().await;
    assert!(rung.to_lowercase().contains("timer"), "{rung}");
    let own = |frame: &Frame| frame.is_speak() && frame.session_id() == "default";
    assert!(!story.probe.since(mark).iter().any(own));
}

#[tokio::test]
async fn the_owner_sees_keys_once_and_what_is_wrong_in_a_sentence() {
    let scene = Scene::default();
    let port = HivePort::of(&scene.home).number();
    let keys = let_in(&scene.home, "kitchen", &["--deny", "mycroft.stop"]).await;
    let listed = Launch::new(&scene.home, &["hive"]).run().await.shown();
    assert!(
        listed.contains("kitchen") && listed.contains("never here"),
        "{listed}"
    );
    assert!(!listed.contains(&keys.access_key) && !listed.contains(&keys.password));
    assert!(!listed.contains("ovos.stop"), "{listed}");
    for (arguments, says) in [
        (&["hive", "add", "kitchen"][..], "there is one of this name"),
        (&["hive", "add", "Big Room"], "1 to 32 small letters"),
        (&["hive", "remove", "attic"], "failed to find the client attic"),
        (&["hive", "allow", "kitchen", "two words"], "no spaces"),
        (&["hive", "ask", "anything"], "hive.join is not set"),
        (
            &["hive", "add", "bath", "--old-protocol"],
            "this device takes none",
        ),
        (
            &["--set", "hive.join=http://a:1", "hive"],
            "hive.join must be an address with ws://",
        ),
    ] {
        let finished = Launch::new(&scene.home, arguments).run().await;
        assert!(!finished.status.success(), "{arguments:?}");
        assert!(
            finished.shown().contains(says),
            "{arguments:?}: {}",
            finished.shown()
        );
    }
    let checked = Launch::new(&scene.home, &["check"]).run().await.shown();
    assert!(
        checked.contains(&format!("127.0.0.1:{port} is free")) && checked.contains("1 satellite may come in"),
        "{checked}"
    );
}
