//! The wall clock of the daemon alone, which jumps by libfaketime: a process cannot have a wall clock of its own
//! otherwise, and that of the machine is not ours to set.
//!
//! The clock by which the daemon waits goes on as it was, as it does on a device whose clock is set.

use std::fs;
use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::daemon::Launch;
use crate::home::Home;

/// Where the packages of all architectures have it.
const FOLDER: &str = "/usr/lib";
const LIBRARY: &str = "faketime/libfaketime.so.1";

/// How much it differs from the machine's.
#[derive(Debug)]
pub struct Clock {
    library: PathBuf,
    file: PathBuf,
    /// Seconds ahead.
    ahead: i64,
}

impl Clock {
    /// Makes a clock that is right.
    pub fn new(home: &Home) -> Self {
        let found = fs::read_dir(FOLDER).into_iter().flatten().flatten();
        let library = found
            .map(|entry| entry.path().join(LIBRARY))
            .find(|path| path.exists());
        let clock = Self {
            library: library.unwrap_or_else(|| {
                panic!("no clock can jump without libfaketime: `./daemon/packages.sh test` installs it")
            }),
            file: home.path().join("clock"),
            ahead: 0,
        };
        clock.set();
        clock
    }

    /// Starts the daemon with this clock.
    pub fn worn_by<'a>(&self, launch: Launch<'a>) -> Launch<'a> {
        launch
            .env("LD_PRELOAD", &self.library)
            .env("FAKETIME_TIMESTAMP_FILE", &self.file)
            .env("FAKETIME_CACHE_DURATION", "1")
            .env("FAKETIME_DONT_RESET", "1")
            .env("FAKETIME_DONT_FAKE_MONOTONIC", "1")
    }

    /// Moves it, also for a daemon that runs; there it takes a second.
    pub fn jump(&mut self, seconds: i64) {
        self.ahead += seconds;
        self.set();
    }

    fn set(&self) {
        fs::write(&self.file, format!("{:+}\n", self.ahead)).expect("the temporary folder can be written");
    }
}

/// Counts the days from 1 January 1970, a Thursday, to today. Where it is noon now, the date is that of Greenwich.
pub fn days_at_noon() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    now.as_secs() / 86_400
}

/// Gives a time zone in which it is about noon, for stories whose sentences a device asks about at night, when "tomorrow" may be
/// the day that has begun.
pub fn zone_of_noon() -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let hour = i64::try_from(now.as_secs() / 3600 % 24).unwrap_or_default();
    // East of Greenwich has a minus in these names.
    format!("Etc/GMT{:+}", hour - 12)
}
