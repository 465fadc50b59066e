//! What a schema may ask for before it is compiled: so much text, so many patterns, references within itself, and no
//! more questions about one value than can be asked of it. A schema of a stranger may be built to explode.

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value};

use super::places;
use super::work::FUEL;

/// Bounds of a schema's text, in bytes. Servers that offer a hundred options in one tool have some twenty kilobytes.
const LARGEST: usize = 64 * 1024;

const MOST_PATTERNS: usize = 32;

/// Bounds of one pattern, in bytes.
const LONGEST_PATTERN: usize = 512;

/// This many schemas one after the other may be asked about the same value: each takes room on the stack.
const DEEPEST: usize = 48;

#[derive(Clone, Copy)]
struct Cost {
    /// So many schemas stand one in the other.
    depth: usize,
    visits: u64,
}

/// The cost of each schema, by its address. `None` while it is looked at.
struct Costs<'s> {
    root: &'s Value,
    known: HashMap<*const Value, Option<Cost>>,
}

/// The cost of keeping a schema, once it is compiled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Size {
    /// Its text has so many bytes.
    pub(super) bytes: usize,
    /// Each is a machine of its own.
    pub(super) patterns: usize,
}

/// The size of a schema, or what is wrong with one that asks for too much.
pub(super) fn size_of(root: &Value) -> Result<Size, String> {
    let bytes = root.to_string().len();
    if bytes > LARGEST {
        return Err(format!("it has {bytes} bytes, and {LARGEST} are the most"));
    }
    let mut costs = Costs {
        root,
        known: HashMap::new(),
    };
    let (mut open, mut seen, mut patterns) = (vec![root], HashSet::new(), 0);
    while let Some(schema) = open.pop() {
        let Some(members) = schema.as_object() else {
            continue;
        };
        if !seen.insert(std::ptr::from_ref(schema)) {
            continue;
        }
        costs.of(schema, 0)?;
        patterns += count_patterns(members)?;
        refuse_identity(members, std::ptr::eq(schema, root))?;
        open.extend(places::parts(members));
        open.extend(places::same(members));
        open.extend(costs.targets(members)?);
    }
    if patterns > MOST_PATTERNS {
        return Err(format!(
            "it has {patterns} patterns, and {MOST_PATTERNS} are the most"
        ));
    }
    Ok(Size { bytes, patterns })
}

impl<'s> Costs<'s> {
    fn of(&mut self, schema: &'s Value, above: usize) -> Result<Cost, String> {
        let address = std::ptr::from_ref(schema);
        match self.known.get(&address) {
            Some(Some(cost)) => return Ok(*cost),
            Some(None) => return Err("a reference leads back to where it stands".to_owned()),
            None => {}
        }
        if above > DEEPEST {
            return Err(too_deep());
        }
        self.known.insert(address, None);
        let mut cost = Cost { depth: 0, visits: 1 };
        if let Some(members) = schema.as_object() {
            let targets = self.targets(members)?;
            for inner in places::same(members).into_iter().chain(targets) {
                let inner = self.of(inner, above + 1)?;
                cost.depth = cost.depth.max(inner.depth);
                cost.visits = cost.visits.saturating_add(inner.visits);
            }
        }
        cost.depth += 1;
        if cost.depth > DEEPEST {
            return Err(too_deep());
        }
        if cost.visits > FUEL / 4 {
            return Err("one value would have to be looked at too often".to_owned());
        }
        self.known.insert(address, Some(cost));
        Ok(cost)
    }

    fn targets(&self, members: &'s Map<String, Value>) -> Result<Vec<&'s Value>, String> {
        let target = |reference: &'s Value| {
            let text = reference.as_str().unwrap_or_default();
            places::target(self.root, text).ok_or_else(|| {
                let text = super::violation::shortened(text);
                format!("the reference '{text}' does not lead to a place within it")
            })
        };
        places::references(members).map(target).collect()
    }
}

fn too_deep() -> String {
    format!("more than {DEEPEST} schemas would be asked about one value one after the other")
}

fn count_patterns(members: &Map<String, Value>) -> Result<usize, String> {
    let pattern = members.get("pattern").and_then(Value::as_str);
    let named = members.get("patternProperties").and_then(Value::as_object);
    let all: Vec<&str> = pattern
        .into_iter()
        .chain(named.into_iter().flat_map(Map::keys).map(String::as_str))
        .collect();
    match all.iter().find(|pattern| pattern.len() > LONGEST_PATTERN) {
        Some(long) => Err(format!(
            "a pattern has {} bytes, and {LONGEST_PATTERN} are the most",
            long.len()
        )),
        None => Ok(all.len()),
    }
}

/// A schema within a schema that has an identity of its own changes where references lead.
fn refuse_identity(members: &Map<String, Value>, is_root: bool) -> Result<(), String> {
    let has = |keyword: &str| members.get(keyword).is_some_and(Value::is_string);
    if !is_root && (has("$id") || has("id")) {
        return Err("a schema within it has an identity of its own".to_owned());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_real_tools_ask_for_is_granted() {
        let schema = json!({"type": "object", "properties": {
            "at": {"$ref": "#/$defs/place"},
            "id": {"type": "string", "pattern": "^[a-z]+$"},
        }, "$defs": {"place": {"type": "object", "properties": {"next": {"$ref": "#/$defs/place"}}}}});
        assert_eq!(size_of(&schema).map(|size| size.patterns), Ok(1));
    }

    #[test]
    fn what_is_built_to_explode_is_refused() {
        let text = json!({"$ref": "#/properties/text"});
        let back = json!({"properties": {"text": {"type": "integer", "anyOf": [text, text]}}});
        let chain: Map<String, Value> = (0..40)
            .map(|n| {
                let next = json!({"$ref": format!("#/$defs/s{}", n + 1)});
                (format!("s{n}"), json!({"allOf": [next, next]}))
            })
            .chain([("s40".to_owned(), json!({}))])
            .collect();
        let long = (0..60).fold(json!({}), |inner, _| json!({"not": inner}));
        let patterns: Vec<Value> = (0..40).map(|_| json!({"pattern": "a"})).collect();
        for schema in [
            json!({"$ref": "#"}),
            json!({"$ref": "https://example.org/schema"}),
            json!({"properties": {"a": {"$id": "https://example.org/a"}}}),
            json!({"pattern": "a".repeat(1_000)}),
            json!({"description": "a".repeat(100_000)}),
            json!({"$ref": "#/$defs/s0", "$defs": chain}),
            json!({"prefixItems": patterns}),
            back,
            long,
        ] {
            assert!(size_of(&schema).is_err(), "{schema}");
        }
    }
}
