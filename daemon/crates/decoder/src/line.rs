//! The lines of a reply, by where they begin. Knows nothing of what stands in them.

/// Finds the beginning of the next line behind a place; it is the end of the text where there is none.
pub(super) fn next_line(text: &str, position: usize) -> usize {
    let rest = text.get(position..).unwrap_or_default();
    rest.find('\n').map_or(text.len(), |offset| position + offset + 1)
}
