//! Recognises whole WAV files and prints one JSON line for each: file, text, confidence, seconds of sound and of work.
//!
//! `cargo run --release -p loquat-speech --example hear -- WHISPER_MODEL FILE…`, with `RUST_LOG=debug` for the
//! decoder's own figures on standard error. It skips end-pointing, so it measures whisper alone.
#![expect(clippy::print_stdout, reason = "its output is the point")]

use std::path::Path;

use anyhow::Context as _;
use loquat_speech::{Recognizer, SAMPLE_RATE, SpeechSettings, TranscribeError, wav};
use serde_json::json;

#[tokio::main(flavor = "current_thread")]
async fn main() -> anyhow::Result<()> {
    tracing_subscriber::fmt()
        .with_env_filter(tracing_subscriber::EnvFilter::from_default_env())
        .with_writer(std::io::stderr)
        .init();
    let mut arguments = std::env::args().skip(1);
    let model = arguments.next().context("usage: hear WHISPER_MODEL FILE…")?;
    let recognizer = Recognizer::start(&SpeechSettings::new(model, ""))?;
    for file in arguments {
        let samples = wav::read(Path::new(&file))?;
        let seconds = samples.len() as f64 / f64::from(SAMPLE_RATE);
        let began = tokio::time::Instant::now();
        let (text, confidence) = match recognizer.transcribe(samples, Some("en-US".into())).await {
            Ok(transcript) => (transcript.text, transcript.confidence),
            Err(TranscribeError::NothingHeard) => (String::new(), 0.0),
            Err(error) => return Err(error.into()),
        };
        let elapsed = began.elapsed().as_secs_f64();
        println!(
            "{}",
            json!({"file": file, "text": text, "confidence": confidence, "seconds": seconds, "elapsed": elapsed})
        );
    }
    recognizer.shutdown().await;
    Ok(())
}
