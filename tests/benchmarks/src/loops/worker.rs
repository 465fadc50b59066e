//! A subject, or the plain client that it is compared with, as a child process that is given jobs.

use std::io;
use std::path::Path;
use std::process::Stdio;

use anyhow::{Context, Result, ensure};
use loquat_tests::ovos_core::Generation;
use loquat_tests::peers::Peers;
use loquat_tests::process::resident_bytes;
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::time::Instant;

use super::floor::Errand;
use super::{Job, Kind, Report};

/// What a subject may use of the machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cores {
    /// All of it.
    All,
    /// One core, the same for all: those of a shared machine are not equally quick, and what needs no second one would
    /// be measured on whichever it happened to begin on.
    One,
}

/// A running subject; it ends with this value.
#[derive(Debug)]
pub struct Worker {
    child: Child,
    jobs: ChildStdin,
    reports: Lines<BufReader<ChildStdout>>,
    began: Instant,
    /// From starting it to the end of its first turn, in seconds.
    pub start: f64,
    _peers: Option<Peers>,
}

impl Worker {
    /// Our engines: this program again, as a subject.
    pub async fn ours(cores: Cores) -> Result<Self> {
        Self::spawn(own("subject")?, None, cores)?.warmed_up().await
    }

    /// A client that does nothing but make requests.
    pub fn plain_client() -> Result<Self> {
        Self::spawn(own("plain-client")?, None, Cores::All)
    }

    /// The engines of the Python package.
    pub async fn python(cores: Cores) -> Result<Self> {
        Self::script("loops.py", &[], cores)?.warmed_up().await
    }

    /// A script of this package that answers lines, in the environment of the Python package.
    pub(crate) fn script(name: &str, arguments: &[&str], cores: Cores) -> Result<Self> {
        let peers = Peers::of(Generation::PreRelease);
        let mut command = peers.command("python");
        command
            .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join(name))
            .args(arguments);
        Self::spawn(command, Some(peers), cores)
    }

    /// Any program that answers lines.
    pub(crate) fn of(command: Command) -> Result<Self> {
        Self::spawn(command, None, Cores::All)
    }

    fn spawn(mut command: Command, peers: Option<Peers>, cores: Cores) -> Result<Self> {
        let began = Instant::now();
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true);
        let started = match cores {
            Cores::All => command.spawn(),
            Cores::One => on_one_core(|| command.spawn()).flatten(),
        };
        let mut child = started.context("a subject cannot be started")?;
        let jobs = child.stdin.take().context("a child has an input")?;
        let output = child.stdout.take().context("a child has an output")?;
        Ok(Self {
            child,
            jobs,
            reports: BufReader::new(output).lines(),
            began,
            start: 0.0,
            _peers: peers,
        })
    }

    /// Through its first turn.
    async fn warmed_up(mut self) -> Result<Self> {
        self.run(&Job::serial(Kind::React, 2, 1)).await?;
        self.start = self.began.elapsed().as_secs_f64();
        Ok(self)
    }

    /// Has a job done.
    pub async fn run(&mut self, job: &Job) -> Result<Report> {
        let report: Report = self.ask(job).await?;
        ensure!(
            report.wrong == 0,
            "{} of {} turns went wrong: {job:?}",
            report.wrong,
            job.turns
        );
        Ok(report)
    }

    /// Has the plain client make requests; gives the seconds of each round.
    pub(super) async fn fetch(&mut self, errand: &Errand) -> Result<Vec<f64>> {
        self.ask(errand).await
    }

    /// Has something done, and gives what it answers.
    pub(crate) async fn ask<A: DeserializeOwned>(&mut self, job: &impl Serialize) -> Result<A> {
        let line = serde_json::to_string(job)? + "\n";
        self.jobs.write_all(line.as_bytes()).await?;
        self.report().await
    }

    /// The next thing that it tells.
    pub(crate) async fn report<A: DeserializeOwned>(&mut self) -> Result<A> {
        let line = self.reports.next_line().await?;
        let line = line.context("a child process ended before its job did")?;
        Ok(serde_json::from_str(&line)?)
    }

    /// What it holds in memory now, in bytes.
    pub fn resident_bytes(&self) -> u64 {
        self.child.id().map_or(0, resident_bytes)
    }
}

/// This program again, in another part.
fn own(part: &str) -> Result<Command> {
    let mut command = Command::new(std::env::current_exe()?);
    command.arg(part);
    Ok(command)
}

/// Starts something that keeps to one core, always the same one.
///
/// What is started inherits this from the thread that starts it, which has its own cores back afterwards.
fn on_one_core<T>(start: impl FnOnce() -> T) -> io::Result<T> {
    let all = sched_getaffinity(None)?;
    let mut one = CpuSet::new();
    if let Some(first) = (0..CpuSet::MAX_CPU).find(|core| all.is_set(*core)) {
        one.set(first);
    }
    sched_setaffinity(None, &one)?;
    let started = start();
    sched_setaffinity(None, &all)?;
    Ok(started)
}
