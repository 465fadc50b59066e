//! What the reply has to follow: a schema, or any JSON object.

use serde::Deserialize;
use serde_json::Value;

use crate::grammar::{Grammar, SchemaError};
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

/// The grammar that the field asks for.
pub(super) fn grammar(format: Option<ResponseFormat>) -> Result<Option<Grammar>, Refusal> {
    let Some(format) = format else { return Ok(None) };
    match (format.kind, format.json_schema) {
        (FormatKind::Text, _) => Ok(None),
        (FormatKind::JsonObject, _) => Grammar::any_object()
            .map(Some)
            .map_err(|error| refuse_schema(&error)),
        (FormatKind::JsonSchema, Some(JsonSchema { schema })) => Grammar::from_schema(&schema)
            .map(Some)
            .map_err(|error| refuse_schema(&error)),
        (FormatKind::JsonSchema, None) => Err(Refusal::bad_request(
            Some("response_format.json_schema".to_owned()),
            "failed to read the request: `response_format.json_schema`: it is missing",
        )),
    }
}

fn refuse_schema(error: &SchemaError) -> Refusal {
    Refusal::bad_request(Some(SCHEMA_FIELD.to_owned()), error.to_string())
}
