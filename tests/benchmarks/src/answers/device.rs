//! Our side: the real daemon with its ear and its brain, asked through a microphone or on the bus.
//!
//! What happens in a turn is told by the events that the daemon puts on the bus, so that one clock, that of the probe, has
//! all moments.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use anyhow::{Context, Result};
use loquat_tests::daemon::{Daemon, Launch};
use loquat_tests::frame::Frame;
use loquat_tests::home::Home;
use loquat_tests::probe::BusProbe;
use loquat_tests::sound::{SoundServer, Witness, speak_as};
use loquat_tests::turn::{HANDLED, Utterance};
use loquat_tests::wait::PATIENCE;
use serde_json::{Map, Value, json};
use tokio::time::{Instant, timeout};

use super::row::{Answer, Spans};
use super::{figures, heard};
use crate::exam::{Span, TIME_HERE, Task, Wanted};
use crate::set;

/// Threads of the model and tokens of its window, of ours and of the peer's.
pub(super) const THREADS: usize = 2;
pub(super) const CONTEXT_TOKENS: usize = 4096;

/// The persona that the program brings along, of which only the engine is changed.
const PERSONA: &str = include_str!("../../../../personas/loquat.json");

/// The engine of that persona.
pub const USUAL_ENGINE: &str = "ovos-react-loop";

/// The longest answer, and a model that is read from the disk.
const THINKING: Duration = Duration::from_secs(300);

/// What was said is understood sooner, also on a machine that does much else.
const UNDERSTANDING: Duration = Duration::from_secs(180);

/// Events on their way while the end of an utterance was seen.
const STRAGGLERS: Duration = Duration::from_secs(2);

/// Words a minute; slow enough for whisper to understand this voice.
const SPEED: &str = "120";

const EVENT: &str = "loquat.turn.event";

/// What the device is made of.
#[derive(Debug)]
pub struct Setup {
    /// The language model.
    pub model: PathBuf,
    /// The engine of the persona.
    pub engine: String,
    /// Whisper and voice activity; nothing where requests are typed.
    pub ears: Option<[PathBuf; 2]>,
    /// Further keys and values of its settings.
    pub set: Vec<(String, String)>,
}

/// A running daemon.
#[derive(Debug)]
pub struct Device {
    home: Home,
    _daemon: Daemon,
    probe: BusProbe,
    microphone: Option<(SoundServer, Witness)>,
    asked: usize,
}

/// A request that was answered, or not.
#[derive(Debug)]
pub struct Reply {
    /// What was heard.
    pub heard: Option<String>,
    /// Whether that is what was said.
    pub heard_rightly: bool,
    /// What was answered.
    pub answer: Answer,
    /// When.
    pub spans: Spans,
}

/// The instructions of the persona.
///
/// # Errors
/// When the persona has none.
pub fn instructions() -> Result<String> {
    let persona: Value = serde_json::from_str(PERSONA)?;
    let text = persona["system_prompt"].as_str();
    Ok(text.context("the persona has no instructions")?.to_owned())
}

impl Device {
    /// Starts it and waits until its brain and, where it has them, its ears are there.
    ///
    /// # Errors
    /// When its persona cannot be made.
    pub async fn start(setup: &Setup) -> Result<Self> {
        let home = furnished(setup)?;
        let mut launch = Launch::new(&home, &["run"]);
        let mut server = None;
        if setup.ears.is_some() {
            let sound = SoundServer::start(home.path()).await;
            launch = launch.env("PULSE_SERVER", sound.address());
            server = Some(sound);
        }
        let (daemon, probe) = launch.ready().await;
        daemon.wrote("the local brain is prepared", THINKING).await;
        if server.is_some() {
            daemon.wrote("microphone is open", PATIENCE).await;
        }
        let microphone = server.map(|server| {
            let witness = server.witness();
            (server, witness)
        });
        Ok(Self {
            home,
            _daemon: daemon,
            probe,
            microphone,
            asked: 0,
        })
    }

    /// Asks something in a language, so that its instructions have been read.
    pub async fn warm_up(&self, lang: &str, question: &str) {
        let utterance = Utterance::new(question)
            .in_session(&format!("warm-{lang}"))
            .session("lang", json!(lang))
            .patience(THINKING);
        utterance.ask(&self.probe).await;
    }

