//! Whether a call may run.

use serde_json::{Map, Value};

/// A compiled JSON Schema.
#[derive(Debug, Clone)]
pub struct Schema {
    validator: std::sync::Arc<jsonschema::Validator>,
}

/// What is wrong with a value, naming the field and the rule.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{text}")]
pub struct Violation {
    text: String,
}

/// A schema that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("compile the schema: {reason}")]
pub struct InvalidSchema {
    reason: String,
}

impl Schema {
    /// Compiles a schema.
    pub fn compile(schema: &Value) -> Result<Self, InvalidSchema> {
        let validator = jsonschema::options()
            .build(schema)
            .map_err(|error| InvalidSchema {
                reason: error.to_string(),
            })?;
        Ok(Self {
            validator: std::sync::Arc::new(validator),
        })
    }

    /// Coerces and checks arguments.
    pub fn check_arguments(&self, arguments: Map<String, Value>) -> Result<Map<String, Value>, Violation> {
        self.check_output(&arguments)?;
        Ok(arguments)
    }

    /// Checks a result.
    pub fn check_output(&self, result: &Map<String, Value>) -> Result<(), Violation> {
        let value = Value::Object(result.clone());
        self.validator.validate(&value).map_err(|error| Violation {
            text: error.to_string(),
        })
    }
}
