//! Texts of strangers as they can be said: titles, and the names of networks and devices. They are cut and freed of what is
//! not to be heard.
//!
//! Judges no content; what brings such texts marks its results.

use loquat_agent::printable::printable;
use loquat_agent::speakable;

/// In characters; a longer title is none.
const LONGEST_TEXT: usize = 120;

/// As it can be said, on one line.
pub fn plain(text: &str) -> Option<String> {
    let short: String = text.chars().take(4 * LONGEST_TEXT).collect();
    let line = printable(&short);
    let line = line.split_whitespace().collect::<Vec<_>>().join(" ");
    let said: String = speakable(&line).chars().take(LONGEST_TEXT).collect();
    let said = said.trim().to_owned();
    said.chars().any(char::is_alphanumeric).then_some(said)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_to_be_heard_is_left_out() {
        assert_eq!(plain("A\u{1b}[2J  song\n\u{0}"), Some("A[2J song".to_owned()));
        assert_eq!(plain("\u{7}\u{8}"), None);
        assert_eq!(
            plain(&"x".repeat(1 << 20)).map(|text| text.len()),
            Some(LONGEST_TEXT)
        );
    }
}
