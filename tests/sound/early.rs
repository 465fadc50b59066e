//! Speech begins while the model writes: what was asked aloud is answered by the first sentence as soon as it stands, nothing is
//! said twice, and what a later sentence makes false is taken back aloud.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use loquat_tests::brain::{Gate, Reply};
use loquat_tests::bus::FakeBus;
use loquat_tests::frame::Frame;
use loquat_tests::home::Home;
use loquat_tests::ovos_core::{Generation, ScriptedCore};
use loquat_tests::sound::{SoundServer, Witness};
use loquat_tests::speaker::{self, HERTZ, sound_of};
use loquat_tests::turn::{Turn, Utterance};
use loquat_tests::wait::{PATIENCE, wait_for};
use serde_json::{Value, json};

use crate::story::{Scene, Story};

const STARTED: &str = "ovos.audio.output.started";
const ENDED: &str = "ovos.audio.output.ended";

const FIRST: &str = "Paris lies on the Seine.";
const SECOND: &str = "It is the capital of France.";

/// A device that speaks, beside a core that brings what was said aloud.
struct Room {
    _bus: FakeBus,
    _core: ScriptedCore,
    _sound: SoundServer,
    witness: Witness,
    story: Story,
    /// What the voice was told.
    log: PathBuf,
}

impl Room {
    async fn new() -> Self {
        Self::with(|_| {}).await
    }

    async fn with(prepare: impl FnOnce(&Scene)) -> Self {
        let bus = FakeBus::start().await;
        let core = ScriptedCore::join(bus.port(), Generation::PreRelease).await;
        let scene = Scene::at(Home::with_bus(bus.port()));
        scene.home.setting("bus.embed", "\"never\"");
        speaker::espeak(&scene.home);
        let log = speaker::process(&scene.home, &[]);
        prepare(&scene);
        scene.home.persona(&scene.tester());
        let sound = SoundServer::start(scene.home.path()).await;
        let witness = sound.witness();
        witness.listens().await;
        let address = sound.address().to_owned();
        let story = scene
            .start_with(|launch| launch.finding("bin").env("PULSE_SERVER", address))
            .await;
        core.registered("loquat", PATIENCE).await;
        let room = Self {
            _bus: bus,
            _core: core,
            _sound: sound,
            witness,
            story,
            log,
        };
        room.speaks().await;
        room
    }

    /// In its first second the device looks whether an audio service is there that speaks.
    async fn speaks(&self) {
        let asked = json!({"type": "ovos.audio.is_speaking", "data": {}, "context": {}});
        let told = |frame: &Frame| frame.topic == "ovos.audio.is_speaking.response";
        let mark = self.story.probe.mark();
        wait_for("the voice", PATIENCE, async || {
            self.story.probe.send(&asked).await;
            let soon = Duration::from_millis(100);
            self.story.probe.try_wait(mark, soon, told).await
        })
        .await;
    }

    /// A person says this at the device.
    async fn aloud(&self, text: &str) -> (Utterance, usize) {
        let said = Utterance::new(text).in_session("default");
        let said = said.context("stt_lang", json!("en-US"));
        let mark = said.enter(&self.story.probe).await;
        (said, mark)
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
    room.story
        .script([Reply::answers(&answer()).halting(FIRST, &gate)]);
    let (asked, mark) = room.aloud("Tell me about Paris").await;
    room.wait(mark, STARTED).await;
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
    assert_eq!(
        answered(&turn).data["meta"]["begun"].is_string(),
        Value::Bool(true)
    );
}
