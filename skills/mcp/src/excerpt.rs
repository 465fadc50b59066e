//! Texts of servers as they are shown: on one line, and cut. Judges no content.

use loquat_agent::printable::printable;

/// In one line, without control characters, and no longer than so many characters.
pub(super) fn shortened(text: &str, most: usize) -> String {
    // What is far too long is not even looked at.
    let end = text
        .char_indices()
        .nth(4 * most)
        .map_or(text.len(), |(end, _)| end);
    let shown = printable(text.get(..end).unwrap_or_default());
    let line = shown.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= most {
        return line;
    }
    let kept: String = line.chars().take(most.saturating_sub(1)).collect();
    format!("{kept}…")
}
