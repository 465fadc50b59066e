//! Hears WAV files through the ear and prints one JSON line for each: file, text, seconds of sound and of work.
//!
//! `cargo run --release -p loquat-speech --example hear -- WHISPER_MODEL VAD_MODEL FILE…`, with
//! `RUST_LOG=loquat_speech=debug` for the decoder's own figures on standard error.
#![expect(clippy::print_stdout, reason = "its output is the point")]

use std::path::Path;

use anyhow::Context as _;
use loquat_speech::{Ear, EarEvent, Recognizer, SAMPLE_RATE, Source, SpeechSettings, wav};
use serde_json::json;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

#[tokio::main(flavor = "current_thread")]
async fn main() -> anyhow::Result<()> {
    tracing_subscriber::fmt()
        .with_env_filter(tracing_subscriber::EnvFilter::from_default_env())
        .with_writer(std::io::stderr)
        .init();
    let mut arguments = std::env::args().skip(1);
    let mut next = || {
        arguments
            .next()
            .context("usage: hear WHISPER_MODEL VAD_MODEL FILE…")
    };
    let mut settings = SpeechSettings::new(next()?, next()?);
    settings.lang = Some("en-US".into());
    let recognizer = Recognizer::start(&settings)?;
    for file in arguments {
        let seconds = wav::read(Path::new(&file))?.len() as f64 / f64::from(SAMPLE_RATE);
        let began = Instant::now();
        let text = hear(&settings, &recognizer, &file).await?;
        let elapsed = began.elapsed().as_secs_f64();
        println!(
            "{}",
            json!({"file": file, "text": text, "seconds": seconds, "elapsed": elapsed})
        );
    }
    recognizer.shutdown().await;
    Ok(())
}

/// All that is said in a file.
async fn hear(settings: &SpeechSettings, recognizer: &Recognizer, file: &str) -> anyhow::Result<String> {
    let (ear, actor) = Ear::new(settings.clone(), recognizer.clone(), Source::Wav(file.into()));
    let mut events = ear.take_events().context("the events are given once")?;
    let collect = async {
        let mut texts = Vec::new();
        while let Some(event) = events.recv().await {
            match event {
                EarEvent::Heard(transcript) => texts.push(transcript.text),
                EarEvent::Unavailable { reason } => anyhow::bail!(reason),
                _ => {}
            }
        }
        Ok(texts.join(" "))
    };
    let ((), text) = tokio::join!(actor.run(CancellationToken::new()), collect);
    text
}
