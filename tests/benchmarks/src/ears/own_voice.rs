//! Wake words that are spoken into the device's own voice, as its microphone hears both: its voice comes out of a loudspeaker,
//! through a room.

use std::fmt;
use std::path::Path;

use anyhow::Result;
use loquat_speech::{WakeWordDetector as _, without_echo};
use serde::Serialize;

use super::recordings::Speaker;
use super::sentences::Sentences;
use super::sound;
use super::wake::{SPEEDS, detector, hits};

/// The words, three clips of each.
const WORDS: [(&str, &str); 3] = [
    ("hey_mycroft", "hey mycroft"),
    ("hey_jarvis", "hey jarvis"),
    ("alexa", "alexa"),
];

/// How much quieter the person is than the device, at the microphone, in decibels.
const QUIETER: [f32; 3] = [0.0, 6.0, 12.0];

/// A canceller has to learn the room, in seconds.
const BEFORE: f32 = 6.0;

/// From the loudspeaker to the microphone: the way itself and two walls, in seconds, and how much comes that way.
const ROOM: [(f32, f32); 3] = [(0.06, 1.0), (0.073, 0.45), (0.098, 0.25)];

/// A loudspeaker gives no more than this, whatever is played.
const LOUDEST: f32 = 0.6;

/// How many are to be heard at each level through the canceller, where none may be heard falsely.
const WANTED: usize = 6;

/// What stands between the microphone and the detector.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
enum Microphone {
    Bare,
    Cancelled,
}

impl Microphone {
    /// What is left of what the microphone takes, while this is played.
    fn heard(self, played: &[f32], taken: &[f32]) -> Vec<f32> {
        match self {
            Self::Bare => taken.to_vec(),
            Self::Cancelled => without_echo(played, taken),
        }
    }

    /// As the table calls it.
    fn name(self) -> &'static str {
        match self {
            Self::Bare => "bare microphone",
            Self::Cancelled => "echo cancelled",
        }
    }
}

/// What was heard through one microphone.
#[derive(Debug, Serialize)]
pub struct OwnVoice {
    microphone: Microphone,
    /// For each level, how many were heard.
    heard: [usize; QUIETER.len()],
    said: usize,
    /// How often a word was heard where none was said.
    false_alarms: usize,
}

impl fmt::Display for OwnVoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:<18}", self.microphone.name())?;
        for (heard, quieter) in self.heard.iter().zip(QUIETER) {
            write!(f, " {:>4} dB: {heard} of {}", -quieter, self.said)?;
        }
        write!(f, "  false: {}", self.false_alarms)
    }
}

impl OwnVoice {
    /// Whether it is as good as was wanted; the bare microphone need not be.
    pub fn is_good(&self) -> bool {
        let is_heard = self.heard.iter().all(|heard| *heard >= WANTED);
        self.microphone == Microphone::Bare || is_heard && self.false_alarms == 0
    }
}

/// Measures the words over the device's own voice, through the bare microphone and through the canceller.
///
/// # Errors
/// When there is no voice, or a model is missing.
pub async fn measure(models: &Path, speaker: &mut Speaker) -> Result<[OwnVoice; 2]> {
    Ok([
        through(Microphone::Bare, models, speaker).await?,
        through(Microphone::Cancelled, models, speaker).await?,
    ])
}

async fn through(microphone: Microphone, models: &Path, speaker: &mut Speaker) -> Result<OwnVoice> {
    let own = speaker.says(&Sentences::read()?.own_voice, 1.0).await?;
    let echo = echo(&own);
    let (mut heard, mut false_alarms) = ([0; QUIETER.len()], 0);
    for (name, words) in WORDS {
        let (mut detector, _) = detector(name, models)?;
        for speed in SPEEDS {
            let word = speaker.says(words, speed).await?;
            for (count, quieter) in heard.iter_mut().zip(QUIETER) {
                detector.reset();
                let left = microphone.heard(&own, &spoken_into(&echo, &word, quieter));
                let begin = f64::from(BEFORE);
                let end = begin + sound::seconds(word.len()) + 0.7;
                let (right, wrong): (Vec<f64>, Vec<f64>) = hits(&mut detector, &left)
                    .into_iter()
                    .partition(|at| (begin..end).contains(at));
                *count += usize::from(!right.is_empty());
                false_alarms += wrong.len();
            }
        }
    }
    Ok(OwnVoice {
        microphone,
        heard,
        said: WORDS.len() * SPEEDS.len(),
        false_alarms,
    })
}

/// What the microphone takes of what is played.
pub(super) fn echo(played: &[f32]) -> Vec<f32> {
    let distorted: Vec<f32> = played
        .iter()
        .map(|sample| (sample / LOUDEST).tanh() * LOUDEST)
        .collect();
    let mut echo = vec![0.0; played.len()];
    for (late, part) in ROOM {
        let behind = echo.iter_mut().skip(sound::length(late));
        for (sum, sample) in behind.zip(&distorted) {
            *sum += sample * part * 0.5;
        }
    }
    echo
}

/// A word that begins after [`BEFORE`], quieter than the echo by so many decibels.
fn spoken_into(echo: &[f32], word: &[f32], quieter: f32) -> Vec<f32> {
    let factor = sound::strength(echo) / sound::strength(word).max(f32::MIN_POSITIVE);
    let word: Vec<f32> = word.iter().map(|sample| sample * factor).collect();
    let late = [sound::silence(BEFORE), sound::louder(&word, -quieter)].concat();
    sound::mixed(echo, &late)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_quieter_than_the_echo_by_what_was_wanted() {
        let own = sound::noise(sound::length(10.0), -20.0, 1);
        let word = sound::noise(sound::length(1.0), -20.0, 2);
        let echo = echo(&own);
        let both = spoken_into(&echo, &word, 12.0);
        let word: Vec<f32> = both.iter().zip(&echo).map(|(both, echo)| both - echo).collect();
        let ratio = 20.0 * (sound::strength(&echo) / sound::strength(sound::trimmed(&word))).log10();
        assert!((ratio - 12.0).abs() < 1.0, "{ratio}");
        assert_eq!(both.len(), own.len());
    }
}
