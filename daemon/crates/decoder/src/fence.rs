//! Markdown code fences: taking them off, and finding the blocks between them.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Block<'t> {
    /// The text that follows the opening fence on its line, for example `json`.
    pub language: &'t str,
    /// It is the text between the fences.
    pub body: &'t str,
    /// The place at which the opening fence begins.
    pub start: usize,
    /// It is the place behind the closing fence.
    pub end: usize,
}

/// Reads the block that begins with `text`, white space aside; a fence that never closes goes on to the end.
pub(crate) fn block_at(text: &str) -> Option<Block<'_>> {
    let fenced = text.trim_start();
    let start = text.len() - fenced.len();
    let inside = fenced.strip_prefix("```")?;
    let (language, body_start) = language(inside);
    let body = inside.get(body_start..)?;
    let length = closing(body);
    let body = body.get(..length.unwrap_or(body.len()))?;
    let end = start + 3 + body_start + body.len() + length.map_or(0, |_| 3);
    Some(Block {
        language,
        body: body.trim(),
        start,
        end,
    })
}

/// Finds the fence that closes a block. A fence in a text of a JSON value closes nothing.
fn closing(body: &str) -> Option<usize> {
    let first = body.find("```")?;
    if !body.trim_start().starts_with(['{', '[']) {
        return Some(first);
    }
    outside_texts(body).or(Some(first))
}

/// Finds the first fence that stands in no JSON text; nothing as soon as this is no JSON.
fn outside_texts(body: &str) -> Option<usize> {
    let mut in_text = false;
    let mut escaped = false;
    for (at, byte) in body.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_text => escaped = true,
            b'"' => in_text = !in_text,
            b'\\' => return None,
            b'\n' if in_text => return None,
            b'`' if !in_text && body.get(at..)?.starts_with("```") => return Some(at),
            _ => {}
        }
    }
    None
}

/// Languages in which models write calls.
const CODE: &[&str] = &["json", "tool_code", "tool_call", "python", "text", "xml"];

/// Gives the language of a block and where its body begins: on the next line, or at once when the fence is
/// inline.
fn language(inside: &str) -> (&str, usize) {
    let length = inside
        .find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-' | '+')))
        .unwrap_or(inside.len());
    let word = inside.get(..length).unwrap_or_default();
    let rest = inside.get(length..).unwrap_or_default();
    match rest.chars().next() {
        Some('\n' | '\r' | '{' | '[') => (word, length),
        // Words between fences on one line have no language.
        Some(' ' | '\t') => {
            let line = rest.lines().next().unwrap_or_default();
            let code = line.trim_start().starts_with(['{', '[', '<']) || CODE.contains(&word);
            if code || !line.contains("```") {
                (word, length)
            } else {
                ("", 0)
            }
        }
        _ => ("", 0),
    }
}

/// Tells whether what follows `before` stands in inline code: behind a backtick that is no part of a fence.
pub(crate) fn is_code(before: &str) -> bool {
    before.ends_with('`') && !before.ends_with("```")
}

pub(crate) fn blocks(text: &str) -> Vec<Block<'_>> {
    let mut found = Vec::new();
    let mut position = 0;
    while let Some(offset) = text.get(position..).and_then(|rest| rest.find("```")) {
        let start = position + offset;
        let Some(block) = text.get(start..).and_then(block_at) else {
            break;
        };
        position = start + block.end.max(3);
        found.push(Block {
            start: start + block.start,
            end: position,
            ..block
        });
    }
    found
}

/// Takes the white space around `text` off, and a fence or backticks around all of it.
pub fn unwrap(text: &str) -> &str {
    let text = text.trim();
    if let Some(block) = block_at(text) {
        if text.get(block.end..).is_none_or(|rest| rest.trim().is_empty()) {
            return block.body;
        }
        return text;
    }
    let text = text.strip_suffix("```").unwrap_or(text).trim_end();
    match text.strip_prefix('`').and_then(|inside| inside.strip_suffix('`')) {
        Some(inside) if !inside.contains('`') => inside.trim(),
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fences_come_off() {
        assert_eq!(unwrap("```json\n{\"a\": 1}\n```"), "{\"a\": 1}");
        assert_eq!(unwrap("```{\"a\": 1}```"), "{\"a\": 1}");
        assert_eq!(unwrap("```\nadd\n"), "add");
        assert_eq!(unwrap("```capital of France```"), "capital of France");
        assert_eq!(unwrap("```json {\"a\": 1}```"), "{\"a\": 1}");
        assert_eq!(
            unwrap("```json\n{\"a\": \"``` \\\" ```\"}\n```"),
            "{\"a\": \"``` \\\" ```\"}"
        );
        assert_eq!(unwrap("{\"a\": 1}\n```"), "{\"a\": 1}");
        assert_eq!(unwrap("`add`"), "add");
        assert_eq!(unwrap("plain"), "plain");
        assert_eq!(unwrap("```a\nb\n``` and more"), "```a\nb\n``` and more");
    }

    #[test]
    fn all_blocks_are_found() {
        let text = "one\n```json\n{}\n```\ntwo\n```\nx";
        let found = blocks(text);
        assert_eq!(
            found.iter().map(|b| (b.language, b.body)).collect::<Vec<_>>(),
            [("json", "{}"), ("", "x")]
        );
        assert_eq!(&text[found[0].start..found[0].end], "```json\n{}\n```");
        assert!(blocks("no fence").is_empty());
    }
}
