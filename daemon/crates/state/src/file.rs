//! The file itself: where it is, what its tables are, and how it is opened.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, OpenFlags};

use super::damage::Rescued;
use super::{damage, private};

/// The layout of the tables below. A file with another one is not touched.
const VERSION: i64 = 7;

/// The layout to which nothing but the tables of the records, and what searches them, has been added since.
const WITHOUT_RECORDS: i64 = 5;

/// The layout to which nothing but what searches the records has been added since.
const WITHOUT_SEARCH: i64 = 6;

const NAME: &str = "state.db";

/// Another program that has the file locked is waited for this long. A turn waits as long before each call that may
/// do harm.
const PATIENCE: Duration = Duration::from_millis(500);

/// Turns have numbers of their own, since an index of their ids is written all over. Of a turn, `synchronised` to `whole`
/// decide whether it is gone on with after a crash, and `closing` is what is being said at its end.
const TABLES: &str = "
    CREATE TABLE turn (
        number INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        session TEXT NOT NULL,
        utterance TEXT NOT NULL,
        cause TEXT NOT NULL,
        since REAL NOT NULL,
        opened INTEGER NOT NULL DEFAULT 0,
        settled REAL,
        synchronised INTEGER NOT NULL DEFAULT 0,
        boot TEXT,
        uptime REAL NOT NULL DEFAULT 0,
        attempts INTEGER NOT NULL DEFAULT 0,
        whole INTEGER NOT NULL DEFAULT 1,
        closing TEXT
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
    CREATE TABLE conversation (
        session TEXT PRIMARY KEY,
        messages TEXT NOT NULL,
        notes TEXT,
        since REAL NOT NULL
    );
    CREATE INDEX conversation_since ON conversation (since);
";

/// The tables with the records of the skills.
const RECORDS: &str = "
    CREATE TABLE record (
        kind TEXT NOT NULL,
        id TEXT NOT NULL,
        value TEXT NOT NULL,
        PRIMARY KEY (kind, id)
    ) WITHOUT ROWID;
";

/// The words of what persons had remembered, kept in step with the records by the database itself. A record that takes the
/// place of another one of its id does not fire the trigger of deletions.
const SEARCH: &str = "
    CREATE VIRTUAL TABLE memory_text
        USING fts5 (text, id UNINDEXED, owner UNINDEXED, tokenize = 'porter unicode61 remove_diacritics 2');
    CREATE TRIGGER memory_kept AFTER INSERT ON record WHEN NEW.kind = 'memory' BEGIN
        DELETE FROM memory_text WHERE id = NEW.id;
        INSERT INTO memory_text (text, id, owner) VALUES (NEW.value ->> 'text', NEW.id, NEW.value ->> 'owner');
    END;
    CREATE TRIGGER memory_forgotten AFTER DELETE ON record WHEN OLD.kind = 'memory' BEGIN
        DELETE FROM memory_text WHERE id = OLD.id;
    END;
";

/// Says why there is no state.
#[derive(Debug, thiserror::Error)]
pub enum StateError {
    /// The folder cannot be made.
    #[error("make the state folder {}; set STATE_DIRECTORY or XDG_STATE_HOME to one that can be written", path.display())]
    Folder {
        /// The folder is here.
        path: PathBuf,
        /// The operating system says this.
        #[source]
        source: io::Error,
    },
    /// The file cannot be opened or written.
    #[error("open the state file {}", path.display())]
    File {
        /// The file is here.
        path: PathBuf,
        /// The operating system or the database says this.
        #[source]
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// Another version of Loquat made the file.
    #[error(
        "read the state file {path}: its layout is {found}, and this Loquat's is {VERSION}; start the Loquat that made it, or \
         move the file away to begin without what it holds",
        path = .path.display()
    )]
    Layout {
        /// The file is here.
        path: PathBuf,
        /// The file has a layout of this number.
        found: i64,
    },
}

#[derive(Debug)]
pub(super) struct Opened {
    pub(super) connection: Connection,
    pub(super) path: PathBuf,
    /// What was rescued from the file before; absent unless that one was damaged and is put aside now.
    pub(super) rescued: Option<Rescued>,
}

