//! One fetch of a model at a time, also across processes.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::Path;
use std::time::Duration;

/// Often enough to go unnoticed, rarely enough to cost nothing.
const LOOK_AGAIN: Duration = Duration::from_millis(250);

/// Waits for the lock and holds it until the file is dropped; `waiting` is told once if another process has it.
///
/// Dropping the future gives up waiting. The lock of a process that dies is free at once.
pub(super) async fn hold(path: &Path, waiting: impl FnOnce() + Send) -> io::Result<File> {
    let file = OpenOptions::new().create(true).append(true).open(path)?;
    let mut waiting = Some(waiting);
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::Error(error)) => return Err(error),
            Err(TryLockError::WouldBlock) => {}
        }
        if let Some(waiting) = waiting.take() {
            waiting();
        }
        tokio::time::sleep(LOOK_AGAIN).await;
    }
}
