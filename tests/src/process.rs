//! A process that a test has started: its output is kept, and it is gone when the test is.

use std::fs;
use std::io::{BufRead, BufReader, PipeReader};
use std::process::{ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use tokio::io::AsyncWriteExt;
use tokio::process::{Child, ChildStdin, Command};
use tokio::sync::{Mutex as AsyncMutex, watch};

use crate::wait::within;

/// A running child; it is killed when this value is dropped, and its output is shown when the test has failed.
#[derive(Debug)]
pub struct Process {
    name: String,
    child: Child,
    /// Where a person types, if one is there.
    keyboard: Option<AsyncMutex<ChildStdin>>,
    pid: u32,
    output: Arc<Output>,
    reader: Option<JoinHandle<()>>,
}

/// What it has written to its two streams, in the order in which it came.
#[derive(Debug, Default)]
struct Output {
    lines: Mutex<Vec<String>>,
    count: watch::Sender<usize>,
}

impl Process {
    /// Starts it; `name` is for messages.
    pub fn spawn(name: &str, command: Command) -> Self {
        Self::with_input(name, command, Stdio::null())
    }

    /// Starts it with a person in front of it, who [`types`](Self::types).
    pub fn attended(name: &str, command: Command) -> Self {
        Self::with_input(name, command, Stdio::piped())
    }

    fn with_input(name: &str, mut command: Command, input: Stdio) -> Self {
        let (reader, writer) = std::io::pipe().expect("a pipe can be made");
        let twin = writer.try_clone().expect("a pipe can be shared");
        command
            .stdin(input)
            .stdout(writer)
            .stderr(twin)
            .kill_on_drop(true);
        let mut child = command
            .spawn()
            .unwrap_or_else(|error| panic!("{name} cannot be started: {error}"));
        // The command keeps the writing ends open, and the reader would never see the end.
        drop(command);
        let output = Arc::new(Output::default());
        Self {
            name: name.into(),
            pid: child.id().expect("a child that nobody has waited for has an id"),
            keyboard: child.stdin.take().map(AsyncMutex::new),
            child,
            reader: Some(read(reader, Arc::clone(&output))),
            output,
        }
    }

    /// Gives its process id.
    pub fn pid(&self) -> u32 {
        self.pid
    }

    /// Types a line as a person does. A process that has ended hears nothing.
    ///
    /// # Panics
    /// When no person is in front of it.
    pub async fn types(&self, line: &str) {
        let keyboard = self.keyboard.as_ref().expect("a person sits in front of it");
        let line = format!("{line}\n");
        keyboard.lock().await.write_all(line.as_bytes()).await.ok();
    }

    /// Presses keys of a terminal, without the one that ends a line.
    ///
    /// # Panics
    /// When no person is in front of it.
    pub async fn keys(&self, keys: &str) {
        let keyboard = self.keyboard.as_ref().expect("a person sits in front of it");
        keyboard.lock().await.write_all(keys.as_bytes()).await.ok();
    }

    /// The person in front of it leaves: its input ends.
    pub fn left_alone(&mut self) {
        self.keyboard = None;
    }

    /// Gives all that it has written so far.
    pub fn output(&self) -> String {
        self.output
            .lines
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .join("\n")
    }

    /// Waits for a line that contains `text`.
    pub async fn wrote(&self, text: &str, deadline: Duration) {
        self.wrote_times(text, 1, deadline).await;
    }

    /// Waits until it has written the text so many times.
    ///
    /// # Panics
    /// When it does not by the deadline.
    pub async fn wrote_times(&self, text: &str, times: usize, deadline: Duration) {
        let mut count = self.output.count.subscribe();
        within(
            &format!("`{text}` in the output of {}", self.name),
            deadline,
            async {
                while self.output().matches(text).count() < times {
                    count.changed().await.expect("the output outlives the wait");
                }
            },
        )
        .await;
    }

    /// Sends a signal.
    pub fn signal(&self, signal: Signal) {
        signal_to(self.pid, signal);
    }

    /// Kills it and all that it has started, as the system's service manager does with a service that has died.
    pub fn kill(&self) {
        for process in self.descendants().into_iter().rev() {
            signal_to(process, Signal::KILL);
        }
        self.signal(Signal::KILL);
    }

    /// Waits for its end.
    pub async fn ended(&mut self, deadline: Duration) -> ExitStatus {
        let what = format!("the end of {}", self.name);
        let status = within(&what, deadline, self.child.wait()).await;
        // The reader ends at the end of the pipe, which a surviving grandchild would keep open.
        if let Some(reader) = self.reader.take() {
            within(
                "the end of the output",
                deadline,
                tokio::task::spawn_blocking(|| reader.join().ok()),
            )
            .await
            .ok();
        }
        status.expect("a child can be waited for")
    }

    /// Waits for its end, which may never come. Cancel safe.
    pub async fn gone(&mut self) -> ExitStatus {
        self.child.wait().await.expect("a child can be waited for")
    }

    /// Tells whether it still runs.
    pub fn is_alive(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }

    /// Measures the most memory that it ever held, in bytes, without the processes that it has started.
    pub fn peak_resident_bytes(&self) -> u64 {
        peak_resident_bytes(self.pid)
    }

    /// Lists the processes that it has started, and theirs.
    pub fn descendants(&self) -> Vec<u32> {
        descendants(self.pid)
    }

    /// The memory it holds now, in bytes, without the processes that it has started.
    pub fn resident_bytes(&self) -> u64 {
        resident_bytes(self.pid)
    }

    /// Measures the part of it that the system cannot take back, in bytes.
    pub fn anonymous_bytes(&self) -> u64 {
        anonymous_bytes(self.pid)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // A child that was waited for has left its id to another process.
        if self.is_alive() {
            self.kill();
        }
        if thread::panicking() {
            report(&self.name, &self.output());
        }
    }
}

#[expect(
    clippy::print_stderr,
    reason = "the output of a process whose test has failed"
)]
fn report(name: &str, output: &str) {
    eprintln!("--- what {name} wrote ---\n{output}\n---");
}

