//! A walk through a folder and those in it, from one open folder to the next, within bounds of number, depth and time.
//! Follows no link and enters no mount; hidden names are passed over.

use std::ffi::CString;
use std::fs::File;
use std::ops::ControlFlow;
use std::os::fd::OwnedFd;
use std::time::Duration;

use rustix::fs::{AtFlags, Dir, FileType, statat};
use tokio::time::Instant;

use super::root::{file_in, folder_in};

/// Of the whole walk.
const MOST_ENTRIES: usize = 20_000;
const DEEPEST: usize = 24;
const LONGEST_WALK: Duration = Duration::from_secs(5);

/// What a folder holds under a name.
#[derive(Debug)]
pub(crate) struct Entry {
    name: CString,
    pub(crate) kind: FileType,
}

/// What a walk came by.
#[derive(Debug)]
pub(crate) struct Found<'a> {
    folder: &'a OwnedFd,
    entry: &'a Entry,
    /// From the folder where the walk began.
    pub(crate) path: String,
}

/// How much more a walk may do.
#[derive(Debug)]
pub(crate) struct Patience {
    entries: usize,
    until: Instant,
}

/// A folder of which a part is still to be visited.
struct Level {
    folder: OwnedFd,
    path: String,
    entries: std::vec::IntoIter<Entry>,
}

impl Patience {
    pub(crate) fn new() -> Self {
        Self {
            entries: MOST_ENTRIES,
            until: Instant::now() + LONGEST_WALK,
        }
    }

    pub(crate) fn is_over(&self) -> bool {
        self.entries == 0 || Instant::now() >= self.until
    }
}

impl Entry {
    /// As it is shown; what is no UTF-8 is shown as far as it can be.
    pub(crate) fn name(&self) -> String {
        self.name.to_string_lossy().into_owned()
    }
}

impl Found<'_> {
    pub(crate) fn kind(&self) -> FileType {
        self.entry.kind
    }

    /// Opens it, unless it is no regular file any more.
    pub(crate) fn open(&self) -> Option<File> {
        let opened = file_in(self.folder, self.entry.name.as_c_str()).ok().flatten();
        opened.map(|(file, _)| file)
    }
}

/// What a folder holds, by name; hidden entries are left out.
pub(crate) fn entries(folder: &OwnedFd, patience: &mut Patience) -> Vec<Entry> {
    let mut entries = Vec::new();
    for entry in Dir::read_from(folder).into_iter().flatten().map_while(Result::ok) {
        if patience.is_over() {
            break;
        }
        patience.entries -= 1;
        if entry.file_name().to_bytes().starts_with(b".") {
            continue;
        }
        let name = entry.file_name().to_owned();
        let kind = match entry.file_type() {
            // Some file systems tell it only when they are asked.
            FileType::Unknown => statat(folder, &name, AtFlags::SYMLINK_NOFOLLOW)
                .map_or(FileType::Unknown, |about| FileType::from_raw_mode(about.st_mode)),
            known => known,
        };
        entries.push(Entry { name, kind });
    }
    entries.sort_by(|one, other| one.name.cmp(&other.name));
    entries
}

/// Visits all that is in and beneath a folder, in the order of the names. Whether it saw all of it.
pub(crate) fn through(
    start: OwnedFd,
    patience: &mut Patience,
    mut visit: impl FnMut(&Found<'_>, &Patience) -> ControlFlow<()>,
) -> bool {
    let mut levels = vec![Level::new(start, String::new(), patience)];
    loop {
        let depth = levels.len();
        let Some(level) = levels.last_mut() else {
            return true;
        };
        if patience.is_over() {
            return false;
        }
        let Some(entry) = level.entries.next() else {
            levels.pop();
            continue;
        };
        let path = format!("{}{}", level.path, entry.name());
        let (folder, entry) = (&level.folder, &entry);
        let found = Found { folder, entry, path };
        if visit(&found, patience).is_break() {
            return false;
        }
        // A folder that may not be entered is passed over, as are those too deep.
        let entered = (entry.kind == FileType::Directory).then(|| folder_in(folder, entry.name.as_c_str()));
        if let Some(Ok(folder)) = entered.filter(|_| depth < DEEPEST) {
            let path = format!("{}/", found.path);
            levels.push(Level::new(folder, path, patience));
        }
    }
}

impl Level {
    fn new(folder: OwnedFd, path: String, patience: &mut Patience) -> Self {
        Self {
            entries: entries(&folder, patience).into_iter(),
            folder,
            path,
        }
    }
}
