//! Programs that speak in tones, and how a home has them. What is heard tells who spoke, and for how many letters.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::time::Duration;

use crate::binaries;
use crate::home::Home;

/// The tone of the speech process.
pub const HERTZ: u32 = 400;

/// The tone of what is called `espeak-ng`.
pub const ESPEAK_HERTZ: u32 = 1_000;

/// Samples a second of both.
pub const RATE: u32 = 22_050;

/// How long one that speaks "slowly" computes in the middle of a sentence.
pub const SLOW: Duration = Duration::from_millis(1_500);

/// How many times as fast one speaks that does so "hastily".
pub const HURRY: usize = 4;

const LETTER: Duration = Duration::from_millis(40);

/// Tells how long a sentence sounds.
pub fn sound_of(text: &str) -> Duration {
    let letters = text.chars().filter(|sign| sign.is_alphanumeric()).count();
    LETTER * u32::try_from(letters).unwrap_or(u32::MAX)
}

/// Puts `espeak-ng` into the folder `bin` of this home, which has to be on its search path. The calls are in the file.
pub fn espeak(home: &Home) -> PathBuf {
    let folder = home.path().join("bin");
    fs::create_dir_all(&folder).expect("the test's own folder can be written");
    symlink(binaries::speaker(), folder.join("espeak-ng")).expect("the test's own folder can be written");
    home.setting("voice.espeak", "\"auto\"");
    folder.join("espeak-ng.calls")
}

/// Has this home speak through a process that is kept running; what it was told is in the file.
pub fn process(home: &Home, more: &[&str]) -> PathBuf {
    let log = home.path().join("speaker.log");
    let program = binaries::speaker().display().to_string();
    let log_name = log.display().to_string();
    let words: Vec<&str> = [&*program, &*log_name]
        .into_iter()
        .chain(more.iter().copied())
        .collect();
    home.setting("voice.command", &format!("{words:?}"));
    home.setting("voice.sample_rate", &RATE.to_string());
    log
}
