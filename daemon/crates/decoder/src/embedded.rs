//! Calls of known tools, in JSON or as a list in Python's shape, that stand in a block of their own amid prose: in a code
//! fence, or from a line's beginning to a line's end. What stands inside a sentence is never a call.

use super::call::{Arguments, Call, Ending, Names};
use super::fence::{Block, blocks};
use super::line::next_line;
use super::object::{Meaning, meaning};

/// More places than this are not tried, so that time stays linear.
const MOST_PLACES: usize = 8;

/// Calls with the words around them.
#[derive(Debug, PartialEq)]
pub(super) struct Embedded<'t> {
    pub(super) calls: Vec<Call>,
    /// The text before the first call.
    pub(super) before: &'t str,
    /// The text behind the last call.
    pub(super) behind: &'t str,
}

/// Finds the calls, if there are any; only of tools that are on offer.
pub(super) fn calls<'t>(text: &'t str, names: &Names) -> Option<Embedded<'t>> {
    let fenced = blocks(text).into_iter().filter(may_hold).take(MOST_PLACES);
    let fenced = fenced.filter_map(|block| Some((known(block.body, names)?, block.start, block.end)));
    let found: Vec<_> = fenced.collect();
    let found = if found.is_empty() {
        own_lines(text, names)
    } else {
        found
    };
    let (start, end) = (found.first()?.1, found.last()?.2);
    Some(Embedded {
        before: text.get(..start)?.trim(),
        behind: text.get(end..)?.trim(),
        calls: found.into_iter().flat_map(|(calls, ..)| calls).collect(),
    })
}

/// The words around the blocks of code in a text, whatever language they are in, if there are words on both sides.
pub(super) fn around_code(text: &str) -> Option<(&str, &str)> {
    let blocks = blocks(text);
    let before = text.get(..blocks.first()?.start)?.trim();
    let behind = text.get(blocks.last()?.end..)?.trim();
    (is_prose(before) && is_prose(behind)).then_some((before, behind))
}

/// Tells whether a text is words, as opposed to what is left of marks and brackets.
pub(super) fn is_prose(text: &str) -> bool {
    let begins = text.trim_start().chars().next();
    begins.is_some_and(|c| !matches!(c, '<' | '{' | '[' | '`'))
        && text.chars().filter(|c| c.is_alphabetic()).nth(1).is_some()
}

/// Tells whether words announce what stands below them, as those of an explanation do: "Like this:".
pub(super) fn announces(words: &str) -> bool {
    let mut lines = words.lines().rev().filter(|line| !line.trim().is_empty());
    let said = lines.find(|line| !line.trim_start().starts_with("```"));
    let ends = |line: &str| {
        line.trim_end()
            .trim_end_matches(['*', '_'])
            .ends_with([':', '：'])
    };
    said.is_some_and(ends)
}

/// Reads the calls with which a text begins, when nothing follows them on their line, and says how long they
/// are.
fn own_call(text: &str, names: &Names) -> Option<(Vec<Call>, usize)> {
    let (calls, end) = calls_at(text, names)?;
    let line = text.get(end..).and_then(|after| after.lines().next());
    line.unwrap_or_default().trim().is_empty().then_some((calls, end))
}

/// Tells whether a fence is of a language in which calls are written.
fn may_hold(block: &Block<'_>) -> bool {
    matches!(block.language, "" | "json" | "tool" | "xml" | "text")
}

/// Tells whether a call of a known tool with its arguments stands inside a sentence, in JSON or in Python's shape.
pub(super) fn mentions_call(text: &str, names: &Names) -> bool {
    let braces = text.match_indices('{').take(MOST_PLACES);
    let mut values = braces.filter_map(|(at, _)| super::json::parse_prefix(text.get(at..)?).ok());
    let is_call = |value: &serde_json::Value| {
        value.as_object().is_some_and(|members| members.len() > 1)
            && of_known_tools(meaning(value, names), names).is_some()
    };
    values.any(|parsed| is_call(&parsed.value)) || names.iter().any(|name| mentions(text, name))
}

/// Tells whether a tool is called with named arguments: `add(a=2, b=3)`, `add: {"a": 2}`.
fn mentions(text: &str, tool: &str) -> bool {
    let mut places = text.match_indices(tool).take(MOST_PLACES);
    places.any(|(at, _)| {
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        let after = text.get(at + tool.len()..).unwrap_or_default();
        let after = after.trim_start_matches(['*', '`', '"', ':', ' ']);
        let whole = before.is_none_or(|c| !(c.is_alphanumeric() || c == '_'));
        let arguments = match after.chars().next() {
            Some('(') => super::pythonic::arguments_at(after).0,
            Some('{') => Arguments::from_text(after, Ending::Lax),
            _ => return false,
        };
        whole && matches!(&arguments, Arguments::Named(named) if !named.is_empty())
    })
}

