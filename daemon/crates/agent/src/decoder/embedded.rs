//! JSON calls of known tools that stand in a block of their own amid prose: in a code fence, or from a line's beginning
//! to a line's end. JSON inside a sentence is never a call.

use super::call::{Call, Names};
use super::fence::blocks;
use super::object::{Meaning, meaning};

/// More places than this are not tried, so that time stays linear.
const MOST_PLACES: usize = 8;

/// The calls, if there are any; only of tools that are on offer.
pub(crate) fn calls(text: &str, names: &Names) -> Option<Vec<Call>> {
    let fenced = blocks(text)
        .into_iter()
        .filter(|block| matches!(block.language, "" | "json" | "tool" | "xml" | "text"));
    let fenced: Vec<Call> = fenced
        .take(MOST_PLACES)
        .filter_map(|block| known(block.body, names))
        .flatten()
        .collect();
    if !fenced.is_empty() {
        return Some(fenced);
    }
    let found = own_lines(text, names);
    (!found.is_empty()).then_some(found)
}

fn own_lines(text: &str, names: &Names) -> Vec<Call> {
    let mut found = Vec::new();
    let mut position = 0;
    for _ in 0..MOST_PLACES {
        let Some(start) = next_object(text, position) else {
            break;
        };
        let rest = text.get(start..).unwrap_or_default();
        position = start + 1;
        if let Ok(parsed) = super::json::parse_prefix(rest) {
            let line_ends = rest
                .get(parsed.end..)
                .and_then(|after| after.lines().next())
                .unwrap_or_default();
            let calls = of_known_tools(meaning(&parsed.value, names), names);
            if let Some(calls) = calls.filter(|_| line_ends.trim().is_empty()) {
                found.extend(calls);
                position = start + parsed.end;
            }
        }
    }
    found
}

/// The next `{` that begins a line.
fn next_object(text: &str, from: usize) -> Option<usize> {
    let mut position = from;
    loop {
        let start = position + text.get(position..)?.find('{')?;
        let line = text.get(..start)?.rsplit('\n').next().unwrap_or_default();
        if line.trim().is_empty() {
            return Some(start);
        }
        // What else is on this line does not begin it either.
        position = start + text.get(start..)?.find('\n')? + 1;
    }
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
        let found = calls(text, &names).unwrap_or_default();
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
        check(&format!("One could use {call} here."), &[]);
        check(&format!("{call} would be wrong"), &[]);
        check("```json\n{\"name\": \"Paris\", \"arguments\": {}}\n```", &[]);
        check("```python\nadd(a=1)\n```", &[]);
    }
}
