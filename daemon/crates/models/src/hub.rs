//! Asks the model hub, or a mirror that answers as it does, about a file: how long it is, its checksum, which files there are.
//! Loads no file.
//!
//! The answer to the question for a large file leads to another server and says of the file, in `X-Linked-Size` and
//! `X-Linked-Etag`, what the hub itself knows of it; that other server is not asked here.

use std::time::Duration;

use loquat_failure::root_cause;
use reqwest::header::{HeaderMap, LOCATION};
use reqwest::redirect::Policy;
use reqwest::{Client, Method, RequestBuilder, Response, StatusCode, Url};
use secrecy::{ExposeSecret, SecretString};
use serde::Deserialize;

use super::address::HubAddress;

/// A hub that says nothing for so long is not reachable from here.
const PATIENCE: Duration = Duration::from_secs(20);

/// The list of a repository with a thousand files has a few hundred kB.
const LARGEST_LIST: usize = 8 << 20;

/// The steps to a repository that has another name now.
const MOST_STEPS: usize = 5;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct HubFile {
    pub(super) size: u64,
    pub(super) sha256: String,
    /// The commit that the revision is now.
    pub(super) commit: Option<String>,
}

/// Says what the hub answers instead.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HubError {
    /// No server answers.
    #[error("ask {url}: {reason}")]
    Unreachable {
        /// The address that was asked.
        url: String,
        /// The connection failed for this reason.
        reason: String,
    },
    /// It is for those who have logged in, or not there at all; the hub does not tell these apart.
    #[error(
        "ask {url}: the hub answers {status}{said}; if there is such a repository, it is for those who are logged in: \
         accept its terms at {page}, make a token there, and name its file in models.token_file"
    )]
    LogIn {
        /// The address that was asked.
        url: String,
        /// The server answered with this status.
        status: StatusCode,
        /// The hub says this.
        said: String,
        /// The repository has this page.
        page: String,
    },
    /// It has no such file.
    #[error("find {address} on the hub: {}", there(files))]
    NoFile {
        /// The address that a person has named.
        address: String,
        /// The GGUF files of the repository, as addresses with their sizes; empty where that cannot be told.
        files: Vec<(String, u64)>,
    },
    /// It refuses for another reason.
    #[error("ask {url}: the server answers {status}{said}")]
    Refused {
        /// The address that was asked.
        url: String,
        /// The server answered with this status.
        status: StatusCode,
        /// The server says this.
        said: String,
    },
    /// It says nothing by which a file could be recognised.
    #[error("ask {url}: the server tells no checksum of the file")]
    NoChecksum {
        /// The address that was asked.
        url: String,
    },
}

fn there(files: &[(String, u64)]) -> String {
    if files.is_empty() {
        return "there is no such file or revision".to_owned();
    }
    let each = files
        .iter()
        .map(|(address, size)| format!("{address} ({:.0} MB)", *size as f64 / 1e6));
    format!("name one of its files: {}", each.collect::<Vec<_>>().join(", "))
}

/// A file in the hub's list of a repository.
#[derive(Debug, Deserialize)]
struct Entry {
    path: String,
    #[serde(default)]
    size: u64,
    #[serde(default)]
    lfs: Option<LargeFile>,
}

#[derive(Debug, Deserialize)]
struct LargeFile {
    oid: String,
    size: u64,
}

/// The hub or a server like it.
pub(super) struct HubServer<'a> {
    base: &'a str,
    token: Option<&'a SecretString>,
    client: Client,
}

impl<'a> HubServer<'a> {
    /// The server at an address without a slash at its end. The token is sent to no other.
    pub(super) fn new(base: &'a str, token: Option<&'a SecretString>) -> Result<Self, HubError> {
        let client = loquat_tls::http_client()
            .connect_timeout(PATIENCE)
            .timeout(PATIENCE)
            .redirect(Policy::none())
            .user_agent(concat!("loquat/", env!("CARGO_PKG_VERSION")))
            .build()
            .map_err(|error| HubError::Unreachable {
                url: base.to_owned(),
                reason: root_cause(&error),
            })?;
        Ok(Self { base, token, client })
    }

    pub(super) async fn file(&self, address: &HubAddress) -> Result<HubFile, HubError> {
        let Some(file) = &address.file else {
            return Err(self.no_file(address, None).await?);
        };
        let url = format!("{}/{}", self.base, address.path_of(file));
        let response = self.ask(Method::HEAD, &url).await?;
        let status = response.status();
        if status == StatusCode::NOT_FOUND {
            return Err(self.no_file(address, Some(file)).await?);
        }
        if !status.is_success() && !status.is_redirection() {
            return Err(self.refused(url, address, &response));
        }
        match of_headers(response.headers()) {
            Some(found) => Ok(found),
            None => self
                .of_list(address, file)
                .await?
                .ok_or(HubError::NoChecksum { url }),
        }
    }

