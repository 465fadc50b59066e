//! Writing a file: whole beside the old one, on the disk, and only then in its place. Never through a link, and never
//! into anything but a regular file; what is not written leaves nothing changed.

use std::fs::File;
use std::io::{self, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::sync::atomic::{AtomicU64, Ordering};

use rustix::fs::{
    AtFlags, FileType, Mode, OFlags, fchmod, fsync, mkdirat, openat, renameat, statat, unlinkat,
};
use rustix::io::Errno;
use schemars::JsonSchema;
use serde::Deserialize;

use super::fault::Fault;
use super::results::Written;
use super::root::{Root, folder_in};

/// In bytes.
const MOST_WRITTEN: usize = 1 << 20;

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
    replace(&folder, name, (asked.content.as_bytes(), present)).map_err(system)?;
    Ok(Written {
        success: true,
        message: format!("{} bytes are written", asked.content.len()),
        path: shown,
    })
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
fn replace(folder: &OwnedFd, name: &str, (content, rights): (&[u8], Option<Mode>)) -> Result<(), Errno> {
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
