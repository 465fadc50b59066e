//! Has names in folders survive a loss of power: a file that was synced is still lost with the name that leads to it, until
//! the folder is synced too. Writes no file.

use std::fs::{DirBuilder, File};
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::Path;

/// Brings the names in a folder onto the disk. A file system that cannot is asked for no more.
pub fn sync(folder: &Path) {
    let synced = File::open(folder).and_then(|folder| folder.sync_all());
    if let Err(error) = synced {
        tracing::debug!(%error, folder = %folder.display(), "the names in a folder were not brought onto the disk");
    }
}

/// Makes a folder and those above it where they are missing, with these rights and names that survive.
pub fn make_folder(folder: &Path, mode: u32) -> io::Result<()> {
    let missing: Vec<&Path> = folder.ancestors().take_while(|place| !place.exists()).collect();
    DirBuilder::new().recursive(true).mode(mode).create(folder)?;
    missing.iter().filter_map(|made| made.parent()).for_each(sync);
    Ok(())
}
