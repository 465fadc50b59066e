//! Grammars in llama.cpp's GBNF that the reply has to follow, made of JSON Schemas. Never touches llama.cpp itself, and
//! never makes a grammar over which it would hang, run out of memory, overflow its stack or abort.
//!
//! Read in llama.cpp's `llama-grammar.cpp`: a part that is repeated is copied that often, rules recurse on the C++ stack,
//! and a rule that begins with itself makes the parser's stack grow for ever.

mod builder;
mod object;
mod primitive;
mod schema;

use serde_json::{Value, json};

pub(crate) use schema::SchemaError;

/// A GBNF grammar whose start rule is `root`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Grammar(String);

impl Grammar {
    /// Makes the grammar of the JSON texts that satisfy a schema; see [`schema`] for what of a schema is enforced.
    ///
    /// # Errors
    /// When a part of the schema changes the shape of the text in a way that the grammar cannot follow, or when the
    /// grammar would be too large for llama.cpp.
    pub(crate) fn from_schema(schema: &Value) -> Result<Self, SchemaError> {
        schema::to_gbnf(schema).map(Self)
    }

    /// The grammar of any JSON object.
    ///
    /// # Errors
    /// None in practice; the type is that of [`Grammar::from_schema`].
    pub(crate) fn any_object() -> Result<Self, SchemaError> {
        Self::from_schema(&json!({"type": "object"}))
    }

    /// The GBNF text.
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests;
