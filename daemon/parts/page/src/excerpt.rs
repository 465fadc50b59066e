//! The beginning of a text that is too long to be kept. Knows no text.

/// Cuts a text to so many bytes at most, by whole letters.
pub(super) fn shortened(text: &str, most: usize) -> String {
    if text.len() <= most {
        return text.to_owned();
    }
    let ends = text.char_indices().map(|(at, letter)| at + letter.len_utf8());
    let end = ends.take_while(|end| *end <= most).last().unwrap_or_default();
    let rest = text.len() - end;
    format!("{}… ({rest} more bytes)", text.get(..end).unwrap_or_default())
}
