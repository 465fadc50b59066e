//! Writing a file: whole beside the old one, on the disk, and only then in its place. Never through a link, and never
//! into anything but a regular file; what is not written leaves nothing changed.

use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::sync::atomic::{AtomicU64, Ordering};

use rustix::fs::{
    AtFlags, FileType, Mode, OFlags, fchmod, fsync, mkdirat, openat, renameat, statat, unlinkat,
};
use rustix::io::Errno;
use schemars::JsonSchema;
use serde::Deserialize;

use super::fault::Fault;
use super::path::Within;
use super::results::Written;
use super::root::{Root, file_in, folder_in};
use super::undo;

/// In bytes.
const MOST_WRITTEN: usize = 1 << 20;

/// What a file held before is kept up to so many bytes, so that it can be put back.
const MOST_KEPT: u64 = 32 * 1024;

/// Each file that is not finished has a name of its own.
static UNFINISHED: AtomicU64 = AtomicU64::new(0);

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Text {
    /// As in "notes/plan.txt".
    path: String,
    /// All that the file is to hold.
    content: String,
}

pub(super) fn write_file(root: &Root, asked: &Text) -> Result<Written, Fault> {
    if asked.content.len() > MOST_WRITTEN {
        return Err(Fault::argument("content", "it is longer than 1 MiB; write less"));
    }
    let path = root.within(&asked.path)?;
    let place = Place::of(root, &path)?;
    let before = place.content();
    place.write(&asked.content)?;
    Ok(Written {
        success: true,
        message: format!("{} bytes are written", asked.content.len()),
        undo: undo::of_written(&place.shown, &asked.content, before),
        path: place.shown,
    })
}

/// Where a file is, or may be.
pub(super) struct Place<'a> {
    folder: OwnedFd,
    name: &'a str,
    /// Its whole path, as it is told.
    pub(super) shown: String,
    /// The rights of the file that is there.
    present: Option<Mode>,
}

impl<'a> Place<'a> {
    /// The place of a path. The folders on the way are made where there are none.
    pub(super) fn of(root: &Root, path: &'a Within) -> Result<Self, Fault> {
        let Some((name, folders)) = path.parts().split_last() else {
            return Err(Fault::argument(
                "path",
                "it names no file; write one such as notes/plan.txt",
            ));
        };
        let shown = path.to_string();
        let system = |error: Errno| Fault::of(&shown, error);
        let mut folder = root.folder(&root.within("")?)?;
        for part in folders {
            folder = entered(&folder, part).map_err(system)?;
        }
        let present = match statat(&folder, name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(about) if FileType::from_raw_mode(about.st_mode) != FileType::RegularFile => {
                return Err(Fault::NoFile(shown));
            }
            Ok(about) => Some(Mode::from_raw_mode(about.st_mode)),
            Err(Errno::NOENT) => None,
            Err(error) => return Err(system(error)),
        };
        Ok(Self {
            folder,
            name,
            shown,
            present,
        })
    }

    /// What the file holds, as far as it can be put back: no more than so much, and text.
    pub(super) fn content(&self) -> Content {
        if self.present.is_none() {
            return Content::Absent;
        }
        let Ok(Some((file, _))) = file_in(&self.folder, self.name) else {
            return Content::Unknown;
        };
        let mut text = String::new();
        let read = file.take(MOST_KEPT + 1).read_to_string(&mut text);
        match read {
            Ok(bytes) if bytes as u64 <= MOST_KEPT => Content::Text(text),
            _ => Content::Unknown,
        }
    }

    /// Writes it.
    pub(super) fn write(&self, content: &str) -> Result<(), Fault> {
        replace(&self.folder, self.name, content.as_bytes(), self.present)
            .map_err(|error| Fault::of(&self.shown, error))
    }

    /// Removes it.
    pub(super) fn remove(&self) -> Result<(), Fault> {
        unlinkat(&self.folder, self.name, AtFlags::empty()).map_err(|error| Fault::of(&self.shown, error))
    }
}

/// What a file holds.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Content {
    /// There is none.
    Absent,
    /// This.
    Text(String),
    /// More than is kept, or no text.
    Unknown,
}

/// A folder in another one, made where there is none.
fn entered(folder: &OwnedFd, name: &str) -> Result<OwnedFd, Errno> {
    match folder_in(folder, name) {
        Err(Errno::NOENT) => {
            match mkdirat(folder, name, Mode::from_raw_mode(0o755)) {
                Ok(()) | Err(Errno::EXIST) => {}
                Err(error) => return Err(error),
            }
            folder_in(folder, name)
        }
        entered => entered,
    }
}

/// Puts a file in the place of the one that has this name, with its rights.
fn replace(folder: &OwnedFd, name: &str, content: &[u8], rights: Option<Mode>) -> Result<(), Errno> {
    let number = UNFINISHED.fetch_add(1, Ordering::Relaxed);
    let unfinished = format!(".loquat-{}-{number}.part", std::process::id());
    let flags = OFlags::CREATE | OFlags::EXCL | OFlags::WRONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let file = openat(folder, &unfinished, flags, Mode::from_raw_mode(0o644))?;
    let done = filled(File::from(file), content, rights)
        .and_then(|()| renameat(folder, &unfinished, folder, name))
        .and_then(|()| fsync(folder.as_fd()));
    if done.is_err() {
        // The complaint about the file matters more than what is left of it.
        unlinkat(folder, &unfinished, AtFlags::empty()).unwrap_or_default();
    }
    done
}

fn filled(mut file: File, content: &[u8], rights: Option<Mode>) -> Result<(), Errno> {
    let errno = |error: io::Error| Errno::from_io_error(&error).unwrap_or(Errno::IO);
    file.write_all(content).map_err(errno)?;
    if let Some(rights) = rights {
        fchmod(&file, rights & Mode::from_raw_mode(0o777))?;
    }
    file.sync_all().map_err(errno)
}