    /// Asks, through the microphone where there is one.
    ///
    /// # Errors
    /// When the microphone did not hear what was played.
    pub async fn ask(&mut self, task: &Task) -> Result<Reply> {
        self.asked += 1;
        let mark = self.probe.mark();
        let asked = SystemTime::now();
        let said = if self.microphone.is_some() {
            self.say(task).await?
        } else {
            self.enter(task).await
        };
        if self.understood(mark).await {
            self.settled(mark).await;
        }
        Ok(reply(&self.probe.since(mark), task, said, asked))
    }

    /// Types it in a session of its own; gives the moment.
    async fn enter(&self, task: &Task) -> Instant {
        let utterance = Utterance::new(task.question)
            .in_session(&format!("typed-{}", self.asked))
            .session("lang", json!(task.lang));
        let said = Instant::now();
        utterance.enter(&self.probe).await;
        said
    }

    /// Speaks it in the language's own voice; gives the moment of the last sound.
    async fn say(&self, task: &Task) -> Result<Instant> {
        let (server, witness) = self.microphone.as_ref().context("there is a microphone")?;
        let wav = speak_as(voice(task.lang), SPEED, task.question, self.home.path()).await;
        let mark = self.probe.mark();
        let session = json!({"session_id": "default", "lang": task.lang});
        let listen = json!({"type": "ovos.mic.listen", "data": {}, "context": {"source": "probe", "session": session}});
        self.probe.send(&listen).await;
        let started = |frame: &Frame| frame.topic == "ovos.listener.record.started";
        self.probe
            .wait("the recording to start", mark, PATIENCE, started)
            .await;
        let began = Instant::now();
        server.play(&wav).await;
        let last = witness.last_sound().filter(|last| *last > began);
        last.context("the virtual microphone heard nothing of what was played")
    }

    /// Whether an utterance came of it.
    async fn understood(&self, mark: usize) -> bool {
        let done = |frame: &Frame| is_utterance(frame) || frame.topic == "ovos.stt.failed";
        let frame = self.probe.try_wait(mark, UNDERSTANDING, done).await;
        frame.is_some_and(|frame| is_utterance(&frame))
    }

    /// Waits for the end of the utterance, and of all that is told of its turn.
    async fn settled(&self, mark: usize) {
        let is_end = |frame: &Frame| frame.topic == HANDLED;
        self.probe
            .wait("the end of the utterance", mark, THINKING, is_end)
            .await;
        let recording = self.probe.recording();
        let (mut open, mut turns) = (0, 0);
        let told = recording.watch(mark, |frame| {
            match event(frame) {
                Some("turn_started") => (open, turns) = (open + 1, turns + 1),
                Some("turn_ended") => open -= 1,
                _ => {}
            }
            open == 0 && turns > 0
        });
        // What no skill and no persona took has no turn.
        timeout(STRAGGLERS, told).await.ok();
    }
}

/// A home with the models and the persona. Each request stands alone: nothing is remembered from one to the next.
pub(crate) fn furnished(setup: &Setup) -> Result<Home> {
    let home = Home::without_bus();
    home.setting("local_brain.model", &quoted(&setup.model)?);
    home.setting("local_brain.threads", &THREADS.to_string());
    home.setting("local_brain.context_tokens", &CONTEXT_TOKENS.to_string());
    home.setting("skills.intents", "\"alone\"");
    home.setting("bus.reports", "\"events\"");
    home.setting("desk.history_turns", "0");
    home.setting("desk.reflection_turns", "0");
    if let Some([whisper, voice_activity]) = &setup.ears {
        home.setting("speech.enabled", "true");
        home.setting("speech.whisper_model", &quoted(whisper)?);
        home.setting("speech.vad_model", &quoted(voice_activity)?);
        home.setting("speech.wake_word", "\"off\"");
    }
    set::apply(&home, &setup.set);
    home.write("config/ovos_persona/Loquat.json", &persona(&setup.engine)?);
    Ok(home)
}

/// A path as a value of our settings.
fn quoted(path: &Path) -> Result<String> {
    let whole = fs::canonicalize(path).with_context(|| path.display().to_string())?;
    Ok(format!("{:?}", whole.display().to_string()))
}

fn persona(engine: &str) -> Result<String> {
    let mut persona: Map<String, Value> = serde_json::from_str(PERSONA)?;
    let settings = persona
        .remove(USUAL_ENGINE)
        .context("the persona has another engine")?;
    persona.insert("handlers".to_owned(), json!([engine]));
    persona.insert(engine.to_owned(), settings);
    Ok(Value::Object(persona).to_string())
}

/// Of espeak-ng.
fn voice(lang: &str) -> &str {
    match lang {
        "en-US" => "en-us",
        "fr-FR" => "fr-fr",
        _ => lang.split('-').next().unwrap_or(lang),
    }
}

