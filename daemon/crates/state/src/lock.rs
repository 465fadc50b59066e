//! One daemon at a time on one state folder: two would both go on with a turn that a crash cut off, and run its tools
//! twice.
//!
//! The kernel holds the lock and lets it go when the process ends, however that happens. What stands in the file is for
//! people only.

use std::fs::{File, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};

use super::private;

/// The process that has the lock.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Holder {
    /// The number of its process; absent when it has not written it down yet.
    pub process: Option<u32>,
    /// The moment at which it took the lock, in seconds since 1970; absent when it has not written it down yet.
    pub since: Option<i64>,
}

/// Says why the lock is not to be had.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    /// Another process has it.
    #[error("failed to lock {}: another process uses this state", path.display())]
    Held {
        /// The lock file is here.
        path: PathBuf,
        /// The process that holds it.
        holder: Holder,
    },
    /// It cannot be had at all.
    #[error("failed to lock {}", path.display())]
    Failed {
        /// The lock file is here.
        path: PathBuf,
        /// The operating system says this.
        #[source]
        source: io::Error,
    },
}

/// Held as long as this lives.
#[derive(Debug)]
pub struct StateLock(#[expect(dead_code, reason = "the lock goes with the file")] File);

impl StateLock {
    /// Takes the lock of a state folder, which is made where it is missing. Never waits. `unix_seconds` is now.
    pub fn take(folder: &Path, unix_seconds: i64) -> Result<Self, LockError> {
        let path = folder.join("state.lock");
        let failed = |source| LockError::Failed {
            path: path.clone(),
            source,
        };
        private::make_folder(folder).map_err(failed)?;
        let mut file = private::open(&path).map_err(failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let holder = read(&mut file);
                return Err(LockError::Held { path, holder });
            }
            Err(TryLockError::Error(source)) => return Err(failed(source)),
        }
        // On a full disk it cannot be read who it is; the lock holds all the same.
        if let Err(error) = write(&mut file, unix_seconds) {
            tracing::warn!(%error, file = %path.display(), "failed to write down who runs");
        }
        Ok(Self(file))
    }
}

fn write(file: &mut File, unix_seconds: i64) -> io::Result<()> {
    file.set_len(0)?;
    file.rewind()?;
    writeln!(file, "{} {unix_seconds}", std::process::id())
}

fn read(file: &mut File) -> Holder {
    let mut text = String::new();
    // What cannot be read is not known.
    file.take(100).read_to_string(&mut text).unwrap_or_default();
    let mut words = text.split_whitespace();
    Holder {
        process: words.next().and_then(|word| word.parse().ok()),
        since: words.next().and_then(|word| word.parse().ok()),
    }
}
