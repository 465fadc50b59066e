//! Speech begins while the model writes: what was asked aloud is answered by the first sentence as soon as it stands, nothing is
//! said twice, and what a later sentence makes false is taken back aloud.

mod judge;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use loquat_tests::brain::{Gate, Reply};
use loquat_tests::bus::FakeBus;
use loquat_tests::frame::Frame;
use loquat_tests::home::Home;
use loquat_tests::ovos_core::{Generation, ScriptedCore};
use loquat_tests::sound::{SoundServer, Witness};
use loquat_tests::speaker::{self, ESPEAK_HERTZ, HERTZ, sound_of};
use loquat_tests::turn::{Turn, Utterance};
use loquat_tests::wait::{PATIENCE, wait_for};
use serde_json::{Value, json};

use crate::story::{Scene, Story, TESTER};

const BEGUN: &str = "loquat.speech.begun";
const STARTED: &str = "ovos.audio.output.started";
const ENDED: &str = "ovos.audio.output.ended";

const INTERRUPTED: &str = "loquat.speech.interrupted";
const LISTEN: &str = "ovos.mic.listen";

const FIRST: &str = "Paris lies on the Seine.";
const SECOND: &str = "It is the capital of France.";

/// What may not be said, since nothing was done.
const CLAIM: &str = "I have set a timer for you.";

/// What is said when something is taken back.
const ANEW: &str = "Sorry, let me say that again.";

/// A device that speaks, beside a core that brings what was said aloud.
struct Room {
    _bus: FakeBus,
    _core: ScriptedCore,
    sound: SoundServer,
    witness: Witness,
    story: Story,
    /// What the voice was told.
    log: PathBuf,
}

impl Room {
    async fn new() -> Self {
        Self::with(&[], &[]).await
    }

    /// One with these settings, whose voice speaks in this manner.
    async fn with(settings: &[(&str, &str)], manner: &[&str]) -> Self {
        let bus = FakeBus::start().await;
        let core = ScriptedCore::join(bus.port(), Generation::PreRelease).await;
        Self::on(bus, core, settings, manner).await
    }

    /// One whose core waits for it, however busy the machine is: what happens in many answers is no matter of time.
    async fn unhurried(settings: &[(&str, &str)], manner: &[&str]) -> Self {
        let bus = FakeBus::start().await;
        let core = ScriptedCore::join_waiting(bus.port(), Generation::PreRelease, PATIENCE).await;
        let as_guest = [settings, &[("desk.mode", "\"guest\"")]].concat();
        Self::on(bus, core, &as_guest, manner).await
    }

    async fn on(bus: FakeBus, core: ScriptedCore, settings: &[(&str, &str)], manner: &[&str]) -> Self {
        let scene = Scene::at(Home::with_bus(bus.port()));
        scene.home.setting("bus.embed", "\"never\"");
        speaker::espeak(&scene.home);
        let log = speaker::process(&scene.home, manner);
        for (key, value) in settings {
            scene.home.setting(key, value);
        }
        scene.home.persona(&scene.tester());
        let sound = SoundServer::start(scene.home.path()).await;
        let witness = sound.witness();
        witness.listens().await;
        let address = sound.address().to_owned();
        let story = scene
            .start_with(|launch| launch.finding("bin").env("PULSE_SERVER", address))
            .await;
        core.registered("loquat", PATIENCE).await;
        // The device has a voice of its own.
        story.probe.speak_questions(false);
        let room = Self {
            _bus: bus,
            _core: core,
            sound,
            witness,
            story,
            log,
        };
        room.story.has_a_voice().await;
        room
    }

    /// A person says this at the device.
    async fn aloud(&self, text: &str) -> (Utterance, usize) {
        let said = Utterance::new(text).in_session("default");
        let said = said.context("stt_lang", json!("en-US"));
        let mark = said.enter(&self.story.probe).await;
        (said, mark)
    }

    /// A person asks aloud and hears the first sentence, behind which the brain waits for the gate.
    async fn hearing_the_first(&self, answer: &str, gate: &Gate) -> (Utterance, usize) {
        self.story.script([Reply::answers(answer).halting(FIRST, gate)]);
        let (asked, mark) = self.aloud("Tell me about Paris").await;
        self.wait(mark, STARTED).await;
        (asked, mark)
    }

