//! Room on the disk that is kept for the worst moment: a file of nothing, which is given up when the disk is full, so
//! that the small marks which keep an effect from happening twice still fit.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::private;

/// A few dozen marks before the log of the database is used again from its beginning.
const BYTES: usize = 128 << 10;

#[derive(Debug)]
pub(super) struct Reserve(PathBuf);

impl Reserve {
    pub(super) fn beside(file: &Path) -> Self {
        Self(file.with_extension("reserve"))
    }

    /// Takes the room. Real bytes are written, since a file with holes takes none.
    pub(super) fn take(&self) -> io::Result<()> {
        let mut file = private::open(&self.0)?;
        if file.metadata()?.len() == BYTES as u64 {
            return Ok(());
        }
        let taken = fill(&mut file, 1);
        if taken.is_err() {
            self.give_up();
        }
        taken
    }

    /// Takes the reserve if there is as much again: else a disk that is just full would be full and not full by turns.
    pub(super) fn take_with_ease(&self) -> io::Result<()> {
        let mut file = private::open(&self.0)?;
        let taken = fill(&mut file, 2).and_then(|()| file.set_len(BYTES as u64));
        if taken.is_err() {
            self.give_up();
        }
        taken
    }

    /// Gives the room back to the disk.
    pub(super) fn give_up(&self) {
        // It may be gone already.
        std::fs::remove_file(&self.0).unwrap_or_default();
    }
}

fn fill(file: &mut File, times: usize) -> io::Result<()> {
    file.set_len(0)?;
    // Not zeros, of which some file systems make holes.
    let bytes = vec![b'.'; BYTES];
    for _ in 0..times {
        file.write_all(&bytes)?;
    }
    file.sync_data()
}
