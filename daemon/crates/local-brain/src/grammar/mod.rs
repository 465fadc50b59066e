//! Grammars in llama.cpp's GBNF that the reply has to follow. Never touches llama.cpp itself: what leaves this module
//! is text that was checked.

mod builder;
mod check;
mod edges;
mod object;
mod primitive;
mod schema;
mod syntax;

use serde_json::{Value, json};

pub(crate) use check::GrammarError;
pub(crate) use schema::SchemaError;

/// A checked GBNF grammar whose start rule is `root`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Grammar(String);

impl Grammar {
    /// Takes a grammar that a client wrote.
    ///
    /// # Errors
    /// When llama.cpp would refuse it, or would hang, run out of memory or abort over it.
    pub(crate) fn from_gbnf(text: &str) -> Result<Self, GrammarError> {
        check::check(text)?;
        Ok(Self(text.to_owned()))
    }

    /// Makes the grammar of the JSON texts that satisfy a schema; see [`schema`] for what of a schema is enforced.
    ///
    /// # Errors
    /// When a part of the schema changes the shape of the text in a way that the grammar cannot follow.
    pub(crate) fn from_schema(schema: &Value) -> Result<Self, SchemaError> {
        let text = schema::to_gbnf(schema)?;
        check::check(&text).map_err(|error| SchemaError::from_grammar(&error))?;
        Ok(Self(text))
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
