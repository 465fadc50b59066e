//! A toolbox's part of a persona's settings: what it does not know is refused by name, never dropped.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// Why a toolbox cannot be set up.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ToolboxSettingsError {
    /// Keys that the toolbox does not know.
    #[error("set up toolbox '{toolbox_id}': unknown setting {}; {}", quoted(.keys), offer(.known))]
    UnknownKeys {
        /// The toolbox has this id.
        toolbox_id: String,
        /// The keys that no skill knows, in the order of the settings.
        keys: Vec<String>,
        /// The keys that it does know.
        known: &'static [&'static str],
    },
    /// A value that cannot be.
    #[error("set up toolbox '{toolbox_id}': {complaint}")]
    Value {
        /// The toolbox has this id.
        toolbox_id: String,
        /// The key, what is wrong and what to write instead.
        complaint: String,
    },
}

impl ToolboxSettingsError {
    /// A value that cannot be, with what to write instead.
    pub fn value(toolbox_id: &str, complaint: impl Into<String>) -> Self {
        Self::Value {
            toolbox_id: toolbox_id.to_owned(),
            complaint: complaint.into(),
        }
    }
}

/// The settings as the type of a toolbox.
pub fn read<T: DeserializeOwned>(
    toolbox_id: &str,
    settings: &Map<String, Value>,
) -> Result<T, ToolboxSettingsError> {
    serde_path_to_error::deserialize(Value::Object(settings.clone()))
        .map_err(|error| ToolboxSettingsError::value(toolbox_id, error.to_string()))
}

/// Complains about every key of `settings` that is not among `known`.
pub fn refuse_unknown(
    toolbox_id: &str,
    settings: &Map<String, Value>,
    known: &'static [&'static str],
) -> Result<(), ToolboxSettingsError> {
    let keys: Vec<String> = settings
        .keys()
        .filter(|key| !known.contains(&key.as_str()))
        .cloned()
        .collect();
    if keys.is_empty() {
        return Ok(());
    }
    Err(ToolboxSettingsError::UnknownKeys {
        toolbox_id: toolbox_id.to_owned(),
        keys,
        known,
    })
}

fn quoted<T: AsRef<str>>(names: &[T]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("'{}'", name.as_ref())).collect();
    quoted.join(", ")
}

fn offer(known: &[&str]) -> String {
    if known.is_empty() {
        "this toolbox takes no settings, remove it".to_owned()
    } else {
        format!("known are {}", quoted(known))
    }
}
