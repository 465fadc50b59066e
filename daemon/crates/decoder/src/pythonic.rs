//! Calls written as function calls: `add(a=2, b=3)`, `[add(a=2), lookup(query="x")]`, `set_light(kitchen, on)`, as Llama 4,
//! LFM2 and Gemma are taught to write them.

use serde_json::{Map, Value};

use super::call::{Arguments, Call, Names, is_identifier};
use super::json::{JsonError, Reader};

/// Reads all of `text` as one call or a list of calls. Every name must look like one, and one of them at least must be
/// on offer, or all must be unmistakable: anything else is prose.
pub(crate) fn calls(text: &str, names: &Names) -> Option<Vec<Call>> {
    let text = text.trim().trim_end_matches(';');
    let found = match text.strip_prefix('[') {
        Some(inside) => read_calls(inside, "]", names)?,
        None => read_calls(text, "", names)?,
    };
    let is_known = |call: &Call| names.resolve(&call.tool).is_some();
    (found.iter().any(is_known) || is_unmistakable(text, &found, names)).then_some(found)
}

/// Tells whether a call can be nothing else, although its tool is not on offer: tools are, it stands alone, and all
/// its arguments have names, as in `tool(key=value)`. It is never run, but it must not be said either. `Paris (note:
/// it is big)` is prose.
fn is_unmistakable(text: &str, found: &[Call], names: &Names) -> bool {
    let [call] = found else { return false };
    let Arguments::Named(named) = &call.arguments else {
        return false;
    };
    let inside = text
        .strip_prefix(call.tool.as_str())
        .and_then(|rest| rest.strip_prefix('('));
    let assigns = |inside: &str| {
        let first = inside.split('=').next().unwrap_or_default();
        first.len() < inside.len() && is_identifier(first)
    };
    names.iter().next().is_some()
        && call.tool.len() > 1
        && !named.is_empty()
        && text.ends_with(')')
        && inside.is_some_and(assigns)
}

/// Reads all calls up to the closer, which may be missing.
fn read_calls(text: &str, closer: &str, names: &Names) -> Option<Vec<Call>> {
    let mut found = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() && rest != closer {
        let (call, length) = call_at(rest, names)?;
        found.push(call);
        rest = rest
            .get(length..)?
            .trim_start_matches(|c: char| c.is_whitespace() || matches!(c, ',' | ';'));
    }
    (!found.is_empty()).then_some(found)
}

/// The list of calls with which `text` begins, `[add(a=2), lookup(query="x")]`, and its length; its bracket may be missing
/// at the end of the text only. What follows it is left alone, hence this is strict: all tools are on offer, and all
/// arguments have names.
pub(crate) fn list_at(text: &str, names: &Names) -> Option<(Vec<Call>, usize)> {
    let between = |rest: &'_ str| {
        rest.len()
            - rest
                .trim_start_matches(|c: char| c.is_whitespace() || matches!(c, ',' | ';'))
                .len()
    };
    let inside = text.strip_prefix('[')?;
    let mut found = Vec::new();
    let mut position = between(inside);
    loop {
        let rest = inside.get(position..)?;
        if rest.is_empty() || rest.starts_with(']') {
            let closed = usize::from(!rest.is_empty());
            return (!found.is_empty()).then_some((found, 1 + position + closed));
        }
        let (call, length) = call_at(rest, names)?;
        if names.resolve(&call.tool).is_none() || !matches!(call.arguments, Arguments::Named(_)) {
            return None;
        }
        found.push(call);
        position += length;
        position += between(inside.get(position..)?);
    }
}

/// Reads the call with which `text` begins, and says how long it is. Gemma wraps its calls in `print()`.
pub(crate) fn call_at(text: &str, names: &Names) -> Option<(Call, usize)> {
    let Some(inside) = text
        .strip_prefix("print(")
        .filter(|_| names.resolve("print").is_none())
    else {
        return plain_call_at(text);
    };
    let (call, length) = plain_call_at(inside)?;
    let after = inside.get(length..)?;
    let rest = after.trim_start();
    let rest = rest.strip_prefix(')').unwrap_or(rest);
    Some((call, text.len() - rest.len()))
}

fn plain_call_at(text: &str) -> Option<(Call, usize)> {
    let open = text
        .char_indices()
        .take(160)
        .find(|(_, c)| *c == '(')
        .map(|(at, _)| at)?;
    let name = text.get(..open)?.trim();
    if !is_identifier(name) {
        return None;
    }
    // Llama appends `.call`.
    let tool = name.strip_suffix(".call").unwrap_or(name).to_owned();
    let (arguments, length) = arguments_at(text.get(open..)?);
    Some((
        Call {
            id: None,
            tool,
            arguments,
        },
        open + length,
    ))
}

