//! Taking back that something was remembered or forgotten. That everything was forgotten is not taken back: nothing of it
//! may stay behind.

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use loquat_agent::toolbox::{Circumstances, ToolError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::results::quoted;
use super::store::Memory;
use super::tools::{Keeper, unread};
use loquat_kit::dialog::{Tell, Telling};

/// What makes it as it was before.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Undo {
    ids: Vec<String>,
    /// What was remembered under each of them; null where nothing was.
    before: Vec<Value>,
    /// What is forgotten again.
    unsaid: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Restored {
    /// What is forgotten again; otherwise something is remembered again.
    #[serde(skip_serializing_if = "Option::is_none")]
    forgotten: Option<String>,
}

impl Tell for Restored {
    fn tell(&self) -> Option<Telling> {
        Some(match &self.forgotten {
            Some(fact) => Telling::new("forgotten").words("facts", quoted(std::slice::from_ref(fact))),
            None => Telling::new("remembered"),
        })
    }
}

/// What takes back that this was remembered, perhaps in the place of something.
pub(super) fn of_remembered(id: &str, before: Option<&Memory>, text: &str) -> Map<String, Value> {
    arguments(json!([id]), json!([before]), json!(text))
}

/// What takes back that these were forgotten.
pub(super) fn of_forgotten(gone: &[(String, Memory)]) -> Map<String, Value> {
    let ids: Vec<&String> = gone.iter().map(|(id, _)| id).collect();
    let before: Vec<&Memory> = gone.iter().map(|(_, memory)| memory).collect();
    arguments(json!(ids), json!(before), Value::Null)
}

fn arguments(ids: Value, before: Value, unsaid: Value) -> Map<String, Value> {
    let members = [("ids", ids), ("before", before), ("unsaid", unsaid)];
    let said = members.into_iter().filter(|(_, value)| !value.is_null());
    said.map(|(name, value)| (name.to_owned(), value)).collect()
}

pub(super) fn restore(
    keeper: Keeper,
    undo: Undo,
    person: &Circumstances,
) -> BoxFuture<'_, Result<Restored, ToolError>> {
    async move {
        let before = undo
            .before
            .into_iter()
            .map(serde_json::from_value::<Option<Memory>>);
        let before: Vec<Option<Memory>> = before
            .collect::<Result<_, _>>()
            .map_err(|error| ToolError::reply("ValueError", format!("before: {error}")))?;
        let pairs = undo.ids.into_iter().zip(before).collect();
        keeper
            .memories
            .restore(&keeper.memories.owner_in(&person.session_id), pairs)
            .await
            .map_err(unread)?;
        Ok(Restored {
            forgotten: undo.unsaid,
        })
    }
    .boxed()
}
