//! A JSON Schema, compiled once: checks the arguments and the results of tools, within bounds of memory and work.

mod coerce;
mod limits;
mod places;
#[cfg(test)]
mod tests;
mod violation;
mod work;

use std::sync::Arc;

use jsonschema::{PatternOptions, Validator};
use serde_json::{Map, Value};

use self::limits::Size;
pub use self::violation::Violation;

/// A regular expression with look-around may step back this often before it counts as not matching.
const BACKTRACK_LIMIT: usize = 5_000;

/// A schema may have this many patterns when one of them looks around.
const MOST_LOOKING_AROUND: usize = 8;

/// Bounds of one compiled pattern, in bytes. A name with a length, a date, an address or an identifier have a third of it
/// at most.
const LARGEST_PATTERN: usize = 64 * 1024;

/// A compiled JSON Schema of an object. It is cheap to clone.
#[derive(Clone)]
pub struct Schema(Arc<Compiled>);

struct Compiled {
    source: Value,
    validator: Validator,
    size: Size,
    looks_around: bool,
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
    /// Compiles a schema. References to other documents are never fetched; a schema that needs them is refused, and so is
    /// one that asks for more memory or work than any tool needs. Takes some milliseconds at most, a hundred for the worst
    /// that is taken: not for a thread that others wait for.
    ///
    /// # Errors
    /// Says what is wrong with the schema.
    pub fn compile(schema: &Value) -> Result<Self, InvalidSchema> {
        let refused = |reason| InvalidSchema { reason };
        let size = limits::size_of(schema).map_err(refused)?;
        let linear = PatternOptions::regex()
            .size_limit(LARGEST_PATTERN)
            .dfa_size_limit(LARGEST_PATTERN);
        let options = || jsonschema::options().offline().should_validate_formats(false);
        let (validator, looks_around) = match options().with_pattern_options(linear).build(schema) {
            Ok(validator) => (validator, false),
            Err(error) if size.patterns == 0 || size.patterns > MOST_LOOKING_AROUND => {
                return Err(refused(violation::shortened(&error.to_string())));
            }
            Err(_) => {
                // Look-around needs the other engine, whose time is bounded by a limit instead.
                let fancy = PatternOptions::fancy_regex()
                    .backtrack_limit(BACKTRACK_LIMIT)
                    .size_limit(LARGEST_PATTERN)
                    .dfa_size_limit(LARGEST_PATTERN);
                let built = options().with_pattern_options(fancy).build(schema);
                (
                    built.map_err(|error| refused(violation::shortened(&error.to_string())))?,
                    true,
                )
            }
        };
        Ok(Self(Arc::new(Compiled {
            source: schema.clone(),
            validator,
            size,
            looks_around,
        })))
    }

    /// About how many bytes it takes at most.
    pub fn weight(&self) -> usize {
        let Size { bytes, patterns } = self.0.size;
        4 * bytes + patterns * LARGEST_PATTERN
    }

    /// The schema as it was given.
    pub fn source(&self) -> &Value {
        &self.0.source
    }

    /// Makes arguments fit where that loses nothing, and checks them.
    ///
    /// Numeric text becomes a number, `"true"` and `"false"` become booleans, a single value becomes a list of one
    /// where a list is wanted, keys that differ only in case or separators are matched. Keys that the schema does not name
    /// are dropped, and so is what stands for nothing in an optional argument that does not take it as a value: `null`, an
    /// empty text for a number. Defaults are left to the tool.
    ///
    /// # Errors
    /// Names every field that breaks a rule, and the rule.
    pub fn check_arguments(&self, arguments: Map<String, Value>) -> Result<Map<String, Value>, Violation> {
        self.check_arguments_of_brain(arguments, &|_| true)
    }

    /// Makes arguments fit as [`Self::check_arguments`] does, for what a brain wrote: `"null"`, `"none"` and the like
    /// stand for nothing in texts, too, where they are not meant.
    ///
    /// # Errors
    /// Names every field that breaks a rule, and the rule.
    pub fn check_arguments_of_brain(
        &self,
        arguments: Map<String, Value>,
        is_meant: &dyn Fn(&str) -> bool,
    ) -> Result<Map<String, Value>, Violation> {
        work::refuse_huge(&arguments).map_err(|_| Violation::too_much())?;
        self.checked(coerce::fit(Value::Object(arguments), &self.0.source, is_meant))
    }

    /// Checks what a tool gave back, and returns it unchanged.
    ///
    /// # Errors
    /// Names every field that breaks a rule, and the rule.
    pub fn check_output(&self, result: Map<String, Value>) -> Result<Map<String, Value>, Violation> {
        self.checked(Value::Object(result))
    }

    /// Checks arguments as they are.
    ///
    /// # Errors
    /// Names every field that breaks a rule, and the rule.
    pub fn check(&self, arguments: &Map<String, Value>) -> Result<(), Violation> {
        self.check_output(arguments.clone()).map(drop)
    }

    fn checked(&self, value: Value) -> Result<Map<String, Value>, Violation> {
        work::afford(&self.0.source, &value, self.0.looks_around).map_err(|_| Violation::too_much())?;
        violation::find(&self.0.validator, &value, &self.0.source)?;
        match value {
            Value::Object(members) => Ok(members),
            _ => Ok(Map::new()),
        }
    }
}
