//! What the reply has to follow: a schema, any JSON object, or a grammar. Never two of them at once.

use serde::Deserialize;
use serde_json::Value;

use crate::grammar::{Grammar, GrammarError, SchemaError};
use crate::refusal::Refusal;

const SCHEMA_FIELD: &str = "response_format.json_schema.schema";

/// The field `response_format`.
#[derive(Debug, Deserialize)]
pub(super) struct ResponseFormat {
    #[serde(rename = "type")]
    kind: FormatKind,
    #[serde(default)]
    json_schema: Option<JsonSchema>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum FormatKind {
    Text,
    JsonObject,
    JsonSchema,
}

#[derive(Debug, Deserialize)]
struct JsonSchema {
    schema: Value,
}

/// The grammar that the two fields ask for.
pub(super) fn grammar(
    format: Option<ResponseFormat>,
    grammar: Option<&str>,
) -> Result<Option<Grammar>, Refusal> {
    let from_format = match format {
        Some(format) => of_format(format)?,
        None => None,
    };
    match (from_format, grammar) {
        (Some(_), Some(_)) => Err(refuse("grammar", "a `response_format` is there already")),
        (None, Some(text)) => Grammar::from_gbnf(text).map(Some).map_err(refuse_grammar),
        (from_format, None) => Ok(from_format),
    }
}

fn of_format(format: ResponseFormat) -> Result<Option<Grammar>, Refusal> {
    match (format.kind, format.json_schema) {
        (FormatKind::Text, _) => Ok(None),
        (FormatKind::JsonObject, _) => Grammar::any_object()
            .map(Some)
            .map_err(|error| refuse_schema(&error)),
        (FormatKind::JsonSchema, Some(JsonSchema { schema })) => Grammar::from_schema(&schema)
            .map(Some)
            .map_err(|error| refuse_schema(&error)),
        (FormatKind::JsonSchema, None) => Err(refuse("response_format.json_schema", "it is missing")),
    }
}

fn refuse_schema(error: &SchemaError) -> Refusal {
    Refusal::bad_request(Some(SCHEMA_FIELD.to_owned()), error.to_string())
}

fn refuse_grammar(error: GrammarError) -> Refusal {
    refuse("grammar", error)
}

fn refuse(field: &str, what: impl std::fmt::Display) -> Refusal {
    Refusal::bad_request(
        Some(field.to_owned()),
        format!("failed to read the request: `{field}`: {what}"),
    )
}
