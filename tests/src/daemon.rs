//! The real daemon as a child process.

use std::ffi::OsStr;
use std::fs;
use std::io::{BufRead, BufReader, PipeReader};
use std::process::{ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;
use tokio::process::{Child, Command};
use tokio::sync::watch;

use crate::binaries;
use crate::home::Home;
use crate::notify::NotifySocket;
use crate::probe::BusProbe;
use crate::wait::{PATIENCE, within};

/// How long one question whether it is ready waits before it is asked again.
const ASK_AGAIN: Duration = Duration::from_millis(100);

/// A running `loquat`; it is killed when this value is dropped, and its output is shown when the test has failed.
#[derive(Debug)]
pub struct Daemon {
    child: Child,
    pid: u32,
    output: Arc<Output>,
    reader: Option<JoinHandle<()>>,
}

/// What it has written to its two streams, in the order in which it came.
#[derive(Debug)]
struct Output {
    lines: Mutex<Vec<String>>,
    count: watch::Sender<usize>,
}

/// How it is started.
#[derive(Debug)]
pub struct Launch<'a> {
    home: &'a Home,
    command: Command,
}

impl<'a> Launch<'a> {
    /// `loquat` with these arguments, living in `home` and knowing nothing else of this machine.
    pub fn new(home: &'a Home, arguments: &[&str]) -> Self {
        let mut command = Command::new(binaries::loquat());
        command
            .args(arguments)
            .env_clear()
            .envs(home.environment())
            .current_dir(home.path());
        command
            .env("PATH", "/usr/local/bin:/usr/bin:/bin")
            .env("LANG", "C.UTF-8");
        command.stdin(Stdio::null()).kill_on_drop(true);
        Self { home, command }
    }

    /// With one more variable of the environment.
    #[must_use]
    pub fn env(mut self, key: &str, value: impl AsRef<OsStr>) -> Self {
        self.command.env(key, value);
        self
    }

    /// Telling this socket how it fares.
    #[must_use]
    pub fn notifying(self, socket: &NotifySocket) -> Self {
        self.env("NOTIFY_SOCKET", socket.path())
    }

    /// Starts it and does not wait for anything.
    pub fn spawn(mut self) -> Daemon {
        let (reader, writer) = std::io::pipe().expect("a pipe can be made");
        let twin = writer.try_clone().expect("a pipe can be shared");
        self.command.stdout(writer).stderr(twin);
        let child = self.command.spawn().expect("the daemon's program can be started");
        // The command keeps the writing ends open, and the reader would never see the end.
        drop(self.command);
        let output = Arc::new(Output {
            lines: Mutex::default(),
            count: watch::channel(0).0,
        });
        Daemon {
            pid: child.id().expect("a child that nobody has waited for has an id"),
            child,
            reader: Some(read(reader, Arc::clone(&output))),
            output,
        }
    }

    /// Starts it and waits until it says on the bus that it is ready.
    pub async fn ready(self) -> (Daemon, BusProbe) {
        let port = self.home.port();
        let daemon = self.spawn();
        let probe = daemon.joined(port).await;
        (daemon, probe)
    }

    /// Runs it to its end and gives the status with all that it has written.
    pub async fn run(self) -> (ExitStatus, String) {
        let mut daemon = self.spawn();
        let status = daemon.ended(PATIENCE).await;
        (status, daemon.output())
    }
}

impl Daemon {
    /// `loquat run` in `home`, ready on the bus of its `mycroft.conf`.
    pub async fn start(home: &Home) -> (Self, BusProbe) {
        Launch::new(home, &["run"]).ready().await
    }

    /// Its process id.
    pub fn pid(&self) -> u32 {
        self.pid
    }

    /// Waits until it answers on the bus at `port`, and gives a probe on that bus.
    pub async fn joined(&self, port: u16) -> BusProbe {
        let probe = within("the bus to open", PATIENCE, BusProbe::connect(port)).await;
        within(
            "the daemon to be ready on the bus",
            PATIENCE,
            self.answering(&probe),
        )
        .await;
        probe
    }