    async fn tell(&self, topic: &str, data: Value) -> usize {
        let mark = self.story.probe.mark();
        let frame = json!({"type": topic, "data": data, "context": {}});
        self.story.probe.send(&frame).await;
        mark
    }

    /// What a brain was shown last.
    fn shown(&self) -> String {
        let requests = self.story.brain.requests(TESTER);
        requests.last().expect("a request").text()
    }

    async fn wait(&self, mark: usize, topic: &'static str) -> Frame {
        let wanted = |frame: &Frame| frame.topic == topic;
        self.story.probe.wait(topic, mark, PATIENCE, wanted).await
    }

    fn count(&self, mark: usize, topic: &str) -> usize {
        let frames = self.story.probe.since(mark);
        frames.iter().filter(|frame| frame.topic == topic).count()
    }

    /// Waits until the tone of the voice was heard for so long, and no longer.
    async fn heard(&self, length: Duration) {
        let length = length.as_secs_f64();
        let near = || (self.witness.seconds_of(HERTZ) - length).abs() < 0.25;
        wait_for(&format!("{length} s of speech"), PATIENCE, async || {
            near().then_some(())
        })
        .await;
    }

    /// How `espeak-ng` was called.
    fn calls(&self) -> Vec<String> {
        lines(&self.story.home.path().join("bin/espeak-ng.calls"))
    }

    /// What the voice was told since its start.
    fn told(&self) -> Vec<String> {
        let told = lines(&self.log);
        told.into_iter().filter(|line| line != "started").collect()
    }
}

fn lines(log: &Path) -> Vec<String> {
    let log = fs::read_to_string(log).unwrap_or_default();
    log.lines().map(str::to_owned).collect()
}

fn answer() -> String {
    format!("{FIRST} {SECOND}")
}

/// The one answer of a turn.
fn answered(turn: &Turn) -> &Frame {
    turn.assert_ended_once();
    let [answer] = turn.spoken()[..] else {
        panic!("one answer: {:?}", turn.topics());
    };
    answer
}

#[tokio::test]
async fn the_first_sentence_is_heard_while_the_rest_is_written_and_none_twice() {
    let room = Room::new().await;
    let gate = Gate::default();
    let (asked, mark) = room.hearing_the_first(&answer(), &gate).await;
    room.heard(sound_of(FIRST)).await;
    assert_eq!(room.told(), [FIRST]);
    assert_eq!(room.count(mark, "speak"), 0, "no final message yet");
    gate.open();
    let turn = asked.end(&room.story.probe, mark).await;
    assert_eq!(answered(&turn).utterance(), answer());
    room.wait(mark, ENDED).await;
    room.heard(sound_of(&answer())).await;
    assert_eq!(room.told(), [FIRST, SECOND]);
    assert_eq!((room.count(mark, STARTED), room.count(mark, ENDED)), (1, 1));
    assert_eq!(room.count(mark, LISTEN), 0);
}

#[tokio::test]
async fn the_microphone_opens_behind_the_last_sentence_where_that_is_a_question() {
    let room = Room::new().await;
    let gate = Gate::default();
    let question = format!("{FIRST} Shall I go on?");
    let (asked, mark) = room.hearing_the_first(&question, &gate).await;
    room.heard(sound_of(FIRST)).await;
    gate.open();
    let turn = asked.end(&room.story.probe, mark).await;
    assert_eq!(answered(&turn).data["expect_response"], true);
    let (ended, listens) = (room.wait(mark, ENDED).await, room.wait(mark, LISTEN).await);
    assert!(ended.seen <= listens.seen);
    room.heard(sound_of(&question)).await;
}

#[tokio::test]
async fn a_sentence_that_is_refused_later_is_taken_back_aloud() {
    let room = Room::new().await;
    let gate = Gate::default();
    let refused = format!("{FIRST} {CLAIM} It rings soon.");
    let (asked, mark) = room.hearing_the_first(&refused, &gate).await;
    room.story.script([Reply::answers(&answer())]);
    gate.open();
    let turn = asked.end(&room.story.probe, mark).await;
    assert_eq!(answered(&turn).utterance(), answer());
    room.wait(mark, ENDED).await;
    assert_eq!(room.told(), [FIRST, ANEW, FIRST, SECOND]);
    assert_eq!((room.count(mark, STARTED), room.count(mark, ENDED)), (1, 1));
}

