//! How much work it is to check a value, found out before it is checked. A validator cannot be stopped, and a schema of
//! a stranger may ask exponentially often about a value that a stranger has sent.

use serde_json::{Map, Value};

use super::places;

/// A call is worth this many looks of a schema at a value.
pub(super) const FUEL: u64 = 100_000;

/// A schema with look-around has less: its engine may step back, and checks are repeated when it gives up.
const FUEL_LOOKING_AROUND: u64 = FUEL / 8;

/// A pattern costs this much for each byte of a text.
const PATTERN_BYTE: u64 = 16;

/// It costs this much to begin to look around.
const LOOK_AROUND: u64 = 400;

/// Values may stand within each other, and schemas be asked about each, this deep: both take room on the stack.
const DEEPEST: usize = 256;

/// Levels of the arguments of a call, or of a result.
const DEEPEST_VALUE: usize = 48;

/// A value that would take too long to check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TooMuch;

/// An estimate that is under way: what it may still spend.
struct Estimate<'s> {
    root: &'s Value,
    left: u64,
    looks_around: bool,
}

const MOST_ARGUMENTS: usize = 256;

/// Bounds of the arguments of a call, in bytes of text.
const LARGEST_ARGUMENTS: usize = 64 * 1024;

/// Turns away arguments that no call needs, before anything is done with them.
pub(super) fn refuse_huge(arguments: &Map<String, Value>) -> Result<(), TooMuch> {
    let texts = arguments.iter().map(|(name, value)| name.len() + bytes(value, 0));
    if arguments.len() > MOST_ARGUMENTS || texts.sum::<usize>() > LARGEST_ARGUMENTS {
        return Err(TooMuch);
    }
    Ok(())
}

/// Counts the texts of a value, with a few bytes for each part. It is more than any call may have where the value is
/// too deep.
pub(super) fn bytes(value: &Value, depth: usize) -> usize {
    match value {
        _ if depth > DEEPEST_VALUE => LARGEST_ARGUMENTS,
        Value::String(text) => text.len(),
        Value::Array(items) => items.iter().map(|item| 4 + bytes(item, depth + 1)).sum(),
        Value::Object(members) => members
            .iter()
            .map(|(name, member)| 4 + name.len() + bytes(member, depth + 1))
            .sum(),
        _ => 4,
    }
}

/// Tells whether the schema's looks at the value can be afforded, if it never stopped early.
pub(super) fn afford(root: &Value, value: &Value, looks_around: bool) -> Result<(), TooMuch> {
    let left = if looks_around { FUEL_LOOKING_AROUND } else { FUEL };
    let mut estimate = Estimate {
        root,
        left,
        looks_around,
    };
    estimate.measure(value, 0)?;
    estimate.visit(root, value, 0)
}

impl Estimate<'_> {
    fn spend(&mut self, fuel: u64) -> Result<(), TooMuch> {
        self.left = self.left.checked_sub(fuel).ok_or(TooMuch)?;
        Ok(())
    }

    /// Every value is read once, whatever the schema says.
    fn measure(&mut self, value: &Value, depth: usize) -> Result<(), TooMuch> {
        if depth > DEEPEST_VALUE {
            return Err(TooMuch);
        }
        self.spend(1)?;
        match value {
            Value::Array(items) => items.iter().try_for_each(|item| self.measure(item, depth + 1)),
            Value::Object(members) => members
                .values()
                .try_for_each(|member| self.measure(member, depth + 1)),
            _ => Ok(()),
        }
    }
}

impl<'s> Estimate<'s> {
    fn visit(&mut self, schema: &'s Value, value: &Value, depth: usize) -> Result<(), TooMuch> {
        if depth > DEEPEST {
            return Err(TooMuch);
        }
        let before = self.left;
        self.spend(1)?;
        let Some(members) = schema.as_object() else {
            return Ok(());
        };
        for reference in places::references(members) {
            let target = reference
                .as_str()
                .and_then(|text| places::target(self.root, text));
            self.visit(target.ok_or(TooMuch)?, value, depth + 1)?;
        }
        for same in places::same(members) {
            self.visit(same, value, depth + 1)?;
        }
        self.compare(members, value)?;
        match value {
            Value::Object(named) => self.visit_members(members, named, depth)?,
            Value::Array(items) => self.visit_items(members, items, depth)?,
            _ => {}
        }
        if places::AGAIN.iter().any(|keyword| members.contains_key(*keyword)) {
            let spent = before - self.left;
            self.spend(spent.saturating_mul(length(value)))?;
        }
        Ok(())
    }

