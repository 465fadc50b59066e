//! `loquat listen`: a WAV file or the microphone, heard once, put as a question.

use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use loquat_models::Catalogue;
use loquat_speech::{Ear, EarEvent, Recognizer, Source, SpeechSettings, Transcript};
use serde_json::json;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::arguments::Listen;
use super::{Context, Exit, Style, ask};
use crate::app;
use crate::models_in_use::ModelsInUse;

/// `loquat listen`.
pub(super) async fn run(context: Context, listen: Listen) -> Result<Exit> {
    let output = context.output;
    let Some(heard) = hear(&context, &listen).await? else {
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

/// One utterance, or nothing that could be understood.
async fn hear(context: &Context, listen: &Listen) -> Result<Option<Transcript>> {
    let models = ModelsInUse::choose(&context.settings, &context.environment, &Catalogue::embedded());
    let mut speech = app::speech_settings(&context.settings, &models);
    if let Some(lang) = &listen.addressee.lang {
        speech.lang = Some(lang.clone());
    }
    if let Some(file) = &listen.file {
        // Read once before, so that a bad file is told apart from one without speech.
        loquat_speech::wav::read(file)?;
    }
    let recognizer = Recognizer::start(&speech)?;
    let source = listen.file.clone().map_or(Source::Microphone, Source::Wav);
    let is_file = listen.file.is_some();
    let (handle, actor) = Ear::new(speech, recognizer.clone(), source);
    let mut events = handle.take_events().context("failed to follow the ear")?;
    let (tracker, token) = (TaskTracker::new(), CancellationToken::new());
    tracker.spawn(actor.run(token.clone()));
    let heard = loop {
        match events.recv().await {
            Some(EarEvent::Heard(transcript)) => break Ok(Some(transcript)),
            // A file may go on after a noise; the microphone was asked once.
            Some(EarEvent::NothingHeard) if !is_file => break Ok(None),
            Some(EarEvent::Ready { .. }) if !is_file => {
                context.output.remark("Listening. Speak now.");
                handle.listen()?;
            }
            Some(EarEvent::Unavailable { reason }) => break Err(reason),
            Some(_) => {}
            None => break Ok(None),
        }
    };
    token.cancel();
    tracker.close();
    tracker.wait().await;
    recognizer.shutdown().await;
    match heard {
        Ok(heard) => Ok(heard),
        Err(reason) => bail!("failed to listen: {reason}"),
    }
}

/// A microphone opens within this, or there is none.
const PATIENCE: Duration = Duration::from_secs(5);

/// Opens the microphone for a moment: its name, or why there is none.
pub(super) async fn microphone(speech: &SpeechSettings) -> Result<String, String> {
    let recognizer = Recognizer::start(speech).map_err(|error| error.to_string())?;
    let (handle, actor) = Ear::new(speech.clone(), recognizer.clone(), Source::Microphone);
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
    recognizer.shutdown().await;
    found
}
