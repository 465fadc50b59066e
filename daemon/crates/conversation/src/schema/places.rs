//! Where schemas stand within a schema: which are asked about the same value, and which about its parts. Checks nothing.

use serde_json::{Map, Value};

/// Keywords with one schema for the same value.
const SAME: [&str; 4] = ["not", "if", "then", "else"];

/// Keywords with a list of schemas for the same value.
const SAME_LISTS: [&str; 3] = ["allOf", "anyOf", "oneOf"];

/// Keywords with schemas by name for the same value; `dependencies` holds lists of names, too.
const SAME_NAMED: [&str; 2] = ["dependentSchemas", "dependencies"];

/// Keywords with one schema for parts of the value.
pub(super) const PARTS: [&str; 7] = [
    "additionalItems",
    "additionalProperties",
    "contains",
    "items",
    "propertyNames",
    "unevaluatedItems",
    "unevaluatedProperties",
];

/// Keywords with a list of schemas for parts of the value.
pub(super) const PART_LISTS: [&str; 2] = ["items", "prefixItems"];

/// Keywords with schemas by name for parts of the value, or for nothing until a reference leads there.
const PARTS_NAMED: [&str; 4] = ["properties", "patternProperties", "$defs", "definitions"];

/// Keywords that hold references.
const REFERENCES: [&str; 3] = ["$ref", "$dynamicRef", "$recursiveRef"];

/// Keywords that look again at all that the others said.
pub(super) const AGAIN: [&str; 2] = ["unevaluatedItems", "unevaluatedProperties"];

/// Follows a reference within the document. `None` for one that leads elsewhere or by another name.
pub(super) fn target<'s>(root: &'s Value, reference: &str) -> Option<&'s Value> {
    let pointer = reference.strip_prefix('#')?;
    let pointer = percent_decoded(pointer);
    (pointer.is_empty() || pointer.starts_with('/'))
        .then(|| root.pointer(&pointer))
        .flatten()
}

/// The few escapes that names of definitions need; other texts stay as they are and lead nowhere.
fn percent_decoded(pointer: &str) -> String {
    pointer
        .replace("%20", " ")
        .replace("%5B", "[")
        .replace("%5D", "]")
        .replace("%25", "%")
}

pub(super) fn references(schema: &Map<String, Value>) -> impl Iterator<Item = &Value> {
    REFERENCES.iter().filter_map(|keyword| schema.get(*keyword))
}

/// The schemas that are asked about the same value, without those that references lead to.
pub(super) fn same(schema: &Map<String, Value>) -> Vec<&Value> {
    let mut found = at(schema, &SAME);
    found.extend(in_lists(schema, &SAME_LISTS));
    found.extend(named(schema, &SAME_NAMED).filter(|schema| !schema.is_array()));
    found
}

/// The schemas that are asked about parts of the value, and those that stand by for references.
pub(super) fn parts(schema: &Map<String, Value>) -> Vec<&Value> {
    let mut found = at(schema, &PARTS);
    found.extend(in_lists(schema, &PART_LISTS));
    found.extend(named(schema, &PARTS_NAMED));
    found
}

fn at<'s>(schema: &'s Map<String, Value>, keywords: &[&str]) -> Vec<&'s Value> {
    let found = keywords.iter().filter_map(|keyword| schema.get(*keyword));
    found.filter(|schema| schema.is_object()).collect()
}

fn in_lists<'s>(schema: &'s Map<String, Value>, keywords: &'s [&str]) -> impl Iterator<Item = &'s Value> {
    let lists = keywords
        .iter()
        .filter_map(|keyword| schema.get(*keyword)?.as_array());
    lists.flatten()
}

fn named<'s>(schema: &'s Map<String, Value>, keywords: &'s [&str]) -> impl Iterator<Item = &'s Value> {
    let maps = keywords
        .iter()
        .filter_map(|keyword| schema.get(*keyword)?.as_object());
    maps.flat_map(Map::values)
}
