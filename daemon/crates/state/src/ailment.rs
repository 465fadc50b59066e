//! What is wrong with the state folder, for a program outside of the daemon. Nothing is made or changed here.

use std::path::{Path, PathBuf};

use rustix::fs::{Access, access, statvfs};

use super::damage;
use super::file::{self, StateError};

/// With less room than this the daemon soon writes nothing more.
const LEAST_BYTES: u64 = 4 << 20;

/// Says what is wrong with the state folder.
#[derive(Debug, thiserror::Error)]
pub enum Ailment {
    /// There is hardly any room left.
    #[error("only {} KiB are free on the disk of {}", free_bytes >> 10, folder.display())]
    Full {
        /// The state folder.
        folder: PathBuf,
        /// The bytes that are left.
        free_bytes: u64,
    },
    /// This user must not write there.
    #[error("{} cannot be written by this user", folder.display())]
    Unwritable {
        /// The state folder.
        folder: PathBuf,
    },
    /// The file is not what was written.
    #[error("{} is damaged; the next start puts it aside", path.display())]
    Damaged {
        /// The file is here.
        path: PathBuf,
    },
    /// The file cannot be opened.
    #[error(transparent)]
    File(#[from] StateError),
}

/// Looks at a state folder, which need not be there.
pub fn examine(folder: &Path) -> Result<(), Ailment> {
    let Some(there) = folder.ancestors().find(|place| place.exists()) else {
        return Ok(());
    };
    if access(there, Access::WRITE_OK).is_err() {
        let folder = there.to_owned();
        return Err(Ailment::Unwritable { folder });
    }
    // Where the system does not tell, there is room.
    let free_bytes = statvfs(there).map_or(u64::MAX, |disk| disk.f_bavail.saturating_mul(disk.f_frsize));
    if free_bytes < LEAST_BYTES {
        let folder = there.to_owned();
        return Err(Ailment::Full { folder, free_bytes });
    }
    let path = file::path_in(folder);
    if path.exists() { whole(path) } else { Ok(()) }
}

fn whole(path: PathBuf) -> Result<(), Ailment> {
    let is_whole = match file::open_to_read(&path) {
        Ok(connection) => damage::check(&connection, &path).unwrap_or(false),
        // The tables of a file that was only just made are made by the next start.
        Err(StateError::Layout { found: 0, .. }) => true,
        Err(error) if error.is_damaged() => false,
        Err(error) => return Err(error.into()),
    };
    if is_whole {
        Ok(())
    } else {
        Err(Ailment::Damaged { path })
    }
}
