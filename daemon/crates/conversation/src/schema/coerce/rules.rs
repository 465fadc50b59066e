//! What a schema says about the shape of a value. Checks nothing: that is the validator's part.

use serde_json::{Map, Number, Value};

use super::nothing;
use loquat_decoder::squash;

/// The keywords of one schema that say what fits, read in one go.
#[derive(Clone, Copy, Default)]
pub(super) struct Rules<'s> {
    pub(super) reference: Option<&'s str>,
    kind: Option<&'s Value>,
    pub(super) options: Option<&'s [Value]>,
    pub(super) all_of: Option<&'s [Value]>,
    any_of: Option<&'s [Value]>,
    one_of: Option<&'s [Value]>,
    pub(super) items: Option<&'s Value>,
    pub(super) properties: Option<&'s Map<String, Value>>,
    required: &'s [Value],
    /// The value must not be empty, or has to look like something.
    filled: bool,
    /// Keys that it does not name are allowed.
    pub(super) open: bool,
}

impl<'s> Rules<'s> {
    pub(super) fn of(schema: &'s Value) -> Self {
        let mut rules = Self::default();
        let list = |value: &'s Value| value.as_array().map(Vec::as_slice);
        for (keyword, value) in schema.as_object().into_iter().flatten() {
            match keyword.as_str() {
                "$ref" => rules.reference = value.as_str(),
                "type" => rules.kind = Some(value),
                "enum" => rules.options = list(value),
                "allOf" => rules.all_of = list(value),
                "anyOf" => rules.any_of = list(value),
                "oneOf" => rules.one_of = list(value),
                "items" => rules.items = Some(value).filter(|items| items.is_object()),
                "properties" => rules.properties = value.as_object(),
                "const" => rules.options = Some(std::slice::from_ref(value)),
                "minLength" | "minItems" | "minProperties" => rules.filled |= value.as_u64() > Some(0),
                "pattern" | "format" => rules.filled = true,
                "required" => rules.required = list(value).unwrap_or_default(),
                "additionalProperties" => rules.open |= value != &Value::Bool(false),
                "patternProperties" => rules.open = true,
                _ => {}
            }
        }
        rules
    }

    pub(super) fn alternatives(&self) -> Option<&'s [Value]> {
        self.any_of.or(self.one_of)
    }

    pub(super) fn names_type(&self, name: &str) -> bool {
        match self.kind {
            Some(Value::String(one)) => one == name,
            Some(Value::Array(several)) => several.iter().any(|one| one == name),
            _ => false,
        }
    }

    /// Tells whether the value has a type that is named; where none is named, all are right.
    pub(super) fn have_type_of(&self, value: &Value) -> bool {
        if self.kind.is_none() {
            return self.options.is_none_or(|options| options.contains(value));
        }
        match value {
            Value::Null => self.names_type("null"),
            Value::Bool(_) => self.names_type("boolean"),
            Value::Number(number) => {
                self.names_type("number")
                    || self.names_type("integer") && (number.is_i64() || number.is_u64() || is_whole(number))
            }
            Value::String(_) => self.names_type("string"),
            Value::Array(_) => self.names_type("array"),
            Value::Object(_) => self.names_type("object"),
        }
    }

    /// Tells whether this key may not be left out.
    pub(super) fn requires(&self, key: &str) -> bool {
        self.required.iter().any(|one| one == key)
    }

    /// Tells whether something that may stand for nothing is a value all the same: one of the options, or of the
    /// right type and not too empty. A word for nothing is no text unless it is meant, and neither are blanks.
    pub(super) fn take(&self, value: &Value, is_meant: &dyn Fn(&str) -> bool) -> bool {
        if let Some(options) = self.options {
            let alike =
                |option: &Value, text: &str| option.as_str().is_some_and(|one| squash(one) == squash(text));
            return match value.as_str().filter(|text| !squash(text).is_empty()) {
                Some(text) => options.iter().any(|option| alike(option, text)),
                None => options.contains(value),
            };
        }
        self.have_type_of(value)
            && match value {
                Value::String(text) if nothing::is_word(text) => is_meant(text),
                Value::String(text) if text.trim().is_empty() => !self.filled && is_meant(text),
                Value::String(_) | Value::Array(_) => !self.filled,
                Value::Object(_) => !self.filled && self.required.is_empty(),
                Value::Null | Value::Bool(_) | Value::Number(_) => true,
            }
    }
}

/// Floats up to here are exact as integers.
const EXACT: f64 = 9_007_199_254_740_992.0;

pub(super) fn is_whole(number: &Number) -> bool {
    number
        .as_f64()
        .is_some_and(|float| float.fract() == 0.0 && float.abs() < EXACT)
}