impl StateError {
    /// Tells whether opening failed only because another process has the file locked.
    pub(super) fn is_locked(&self) -> bool {
        matches!(
            self.code(),
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked)
        )
    }

    /// Tells whether opening failed because the file is damaged.
    pub(super) fn is_damaged(&self) -> bool {
        matches!(
            self.code(),
            Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt)
        )
    }

    /// Gives the database's own code of the error, if it is one of the database.
    fn code(&self) -> Option<ErrorCode> {
        match self {
            Self::File { source, .. } => source.downcast_ref().and_then(rusqlite::Error::sqlite_error_code),
            _ => None,
        }
    }
}

pub(super) fn path_in(folder: &Path) -> PathBuf {
    folder.join(NAME)
}

/// Opens the file for writing and looks it through; makes folder, file and tables where they are missing. Only the owner
/// may read them. `unix_seconds` is now, and names a damaged file that is put aside.
pub(super) fn open(folder: &Path, unix_seconds: i64) -> Result<Opened, StateError> {
    let in_folder = |source| StateError::Folder {
        path: folder.to_owned(),
        source,
    };
    private::make_folder(folder).map_err(in_folder)?;
    // The database refuses a path with a symbolic link anywhere; the folder may be reached through one.
    let path = path_in(&folder.canonicalize().map_err(in_folder)?);
    for rest in ["db-wal", "db-shm", "db-journal"] {
        private::secure(&path.with_extension(rest)).map_err(|source| file_error(&path, source))?;
    }
    let looked_through = open_whole(&path).and_then(|connection| {
        let is_whole = damage::check(&connection, &path).map_err(|source| file_error(&path, source))?;
        Ok(is_whole.then_some(connection))
    });
    let opened = match looked_through {
        Ok(Some(connection)) => Opened {
            connection,
            path,
            rescued: None,
        },
        Err(error) if !error.is_damaged() => return Err(error),
        Ok(None) | Err(_) => begin_anew(path, unix_seconds)?,
    };
    loquat_disk::sync(folder);
    Ok(opened)
}

/// Puts a damaged file, to which no connection is left, aside and opens a new one.
pub(super) fn begin_anew(path: PathBuf, unix_seconds: i64) -> Result<Opened, StateError> {
    let rescued = damage::rescue(&path);
    damage::put_aside(&path, unix_seconds).map_err(|source| file_error(&path, source))?;
    Ok(Opened {
        connection: open_whole(&path)?,
        path,
        rescued: Some(rescued),
    })
}

fn open_whole(path: &Path) -> Result<Connection, StateError> {
    let failed = |source: rusqlite::Error| file_error(path, source);
    drop(private::open(path).map_err(|source| file_error(path, source))?);
    let flags = OpenFlags::default() | OpenFlags::SQLITE_OPEN_NOFOLLOW;
    let connection = Connection::open_with_flags(path, flags).map_err(failed)?;
    connection.busy_timeout(PATIENCE).map_err(failed)?;
    connection
        .execute_batch("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON;")
        .map_err(failed)?;
    match version(&connection).map_err(failed)? {
        0 => make_tables(&connection, &[TABLES, RECORDS, SEARCH]).map_err(failed)?,
        WITHOUT_RECORDS => make_tables(&connection, &[RECORDS, SEARCH]).map_err(failed)?,
        WITHOUT_SEARCH => make_tables(&connection, &[SEARCH]).map_err(failed)?,
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

/// Makes tables that are missing, all or none.
fn make_tables(connection: &Connection, tables: &[&str]) -> rusqlite::Result<()> {
    let transaction = connection.unchecked_transaction()?;
    for tables in tables {
        transaction.execute_batch(tables)?;
    }
    touch(&transaction)?;
    transaction.commit()
}

/// Writes a page and changes nothing.
pub(super) fn touch(connection: &Connection) -> rusqlite::Result<()> {
    connection.pragma_update(None, "user_version", VERSION)
}

/// Opens a file that is there, for reading.
pub(super) fn open_to_read(path: &Path) -> Result<Connection, StateError> {
    open_that_is_there(path, OpenFlags::SQLITE_OPEN_READ_ONLY)
}

/// Opens a file that is there, beside the daemon that may have it open.
pub(super) fn open_to_change(path: &Path) -> Result<Connection, StateError> {
    open_that_is_there(path, OpenFlags::SQLITE_OPEN_READ_WRITE)
}

fn open_that_is_there(path: &Path, flags: OpenFlags) -> Result<Connection, StateError> {
    let failed = |source: rusqlite::Error| file_error(path, source);
    let connection = Connection::open_with_flags(path, flags).map_err(failed)?;
    connection.busy_timeout(PATIENCE).map_err(failed)?;
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
