//! The process of a command: started by the program that confines it, listened to up to a bound, and ended with all that
//! it has started. Nothing of it outlives the call.

use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process, kill_process_group, waitid};
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::process::Command;
use tokio::time::timeout;

use super::allowed::PROGRAMS;
use super::result::Ran;

/// Kept of each stream, in bytes.
const MOST_KEPT: usize = 64 << 10;

/// For what a process that is killed has still to do.
const LAST_MOMENT: Duration = Duration::from_secs(2);

/// What the confining program writes first of all, before the command can write anything.
const CONFINED: &[u8] = b"loquat-confine: confined\n";

/// What is to be run.
#[derive(Debug)]
pub(super) struct Order<'a> {
    pub(super) confine: &'a Path,
    pub(super) root: &'a Path,
    pub(super) allow_write: bool,
    /// It is beneath the root.
    pub(super) folder: &'a str,
    pub(super) time: Duration,
    pub(super) program: &'a Path,
    pub(super) arguments: &'a [String],
}

/// Why it was not run.
#[derive(Debug, thiserror::Error)]
pub(super) enum NotRun {
    #[error("{program}, which confines commands, cannot be started: {error}")]
    NoConfine { program: String, error: std::io::Error },
    #[error("the command was not run: {0}")]
    NotConfined(String),
}

/// All processes of a command: none leaves the group, since the calls for it are taken from them. Ended when dropped.
#[derive(Debug)]
struct Group(Pid);

impl Drop for Group {
    fn drop(&mut self) {
        // The first has not yet made the group at its very beginning, and a group that is gone needs no end.
        kill_process_group(self.0, Signal::KILL).unwrap_or_default();
        kill_process(self.0, Signal::KILL).unwrap_or_default();
    }
}

/// What came out of a stream.
#[derive(Debug, Default)]
struct Kept {
    bytes: Vec<u8>,
    is_cut: bool,
}

/// Runs a command to its end, which is at the latest when its time is over.
pub(super) async fn run(order: &Order<'_>) -> Result<Ran, NotRun> {
    let failed = |error| NotRun::NoConfine {
        program: order.confine.display().to_string(),
        error,
    };
    let mut child = order.command().spawn().map_err(failed)?;
    let number = child.id().and_then(|number| Pid::from_raw(number.cast_signed()));
    let number = number.ok_or_else(|| failed(std::io::ErrorKind::NotFound.into()))?;
    let group = Group(number);
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    let (mut said, mut complained) = (Kept::default(), Kept::default());
    let limit = async {
        let in_time = timeout(order.time, ended(number)).await.is_ok();
        drop(group);
        in_time
    };
    let (in_time, ..) = tokio::join!(
        limit,
        timeout(order.time + LAST_MOMENT, said.take(stdout)),
        timeout(order.time + LAST_MOMENT, complained.take(stderr)),
    );
    let status = timeout(LAST_MOMENT, child.wait()).await;
    let status = status.ok().and_then(Result::ok).filter(|_| in_time);
    outcome(status, &said, &complained)
}

impl Order<'_> {
    fn command(&self) -> Command {
        let mut command = Command::new(self.confine);
        command
            .arg(self.root)
            .arg(if self.allow_write { "write" } else { "read" })
            .arg(self.folder)
            .arg(self.time.as_secs().to_string())
            .arg(self.program)
            .args(self.arguments)
            .env_clear()
            .env("PATH", PROGRAMS.join(":"))
            .env("HOME", self.root)
            .env("LANG", "C.UTF-8")
            .current_dir("/")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true);
        command
    }
}

/// Waits for the end of a process and leaves it to be waited for: until then its number is its own.
async fn ended(number: Pid) {
    let wait = move || waitid(WaitId::Pid(number), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT);
    // One that cannot be waited for has ended.
    drop(tokio::task::spawn_blocking(wait).await);
}

impl Kept {
    /// Reads to the end, also what is not kept, so that a program that says much ends as it would elsewhere.
    async fn take(&mut self, stream: Option<impl AsyncRead + Unpin>) {
        let Some(mut stream) = stream else { return };
        let mut piece = vec![0; 8 << 10];
        while let Ok(length @ 1..) = stream.read(&mut piece).await {
            let room = MOST_KEPT.saturating_sub(self.bytes.len());
            let kept = piece.get(..length.min(room)).unwrap_or_default();
            self.bytes.extend_from_slice(kept);
            self.is_cut |= length > room;
        }
    }

    /// What came after so many bytes.
    fn text(&self, after: usize) -> String {
        let bytes = self.bytes.get(after..).unwrap_or_default();
        let mut text = String::from_utf8_lossy(bytes).into_owned();
        if self.is_cut {
            text.push_str("\n(more was said and is left out)");
        }
        text
    }
}

/// `status` is that of a command that ended in time.
fn outcome(status: Option<ExitStatus>, said: &Kept, complained: &Kept) -> Result<Ran, NotRun> {
    if !complained.bytes.starts_with(CONFINED) {
        return Err(NotRun::NotConfined(complained.text(0).trim().to_owned()));
    }
    let returncode = status.map_or(-1, |status| {
        let by_signal = status.signal().map_or(-1, |signal| -signal);
        status.code().unwrap_or(by_signal)
    });
    let mut stderr = complained.text(CONFINED.len());
    if status.is_none() {
        stderr.push_str("it took too long and was ended");
    }
    Ok(Ran {
        stdout: said.text(0),
        stderr,
        returncode,
        success: returncode == 0,
        took_too_long: status.is_none(),
    })
}
