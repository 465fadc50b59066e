//! Runs one command confined: `loquat-confine ROOT read|write FOLDER SECONDS PROGRAM [ARGUMENT…]`. The command can open
//! the system's programs and, beneath ROOT, files; it has no network, and no process of it leaves its group.
//!
//! Gives its rights up for good and becomes the command. Where the kernel does not take them entirely, nothing is run.

mod calls;
mod files;
mod limits;
mod person;

use std::convert::Infallible;
use std::ffi::OsString;
use std::io::{self, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitCode};

use rustix::fs::{Mode, OFlags, ResolveFlags, openat2};
use rustix::io::Errno;
use rustix::process::{fchdir, setsid};

/// What tells that nothing was run, beside the words on standard error.
const NOT_RUN: u8 = 125;

/// The first line on standard error of each command that is run.
const CONFINED: &[u8] = b"loquat-confine: confined\n";

/// Why nothing was run.
#[derive(Debug, thiserror::Error)]
enum NotRun {
    #[error("usage: loquat-confine ROOT read|write FOLDER SECONDS PROGRAM [ARGUMENT...]")]
    Usage,
    #[error("root_path: {0}")]
    Root(Errno),
    #[error("cwd: this is no folder within the folder of files: {0}")]
    Folder(Errno),
    #[error("it cannot be given limits: {0}")]
    Limits(io::Error),
    #[error("it cannot be given a session of its own, nor fewer rights: {0}")]
    Rights(Errno),
    #[error("files are not fully kept from it by Landlock, which needs Linux 6.12 or newer: {0}")]
    Files(String),
    #[error("system calls are not fully kept from it by seccomp: {0}")]
    Calls(String),
    #[error("{0}")]
    Program(io::Error),
}

/// What the arguments say.
struct Order<'a> {
    root: &'a OsString,
    allow_write: bool,
    folder: &'a OsString,
    seconds: u64,
    program: &'a OsString,
    arguments: &'a [OsString],
}

fn main() -> ExitCode {
    let words: Vec<OsString> = std::env::args_os().skip(1).collect();
    let Err(error) = Order::read(&words).and_then(|order| order.run());
    // Where even that cannot be written, the number still tells it.
    drop(writeln!(io::stderr(), "{error}"));
    ExitCode::from(NOT_RUN)
}

impl<'a> Order<'a> {
    fn read(words: &'a [OsString]) -> Result<Self, NotRun> {
        let [root, access, folder, seconds, program, arguments @ ..] = words else {
            return Err(NotRun::Usage);
        };
        let allow_write = match access.to_str() {
            Some("read") => false,
            Some("write") => true,
            _ => return Err(NotRun::Usage),
        };
        let seconds = seconds.to_str().and_then(|seconds| seconds.parse().ok());
        Ok(Self {
            root,
            allow_write,
            folder,
            seconds: seconds.ok_or(NotRun::Usage)?,
            program,
            arguments,
        })
    }

    fn run(&self) -> Result<Infallible, NotRun> {
        setsid().map_err(NotRun::Rights)?;
        let root = self.enter()?;
        limits::go_first();
        person::give_up_rights().map_err(NotRun::Rights)?;
        limits::restrict(self.seconds).map_err(NotRun::Limits)?;
        files::restrict(root.as_fd(), self.allow_write).map_err(NotRun::Files)?;
        // Last, since the others need calls that are gone then.
        calls::restrict().map_err(|error| NotRun::Calls(error.to_string()))?;
        io::stderr().write_all(CONFINED).map_err(NotRun::Program)?;
        Err(NotRun::Program(
            Command::new(self.program).args(self.arguments).exec(),
        ))
    }

    /// Goes into the command's folder, which lies beneath the root.
    fn enter(&self) -> Result<OwnedFd, NotRun> {
        let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let root = rustix::fs::open(self.root.as_os_str(), flags, Mode::empty()).map_err(NotRun::Root)?;
        let beneath = ResolveFlags::BENEATH | ResolveFlags::NO_MAGICLINKS | ResolveFlags::NO_XDEV;
        let folder = openat2(&root, self.folder.as_os_str(), flags, Mode::empty(), beneath);
        fchdir(folder.map_err(NotRun::Folder)?).map_err(NotRun::Folder)?;
        Ok(root)
    }
}
