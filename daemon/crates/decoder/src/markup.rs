//! Calls whose arguments stand in tags of their own: Qwen's and Llama's `<function=…>`, GLM's `<arg_key>`, and
//! `<invoke name=…>` of several families.
//!
//! Such arguments are text, whatever their types: the gate makes them what the tool's schema asks for.

use serde_json::{Map, Value};

use super::call::{Arguments, Call, Ending};

/// Reads `add\n<arg_key>a</arg_key>\n<arg_value>2</arg_value>`.
pub(super) fn key_tags(body: &str) -> Option<Call> {
    let (name, _) = body.split_once("<arg_key>")?;
    let mut arguments = Map::new();
    for pair in body.split("<arg_key>").skip(1) {
        let (key, value) = pair.split_once("<arg_value>")?;
        let key = key.split("</arg_key>").next().unwrap_or(key);
        arguments.insert(key.trim().to_owned(), value_of(value, "</arg_value>"));
    }
    Some(Call::named(name.trim(), arguments))
}

/// Reads what follows `<function=` or `<invoke name=`: `add>…` or `"add">…`, with a tag for each argument or one JSON
/// object for all of them.
pub(super) fn named_tag(text: &str) -> Option<Call> {
    let (name, inside) = text.split_once('>')?;
    let tool = attribute(name).to_owned();
    let tags = ["<parameter=", "parameter name="]
        .into_iter()
        .find(|tag| inside.contains(tag));
    let Some(argument) = tags.filter(|_| !super::fence::unwrap(inside).starts_with('{')) else {
        let arguments = Arguments::from_text(inside, Ending::Lax);
        return Some(Call {
            id: None,
            tool,
            arguments,
        });
    };
    let mut arguments = Map::new();
    for part in inside.split(argument).skip(1) {
        let (key, value) = part.split_once('>')?;
        arguments.insert(attribute(key).to_owned(), value_of(value, "</"));
    }
    Some(Call::named(tool, arguments))
}

/// Reads the value of a tag's first attribute, with or without quotes, and without the attributes behind it.
fn attribute(text: &str) -> &str {
    let text = text.trim();
    match text.strip_prefix(['"', '\'']) {
        Some(inside) => inside.split(['"', '\'']).next().unwrap_or(inside),
        None => text,
    }
}

/// Reads a text up to its closing tag, without the line breaks around it. The last closing tag counts: a value may
/// hold tags.
fn value_of(text: &str, closer: &str) -> Value {
    let value = text.rsplit_once(closer).map_or(text, |(value, _)| value);
    Value::String(value.trim_matches(['\n', '\r']).to_owned())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(call: Option<Call>) -> Value {
        let call = call.unwrap();
        json!([call.tool, call.arguments.named()])
    }

    #[test]
    fn every_tag_is_an_argument() {
        let sum = json!(["add", {"a": "2", "b": "3"}]);
        let glm = "add\n<arg_key>a</arg_key>\n<arg_value>2</arg_value>\n<arg_key>b</arg_key>\n<arg_value>3</arg_value>\n";
        assert_eq!(read(key_tags(glm)), sum);
        let cut = "add<arg_key>a</arg_key><arg_value>2</arg_value><arg_key>b<arg_value>3";
        assert_eq!(read(key_tags(cut)), sum);
        let qwen = "add>\n<parameter=a>\n2\n</parameter>\n<parameter=b>3</parameter>\n";
        assert_eq!(read(named_tag(qwen)), sum);
        let invoke = "\"add\">\n<parameter name=\"a\">2</parameter>\n<parameter name=\"b\" string=\"false\">3</parameter>\n";
        assert_eq!(read(named_tag(invoke)), sum);
    }

    #[test]
    fn a_value_may_hold_tags() {
        let html = "echo><parameter=text><b>5 < 7</b></parameter>";
        assert_eq!(read(named_tag(html)), json!(["echo", {"text": "<b>5 < 7</b>"}]));
        let glm = "echo<arg_key>text</arg_key><arg_value><i>x</i></arg_value>";
        assert_eq!(read(key_tags(glm)), json!(["echo", {"text": "<i>x</i>"}]));
        let blank = "join<arg_key>with</arg_key><arg_value> </arg_value>";
        assert_eq!(read(key_tags(blank)), json!(["join", {"with": " "}]));
    }

    #[test]
    fn one_object_may_hold_them_all() {
        assert_eq!(
            read(named_tag("add>{\"a\": 2, \"b\": 3}")),
            json!(["add", {"a": 2, "b": 3}])
        );
    }
}