/// Whether it brings an utterance, and is no twin of such a frame.
pub(crate) fn is_utterance(frame: &Frame) -> bool {
    frame.is_entry() && !frame.is_twin()
}

/// The name of the event that a frame tells.
pub(crate) fn event(frame: &Frame) -> Option<&str> {
    frame.data["event"].as_str().filter(|_| frame.topic == EVENT)
}

/// What the frames of one request tell of it.
fn reply(frames: &[Frame], task: &Task, said: Instant, asked: SystemTime) -> Reply {
    let entry = frames.iter().find(|frame| is_utterance(frame));
    let speak = frames.iter().find(|frame| frame.is_speak());
    let first_byte = frames
        .iter()
        .find(|frame| matches!(event(frame), Some("reply_delta" | "reasoning_delta")));
    let heard = entry.and_then(|frame| Some(frame.data["utterances"][0].as_str()?.to_owned()));
    let text = speak.map_or("", Frame::utterance);
    let brain_calls = frames
        .iter()
        .filter(|frame| event(frame) == Some("brain_asked"))
        .count();
    let observed = frames
        .iter()
        .filter(|frame| event(frame) == Some("tool_returned"));
    let observations: Vec<String> = observed
        .filter_map(|frame| Some(frame.data["observation"].as_str()?.to_owned()))
        .collect();
    let heard_rightly = heard
        .as_ref()
        .is_some_and(|heard| heard::is_right(task.question, heard, task.lang));
    let more = heard.iter().cloned().collect();
    Reply {
        heard_rightly,
        answer: judged(task, text, asked, brain_calls, observations, more),
        spans: spans(said, [entry, first_byte, speak].map(|frame| Some(frame?.seen))),
        heard,
    }
}

/// An answer that has just come, judged; `more` may be said too.
pub(super) fn judged(
    task: &Task,
    text: &str,
    asked: SystemTime,
    brain_calls: usize,
    observations: Vec<String>,
    more: Vec<String>,
) -> Answer {
    let now = SystemTime::now();
    // A brain is told the moment, and a right answer may come from the head.
    let moment = Wanted::All(&[Wanted::Date(0), TIME_HERE]).facts(Span::new(asked, now));
    let question = vec![task.question.to_owned()];
    let sources = [
        question,
        more,
        observations.clone(),
        moment,
        task.facts(asked, now),
    ]
    .concat();
    Answer {
        right: task.is_right(text, asked, now),
        without_source: figures::without_source(text, task.lang, &sources),
        text: text.to_owned(),
        brain_calls,
        observations,
    }
}

fn spans(said: Instant, [utterance, first_byte, speak]: [Option<Instant>; 3]) -> Spans {
    let between =
        |from: Option<Instant>, to: Option<Instant>| Some(to?.saturating_duration_since(from?).as_secs_f64());
    Spans {
        hearing: between(Some(said), utterance),
        first_byte: between(utterance, first_byte),
        speaking: between(first_byte.or(utterance), speak),
        answering: between(utterance, speak),
        whole: between(Some(said), speak),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_follow_each_other() {
        let said = Instant::now();
        let at = |milliseconds| Some(said + Duration::from_millis(milliseconds));
        let all = spans(said, [at(1000), at(1500), at(3500)]);
        let expected = Spans {
            hearing: Some(1.0),
            first_byte: Some(0.5),
            speaking: Some(2.0),
            answering: Some(2.5),
            whole: Some(3.5),
        };
        assert_eq!(all, expected);
        let without_brain = spans(said, [at(1000), None, at(1250)]);
        assert_eq!(
            (without_brain.first_byte, without_brain.speaking),
            (None, Some(0.25))
        );
        assert_eq!(spans(said, [None; 3]), Spans::default());
    }

    #[test]
    fn the_persona_keeps_all_but_its_engine() {
        let usual: Value = serde_json::from_str(PERSONA).unwrap();
        let other: Value = serde_json::from_str(&persona("ovos-self-ask-loop").unwrap()).unwrap();
        assert_eq!(other["handlers"], json!(["ovos-self-ask-loop"]));
        assert_eq!(other["ovos-self-ask-loop"], usual[USUAL_ENGINE]);
        assert_eq!(other["system_prompt"], usual["system_prompt"]);
        let same: Value = serde_json::from_str(&persona(USUAL_ENGINE).unwrap()).unwrap();
        assert_eq!(same, usual);
    }
}
