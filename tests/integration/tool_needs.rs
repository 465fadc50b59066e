//! Tools that tell pieces while they work, go on after their turn, and are taken back, through the running daemon; and
//! toolboxes that do all of this wrongly.

use std::time::Duration;

use loquat_tests::brain::Reply;
use loquat_tests::frame::Frame;
use loquat_tests::home::Home;
use loquat_tests::toolbox::{Act, ScriptedTool, ScriptedToolbox, Told};
use loquat_tests::turn::{Turn, Utterance};
use loquat_tests::wait::PATIENCE;
use rustix::process::Signal;
use serde_json::{Value, json};

use crate::crash::restart;
use crate::story::{Scene, Story, TESTER};

const PEER: &str = "peer-tools";
const PIECE: &str = "loquat.tool.piece";
const OUTCOME: &str = "loquat.tool.outcome";
const SECOND: Duration = Duration::from_secs(1);

/// A tool that announces these things of itself.
fn announcing(name: &str, more: &Value, act: Act) -> ScriptedTool {
    let mut definition = json!({"name": name, "description": format!("Does {name}."),
        "argument_schema": {"type": "object", "properties": {"text": {"type": "string"}}},
        "output_schema": {"type": "object"}});
    for (key, value) in more.as_object().into_iter().flatten() {
        definition[key] = value.clone();
    }
    ScriptedTool::new(definition, move |_, _| act.clone())
}

/// A daemon that tells events, with a persona that says this of the toolbox.
async fn with_peer(trust: Value, tools: Vec<ScriptedTool>) -> (Story, ScriptedToolbox) {
    let home = Home::without_bus();
    home.setting("bus.reports", "\"events\"");
    let scene = Scene::at(home);
    let names: Vec<&str> = tools.iter().map(ScriptedTool::name).collect();
    let tester = scene.tester().trusting(PEER).setting(PEER, trust);
    let tester = tester.unasked_when_tainted(PEER, &names);
    let story = scene.play(&tester).await;
    let peer = ScriptedToolbox::join(story.home.port(), PEER, tools).await;
    (story, peer)
}

fn piece(number: usize, text: &str) -> Told {
    Told::now(Some(PIECE), json!({"number": number, "text": text}))
}

fn answer(data: Value) -> Told {
    Told::now(None, data)
}

fn outcome(data: Value) -> Told {
    Told::now(Some(OUTCOME), data)
}

/// Three sentences a second apart.
fn story_act() -> Act {
    let told = ["Once there was a fox. ", "It slept. ", "The end."];
    let pieces = told
        .iter()
        .enumerate()
        .map(|(number, text)| piece(number, text).after(SECOND));
    Act::Tells(
        pieces
            .chain([answer(json!({"result": {}})).after(SECOND)])
            .collect(),
    )
}

/// The events of a kind since then, with their texts.
fn events(story: &Story, mark: usize, kind: &str) -> Vec<Frame> {
    let mut frames = story.probe.since(mark);
    frames.retain(|frame| frame.topic == "loquat.turn.event" && frame.data["event"] == kind);
    frames
}

fn texts(frames: &[Frame]) -> Vec<&str> {
    frames
        .iter()
        .filter_map(|frame| frame.data["text"].as_str())
        .collect()
}

/// That each came about a second after the one before.
fn assert_a_second_apart(frames: &[Frame]) {
    for pair in frames.windows(2) {
        let pause = pair[1].seen - pair[0].seen;
        assert!(
            (Duration::from_millis(600)..Duration::from_millis(1900)).contains(&pause),
            "{pause:?}"
        );
    }
}

fn acts(tool: &str) -> Reply {
    Reply::acts(tool, &json!({"text": "x"}))
}

#[tokio::test]
async fn pieces_a_second_apart_arrive_a_second_apart() {
    let tool = announcing("watch", &json!({"streams": true}), story_act());
    let (story, _peer) = with_peer(json!({"trust": "safe"}), vec![tool]).await;
    story.script([acts("watch"), Reply::answers("It slept.")]);
    let mark = story.probe.mark();
    assert_eq!(story.ask("Watch the fox").await.answer(), "It slept.");
    let pieces = events(&story, mark, "tool_piece");
    assert_eq!(
        texts(&pieces),
        ["Once there was a fox. ", "It slept. ", "The end."]
    );
    assert_a_second_apart(&pieces);
    let seen = story.brain.requests(TESTER).last().unwrap().newest();
    assert!(
        seen.contains("Once there was a fox. It slept. The end."),
        "{seen}"
    );
}

