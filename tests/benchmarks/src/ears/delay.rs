//! The whole daemon at a virtual microphone, in real time: how long after the last sound an utterance is on the bus, and how
//! long after the end of the capture.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result};
use loquat_tests::brain::{Reply, ScriptedBrain};
use loquat_tests::daemon::{Daemon, Launch};
use loquat_tests::frame::Frame;
use loquat_tests::home::Home;
use loquat_tests::persona::Persona;
use loquat_tests::probe::BusProbe;
use loquat_tests::sound::{SoundServer, Witness};
use loquat_tests::turn::HANDLED;
use loquat_tests::wait::PATIENCE;
use serde::Serialize;
use serde_json::json;
use tokio::time::Instant;

use super::recordings::Clip;
use super::{Model, at};

/// What was said is understood sooner, also on a machine that does much else.
const UNDERSTANDING: Duration = Duration::from_secs(60);

const STARTED: &str = "ovos.listener.record.started";
const ENDED: &str = "ovos.listener.record.ended";
const FAILED: &str = "ovos.stt.failed";

/// A running daemon whose microphone is played into; its brain is scripted.
#[derive(Debug)]
pub struct Device {
    daemon: Daemon,
    probe: BusProbe,
    sound: SoundServer,
    witness: Witness,
    _brain: ScriptedBrain,
    _home: Home,
}

/// What came of one recording.
#[derive(Debug, Clone, Serialize)]
pub struct Utterance {
    /// What was heard; nothing where that was nothing.
    pub heard: Option<String>,
    /// From the last sound at the microphone to the utterance on the bus, in seconds.
    pub after_sound: f64,
    /// From the end of the capture to that.
    pub after_capture: f64,
    /// How many results it had.
    pub results: usize,
}

impl Device {
    /// Starts it with these models, the wake words among them.
    ///
    /// # Errors
    /// When a model has no path.
    pub async fn start(model: &Model, voice_activity: &Path, wake_words: &[PathBuf]) -> Result<Self> {
        let home = Home::without_bus();
        let quoted = |path: &Path| format!("{:?}", path.display().to_string());
        home.setting("speech.enabled", "true");
        home.setting("speech.host", "\"pulseaudio\"");
        home.setting("speech.whisper_model", &quoted(&model.file));
        home.setting("speech.vad_model", &quoted(voice_activity));
        let mut names = wake_words.iter().filter_map(|path| path.file_stem()?.to_str());
        home.setting(
            "speech.wake_word",
            &format!("{:?}", names.next().unwrap_or("off")),
        );
        for further in names {
            home.setting(&format!("speech.wake_words.{further}"), "{}");
        }
        if let Some(word) = wake_words.first() {
            let folder = word.parent().context("a model lies in a folder")?;
            home.setting("models.folder", &quoted(folder));
        }
        // As it comes: the skills' own sentences are known, and what they do not take is the persona's.
        home.setting("skills.intents", "\"alone\"");
        home.setting("desk.persona", "\"Tester\"");
        let brain = ScriptedBrain::start();
        brain.whenever("Tester", "", Reply::answers("Very well."));
        home.persona(&Persona::react("Tester", &brain.url("Tester")));
        let sound = SoundServer::start(home.path()).await;
        let launch = Launch::new(&home, &["run"]).env("PULSE_SERVER", sound.address());
        let (daemon, probe) = launch.ready().await;
        daemon.wrote("microphone is open", PATIENCE).await;
        let witness = sound.witness();
        Ok(Self {
            daemon,
            probe,
            sound,
            witness,
            _brain: brain,
            _home: home,
        })
    }

    /// The daemon itself.
    pub fn daemon(&self) -> &Daemon {
        &self.daemon
    }

    /// What is played into its microphone.
    pub fn sound(&self) -> &SoundServer {
        &self.sound
    }

