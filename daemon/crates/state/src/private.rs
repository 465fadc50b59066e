//! Files and folders that only their owner may read, and that are not opened through a link of another user.

use std::fs::{File, OpenOptions, Permissions};
use std::io;
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::Path;

use rustix::fs::OFlags;

const OWNER_ONLY: u32 = 0o600;

/// The mode of a folder.
const ENTERED_BY_OWNER_ONLY: u32 = 0o700;

/// Makes the state folder where it is missing. Only the owner may enter it.
pub(super) fn make_folder(folder: &Path) -> io::Result<()> {
    loquat_disk::make_folder(folder, ENTERED_BY_OWNER_ONLY)
}

/// Opens a file for reading and writing and makes it where it is missing. One that others could read is closed to them.
///
/// # Errors
/// Also when the file is a symbolic link, or is no file.
pub(super) fn open(path: &Path) -> io::Result<File> {
    secured(OpenOptions::new().create(true), path)
}

/// Makes a file private that need not be there.
pub(super) fn secure(path: &Path) -> io::Result<()> {
    match secured(&mut OpenOptions::new(), path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        result => result.map(drop),
    }
}

fn secured(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    // Never waits, as it would for the writer of a named pipe.
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
    let file = options
        .read(true)
        .write(true)
        .mode(OWNER_ONLY)
        .custom_flags(flags.bits().cast_signed())
        .open(path)?;
    let metadata = file.metadata()?;
    if !metadata.is_file() {
        return Err(io::Error::other("it is no regular file"));
    }
    if metadata.permissions().mode() & 0o777 != OWNER_ONLY {
        file.set_permissions(Permissions::from_mode(OWNER_ONLY))?;
    }
    Ok(file)
}
