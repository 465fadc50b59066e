//! A download from the model hub or a mirror of it: goes on where it ended, and believes nothing but the checksum.
//!
//! Writes only to the part it is given; the caller puts a complete one in its place.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use loquat_failure::{Backoff, root_cause};
use reqwest::header::{CONTENT_RANGE, RANGE};
use reqwest::{Client, Response, StatusCode};
use secrecy::SecretString;
use tokio::fs::File;
use tokio::io::{AsyncReadExt, AsyncSeekExt};

use super::catalogue::Model;
use super::hub::with_token;
use super::mirror::Source;
use super::part::Part;
use super::progress::{Progress, ProgressSink};

/// A hub that does not answer by then is not reachable from here.
const CONNECT_LIMIT: Duration = Duration::from_secs(10);

/// A connection that is silent for so long is dead.
const SILENCE_LIMIT: Duration = Duration::from_secs(30);

/// Attempts in a row that bring nothing new.
const MOST_IDLE_ATTEMPTS: u32 = 4;

const PAUSES: Backoff = Backoff::doubling(Duration::from_millis(500), Duration::from_secs(4));

/// Read of a mirror's file at a time.
const BLOCK: usize = 1 << 18;

/// Says why a source did not give us the model.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SourceError {
    /// The mirror's folder does not have it, or it cannot be read.
    #[error("read {path}: {source}", path = .path.display())]
    Unreadable {
        /// The file is here.
        path: PathBuf,
        /// The operating system says this.
        #[source]
        source: io::Error,
    },
    /// No server answers, or the answer breaks off again and again.
    #[error("load {url}: {reason}")]
    Unreachable {
        /// The address that was asked.
        url: String,
        /// The connection failed for this reason.
        reason: String,
    },
    /// The server refuses.
    #[error("load {url}: the server answers {status}")]
    Refused {
        /// The address that was asked.
        url: String,
        /// The server answered with this status.
        status: StatusCode,
    },
    /// The source has another file there.
    #[error("load {url}: it has {found} bytes instead of {expected}")]
    OtherSize {
        /// The address that was asked.
        url: String,
        /// The length in bytes that the catalogue says.
        expected: u64,
        /// The length in bytes that the source says.
        found: u64,
    },
    /// The bytes are not those that the catalogue means.
    #[error("load {url}: its checksum is {found} instead of {expected}")]
    OtherChecksum {
        /// The address that was asked.
        url: String,
        /// The checksum that the catalogue says.
        expected: String,
        /// What arrived has this checksum.
        found: String,
    },
}

/// Separates a fault of the source from one of our disk; for the latter no other source helps.
#[derive(Debug)]
pub(super) enum DownloadError {
    Source(SourceError),
    Disk(PathBuf, io::Error),
}

pub(super) struct Download<'a> {
    model: &'a Model,
    from: &'a Source,
    token: Option<&'a SecretString>,
    sink: &'a dyn ProgressSink,
}

impl<'a> Download<'a> {
    /// Prepares it. The token is for the server of the source, and for none that it sends to.
    pub(super) fn new(
        model: &'a Model,
        from: &'a Source,
        token: Option<&'a SecretString>,
        sink: &'a dyn ProgressSink,
    ) -> Self {
        Self {
            model,
            from,
            token,
            sink,
        }
    }

    /// Fetches what is missing of the part and compares the checksum; a wrong part is removed.
    pub(super) async fn complete(&self, mut part: Part) -> Result<(), DownloadError> {
        if part.length() != self.model.size {
            match self.from {
                Source::File(path) => self.copy(path, &mut part).await?,
                Source::Address(url) => self.download(url, &mut part).await?,
            }
        }
        self.judge(part).await
    }

    async fn copy(&self, path: &Path, part: &mut Part) -> Result<(), DownloadError> {
        let unreadable = |source| {
            let path = path.to_owned();
            DownloadError::Source(SourceError::Unreadable { path, source })
        };
        let mut file = File::open(path).await.map_err(unreadable)?;
        self.has_size(file.metadata().await.map_err(unreadable)?.len())?;
        if part.length() > self.model.size {
            self.restart(part).await?;
        }
        let from = io::SeekFrom::Start(part.length());
        file.seek(from).await.map_err(unreadable)?;
        let mut block = vec![0; BLOCK];
        loop {
            let count = file.read(&mut block).await.map_err(unreadable)?;
            match block.get(..count).filter(|read| !read.is_empty()) {
                Some(read) => self.append(read, part).await?,
                None => return Ok(()),
            }
        }
    }

