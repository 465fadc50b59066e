//! Bounds of what the process may take of the machine. Memory and threads are bounded by the unit that the daemon runs in;
//! here it is only made the first that the kernel ends when memory runs out.

use std::io;

use loquat_sandbox::limits::{lower, set_out_of_memory_score};
use rustix::process::Resource;

/// Connections, files of earlier conversations, and what the runtime holds.
const OPEN_FILES: u64 = 256;

/// A token of the window takes this many bytes in a file, for models far larger than those of a small board.
const BYTES_PER_TOKEN: u64 = 512 << 10;

/// No file of instructions is bounded more tightly than this, in bytes.
const SMALLEST_FILE_BOUND: u64 = 1 << 30;

/// Between the daemon's own score and the 1000 of what goes first of all.
const OUT_OF_MEMORY_SCORE: u16 = 500;

/// Restricts the whole process. A crash leaves no memory on disk, since what people said is in it.
pub(super) fn restrict(context: u32) -> io::Result<()> {
    let largest_file = (u64::from(context) * BYTES_PER_TOKEN).max(SMALLEST_FILE_BOUND);
    lower(&[
        (Resource::Core, 0),
        (Resource::Nofile, OPEN_FILES),
        (Resource::Fsize, largest_file),
    ])?;
    set_out_of_memory_score(OUT_OF_MEMORY_SCORE)
        .unwrap_or_else(|error| tracing::debug!(%error, "the kernel is not told to end this process first"));
    Ok(())
}
