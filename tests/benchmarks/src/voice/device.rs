//! Our side: the real daemon in a virtual room, with its ear, its brain and its voice.
//!
//! All moments are by one clock: what happens in a turn is told on the bus, and what is said and heard by witnesses at the
//! person and at the loudspeaker.

use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use anyhow::{Context, Result};
use loquat_tests::daemon::{Daemon, Launch};
use loquat_tests::frame::Frame;
use loquat_tests::home::Home;
use loquat_tests::probe::BusProbe;
use loquat_tests::process::processor_seconds;
use loquat_tests::sound::{SoundServer, Witness};
use loquat_tests::turn::HANDLED;
use loquat_tests::wait::{PATIENCE, wait_for};
use serde_json::json;
use tokio::time::Instant;

use super::Outcome;
use super::parts::{Moments, Parts};
use crate::answers::device::{Setup, event, furnished, is_utterance};
use crate::answers::heard;
use crate::exam::Task;

/// The longest answer, and a model that is read from the disk.
const THINKING: Duration = Duration::from_secs(300);

/// What was said is understood sooner, also on a machine that does much else.
const UNDERSTANDING: Duration = Duration::from_secs(120);

/// A voice makes a sentence sooner.
const SPEAKING: Duration = Duration::from_secs(60);

const LISTEN: &str = "ovos.mic.listen";
const STARTED: &str = "ovos.listener.record.started";
const ENDED: &str = "ovos.listener.record.ended";
const FAILED: &str = "ovos.stt.failed";
const BEGUN: &str = "loquat.speech.begun";
const SILENT: &str = "ovos.audio.output.ended";

/// Said before anything is measured, so that the voice is loaded and it is known how the room sounds.
const GREETING: &str = "Hello there. I am glad to be here, and I am listening. Ask me whatever you like, at any time of the day.";

/// Asked before anything is measured, so that the brain has read its instructions.
pub const FIRST_QUESTION: &str = "Hello, who are you?";

/// A running daemon in its room.
#[derive(Debug)]
pub struct Device {
    _home: Home,
    daemon: Daemon,
    probe: BusProbe,
    room: SoundServer,
    person: Witness,
    loudspeaker: Witness,
}

/// A program of Piper's and the folder of its voices.
#[derive(Debug)]
pub struct Piper {
    /// Its command line.
    pub program: PathBuf,
    /// Where its voices lie.
    pub voices: PathBuf,
}

impl Device {
    /// Starts it and waits until its ear, its brain and its voice are there. Without Piper it speaks through espeak-ng.
    ///
    /// # Errors
    /// When its persona cannot be made, or the disk takes nothing.
    pub async fn start(setup: &Setup, piper: Option<&Piper>) -> Result<Self> {
        let home = furnished(setup)?;
        std::fs::create_dir_all(home.path().join("bin"))?;
        if let Some(Piper { program, voices }) = piper {
            home.setting("voice.piper", "\"auto\"");
            symlink(program, home.path().join("bin/piper"))?;
            symlink(voices, home.path().join("data/piper-voices"))?;
        } else {
            home.setting("voice.espeak", "\"auto\"");
        }
        let room = SoundServer::in_a_room(home.path()).await;
        let (person, loudspeaker) = (room.person(), room.loudspeaker());
        let launch = Launch::new(&home, &["run"]).finding("bin");
        let (daemon, probe) = launch.env("PULSE_SERVER", room.address()).ready().await;
        daemon.wrote("the local brain is prepared", THINKING).await;
        daemon.wrote("microphone is open", PATIENCE).await;
        let device = Self {
            _home: home,
            daemon,
            probe,
            room,
            person,
            loudspeaker,
        };
        device.warm_up().await;
        Ok(device)
    }

    async fn warm_up(&self) {
        let asked = json!({"type": "ovos.audio.is_speaking", "data": {}, "context": {}});
        let told = |frame: &Frame| frame.topic == "ovos.audio.is_speaking.response";
        let mark = self.probe.mark();
        wait_for("the voice", SPEAKING, async || {
            self.probe.send(&asked).await;
            self.probe.try_wait(mark, Duration::from_millis(500), told).await
        })
        .await;
        let greeting =
            json!({"type": "speak", "data": {"utterance": GREETING, "lang": "en-US"}, "context": {}});
        let mark = self.probe.mark();
        self.probe.send(&greeting).await;
        self.wait(mark, SPEAKING, SILENT).await;
        let question = loquat_tests::turn::Utterance::new(FIRST_QUESTION);
        question
            .in_session("warm")
            .patience(THINKING)
            .ask(&self.probe)
            .await;
    }

