//! Makes a value fit its schema where that loses nothing: what remains wrong is for the validator to say.

mod nothing;
mod rules;

use std::cell::Cell;

use serde_json::{Map, Number, Value};

use super::work::bytes;
use loquat_decoder::squash;
use nothing::is_nothing;
use rules::{Rules, is_whole};

/// References and alternatives are followed this deep; a schema may refer to itself.
const MAX_DEPTH: usize = 32;

/// This much is tried for one call. Then its arguments stay as they are.
const FUEL: usize = 10_000;

/// The value made to fit, or as it was where that would take too much work. Words for nothing that `is_meant` are texts like
/// any.
pub(super) fn fit(value: Value, schema: &Value, is_meant: &dyn Fn(&str) -> bool) -> Value {
    let fitter = Fitter {
        root: schema,
        is_meant,
        left: Cell::new(FUEL),
    };
    let fitted = fitter.fit(value.clone(), schema, 0);
    if fitter.left.get() == 0 { value } else { fitted }
}

struct Fitter<'s> {
    root: &'s Value,
    /// Says whether a word for nothing is meant as a text.
    is_meant: &'s dyn Fn(&str) -> bool,
    /// Counts down what may still be tried. Zero ends everything.
    left: Cell<usize>,
}

impl<'s> Fitter<'s> {
    fn spend(&self, fuel: usize) -> bool {
        self.left.set(self.left.get().saturating_sub(fuel));
        self.left.get() > 0
    }

    fn fit(&self, value: Value, schema: &'s Value, depth: usize) -> Value {
        self.fit_to(value, &self.resolved(schema), depth)
    }

    fn fit_to(&self, value: Value, rules: &Rules<'s>, depth: usize) -> Value {
        if depth > MAX_DEPTH || !self.spend(1) {
            return value;
        }
        if let Some(parts) = rules.all_of {
            let value = self.fit_alone(value, rules, depth);
            return parts.iter().fold(value, |value, part| {
                self.fit_alone(value, &self.resolved(part), depth + 1)
            });
        }
        match rules.alternatives() {
            Some(branches) => self.fit_one_of(value, branches, depth),
            None => self.fit_alone(value, rules, depth),
        }
    }

    /// Takes the first branch whose type the value has, else the first that it can be turned into.
    fn fit_one_of(&self, value: Value, branches: &'s [Value], depth: usize) -> Value {
        if !self.spend(branches.len()) {
            return value;
        }
        let branches = || branches.iter().map(|branch| self.resolved(branch));
        if let Some(branch) = branches().find(|branch| branch.have_type_of(&value)) {
            return self.fit_to(value, &branch, depth + 1);
        }
        let turned = branches().find_map(|branch| {
            if !self.spend(bytes(&value, 0) / 64) {
                return None;
            }
            let turned = self.fit_to(value.clone(), &branch, depth + 1);
            branch.have_type_of(&turned).then_some(turned)
        });
        turned.unwrap_or(value)
    }

    fn fit_alone(&self, value: Value, rules: &Rules<'s>, depth: usize) -> Value {
        let value = if rules.have_type_of(&value) {
            value
        } else {
            self.turned(value, rules, depth)
        };
        match value {
            Value::Object(members) => Value::Object(self.fit_members(members, rules, depth)),
            Value::Array(items) => match rules.items {
                Some(each) => Value::Array(
                    items
                        .into_iter()
                        .map(|item| self.fit(item, each, depth + 1))
                        .collect(),
                ),
                None => Value::Array(items),
            },
            Value::Number(number) if rules.names_type("integer") => Value::Number(whole(number)),
            Value::String(text) => {
                let options = rules.options.unwrap_or_default();
                if self.spend(1 + options.len() / 8) {
                    matching_option(text, options)
                } else {
                    Value::String(text)
                }
            }
            other => other,
        }
    }

