//! The names by which a planned call refers to the result of an earlier one: `#E1`, `$1`, `${1}`, `{#E1}`.

use serde_json::{Map, Value};

/// A name in a text; positions are bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Reference {
    start: usize,
    end: usize,
    id: usize,
}

/// Lists the numbers of all results that a value names, in order.
pub fn references(value: &Value) -> Vec<usize> {
    match value {
        Value::String(text) => in_text(text).iter().map(|reference| reference.id).collect(),
        Value::Array(items) => items.iter().flat_map(references).collect(),
        Value::Object(members) => members.values().flat_map(references).collect(),
        _ => Vec::new(),
    }
}

/// Puts the words of the results in the place of their names in a value; names that nothing is known of stay.
pub fn fill(value: &Value, words: &impl Fn(usize) -> Option<String>) -> Value {
    match value {
        Value::String(text) => Value::String(fill_text(text, words)),
        Value::Array(items) => items.iter().map(|item| fill(item, words)).collect(),
        Value::Object(members) => {
            let filled = members
                .iter()
                .map(|(key, member)| (key.clone(), fill(member, words)));
            Value::Object(filled.collect::<Map<_, _>>())
        }
        other => other.clone(),
    }
}

fn fill_text(text: &str, words: &impl Fn(usize) -> Option<String>) -> String {
    let mut filled = String::with_capacity(text.len());
    let mut position = 0;
    for reference in in_text(text) {
        filled.push_str(text.get(position..reference.start).unwrap_or_default());
        let name = text.get(reference.start..reference.end).unwrap_or_default();
        filled.push_str(words(reference.id).as_deref().unwrap_or(name));
        position = reference.end;
    }
    filled.push_str(text.get(position..).unwrap_or_default());
    filled
}

fn in_text(text: &str) -> Vec<Reference> {
    let mut found = Vec::new();
    let mut position = 0;
    while let Some(offset) = text.get(position..).and_then(|rest| rest.find(['#', '$'])) {
        let start = position + offset;
        let rest = text.get(start + 1..).unwrap_or_default();
        let braced = rest.strip_prefix('{');
        let inside = braced.unwrap_or(rest);
        let inside = inside.strip_prefix(['E', 'e']).unwrap_or(inside);
        let digits = inside.find(|c: char| !c.is_ascii_digit()).unwrap_or(inside.len());
        let after = inside.get(digits..).unwrap_or_default();
        let hash = text.get(start..).is_some_and(|here| here.starts_with('#'));
        // "#1" is a rank and "$5.20" a price; "#E1" and "$1" are names.
        let named = !hash || rest.starts_with(['E', 'e', '{']);
        let goes_on = after.starts_with(|c: char| c.is_alphanumeric())
            || after
                .strip_prefix(['.', ','])
                .is_some_and(|fraction| fraction.starts_with(|c: char| c.is_ascii_digit()));
        let closed = braced.is_none() || after.starts_with('}');
        let id = inside.get(..digits).and_then(|digits| digits.parse().ok());
        position = start + 1;
        if let Some(id) = id.filter(|_| named && !goes_on && closed) {
            let mut begin = start;
            let mut end = text.len() - after.len() + usize::from(braced.is_some());
            // `{#E1}` as a whole.
            let opened = text.get(..start).is_some_and(|before| before.ends_with('{'));
            if braced.is_none() && opened && after.starts_with('}') {
                begin -= 1;
                end += 1;
            }
            found.push(Reference {
                start: begin,
                end,
                id,
            });
            position = end;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn names_of_results_are_found_and_filled() {
        let words = |id: usize| (id == 1).then(|| "Paris".to_owned());
        for (text, expected) in [
            ("population of #E1", "population of Paris"),
            ("population of $1", "population of Paris"),
            ("${1} and {#E1}, #E1.", "Paris and Paris, Paris."),
            ("$1.50 and #1 and #E10 and #E2", "$1.50 and #1 and #E10 and #E2"),
            ("ß#E1ß", "ß#E1ß"),
        ] {
            assert_eq!(fill(&json!(text), &words), json!(expected), "for {text:?}");
        }
        let nested = json!({"a": ["#E1", 2], "b": {"c": "of #E2"}});
        assert_eq!(references(&nested), [1, 2]);
        assert_eq!(
            fill(&nested, &words),
            json!({"a": ["Paris", 2], "b": {"c": "of #E2"}})
        );
    }
}