#[tokio::test]
async fn a_tool_that_ends_the_turn_answers_by_sentences_while_it_runs() {
    let tool = announcing(
        "tell",
        &json!({"streams": true, "may_end_turn": true}),
        story_act(),
    );
    let (story, _peer) = with_peer(json!({"trust": "safe"}), vec![tool]).await;
    story.script([acts("tell")]);
    let mark = story.probe.mark();
    let turn = story.ask("Tell me a story").await;
    assert_eq!(turn.answer(), "Once there was a fox. It slept. The end.");
    assert_eq!(turn.spoken().len(), 1, "one message");
    let deltas = events(&story, mark, "answer_delta");
    assert_eq!(
        texts(&deltas),
        ["Once there was a fox.", " It slept.", " The end."]
    );
    // That the last one is whole is only known when the tool has ended.
    assert_a_second_apart(&deltas[..2]);
    assert_eq!(events(&story, mark, "answer_voided").len(), 0);
}

#[tokio::test]
async fn a_long_call_goes_on_while_others_are_answered_and_is_told_once() {
    let told = vec![
        answer(json!({"result": {"started": "c1"}, "started": "c1"})),
        outcome(json!({"started": "never", "result": {"text": "Wrong."}})),
        outcome(json!({"started": "c1", "result": {"text": "Twelve files are safe."}})).after(3 * SECOND),
        outcome(json!({"started": "c1", "result": {"text": "Again."}})),
    ];
    let tool = announcing("back_up", &json!({"async": true}), Act::Tells(told));
    let (story, peer) = with_peer(json!({"trust": "safe"}), vec![tool]).await;
    story.script([acts("back_up"), Reply::answers("I have begun.")]);
    let mark = story.probe.mark();
    assert_eq!(story.ask("Back up my files").await.answer(), "I have begun.");
    let shown = story.brain.requests(TESTER).last().unwrap().newest();
    assert!(shown.contains("started"), "{shown}");
    story.script([Reply::answers("Hello.")]);
    let other = Utterance::new("Say hello")
        .in_session("elsewhere")
        .ask(&story.probe)
        .await;
    assert_eq!(other.answer(), "Hello.");
    let list = story.probe.request("loquat.background", &json!({})).await;
    assert_eq!(list.data["calls"][0]["name"], "back_up", "{:?}", list.data);
    let running = story.ask("What are you working on?").await;
    assert_eq!(running.answer(), "I am still working on this: back up, x.");
    assert_eq!(notices(&story, mark).len(), 0, "it goes on");
    let said = notice(&story, mark).await;
    assert_eq!(
        said.data["utterance"],
        "This is done now: back up, x. Twelve files are safe."
    );
    assert_eq!(said.session_id(), "probe");
    story.script([Reply::answers("Twelve.")]);
    story.ask("How many files were that again?").await;
    let request = format!("{:?}", story.brain.requests(TESTER).last());
    assert!(
        request.contains("Twelve files are safe."),
        "it stands in the history"
    );
    assert_eq!((notices(&story, mark).len(), peer.calls().len()), (1, 1));
}

/// What was told of what went on.
fn notices(story: &Story, mark: usize) -> Vec<Frame> {
    let mut frames = story.probe.since(mark);
    frames.retain(is_notice);
    frames
}

fn is_notice(frame: &Frame) -> bool {
    let said = frame.data["utterance"].as_str().unwrap_or_default();
    frame.is_speak()
        && !frame.is_twin()
        && (said.starts_with("This ") || said.starts_with("I have cancelled"))
}

async fn notice(story: &Story, mark: usize) -> Frame {
    story.probe.wait("the notice", mark, PATIENCE, is_notice).await
}

/// A call that goes on for ever.
fn endless() -> ScriptedTool {
    let told = vec![answer(json!({"result": {"started": "c1"}, "started": "c1"}))];
    announcing("back_up", &json!({"async": true}), Act::Tells(told))
}

