//! The voice of a machine that has no OVOS audio service: speaks through `espeak-ng`.
//!
//! One sentence at a time; a stop ends the one being spoken and forgets those that wait. Speaks for the device's own
//! session only, makes sound for satellites that ask for it, and does neither while an audio service is on the bus.
//! Never decides what is said.

mod espeak;
mod remote;
mod speed;

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use loquat_bus::{Bus, Received, Topics};
use loquat_orchestrator::frames;
use loquat_wire::{Message, topic};
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;
use tokio::process::Child;
use tokio::time::{Instant, MissedTickBehavior};
use tokio_util::sync::CancellationToken;

use self::espeak::Espeak;
use self::remote::Remote;
pub use self::speed::Speed;

/// Answers that may wait to be spoken; one more pushes the oldest out, since it is out of date.
const WAITING: usize = 8;

/// How often it is looked whether an audio service has come or gone.
const LOOK_AGAIN: Duration = Duration::from_secs(10);

/// An audio service answers at once if it is there.
const PATIENCE: Duration = Duration::from_secs(1);

/// Speaks.
#[derive(Debug)]
pub struct Voice {
    bus: Bus,
    remote: Remote,
    espeak: Espeak,
    speed: Speed,
    somebody_else_speaks: bool,
    waiting: VecDeque<Sentence>,
    speaking: Option<Child>,
    /// Whether what is being spoken is a question.
    asking: bool,
    complained: bool,
}

#[derive(Debug)]
struct Sentence {
    text: String,
    lang: String,
    /// Whether the microphone is opened for an answer.
    listen: bool,
}

/// Where `espeak-ng` is installed, if it is.
pub fn find_espeak(search_path: &str) -> Option<PathBuf> {
    search_path
        .split(':')
        .map(|folder| Path::new(folder).join("espeak-ng"))
        .find(|program| program.is_file())
}

impl Voice {
    /// A voice that speaks through this program, in the device's language where a frame names none.
    pub fn new(bus: Bus, program: PathBuf, lang: &str, speed: Speed) -> Self {
        let espeak = Espeak::new(program, lang, speed.clone());
        let (somebody_else_speaks, complained) = (true, false);
        Self {
            bus,
            remote: Remote::new(espeak.clone()),
            espeak,
            speed,
            somebody_else_speaks,
            waiting: VecDeque::new(),
            speaking: None,
            asking: false,
            complained,
        }
    }

