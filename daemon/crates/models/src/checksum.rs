//! SHA-256 of files, on a thread of its own: a large model keeps a small device busy for half a minute.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::thread;

use sha2::{Digest, Sha256};
use tokio::sync::oneshot;

/// Read at a time; the disk sets the pace from here on.
const BLOCK: usize = 1 << 18;

/// Reads the hash of a file so far, and its length. A file that does not exist is empty.
pub(super) async fn of_file(path: &Path) -> io::Result<(Sha256, u64)> {
    let path = path.to_owned();
    let (sender, receiver) = oneshot::channel();
    let work = move || {
        // Nothing listens any more when the caller has been dropped.
        drop(sender.send(hash(path)));
    };
    thread::Builder::new()
        .name("model-checksum".to_owned())
        .spawn(work)?;
    receiver
        .await
        .unwrap_or_else(|_| Err(io::Error::other("the thread that reads it ended early")))
}

/// Writes a hash as people and catalogues do.
pub(super) fn shown(hash: Sha256) -> String {
    format!("{:x}", hash.finalize())
}

fn hash(path: PathBuf) -> io::Result<(Sha256, u64)> {
    let mut hash = Sha256::new();
    let mut length = 0;
    let mut file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok((hash, length)),
        Err(error) => return Err(error),
    };
    let mut block = vec![0; BLOCK];
    loop {
        let count = file.read(&mut block)?;
        let Some(read) = block.get(..count).filter(|read| !read.is_empty()) else {
            return Ok((hash, length));
        };
        hash.update(read);
        length += count as u64;
    }
}
