//! Reads the lists of a file of sentences: values, ranges of numbers, and open text.

use serde_json::{Map, Value as Json};

use super::{known_keys, pairs, wrong};
use crate::context::Context;
use crate::language::Problem;
use crate::source::{Fractions, List, ListValue, Numbers};
use crate::template::Template;
use crate::value::Value;

/// Keys of a range; `type` has no effect.
const RANGE_KEYS: [&str; 9] = [
    "from",
    "to",
    "step",
    "type",
    "fractions",
    "multiplier",
    "digits",
    "words",
    "words_language",
];

/// Keys of a value; `metadata` has no effect.
const VALUE_KEYS: [&str; 4] = ["in", "out", "context", "metadata"];

pub(super) fn list(name: &str, json: &Json) -> Result<List, Problem> {
    let object = json.as_object().ok_or_else(|| wrong(name, "an object"))?;
    known_keys(object, &["values", "range", "wildcard"])?;
    if let Some(values) = object.get("values").and_then(Json::as_array) {
        return Ok(List::Values(
            values
                .iter()
                .map(|json| value(name, json))
                .collect::<Result<_, _>>()?,
        ));
    }
    if let Some(range) = object.get("range").and_then(Json::as_object) {
        return range_list(range).map(List::Numbers);
    }
    match object.get("wildcard") {
        Some(Json::Bool(true)) => Ok(List::Open),
        _ => Err(wrong(name, "`values`, `range` or `wildcard`")),
    }
}

fn value(name: &str, json: &Json) -> Result<ListValue, Problem> {
    if let Json::String(said) = json {
        let is_template = Template::is_one(said);
        return Ok(ListValue {
            value: (!is_template).then(|| Value::from(said.as_str())),
            ..ListValue::new(said)
        });
    }
    let object = json
        .as_object()
        .ok_or_else(|| wrong(name, "a text or an object as each value"))?;
    known_keys(object, &VALUE_KEYS)?;
    let mut context = Context::new();
    for (key, value) in pairs(object.get("context"))? {
        context.set(&key, value);
    }
    Ok(ListValue {
        said: object
            .get("in")
            .and_then(Json::as_str)
            .ok_or_else(|| wrong(name, "`in` of each value"))?
            .to_owned(),
        value: object.get("out").and_then(Value::from_json),
        context,
    })
}

fn range_list(range: &Map<String, Json>) -> Result<Numbers, Problem> {
    known_keys(range, &RANGE_KEYS)?;
    let whole = |key: &str| range.get(key).and_then(Json::as_i64);
    let from = whole("from").ok_or_else(|| wrong("from", "a whole number"))?;
    let to = whole("to")
        .filter(|to| *to >= from)
        .ok_or_else(|| wrong("to", "a whole number from `from` on"))?;
    let is_on = |key: &str| range.get(key).and_then(Json::as_bool).unwrap_or(true);
    Ok(Numbers {
        step: whole("step").unwrap_or(1).max(1),
        fractions: match range.get("fractions").and_then(Json::as_str) {
            None => Fractions::None,
            Some("halves") => Fractions::Halves,
            Some("tenths") => Fractions::Tenths,
            Some(_) => return Err(wrong("fractions", "`halves` or `tenths`")),
        },
        multiplier: range.get("multiplier").and_then(Json::as_f64),
        digits: is_on("digits"),
        words: is_on("words"),
        words_language: range
            .get("words_language")
            .and_then(Json::as_str)
            .map(str::to_owned),
        ..Numbers::between(from, to)
    })
}
