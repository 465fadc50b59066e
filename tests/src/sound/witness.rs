//! Listens to a source of the sound server beside the daemon, and tells when it last heard something, and which tones.
//! Understands no words.

use std::process::Stdio;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::io::AsyncReadExt;
use tokio::process::{Child, ChildStdout, Command};
use tokio::task::JoinSet;
use tokio::time::Instant;

use crate::wait::{PATIENCE, wait_for};

/// What the microphone gives.
const SAMPLES_PER_SECOND: u32 = 16_000;

/// How far behind the microphone the recording may be, in milliseconds.
const BEHIND: &str = "--latency-msec=20";

/// Louder than a hundredth of the loudest: a voice, and not the end of its last sound.
const AUDIBLE: u16 = 327;

/// Samples in which a tone is told, a twentieth of a second: in fewer it is too vague.
const WINDOW: usize = 800;

/// How far from a tone what is heard may be, in hertz.
const VAGUE: u32 = 60;

/// What is quiet for longer parts two sounds.
const PARTS_SOUNDS: Duration = Duration::from_millis(200);

/// Sound from its first audible sample to its last.
#[derive(Debug, Clone, Copy)]
struct Sounding {
    began: Instant,
    ended: Instant,
}

/// A recording of the microphone beside the daemon's, or of what is played; it ends with this value.
#[derive(Debug)]
pub struct Witness {
    sounds: Arc<Mutex<Vec<Sounding>>>,
    recorded: Arc<Mutex<Vec<i16>>>,
    _reader: JoinSet<()>,
    _recorder: Child,
}

impl Witness {
    pub(super) fn of(address: &str, source: &str) -> Self {
        let mut command = Command::new("parec");
        command
            .args([
                "--raw",
                "--format=s16le",
                "--rate=16000",
                "--channels=1",
                BEHIND,
                "--device",
                source,
            ])
            .env("PULSE_SERVER", address)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .kill_on_drop(true);
        let mut recorder = command
            .spawn()
            .expect("parec records the microphone; install the package pulseaudio-utils");
        let sound = recorder.stdout.take().expect("a child has an output");
        let (sounds, recorded) = (Arc::default(), Arc::default());
        let mut reader = JoinSet::new();
        reader.spawn(listen(sound, Arc::clone(&sounds), Arc::clone(&recorded)));
        Self {
            sounds,
            recorded,
            _reader: reader,
            _recorder: recorder,
        }
    }

    /// Waits until the microphone gives sound, silence or not: what is played from then on is heard.
    pub async fn listens(&self) {
        let recorded = async || (!self.recorded().is_empty()).then_some(());
        wait_for("sound from the microphone", PATIENCE, recorded).await;
    }

    /// Measures how long a tone of so many hertz was heard.
    pub fn seconds_of(&self, hertz: u32) -> f64 {
        let recorded = self.recorded();
        let windows = recorded.chunks_exact(WINDOW);
        let heard = windows.filter(|window| tone(window).is_some_and(|heard| heard.abs_diff(hertz) <= VAGUE));
        (heard.count() * WINDOW) as f64 / f64::from(SAMPLES_PER_SECOND)
    }

