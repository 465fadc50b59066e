//! "Stop" while the device speaks, where it is not said: how often talk in the room and the device's own voice are taken for it.
//!
//! The talk is this book's, in several voices, fast and slow, loud and quiet, with pauses of all lengths. It is heard faster than
//! it is spoken, in the way in which a person is heard who interrupts: at each pause whisper glances at what was said.

use std::fmt;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result};
use loquat_phrases::Phrases;
use loquat_speech::{
    Completeness, Ear, Recognizer, Source, SpeechSettings, TranscribeError, Transcriber, Transcription,
    Utterance, without_echo,
};
use parking_lot::Mutex;
use serde::Serialize;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::Model;
use super::own_voice::echo;
use super::recordings::Speaker;
use super::sound::{self, Chance, silence};

const ENGLISH: &str = "en-US";

/// The voices of espeak-ng, and how many words a minute each says.
const VOICES: [(&str, &str); 8] = [
    ("en-us", "130"),
    ("en-us", "175"),
    ("en-gb", "150"),
    ("en-gb-scotland", "140"),
    ("en-us+f3", "160"),
    ("en-gb+f2", "190"),
    ("en-us+m7", "150"),
    ("en-gb-x-rp+m3", "165"),
];

/// So much is heard at a time, in seconds.
const PIECE: f64 = 60.0;

/// The longest order that is looked for among the device's own words.
const ORDER: usize = 3;

/// What is heard.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum Heard {
    /// People who talk in the room.
    Talk,
    /// The device's own voice, behind the echo canceller.
    OwnVoice,
}

/// What came of so much of it.
#[derive(Debug, Serialize)]
pub struct Stops {
    heard: Heard,
    hours: f64,
    #[serde(flatten)]
    tally: Tally,
    /// How long it took, in hours.
    took: f64,
}

#[derive(Debug, Default, Serialize)]
struct Tally {
    /// How often whisper glanced at it.
    glances: usize,
    /// What was taken for an order that stops.
    orders: Vec<String>,
}

impl Stops {
    /// Whether there was less than one in ten hours.
    pub fn is_few(&self) -> bool {
        self.tally.orders.is_empty()
    }
}

impl fmt::Display for Stops {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            heard, hours, took, ..
        } = self;
        let Tally { glances, orders } = &self.tally;
        let count = orders.len();
        write!(
            f,
            "{heard:?}: {hours:.2} h in {took:.2} h, {glances} glances, {count} taken for an order that stops {orders:?}"
        )
    }
}

/// Whisper's glances, and how many they were. Nothing else is recognised.
#[derive(Debug)]
struct Glances {
    recognizer: Recognizer,
    tally: Arc<Mutex<Tally>>,
    heard: Heard,
}

impl Transcriber for Glances {
    fn look(&self, until_now: Utterance) -> Option<Transcription> {
        let (recognizer, tally, heard) = (self.recognizer.clone(), Arc::clone(&self.tally), self.heard);
        Some(Box::pin(async move {
            let found = recognizer.glance(until_now.samples, until_now.lang).await;
            let order = found.as_ref().ok().filter(|found| stops(&found.text, heard));
            let mut tally = tally.lock();
            tally.glances += 1;
            tally.orders.extend(order.map(|found| found.text.clone()));
            drop(tally);
            found
        }))
    }

    fn glance(&self, _until_now: Utterance) -> Option<Transcription> {
        None
    }

    fn transcribe(&self, _whole: Utterance, _looked: Option<Transcription>) -> Transcription {
        Box::pin(std::future::ready(Err(TranscribeError::NothingHeard)))
    }

    fn completeness(&self, _text: &str, _lang: &str) -> Completeness {
        Completeness::Unsure
    }
}

/// Whether this would stop the device. Among words of its own the order may stand at either end, whatever the others are.
fn stops(text: &str, heard: Heard) -> bool {
    let orders = &Phrases::of(ENGLISH).orders;
    let words: Vec<&str> = text.split_whitespace().collect();
    let at_an_end = |length: usize| {
        let ends = [
            words.get(..length),
            words.get(words.len().saturating_sub(length)..),
        ];
        ends.into_iter()
            .flatten()
            .any(|words| orders.stops(&words.join(" ")))
    };
    orders.stops(text) || heard == Heard::OwnVoice && (1..=ORDER).any(at_an_end)
}

