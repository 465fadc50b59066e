//! Makes a value fit its schema where that loses nothing: what remains wrong is for the validator to say.

use serde_json::{Map, Number, Value};

use crate::decoder::squash;

/// References and alternatives are followed this deep; a schema may refer to itself.
const MAX_DEPTH: usize = 32;

/// The value made to fit.
pub(super) fn fit(value: Value, schema: &Value) -> Value {
    Fitter { root: schema }.fit(value, schema, 0)
}

struct Fitter<'s> {
    root: &'s Value,
}

impl<'s> Fitter<'s> {
    fn fit(&self, value: Value, schema: &'s Value, depth: usize) -> Value {
        if depth > MAX_DEPTH {
            return value;
        }
        let schema = self.resolved(schema);
        if let Some(Value::Array(parts)) = schema.get("allOf") {
            return parts
                .iter()
                .fold(self.fit_alone(value, schema, depth), |value, part| {
                    self.fit_alone(value, self.resolved(part), depth + 1)
                });
        }
        match alternatives(schema) {
            Some(branches) => self.fit_one_of(value, branches, depth),
            None => self.fit_alone(value, schema, depth),
        }
    }

    /// Takes the first branch whose type the value has, else the first that it can be turned into.
    fn fit_one_of(&self, value: Value, branches: &'s [Value], depth: usize) -> Value {
        let branches = || branches.iter().map(|branch| self.resolved(branch));
        if let Some(branch) = branches().find(|branch| has_type(&value, branch)) {
            return self.fit(value, branch, depth + 1);
        }
        let turned = branches().find_map(|branch| {
            let turned = self.fit(value.clone(), branch, depth + 1);
            has_type(&turned, branch).then_some(turned)
        });
        turned.unwrap_or(value)
    }

    fn fit_alone(&self, value: Value, schema: &'s Value, depth: usize) -> Value {
        let value = if has_type(&value, schema) {
            value
        } else {
            self.turned(value, schema, depth)
        };
        match value {
            Value::Object(members) => Value::Object(self.fit_members(members, schema, depth)),
            Value::Array(items) => match schema.get("items") {
                Some(each) if each.is_object() => Value::Array(
                    items
                        .into_iter()
                        .map(|item| self.fit(item, each, depth + 1))
                        .collect(),
                ),
                _ => Value::Array(items),
            },
            Value::Number(number) if names_type(schema, "integer") => Value::Number(whole(number)),
            Value::String(text) => matching_option(text, schema),
            other => other,
        }
    }

    fn turned(&self, value: Value, schema: &'s Value, depth: usize) -> Value {
        let wants = |name: &str| names_type(schema, name);
        let scalar = !value.is_object() && !value.is_array() && !value.is_null();
        if let Value::String(text) = &value {
            let number = (wants("number") || wants("integer"))
                .then(|| number(text))
                .flatten();
            let truth = wants("boolean").then(|| truth(text)).flatten();
            let nested = (wants("object") || wants("array"))
                .then(|| nested(text))
                .flatten();
            if let Some(turned) = number
                .or(truth)
                .or(nested.filter(|nested| has_type(nested, schema)))
            {
                return turned;
            }
        }
        if wants("string") && scalar {
            return Value::String(value.to_string());
        }
        if wants("array") && (scalar || value.is_object()) {
            let items = schema.get("items").filter(|items| items.is_object());
            let item = items.map_or(value.clone(), |items| self.fit(value, items, depth + 1));
            return Value::Array(vec![item]);
        }
        value
    }

    fn fit_members(
        &self,
        members: Map<String, Value>,
        schema: &'s Value,
        depth: usize,
    ) -> Map<String, Value> {
        let Some(Value::Object(properties)) = schema.get("properties") else {
            return members;
        };
        let open = keeps_unknown(schema);
        let mut fitted = Map::new();
        let mut strays = Vec::new();
        for (key, value) in members {
            match properties.get(&key) {
                Some(own) => insert_fitted(
                    &mut fitted,
                    key.clone(),
                    self.fit(value, own, depth + 1),
                    self.resolved(own),
                    schema,
                ),
                None => strays.push((key, value)),
            }
        }
        for (key, value) in strays {
            match lookalike(&key, properties, &fitted) {
                Some((name, own)) => {
                    insert_fitted(
                        &mut fitted,
                        name.clone(),
                        self.fit(value, own, depth + 1),
                        self.resolved(own),
                        schema,
                    );
                }
                None if open => {
                    fitted.insert(key, value);
                }
                None => {}
            }
        }
        fitted
    }

