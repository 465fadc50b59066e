//! Says in one sentence which fields of a value break which rules of its schema.

use jsonschema::error::{TypeKind, ValidationErrorKind};
use jsonschema::{ValidationError, Validator};
use serde_json::Value;

use super::work;

/// More complaints than this at once help no brain.
const MOST_COMPLAINTS: usize = 5;

/// Longer complaints are cut.
const LONGEST: usize = 300;

/// Says what is wrong with a value: each field with the rule it breaks, in words that a brain or a person can act on.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{text}")]
pub struct Violation {
    text: String,
}

impl Violation {
    /// Complains of a value that would take too long to check.
    pub(super) fn too_much() -> Self {
        Self {
            text: "it is too large or too deep, or too much work to check".to_owned(),
        }
    }
}

/// Checks `value` and words what is wrong with it.
pub(super) fn find(validator: &Validator, value: &Value, schema: &Value) -> Result<(), Violation> {
    if validator.is_valid(value) {
        return Ok(());
    }
    let complaints: Vec<String> = validator
        .iter_errors(value)
        .take(MOST_COMPLAINTS)
        .map(|error| complaint(&error, schema))
        .collect();
    Err(Violation {
        text: complaints.join("; "),
    })
}

fn complaint(error: &ValidationError<'_>, schema: &Value) -> String {
    let field = field(error.instance_path().as_str());
    let given = shown(error.instance());
    match error.kind() {
        ValidationErrorKind::Required { property } => {
            let name = &shortened(property.as_str().unwrap_or_default());
            let path = if field.is_empty() {
                name.to_owned()
            } else {
                format!("{field}.{name}")
            };
            format!(
                "'{path}' is required but missing{}",
                hint(schema, error.instance_path().is_empty(), name)
            )
        }
        ValidationErrorKind::Type { kind } => {
            format!("{} must be {}, but is {given}", quoted(&field), wanted(kind))
        }
        ValidationErrorKind::Enum { options } => {
            format!(
                "{} must be one of {}, but is {given}",
                quoted(&field),
                shown(options)
            )
        }
        ValidationErrorKind::AdditionalProperties { unexpected } => {
            let named: Vec<&str> = unexpected
                .iter()
                .take(MOST_COMPLAINTS)
                .map(String::as_str)
                .collect();
            shortened(&format!(
                "{} has unknown fields: {}",
                quoted(&field),
                named.join(", ")
            ))
        }
        // The validator prints the whole value.
        _ if work::bytes(error.instance(), 0) > 16 * LONGEST => {
            format!("{} breaks a rule of its schema: {given}", quoted(&field))
        }
        _ => shortened(&format!("{}: {error}", quoted(&field))),
    }
}

/// `/items/0/name` as `items.0.name`.
fn field(path: &str) -> String {
    shortened(path)
        .trim_start_matches('/')
        .replace('/', ".")
        .replace("~1", "/")
        .replace("~0", "~")
}

fn quoted(field: &str) -> String {
    if field.is_empty() {
        "the value".to_owned()
    } else {
        format!("'{field}'")
    }
}

fn wanted(kind: &TypeKind) -> String {
    match kind {
        TypeKind::Single(one) => format!("of type {one}"),
        TypeKind::Multiple(several) => {
            let names: Vec<String> = several.iter().map(|one| one.to_string()).collect();
            format!("of type {}", names.join(" or "))
        }
    }
}

/// Says what a missing argument is for, if the schema says so.
fn hint(schema: &Value, at_top: bool, name: &str) -> String {
    let description = schema
        .pointer("/properties")
        .and_then(|all| all.get(name))
        .and_then(|one| one.get("description"));
    match description.and_then(Value::as_str).filter(|_| at_top) {
        Some(description) => format!(" ({})", shortened(description.trim_end_matches('.'))),
        None => String::new(),
    }
}

/// Writes the beginning of a value as JSON. A large one is never written out.
fn shown(value: &Value) -> String {
    match value {
        Value::Array(items) if work::bytes(value, 0) > 16 * LONGEST => {
            format!("a list of {} items", items.len())
        }
        Value::Object(members) if work::bytes(value, 0) > 16 * LONGEST => {
            format!("an object with {} fields", members.len())
        }
        Value::String(text) => shortened(&Value::String(shortened(text)).to_string()),
        _ => shortened(&value.to_string()),
    }
}

/// Cuts a text to at most [`LONGEST`] characters.
pub(super) fn shortened(text: &str) -> String {
    loquat_wire::text::shortened(text, LONGEST)
}