    fn compare(&mut self, schema: &Map<String, Value>, value: &Value) -> Result<(), TooMuch> {
        if let Some(options) = schema.get("enum").and_then(Value::as_array) {
            self.spend(options.len() as u64)?;
        }
        if let (true, Some(text)) = (schema.contains_key("pattern"), value.as_str()) {
            self.match_pattern(text)?;
        }
        if schema.contains_key("uniqueItems") {
            self.spend(4 * length(value))?;
        }
        if schema.contains_key("contentEncoding") || schema.contains_key("contentMediaType") {
            self.spend(value.as_str().map_or(0, str::len) as u64 / 16)?;
        }
        Ok(())
    }

    fn match_pattern(&mut self, text: &str) -> Result<(), TooMuch> {
        let begin = if self.looks_around { LOOK_AROUND } else { 1 };
        self.spend(begin + PATTERN_BYTE * text.len() as u64)
    }

    fn visit_members(
        &mut self,
        schema: &'s Map<String, Value>,
        named: &Map<String, Value>,
        depth: usize,
    ) -> Result<(), TooMuch> {
        let own = schema.get("properties").and_then(Value::as_object);
        for (name, property) in own.into_iter().flatten() {
            if let Some(member) = named.get(name) {
                self.visit(property, member, depth + 1)?;
            }
        }
        let patterns = schema.get("patternProperties").and_then(Value::as_object);
        for property in patterns.into_iter().flat_map(Map::values) {
            for (name, member) in named {
                self.match_pattern(name)?;
                self.visit(property, member, depth + 1)?;
            }
        }
        if let Some(names) = schema.get("propertyNames") {
            for name in named.keys() {
                self.visit(names, &Value::String(name.clone()), depth + 1)?;
            }
        }
        for keyword in ["additionalProperties", "unevaluatedProperties"] {
            if let Some(each) = schema.get(keyword) {
                // Whether a name is one of the others is looked up, and matched against their patterns.
                for (name, member) in named {
                    if patterns.is_some_and(|patterns| !patterns.is_empty()) {
                        self.match_pattern(name)?;
                    }
                    self.visit(each, member, depth + 1)?;
                }
            }
        }
        Ok(())
    }

    fn visit_items(
        &mut self,
        schema: &'s Map<String, Value>,
        items: &[Value],
        depth: usize,
    ) -> Result<(), TooMuch> {
        for keyword in places::PART_LISTS {
            let each = schema.get(keyword).and_then(Value::as_array);
            for (rule, item) in each.into_iter().flatten().zip(items) {
                self.visit(rule, item, depth + 1)?;
            }
        }
        for keyword in ["items", "additionalItems", "unevaluatedItems", "contains"] {
            if let Some(each) = schema.get(keyword).filter(|each| each.is_object()) {
                for item in items {
                    self.visit(each, item, depth + 1)?;
                }
            }
        }
        Ok(())
    }
}

fn length(value: &Value) -> u64 {
    let length = match value {
        Value::Array(items) => items.len(),
        Value::Object(members) => members.len(),
        _ => 1,
    };
    length as u64
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// Each name stands for two of the next, about a part of the value.
    fn doubling() -> Value {
        let node = json!({"$ref": "#/$defs/node"});
        json!({"type": "object", "properties": {"a": node}, "$defs": {
            "node": {"type": "object", "properties": {"a": {"anyOf": [node, node]}}}
        }})
    }

    fn nested(depth: usize) -> Value {
        (0..depth).fold(json!(1), |inner, _| json!({"a": inner}))
    }

    #[test]
    fn what_is_usual_is_afforded() {
        let schema = json!({"type": "object", "properties": {
            "name": {"type": "string", "pattern": "^[a-z]+$"},
            "tags": {"type": "array", "items": {"type": "string", "enum": ["a", "b"]}}
        }});
        let value = json!({"name": "living", "tags": vec!["a"; 1_000]});
        assert_eq!(afford(&schema, &value, false), Ok(()));
        assert_eq!(afford(&doubling(), &nested(5), false), Ok(()));
    }

    #[test]
    fn what_explodes_is_not() {
        assert_eq!(afford(&doubling(), &nested(40), false), Err(TooMuch));
        assert_eq!(
            afford(&json!({}), &nested(DEEPEST_VALUE + 2), false),
            Err(TooMuch)
        );
        let pattern = json!({"pattern": "^(a+)+$"});
        assert_eq!(afford(&pattern, &json!("a".repeat(100_000)), false), Err(TooMuch));
        assert_eq!(afford(&pattern, &json!("a".repeat(1_000)), true), Err(TooMuch));
    }
}