/// Has the device hear that for so many seconds, or until the time is over.
///
/// # Errors
/// When a model cannot be used, or the disk takes nothing.
pub async fn measure(
    heard: Heard,
    (model, voice_activity): (&Model, &Path),
    speaker: &Speaker,
    seconds: f64,
    within: Duration,
) -> Result<Stops> {
    let settings = SpeechSettings::new(&model.file, voice_activity);
    let recognizer = Recognizer::start(&settings)?;
    let (folder, began) = (tempfile::tempdir()?, Instant::now());
    let file = folder.path().join("talk.wav");
    let tally = Arc::default();
    let (mut book, mut done) = (Book::open()?, 0.0);
    while done < seconds && began.elapsed() < within {
        let samples = book.talk(heard, speaker).await?;
        done += sound::seconds(samples.len());
        sound::write(&file, &samples)?;
        let glances = Glances {
            recognizer: recognizer.clone(),
            tally: Arc::clone(&tally),
            heard,
        };
        hear(settings.clone(), glances, &file).await?;
    }
    recognizer.shutdown().await;
    let tally = std::mem::take(&mut *tally.lock());
    Ok(Stops {
        heard,
        hours: done / 3_600.0,
        tally,
        took: began.elapsed().as_secs_f64() / 3_600.0,
    })
}

/// Hears a file as a room in which the device speaks.
async fn hear(mut settings: SpeechSettings, glances: Glances, file: &Path) -> Result<()> {
    settings.lang = Some(ENGLISH.to_owned());
    let (ear, actor) = Ear::new(settings, glances, Source::Wav(file.into()));
    let mut events = ear.take_events().context("the events are given once")?;
    ear.note_speech(true);
    let read = async { while events.recv().await.is_some() {} };
    tokio::join!(actor.run(CancellationToken::new()), read);
    Ok(())
}

/// The sentences of the book, and what is drawn by chance.
struct Book {
    sentences: Vec<String>,
    chance: Chance,
}

impl Book {
    fn open() -> Result<Self> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../daemon/book/src");
        let mut files: Vec<_> = fs::read_dir(folder)?
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
            .collect();
        files.sort();
        let mut sentences = Vec::new();
        for file in files {
            sentences.extend(fs::read_to_string(file)?.lines().flat_map(prose));
        }
        let chance = Chance::new(40);
        Ok(Self { sentences, chance })
    }

    /// A piece of talk as the microphone hears it.
    async fn talk(&mut self, heard: Heard, speaker: &Speaker) -> Result<Vec<f32>> {
        let mut talk = silence(1.0);
        while sound::seconds(talk.len()) < PIECE {
            let chance = &mut self.chance;
            let sentence = chance.one_of(&self.sentences).context("the book is empty")?;
            let (voice, speed) = chance.one_of(&VOICES).context("there are voices")?;
            let said = speaker.espeak_says(voice, speed, sentence).await?;
            let said = sound::stretched(&said, chance.between([0.9, 1.12]));
            talk.extend(sound::louder(&said, chance.between([-20.0, 0.0])));
            talk.extend(silence(chance.between([0.1, 1.2])));
        }
        let seed = (self.chance.draw() * 1e6) as u64;
        let noise = sound::noise(talk.len(), self.chance.between([-60.0, -35.0]), seed);
        Ok(match heard {
            Heard::Talk => sound::mixed(&talk, &noise),
            Heard::OwnVoice => without_echo(&talk, &sound::mixed(&echo(&talk), &noise)),
        })
    }
}

/// The sentences in a line of the book that is neither a table nor code, without those in which the word itself is said.
fn prose(line: &str) -> Vec<String> {
    let is_prose = line.starts_with(|sign: char| sign.is_ascii_uppercase());
    let plain: String = line.chars().filter(|sign| !"`*_[]\"".contains(*sign)).collect();
    let sentences = plain.split_inclusive(['.', '?']).map(str::trim);
    let is_talk = |sentence: &&str| {
        let lower = sentence.to_lowercase();
        is_prose && (20..=160).contains(&sentence.len()) && !lower.contains("stop") && !lower.contains("](")
    };
    sentences.filter(is_talk).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_book_has_hours_of_talk_in_which_nobody_says_stop() {
        let book = Book::open().unwrap();
        assert!(book.sentences.len() > 300, "{}", book.sentences.len());
        assert!(!book.sentences.iter().any(|sentence| sentence.contains("top it")));
        assert!(prose("| \"Stop\" | ends it |").is_empty());
    }

    #[test]
    fn an_order_among_own_words_counts_at_either_end() {
        assert!(stops("Stop.", Heard::Talk));
        assert!(!stops("lights are on stop", Heard::Talk));
        assert!(stops("lights are on stop", Heard::OwnVoice));
        assert!(!stops("lights are on", Heard::OwnVoice));
    }
}
