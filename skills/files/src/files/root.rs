//! The one folder that the tools work in, held open. The kernel resolves each path beneath it: what a link, a mount or a
//! folder that is exchanged meanwhile would lead to outside is not opened.

use std::fs::File;
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Path, PathBuf};

use rustix::fs::{FileType, Mode, OFlags, ResolveFlags, Stat, fstat, openat2};
use rustix::io::Errno;

use super::fault::Fault;
use super::path::Within;

/// How often a path is resolved that is moved meanwhile.
const ATTEMPTS: usize = 8;

/// Nothing that is opened becomes a terminal, reaches a program or waits for the other end of a pipe.
const ALWAYS: OFlags = OFlags::CLOEXEC.union(OFlags::NOCTTY).union(OFlags::NONBLOCK);

/// Links may be followed as long as they stay beneath.
const BENEATH: ResolveFlags = ResolveFlags::BENEATH
    .union(ResolveFlags::NO_MAGICLINKS)
    .union(ResolveFlags::NO_XDEV);

/// The folder.
#[derive(Debug)]
pub(crate) struct Root {
    folder: OwnedFd,
    path: PathBuf,
}

impl Root {
    /// Opens the folder that a person has set. How its own path is resolved is that person's affair.
    pub(crate) fn open(path: &Path) -> Result<Self, Fault> {
        let flags = OFlags::DIRECTORY | OFlags::RDONLY | OFlags::CLOEXEC;
        let opened = rustix::fs::open(path, flags, Mode::empty());
        let folder = opened.map_err(|error| Fault::NoRoot {
            folder: path.display().to_string(),
            error,
        })?;
        let path = path.to_owned();
        Ok(Self { folder, path })
    }

    /// The path that an argument means.
    pub(crate) fn within(&self, written: &str) -> Result<Within, Fault> {
        Within::parse(written, &self.path)
    }

    /// A folder beneath.
    pub(crate) fn folder(&self, path: &Within) -> Result<OwnedFd, Fault> {
        let path = path.to_string();
        let flags = OFlags::DIRECTORY | OFlags::RDONLY;
        let opened = open_beneath(&self.folder, path.as_str(), flags, BENEATH);
        opened.map_err(|error| Fault::of(&path, error))
    }

    /// A folder beneath, held open as one of its own: what leads out of it is not opened, either.
    pub(crate) fn beneath(&self, path: &Within) -> Result<Self, Fault> {
        let folder = self.folder(path)?;
        let path = self.path.join(path.to_string());
        Ok(Self { folder, path })
    }

    /// A regular file beneath, and what is known of it.
    pub(crate) fn file(&self, path: &Within) -> Result<(File, Stat), Fault> {
        let path = path.to_string();
        regular(&self.folder, path.as_str(), BENEATH)
            .map_err(|error| Fault::of(&path, error))?
            .ok_or(Fault::NoFile(path))
    }
}

/// A regular file in an open folder, unless its name is a link; `None` for anything else.
pub(crate) fn file_in(
    folder: impl AsFd,
    name: impl rustix::path::Arg + Copy,
) -> Result<Option<(File, Stat)>, Errno> {
    regular(folder, name, BENEATH | ResolveFlags::NO_SYMLINKS)
}

/// A folder in an open folder, unless its name is a link.
pub(crate) fn folder_in(folder: impl AsFd, name: impl rustix::path::Arg + Copy) -> Result<OwnedFd, Errno> {
    let flags = OFlags::DIRECTORY | OFlags::RDONLY;
    open_beneath(folder, name, flags, BENEATH | ResolveFlags::NO_SYMLINKS)
}

fn regular(
    folder: impl AsFd,
    path: impl rustix::path::Arg + Copy,
    resolve: ResolveFlags,
) -> Result<Option<(File, Stat)>, Errno> {
    let opened = open_beneath(folder, path, OFlags::RDONLY, resolve)?;
    let about = fstat(&opened)?;
    let is_file = FileType::from_raw_mode(about.st_mode) == FileType::RegularFile;
    Ok(is_file.then(|| (File::from(opened), about)))
}

fn open_beneath(
    folder: impl AsFd,
    path: impl rustix::path::Arg + Copy,
    flags: OFlags,
    resolve: ResolveFlags,
) -> Result<OwnedFd, Errno> {
    let open = || openat2(&folder, path, flags | ALWAYS, Mode::empty(), resolve);
    let mut outcome = open();
    for _ in 1..ATTEMPTS {
        // The kernel could not tell whether a path that is moved stays beneath.
        if !matches!(outcome, Err(Errno::AGAIN | Errno::INTR)) {
            break;
        }
        outcome = open();
    }
    outcome
}
