//! The file itself: where it is, what its tables are, and what happens to one that is damaged.

use std::fs::{DirBuilder, OpenOptions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use rusqlite::{Connection, ErrorCode, OpenFlags};

/// The layout below. A file of a newer one is not touched.
const VERSION: i64 = 1;

const TABLES: &str = "
    CREATE TABLE turn (
        id TEXT PRIMARY KEY,
        session TEXT NOT NULL,
        utterance TEXT NOT NULL,
        cause TEXT NOT NULL,
        since REAL NOT NULL,
        opened INTEGER NOT NULL DEFAULT 0,
        settled REAL
    );
    CREATE INDEX turn_since ON turn (since);
    CREATE TABLE entry (
        sequence INTEGER PRIMARY KEY,
        turn TEXT NOT NULL REFERENCES turn (id) ON DELETE CASCADE,
        attempt INTEGER NOT NULL,
        entry TEXT NOT NULL
    );
    CREATE INDEX entry_turn ON entry (turn, attempt, sequence);
    PRAGMA user_version = 1;
";

/// Why there is no state.
#[derive(Debug, thiserror::Error)]
pub enum StateError {
    /// The folder cannot be made.
    #[error("make the state folder {}; set STATE_DIRECTORY or XDG_STATE_HOME to one that can be written", path.display())]
    Folder {
        /// Which.
        path: PathBuf,
        /// What the system said.
        #[source]
        source: io::Error,
    },
    /// The file cannot be opened or written.
    #[error("open the state file {}", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// What the system or the database said.
        #[source]
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// A newer version made it.
    #[error("read the state file {}: a newer Loquat made it (layout {found}, known up to {VERSION})", path.display())]
    Newer {
        /// Which.
        path: PathBuf,
        /// Its layout.
        found: i64,
    },
}

/// The file in the state folder.
pub(super) fn path_in(folder: &Path) -> PathBuf {
    folder.join("state.db")
}

/// Opens the file for writing; makes folder, file and tables where they are missing. Only the owner may read them.
pub(super) fn open(folder: &Path) -> Result<Connection, StateError> {
    let made = DirBuilder::new().recursive(true).mode(0o700).create(folder);
    made.map_err(|source| StateError::Folder {
        path: folder.to_owned(),
        source,
    })?;
    let path = path_in(folder);
    match open_whole(&path) {
        Err(error) if is_damaged(&error) => {
            put_aside(&path)?;
            open_whole(&path)
        }
        result => result,
    }
}

fn open_whole(path: &Path) -> Result<Connection, StateError> {
    let failed = |source: rusqlite::Error| file_error(path, source);
    OpenOptions::new()
        .create(true)
        .append(true)
        .mode(0o600)
        .open(path)
        .map_err(|source| file_error(path, source))?;
    let connection = Connection::open(path).map_err(failed)?;
    connection
        .execute_batch("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON;")
        .map_err(failed)?;
    match version(&connection).map_err(failed)? {
        0 => connection.execute_batch(TABLES).map_err(failed)?,
        VERSION => {}
        found => {
            return Err(StateError::Newer {
                path: path.to_owned(),
                found,
            });
        }
    }
    Ok(connection)
}

/// Opens a file that is there, for reading.
pub(super) fn open_to_read(path: &Path) -> Result<Connection, StateError> {
    let failed = |source: rusqlite::Error| file_error(path, source);
    let connection = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY).map_err(failed)?;
    match version(&connection).map_err(failed)? {
        VERSION => Ok(connection),
        found => Err(StateError::Newer {
            path: path.to_owned(),
            found,
        }),
    }
}

fn version(connection: &Connection) -> rusqlite::Result<i64> {
    connection.query_row("PRAGMA user_version", [], |row| row.get(0))
}

fn file_error(path: &Path, source: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> StateError {
    StateError::File {
        path: path.to_owned(),
        source: source.into(),
    }
}

fn is_damaged(error: &StateError) -> bool {
    let StateError::File { source, .. } = error else {
        return false;
    };
    let code = source
        .downcast_ref::<rusqlite::Error>()
        .and_then(rusqlite::Error::sqlite_error_code);
    matches!(code, Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt))
}

/// A damaged file is kept for whoever wants to rescue something, under another name.
fn put_aside(path: &Path) -> Result<(), StateError> {
    let aside = path.with_extension("damaged");
    std::fs::rename(path, &aside).map_err(|source| file_error(path, source))?;
    for rest in ["db-wal", "db-shm"] {
        // They belong to the damaged file, and may not be there.
        drop(std::fs::remove_file(path.with_extension(rest)));
    }
    tracing::warn!(file = %path.display(), aside = %aside.display(), "the state file is damaged; a new one is begun");
    Ok(())
}
