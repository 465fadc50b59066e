//! A cookie for the sound server where there is none.
//!
//! The library that opens microphone and loudspeaker looks for the cookie in the environment and in the home folder. Where it finds none
//! it sends an empty one, upon which `PulseAudio` closes the connection, although it lets its own user in whatever 256 bytes
//! come. So this process, before it does anything, writes such bytes into its runtime folder and becomes itself again with
//! that file in its environment. No file of another program is written.

use std::fs::{DirBuilder, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use loquat_hearing::settings::{SoundHost, Speech, Switch};

use crate::app;
use crate::settings::{Environment, Settings};
use crate::voice::Choice;
use crate::voice::settings::Voice;

/// In bytes.
const COOKIE: usize = 256;

/// The library looks here first.
const VARIABLE: &str = "PULSE_COOKIE";

/// Becomes a process that has a cookie. Returns nothing where it is not needed, and the reason where it cannot be.
/// `is_asked` says that a person wants to see a microphone, whether the daemon uses one or not.
pub(super) fn provide(settings: &Settings, environment: &Environment, is_asked: bool) -> Option<io::Error> {
    let speech = settings.tables.get::<Speech>();
    let hears = is_asked || speech.enabled != Switch::Off;
    let is_needed = hears || Choice::may_speak(&settings.tables.get::<Voice>());
    let asks_pulseaudio = matches!(speech.host, SoundHost::Auto | SoundHost::PulseAudio);
    if !is_needed || !asks_pulseaudio || has_cookie(environment) {
        return None;
    }
    Some(match written(&settings.folders.runtime) {
        Ok(file) => become_again(&file),
        Err(error) => error,
    })
}

/// Tells whether the file that the library takes, the first that is there, holds one.
fn has_cookie(environment: &Environment) -> bool {
    let mut places = app::sound_cookies(environment).into_iter();
    let taken = places.find_map(|place| fs::metadata(place).ok());
    taken.is_some_and(|file| file.len() == COOKIE as u64)
}

/// Any bytes will do, so they are no secret.
fn written(folder: &Path) -> io::Result<PathBuf> {
    DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    let file = folder.join("pulse-cookie");
    let made = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(&file);
    match made {
        Ok(mut made) => made.write_all(&[0; COOKIE])?,
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
        Err(error) => return Err(error),
    }
    if fs::metadata(&file)?.len() == COOKIE as u64 {
        Ok(file)
    } else {
        Err(io::Error::other(format!(
            "{} is of another length",
            file.display()
        )))
    }
}

/// Returns only when that fails.
fn become_again(cookie: &Path) -> io::Error {
    let own = match env::current_exe() {
        Ok(own) => own,
        Err(error) => return error,
    };
    let mut arguments = env::args_os();
    let mut again = Command::new(&own);
    again.arg0(arguments.next().unwrap_or_else(|| own.into_os_string()));
    again.args(arguments).env(VARIABLE, cookie).exec()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_file_that_is_there_counts() {
        let home = tempfile::tempdir().expect("a folder");
        let environment = |cookie: &Path| {
            Environment::from_pairs([
                ("HOME", home.path().display().to_string()),
                (VARIABLE, cookie.display().to_string()),
            ])
        };
        let file = home.path().join("own");
        assert!(!has_cookie(&environment(&file)), "there is none");
        fs::write(home.path().join(".pulse-cookie"), [7; COOKIE]).expect("room");
        assert!(has_cookie(&environment(&file)));
        fs::write(&file, []).expect("room");
        assert!(!has_cookie(&environment(&file)), "the first is empty");
    }

    #[test]
    fn a_cookie_is_written_once_and_a_strange_file_is_not_taken() {
        let folder = tempfile::tempdir().expect("a folder");
        let runtime = folder.path().join("run/loquat");
        let file = written(&runtime).expect("a file");
        assert_eq!(fs::read(&file).expect("the file"), [0; COOKIE]);
        assert_eq!(written(&runtime).expect("the file again"), file);
        fs::write(&file, "short").expect("room");
        let refused = written(&runtime).expect_err("it is too short");
        assert!(refused.to_string().contains("of another length"), "{refused}");
    }
}
