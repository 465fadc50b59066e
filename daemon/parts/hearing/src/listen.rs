//! A WAV file or the microphone, heard once; or the microphone watched, or all of them listed: what `loquat listen` shows. Puts
//! no question.

mod devices;
mod live;

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use loquat_models::Catalogue;
use loquat_part::output::{Exit, Output, Style};
use loquat_settings::Environment;
use loquat_speech::{
    Ear, EarActor, EarEvent, EarHandle, ListenMode, SoundFault, Source, SpeechSettings, Transcript,
};
use loquat_transcription::{Ladder, Whisper};
use serde_json::json;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::mpsc;
use tokio::time::interval;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use self::live::Live;
pub use self::live::level;
use crate::models::HearingModels;
use crate::opening::{ladder_of, speech_settings};
use crate::settings::HearingSettings;
use crate::wake_word::{self, WakeWordInUse};

/// Why nothing was listened to.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ListenError {
    /// No one turns speech into text.
    #[error("{0}")]
    Deaf(String),
    /// Another task reads what the ear tells.
    #[error("failed to follow the ear")]
    Followed,
    /// The file is no sound.
    #[error(transparent)]
    File(#[from] loquat_speech::wav::ReadWavError),
    /// The ear takes no order.
    #[error(transparent)]
    Ear(#[from] loquat_speech::ListenRefused),
    /// The microphone went away, or there is none.
    #[error("failed to listen: {0}")]
    Unavailable(String),
    /// The process cannot be told to end.
    #[error("failed to wait for Ctrl-C")]
    Signal(#[source] io::Error),
}

/// Who listens from the command line.
#[derive(Debug)]
pub struct Listener<'a> {
    /// What the settings say.
    pub settings: HearingSettings<'a>,
    /// The environment of the process.
    pub environment: &'a Environment,
    /// The models.
    pub models: &'a HearingModels,
    /// The language that is spoken, where it is not the device's.
    pub lang: Option<&'a str>,
    /// Where to write.
    pub output: Output,
}

impl Listener<'_> {
    /// Lists the microphones and how each stands.
    pub async fn list_devices(&self) -> Exit {
        devices::list(self).await
    }

    /// Shows what the microphone hears until it is stopped.
    pub async fn watch(&self) -> Result<Exit, ListenError> {
        watch(self).await
    }

    /// Hears one utterance of a file, else of the microphone; nothing where none could be understood.
    pub async fn hear(&self, file: Option<&Path>) -> Result<Option<Transcript>, ListenError> {
        hear(self, file).await
    }

    fn speech(&self) -> SpeechSettings {
        let mut speech = speech_settings(self.settings, self.models);
        if let Some(lang) = self.lang {
            speech.lang = Some(lang.to_owned());
        }
        speech
    }

    async fn ladder(&self, speech: &SpeechSettings) -> Result<Ladder, ListenError> {
        let ladder = ladder(self.settings, self.environment, speech).await;
        ladder.map_err(ListenError::Deaf)
    }
}

/// An ear that runs, and all that ends with it.
struct Running {
    ear: EarHandle,
    events: mpsc::Receiver<EarEvent>,
    ladder: Ladder,
    tasks: TaskTracker,
    stop: CancellationToken,
}

impl Running {
    fn start(ladder: Ladder, ear: EarHandle, actor: EarActor) -> Result<Self, ListenError> {
        let events = ear.take_events().ok_or(ListenError::Followed)?;
        let (tasks, stop) = (TaskTracker::new(), CancellationToken::new());
        tasks.spawn(actor.run(stop.clone()));
        Ok(Self {
            ear,
            events,
            ladder,
            tasks,
            stop,
        })
    }

    async fn end(self) {
        self.stop.cancel();
        self.tasks.close();
        self.tasks.wait().await;
        self.ladder.shutdown().await;
    }
}

/// Makes the recognisers ready that turn speech into text.
async fn ladder(
    settings: HearingSettings<'_>,
    environment: &Environment,
    speech: &SpeechSettings,
) -> Result<Ladder, String> {
    let whisper = Arc::new(Whisper::new(speech.clone()));
    let ladder = Ladder::new(&ladder_of(settings, environment), whisper);
    ladder.ready().await?;
    Ok(ladder)
}

/// Hears one utterance, or nothing that could be understood.
async fn hear(context: &Listener<'_>, file: Option<&Path>) -> Result<Option<Transcript>, ListenError> {
    let (output, models) = (context.output, context.models);
    let mut speech = context.speech();
    if let Some(file) = file {
        // Read once before, so that a bad file is told apart from one without speech.
        loquat_speech::wav::read(file)?;
    }
    let ladder = context.ladder(&speech).await?;
    let source = file.map_or(Source::Microphone, |file| Source::Wav(file.to_owned()));
    let is_file = file.is_some();
    // The microphone is asked, so that no word is needed: how sure the device would be of it is shown.
    speech.score_wake_words = true;
    let (ear, mut actor) = Ear::new(speech, ladder.clone(), source);
    if !is_file {
        let words = models.wake_words.words.iter();
        let installed: Vec<WakeWordInUse> = words.filter(|word| word.file.is_present()).cloned().collect();
        actor = with_wake_words(actor, &installed, output);
    }
    let mut running = Running::start(ladder, ear, actor)?;
    // Its score is shown like those of the others, though the device makes no sound here.
    running.ear.note_ringing(true);
    let (mut live, mut redraw) = (Live::new(output), interval(live::REDRAWN));
    let heard = loop {
        let event = tokio::select! {
            event = running.events.recv() => event,
            _ = redraw.tick(), if !is_file => {
                live.show(&running.ear);
                continue;
            }
        };
        if let Some(event) = &event {
            live.event(event);
        }
        match event {
            Some(EarEvent::Heard(transcript)) => break Ok(Some(transcript)),
            // A file may go on after a noise; the microphone was asked once.
            Some(EarEvent::NothingHeard) if !is_file => break Ok(None),
            Some(EarEvent::Ready { .. }) if !is_file => {
                live.clear();
                output.remark("Listening. Speak now.");
                running.ear.listen()?;
            }
            Some(EarEvent::Unavailable { reason }) => break Err(reason),
            Some(_) => {}
            None => break Ok(None),
        }
    };
    if !is_file {
        live.clear();
        complain(output, running.ear.sound_fault(true));
    }
    running.end().await;
    heard.map_err(ListenError::Unavailable)
}