#[tokio::test]
async fn a_stop_ends_it_and_the_session_remembers_what_was_heard() {
    let room = Room::new().await;
    let gate = Gate::default();
    let (asked, mark) = room.hearing_the_first(&answer(), &gate).await;
    room.heard(sound_of(FIRST)).await;
    room.tell("mycroft.stop", json!({})).await;
    let turn = asked.end(&room.story.probe, mark).await;
    assert!(turn.spoken().is_empty(), "{:?}", turn.topics());
    room.wait(mark, ENDED).await;
    gate.open();
    room.story.script([Reply::answers("As you wish.")]);
    let (next, at) = room.aloud("What else is there?").await;
    next.end(&room.story.probe, at).await;
    room.wait(at, ENDED).await;
    assert_eq!(room.told(), [FIRST, "As you wish."]);
    let interrupted = room.wait(mark, INTERRUPTED).await;
    let heard = interrupted.data["heard"].as_str().unwrap();
    assert!(FIRST.starts_with(heard) && heard.contains("Paris"), "{heard}");
    let shown = room.shown();
    assert!(
        shown.contains(&format!("{}…", heard.trim_end_matches('.'))),
        "{shown}"
    );
    assert!(!shown.contains("capital"), "{shown}");
}

#[tokio::test]
async fn a_program_that_stops_the_turn_alone_ends_its_speech_too() {
    let room = Room::new().await;
    let gate = Gate::default();
    let (asked, mark) = room.hearing_the_first(&answer(), &gate).await;
    room.tell("loquat.stop", json!({})).await;
    asked.end(&room.story.probe, mark).await;
    room.wait(mark, ENDED).await;
    assert_eq!(room.told(), [FIRST], "no apology, and nothing more");
}

#[tokio::test]
async fn one_sentence_is_spoken_as_ever() {
    let room = Room::new().await;
    room.story
        .script([Reply::answers(FIRST).halting("Paris", &open())]);
    let (asked, mark) = room.aloud("Tell me about Paris").await;
    let turn = asked.end(&room.story.probe, mark).await;
    room.wait(mark, ENDED).await;
    assert_eq!(room.count(mark, BEGUN), 0);
    assert!(answered(&turn).data["meta"]["begun"].is_null());
    assert_eq!(room.told(), [FIRST]);
}

fn open() -> Gate {
    let gate = Gate::default();
    gate.open();
    gate
}

/// Nothing is told early of this, and it is spoken only when it is complete.
async fn is_spoken_when_complete(room: &Room, asked: Utterance) {
    let gate = Gate::default();
    let before = room.told().len();
    room.story
        .script([Reply::answers(&answer()).halting(FIRST, &gate)]);
    let mark = asked.enter(&room.story.probe).await;
    let soon = Duration::from_millis(500);
    let begun = |frame: &Frame| [BEGUN, STARTED].contains(&frame.topic.as_str());
    assert!(room.story.probe.try_wait(mark, soon, begun).await.is_none());
    gate.open();
    let turn = asked.end(&room.story.probe, mark).await;
    assert_eq!(answered(&turn).utterance(), answer());
    assert!(room.told().len() <= before + 2, "{:?}", room.told());
}

#[tokio::test]
async fn what_is_typed_or_asked_elsewhere_is_spoken_as_ever() {
    let room = Room::new().await;
    let asked = |session: &str| Utterance::new("Tell me about Paris").in_session(session);
    let aloud = |session: &str| asked(session).context("stt_lang", json!("en-US"));
    is_spoken_when_complete(&room, aloud("kitchen")).await;
    assert_eq!(room.told().len(), 0, "it is not for this loudspeaker");
    is_spoken_when_complete(&room, asked("default")).await;
}

