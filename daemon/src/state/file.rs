//! The file itself: where it is, what its tables are, and what happens to one that is damaged.

use std::fs::{DirBuilder, OpenOptions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use rusqlite::{Connection, ErrorCode, OpenFlags};

/// The layout below. A file of a newer one is not touched.
const VERSION: i64 = 3;

/// Turns have numbers of their own, since an index of their ids is written all over.
const TABLES: &str = "
    CREATE TABLE turn (
        number INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        session TEXT NOT NULL,
        utterance TEXT NOT NULL,
        cause TEXT NOT NULL,
        since REAL NOT NULL,
        opened INTEGER NOT NULL DEFAULT 0,
        settled REAL
    );
    CREATE TABLE offer (
        number INTEGER PRIMARY KEY,
        tools TEXT NOT NULL UNIQUE
    );
    CREATE TABLE entry (
        sequence INTEGER PRIMARY KEY,
        turn INTEGER NOT NULL REFERENCES turn (number) ON DELETE CASCADE,
        attempt INTEGER NOT NULL,
        offer INTEGER REFERENCES offer (number),
        entry TEXT NOT NULL
    );
    CREATE INDEX entry_turn ON entry (turn);
    CREATE INDEX entry_offer ON entry (offer) WHERE offer IS NOT NULL;
";

/// What was said last in each session; new in the third layout.
const CONVERSATIONS: &str = "
    CREATE TABLE conversation (
        session TEXT PRIMARY KEY,
        messages TEXT NOT NULL,
        notes TEXT,
        since REAL NOT NULL
    );
    CREATE INDEX conversation_since ON conversation (since);
    PRAGMA user_version = 3;
";

/// From the first layout, in which each entry had the id of its turn, and each first entry its tools.
const FROM_1: &str = "
    INSERT INTO turn (id, session, utterance, cause, since, opened, settled)
        SELECT id, session, utterance, cause, since, opened, settled FROM turn_1 ORDER BY since, rowid;
    INSERT INTO entry (turn, attempt, entry)
        SELECT number, attempt, entry FROM entry_1 JOIN turn ON turn.id = entry_1.turn ORDER BY sequence;
    DROP TABLE entry_1;
    DROP TABLE turn_1;
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
    /// Another version made it.
    #[error("read the state file {}: its layout is {found}, and this Loquat's is {VERSION}; start the daemon of the newer one", path.display())]
    Layout {
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
        found @ 0..VERSION => renew(&connection, found).map_err(failed)?,
        VERSION => {}
        found => {
            return Err(StateError::Layout {
                path: path.to_owned(),
                found,
            });
        }
    }
    Ok(connection)
}

/// Brings a file that is new, or of a layout before, into this one, whole or not at all.
fn renew(connection: &Connection, found: i64) -> rusqlite::Result<()> {
    let transaction = connection.unchecked_transaction()?;
    if found == 1 {
        transaction.execute_batch(
            "ALTER TABLE turn RENAME TO turn_1;
             ALTER TABLE entry RENAME TO entry_1;
             DROP INDEX turn_since;
             DROP INDEX entry_turn;",
        )?;
    }
    if found < 2 {
        transaction.execute_batch(TABLES)?;
    }
    if found == 1 {
        transaction.execute_batch(FROM_1)?;
    }
    transaction.execute_batch(CONVERSATIONS)?;
    transaction.commit()
}

/// Opens a file that is there, for reading.
pub(super) fn open_to_read(path: &Path) -> Result<Connection, StateError> {
    let failed = |source: rusqlite::Error| file_error(path, source);
    let connection = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY).map_err(failed)?;
    match version(&connection).map_err(failed)? {
        VERSION => Ok(connection),
        found => Err(StateError::Layout {
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