#[tokio::test]
async fn what_goes_on_is_cancelled_by_a_word_and_told_after_a_restart_to_have_been_interrupted() {
    let (story, peer) = with_peer(json!({"trust": "safe", "timeout_seconds": 600}), vec![endless()]).await;
    story.script([acts("back_up"), Reply::answers("I have begun.")]);
    story.ask("Back up my files").await;
    let mark = story.probe.mark();
    let turn = story.ask("Cancel that").await;
    assert_eq!(turn.answer(), "I have cancelled this: back up, x.");
    let is_cancel = |frame: &Frame| frame.topic == "loquat.tool.cancel" && frame.data["started"] == "c1";
    story
        .probe
        .wait("the host is told", mark, PATIENCE, is_cancel)
        .await;
    let turn = story.ask("What are you working on?").await;
    assert_eq!(turn.answer(), "I am not working on anything at the moment.");
    assert_eq!(peer.calls().len(), 1);
}

#[tokio::test]
async fn an_interrupted_call_is_not_begun_again() {
    let bus = loquat_tests::bus::FakeBus::start().await;
    let scene = Scene::at(Home::with_bus(bus.port()));
    let trust = json!({"trust": "safe", "timeout_seconds": 600, "unasked_when_tainted": ["back_up"]});
    let tester = scene.tester().trusting(PEER).setting(PEER, trust);
    let mut story = scene.play(&tester).await;
    let peer = ScriptedToolbox::join(story.home.port(), PEER, vec![endless()]).await;
    story.script([acts("back_up"), Reply::answers("I have begun.")]);
    story.ask("Back up my files").await;
    let mark = story.probe.mark();
    restart(&mut story, Signal::KILL).await;
    let said = notice(&story, mark).await;
    let expected = "This was interrupted when I stopped, and I have not started it again: back up, x.";
    assert_eq!(said.data["utterance"], expected);
    assert_eq!(peer.calls().len(), 1);
}

#[tokio::test]
async fn what_was_done_last_is_undone_once() {
    let scene = Scene::default();
    scene.home.setting("skills.intents", "\"alone\"");
    let tester = scene.tester();
    let story = scene.play(&tester).await;
    assert_eq!(
        story.ask("Undo that").await.answer(),
        "There is nothing that I can undo."
    );
    let said = async |words: &str| -> String {
        let turn: Turn = story.ask(words).await;
        turn.answer().to_owned()
    };
    said("Add milk and eggs to my shopping list").await;
    assert_eq!(
        said("No, undo that").await,
        "I removed milk and eggs from your shopping list."
    );
    assert_eq!(said("Undo that").await, "There is nothing that I can undo.");
    said("Set a timer for ten minutes").await;
    assert!(said("Undo that, please").await.contains("cancel"));
    assert_eq!(said("What timers are set?").await, "No timer is running.");
}

/// The record of what can be undone is made older than it is.
fn age(story: &Story, seconds: f64) {
    let file = rusqlite::Connection::open(story.home.state().join("state.db")).unwrap();
    let aged = "UPDATE record SET value = json_set(value, '$.since.uptime',
                json_extract(value, '$.since.uptime') - ?1) WHERE kind = 'undoable'";
    assert_eq!(file.execute(aged, [seconds]).unwrap(), 1);
}

#[tokio::test]
async fn what_was_done_before_the_daemon_died_is_undone_once() {
    let bus = loquat_tests::bus::FakeBus::start().await;
    let scene = Scene::at(Home::with_bus(bus.port()));
    scene.home.setting("bus.embed", "\"never\"");
    scene.home.setting("desk.mode", "\"solo\"");
    scene.home.setting("skills.intents", "\"alone\"");
    let tester = scene.tester();
    let mut story = scene.play(&tester).await;
    let add = "Add milk and eggs to my shopping list";
    let undone = "I removed milk and eggs from your shopping list.";
    let nothing = "There is nothing that I can undo.";
    story.ask(add).await;
    restart(&mut story, Signal::KILL).await;
    let elsewhere = Utterance::new("Undo that")
        .in_session("garden")
        .ask(&story.probe)
        .await;
    assert_eq!(elsewhere.answer(), nothing, "it was another's");
    assert_eq!(story.ask("No, undo that").await.answer(), undone);
    restart(&mut story, Signal::KILL).await;
    assert_eq!(story.ask("Undo that").await.answer(), nothing, "it was undone");
    story.ask(add).await;
    story.daemon.signal(Signal::KILL);
    story.daemon.ended(PATIENCE).await;
    age(&story, 601.0);
    restart(&mut story, Signal::KILL).await;
    assert_eq!(
        story.ask("Undo that").await.answer(),
        "What I did last was too long ago; I cannot undo it any more."
    );
    let kept = story.ask("What is on my shopping list?").await;
    assert!(kept.answer().contains("milk"), "{}", kept.answer());
}

