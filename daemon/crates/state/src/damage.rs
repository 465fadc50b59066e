//! What happens to a state file that is damaged: it is put aside for a person who wants to rescue something, and what is
//! pending and what skills keep is brought into a new one.
//!
//! A turn out of a damaged file is ended and not gone on with: what is missing in it may be a call that was made.

use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};

use loquat_kit::records::Change;
use rusqlite::{Connection, OpenFlags};

use super::pending_turn::PendingTurn;
use super::{records, turns};

/// Damaged files that are kept; the oldest goes.
const KEPT: usize = 3;

/// Checking a larger file would take a small board too long at the start.
const LARGEST_CHECKED: u64 = 64 << 20;

/// Looks the file through, if it is not too large. The time it takes grows with the file: a second for some dozen MiB.
pub(super) fn check(connection: &Connection, path: &Path) -> rusqlite::Result<bool> {
    let size = std::fs::metadata(path).map_or(0, |metadata| metadata.len());
    if size > LARGEST_CHECKED {
        tracing::info!(
            size,
            "the state file is too large to be looked through at the start"
        );
        return Ok(true);
    }
    let verdict: String = connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
    Ok(verdict == "ok")
}

/// The turns and records that can still be read of a damaged file.
#[derive(Debug, Default)]
pub(super) struct Rescued {
    /// Turns without an end.
    pub(super) pending: Vec<PendingTurn>,
    pub(super) records: Vec<Change>,
}

/// Reads what can still be read: the turns even where the records cannot, and the other way round.
pub(super) fn rescue(path: &Path) -> Rescued {
    let connection = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY);
    let connection = match connection {
        Ok(connection) => connection,
        Err(error) => {
            tracing::warn!(%error, "nothing can be read of a damaged state file");
            return Rescued::default();
        }
    };
    let pending = turns::pending(&connection).unwrap_or_else(|error| {
        tracing::warn!(%error, "nothing can be read of what was pending in a damaged state file");
        Vec::new()
    });
    let records = records::readable(&connection).unwrap_or_else(|error| {
        tracing::warn!(%error, "nothing can be read of what skills kept in a damaged state file");
        Vec::new()
    });
    Rescued { pending, records }
}

/// Gives the file another name, and takes away the oldest of those that were damaged before.
pub(super) fn put_aside(path: &Path, unix_seconds: i64) -> io::Result<()> {
    let aside = free_name(path, unix_seconds);
    std::fs::rename(path, &aside)?;
    // What was not yet brought into the file belongs to it; the other is made anew whenever it is opened.
    let with = |path: &Path, end: &str| {
        let mut name = path.as_os_str().to_owned();
        name.push(end);
        PathBuf::from(name)
    };
    std::fs::rename(with(path, "-wal"), with(&aside, "-wal")).unwrap_or_default();
    std::fs::remove_file(with(path, "-shm")).unwrap_or_default();
    tracing::warn!(file = %path.display(), aside = %aside.display(), "the state file is damaged; a new one is begun");
    let old = damaged(path);
    for old in old.iter().rev().skip(KEPT) {
        std::fs::remove_file(old).unwrap_or_default();
        std::fs::remove_file(with(old, "-wal")).unwrap_or_default();
    }
    Ok(())
}

fn free_name(path: &Path, unix_seconds: i64) -> PathBuf {
    let name = |seconds: i64| path.with_extension(format!("damaged-{seconds:010}"));
    let mut names = (unix_seconds.max(0)..).map(name);
    names.find(|name| !name.exists()).unwrap_or_else(|| name(0))
}

/// Lists the files that were put aside, oldest first.
fn damaged(path: &Path) -> Vec<PathBuf> {
    let own = path.file_stem().and_then(OsStr::to_str);
    let is_damaged = |entry: &Path| {
        let name = entry.file_name().and_then(|name| name.to_str());
        name.and_then(|name| name.strip_prefix(own?)?.strip_prefix('.'))
            .is_some_and(|rest| rest.starts_with("damaged") && !rest.ends_with("-wal"))
    };
    let entries = path.parent().and_then(|folder| std::fs::read_dir(folder).ok());
    let paths = entries.into_iter().flatten().flatten().map(|entry| entry.path());
    let mut found: Vec<PathBuf> = paths.filter(|path| is_damaged(path)).collect();
    found.sort();
    found
}
