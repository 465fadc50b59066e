//! The real daemon as a child process.

use std::ffi::OsStr;
use std::ops::{Deref, DerefMut};
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use serde_json::json;
use tokio::process::Command;

use crate::binaries;
use crate::home::Home;
use crate::notify::NotifySocket;
use crate::probe::BusProbe;
use crate::process::Process;
use crate::wait::{PATIENCE, within};

/// How long one question whether it is ready waits before it is asked again.
const ASK_AGAIN: Duration = Duration::from_millis(10);

/// Long enough for a command that loads a language model and asks it.
const RUN_PATIENCE: Duration = Duration::from_secs(240);

/// A running `loquat`, which is a [`Process`] that answers on a bus.
#[derive(Debug)]
pub struct Daemon(Process);

impl Deref for Daemon {
    type Target = Process;

    fn deref(&self) -> &Process {
        &self.0
    }
}

impl DerefMut for Daemon {
    fn deref_mut(&mut self) -> &mut Process {
        &mut self.0
    }
}

/// How it is started.
#[derive(Debug)]
pub struct Launch<'a> {
    home: &'a Home,
    command: Command,
}

/// A command that has ended.
#[derive(Debug, Clone)]
pub struct Finished {
    /// How.
    pub status: ExitStatus,
    /// What it printed.
    pub stdout: String,
    /// What it remarked.
    pub stderr: String,
}

impl Finished {
    /// Everything that a person at a terminal sees.
    pub fn shown(&self) -> String {
        format!("{}{}", self.stdout, self.stderr)
    }
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
    pub fn spawn(self) -> Daemon {
        Daemon(self.process())
    }

    /// The same for what is no daemon, such as `loquat bus`.
    pub fn process(self) -> Process {
        Process::spawn("loquat", self.command)
    }

    /// Starts it and waits until it says on the bus that it is ready.
    pub async fn ready(self) -> (Daemon, BusProbe) {
        let port = self.home.port();
        let daemon = self.spawn();
        let probe = daemon.joined(port).await;
        (daemon, probe)
    }

    /// Runs it to its end.
    pub async fn run(mut self) -> Finished {
        self.command.stdin(Stdio::null()).kill_on_drop(true);
        let output = within("the command to end", RUN_PATIENCE, self.command.output()).await;
        let output = output.expect("the daemon's program can be started");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Finished {
            status: output.status,
            stdout: text(&output.stdout),
            stderr: text(&output.stderr),
        }
    }
}

impl Daemon {
    /// `loquat run` in `home`, ready on the bus of its `mycroft.conf`.
    pub async fn start(home: &Home) -> (Self, BusProbe) {
        Launch::new(home, &["run"]).ready().await
    }

    /// Waits until it answers on the bus at `port`, and gives a probe on that bus.
    pub async fn joined(&self, port: u16) -> BusProbe {
        let joined = async {
            loop {
                let probe = BusProbe::connect(port).await;
                if self.answers(&probe).await {
                    return probe;
                }
            }
        };
        within("the daemon to be ready on the bus", PATIENCE, joined).await
    }

    /// Waits until it says that it is ready.
    pub async fn answering(&self, probe: &BusProbe) {
        assert!(
            self.answers(probe).await,
            "the bus has closed the probe's connection"
        );
    }

    /// The same; false when the bus closes the probe's connection meanwhile, as ovos-messagebus does to whoever speaks
    /// when another client has vanished.
    async fn answers(&self, probe: &BusProbe) -> bool {
        let question = json!({"type": "mycroft.loquat.is_ready", "data": {}, "context": {"source": "probe"}});
        loop {
            let mark = probe.mark();
            if !probe.try_send(&question.to_string()).await {
                return false;
            }
            let ready = probe.try_wait(mark, ASK_AGAIN, |frame| {
                frame.topic == "mycroft.loquat.is_ready.response" && frame.data["status"] == true
            });
            if ready.await.is_some() {
                return true;
            }
        }
    }
}
