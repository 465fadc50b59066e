//! Makes an answer fit for a voice: no reasoning, no protocol, no Markdown, no JSON, no control characters.
//!
//! Ordinary text is left as it is, line breaks included. This is the last door before a person's ears: it never
//! returns protocol text, and it returns nothing rather than that.

mod emphasis;
mod json;
mod lines;
mod protocol;
#[cfg(test)]
mod tests;

use crate::printable::printable;

/// Gives the part of `text` that can be said aloud; it is empty when there is none. Its time is linear
/// in the text, and it never panics.
pub fn speakable(text: &str) -> String {
    if text.trim().is_empty() {
        return String::new();
    }
    let Some(text) = bare(&printable(text)) else {
        return String::new();
    };
    let text = lines::plain(&text);
    let text = emphasis::plain(&text);
    tidy(&text)
}

/// Wrappings in wrappings are taken off this often; what still has one is no answer.
const MOST_WRAPPINGS: usize = 4;

/// Takes the protocol and the JSON off that stand around words, each of which may hide in the other.
fn bare(text: &str) -> Option<String> {
    let mut text = text.to_owned();
    for _ in 0..MOST_WRAPPINGS {
        let stripped = json::unwrap(&protocol::strip(&text));
        if stripped == text {
            return Some(text);
        }
        text = stripped;
    }
    None
}

/// Takes off white space at line ends and keeps one empty line at most.
fn tidy(text: &str) -> String {
    let mut tidy = String::with_capacity(text.len());
    let mut empty = 0;
    for line in text.lines().map(str::trim_end) {
        empty = if line.is_empty() { empty + 1 } else { 0 };
        if empty < 2 {
            tidy.push_str(line);
            tidy.push('\n');
        }
    }
    tidy.trim().to_owned()
}