#[tokio::test]
async fn a_toolbox_on_the_bus_says_how_its_calls_are_taken_back() {
    let put = |undo: &Value, data: Value| announcing("put", &json!({"undo": undo}), Act::Garbage(data));
    let done = json!({"toolbox_id": PEER, "result": {"entry": 7}, "undo": {"text": "seven"}});
    let take = announcing("take", &json!({}), Act::Returns(json!({"ok": true})));
    let tools = vec![put(&json!("take"), done.clone()), take.clone()];
    let (story, peer) = with_peer(json!({"trust": "safe"}), tools).await;
    story.script([acts("put"), Reply::answers("It is in.")]);
    story.ask("Put it in").await;
    assert_eq!(
        story.ask("undo that").await.answer(),
        "I have undone this: put, x."
    );
    let call = peer.calls().pop().unwrap();
    assert_eq!(
        (call.name.as_str(), Value::Object(call.arguments)),
        ("take", json!({"text": "seven"}))
    );

    // A tool that is not there takes nothing back, and what a stranger claims counts for nothing.
    for (trust, undo) in [("safe", json!("nowhere")), ("dangerous", json!("take"))] {
        let tools = vec![put(&undo, done.clone()), take.clone()];
        let (story, peer) = with_peer(json!({"trust": trust}), tools).await;
        story.script([acts("put"), Reply::answers("Perhaps.")]);
        story.ask("Put it in").await;
        assert_eq!(
            story.ask("undo that").await.answer(),
            "There is nothing that I can undo."
        );
        assert!(peer.calls().iter().all(|call| call.name == "put"));
    }
}

#[tokio::test]
async fn a_toolbox_that_tells_wrongly_is_not_believed() {
    let streams = json!({"streams": true, "may_end_turn": true});
    let end = || answer(json!({"result": {}}));
    let other = Told {
        call_id: Some("another/call"),
        ..piece(0, "Of another call. ")
    };
    let many = (0..3000).map(|number| piece(number, "On and on. "));
    for (name, told, expected) in [
        (
            "late",
            vec![piece(0, "In time. "), end(), piece(1, "Too late. ")],
            "In time.",
        ),
        (
            "other",
            vec![other, piece(0, "Of this call."), end()],
            "Of this call.",
        ),
        (
            "again",
            vec![piece(0, "Once. "), piece(0, "Once. "), piece(1, "Twice."), end()],
            "Once. Twice.",
        ),
        (
            "gap",
            vec![piece(0, "One. "), piece(2, "Three. "), end()],
            "Something was lost.",
        ),
        ("endless", many.collect(), "Something was lost."),
        (
            "large",
            vec![piece(0, &"Large. ".repeat(200_000)), end()],
            "Something was lost.",
        ),
        (
            "failing",
            vec![
                piece(0, "One. "),
                piece(1, "Two. "),
                answer(json!({"error": "OSError: dead"})),
            ],
            "Something was lost.",
        ),
    ] {
        let tool = announcing("tell", &streams, Act::Tells(told));
        let (story, _peer) = with_peer(json!({"trust": "safe"}), vec![tool]).await;
        story.script([acts("tell"), Reply::answers("Something was lost.")]);
        let turn = story.ask("Tell me something").await;
        assert_eq!(turn.answer(), expected, "{name}");
        assert_eq!(turn.spoken().len(), 1, "{name}");
        story.assert_goes_on().await;
    }
}

#[tokio::test]
async fn a_stranger_claims_in_vain_to_stream_or_to_go_on() {
    let claims =
        json!({"streams": true, "async": true, "category": "safe", "read_only": true, "confirm": "never"});
    let tool = announcing("tell", &claims, story_act());
    let scene = Scene::default();
    let tester = scene.tester().trusting(PEER).setting(PEER, json!({}));
    let story = scene.play(&tester).await;
    let peer = ScriptedToolbox::join(story.home.port(), PEER, vec![tool]).await;
    story.script([acts("tell"), Reply::answers("I may not.")]);
    story.ask("Tell me something").await;
    assert_eq!(peer.calls().len(), 0, "it needs a yes");
}
