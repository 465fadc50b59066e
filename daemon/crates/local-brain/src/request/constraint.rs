//! The schema that the reply has to follow, or that of any JSON object. Never judges it: the model's vocabulary is needed.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::refusal::Refusal;

/// The field in which a request has its schema.
pub(crate) const SCHEMA_FIELD: &str = "response_format.json_schema.schema";

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

/// The schema that the field asks for.
pub(super) fn schema(format: Option<ResponseFormat>) -> Result<Option<Value>, Refusal> {
    let Some(format) = format else { return Ok(None) };
    match (format.kind, format.json_schema) {
        (FormatKind::Text, _) => Ok(None),
        (FormatKind::JsonObject, _) => Ok(Some(json!({"type": "object"}))),
        (FormatKind::JsonSchema, Some(JsonSchema { schema })) => Ok(Some(schema)),
        (FormatKind::JsonSchema, None) => Err(Refusal::bad_request(
            Some("response_format.json_schema".to_owned()),
            "failed to read the request: `response_format.json_schema`: it is missing",
        )),
    }
}
