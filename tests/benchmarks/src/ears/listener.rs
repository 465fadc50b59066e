//! Our side as a process of its own: it hears recordings as the daemon hears a microphone, through ear, end-pointing and
//! recogniser, and answers each line of JSON on its input with what was heard.

use std::io::{BufRead, Write};
use std::path::Path;

use anyhow::{Context, Result};
use loquat_speech::{Ear, EarEvent, Recognizer, Source, SpeechSettings};
use loquat_tests::process::{anonymous_bytes, peak_resident_bytes};
use serde::Serialize;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::contestant::{Asked, Heard};

/// How a process of this program is asked to be a listener.
pub const PART: &str = "listen";

/// What came of one capture.
#[derive(Debug)]
pub(super) struct Capture {
    /// What was heard; empty where that was nothing.
    pub(super) text: String,
    /// The memory that the system cannot take back, in bytes, when it was told.
    pub(super) memory: u64,
}

/// Hears until its input ends. The arguments are whisper's model, that of voice activity, and the number of threads.
///
/// # Errors
/// When a model cannot be used or a line is no request.
pub async fn serve(mut arguments: impl Iterator<Item = String>) -> Result<()> {
    let mut next = || {
        arguments
            .next()
            .context("a model or the number of threads is missing")
    };
    let mut settings = SpeechSettings::new(next()?, next()?);
    settings.threads = next()?.parse()?;
    let recognizer = Recognizer::start(&settings)?;
    for line in std::io::stdin().lock().lines() {
        let asked: Asked = serde_json::from_str(&line?)?;
        settings.lang = Some(asked.lang);
        let heard = hear(&settings, &recognizer, &asked.file).await?;
        answer(&heard)?;
    }
    recognizer.shutdown().await;
    Ok(())
}

/// A line of JSON for the process that asked.
pub(super) fn answer(told: &impl Serialize) -> Result<()> {
    let line = serde_json::to_string(told)?;
    Ok(writeln!(std::io::stdout(), "{line}")?)
}

async fn hear(settings: &SpeechSettings, recognizer: &Recognizer, file: &Path) -> Result<Heard> {
    let began = Instant::now();
    let captures = captures(settings, recognizer, file).await?;
    let texts: Vec<&str> = captures.iter().map(|capture| capture.text.as_str()).collect();
    Ok(Heard {
        text: texts.join(" "),
        seconds: began.elapsed().as_secs_f64(),
        pieces: captures.len(),
        memory: peak_resident_bytes(std::process::id()),
    })
}

/// All captures in a file, each with the one result that belongs to it.
pub(super) async fn captures(
    settings: &SpeechSettings,
    recognizer: &Recognizer,
    file: &Path,
) -> Result<Vec<Capture>> {
    let (ear, actor) = Ear::new(settings.clone(), recognizer.clone(), Source::Wav(file.into()));
    let mut events = ear.take_events().context("the events are given once")?;
    let collect = async {
        let (mut captures, mut is_open) = (Vec::new(), false);
        while let Some(event) = events.recv().await {
            let text = match event {
                EarEvent::RecordStarted { .. } => {
                    anyhow::ensure!(!is_open, "a capture began before the last one had its result");
                    is_open = true;
                    continue;
                }
                EarEvent::Heard(transcript) => transcript.text,
                EarEvent::NothingHeard => String::new(),
                EarEvent::Unavailable { reason } => anyhow::bail!(reason),
                _ => continue,
            };
            anyhow::ensure!(is_open, "a capture had two results");
            is_open = false;
            captures.push(Capture {
                text,
                memory: anonymous_bytes(std::process::id()),
            });
        }
        anyhow::ensure!(!is_open, "the last capture had no result");
        Ok(captures)
    };
    let ((), captures) = tokio::join!(actor.run(CancellationToken::new()), collect);
    captures
}