/// Finds the calls that begin a line and have the rest of their last line for themselves, each with where it
/// begins and ends.
fn own_lines(text: &str, names: &Names) -> Vec<(Vec<Call>, usize, usize)> {
    let mut found = Vec::new();
    let (mut position, mut tried) = (0, 0);
    while position < text.len() && tried < MOST_PLACES {
        let line = text.get(position..).unwrap_or_default();
        let begin = line.trim_start_matches([' ', '\t', '\r']);
        let start = text.len() - begin.len();
        position = next_line(text, position);
        if begin.starts_with(['{', '[']) {
            tried += 1;
            if let Some((calls, end)) = own_call(begin, names) {
                found.push((calls, start, start + end));
                position = next_line(text, start + end);
            }
        }
    }
    found
}

/// Reads the calls with which a text begins, and says how long they are.
fn calls_at(text: &str, names: &Names) -> Option<(Vec<Call>, usize)> {
    let parsed = super::json::parse_prefix(text)
        .ok()
        .and_then(|parsed| Some((of_known_tools(meaning(&parsed.value, names), names)?, parsed.end)));
    parsed.or_else(|| super::pythonic::list_at(text, names))
}

fn known(body: &str, names: &Names) -> Option<Vec<Call>> {
    if !body.starts_with(['{', '[']) {
        return None;
    }
    let calls = super::tagged::json_calls(body, names).ok()?;
    of_known_tools(Meaning::Calls(calls), names)
}

fn of_known_tools(meaning: Meaning, names: &Names) -> Option<Vec<Call>> {
    match meaning {
        Meaning::Calls(calls) if calls.iter().all(|call| names.resolve(&call.tool).is_some()) => {
            Some(calls).filter(|calls| !calls.is_empty())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[&str]) {
        let names = Names::new(["add".to_owned(), "lookup".to_owned()]);
        let found = calls(text, &names).map(|found| found.calls).unwrap_or_default();
        assert_eq!(
            found.iter().map(|call| call.tool.as_str()).collect::<Vec<_>>(),
            expected,
            "for {text:?}"
        );
    }

    #[test]
    fn blocks_are_calls_and_sentences_are_not() {
        let call = "{\"name\": \"add\", \"arguments\": {\"a\": 1}}";
        check(&format!("Let me see:\n```json\n{call}\n```\nDone."), &["add"]);
        check(&format!("Let me see:\n{call}\nDone."), &["add"]);
        check(&format!("Let me see:\n[{call}, {call}]\nDone."), &["add", "add"]);
        check(
            "Let me see:\n[add(a=1), lookup(query=\"x\")]\nDone.",
            &["add", "lookup"],
        );
        check("Let me see:\n  [add(a=1)", &["add"]);
        check("One could use\n[add(a=1)] here.", &[]);
        check("One could use [add(a=1)]\n", &[]);
        check("These:\n[add(x)]\n[sub(a=1)]\n[add](a=1)\n", &[]);
        check(&format!("One could use {call} here."), &[]);
        check(&format!("{call} would be wrong"), &[]);
        check("```json\n{\"name\": \"Paris\", \"arguments\": {}}\n```", &[]);
        check("```python\nadd(a=1)\n```", &[]);
    }

    #[test]
    fn the_words_around_calls_are_known() {
        let names = Names::new(["add".to_owned()]);
        let call = "{\"name\": \"add\", \"arguments\": {\"a\": 1}}";
        for text in [
            format!("See:\n```json\n{call}\n```\nThat is all."),
            format!("See:\n{call}\nThat is all."),
            format!("See:\n```\n{call}\n```\nand\n```\n{call}\n```\nThat is all."),
            "See:\n[add(a=1)]\nThat is all.".to_owned(),
        ] {
            let found = calls(&text, &names).unwrap();
            assert_eq!((found.before, found.behind), ("See:", "That is all."), "{text}");
        }
        assert!(announces("Bitte so:\n```") && announces("**Like this:**") && !announces("Let me see."));
        assert!(is_prose("Ja.") && !is_prose("</tool_call>") && !is_prose("]") && !is_prose(""));
    }
}
