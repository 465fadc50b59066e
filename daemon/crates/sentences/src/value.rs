//! What a slot holds.

use std::fmt;

use serde_json::Value as Json;

/// The value of a slot or of a piece of context.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// It is a text.
    Text(String),
    /// A whole number, as a list or the words of a sentence give it.
    Whole(i64),
    /// A number, as digits give it.
    Number(f64),
    /// It is yes or no.
    Truth(bool),
    /// It is any of these.
    AnyOf(Vec<Self>),
}

impl Value {
    /// Whether both are the same; numbers are compared by their worth.
    pub fn equals(&self, other: &Self) -> bool {
        match (self.as_number(), other.as_number()) {
            (Some(one), Some(other)) => one.total_cmp(&other).is_eq(),
            _ => self == other,
        }
    }

    /// The number, of a number.
    pub fn as_number(&self) -> Option<f64> {
        match self {
            Self::Whole(number) => Some(*number as f64),
            Self::Number(number) => Some(*number),
            _ => None,
        }
    }

    /// The text, of a text.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The value that JSON holds; objects and null are none.
    pub(crate) fn from_json(json: &Json) -> Option<Self> {
        match json {
            Json::String(text) => Some(Self::Text(text.clone())),
            Json::Bool(truth) => Some(Self::Truth(*truth)),
            Json::Number(number) => number
                .as_i64()
                .map(Self::Whole)
                .or_else(|| number.as_f64().map(Self::Number)),
            Json::Array(values) => values
                .iter()
                .map(Self::from_json)
                .collect::<Option<_>>()
                .map(Self::AnyOf),
            Json::Null | Json::Object(_) => None,
        }
    }

    /// The value as JSON.
    pub fn to_json(&self) -> Json {
        match self {
            Self::Text(text) => Json::from(text.as_str()),
            Self::Whole(number) => Json::from(*number),
            Self::Number(number) => Json::from(*number),
            Self::Truth(truth) => Json::from(*truth),
            Self::AnyOf(values) => values.iter().map(Self::to_json).collect(),
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => f.write_str(text),
            Self::Whole(number) => number.fmt(f),
            Self::Number(number) => number.fmt(f),
            Self::Truth(truth) => truth.fmt(f),
            Self::AnyOf(values) => {
                let told: Vec<String> = values.iter().map(ToString::to_string).collect();
                f.write_str(&told.join(", "))
            }
        }
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<i64> for Value {
    fn from(number: i64) -> Self {
        Self::Whole(number)
    }
}
