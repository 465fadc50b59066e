//! A download from the model hub: goes on where it ended, and believes nothing but the checksum.
//!
//! Writes only to the part it is given; the caller puts a complete one in its place.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use reqwest::header::{CONTENT_RANGE, RANGE};
use reqwest::{Client, Response, StatusCode};

use super::catalogue::{Hub, Model};
use super::part::Part;
use super::progress::{Progress, ProgressSink};

/// A hub that does not answer by then is not reachable from here.
const CONNECT_LIMIT: Duration = Duration::from_secs(10);

/// A connection that is silent for so long is dead.
const SILENCE_LIMIT: Duration = Duration::from_secs(30);

/// Attempts in a row that bring nothing new.
const MOST_IDLE_ATTEMPTS: u32 = 4;

/// Before the second attempt; doubled before each further one.
const FIRST_PAUSE: Duration = Duration::from_millis(500);

/// Why the hub did not give us the model.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HubError {
    /// The hub does not have it.
    #[error("load it: no model hub is known to have it")]
    Unknown,
    /// Nobody answers, or the answer breaks off again and again.
    #[error("load {url}: {reason}")]
    Unreachable {
        /// The address.
        url: String,
        /// What the connection said, with its causes.
        reason: String,
    },
    /// The hub refuses.
    #[error("load {url}: the hub answers {status}")]
    Refused {
        /// The address.
        url: String,
        /// The HTTP status.
        status: StatusCode,
    },
    /// Something else is there.
    #[error("load {url}: it has {found} bytes instead of {expected}")]
    OtherSize {
        /// The address.
        url: String,
        /// As the catalogue says.
        expected: u64,
        /// As the hub says.
        found: u64,
    },
    /// The bytes are not those that the catalogue means.
    #[error("load {url}: its checksum is {found} instead of {expected}")]
    OtherChecksum {
        /// The address.
        url: String,
        /// As the catalogue says.
        expected: String,
        /// Of what arrived.
        found: String,
    },
}

/// Either the hub's fault or the disk's; for the latter no other source helps.
#[derive(Debug)]
pub(super) enum DownloadError {
    Hub(HubError),
    Disk(PathBuf, io::Error),
}

/// One model being downloaded.
pub(super) struct Download<'a> {
    model: &'a Model,
    hub: &'a Hub,
    sink: &'a dyn ProgressSink,
    client: Client,
}

impl<'a> Download<'a> {
    pub(super) fn new(
        model: &'a Model,
        hub: &'a Hub,
        sink: &'a dyn ProgressSink,
    ) -> Result<Self, DownloadError> {
        let client = Client::builder()
            .connect_timeout(CONNECT_LIMIT)
            .read_timeout(SILENCE_LIMIT)
            .user_agent(concat!("loquat/", env!("CARGO_PKG_VERSION")))
            .build()
            .map_err(|error| DownloadError::Hub(unreachable(&hub.url, &error)))?;
        Ok(Self {
            model,
            hub,
            sink,
            client,
        })
    }

    /// Downloads what is missing of the part and compares the checksum; a wrong part is removed.
    pub(super) async fn complete(&self, mut part: Part) -> Result<(), DownloadError> {
        let mut idle = 0;
        while part.length() != self.model.size {
            let before = part.length();
            let Err(error) = self.attempt(&mut part).await else {
                break;
            };
            idle = if part.length() > before { 0 } else { idle + 1 };
            let worthwhile = matches!(error, DownloadError::Hub(HubError::Unreachable { .. }));
            // A hub that was never reached will not be a moment later either.
            if !worthwhile || idle >= MOST_IDLE_ATTEMPTS || part.length() == 0 {
                return Err(error);
            }
            tokio::time::sleep(FIRST_PAUSE * 2_u32.pow(idle)).await;
        }
        self.judge(part).await
    }

    async fn attempt(&self, part: &mut Part) -> Result<(), DownloadError> {
        if part.length() > self.model.size {
            self.restart(part).await?;
        }
        let mut request = self.client.get(&self.hub.url);
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
        let url = self.hub.url.clone();
        let (from, total) = match response.status() {
            StatusCode::OK => (0, response.content_length()),
            StatusCode::PARTIAL_CONTENT => range(response),
            StatusCode::RANGE_NOT_SATISFIABLE => {
                self.restart(part).await?;
                let reason = "the hub cannot go on where an earlier download ended".to_owned();
                return Err(DownloadError::Hub(HubError::Unreachable { url, reason }));
            }
            status => return Err(DownloadError::Hub(HubError::Refused { url, status })),
        };
        if let Some(found) = total.filter(|total| *total != self.model.size) {
            let expected = self.model.size;
            return Err(DownloadError::Hub(HubError::OtherSize { url, expected, found }));
        }
        if from != part.length() {
            self.restart(part).await?;
        }
        if from > 0 && part.length() == 0 {
            let reason = "the hub sent another part than it was asked for".to_owned();
            return Err(DownloadError::Hub(HubError::Unreachable { url, reason }));
        }
        Ok(())
    }

    async fn receive(&self, mut response: Response, part: &mut Part) -> Result<(), DownloadError> {
        while let Some(bytes) = response.chunk().await.map_err(|error| self.broken(&error))? {
            let found = part.length() + bytes.len() as u64;
            if found > self.model.size {
                let (url, expected) = (self.hub.url.clone(), self.model.size);
                return Err(DownloadError::Hub(HubError::OtherSize { url, expected, found }));
            }
            part.append(&bytes).await.map_err(|error| disk(part, error))?;
            let (model, done, total) = (self.model.name.as_str(), part.length(), self.model.size);
            self.sink.progress(Progress::Bytes { model, done, total });
        }
        if part.length() == self.model.size {
            return Ok(());
        }
        let (url, reason) = (self.hub.url.clone(), "the connection broke off".to_owned());
        Err(DownloadError::Hub(HubError::Unreachable { url, reason }))
    }

    async fn judge(&self, part: Part) -> Result<(), DownloadError> {
        let path = part.path().to_owned();
        let in_file = |error| DownloadError::Disk(path.clone(), error);
        let found = part.finish().await.map_err(in_file)?;
        let expected = self.hub.sha256.clone();
        if found == expected {
            return Ok(());
        }
        tokio::fs::remove_file(&path).await.map_err(in_file)?;
        let url = self.hub.url.clone();
        Err(DownloadError::Hub(HubError::OtherChecksum {
            url,
            expected,
            found,
        }))
    }

    async fn restart(&self, part: &mut Part) -> Result<(), DownloadError> {
        part.restart().await.map_err(|error| disk(part, error))
    }

    fn broken(&self, error: &reqwest::Error) -> DownloadError {
        DownloadError::Hub(unreachable(&self.hub.url, error))
    }
}

fn disk(part: &Part, error: io::Error) -> DownloadError {
    DownloadError::Disk(part.path().to_owned(), error)
}

/// The last cause is the one that a person can do something about.
fn unreachable(url: &str, error: &reqwest::Error) -> HubError {
    let mut cause: &dyn std::error::Error = error;
    while let Some(deeper) = cause.source() {
        cause = deeper;
    }
    HubError::Unreachable {
        url: url.to_owned(),
        reason: cause.to_string(),
    }
}

/// Where the bytes of a partial answer begin, and how long the whole is.
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
