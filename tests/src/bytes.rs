//! How much lies on the disk.

use std::fs;
use std::path::Path;

/// Counts what lies below a folder, in bytes.
pub fn bytes_below(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let sizes = entries.map(|entry| match entry.metadata() {
        Ok(metadata) if metadata.is_dir() => bytes_below(&entry.path()),
        Ok(metadata) => metadata.len(),
        // It has gone meanwhile.
        Err(_) => 0,
    });
    sizes.sum()
}
