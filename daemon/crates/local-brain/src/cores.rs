//! Counts processor cores. Never counts the second thread of a core, nor cores that the process may not use.

use std::collections::BTreeSet;
use std::path::Path;

/// The physical cores that may be used; at least one.
pub(crate) fn physical() -> usize {
    let usable = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    match distinct_cores(Path::new("/sys/devices/system/cpu")) {
        0 => usable,
        cores => cores.min(usable),
    }
}

/// Threads of one core name the same siblings; machines that do not say give zero.
fn distinct_cores(folder: &Path) -> usize {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return 0;
    };
    let siblings: BTreeSet<String> = entries
        .filter_map(Result::ok)
        .filter_map(|entry| std::fs::read_to_string(entry.path().join("topology/thread_siblings_list")).ok())
        .collect();
    siblings.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_of_one_core_count_once() {
        let folder = tempfile::tempdir().unwrap();
        for (processor, siblings) in [
            ("cpu0", "0,2\n"),
            ("cpu1", "1,3\n"),
            ("cpu2", "0,2\n"),
            ("cpu3", "1,3\n"),
        ] {
            let topology = folder.path().join(processor).join("topology");
            std::fs::create_dir_all(&topology).unwrap();
            std::fs::write(topology.join("thread_siblings_list"), siblings).unwrap();
        }
        std::fs::create_dir(folder.path().join("cpufreq")).unwrap();
        assert_eq!(distinct_cores(folder.path()), 2);
    }

    #[test]
    fn there_is_always_one() {
        assert_eq!(distinct_cores(Path::new("/nonexistent")), 0);
        assert!(physical() >= 1);
    }
}
