//! Whether the processes of a group work or wait, as the kernel sees them.

use std::fs;
use std::path::Path;

/// Sums up the work of all processes of a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Activity {
    /// Says whether every thread waits for something that is no disk.
    pub(super) all_wait: bool,
    /// Processor time that was used so far, in ticks of the kernel.
    pub(super) ticks: u64,
}

/// Looks at the process group with this number; nothing comes where the kernel does not tell.
pub(super) fn activity(group: i32) -> Option<Activity> {
    let mut found = None;
    for process in fs::read_dir("/proc").ok()?.flatten() {
        let is_process = process
            .file_name()
            .as_encoded_bytes()
            .iter()
            .all(u8::is_ascii_digit);
        let stat = is_process.then(|| Stat::read(&process.path())).flatten();
        let Some(stat) = stat.filter(|stat| stat.group == group) else {
            continue;
        };
        let seen = found.get_or_insert(Activity {
            all_wait: true,
            ticks: 0,
        });
        seen.ticks += stat.ticks;
        seen.all_wait &= all_threads_wait(&process.path());
    }
    found
}

fn all_threads_wait(process: &Path) -> bool {
    let threads = fs::read_dir(process.join("task")).into_iter().flatten().flatten();
    let mut states = threads.filter_map(|thread| Stat::read(&thread.path()));
    states.all(|stat| !matches!(stat.state, 'R' | 'D'))
}

/// The fields of `stat` in `proc(5)` that are used here.
#[derive(Debug)]
struct Stat {
    state: char,
    group: i32,
    ticks: u64,
}

impl Stat {
    fn read(of: &Path) -> Option<Self> {
        Self::parse(&fs::read_to_string(of.join("stat")).ok()?)
    }

    /// The name of the program stands in brackets and may hold anything.
    fn parse(line: &str) -> Option<Self> {
        let (_, fields) = line.rsplit_once(") ")?;
        let fields: Vec<&str> = fields.split(' ').collect();
        let number = |at: usize| -> Option<u64> { fields.get(at)?.parse().ok() };
        Some(Self {
            state: fields.first()?.chars().next()?,
            group: fields.get(2)?.parse().ok()?,
            ticks: number(11)? + number(12)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_may_be_called_anything() {
        let line = "7 (a) R (b) S 1 42 42 0 -1 4194560 1 0 0 0 30 12 0 0 20 0 1 0 5 0 0";
        let stat = Stat::parse(line).unwrap();
        assert_eq!((stat.state, stat.group, stat.ticks), ('S', 42, 42));
    }

    #[test]
    fn this_test_works_and_no_group_of_minus_one_does() {
        let own = rustix::process::getpgrp().as_raw_nonzero().get();
        let seen = activity(own).unwrap();
        assert!(!seen.all_wait, "{seen:?}");
        assert_eq!(activity(-1), None);
    }
}
