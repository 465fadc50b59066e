//! The process of a server that is a program: started in a group of its own, its complaints drained, and ended with all
//! that it has started. Speaks no protocol.

use std::path::PathBuf;
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use secrecy::{ExposeSecret, SecretString};
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::task::JoinSet;
use tokio::time::timeout;

use super::secrets::Secrets;

/// Kept of what it complains of last, in bytes.
const TAIL: usize = 4 << 10;

/// For a server to end by itself once nothing is said to it any more.
const GRACE: Duration = Duration::from_millis(500);

/// For what a killed process has still to do.
const LAST_MOMENT: Duration = Duration::from_secs(2);

/// In the environment of a server and of all that it starts, so that what has left its group is found too.
const MARK: &str = "LOQUAT_MCP_MARK";

/// A running program.
#[derive(Debug)]
pub(super) struct Program {
    child: Child,
    group: Group,
    said: Arc<Mutex<Complaints>>,
    secrets: Secrets,
    /// Reads its complaints; ended when dropped.
    drain: JoinSet<()>,
}

/// What a program complained of.
#[derive(Debug, Default)]
struct Complaints {
    bytes: Vec<u8>,
    /// Whether it was more than is kept.
    is_cut: bool,
}

/// All processes of a program. Killed when dropped.
#[derive(Debug)]
struct Group {
    number: Pid,
    mark: String,
}

impl Drop for Group {
    fn drop(&mut self) {
        // A group that is gone needs no end.
        kill_process_group(self.number, Signal::KILL).unwrap_or_default();
        for stray in marked(&self.mark) {
            kill_process(stray, Signal::KILL).unwrap_or_default();
        }
    }
}

impl Program {
    /// Starts it. It knows nothing of our environment but what it is given.
    pub(super) fn start(
        command: &str,
        arguments: &[String],
        environment: &[(String, SecretString)],
        secrets: Secrets,
    ) -> std::io::Result<(Self, ChildStdout, ChildStdin)> {
        let mark = uuid::Uuid::new_v4().simple().to_string();
        let mut order = Command::new(command);
        order
            .args(arguments)
            .env_clear()
            .envs(
                environment
                    .iter()
                    .map(|(name, value)| (name, value.expose_secret())),
            )
            .env(MARK, &mark)
            .current_dir("/")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .kill_on_drop(true);
        let mut child = order.spawn()?;
        let lost = || std::io::Error::from(std::io::ErrorKind::BrokenPipe);
        let number = child.id().and_then(|number| Pid::from_raw(number.cast_signed()));
        let number = number.ok_or_else(lost)?;
        let group = Group { number, mark };
        let (stdout, stdin) = (child.stdout.take(), child.stdin.take());
        let streams = stdout.zip(stdin).ok_or_else(lost)?;
        let said = Arc::<Mutex<Complaints>>::default();
        let mut drains = JoinSet::new();
        let kept = TAIL + secrets.margin();
        drains.spawn(drain(child.stderr.take(), Arc::clone(&said), kept));
        let program = Self {
            child,
            group,
            said,
            secrets,
            drain: drains,
        };
        Ok((program, streams.0, streams.1))
    }

    /// Waits for its end. Cancel safe.
    pub(super) async fn ended(&mut self) -> String {
        match self.child.wait().await {
            Ok(status) => status.to_string(),
            Err(error) => error.to_string(),
        }
    }

    /// What it complained of last, without its secrets; of one that has ended, once that has been read. Cancel safe.
    pub(super) async fn complaints(&mut self) -> String {
        if matches!(self.child.try_wait(), Ok(Some(_))) {
            drop(timeout(GRACE, self.drain.join_next()).await);
        }
        let said = self.said.lock();
        let words = String::from_utf8_lossy(&said.bytes);
        let masked = if said.is_cut {
            self.secrets.masked_behind_a_cut(&words)
        } else {
            self.secrets.masked(&words)
        };
        super::excerpt::shortened(&masked, TAIL)
    }

    /// Ends it with all that it has started. Its standard input has been closed before.
    pub(super) async fn end(mut self) {
        drop(timeout(GRACE, self.child.wait()).await);
        let group = self.group;
        // It looks at every process of the machine.
        drop(tokio::task::spawn_blocking(move || drop(group)).await);
        drop(timeout(LAST_MOMENT, self.child.wait()).await);
        self.drain.shutdown().await;
    }
}

/// Reads to the end, so that a server that complains much is not held up, and keeps so many of the last bytes.
async fn drain(stream: Option<impl AsyncRead + Unpin>, said: Arc<Mutex<Complaints>>, kept: usize) {
    let Some(mut stream) = stream else { return };
    let mut piece = vec![0; TAIL];
    while let Ok(length @ 1..) = stream.read(&mut piece).await {
        let mut said = said.lock();
        said.bytes
            .extend_from_slice(piece.get(..length).unwrap_or_default());
        let surplus = said.bytes.len().saturating_sub(kept);
        said.bytes.drain(..surplus);
        said.is_cut |= surplus > 0;
    }
}

/// The processes with this mark in their environment, as far as they are ours to see.
fn marked(mark: &str) -> Vec<Pid> {
    let wanted = format!("{MARK}={mark}");
    let is_marked = |folder: &PathBuf| {
        let environment = std::fs::read(folder.join("environ")).unwrap_or_default();
        environment
            .split(|byte| *byte == 0)
            .any(|variable| variable == wanted.as_bytes())
    };
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let number = |folder: &PathBuf| Pid::from_raw(folder.file_name()?.to_str()?.parse().ok()?);
    entries
        .map(|entry| entry.path())
        .filter(|folder| number(folder).is_some() && is_marked(folder))
        .filter_map(|folder| number(&folder))
        .collect()
}
