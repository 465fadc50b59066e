//! A JSON Schema, compiled once.

use std::sync::Arc;

use jsonschema::{PatternOptions, Validator};
use serde_json::{Map, Value};

use super::violation::Violation;
use super::{coerce, violation};

/// A schema with more text than this is refused: compiling it could take long.
const LARGEST_SCHEMA: usize = 200_000;

/// How often a regular expression with look-around may step back before it counts as not matching.
const BACKTRACK_LIMIT: usize = 50_000;

/// A compiled JSON Schema of an object. Cheap to clone.
#[derive(Clone)]
pub struct Schema(Arc<Compiled>);

struct Compiled {
    source: Value,
    validator: Validator,
}

/// A schema that nothing can be checked with.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("compile the JSON Schema: {reason}")]
pub struct InvalidSchema {
    reason: String,
}

impl std::fmt::Debug for Schema {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Schema").field(&self.0.source).finish()
    }
}

impl Schema {
    /// Compiles a schema. References to other documents are never fetched; a schema that needs them is refused.
    ///
    /// # Errors
    /// Says what is wrong with the schema.
    pub fn compile(schema: &Value) -> Result<Self, InvalidSchema> {
        if schema.to_string().len() > LARGEST_SCHEMA {
            return Err(InvalidSchema {
                reason: format!("it is larger than {LARGEST_SCHEMA} bytes"),
            });
        }
        let linear = jsonschema::options()
            .offline()
            .with_pattern_options(PatternOptions::regex())
            .build(schema);
        // Look-around needs the other engine, whose time is bounded by a limit instead.
        let fancy = PatternOptions::fancy_regex().backtrack_limit(BACKTRACK_LIMIT);
        let validator = linear
            .or_else(|_| {
                jsonschema::options()
                    .offline()
                    .with_pattern_options(fancy)
                    .build(schema)
            })
            .map_err(|error| InvalidSchema {
                reason: violation::shortened(&error.to_string()),
            })?;
        Ok(Self(Arc::new(Compiled {
            source: schema.clone(),
            validator,
        })))
    }

    /// The schema as it was given.
    pub fn source(&self) -> &Value {
        &self.0.source
    }

    /// Makes arguments fit where that loses nothing, and checks them.
    ///
    /// Numeric text becomes a number, `"true"` and `"false"` become booleans, a single value becomes a list of one
    /// where a list is wanted, keys that differ only in case or separators are matched, `null` for an optional argument
    /// and keys that the schema does not name are dropped. Defaults are left to the tool.
    ///
    /// # Errors
    /// Names every field that breaks a rule, and the rule.
    pub fn check_arguments(&self, arguments: Map<String, Value>) -> Result<Map<String, Value>, Violation> {
        self.checked(coerce::fit(Value::Object(arguments), &self.0.source))
    }

    /// Checks what a tool gave back, and returns it unchanged.
    ///
    /// # Errors
    /// Names every field that breaks a rule, and the rule.
    pub fn check_output(&self, result: Map<String, Value>) -> Result<Map<String, Value>, Violation> {
        self.checked(Value::Object(result))
    }

    fn checked(&self, value: Value) -> Result<Map<String, Value>, Violation> {
        violation::find(&self.0.validator, &value, &self.0.source)?;
        match value {
            Value::Object(members) => Ok(members),
            _ => Ok(Map::new()),
        }
    }
}