/// Reads `( … )` at the beginning of `text`; with what cannot be read the rest of the text is used up.
pub fn arguments_at(text: &str) -> (Arguments, usize) {
    let mut reader = Reader::new(text);
    match read_arguments(&mut reader) {
        Ok(arguments) => (arguments, reader.position()),
        Err(error) => (
            Arguments::Broken(format!("the arguments cannot be read: {error}")),
            text.len(),
        ),
    }
}

fn read_arguments(reader: &mut Reader<'_>) -> Result<Arguments, JsonError> {
    reader.take('(');
    let mut positional = Vec::new();
    let mut named = Map::new();
    loop {
        reader.skip_space();
        match reader.peek() {
            // A missing parenthesis is a missing closer like any other, if something came before it.
            None if positional.is_empty() && named.is_empty() => return Err(JsonError::CutOff("a call")),
            None => return Ok(listed(positional, named)),
            Some(')') => {
                reader.take(')');
                return Ok(listed(positional, named));
            }
            Some(',') => {
                reader.take(',');
            }
            Some(_) => match keyword(reader.rest()) {
                Some((key, length)) => {
                    reader.advance(length);
                    named.insert(key.to_owned(), reader.value()?);
                }
                None => positional.push(reader.value()?),
            },
        }
    }
}

/// Reads `name=` or `name:` at the beginning of `text`, and says how long it is.
fn keyword(text: &str) -> Option<(&str, usize)> {
    let plain = text.trim_start_matches(['"', '\'']);
    let length = plain
        .char_indices()
        .take(64)
        .find(|(_, c)| !(c.is_alphanumeric() || *c == '_'))
        .map(|(at, _)| at)?;
    let name = plain.get(..length).filter(|name| is_identifier(name))?;
    let after = plain
        .get(length..)?
        .trim_start_matches(['"', '\''])
        .trim_start_matches(' ');
    let value = after.strip_prefix(['=', ':'])?;
    // `a == b` is an expression.
    (!value.starts_with('=')).then_some((name, text.len() - value.len()))
}

fn listed(mut positional: Vec<Value>, named: Map<String, Value>) -> Arguments {
    if positional.is_empty() {
        return Arguments::Named(named);
    }
    if named.is_empty() && positional.len() == 1 && positional.first().is_some_and(Value::is_object) {
        return Arguments::from_value(positional.remove(0));
    }
    Arguments::Listed { positional, named }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn check(text: &str, expected: &[(&str, Value)]) {
        let names = Names::new(["add".to_owned(), "lookup".to_owned(), "set_light".to_owned()]);
        let found: Vec<(String, Value)> = calls(text, &names)
            .unwrap_or_default()
            .into_iter()
            .map(|call| {
                let arguments = match call.arguments {
                    Arguments::Named(named) => Value::Object(named),
                    Arguments::Listed { positional, named } => json!([positional, named]),
                    other => json!(format!("{other:?}")),
                };
                (call.tool, arguments)
            })
            .collect();
        let found: Vec<(&str, Value)> = found
            .iter()
            .map(|(tool, value)| (tool.as_str(), value.clone()))
            .collect();
        assert_eq!(found, expected, "for {text:?}");
    }

    #[test]
    fn a_call_of_a_tool_that_is_not_there_is_one_all_the_same() {
        check(
            "delete(everything=true)",
            &[("delete", json!({"everything": true}))],
        );
        assert!(
            calls("delete(everything=true)", &Names::default()).is_none(),
            "without tools it is a text"
        );
    }

    #[test]
    fn function_calls_are_read() {
        check("add(a=2, b=3)", &[("add", json!({"a": 2, "b": 3}))]);
        check("add({\"a\": 2, \"b\": 3})", &[("add", json!({"a": 2, "b": 3}))]);
        check(
            "[add(a=2, b=3), lookup(query='x (y)')]",
            &[
                ("add", json!({"a": 2, "b": 3})),
                ("lookup", json!({"query": "x (y)"})),
            ],
        );
        check("add(a: 2,\n  b: 3", &[("add", json!({"a": 2, "b": 3}))]);
        check(
            "set_light(kitchen, on)",
            &[("set_light", json!([["kitchen", "on"], {}]))],
        );
        check(
            "lookup(capital of France)",
            &[("lookup", json!([["capital of France"], {}]))],
        );
        check("lookup.call(query=\"x\")", &[("lookup", json!({"query": "x"}))]);
        check("print(add(a=2, b=3))", &[("add", json!({"a": 2, "b": 3}))]);
        check("add()", &[("add", json!({}))]);
        check("[lookup(query=[]", &[("lookup", json!({"query": []}))]);
        check("[lookup(query=[])]", &[("lookup", json!({"query": []}))]);
    }

    #[test]
    fn prose_is_no_call() {
        check("I would add (a lot) here", &[]);
        check("Paris (note: it is big)", &[]);
        check("Paris\n\n(Note: I used no tool.)", &[]);
        check("f(x=2)", &[]);
        check("add", &[]);
        check("f(x) = add(x)", &[]);
    }
}
