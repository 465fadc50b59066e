//! The part of a file that has arrived, with its hash, so that a download can go on where it ended.
//!
//! Knows nothing of where the bytes come from.

use std::io;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};
use tokio::fs::{File, OpenOptions};
use tokio::io::{AsyncSeekExt, AsyncWriteExt};

use super::checksum;

/// A file that is being written.
pub(super) struct Part {
    path: PathBuf,
    file: File,
    hash: Sha256,
    length: u64,
}

impl Part {
    /// Opens what an earlier run has left, or an empty part.
    pub(super) async fn open(path: &Path) -> io::Result<Self> {
        let (hash, length) = checksum::of_file(path).await?;
        let file = OpenOptions::new().create(true).append(true).open(path).await?;
        Ok(Self {
            path: path.to_owned(),
            file,
            hash,
            length,
        })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn length(&self) -> u64 {
        self.length
    }

    pub(super) async fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.write_all(bytes).await?;
        self.hash.update(bytes);
        self.length += bytes.len() as u64;
        Ok(())
    }

    /// Throws away what there is.
    pub(super) async fn restart(&mut self) -> io::Result<()> {
        self.file.set_len(0).await?;
        self.file.rewind().await?;
        self.hash = Sha256::new();
        self.length = 0;
        Ok(())
    }

    /// Waits until the bytes are with the operating system.
    pub(super) async fn flush(&mut self) -> io::Result<()> {
        self.file.flush().await
    }

    /// Puts everything on the disk; the checksum of the whole.
    pub(super) async fn finish(mut self) -> io::Result<String> {
        self.file.flush().await?;
        self.file.sync_all().await?;
        Ok(checksum::shown(self.hash))
    }
}