    /// What its list of the repository says of a file, where the answer for the file itself says nothing.
    async fn of_list(&self, address: &HubAddress, file: &str) -> Result<Option<HubFile>, HubError> {
        let entries = self.list(address).await?;
        let entry = entries.into_iter().find(|entry| entry.path == file);
        Ok(entry.and_then(|entry| entry.lfs).and_then(|large| {
            Some(HubFile {
                size: large.size,
                sha256: sha256(&large.oid)?,
                commit: None,
            })
        }))
    }

    /// Says which files there are instead.
    async fn no_file(&self, address: &HubAddress, wanted: Option<&str>) -> Result<HubError, HubError> {
        let entries = match self.list(address).await {
            Ok(entries) => entries,
            // A server that keeps files alone has no list.
            Err(HubError::Refused { .. }) if wanted.is_some() => Vec::new(),
            Err(error) => return Err(error),
        };
        let named = |entry: Entry| {
            let named = address.with_file(&entry.path).to_string();
            // A name that is no address could not be typed either.
            let is_one = named.to_lowercase().contains(".gguf") && named.parse::<HubAddress>().is_ok();
            is_one.then_some((named, entry.size))
        };
        Ok(HubError::NoFile {
            address: address.to_string(),
            files: entries.into_iter().filter_map(named).collect(),
        })
    }

    async fn list(&self, address: &HubAddress) -> Result<Vec<Entry>, HubError> {
        let url = format!("{}/{}", self.base, address.tree());
        let response = self.ask(Method::GET, &url).await?;
        if !response.status().is_success() {
            return Err(self.refused(url, address, &response));
        }
        let broken = |reason: String| HubError::Unreachable {
            url: url.clone(),
            reason,
        };
        let text = bounded(response).await.map_err(broken)?;
        serde_json::from_slice(&text).map_err(|error| broken(format!("its list cannot be read: {error}")))
    }

    /// Asks, and follows to where the same server has a repository that was renamed. Where the answer tells of a large file,
    /// it leads to the file itself, which is not wanted here.
    async fn ask(&self, method: Method, url: &str) -> Result<Response, HubError> {
        let unreachable = |reason: String| HubError::Unreachable {
            url: url.to_owned(),
            reason,
        };
        let mut place = Url::parse(url).map_err(|error| unreachable(error.to_string()))?;
        for _ in 0..MOST_STEPS {
            let request = with_token(self.client.request(method.clone(), place.clone()), self.token);
            let sent = request.send().await;
            let response = sent.map_err(|error| unreachable(root_cause(&error)))?;
            let next = text_of(response.headers(), LOCATION.as_str()).and_then(|to| place.join(to).ok());
            let leads_on = response.status().is_redirection() && of_headers(response.headers()).is_none();
            match next.filter(|next| leads_on && next.origin() == place.origin()) {
                Some(next) => place = next,
                None => return Ok(response),
            }
        }
        Err(unreachable(
            "it leads from one address to the next without an end".to_owned(),
        ))
    }

    fn refused(&self, url: String, address: &HubAddress, response: &Response) -> HubError {
        let (status, said) = (response.status(), said(response.headers()));
        if [StatusCode::UNAUTHORIZED, StatusCode::FORBIDDEN].contains(&status) {
            let page = format!("{}/{}", self.base, address.repository);
            return HubError::LogIn {
                url,
                status,
                said,
                page,
            };
        }
        HubError::Refused { url, status, said }
    }
}

/// Adds a token to a request, where there is one.
pub(super) fn with_token(request: RequestBuilder, token: Option<&SecretString>) -> RequestBuilder {
    match token {
        Some(token) => request.bearer_auth(token.expose_secret()),
        None => request,
    }
}

/// What the hub says of a large file beside sending to where it is.
fn of_headers(headers: &HeaderMap) -> Option<HubFile> {
    let commit = text_of(headers, "x-repo-commit").filter(|commit| is_hexadecimal(commit, 40));
    Some(HubFile {
        size: text_of(headers, "x-linked-size")?.parse().ok()?,
        sha256: sha256(text_of(headers, "x-linked-etag")?)?,
        commit: commit.map(str::to_owned),
    })
}

/// The words in which the hub says why it refuses.
fn said(headers: &HeaderMap) -> String {
    let said = text_of(headers, "x-error-message").unwrap_or_default();
    let plain: String = said
        .chars()
        .filter(|letter| !letter.is_control())
        .take(300)
        .collect();
    if plain.is_empty() {
        plain
    } else {
        format!(" ({plain})")
    }
}

/// An `ETag` that is a SHA-256. That of a small file is another kind of checksum.
fn sha256(tag: &str) -> Option<String> {
    let tag = tag.trim_start_matches("W/").trim_matches('"').to_lowercase();
    is_hexadecimal(&tag, 64).then_some(tag)
}

fn is_hexadecimal(text: &str, length: usize) -> bool {
    text.len() == length && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

fn text_of<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    headers.get(name)?.to_str().ok()
}

async fn bounded(mut response: Response) -> Result<Vec<u8>, String> {
    let mut text = Vec::new();
    while let Some(bytes) = response.chunk().await.map_err(|error| root_cause(&error))? {
        text.extend_from_slice(&bytes);
        if text.len() > LARGEST_LIST {
            return Err("its list is longer than any".to_owned());
        }
    }
    Ok(text)
}