    /// Has the person say what is in this recording, and waits for the first sound and for the end of the turn. The rest of
    /// the speech is not waited for.
    ///
    /// # Errors
    /// When the microphone did not hear what was played.
    pub async fn ask(&self, task: &Task, recording: &Path) -> Result<Outcome> {
        let (mark, asked, worked) = (self.probe.mark(), SystemTime::now(), self.worked());
        let said = self.say(recording).await?;
        let is_result = |frame: &Frame| is_utterance(frame) || frame.topic == FAILED;
        let result = self.probe.try_wait(mark, UNDERSTANDING, is_result).await;
        let Some(heard) = result.filter(is_utterance) else {
            return Ok(Outcome::default());
        };
        self.wait(mark, THINKING, HANDLED).await;
        let work = self.worked() - worked;
        let sounded = self.first_sound(said).await;
        let frames = self.probe.since(mark);
        self.fall_silent().await;
        let first =
            |is: &dyn Fn(&Frame) -> bool| frames.iter().find(|frame| is(frame)).map(|frame| frame.seen);
        let moments = || {
            Some(Moments {
                said,
                ended: first(&|frame| frame.topic == ENDED)?,
                heard: heard.seen,
                asked: first(&|frame| event(frame) == Some("brain_asked")),
                worded: first(&|frame| frame.topic == BEGUN || frame.is_speak())?,
                sounded: sounded?,
            })
        };
        let text = heard.data["utterances"][0].as_str().map(str::to_owned);
        let answer = frames
            .iter()
            .find(|frame| frame.is_speak())
            .map_or("", Frame::utterance);
        Ok(Outcome {
            heard_rightly: text
                .as_ref()
                .is_some_and(|text| heard::is_right(task.question, text, task.lang)),
            heard: text,
            answer: answer.to_owned(),
            right: task.is_right(answer, asked, SystemTime::now()),
            parts: moments().map(|moments| Parts::of(&moments)),
            work,
            tokens: tokens(&frames),
        })
    }

    /// Gives the moment of the last sound.
    async fn say(&self, recording: &Path) -> Result<Instant> {
        let mark = self.probe.mark();
        let session = json!({"session_id": "default", "lang": "en-US"});
        let listen = json!({"type": LISTEN, "data": {}, "context": {"source": "probe", "session": session}});
        self.probe.send(&listen).await;
        self.wait(mark, PATIENCE, STARTED).await;
        let began = Instant::now();
        self.room.play(recording).await;
        let last = self.person.last_sound().filter(|last| *last > began);
        last.context("the virtual microphone heard nothing of what was played")
    }

    /// What is heard of the loudspeaker first; nothing where it stays silent.
    async fn first_sound(&self, said: Instant) -> Option<Instant> {
        let end = Instant::now() + SPEAKING;
        let sounded = async || {
            let sounded = self.loudspeaker.first_sound_since(said);
            (sounded.is_some() || Instant::now() >= end).then_some(sounded)
        };
        wait_for("the loudspeaker", 2 * SPEAKING, sounded).await
    }

    /// Breaks off what is spoken, so that the next request is said into silence.
    async fn fall_silent(&self) {
        let stop = json!({"type": "mycroft.audio.speech.stop", "data": {}, "context": {}});
        self.probe.send(&stop).await;
        let quiet = || {
            let last = self.loudspeaker.last_sound();
            last.is_none_or(|last| last.elapsed() > Duration::from_secs(1))
        };
        wait_for("a silent loudspeaker", THINKING, async || quiet().then_some(())).await;
    }

    async fn wait(&self, mark: usize, patience: Duration, topic: &'static str) -> Frame {
        let is_it = |frame: &Frame| frame.topic == topic;
        self.probe.wait(topic, mark, patience, is_it).await
    }

    /// How long processors have worked for the daemon and all that it has started, in seconds.
    fn worked(&self) -> f64 {
        let all = [self.daemon.pid()].into_iter().chain(self.daemon.descendants());
        all.map(processor_seconds).sum()
    }
}

/// The tokens that a brain was shown, and those that it wrote.
fn tokens(frames: &[Frame]) -> [u64; 2] {
    let replies = frames
        .iter()
        .filter(|frame| event(frame) == Some("brain_replied"));
    let usages = replies.map(|frame| &frame.data["usage"]);
    let count = |usage: &serde_json::Value, key: &str| usage[key].as_u64().unwrap_or_default();
    usages.fold([0, 0], |[shown, written], usage| {
        let shown = shown + count(usage, "prompt_tokens");
        [shown, written + count(usage, "completion_tokens")]
    })
}
