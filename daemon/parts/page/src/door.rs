//! Where `loquat page` asks the running daemon for a one-time address: a socket in the runtime folder that only its owner
//! reaches. It does not go over the bus, since every program there would hear it.

use std::fs::DirBuilder;
use std::io;
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{UnixListener, UnixStream};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::entry_file::{self, EntryFile};
use super::page_state::PageState;

const NAME: &str = "page.sock";

/// For a whole exchange.
const PATIENCE: Duration = Duration::from_secs(5);

/// Bytes of an answer.
const LARGEST: u64 = 4096;

/// How a browser enters once.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Address {
    /// For a person, to be given to a browser.
    pub(super) url: String,
    /// A file that a browser of this machine opens instead; absent where none could be written.
    pub(super) file: Option<PathBuf>,
}

/// Why there is no address.
#[derive(Debug, thiserror::Error)]
pub(super) enum DoorError {
    /// No page is served.
    #[error(
        "failed to reach the page of a running daemon at {path}; start the daemon with: loquat run, and see that page.port \
         is not 0 and no other program has that port",
        path = .path.display()
    )]
    NotThere {
        path: PathBuf,
        /// What the system said.
        #[source]
        source: io::Error,
    },
    /// The daemon answers something else.
    #[error("failed to understand the daemon at {path}; is it of this version?", path = .path.display())]
    Garbled { path: PathBuf },
}

/// Gets a page's address that is good once, from the running daemon.
pub(super) async fn address(runtime: &Path) -> Result<Address, DoorError> {
    let path = runtime.join(NAME);
    let asked = async {
        let stream = UnixStream::connect(&path).await?;
        let mut answer = String::new();
        stream.take(LARGEST).read_to_string(&mut answer).await?;
        Ok(answer)
    };
    let answer = timeout(PATIENCE, asked).await;
    let answer = answer.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()));
    let answer = answer.map_err(|source| DoorError::NotThere {
        path: path.clone(),
        source,
    })?;
    serde_json::from_str(&answer).map_err(|_| DoorError::Garbled { path })
}

/// The open socket; its file goes with it.
#[derive(Debug)]
pub(super) struct Door {
    listener: UnixListener,
    path: PathBuf,
}

impl Drop for Door {
    fn drop(&mut self) {
        std::fs::remove_file(&self.path).unwrap_or_default();
    }
}

impl Door {
    /// Opens it in the runtime folder, in the place of what an earlier daemon left.
    pub(super) fn open(runtime: &Path) -> io::Result<Self> {
        DirBuilder::new().recursive(true).mode(0o700).create(runtime)?;
        entry_file::tidy(runtime);
        let path = runtime.join(NAME);
        match std::fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let listener = UnixListener::bind(&path)?;
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600))?;
        Ok(Self { listener, path })
    }

    /// Answers until cancelled, one after the other.
    pub(super) async fn run(self, page: Arc<PageState>, cancel: CancellationToken) {
        loop {
            let came = tokio::select! {
                biased;
                () = cancel.cancelled() => return,
                () = page.sessions.expired() => continue,
                came = self.listener.accept() => came,
            };
            match came {
                Ok((stream, _)) => {
                    drop(timeout(PATIENCE, self.answer(stream, &page)).await);
                }
                // There are no descriptors left.
                Err(_) => tokio::time::sleep(Duration::from_millis(100)).await,
            }
        }
    }

    async fn answer(&self, mut stream: UnixStream, page: &PageState) -> io::Result<()> {
        let peer = stream.peer_cred()?.uid();
        if peer != rustix::process::getuid().as_raw() && peer != 0 {
            tracing::warn!(
                user = peer,
                "another user asked for the page's address and gets none"
            );
            return Ok(());
        }
        let answer = serde_json::to_vec(&self.entry(page))?;
        stream.write_all(&answer).await?;
        stream.shutdown().await
    }

    /// Makes one more way for one browser to enter.
    fn entry(&self, page: &PageState) -> Address {
        let token = page.sessions.token();
        let folder = self.path.parent().unwrap_or(&self.path);
        let file = match EntryFile::write(folder, &page.own.door(), &token) {
            Ok(file) => Some(file),
            Err(error) => {
                tracing::warn!(%error, folder = %folder.display(), "failed to write the page with which a browser enters");
                None
            }
        };
        let path = file.as_ref().map(|file| file.path().to_owned());
        if let Some(file) = file {
            page.sessions.keep(&token, file);
        }
        Address {
            url: page.own.entry(&token),
            file: path,
        }
    }
}
