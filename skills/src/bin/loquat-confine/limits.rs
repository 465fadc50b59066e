//! Bounds of what a command may take of the machine.

use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use loquat_sandbox::limits::{lower, set_out_of_memory_score};
use rustix::process::{Resource, getuid};

/// Of one process, in bytes.
const MOST_MEMORY: u64 = 1 << 30;
const LARGEST_FILE: u64 = 64 << 20;
const OPEN_FILES: u64 = 256;

/// Processes and threads, beside those that this person has already.
const MORE_PROCESSES: u64 = 64;

/// What goes first of all when memory runs out.
const OUT_OF_MEMORY_SCORE: u16 = 1000;

/// Restricts this process and those that it starts. A crash leaves nothing on the disk.
pub(crate) fn restrict(seconds: u64) -> io::Result<()> {
    lower(&[
        (Resource::Core, 0),
        (Resource::Cpu, seconds.saturating_add(1)),
        (Resource::As, MOST_MEMORY),
        (Resource::Fsize, LARGEST_FILE),
        (Resource::Nofile, OPEN_FILES),
        (
            Resource::Nproc,
            present_processes().saturating_add(MORE_PROCESSES),
        ),
    ])
}

/// Lets the kernel end this process and those that it starts before any other. A process that has become another
/// person's cannot say so any more; a kernel that is not told ends whichever it likes.
pub(crate) fn go_first() {
    set_out_of_memory_score(OUT_OF_MEMORY_SCORE).unwrap_or_default();
}

/// The kernel counts all processes and threads of a person, so a bound has to know those that are there.
fn present_processes() -> u64 {
    let person = getuid().as_raw();
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    let own = processes.filter(|process| process.metadata().is_ok_and(|about| about.uid() == person));
    own.map(|process| threads(&process.path())).sum()
}

/// None, where it is no process.
fn threads(process: &Path) -> u64 {
    fs::read_dir(process.join("task")).map_or(0, |threads| threads.map(|_| 1_u64).sum())
}
