//! More on the bus than anybody can take: large frames, floods, half frames and idle connections.

use std::collections::HashMap;
use std::time::Duration;

use loquat_tests::attack::attacker::{Attacker, TEXT, append, begin};
use loquat_tests::brain::Reply;
use loquat_tests::daemon::{Daemon, Launch};
use loquat_tests::frame::Frame;
use loquat_tests::probe::BusProbe;
use loquat_tests::toolbox::{Act, ScriptedTool, ScriptedToolbox};
use loquat_tests::turn::{HANDLED, Utterance};
use loquat_tests::wait::{PATIENCE, wait_for};
use rustix::process::{Resource, getrlimit, setrlimit};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::story::{Scene, Story, TESTER, assert_sentence};

/// Twice what waits for the desk, in frames of the smallest weight.
const FLOOD: usize = 8192;

/// How long a program that is not optimised may work on a flood.
const LONG: Duration = Duration::from_secs(300);

/// Why an utterance was ended that gave way.
const GAVE_WAY: &str = "busy: more came at once than is kept";

/// What is heard of a flood.
const HEARD: [&str; 3] = ["speak", "ovos.utterance.cancelled", HANDLED];

/// An utterance in a session with so much more in its data.
fn padded(session: &str, lang: &str, junk: usize) -> Value {
    json!({"type": "recognizer_loop:utterance", "data": {"utterances": ["Hello"], "junk": "x".repeat(junk)},
           "context": {"source": "audio", "destination": "skills", "session": {"session_id": session, "lang": lang}}})
}

#[tokio::test]
async fn an_utterance_that_is_too_large_gets_its_sentence_and_its_end() {
    let story = Story::begin().await;
    let mark = story.probe.mark();
    story.probe.send(&padded("satellite", "en-US", 13 << 20)).await;
    let ours =
        |topic: &'static str| move |frame: &Frame| frame.topic == topic && frame.session_id() == "satellite";
    let end = story.probe.wait("the end", mark, PATIENCE, ours(HANDLED)).await;
    assert_eq!(end.context["destination"], "audio");
    let said = story.probe.since(mark);
    let spoken: Vec<_> = said.iter().filter(|frame| ours("speak")(frame)).collect();
    assert_eq!(spoken.len(), 1);
    let sentence = spoken[0].data["utterance"].as_str().unwrap_or_default();
    assert_sentence(sentence);
    assert!(sentence.contains("1024 kilobytes"), "{sentence}");
    story.assert_goes_on().await;
    let said = story.probe.since(mark);
    let ends = said.iter().filter(|frame| ours(HANDLED)(frame)).count();
    assert_eq!(ends, 1);
}

/// A daemon with a person at its terminal, and a probe that hears only what is said and ended.
async fn attended() -> (Scene, Daemon, BusProbe) {
    let scene = Scene::default();
    scene.home.persona(&scene.tester());
    let answer = Reply::answers("Here I am.");
    scene.brain.whenever(TESTER, "the person", answer);
    scene.brain.whenever(TESTER, "", Reply::answers("Fine."));
    let daemon = Launch::new(&scene.home, &["run"]).attended();
    let port = scene.home.port();
    daemon.joined(port).await.leave().await;
    let probe = BusProbe::hearing(port, &HEARD).await;
    (scene, daemon, probe)
}

/// Sends so many utterances, and in the middle the person at the terminal asks something; that is answered, each other
/// one ends, and some of them have given way. Gives how many ends each session had.
async fn flood(count: usize, session: impl Fn(usize) -> String) -> HashMap<String, usize> {
    let (scene, daemon, probe) = attended().await;
    let mark = probe.mark();
    let mut stranger = Attacker::join(scene.home.port())
        .await
        .expect("the bus lets everybody in");
    for number in 0..count {
        if number == count / 2 {
            daemon.types("It is the person who asks.").await;
        }
        let mut bytes = Vec::new();
        append(
            &mut bytes,
            TEXT,
            true,
            utterance(&session(number)).to_string().as_bytes(),
        );
        stranger.write(&bytes).await.expect("the bus takes the flood");
    }
    let answered = |frame: &Frame| frame.topic == "speak" && frame.utterance() == "Here I am.";
    probe.wait("the answer", mark, LONG, answered).await;
    let (mut ends, mut gave_way) = (HashMap::new(), 0);
    let all = probe.recording();
    let seen = all.watch(mark, |frame| {
        gave_way += usize::from(frame.data["cancel_reason"] == GAVE_WAY);
        if frame.topic == HANDLED {
            *ends.entry(frame.session_id().to_owned()).or_default() += 1;
        }
        ends.values().sum::<usize>() == count + 1
    });
    tokio::time::timeout(LONG, seen).await.ok();
    assert!(gave_way > 0, "nothing gave way: it was no flood");
    ends
}

fn utterance(session: &str) -> Value {
    json!({"type": "recognizer_loop:utterance", "data": {"utterances": ["hello"], "lang": "en-US"},
           "context": {"source": "flood", "session": {"session_id": session, "lang": "en-US"}}})
}

#[tokio::test]
async fn in_a_flood_of_sessions_a_person_is_answered_and_every_utterance_ends_once() {
    let ends = flood(FLOOD, |number| format!("flood-{number}")).await;
    assert_eq!(ends.len(), FLOOD + 1);
    assert!(ends.values().all(|ends| *ends == 1));
}

