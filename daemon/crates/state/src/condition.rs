//! How the file on the disk fares, and what an error of the database says about that.

use rusqlite::ErrorCode;

/// Says what keeps the state from being written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trouble {
    /// There is no room left.
    Full,
    /// Another program keeps the file locked.
    Locked,
    /// The disk, or the folder, does not take what is written.
    Unwritable,
}

/// Says how the file fares.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Condition {
    /// The trouble at present; absent where all is well.
    pub trouble: Option<Trouble>,
    /// The number of times since the start that a file was found damaged and put aside.
    pub damages: u32,
}

/// Says why orders were not carried out.
#[derive(Debug)]
pub(super) enum Fault {
    /// The file is not what was written.
    Damaged(rusqlite::Error),
    /// It cannot be written now.
    Trouble(Trouble, rusqlite::Error),
}

impl Fault {
    /// Judges what an error says about the file. An error that is about one order only comes back.
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
