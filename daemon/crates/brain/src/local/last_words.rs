//! What a worker writes to its standard error: to the log, and the end of it into the reason when it dies.

use std::collections::VecDeque;
use std::sync::Arc;

use parking_lot::Mutex;
use tokio::io::{AsyncRead, AsyncReadExt};

/// A stack of causes fits.
const KEPT_LINES: usize = 6;

/// A sentence with two paths fits.
const MAX_LINE_CHARS: usize = 300;

/// The last lines of one worker.
#[derive(Debug, Clone, Default)]
pub(crate) struct LastWords(Arc<Mutex<VecDeque<String>>>);

impl LastWords {
    /// Listens until the worker closes its end.
    pub(crate) async fn listen(self, mut stderr: impl AsyncRead + Unpin) {
        let mut line = Vec::new();
        let mut bytes = [0; 4096];
        while let Ok(count @ 1..) = stderr.read(&mut bytes).await {
            for &byte in bytes.iter().take(count) {
                match byte {
                    b'\n' => self.keep(&std::mem::take(&mut line)),
                    // A character has at most four bytes; what is longer is cut.
                    _ if line.len() < 4 * MAX_LINE_CHARS => line.push(byte),
                    _ => {}
                }
            }
        }
        self.keep(&line);
    }

    fn keep(&self, line: &[u8]) {
        let text = String::from_utf8_lossy(line);
        let text: String = text.trim().chars().take(MAX_LINE_CHARS).collect();
        if text.is_empty() {
            return;
        }
        tracing::debug!(line = text, "local brain worker says");
        let mut lines = self.0.lock();
        if lines.len() == KEPT_LINES {
            lines.pop_front();
        }
        lines.push_back(text);
    }

    /// Finds the worker's complaint: its last line that begins with `error:`, or else its last line.
    pub(crate) fn complaint(&self) -> Option<String> {
        let lines = self.0.lock();
        let error = lines.iter().rev().find_map(|line| line.strip_prefix("error:"));
        error
            .or_else(|| lines.back().map(String::as_str))
            .map(|line| line.trim().to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn complaint(stderr: &[u8]) -> Option<String> {
        let words = LastWords::default();
        words.clone().listen(stderr).await;
        words.complaint()
    }

    #[tokio::test]
    async fn the_error_line_is_preferred() {
        assert_eq!(complaint(b"").await, None);
        assert_eq!(complaint(b"one\n two \n\n").await.as_deref(), Some("two"));
        assert_eq!(complaint(b"error: a\nerror: b\nlast").await.as_deref(), Some("b"));
    }

    #[tokio::test]
    async fn endless_words_are_cut() {
        let words = LastWords::default();
        words.clone().listen("x".repeat(100_000).as_bytes()).await;
        words.clone().listen("y\n".repeat(100_000).as_bytes()).await;
        assert_eq!(words.0.lock().len(), KEPT_LINES);
        assert_eq!(
            complaint("x".repeat(100_000).as_bytes())
                .await
                .map(|line| line.len()),
            Some(MAX_LINE_CHARS)
        );
    }
}
