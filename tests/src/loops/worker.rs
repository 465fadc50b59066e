//! A subject as a child process that is given jobs.

use std::path::Path;
use std::process::Stdio;

use anyhow::{Context, Result, ensure};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::time::Instant;

use super::{Job, Kind, Report};
use crate::ovos_core::Generation;
use crate::peers::Peers;
use crate::process::resident_bytes;

/// A running subject; it ends with this value.
#[derive(Debug)]
pub struct Worker {
    child: Child,
    jobs: ChildStdin,
    reports: Lines<BufReader<ChildStdout>>,
    /// From starting it to the end of its first turn, in seconds.
    pub start: f64,
    _peers: Option<Peers>,
}

impl Worker {
    /// Our engines: this program again, as a subject.
    pub async fn ours() -> Result<Self> {
        let mut command = Command::new(std::env::current_exe()?);
        command.arg("subject");
        Self::spawn(command, None).await
    }

    /// The engines of the Python package.
    pub async fn python() -> Result<Self> {
        let peers = Peers::of(Generation::PreRelease);
        let mut command = peers.command("python");
        command.arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("peers/loops.py"));
        Self::spawn(command, Some(peers)).await
    }

    async fn spawn(mut command: Command, peers: Option<Peers>) -> Result<Self> {
        let began = Instant::now();
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .context("a subject cannot be started")?;
        let jobs = child.stdin.take().context("a child has an input")?;
        let output = child.stdout.take().context("a child has an output")?;
        let mut worker = Self {
            child,
            jobs,
            reports: BufReader::new(output).lines(),
            start: 0.0,
            _peers: peers,
        };
        worker.run(&Job::serial(Kind::React, 2, 1)).await?;
        worker.start = began.elapsed().as_secs_f64();
        Ok(worker)
    }

    /// Has a job done.
    pub async fn run(&mut self, job: &Job) -> Result<Report> {
        let line = serde_json::to_string(job)? + "\n";
        self.jobs.write_all(line.as_bytes()).await?;
        let line = self.reports.next_line().await?;
        let line = line.context("a subject ended before its job did")?;
        let report: Report = serde_json::from_str(&line)?;
        ensure!(
            report.wrong == 0,
            "{} of {} turns went wrong: {job:?}",
            report.wrong,
            job.turns
        );
        Ok(report)
    }

    /// What it holds in memory now, in bytes.
    pub fn resident_bytes(&self) -> u64 {
        self.child.id().map_or(0, resident_bytes)
    }
}
