//! A disk that can be full: a small one for the daemon's state alone where the system lets us mount one, and else a limit
//! on the size of its files.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use rustix::process::{Pid, Resource, Rlimit, prlimit};
use tokio::process::Command;

use crate::daemon::Launch;
use crate::home::Home;
use crate::process::Process;
use crate::wait::PATIENCE;

/// Of the small disk: many times what the journal keeps.
const MEBIBYTES: usize = 64;

/// What fills it.
const BALLAST: &str = "ballast";

/// With which the limit on files does not kill the daemon that runs into it.
const WITHOUT_SIGNAL: [&str; 3] = ["sh", "-c", "trap '' XFSZ; exec \"$0\" \"$@\""];

/// Where the daemon keeps its state.
#[derive(Debug)]
pub(super) enum Disk {
    /// A file system in memory, in a namespace that this process holds.
    Small {
        /// Sleeps.
        holder: Box<Process>,
        /// Where it is mounted.
        state: PathBuf,
    },
    /// The machine's own; the daemon's files must not grow.
    Limited {
        /// Where the files are.
        state: PathBuf,
        /// Whether they must not grow now.
        full: bool,
    },
}

impl Disk {
    /// Makes one that has room.
    pub(super) async fn new(home: &Home) -> Self {
        let state = home.path().join("state");
        let mount = format!("mount -t tmpfs -o size={MEBIBYTES}m tmpfs \"$0\"");
        if !succeeds(&["unshare", "-rm", "sh", "-c", &mount], &state).await {
            return Self::Limited { state, full: false };
        }
        let mut command = Command::new("unshare");
        let script = format!("{mount} && echo mounted && exec sleep infinity");
        command.args(["-rm", "sh", "-c", &script]).arg(&state);
        let holder = Box::new(Process::spawn("the small disk", command));
        holder.wrote("mounted", PATIENCE).await;
        Self::Small { holder, state }
    }

    /// Says for the table what it is.
    pub(super) fn told(&self) -> String {
        match self {
            Self::Small { .. } => format!("a tmpfs of {MEBIBYTES} MiB, filled to the last byte"),
            Self::Limited { .. } => {
                "a limit on the size of the daemon's files (RLIMIT_FSIZE), since no tmpfs can be mounted here"
                    .into()
            }
        }
    }

    /// Starts the daemon with its state there.
    pub(super) fn used_by<'a>(&self, launch: Launch<'a>) -> Launch<'a> {
        match self {
            Self::Small { holder, .. } => {
                let holder = holder.pid().to_string();
                launch.through(&["nsenter", "-t", &holder, "-U", "-m", "--preserve-credentials"])
            }
            Self::Limited { .. } => launch.through(&WITHOUT_SIGNAL),
        }
    }

    /// From now on this daemon, and the next, can write nothing more.
    pub(super) fn fill(&mut self, daemon: u32) {
        match self {
            Self::Small { holder, state } => {
                let mut ballast =
                    File::create(ballast(holder, state)).expect("the small disk can be written");
                let block = vec![0; 1 << 16];
                let mut size = block.len();
                while size > 0 {
                    match ballast.write(&block[..size]) {
                        Ok(written) if written > 0 => {}
                        _ => size /= 2,
                    }
                }
            }
            Self::Limited { full, .. } => {
                *full = true;
                self.began(daemon);
            }
        }
    }

    /// There is room again.
    pub(super) fn free(&mut self, daemon: u32) {
        match self {
            Self::Small { holder, state } => {
                std::fs::remove_file(ballast(holder, state)).expect("the ballast can be removed");
            }
            Self::Limited { full, .. } => {
                *full = false;
                limit(daemon, None);
            }
        }
    }

    /// A daemon was started, perhaps on a full disk.
    pub(super) fn began(&self, daemon: u32) {
        if let Self::Limited { state, full: true } = self {
            let files = std::fs::read_dir(state.join("loquat"))
                .into_iter()
                .flatten()
                .flatten();
            let sizes = files.filter_map(|file| Some(file.metadata().ok()?.len()));
            limit(daemon, Some(sizes.max().unwrap_or(1)));
        }
    }
}

/// Gives the way into the holder's namespace from here.
fn ballast(holder: &Process, state: &Path) -> PathBuf {
    let inside = state.strip_prefix("/").unwrap_or(state);
    Path::new("/proc")
        .join(holder.pid().to_string())
        .join("root")
        .join(inside)
        .join(BALLAST)
}

fn limit(pid: u32, bytes: Option<u64>) {
    let pid = i32::try_from(pid).ok().and_then(Pid::from_raw);
    let limit = Rlimit {
        current: bytes,
        maximum: None,
    };
    prlimit(pid, Resource::Fsize, limit).expect("the limits of a child can be set");
}

async fn succeeds(command: &[&str], argument: &Path) -> bool {
    let Some((program, arguments)) = command.split_first() else {
        return false;
    };
    let mut command = Command::new(program);
    command
        .args(arguments)
        .arg(argument)
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command.status().await.is_ok_and(|status| status.success())
}