#[tokio::test]
async fn where_it_is_switched_off_or_another_program_speaks_it_is_spoken_as_ever() {
    let room = Room::with(&[("voice.early", "false")], &[]).await;
    let aloud = || {
        let asked = Utterance::new("Tell me about Paris").in_session("default");
        asked.context("stt_lang", json!("en-US"))
    };
    is_spoken_when_complete(&room, aloud()).await;
    drop(room);
    let room = Room::new().await;
    room.tell("mycroft.audio.is_ready.response", json!({"status": true}))
        .await;
    is_spoken_when_complete(&room, aloud()).await;
    assert_eq!(room.told().len(), 0, "the other program says it");
}

#[tokio::test]
async fn a_word_in_a_silence_is_heard_before_the_first_sentence_and_none_behind_it() {
    let room = Room::with(&[("desk.silence_seconds", "0.05")], &[]).await;
    let (thinking, writing) = (Gate::default(), Gate::default());
    let reply = Reply::answers(&answer()).halting(FIRST, &writing);
    room.story.script([reply.behind(&thinking)]);
    let (asked, mark) = room.aloud("Tell me about Paris").await;
    room.wait(mark, STARTED).await;
    thinking.open();
    let word = "One moment.";
    room.heard(sound_of(word) + sound_of(FIRST)).await;
    writing.open();
    asked.end(&room.story.probe, mark).await;
    room.wait(mark, ENDED).await;
    assert_eq!(room.told(), [word, FIRST, SECOND]);
}

#[tokio::test]
async fn a_voice_that_dies_in_the_first_sentence_is_replaced_and_says_it_again_once() {
    let room = Room::new().await;
    let gate = Gate::default();
    let dying = "Here the old voice dies.";
    let text = format!("{dying} {SECOND}");
    room.story.script([Reply::answers(&text).halting(dying, &gate)]);
    let (asked, mark) = room.aloud("Tell me about Paris").await;
    room.story.daemon.wrote("the voice is gone", PATIENCE).await;
    let replaced = || (room.witness.seconds_of(ESPEAK_HERTZ) - sound_of(dying).as_secs_f64()).abs() < 0.25;
    wait_for("the other voice", PATIENCE, async || replaced().then_some(())).await;
    gate.open();
    asked.end(&room.story.probe, mark).await;
    room.wait(mark, ENDED).await;
    let calls = room.calls();
    assert_eq!(calls.len(), 2, "{calls:?}");
    assert!(
        calls[0].ends_with(dying) && calls[1].ends_with(SECOND),
        "{calls:?}"
    );
    assert_eq!(room.told(), [dying]);
}

#[tokio::test]
async fn a_voice_without_another_that_dies_in_the_first_sentence_says_it_again_once() {
    let room = Room::with(&[("voice.espeak", "\"never\"")], &[]).await;
    // One that dies of it again has had its turn.
    for dying in ["Here it dies once.", "Here it dies."] {
        let before = room.told().len();
        let gate = Gate::default();
        let text = format!("{dying} {SECOND}");
        room.story.script([Reply::answers(&text).halting(dying, &gate)]);
        let (asked, mark) = room.aloud("Tell me about Paris").await;
        wait_for("it to be said again", PATIENCE, async || {
            (room.told()[before..] == [dying, dying]).then_some(())
        })
        .await;
        gate.open();
        asked.end(&room.story.probe, mark).await;
        room.wait(mark, ENDED).await;
        assert_eq!(room.told()[before..], [dying, dying, SECOND]);
    }
}

#[tokio::test]
async fn of_a_long_first_sentence_the_first_clause_is_made_alone() {
    let room = Room::new().await;
    let clauses = [
        "Paris lies on the Seine, as everybody knows,",
        "and has more bridges over it than anybody has ever counted.",
    ];
    let gate = Gate::default();
    let sentence = clauses.join(" ");
    let text = format!("{sentence} {SECOND}");
    room.story
        .script([Reply::answers(&text).halting(&sentence, &gate)]);
    let (asked, mark) = room.aloud("Tell me about Paris").await;
    room.wait(mark, STARTED).await;
    gate.open();
    let turn = asked.end(&room.story.probe, mark).await;
    assert_eq!(answered(&turn).utterance(), text);
    room.wait(mark, ENDED).await;
    assert_eq!(room.told(), [clauses[0], clauses[1], SECOND]);
    room.heard(sound_of(&text)).await;
}
