//! A file that is whole or of no use: written under another name first, and with a digest at its end. Never knows what is in
//! it.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::Path;

use sha2::{Digest, Sha256};

/// A file ends with a digest of this many bytes.
const DIGEST: usize = 32;

/// This many bytes are read at once.
const PIECE: usize = 1 << 16;

/// The ending of a file that is being written.
pub(super) const HALF: &str = "half";

/// Writes all of `content` to a file for the owner only, and makes its folder if need be. The file is there whole or not
/// at all, also when the power goes.
pub(super) fn write(path: &Path, mut content: File) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    }
    let half = path.with_extension(HALF);
    let mut file = OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(true)
        .mode(0o600)
        .open(&half)?;
    let size = content.metadata()?.len();
    let digest = digest(&mut content, size, &mut file)?;
    file.write_all(&digest)?;
    file.sync_all()?;
    fs::rename(&half, path)
}

/// Opens a file and reads it to see that it is what was written.
pub(super) fn open(path: &Path) -> io::Result<File> {
    let damaged = || io::Error::new(io::ErrorKind::InvalidData, "it is damaged");
    let mut file = File::open(path)?;
    let size = file.metadata()?.len();
    let size = size.checked_sub(DIGEST as u64).ok_or_else(damaged)?;
    let own = digest(&mut file, size, &mut io::sink())?;
    let mut written = [0; DIGEST];
    file.read_exact(&mut written)?;
    if own == written { Ok(file) } else { Err(damaged()) }
}

/// Copies so many bytes and says their SHA-256 digest.
fn digest(from: &mut File, size: u64, to: &mut dyn Write) -> io::Result<[u8; DIGEST]> {
    let mut hasher = Sha256::new();
    let mut piece = vec![0; PIECE];
    let mut from = from.take(size);
    loop {
        let read = from.read(&mut piece)?;
        let Some(read) = piece.get(..read).filter(|read| !read.is_empty()) else {
            return Ok(hasher.finalize().into());
        };
        hasher.update(read);
        to.write_all(read)?;
    }
}

#[cfg(test)]
mod tests {
    use std::io::Seek;

    use super::*;

    #[test]
    fn a_file_is_whole_or_of_no_use() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("kept/a.state");
        let mut content = tempfile::tempfile().unwrap();
        content.write_all(&vec![7; 3 * PIECE + 5]).unwrap();
        content.rewind().unwrap();
        write(&path, content).unwrap();
        open(&path).unwrap();
        let whole = fs::read(&path).unwrap();
        let mut changed = whole.clone();
        changed[PIECE] = 8;
        for damaged in [&whole[1..], &whole[..PIECE], &changed, &[]] {
            fs::write(&path, damaged).unwrap();
            assert!(open(&path).is_err());
        }
    }
}