    /// Follows references inside the same document.
    fn resolved(&self, schema: &'s Value) -> &'s Value {
        let mut schema = schema;
        for _ in 0..MAX_DEPTH {
            let pointer = schema
                .get("$ref")
                .and_then(Value::as_str)
                .and_then(|target| target.strip_prefix('#'));
            match pointer.and_then(|pointer| self.root.pointer(pointer)) {
                Some(target) => schema = target,
                None => break,
            }
        }
        schema
    }
}

fn alternatives(schema: &Value) -> Option<&[Value]> {
    ["anyOf", "oneOf"]
        .iter()
        .find_map(|key| schema.get(*key))
        .and_then(Value::as_array)
        .map(Vec::as_slice)
}

/// A `null` that an optional argument does not allow means that it was left out.
fn insert_fitted(fitted: &mut Map<String, Value>, key: String, value: Value, own: &Value, schema: &Value) {
    let required = schema
        .get("required")
        .and_then(Value::as_array)
        .is_some_and(|all| all.iter().any(|one| one == &key));
    let left_out = value.is_null() && !required && !has_type(&value, own) && alternatives(own).is_none();
    if !left_out {
        fitted.insert(key, value);
    }
}

/// The only property that a stray key can have meant and that is not there yet.
fn lookalike<'s>(
    key: &str,
    properties: &'s Map<String, Value>,
    fitted: &Map<String, Value>,
) -> Option<(&'s String, &'s Value)> {
    let wanted = squash(key);
    let mut alike = properties
        .iter()
        .filter(|(name, _)| squash(name) == wanted && !fitted.contains_key(*name));
    alike
        .next()
        .filter(|_| !wanted.is_empty() && alike.next().is_none())
}

/// Whether the schema allows keys that it does not name.
fn keeps_unknown(schema: &Value) -> bool {
    let additional = schema.get("additionalProperties");
    additional.is_some_and(|additional| additional != &Value::Bool(false))
        || schema.get("patternProperties").is_some()
}

fn names_type(schema: &Value, name: &str) -> bool {
    match schema.get("type") {
        Some(Value::String(one)) => one == name,
        Some(Value::Array(several)) => several.iter().any(|one| one == name),
        _ => false,
    }
}

/// Whether the value has a type that the schema names; a schema that names none takes all.
fn has_type(value: &Value, schema: &Value) -> bool {
    if schema.get("type").is_none() {
        let options = schema.get("enum").and_then(Value::as_array);
        return options.is_none_or(|options| options.contains(value));
    }
    match value {
        Value::Null => names_type(schema, "null"),
        Value::Bool(_) => names_type(schema, "boolean"),
        Value::Number(number) => {
            names_type(schema, "number")
                || names_type(schema, "integer") && (number.is_i64() || number.is_u64() || is_whole(number))
        }
        Value::String(_) => names_type(schema, "string"),
        Value::Array(_) => names_type(schema, "array"),
        Value::Object(_) => names_type(schema, "object"),
    }
}

/// Floats up to here are exact as integers.
const EXACT: f64 = 9_007_199_254_740_992.0;

fn is_whole(number: &Number) -> bool {
    number
        .as_f64()
        .is_some_and(|float| float.fract() == 0.0 && float.abs() < EXACT)
}

fn whole(number: Number) -> Number {
    match number.as_f64() {
        Some(float) if number.is_f64() && is_whole(&number) => Number::from(float as i64),
        _ => number,
    }
}

fn number(text: &str) -> Option<Value> {
    crate::decoder::number(text.trim())
}

fn truth(text: &str) -> Option<Value> {
    match text.trim().to_ascii_lowercase().as_str() {
        "true" => Some(Value::Bool(true)),
        "false" => Some(Value::Bool(false)),
        _ => None,
    }
}

/// An object or a list that was sent as text.
fn nested(text: &str) -> Option<Value> {
    text.trim_start()
        .starts_with(['{', '['])
        .then(|| crate::decoder::parse_whole(text.trim()).ok())
        .flatten()
        .map(|parsed| parsed.value)
}

/// An option that differs only in case or separators.
fn matching_option(text: String, schema: &Value) -> Value {
    let options = schema
        .get("enum")
        .and_then(Value::as_array)
        .map(Vec::as_slice)
        .unwrap_or_default();
    let wanted = squash(&text);
    if options.iter().any(|option| option.as_str() == Some(&text)) || wanted.is_empty() {
        return Value::String(text);
    }
    let mut alike = options
        .iter()
        .filter_map(Value::as_str)
        .filter(|option| squash(option) == wanted);
    match (alike.next(), alike.next()) {
        (Some(option), None) => Value::String(option.to_owned()),
        _ => Value::String(text),
    }
}
