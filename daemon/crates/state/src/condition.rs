//! How the file on the disk fares, and what an error of the database says about that.

use rusqlite::ErrorCode;

use super::file::StateError;

/// What keeps the state from being written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trouble {
    /// There is no room left.
    Full,
    /// Another program keeps the file locked.
    Locked,
    /// The disk, or the folder, does not take what is written.
    Unwritable,
}

/// How the file fares.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Condition {
    /// What is wrong now.
    pub trouble: Option<Trouble>,
    /// How often a file was found damaged and put aside since the start.
    pub damages: u32,
}

/// Why orders were not carried out.
#[derive(Debug)]
pub(super) enum Fault {
    /// The file is not what was written.
    Damaged(rusqlite::Error),
    /// It cannot be written now.
    Trouble(Trouble, rusqlite::Error),
}

impl Fault {
    /// What an error says about the file; nothing when it is about one order only.
    pub(super) fn of(error: rusqlite::Error) -> Result<Self, rusqlite::Error> {
        let trouble = match error.sqlite_error_code() {
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => return Ok(Self::Damaged(error)),
            Some(ErrorCode::DiskFull) => Trouble::Full,
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Trouble::Locked,
            Some(
                ErrorCode::SystemIoFailure
                | ErrorCode::ReadOnly
                | ErrorCode::CannotOpen
                | ErrorCode::PermissionDenied,
            ) => Trouble::Unwritable,
            _ => return Err(error),
        };
        Ok(Self::Trouble(trouble, error))
    }

    /// Reads an error that is about the whole file in any case.
    pub(super) fn of_file(error: rusqlite::Error) -> Self {
        Self::of(error).unwrap_or_else(|error| Self::Trouble(Trouble::Unwritable, error))
    }
}

/// Whether opening failed only because another process has the file locked.
pub(super) fn is_locked(error: &StateError) -> bool {
    let code = error.database().and_then(rusqlite::Error::sqlite_error_code);
    matches!(code, Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked))
}

/// Whether opening failed because the file is damaged.
pub(super) fn is_damaged(error: &StateError) -> bool {
    let code = error.database().and_then(rusqlite::Error::sqlite_error_code);
    matches!(code, Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt))
}
