//! `loquat listen`: a WAV file or the microphone, heard once, put as a question; or the microphone watched, or all of them
//! listed.

mod devices;
mod live;

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, Result, anyhow, bail};
use loquat_models::Catalogue;
use loquat_speech::{
    Ear, EarActor, EarEvent, EarHandle, ListenMode, SoundFault, Source, SpeechSettings, Transcript,
};
use serde_json::json;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::mpsc;
use tokio::time::interval;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use self::live::Live;
use super::arguments::Listen;
use super::{Context, Exit, Output, Style, ask};
use crate::app;
use crate::models_in_use::ModelsInUse;
use crate::settings::{Environment, Settings};
use crate::transcription::{Ladder, Whisper};
use crate::wake_word::{self, WakeWordInUse};

/// `loquat listen`.
pub(super) async fn run(context: Context, listen: Listen) -> Result<Exit> {
    let models = ModelsInUse::choose(&context.settings, &context.environment, &Catalogue::embedded());
    if listen.devices {
        return devices::list(&context, &models).await;
    }
    let mut speech = app::speech_settings(&context.settings, &models);
    if let Some(lang) = &listen.addressee.lang {
        speech.lang = Some(lang.clone());
    }
    if listen.watch {
        return watch(&context, speech, &models).await;
    }
    let output = context.output;
    let Some(heard) = hear(&context, speech, &listen, &models).await? else {
        output.remark("loquat: nothing was heard that could be understood");
        output.value(&json!({"heard": null}));
        return Ok(Exit::Failed);
    };
    if listen.transcribe_only {
        output.line(&heard.text);
        output.value(&heard);
        return Ok(Exit::Ok);
    }
    output.styled(Style::Dim, format!("  heard    {}", heard.text));
    ask::put(&context, &heard.text, &listen.addressee).await
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
    fn start(ladder: Ladder, (ear, actor): (EarHandle, EarActor)) -> Result<Self> {
        let events = ear.take_events().context("failed to follow the ear")?;
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

/// Those who turn speech into text, ready.
async fn ladder(
    settings: &Settings,
    environment: &Environment,
    speech: &SpeechSettings,
) -> Result<Ladder, String> {
    let whisper = Arc::new(Whisper::new(speech.clone()));
    let ladder = Ladder::new(&app::ladder_of(settings, environment), whisper);
    ladder.ready().await?;
    Ok(ladder)
}

/// One utterance, or nothing that could be understood.
async fn hear(
    context: &Context,
    mut speech: SpeechSettings,
    listen: &Listen,
    models: &ModelsInUse,
) -> Result<Option<Transcript>> {
    let output = context.output;
    if let Some(file) = &listen.file {
        // Read once before, so that a bad file is told apart from one without speech.
        loquat_speech::wav::read(file)?;
    }
    let ladder = ladder(&context.settings, &context.environment, &speech).await;
    let ladder = ladder.map_err(|reason| anyhow!(reason))?;
    let source = listen.file.clone().map_or(Source::Microphone, Source::Wav);
    let is_file = listen.file.is_some();
    // The microphone is asked, so that no word is needed: how sure the device would be of it is shown.
    speech.score_wake_words = true;
    let (ear, mut actor) = Ear::new(speech, ladder.clone(), source);
    if !is_file {
        let words = models.wake_words.words.iter();
        let installed: Vec<WakeWordInUse> = words.filter(|word| word.file.is_present()).cloned().collect();
        actor = with_wake_words(actor, &installed, output);
    }
    let mut running = Running::start(ladder, (ear, actor))?;
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
    match heard {
        Ok(heard) => Ok(heard),
        Err(reason) => bail!("failed to listen: {reason}"),
    }
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
async fn watch(context: &Context, mut speech: SpeechSettings, models: &ModelsInUse) -> Result<Exit> {
    let output = context.output;
    // Made once: what comes while none waits would be lost.
    let mut interrupt = signal(SignalKind::interrupt()).context("failed to wait for Ctrl-C")?;
    speech.mode = ListenMode::Continuous;
    let ladder = ladder(&context.settings, &context.environment, &speech).await;
    let ladder = ladder.map_err(|reason| anyhow!(reason))?;
    let (ear, actor) = Ear::new(speech, ladder.clone(), Source::Microphone);
    let actor = with_wake_words(actor, &models.wake_words.words, output);
    let mut running = Running::start(ladder, (ear, actor))?;
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

/// What a person is told of while the microphone is watched.
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
                wake_word::purpose(effect)
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
    settings: &Settings,
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
