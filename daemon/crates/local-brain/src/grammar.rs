//! Matchers that hold a reply to a JSON Schema, made by llguidance. Never touches llama.cpp, and never lets a schema take
//! more than its share of time, memory and stack.
//!
//! What of a schema counts is what llguidance enforces, which is all that shapes the text. A `oneOf` is taken as an
//! `anyOf`. Keywords that it does not know are refused, not dropped. An object has other members than the schema names
//! unless `additionalProperties` is false. A whole number without bounds has at most nineteen digits: a small model that has no number to
//! tell writes noughts until its reply is full. Other numbers are as long as the model writes them, since a bound would take
//! their exponents.
//!
//! A matcher walks a trie of the model's tokens that is built once, beside the loading. JSON has one form, that of the
//! prompts, so that most of what surrounds the words of a reply is certain before it is drawn.

use std::collections::HashSet;
use std::sync::Arc;

use llguidance::api::{ParserLimits, TopLevelGrammar};
use llguidance::{Matcher, ParserFactory};
use serde_json::{Map, Value, json};
use toktrie::{InferenceCapabilities, TokEnv, TokenizerEnv};

/// A schema of a hundred properties has some ten thousand bytes.
const LARGEST: usize = 256 << 10;

/// Values may stand within each other, references followed, this deep: llguidance calls itself for each.
const DEEPEST: usize = 256;

/// As large as identifiers are.
const LARGEST_NUMBER: i64 = 8_999_999_999_999_999_999;

/// A number with one of these has bounds, or is one of a few.
const NUMBERS_LIMITS: [&str; 6] = [
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "enum",
    "const",
];

/// Below these stand schemas under names of any kind, which may be those of keywords.
const NAMED_SCHEMAS: [&str; 5] = [
    "properties",
    "patternProperties",
    "$defs",
    "definitions",
    "dependentSchemas",
];

/// Below these are values, not schemas.
const VALUES: [&str; 4] = ["enum", "const", "default", "examples"];

/// Twice what two hundred tools need. A schema then takes milliseconds on a desktop, and a reply less than a hundred
/// megabytes.
const LIMITS: ParserLimits = ParserLimits {
    max_items_in_row: 2_000,
    initial_lexer_fuel: 200_000,
    step_lexer_fuel: 200_000,
    step_max_items: 50_000,
    max_lexer_states: 50_000,
    max_grammar_size: 10_000,
    precompute_large_lexemes: false,
    // They would quote what people said.
    verbose_errors: false,
};

/// A schema that no reply can be held to.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("failed to turn the JSON schema into a grammar: {0}")]
pub(crate) struct SchemaError(String);

/// Makes matchers for one vocabulary.
pub(crate) struct Grammars(ParserFactory);

impl Grammars {
    /// Takes the vocabulary's part of the work, once for all schemas.
    ///
    /// # Errors
    /// None in practice: only slices of the vocabulary can be wrong, and none are asked for. Without them a mask takes
    /// milliseconds, but a mask is wanted only when a free draw was refused.
    pub(crate) fn new(vocabulary: impl TokenizerEnv + Sync + 'static) -> Result<Self, SchemaError> {
        let vocabulary: TokEnv = Arc::new(vocabulary);
        let factory = ParserFactory::new(&vocabulary, InferenceCapabilities::default(), &[]);
        let mut factory = factory.map_err(refused)?;
        factory.quiet();
        *factory.limits_mut() = LIMITS;
        Ok(Self(factory))
    }

    /// A matcher of the texts that satisfy the schema.
    ///
    /// # Errors
    /// When llguidance cannot follow the schema, when it would take too much, or when no text satisfies it.
    pub(crate) fn matcher(&self, schema: &Value) -> Result<Matcher, SchemaError> {
        if schema.to_string().len() > LARGEST {
            return Err(SchemaError(format!("it has more than {LARGEST} bytes")));
        }
        check(schema, schema, &mut HashSet::new(), 0)?;
        let grammar = TopLevelGrammar::from_json_schema(in_our_form(schema));
        let mut matcher = Matcher::new(self.0.create_parser(grammar));
        // A schema that only refers to itself is found out by its first mask.
        matcher.compute_mask().map_err(refused)?;
        Ok(matcher)
    }
}

/// Refuses what llguidance would exhaust the stack over, or never come back from.
fn check<'s>(
    value: &'s Value,
    document: &'s Value,
    followed: &mut HashSet<&'s str>,
    depth: usize,
) -> Result<(), SchemaError> {
    if depth == DEEPEST {
        return Err(SchemaError(format!(
            "there are more than {DEEPEST} values within each other"
        )));
    }
    let members = match value {
        Value::Array(items) => {
            return items
                .iter()
                .try_for_each(|item| check(item, document, followed, depth + 1));
        }
        Value::Object(members) => members,
        _ => return Ok(()),
    };
    for (key, member) in members {
        match (key.as_str(), member) {
            ("multipleOf", Value::Number(_)) => {
                return Err(SchemaError("`multipleOf` is not supported".to_owned()));
            }
            ("$ref", Value::String(reference)) => {
                let pointer = reference.strip_prefix('#').unwrap_or_default();
                if followed.insert(pointer)
                    && let Some(target) = document.pointer(pointer)
                {
                    check(target, document, followed, depth + 1)?;
                }
            }
            _ => check(member, document, followed, depth + 1)?,
        }
    }
    Ok(())
}

/// Has JSON written in one way only, that of the prompts: what comes next is certain more often then.
fn in_our_form(schema: &Value) -> Value {
    let mut schema = match schema {
        Value::Bool(true) => json!({}),
        other => other.clone(),
    };
    bound_whole_numbers(&mut schema);
    if let Value::Object(members) = &mut schema {
        let form = json!({
            "whitespace_flexible": false,
            "item_separator": ", ",
            "key_separator": ": ",
            "coerce_one_of": true,
            "json_allow_general_unicode_escapes": true,
        });
        members.insert("x-guidance".to_owned(), form);
    }
    schema
}

/// Gives every whole number that may be as large as it likes the bounds of [`LARGEST_NUMBER`].
fn bound_whole_numbers(schema: &mut Value) {
    match schema {
        Value::Array(schemas) => schemas.iter_mut().for_each(bound_whole_numbers),
        Value::Object(members) => {
            if is_boundless(members) {
                members.insert("minimum".to_owned(), json!(-LARGEST_NUMBER));
                members.insert("maximum".to_owned(), json!(LARGEST_NUMBER));
            }
            for (key, member) in members {
                match member {
                    Value::Object(named) if NAMED_SCHEMAS.contains(&key.as_str()) => {
                        named.values_mut().for_each(bound_whole_numbers);
                    }
                    _ if VALUES.contains(&key.as_str()) => {}
                    _ => bound_whole_numbers(member),
                }
            }
        }
        _ => {}
    }
}

fn is_boundless(schema: &Map<String, Value>) -> bool {
    let is_whole = |kind: &Value| kind == "integer";
    let holds_numbers = match schema.get("type") {
        Some(Value::Array(kinds)) => kinds.iter().any(is_whole) && !kinds.iter().any(|kind| kind == "number"),
        Some(kind) => is_whole(kind),
        None => false,
    };
    holds_numbers && !NUMBERS_LIMITS.iter().any(|limit| schema.contains_key(*limit))
}

/// llguidance's own words in one line, without the state that it may append in angle brackets.
fn refused(error: impl std::fmt::Display) -> SchemaError {
    let text = error.to_string();
    let words = text.split("\n<").next().unwrap_or_default();
    SchemaError(words.split_whitespace().collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests;