    /// Has it listen to a recording and waits for the end of what comes of that.
    ///
    /// # Errors
    /// When the microphone heard nothing of it.
    pub async fn hears(&self, file: &Path) -> Result<Utterance> {
        let mark = self.probe.mark();
        let session = json!({"session_id": "default", "lang": "en-US"});
        let listen = json!({"type": "ovos.mic.listen", "data": {}, "context": {"source": "probe", "session": session}});
        self.probe.send(&listen).await;
        let is = |topic: &'static str| move |frame: &Frame| frame.topic == topic;
        self.probe
            .wait("the recording to start", mark, PATIENCE, is(STARTED))
            .await;
        let began = Instant::now();
        self.sound.play(file).await;
        let last = self.witness.last_sound().filter(|last| *last > began);
        let last = last.context("the virtual microphone heard nothing of what was played")?;
        let ended = self
            .probe
            .wait("the end of the capture", mark, UNDERSTANDING, is(ENDED))
            .await;
        let told = self.probe.wait("a result", mark, UNDERSTANDING, is_result).await;
        let heard = told
            .is_entry()
            .then(|| told.data["utterances"][0].as_str().map(str::to_owned));
        if heard.is_some() {
            self.probe
                .wait("the end of the utterance", mark, UNDERSTANDING, is(HANDLED))
                .await;
        }
        let results = self
            .probe
            .since(mark)
            .iter()
            .filter(|frame| is_result(frame))
            .count();
        Ok(Utterance {
            heard: heard.flatten(),
            after_sound: told.seen.saturating_duration_since(last).as_secs_f64(),
            after_capture: told.seen.saturating_duration_since(ended.seen).as_secs_f64(),
            results,
        })
    }
}

fn is_result(frame: &Frame) -> bool {
    !frame.is_twin() && (frame.is_entry() || frame.topic == FAILED)
}

/// Plays these recordings, one after the other.
///
/// # Errors
/// When the daemon cannot be started or its microphone hears nothing.
pub async fn measure(model: &Model, voice_activity: &Path, clips: &[&Clip]) -> Result<Vec<Utterance>> {
    let device = Device::start(model, voice_activity, &[]).await?;
    let mut utterances = Vec::new();
    for clip in clips {
        utterances.push(device.hears(&clip.file).await?);
    }
    Ok(utterances)
}

/// What was wanted after the end of a capture: at the median, and at the 95th percentile, in seconds.
const WANTED: [f64; 2] = [0.15, 0.8];

/// The median and the 95th percentile of a span.
fn percentiles(utterances: &[Utterance], of: fn(&Utterance) -> f64) -> [f64; 2] {
    [0.5, 0.95].map(|part| at(utterances.iter().map(of), part).unwrap_or_default())
}

/// Where the text came later than wanted after the end of a capture, or not exactly once.
pub fn misses(model: &str, utterances: &[Utterance]) -> Vec<String> {
    let mut misses = Vec::new();
    let found = percentiles(utterances, |utterance| utterance.after_capture);
    if found.iter().zip(WANTED).any(|(found, wanted)| *found > wanted) {
        misses.push(format!(
            "{model}: text {found:.2?} s after the end of the capture, wanted {WANTED:?}"
        ));
    }
    let others = utterances
        .iter()
        .filter(|utterance| utterance.results != 1)
        .count();
    if others > 0 {
        misses.push(format!("{model}: {others} captures had no result or several"));
    }
    misses
}

/// Median and 95th percentile of both spans, as a line.
pub fn told(utterances: &[Utterance]) -> String {
    let spans = |of: fn(&Utterance) -> f64| {
        let [median, most] = percentiles(utterances, of);
        format!("{median:.2} s at the median, {most:.2} s at p95")
    };
    format!(
        "{} commands through the daemon's microphone: last sound to utterance {}; end of the capture to utterance {}",
        utterances.len(),
        spans(|utterance| utterance.after_sound),
        spans(|utterance| utterance.after_capture),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn utterance(after_capture: f64, results: usize) -> Utterance {
        Utterance {
            heard: None,
            after_sound: after_capture + 0.7,
            after_capture,
            results,
        }
    }

    #[test]
    fn what_comes_late_or_twice_is_a_miss() {
        let soon = vec![utterance(0.1, 1); 39];
        let one_late = [soon.clone(), vec![utterance(2.0, 1)]].concat();
        assert_eq!(misses("base", &one_late), Vec::<String>::new());
        let too_late = [soon.clone(), vec![utterance(0.9, 1); 3]].concat();
        assert_eq!(misses("base", &too_late).len(), 1);
        let twice = [soon, vec![utterance(0.1, 2)]].concat();
        assert_eq!(
            misses("base", &twice),
            ["base: 1 captures had no result or several"]
        );
    }
}