    /// Speaks until cancelled.
    pub async fn run(mut self, cancel: CancellationToken) {
        let topics = [
            topic::SPEAK,
            topic::SPEAK_B64,
            topic::STOP,
            topic::AUDIO_STOP,
            topic::AUDIO_OUTPUT_STARTED,
            topic::AUDIO_IS_SPEAKING,
        ];
        let mut frames = self.bus.subscribe(Topics::of(topics).including_own());
        let mut look = tokio::time::interval_at(Instant::now(), LOOK_AGAIN);
        look.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                biased;
                () = cancel.cancelled() => break,
                _ = look.tick() => self.look_for_audio_service().await,
                frame = frames.recv() => match frame {
                    Some(frame) => self.frame(frame).await,
                    None => break,
                },
                ended = wait(&mut self.speaking) => self.ended(ended).await,
            }
        }
        self.silence().await;
    }

    async fn look_for_audio_service(&mut self) {
        // One that is alive and not ready has no voice.
        let question = Message::new(topic::is_ready("audio"), json!({}));
        let answer = self.bus.request(question, None, PATIENCE).await;
        let is_ready = |answer: Message| answer.data.get("status") == Some(&Value::Bool(true));
        self.note_speaker(answer.is_ok_and(is_ready));
    }

    fn note_speaker(&mut self, is_somebody_else: bool) {
        self.somebody_else_speaks = is_somebody_else;
        self.speed.set_ours(!is_somebody_else);
    }

    async fn frame(
        &mut self,
        Received {
            message,
            canonical,
            own,
            ..
        }: Received,
    ) {
        let session = message.context.session();
        match canonical.as_str() {
            topic::SPEAK_B64 if !self.somebody_else_speaks => self.remote.speak(message, &self.bus),
            topic::SPEAK if session.is_default() => self.aloud(&message).await,
            topic::STOP | topic::AUDIO_STOP => {
                self.remote.stop(session.id());
                if session.is_default() {
                    self.silence().await;
                }
            }
            topic::AUDIO_IS_SPEAKING if !self.somebody_else_speaks => {
                let speaking = session.is_default() && self.speaking.is_some();
                self.send(message.response(json!({"speaking": speaking}))).await;
            }
            // An audio service has come since we last looked.
            topic::AUDIO_OUTPUT_STARTED if !own => self.note_speaker(true),
            _ => {}
        }
    }

    async fn aloud(&mut self, message: &Message) {
        let text = message
            .data
            .get("utterance")
            .and_then(Value::as_str)
            .unwrap_or_default();
        if self.somebody_else_speaks || text.trim().is_empty() {
            return;
        }
        let lang = message
            .data
            .get("lang")
            .and_then(Value::as_str)
            .unwrap_or_default();
        if self.waiting.len() == WAITING {
            self.waiting.pop_front();
        }
        self.waiting.push_back(Sentence {
            text: text.to_owned(),
            lang: lang.to_owned(),
            listen: crate::ear::is_question(message),
        });
        if self.speaking.is_none() {
            self.emit(topic::AUDIO_OUTPUT_STARTED).await;
            self.next().await;
        }
    }

    /// Speaks the next sentence, or falls silent.
    async fn next(&mut self) {
        while let Some(sentence) = self.waiting.pop_front() {
            match self.speak(&sentence).await {
                Ok(child) => {
                    self.speaking = Some(child);
                    self.asking = sentence.listen;
                    return;
                }
                Err(error) => self.complain(&error.to_string()),
            }
        }
        self.emit(topic::AUDIO_OUTPUT_ENDED).await;
        if std::mem::take(&mut self.asking) {
            self.emit(topic::MIC_LISTEN).await;
        }
    }

    async fn speak(&self, sentence: &Sentence) -> std::io::Result<Child> {
        let mut child = self
            .espeak
            .command(&sentence.lang)
            .stdout(Stdio::null())
            .spawn()?;
        if let Some(mut input) = child.stdin.take() {
            input.write_all(sentence.text.as_bytes()).await?;
        }
        Ok(child)
    }

    async fn ended(&mut self, ended: std::io::Result<std::process::ExitStatus>) {
        self.speaking = None;
        match ended {
            Ok(status) if status.success() => self.complained = false,
            Ok(status) => self.complain(&status.to_string()),
            Err(error) => self.complain(&error.to_string()),
        }
        self.next().await;
    }

    async fn silence(&mut self) {
        self.waiting.clear();
        self.asking = false;
        if let Some(mut child) = self.speaking.take() {
            if let Err(error) = child.kill().await {
                tracing::debug!(%error, "espeak-ng had ended already");
            }
            self.emit(topic::AUDIO_OUTPUT_ENDED).await;
        }
    }

    /// Once, not at every sentence: without a loudspeaker each one fails.
    fn complain(&mut self, error: &str) {
        if !std::mem::replace(&mut self.complained, true) {
            tracing::warn!(
                error,
                "failed to speak through espeak-ng; is there a loudspeaker?"
            );
        }
    }

    async fn emit(&self, topic: &str) {
        self.send(frames::originated(topic, json!({}))).await;
    }

    async fn send(&self, message: Message) {
        if let Err(error) = self.bus.emit(message).await {
            tracing::debug!(%error, "failed to tell the bus about the voice");
        }
    }
}

/// Waits for the end of what is being spoken; for ever when nothing is.
async fn wait(speaking: &mut Option<Child>) -> std::io::Result<std::process::ExitStatus> {
    match speaking {
        Some(child) => child.wait().await,
        None => std::future::pending().await,
    }
}
