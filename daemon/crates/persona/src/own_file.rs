//! A file that a persona brings along, such as an `AGENTS.md`: only beneath its folder, only by its own name, and only where it
//! belongs to whom the persona belongs to.
//!
//! The author of a persona decides what lies beside it, and a link there would have any file of the person sent to a server. So
//! each folder on the way is opened by its name in the one before it, and no link is followed, whatever is exchanged meanwhile.

use std::fs::File;
use std::io::{self, Read};
use std::os::fd::OwnedFd;
use std::os::unix::fs::MetadataExt;
use std::path::{Component, Path, PathBuf};

use rustix::fs::{AtFlags, CWD, FileType, Mode, OFlags, openat, statat};
use rustix::path::Arg;

/// A folder on the way is passed through and not read.
const FOLDER: OFlags = OFlags::PATH.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);

/// Opens the file itself. A pipe would be waited for otherwise, and a terminal be made that of the daemon.
const FILE: OFlags = OFlags::NOFOLLOW
    .union(OFlags::NONBLOCK)
    .union(OFlags::NOCTTY)
    .union(OFlags::CLOEXEC);

/// The user whose files may be used with those of everybody.
const ROOT: u32 = 0;

/// The place of such a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct OwnFile {
    /// The folder in which the search begins. How it is reached is its owner's affair.
    pub(super) folder: PathBuf,
    /// It leads from that folder to the file.
    pub(super) beneath: PathBuf,
    /// The users, besides root, to whom it may belong.
    pub(super) owners: Vec<u32>,
}

impl OwnFile {
    pub(super) fn path(&self) -> PathBuf {
        self.folder.join(&self.beneath)
    }

    /// Reads the text, if it has no more than `longest` bytes, or says why it is not used.
    pub(super) fn text(&self, longest: u64) -> Result<String, String> {
        let file = self.open()?;
        let mut bytes = Vec::new();
        file.take(longest + 1)
            .read_to_end(&mut bytes)
            .map_err(unreadable)?;
        if bytes.len() as u64 > longest {
            return Err(format!("it is longer than {} KiB", longest >> 10));
        }
        let text = String::from_utf8(bytes).map_err(|_| "it is no text in UTF-8".to_owned())?;
        if text.contains('\0') {
            return Err("it holds a NUL, so it is no text".to_owned());
        }
        Ok(text)
    }

    /// Tells why it may not be used, if it is there at all.
    pub(super) fn refusal(&self) -> Option<String> {
        self.path().symlink_metadata().ok()?;
        self.open().err()
    }

    fn open(&self) -> Result<File, String> {
        let (name, folders) = self.way()?;
        let mut folder = openat(CWD, &self.folder, FOLDER, Mode::empty()).map_err(unreadable)?;
        for passed in folders {
            folder = enter(&folder, passed)?;
        }
        if kind_of(&folder, name)? != FileType::RegularFile {
            return Err("it is no regular file".to_owned());
        }
        let file =
            File::from(openat(&folder, name, OFlags::RDONLY | FILE, Mode::empty()).map_err(unreadable)?);
        self.judge(&file)?;
        Ok(file)
    }

    /// Lists the names on the way, the last one apart.
    fn way(&self) -> Result<(&Path, Vec<&Path>), String> {
        let mut names = Vec::new();
        for part in self.beneath.components() {
            match part {
                Component::Normal(name) => names.push(Path::new(name)),
                Component::CurDir => {}
                _ => {
                    return Err(format!(
                        "its path leads out of {}; write the whole path, without `..`",
                        self.folder.display()
                    ));
                }
            }
        }
        let name = names.pop().ok_or("it has no name")?;
        Ok((name, names))
    }

    /// Looks at what was opened, which no program can exchange any more.
    fn judge(&self, file: &File) -> Result<(), String> {
        let about = file.metadata().map_err(unreadable)?;
        if !about.is_file() {
            return Err("it is no regular file".to_owned());
        }
        if about.nlink() > 1 {
            return Err(format!(
                "it has {} names (hard links), so it may be another file of this device; put a copy there instead",
                about.nlink()
            ));
        }
        if about.uid() != ROOT && !self.owners.contains(&about.uid()) {
            return Err(format!(
                "it belongs to user {}, and the persona does not; have one own both",
                about.uid()
            ));
        }
        Ok(())
    }
}

/// Names the owners of files that a persona may bring along: they are those of its own file. What root has put there
/// may use what the person has, and so may what is part of the program.
pub(super) fn owners_of(persona: Option<&Path>) -> Vec<u32> {
    let owner = persona.map(|path| path.metadata().map(|about| about.uid()).ok());
    match owner {
        None | Some(Some(ROOT)) => vec![person()],
        Some(owner) => owner.into_iter().collect(),
    }
}

/// Gives the user as whom this program runs.
pub(super) fn person() -> u32 {
    rustix::process::geteuid().as_raw()
}

fn enter(folder: &OwnedFd, name: &Path) -> Result<OwnedFd, String> {
    if kind_of(folder, name)? != FileType::Directory {
        return Err(format!(
            "{:?} on its path is no folder",
            name.display().to_string()
        ));
    }
    openat(folder, name, FOLDER | OFlags::NOFOLLOW, Mode::empty()).map_err(unreadable)
}

/// Finds out what a name stands for; links are not followed.
fn kind_of(folder: &OwnedFd, name: impl Arg + Copy) -> Result<FileType, String> {
    let about = statat(folder, name, AtFlags::SYMLINK_NOFOLLOW).map_err(unreadable)?;
    match FileType::from_raw_mode(about.st_mode) {
        FileType::Symlink => Err(format!(
            "{:?} on its path is a link, and none is followed; put the file itself there",
            name.to_string_lossy()
        )),
        kind => Ok(kind),
    }
}

fn unreadable(error: impl Into<io::Error>) -> String {
    let error: io::Error = error.into();
    format!("it cannot be read: {error}")
}
