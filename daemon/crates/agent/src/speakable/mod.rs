//! Makes an answer fit for a voice: no reasoning, no protocol, no Markdown, no JSON.
//!
//! Ordinary text is left as it is, line breaks included. This is the last door before a person's ears: it never
//! returns protocol text, and it returns nothing rather than that.

mod emphasis;
mod json;
mod lines;
mod protocol;
#[cfg(test)]
mod tests;

/// The part of `text` that can be said aloud; empty when there is none. Linear in its input, never panics.
pub fn speakable(text: &str) -> String {
    let text = protocol::strip(text);
    let text = json::unwrap(&text);
    let text = lines::plain(&text);
    let text = emphasis::plain(&text);
    tidy(&text)
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
