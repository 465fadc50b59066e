//! The last lines of the log, kept in memory for the page. What people say is logged at trace, which never comes here.

use std::collections::VecDeque;
use std::io;
use std::sync::Arc;

use loquat_agent::printable::printable;
use parking_lot::Mutex;
use tokio::sync::watch;

use super::excerpt::shortened;

/// Lines that are kept.
const MOST_LINES: usize = 500;

/// Bytes of a line.
const LONGEST: usize = 1024;

/// The lines. Clones share them.
#[derive(Debug, Clone)]
pub struct LogTail {
    lines: Arc<Mutex<VecDeque<String>>>,
    /// How many there have been.
    count: watch::Sender<u64>,
}

impl Default for LogTail {
    fn default() -> Self {
        Self {
            lines: Arc::default(),
            count: watch::channel(0).0,
        }
    }
}

impl LogTail {
    /// Tells of each line.
    pub(super) fn changes(&self) -> watch::Receiver<u64> {
        self.count.subscribe()
    }

    /// Gives the lines, the oldest first.
    pub(super) fn lines(&self) -> Vec<String> {
        self.lines.lock().iter().cloned().collect()
    }
}

/// Is given whole lines.
impl io::Write for LogTail {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(line);
        let mut lines = self.lines.lock();
        for one in text.lines().filter(|one| !one.trim().is_empty()) {
            if lines.len() >= MOST_LINES {
                lines.pop_front();
            }
            lines.push_back(shortened(&printable(one), LONGEST));
        }
        drop(lines);
        self.count.send_modify(|count| *count += 1);
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn the_last_lines_are_kept() {
        let mut tail = LogTail::default();
        for number in 0..2_000 {
            let line = format!("line {number} {}\n", "x".repeat(5_000));
            tail.write_all(line.as_bytes()).unwrap();
        }
        let lines = tail.lines();
        assert_eq!(lines.len(), MOST_LINES);
        assert!(lines.iter().all(|line| line.len() < LONGEST + 40));
        assert!(lines.last().unwrap().starts_with("line 1999"));
    }
}
