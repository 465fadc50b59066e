//! Why a pack or a part of it cannot be read; each with the file's name.

use std::io;
use std::path::PathBuf;

use super::{LARGEST_FILE, LARGEST_MEMBER};

/// Says why a pack cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PackError {
    /// The operating system refuses; where there is no file, with [`io::ErrorKind::NotFound`].
    #[error("read {path}: {source}", path = .path.display())]
    Read {
        /// The file is here.
        path: PathBuf,
        /// The operating system says this.
        #[source]
        source: io::Error,
    },
    /// Something else than a file has its name.
    #[error("read {}: it is no file", .0.display())]
    NoFile(PathBuf),
    /// The file is larger than any pack.
    #[error("read {}: it is larger than {} MB, and no pack is", .0.display(), LARGEST_FILE >> 20)]
    LargeFile(PathBuf),
    /// It is not the file that the catalogue means.
    #[error("recognise {path}: its checksum {found} is not that of {name}", path = .path.display())]
    Unknown {
        /// The file is here.
        path: PathBuf,
        /// The name of the pack that it should be.
        name: String,
        /// The file has this checksum.
        found: String,
    },
    /// It is no zip, or not the whole of one.
    #[error("unpack {path}: it is no whole wheel: {source}", path = .path.display())]
    Damaged {
        /// The file is here.
        path: PathBuf,
        /// The reader says this.
        #[source]
        source: io::Error,
    },
    /// It is another wheel.
    #[error("find sentences in {}: it has no home_assistant_intents/data/LANGUAGE.json", .0.display())]
    Empty(PathBuf),
    /// The file lacks a member.
    #[error("find {member} in {path}", path = .path.display())]
    Absent {
        /// The file is here.
        path: PathBuf,
        /// The name of the member.
        member: String,
    },
    /// A member is damaged, packed in an unusual way, or no text.
    #[error("unpack {member} of {path}: {source}", path = .path.display())]
    Unreadable {
        /// The file is here.
        path: PathBuf,
        /// The name of the member.
        member: String,
        /// The reader says this.
        #[source]
        source: io::Error,
    },
    /// A member unpacks to more than any language has.
    #[error(
        "unpack {member} of {path}: it is larger than {most} MB, and no language is",
        path = .path.display(), most = LARGEST_MEMBER >> 20
    )]
    LargeMember {
        /// The file is here.
        path: PathBuf,
        /// The name of the member.
        member: String,
    },
}
