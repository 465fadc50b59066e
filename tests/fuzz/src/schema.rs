//! A tool's schema with the arguments of a call: `{"schema": ..., "arguments": ...}`.

use loquat_agent::schema::Schema;
use serde_json::{Map, Value};

pub(crate) fn feed(bytes: &[u8]) {
    let Ok(Value::Object(mut input)) = serde_json::from_slice(bytes) else {
        return;
    };
    let Ok(schema) = Schema::compile(&input.remove("schema").unwrap_or_default()) else {
        return;
    };
    let arguments = match input.remove("arguments") {
        Some(Value::Object(arguments)) => arguments,
        _ => Map::new(),
    };
    drop(schema.check_output(arguments.clone()));
    if let Ok(fitting) = schema.check_arguments(arguments) {
        assert!(schema.check_output(fitting).is_ok(), "what was made to fit fits");
    }
}