    fn turned(&self, value: Value, rules: &Rules<'s>, depth: usize) -> Value {
        let wants = |name: &str| rules.names_type(name);
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
                .or(nested.filter(|nested| rules.have_type_of(nested)))
            {
                return turned;
            }
        }
        if let (true, Value::Number(number)) = (wants("boolean") && !wants("string"), &value)
            && let Some(truth) = truth(&number.to_string())
        {
            return truth;
        }
        if wants("string") && scalar {
            return Value::String(value.to_string());
        }
        if wants("array") && (scalar || value.is_object()) {
            let item = match rules.items {
                Some(items) => self.fit(value, items, depth + 1),
                None => value,
            };
            return Value::Array(vec![item]);
        }
        value
    }

    fn fit_members(
        &self,
        members: Map<String, Value>,
        rules: &Rules<'s>,
        depth: usize,
    ) -> Map<String, Value> {
        let Some(properties) = rules.properties else {
            return members;
        };
        let mut fitted = Map::new();
        let fit = |fitted: &mut Map<String, Value>, key: String, value: Value, own: &'s Value| {
            let own = self.resolved(own);
            let value = if self.means_nothing(&value, &own, depth) {
                // Where there is a value for nothing, it is that one.
                let null = self.takes(&Value::Null, &own, depth).then_some(Value::Null);
                null.or_else(|| rules.requires(&key).then_some(value))
            } else {
                Some(value)
            };
            if let Some(value) = value {
                fitted.insert(key, self.fit_to(value, &own, depth + 1));
            }
        };
        let mut strays = Vec::new();
        for (key, value) in members {
            match properties.get(&key) {
                Some(own) => fit(&mut fitted, key, value, own),
                None => strays.push((key, value)),
            }
        }
        for (key, value) in strays {
            if !self.spend(1 + properties.len() / 8) {
                return fitted;
            }
            match lookalike(&key, properties, &fitted) {
                Some((name, own)) => fit(&mut fitted, name.clone(), value, own),
                None if rules.open => {
                    fitted.insert(key, value);
                }
                None => {}
            }
        }
        fitted
    }

    /// Tells whether a value was written only to say that there is none.
    fn means_nothing(&self, value: &Value, rules: &Rules<'s>, depth: usize) -> bool {
        is_nothing(value) && !self.takes(value, rules, depth)
    }

    fn takes(&self, value: &Value, rules: &Rules<'s>, depth: usize) -> bool {
        if depth > MAX_DEPTH || !self.spend(1) {
            return true;
        }
        let takes = |part: &'s Value| self.takes(value, &self.resolved(part), depth + 1);
        match (rules.all_of, rules.alternatives()) {
            (Some(parts), _) => parts.iter().all(takes),
            (None, Some(branches)) => branches.iter().any(takes),
            (None, None) => rules.take(value, self.is_meant),
        }
    }

    /// Finds the rules, wherever references inside the same document lead.
    fn resolved(&self, schema: &'s Value) -> Rules<'s> {
        let mut rules = Rules::of(schema);
        for _ in 0..MAX_DEPTH {
            let pointer = rules.reference.and_then(|target| target.strip_prefix('#'));
            match pointer.and_then(|pointer| self.root.pointer(pointer)) {
                Some(target) => rules = Rules::of(target),
                None => break,
            }
        }
        rules
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

fn whole(number: Number) -> Number {
    match number.as_f64() {
        Some(float) if number.is_f64() && is_whole(&number) => Number::from(float as i64),
        _ => number,
    }
}

fn number(text: &str) -> Option<Value> {
    loquat_decoder::number(text.trim())
}

fn truth(text: &str) -> Option<Value> {
    match text.trim().to_ascii_lowercase().as_str() {
        "true" | "yes" | "on" | "1" => Some(Value::Bool(true)),
        "false" | "no" | "off" | "0" => Some(Value::Bool(false)),
        _ => None,
    }
}

/// An object or a list that was sent as text.
fn nested(text: &str) -> Option<Value> {
    text.trim_start()
        .starts_with(['{', '['])
        .then(|| loquat_decoder::parse_whole(text.trim()).ok())
        .flatten()
        .map(|parsed| parsed.value)
}

/// Finds an option that differs only in case or separators.
fn matching_option(text: String, options: &[Value]) -> Value {
    if options.is_empty() {
        return Value::String(text);
    }
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
