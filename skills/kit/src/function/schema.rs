//! JSON Schemas that are small enough for a small model: no references, no titles, no formats.
//!
//! Says nothing that the types do not say; descriptions are the documentation of the fields.

use schemars::generate::SchemaSettings;
use schemars::transform::{Transform, transform_subschemas};
use schemars::{JsonSchema, Schema};
use serde_json::Value;

/// The schema of a tool's arguments, always of type object.
pub(super) fn of_arguments<A: JsonSchema>() -> Value {
    generate::<A>(SchemaSettings::draft2020_12().for_deserialize())
}

/// The schema of a tool's result, always of type object.
pub(super) fn of_result<R: JsonSchema>() -> Value {
    generate::<R>(SchemaSettings::draft2020_12().for_serialize())
}

fn generate<T: JsonSchema>(settings: SchemaSettings) -> Value {
    let small = settings.with(|settings| {
        settings.meta_schema = None;
        settings.inline_subschemas = true;
    });
    let mut schema = small.into_generator().into_root_schema_for::<T>();
    // The type's own documentation speaks to programmers; the tool's description says it to the model.
    schema.remove("description");
    Slim.transform(&mut schema);
    // A tool without arguments needs the key as well: some peers look for it.
    if schema.get("properties").is_none() {
        schema.insert("properties".to_owned(), Value::Object(serde_json::Map::new()));
    }
    schema.to_value()
}

/// Removes what costs a model tokens and tells it nothing.
#[derive(Debug, Clone)]
struct Slim;

impl Transform for Slim {
    fn transform(&mut self, schema: &mut Schema) {
        transform_subschemas(self, schema);
        schema.remove("title");
        schema.remove("format");
        if schema.get("default") == Some(&Value::Null) {
            schema.remove("default");
        }
        // What is optional can be left out; a model that may write null instead only has one more way to err.
        let alternatives = schema.get("type").and_then(Value::as_array);
        if let Some([kind, null]) = alternatives.map(Vec::as_slice) {
            if null == "null" {
                let kind = kind.clone();
                schema.insert("type".to_owned(), kind);
            }
        }
    }
}