/// Sends a signal to a process that a test has started.
pub fn signal_to(pid: u32, signal: Signal) {
    if let Some(pid) = i32::try_from(pid).ok().and_then(Pid::from_raw) {
        // A process that is already gone needs no signal.
        kill_process(pid, signal).ok();
    }
}

/// Tells whether this process runs: it is neither gone nor dead and not waited for yet.
pub fn runs(pid: u32) -> bool {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let state = status.lines().find_map(|line| line.strip_prefix("State:"));
    state.is_some_and(|state| !state.trim_start().starts_with(['Z', 'X']))
}

/// Lists the children of a process and their children, parents first.
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

/// Measures the resident memory of a process, in bytes.
pub fn resident_bytes(pid: u32) -> u64 {
    memory(pid, "VmRSS:")
}

/// Measures the most resident memory that a process ever held, in bytes.
pub fn peak_resident_bytes(pid: u32) -> u64 {
    memory(pid, "VmHWM:")
}

/// Measures the part of it that the system cannot take back, since no file holds it.
pub fn anonymous_bytes(pid: u32) -> u64 {
    memory(pid, "RssAnon:")
}

fn memory(pid: u32, field: &str) -> u64 {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix(field))
        .unwrap_or_default();
    let kibibytes: u64 = line
        .trim()
        .trim_end_matches("kB")
        .trim()
        .parse()
        .unwrap_or_default();
    kibibytes * 1024
}

/// Measures how long processors have worked for a process, in seconds. Linux tells it in hundredths on every
/// machine (proc(5)).
pub fn processor_seconds(pid: u32) -> f64 {
    let status = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    // The name in parentheses may hold anything; user and system time are the 12th and 13th field behind it.
    let behind = status.rsplit(')').next().unwrap_or_default();
    let times = behind.split_whitespace().skip(11).take(2);
    let hundredths: u64 = times.filter_map(|time| time.parse::<u64>().ok()).sum();
    hundredths as f64 / 100.0
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
        .name("child-output".into())
        .spawn(work)
        .expect("a thread can be started")
}
