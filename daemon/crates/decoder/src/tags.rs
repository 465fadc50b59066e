//! Recognises `<name …>` and `</name>` where a reply uses them as marks.

/// A tag at the beginning of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Tag<'t> {
    pub name: &'t str,
    /// Says whether it is `</name>`.
    pub closing: bool,
    /// Says whether it is `<name/>`.
    pub self_closing: bool,
    /// The bytes that it takes up.
    pub length: usize,
}

/// A text that is longer is no tag but a comparison. This keeps the search for the closing bracket bounded.
const LONGEST: usize = 120;

/// Reads the tag with which `text` begins, if it begins with one.
pub(crate) fn next_tag(text: &str) -> Option<Tag<'_>> {
    let inside = text.strip_prefix('<')?;
    let end = inside
        .char_indices()
        .take(LONGEST)
        .find(|(_, c)| matches!(c, '>' | '<'))
        .filter(|(_, c)| *c == '>')
        .map(|(at, _)| at)?;
    let body = inside.get(..end)?.trim();
    let self_closing = body.ends_with('/');
    let closing = body.starts_with('/');
    let body = body.trim_start_matches('/').trim_start();
    let length = body
        .find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-' | ':')))
        .unwrap_or(body.len());
    let name = body.get(..length).filter(|name| !name.is_empty())?;
    Some(Tag {
        name,
        closing,
        self_closing,
        length: end + 2,
    })
}