/// The ear with those of the words whose models are of use; what is wrong with the others is said.
fn with_wake_words(actor: EarActor, words: &[WakeWordInUse], output: Output) -> EarActor {
    let (wake_words, complaints) = wake_word::load_all(words, &Catalogue::embedded());
    for complaint in complaints {
        output.remark(format!("loquat: {complaint}"));
    }
    match wake_words {
        Some(wake_words) => actor.with_wake_words(Box::new(wake_words)),
        None => actor,
    }
}

/// Says what is wrong with a microphone.
fn complain(output: Output, fault: Option<SoundFault>) {
    if let Some(fault) = fault {
        output.remark(format!("loquat: {fault}"));
        output.value(&json!({"event": "fault", "fault": fault, "reason": fault.to_string()}));
    }
}

/// Shows what the microphone hears until it is stopped.
async fn watch(context: &Listener<'_>) -> Result<Exit, ListenError> {
    let (output, models) = (context.output, context.models);
    let mut speech = context.speech();
    // Made once: what comes while none waits would be lost.
    let mut interrupt = signal(SignalKind::interrupt()).map_err(ListenError::Signal)?;
    speech.mode = ListenMode::Continuous;
    let ladder = context.ladder(&speech).await?;
    let (ear, actor) = Ear::new(speech, ladder.clone(), Source::Microphone);
    let actor = with_wake_words(actor, &models.wake_words.words, output);
    let mut running = Running::start(ladder, ear, actor)?;
    let (mut live, mut redraw, mut tell) = (Live::new(output), interval(live::REDRAWN), interval(live::TOLD));
    let (mut spoken, mut told) = (false, None);
    loop {
        let event = tokio::select! {
            _ = interrupt.recv() => break,
            event = running.events.recv() => event,
            _ = redraw.tick() => {
                live.show(&running.ear);
                continue;
            }
            _ = tell.tick() => {
                live.tell(&running.ear);
                // Each fault once: it lasts until something is done about it.
                let fault = running.ear.sound_fault(spoken);
                if fault.is_some() && fault != told {
                    live.clear();
                    complain(output, fault);
                    told = fault;
                }
                continue;
            }
        };
        let Some(event) = event else { break };
        live.event(&event);
        live.clear();
        spoken |= matches!(event, EarEvent::RecordStarted { .. });
        output.value(&event);
        tell_of(output, &event);
    }
    live.clear();
    running.end().await;
    Ok(Exit::Ok)
}

/// Tells a person what happens while the microphone is watched.
fn tell_of(output: Output, event: &EarEvent) {
    match event {
        EarEvent::Ready { device } => output.line(format!("Hearing {device}. Stop with Ctrl-C.")),
        EarEvent::Unavailable { reason } => output.remark(format!("loquat: {reason}")),
        EarEvent::WakeWord {
            wake_word,
            effect,
            confidence,
        } => {
            let sure = (confidence * 100.0).round();
            output.line(format!(
                "  wake word {wake_word} ({sure} %), said {}",
                wake_word::purpose(effect, false)
            ));
        }
        EarEvent::Heard(heard) => {
            let sure = (heard.confidence * 100.0).round();
            output.line(format!("  heard    {} ({sure} %, {})", heard.text, heard.lang));
        }
        EarEvent::NothingHeard => output.styled(Style::Dim, "  nothing that could be understood"),
        _ => {}
    }
}

/// A microphone opens within this, or there is none.
const PATIENCE: Duration = Duration::from_secs(5);

/// Opens the microphone for a moment: its name, or why there is none.
pub(super) async fn microphone(
    settings: HearingSettings<'_>,
    environment: &Environment,
    speech: &SpeechSettings,
) -> Result<String, String> {
    let ladder = ladder(settings, environment, speech).await?;
    let (handle, actor) = Ear::new(speech.clone(), ladder.clone(), Source::Microphone);
    let mut events = handle.take_events().ok_or("failed to follow the ear")?;
    let (tracker, token) = (TaskTracker::new(), CancellationToken::new());
    tracker.spawn(actor.run(token.clone()));
    let first = tokio::time::timeout(PATIENCE, async {
        loop {
            match events.recv().await {
                Some(EarEvent::Ready { device }) => return Ok(device),
                Some(EarEvent::Unavailable { reason }) => return Err(reason),
                Some(_) => {}
                None => return Err("the ear ended".to_owned()),
            }
        }
    });
    let found = first
        .await
        .unwrap_or_else(|_| Err(format!("no microphone within {} s", PATIENCE.as_secs())));
    token.cancel();
    tracker.close();
    tracker.wait().await;
    ladder.shutdown().await;
    found
}