    fn recorded(&self) -> Vec<i16> {
        self.recorded
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Tells when something was last heard; nothing before it ever was.
    pub fn last_sound(&self) -> Option<Instant> {
        let sounds = self.sounds.lock().unwrap_or_else(PoisonError::into_inner);
        sounds.last().map(|sounding| sounding.ended)
    }

    /// Tells when something was heard first from this moment on.
    pub fn first_sound_since(&self, since: Instant) -> Option<Instant> {
        let sounds = self.sounds.lock().unwrap_or_else(PoisonError::into_inner);
        let sounding = sounds.iter().find(|sounding| sounding.ended >= since)?;
        Some(sounding.began.max(since))
    }
}

async fn listen(mut sound: ChildStdout, sounds: Arc<Mutex<Vec<Sounding>>>, recorded: Arc<Mutex<Vec<i16>>>) {
    let mut buffer = [0; 4096];
    let mut rest = Vec::new();
    while let Ok(length @ 1..) = sound.read(&mut buffer).await {
        let now = Instant::now();
        rest.extend_from_slice(&buffer[..length]);
        let whole = rest.len() / 2 * 2;
        let heard = audible(&rest[..whole]);
        if let Some([began, ended]) = heard.map(|ago| ago.map(|ago| now.checked_sub(ago).unwrap_or(now))) {
            let mut sounds = sounds.lock().unwrap_or_else(PoisonError::into_inner);
            match sounds.last_mut() {
                Some(last) if began <= last.ended + PARTS_SOUNDS => last.ended = ended,
                _ => sounds.push(Sounding { began, ended }),
            }
        }
        let samples = rest.chunks_exact(2);
        let samples = samples.map(|sample| i16::from_le_bytes([sample[0], sample[1]]));
        recorded
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .extend(samples);
        rest.drain(..whole);
    }
}

/// Finds the tone of a window, in hertz; there is none where it is not all loud.
fn tone(window: &[i16]) -> Option<u32> {
    let half = |samples: &[i16]| samples.iter().any(|sample| sample.unsigned_abs() > AUDIBLE);
    let (begin, end) = window.split_at(window.len() / 2);
    let rising = window
        .windows(2)
        .filter(|pair| pair[0] < 0 && pair[1] >= 0)
        .count();
    let hertz = u32::try_from(rising).ok()? * SAMPLES_PER_SECOND / u32::try_from(window.len()).ok()?;
    (half(begin) && half(end)).then_some(hertz)
}

/// Measures how long before the end the first audible sample stands, and the last; nothing where none is audible.
fn audible(sound: &[u8]) -> Option<[Duration; 2]> {
    let samples = sound.as_chunks::<2>().0.iter();
    let mut is_audible = samples.map(|sample| i16::from_le_bytes(*sample).unsigned_abs() > AUDIBLE);
    let count = is_audible.len();
    let first = is_audible.position(|is_audible| is_audible)?;
    let behind = is_audible.rev().position(|is_audible| is_audible);
    let last = behind.unwrap_or(count - first - 1);
    let long = |samples: usize| Duration::from_secs_f64(samples as f64 / f64::from(SAMPLES_PER_SECOND));
    Some([long(count - first - 1), long(last)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sound::{SoundServer, noise};

    /// The noise is a little longer.
    const NOISE: Duration = Duration::from_millis(1900);

    #[tokio::test]
    async fn the_beginning_and_the_end_of_what_is_played_are_heard() {
        let folder = tempfile::tempdir().unwrap();
        let sound = SoundServer::start(folder.path()).await;
        let witness = sound.witness();
        assert_eq!(witness.last_sound(), None);
        let asked = Instant::now();
        sound.play(&noise(folder.path())).await;
        let began = witness.first_sound_since(asked).unwrap();
        let lasted = witness.last_sound().unwrap() - began;
        assert!(began > asked && lasted >= NOISE, "{lasted:?}");
        assert_eq!(witness.first_sound_since(Instant::now()), None);
    }

    #[test]
    fn a_tone_is_told_from_another_and_from_none() {
        let sine = |hertz: f32| {
            let sample = |index: usize| {
                (9_000.0 * (std::f32::consts::TAU * hertz * index as f32 / 16_000.0).sin()) as i16
            };
            (0..WINDOW).map(sample).collect::<Vec<_>>()
        };
        for hertz in [400_u32, 1_000] {
            assert!(tone(&sine(hertz as f32)).unwrap().abs_diff(hertz) <= VAGUE);
        }
        assert_eq!(tone(&[0; WINDOW]), None);
    }

    #[test]
    fn the_first_and_the_last_audible_sample_count() {
        let sound = |samples: &[i16]| {
            samples
                .iter()
                .copied()
                .flat_map(i16::to_le_bytes)
                .collect::<Vec<u8>>()
        };
        let [quiet, longer] = [&[0; 16][..], &[0; 32]];
        assert_eq!(audible(&sound(quiet)), None);
        let long = Duration::from_millis;
        let words = [longer, &[9000][..], &[0; 15], &[-5000], quiet].concat();
        assert_eq!(audible(&sound(&words)), Some([long(2), long(1)]));
        assert_eq!(
            audible(&sound(&[quiet, &[9000], quiet].concat())),
            Some([long(1), long(1)])
        );
    }
}