    async fn download(&self, url: &str, part: &mut Part) -> Result<(), DownloadError> {
        let client = loquat_tls::http_client()
            .connect_timeout(CONNECT_LIMIT)
            .read_timeout(SILENCE_LIMIT)
            .user_agent(concat!("loquat/", env!("CARGO_PKG_VERSION")))
            .build()
            .map_err(|error| self.broken(&error))?;
        let mut idle = 0;
        while part.length() != self.model.size {
            let before = part.length();
            let Err(error) = self.attempt(&client, url, part).await else {
                break;
            };
            idle = if part.length() > before { 0 } else { idle + 1 };
            let worthwhile = matches!(error, DownloadError::Source(SourceError::Unreachable { .. }));
            // A server that was never reached will not be a moment later either.
            if !worthwhile || idle >= MOST_IDLE_ATTEMPTS || part.length() == 0 {
                return Err(error);
            }
            tokio::time::sleep(PAUSES.after(idle)).await;
        }
        Ok(())
    }

    async fn attempt(&self, client: &Client, url: &str, part: &mut Part) -> Result<(), DownloadError> {
        if part.length() > self.model.size {
            self.restart(part).await?;
        }
        let mut request = with_token(client.get(url), self.token);
        if part.length() > 0 {
            request = request.header(RANGE, format!("bytes={}-", part.length()));
        }
        let response = request.send().await.map_err(|error| self.broken(&error))?;
        self.accept(&response, part).await?;
        let received = self.receive(response, part).await;
        part.flush().await.map_err(|error| disk(part, error))?;
        received
    }

    /// Sees whether the answer continues the part, begins anew, or is none.
    async fn accept(&self, response: &Response, part: &mut Part) -> Result<(), DownloadError> {
        let url = self.from.to_string();
        let (from, total) = match response.status() {
            StatusCode::OK => (0, response.content_length()),
            StatusCode::PARTIAL_CONTENT => range(response),
            StatusCode::RANGE_NOT_SATISFIABLE => {
                self.restart(part).await?;
                return Err(self.unreachable("the server cannot go on where an earlier download ended"));
            }
            status => return Err(DownloadError::Source(SourceError::Refused { url, status })),
        };
        self.has_size(total.unwrap_or(self.model.size))?;
        if from != part.length() {
            self.restart(part).await?;
        }
        if from > 0 && part.length() == 0 {
            return Err(self.unreachable("the server sent another part than it was asked for"));
        }
        Ok(())
    }

    async fn receive(&self, mut response: Response, part: &mut Part) -> Result<(), DownloadError> {
        while let Some(bytes) = response.chunk().await.map_err(|error| self.broken(&error))? {
            self.append(&bytes, part).await?;
        }
        if part.length() == self.model.size {
            return Ok(());
        }
        Err(self.unreachable("the connection broke off"))
    }

    async fn append(&self, bytes: &[u8], part: &mut Part) -> Result<(), DownloadError> {
        let (model, total) = (self.model.name.as_str(), self.model.size);
        let done = part.length() + bytes.len() as u64;
        if done > total {
            return self.has_size(done);
        }
        part.append(bytes).await.map_err(|error| disk(part, error))?;
        self.sink.progress(Progress::Bytes { model, done, total });
        Ok(())
    }

    fn has_size(&self, found: u64) -> Result<(), DownloadError> {
        let (url, expected) = (self.from.to_string(), self.model.size);
        if found == expected {
            return Ok(());
        }
        Err(DownloadError::Source(SourceError::OtherSize {
            url,
            expected,
            found,
        }))
    }

    async fn judge(&self, part: Part) -> Result<(), DownloadError> {
        let path = part.path().to_owned();
        let in_file = |error| DownloadError::Disk(path.clone(), error);
        let found = part.finish().await.map_err(in_file)?;
        if self.model.hub.knows(&found) {
            return Ok(());
        }
        tokio::fs::remove_file(&path).await.map_err(in_file)?;
        let (url, expected) = (self.from.to_string(), self.model.hub.sha256.clone());
        Err(DownloadError::Source(SourceError::OtherChecksum {
            url,
            expected,
            found,
        }))
    }

    async fn restart(&self, part: &mut Part) -> Result<(), DownloadError> {
        part.restart().await.map_err(|error| disk(part, error))
    }

    fn broken(&self, error: &reqwest::Error) -> DownloadError {
        self.unreachable(root_cause(error))
    }

    fn unreachable(&self, reason: impl Into<String>) -> DownloadError {
        let (url, reason) = (self.from.to_string(), reason.into());
        DownloadError::Source(SourceError::Unreachable { url, reason })
    }
}

fn disk(part: &Part, error: io::Error) -> DownloadError {
    DownloadError::Disk(part.path().to_owned(), error)
}

/// Tells where the bytes of a partial answer begin, and how long the whole file is.
fn range(response: &Response) -> (u64, Option<u64>) {
    let header = response
        .headers()
        .get(CONTENT_RANGE)
        .and_then(|value| value.to_str().ok());
    let parts = header.and_then(|value| value.strip_prefix("bytes ")?.split_once('/'));
    let Some((span, total)) = parts else {
        return (0, None);
    };
    let from = span.split('-').next().and_then(|from| from.trim().parse().ok());
    (from.unwrap_or(0), total.trim().parse().ok())
}
