//! The letters of a document: as its headers say, as it says itself at its beginning, or else UTF-8.

use encoding_rs::{Encoding, UTF_8};

/// How far into a page its own word is looked for, in bytes.
const BEGINNING: usize = 1024;

/// The text of a document.
pub(super) fn text(content_type: &str, body: &[u8]) -> String {
    let beginning = body.get(..BEGINNING.min(body.len())).unwrap_or_default();
    let beginning = String::from_utf8_lossy(beginning).to_ascii_lowercase();
    let encoding = named(content_type).or_else(|| named(&beginning));
    let (text, _, _) = encoding.unwrap_or(UTF_8).decode(body);
    text.into_owned()
}

/// The encoding that a text names: `charset=iso-8859-1`.
fn named(text: &str) -> Option<&'static Encoding> {
    let (_, label) = text.split_once("charset=")?;
    let label = label.trim_start_matches(['"', '\'']);
    let label = label.split(['"', '\'', ';', '>', ' ', '/']).next()?;
    Encoding::for_label(label.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::text;

    #[test]
    fn letters_are_read_as_they_were_written() {
        for (content_type, body, expected) in [
            ("text/html; charset=utf-8", "für".as_bytes(), "für"),
            ("text/html", "für".as_bytes(), "für"),
            ("text/html; charset=\"iso-8859-1\"", b"f\xfcr", "für"),
            (
                "text/html",
                b"<meta charset=latin1>f\xfcr",
                "<meta charset=latin1>für",
            ),
            (
                "text/html",
                b"<META charset='windows-1252'/>f\xfcr",
                "<META charset='windows-1252'/>für",
            ),
            ("text/html; charset=klingon", b"f\xfcr", "f\u{fffd}r"),
        ] {
            assert_eq!(text(content_type, body), expected, "{content_type}");
        }
    }
}