    /// Waits until it says that it is ready.
    pub async fn answering(&self, probe: &BusProbe) {
        let question = json!({"type": "mycroft.loquat.is_ready", "data": {}, "context": {"source": "probe"}});
        loop {
            let mark = probe.mark();
            probe.send(&question).await;
            let ready = probe.try_wait(mark, ASK_AGAIN, |frame| {
                frame.topic == "mycroft.loquat.is_ready.response" && frame.data["status"] == true
            });
            if ready.await.is_some() {
                return;
            }
        }
    }

    /// All that it has written so far.
    pub fn output(&self) -> String {
        self.output
            .lines
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .join("\n")
    }

    /// Waits for a line that contains `text`.
    pub async fn wrote(&self, text: &str, deadline: Duration) {
        let mut count = self.output.count.subscribe();
        within(&format!("`{text}` in the daemon's output"), deadline, async {
            while !self.output().contains(text) {
                if count.changed().await.is_err() {
                    std::future::pending::<()>().await;
                }
            }
        })
        .await;
    }

    /// Sends a signal.
    pub fn signal(&self, signal: Signal) {
        signal_to(self.pid, signal);
    }

    /// Waits for its end.
    pub async fn ended(&mut self, deadline: Duration) -> ExitStatus {
        let status = within("the daemon to end", deadline, self.child.wait()).await;
        self.hear_out();
        status.expect("a child can be waited for")
    }

    /// Whether it still runs.
    pub fn is_alive(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }

    /// The processes that it has started, and theirs.
    pub fn descendants(&self) -> Vec<u32> {
        descendants(self.pid)
    }

    /// The memory it holds now, in bytes, without the processes that it has started.
    pub fn resident_bytes(&self) -> u64 {
        resident_bytes(self.pid)
    }

    fn hear_out(&mut self) {
        // The reader ends at the end of the pipe, which a surviving grandchild would keep open.
        if self.descendants().is_empty()
            && let Some(reader) = self.reader.take()
        {
            drop(reader.join());
        }
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        for process in self.descendants().into_iter().rev() {
            signal_to(process, Signal::KILL);
        }
        drop(self.child.start_kill());
        if thread::panicking() {
            report(&self.output());
        }
    }
}

#[expect(clippy::print_stderr, reason = "the output of a daemon whose test has failed")]
fn report(output: &str) {
    eprintln!("--- what the daemon wrote ---\n{output}\n---");
}

/// Sends a signal to a process that a test has started.
pub fn signal_to(pid: u32, signal: Signal) {
    if let Some(pid) = i32::try_from(pid).ok().and_then(Pid::from_raw) {
        // A process that is already gone needs no signal.
        kill_process(pid, signal).ok();
    }
}

/// The children of a process and their children, parents first.
pub fn descendants(pid: u32) -> Vec<u32> {
    let threads = fs::read_dir(format!("/proc/{pid}/task"))
        .into_iter()
        .flatten()
        .flatten();
    let children = threads.filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok());
    let children: Vec<u32> = children.flat_map(|list| numbers(&list)).collect();
    children
        .into_iter()
        .flat_map(|child| [vec![child], descendants(child)].concat())
        .collect()
}

fn numbers(text: &str) -> Vec<u32> {
    text.split_whitespace()
        .filter_map(|word| word.parse().ok())
        .collect()
}

/// The resident memory of a process, in bytes.
pub fn resident_bytes(pid: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))
        .unwrap_or_default();
    let kibibytes: u64 = line
        .trim()
        .trim_end_matches("kB")
        .trim()
        .parse()
        .unwrap_or_default();
    kibibytes * 1024
}

fn read(pipe: PipeReader, output: Arc<Output>) -> JoinHandle<()> {
    let work = move || {
        for line in BufReader::new(pipe).split(b'\n').map_while(Result::ok) {
            let line = String::from_utf8_lossy(&line).into_owned();
            output
                .lines
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .push(line);
            output.count.send_modify(|count| *count += 1);
        }
    };
    thread::Builder::new()
        .name("daemon-output".into())
        .spawn(work)
        .expect("a thread can be started")
}
