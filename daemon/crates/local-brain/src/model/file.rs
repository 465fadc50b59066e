//! Looks at a model file before llama.cpp does, so that the usual mistakes get a plain sentence. Never reads more than
//! its first bytes.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

#[derive(Debug, thiserror::Error)]
pub(crate) enum FileError {
    #[error("there is no such file")]
    Missing,
    /// It is a folder or a device.
    #[error("it is not a file")]
    NoFile,
    /// It cannot be read.
    #[error("it cannot be read: {0}")]
    Unreadable(#[source] io::Error),
    /// It begins as no GGUF file does.
    #[error("it is not a GGUF file")]
    NoGguf,
}

/// A GGUF file begins with this, a version, and two counts of 8 bytes: <https://github.com/ggml-org/ggml/blob/master/docs/gguf.md>.
const MAGIC: &[u8; 4] = b"GGUF";
const SMALLEST: usize = 24;

/// Checks that there is a file that begins as a GGUF file does.
pub(crate) fn check(path: &Path) -> Result<(), FileError> {
    let found = std::fs::metadata(path).map_err(of_io)?;
    if !found.is_file() {
        return Err(FileError::NoFile);
    }
    let mut beginning = Vec::new();
    let file = File::open(path).map_err(of_io)?;
    file.take(SMALLEST as u64)
        .read_to_end(&mut beginning)
        .map_err(of_io)?;
    if beginning.len() < SMALLEST || !beginning.starts_with(MAGIC) {
        return Err(FileError::NoGguf);
    }
    Ok(())
}

fn of_io(error: io::Error) -> FileError {
    if error.kind() == io::ErrorKind::NotFound {
        FileError::Missing
    } else {
        FileError::Unreadable(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(content: &[u8]) -> Result<(), String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("m.gguf");
        std::fs::write(&path, content).unwrap();
        check(&path).map_err(|error| error.to_string())
    }

    #[test]
    fn only_what_begins_as_a_gguf_file_passes() {
        let mut good = b"GGUF\x03\0\0\0".to_vec();
        good.resize(24, 0);
        assert_eq!(verdict(&good), Ok(()));
        for bad in [&b""[..], b"GGUF", &good[..23], b"<!DOCTYPE html><html><head>"] {
            assert_eq!(verdict(bad), Err("it is not a GGUF file".to_owned()));
        }
    }

    #[test]
    fn what_is_no_file_is_said() {
        let folder = tempfile::tempdir().unwrap();
        assert!(matches!(check(folder.path()), Err(FileError::NoFile)));
        assert!(matches!(
            check(&folder.path().join("none")),
            Err(FileError::Missing)
        ));
    }
}