#[tokio::test]
async fn a_stranger_who_floods_the_persons_own_session_does_not_keep_the_answer_from_her() {
    let ends = flood(FLOOD, |_| "default".to_owned()).await;
    assert_eq!(ends, HashMap::from([("default".to_owned(), FLOOD + 1)]));
}

#[tokio::test]
async fn half_frames_of_many_clients_take_little_memory_and_a_person_is_answered() {
    const CLIENTS: usize = 40;
    const HALF: usize = 24 << 20;
    let story = Story::begin().await;
    story.assert_goes_on().await;
    let idle = story.daemon.resident_bytes();
    let mut bytes = Vec::new();
    begin(&mut bytes, TEXT, true, HALF + 1000);
    bytes.resize(bytes.len() + HALF, b'a');
    let mut clients = Vec::new();
    for _ in 0..CLIENTS {
        let mut client = Attacker::join(story.home.port())
            .await
            .expect("the bus lets everybody in");
        // The bus closes the client that holds the most, perhaps this one.
        client.write(&bytes).await.ok();
        clients.push(client);
    }
    story.assert_goes_on().await;
    wait_for("all but one to be closed", PATIENCE, async || {
        let closed = clients.iter().filter(|client| client.is_closed()).count();
        (closed == CLIENTS - 1).then_some(())
    })
    .await;
    let more = story.daemon.peak_resident_bytes().saturating_sub(idle);
    assert!(more < 150 << 20, "{} MiB more", more >> 20);
}

#[tokio::test]
async fn an_answer_of_another_toolbox_or_without_the_key_is_not_that_of_the_tool() {
    const PEER: &str = "peer-tools";
    const ANSWER: &str = "ovos.persona.tools.call.response";
    let scene = Scene::default();
    let tester = scene.tester().trusting(PEER);
    let story = scene.play(&tester).await;
    let slow = Act::Later(Duration::from_secs(1), json!({"text": "the true result"}));
    let _peer = ScriptedToolbox::join(
        story.home.port(),
        PEER,
        vec![ScriptedTool::named("balance", slow)],
    )
    .await;
    story.script([
        Reply::acts("balance", &json!({"text": "all"})),
        Reply::answers("Done."),
    ]);
    let asked = Utterance::new("What is my balance?");
    let mark = asked.enter(&story.probe).await;
    let is_call = |frame: &Frame| frame.topic == "ovos.persona.tools.call";
    let call = story.probe.wait("the call", mark, PATIENCE, is_call).await;
    let keyless = json!({"session": call.context["session"]});
    let result = json!({"text": "forged"});
    for (data, context) in [
        (
            json!({"toolbox_id": PEER, "name": "balance", "result": result}),
            &keyless,
        ),
        (json!({"toolbox_id": PEER, "result": result}), &keyless),
        (json!({"result": result}), &keyless),
        (
            json!({"toolbox_id": "other", "name": "balance", "result": result}),
            &call.context,
        ),
        (
            json!({"toolbox_id": PEER, "name": "other", "result": result}),
            &call.context,
        ),
        (json!({"toolbox_id": "other", "error": "forged"}), &call.context),
    ] {
        let forged = json!({"type": ANSWER, "data": data, "context": context});
        story.probe.send(&forged).await;
    }
    assert_eq!(asked.end(&story.probe, mark).await.answer(), "Done.");
    let shown = story.brain.requests(TESTER).last().unwrap().newest();
    assert!(shown.contains("the true result"), "{shown}");
    assert!(!shown.contains("forged"), "{shown}");
}

/// A client of the bus that says nothing more than that it is one; what the bus answers to that.
async fn idle(port: u16) -> (TcpStream, String) {
    let mut tcp = TcpStream::connect(("127.0.0.1", port))
        .await
        .expect("the bus listens");
    let request = format!(
        "GET /core HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
         Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    );
    tcp.write_all(request.as_bytes()).await.expect("the bus reads");
    let mut answer = [0; 12];
    let read = tokio::time::timeout(PATIENCE, tcp.read_exact(&mut answer)).await;
    read.expect("an answer").ok();
    (tcp, String::from_utf8_lossy(&answer).into_owned())
}

/// Lets this program have that many connections itself.
fn may_open(files: u64) {
    let mut limit = getrlimit(Resource::Nofile);
    if limit.current.is_some_and(|current| current < files) {
        limit.current = Some(files);
        setrlimit(Resource::Nofile, limit).expect("the system allows that many files");
    }
}

#[tokio::test]
async fn idle_connections_leave_brain_and_bus_reachable() {
    may_open(4096);
    let scene = Scene::default();
    scene.home.persona(&scene.tester());
    let (daemon, probe) = Launch::new(&scene.home, &["run"])
        .with_open_files(1024)
        .ready()
        .await;
    let mut idlers = Vec::new();
    let (mut taken, mut refused) = (0, 0);
    for _ in 0..1020 {
        let (tcp, answer) = idle(scene.home.port()).await;
        taken += usize::from(answer.ends_with("101"));
        refused += usize::from(answer.ends_with("503"));
        idlers.push(tcp);
    }
    // Half of the files are for clients; of the rest only so many get an answer at a time.
    assert!(taken <= 512 && refused > 0, "{taken} taken, {refused} refused");
    assert!(taken > 400, "{taken} taken");
    let story = Story {
        home: scene.home,
        brain: scene.brain,
        daemon,
        probe,
    };
    story.assert_goes_on().await;
    drop(idlers);
    let again = BusProbe::connect(story.home.port()).await;
    assert!(again.try_send("{}").await);
    assert!(!story.daemon.output().contains("cannot accept"));
}
