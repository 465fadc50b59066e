//! The real daemon as a child process.

use std::ffi::OsStr;
use std::ops::{Deref, DerefMut};
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Resource, Rlimit, prlimit};
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
    /// Gives everything that a person at a terminal sees.
    pub fn shown(&self) -> String {
        format!("{}{}", self.stdout, self.stderr)
    }
}

impl<'a> Launch<'a> {
    /// Prepares `loquat` with these arguments, living in `home` and knowing nothing else of this machine.
    pub fn new(home: &'a Home, arguments: &[&str]) -> Self {
        Self::of(home, Command::new(binaries::loquat()), arguments)
    }

    /// Prepares a launch by a line of the shell that runs the daemon as `"$@"`; with `unshare` the line runs
    /// in namespaces of its own, with these arguments of `unshare`.
    pub fn through_shell(home: &'a Home, unshare: &[&str], line: &str, arguments: &[&str]) -> Self {
        let mut command = if unshare.is_empty() {
            Command::new("sh")
        } else {
            let mut command = Command::new("unshare");
            command.args(unshare).arg("sh");
            command
        };
        command.args(["-c", line, "sh"]).arg(binaries::loquat());
        Self::of(home, command, arguments)
    }

    fn of(home: &'a Home, mut command: Command, arguments: &[&str]) -> Self {
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

    /// Started by another program, which is given the daemon's command line behind its own and becomes the daemon.
    #[must_use]
    pub fn through(mut self, starter: &[&str]) -> Self {
        let Some((program, arguments)) = starter.split_first() else {
            return self;
        };
        let own = self.command.as_std();
        let mut command = Command::new(program);
        command
            .args(arguments)
            .arg(own.get_program())
            .args(own.get_args())
            .env_clear()
            .envs(own.get_envs().filter_map(|(key, value)| Some((key, value?))))
            .current_dir(self.home.path());
        self.command = command;
        self
    }

    /// Gives the home in which it will live.
    pub fn home(&self) -> &'a Home {
        self.home
    }

    /// Adds a variable to its environment.
    #[must_use]
    pub fn env(mut self, key: &str, value: impl AsRef<OsStr>) -> Self {
        self.command.env(key, value);
        self
    }

    /// Lets it find programs in this folder of its home before those of the machine.
    #[must_use]
    pub fn finding(self, folder: &str) -> Self {
        let own = self.home.path().join(folder).display().to_string();
        self.env("PATH", format!("{own}:/usr/local/bin:/usr/bin:/bin"))
    }

    /// Lets it open so many files and connections, and no more.
    #[must_use]
    pub fn with_open_files(mut self, limit: u32) -> Self {
        let mut limited = Command::new("/bin/sh");
        limited
            .args(["-c", &format!("ulimit -n {limit} && exec \"$0\" \"$@\"")])
            .arg(self.command.as_std().get_program())
            .args(self.command.as_std().get_args())
            .env_clear()
            .current_dir(self.home.path());
        for (key, value) in self.command.as_std().get_envs() {
            if let Some(value) = value {
                limited.env(key, value);
            }
        }
        self.command = limited;
        self
    }

    /// Has it tell this socket how it fares.
    #[must_use]
    pub fn notifying(self, socket: &NotifySocket) -> Self {
        self.env("NOTIFY_SOCKET", socket.path())
    }

    /// Starts it and does not wait for anything.
    pub fn spawn(self) -> Daemon {
        Daemon(self.process())
    }

    /// Starts it with a person at its terminal, who [`types`](Process::types) in the device's own session.
    pub fn attended(self) -> Daemon {
        Daemon(Process::attended("loquat", self.command))
    }

    /// Starts what is no daemon, such as `loquat bus`.
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
    /// Starts `loquat run` in `home`, and waits until it is ready on the bus of its `mycroft.conf`.
    pub async fn start(home: &Home) -> (Self, BusProbe) {
        Launch::new(home, &["run"]).ready().await
    }

    /// Lets no file that it writes be longer than this from now on.
    pub fn limit_files(&self, bytes: Option<u64>) {
        let pid = Pid::from_raw(i32::try_from(self.pid()).expect("a process has a small number"));
        let limit = Rlimit {
            current: bytes,
            maximum: None,
        };
        prlimit(pid, Resource::Fsize, limit).expect("the limit of a child can be set");
    }

    /// Waits until it answers on the bus at `port`, and gives a probe on that bus.
    pub async fn joined(&self, port: u16) -> BusProbe {
        let joined = async {
            loop {
                let probe = BusProbe::connect(port).await;
                if self.answers(&probe).await {
                    probe.speak_questions(true);
                    return probe;
                }
            }
        };
        within("the daemon to be ready on the bus", PATIENCE, joined).await
    }

    /// Waits until it says that all is loaded: then it is ready, and has read what came before.
    pub async fn answering(&self, probe: &BusProbe) {
        assert!(
            self.answers(probe).await,
            "the bus has closed the probe's connection"
        );
    }

    /// Tells whether it answers; false when the bus closes the probe's connection meanwhile, as
    /// ovos-messagebus does to a client that speaks when another client has vanished.
    async fn answers(&self, probe: &BusProbe) -> bool {
        let question =
            json!({"type": "mycroft.loquat.all_loaded", "data": {}, "context": {"source": "probe"}});
        loop {
            let mark = probe.mark();
            if !probe.try_send(&question.to_string()).await {
                return false;
            }
            let ready = probe.try_wait(mark, ASK_AGAIN, |frame| {
                frame.topic == "mycroft.loquat.all_loaded.response" && frame.data["status"] == true
            });
            if ready.await.is_some() {
                return true;
            }
        }
    }
}
