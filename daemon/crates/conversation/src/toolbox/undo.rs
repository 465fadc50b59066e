//! How a call is taken back: by which tool, and what that is called with. Takes nothing back itself.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{Outcome, Tool};
use crate::intended::IntendedCall;

/// What takes a call back.
///
/// The tool is called with those of its arguments that the call is known to have had or to have brought under that name:
/// what its outcome gives for this purpose goes before what it hands on, this before its result, and that before its
/// own arguments. A call that does not give all that the tool requires cannot be taken back.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Written")]
pub struct Undo {
    /// The name of a tool of its own toolbox.
    pub tool: String,
    /// Says where else an argument comes from, such as `result.added` or `arguments.list`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub arguments: BTreeMap<String, String>,
}

/// The forms in which it may be written: the name of the tool alone, or all of it.
#[derive(Deserialize)]
#[serde(untagged)]
enum Written {
    Name(String),
    Whole {
        tool: String,
        #[serde(default)]
        arguments: BTreeMap<String, String>,
    },
}

impl From<Written> for Undo {
    fn from(written: Written) -> Self {
        match written {
            Written::Name(tool) => Self::by(tool),
            Written::Whole { tool, arguments } => Self { tool, arguments },
        }
    }
}

impl Undo {
    /// Is taken back by this tool, whose arguments have the names under which the call knows them.
    pub fn by(tool: impl Into<String>) -> Self {
        Self {
            tool: tool.into(),
            arguments: BTreeMap::new(),
        }
    }

    /// The call that takes a call back; none where something that it requires is not known.
    pub fn of_call(
        &self,
        tools: &[Tool],
        called: &Map<String, Value>,
        outcome: &Outcome,
    ) -> Option<IntendedCall> {
        let Some(tool) = tools.iter().find(|tool| tool.name == self.tool) else {
            tracing::warn!(
                tool = self.tool,
                "a tool that should take a call back is not in its toolbox"
            );
            return None;
        };
        let properties = tool.argument_schema.get("properties").and_then(Value::as_object);
        let names = properties.into_iter().flat_map(Map::keys);
        let known = names.filter_map(|name| Some((name.clone(), self.value(name, called, outcome)?)));
        let arguments: Map<String, Value> = known.collect();
        let required = tool.argument_schema.get("required").and_then(Value::as_array);
        let mut required = required.into_iter().flatten().filter_map(Value::as_str);
        required
            .all(|name| arguments.contains_key(name))
            .then(|| IntendedCall {
                toolbox_id: tool.toolbox_id.clone(),
                tool: tool.name.clone(),
                arguments,
                undoes: true,
                ..IntendedCall::default()
            })
    }

    fn value(&self, name: &str, called: &Map<String, Value>, outcome: &Outcome) -> Option<Value> {
        let places = [&outcome.undo, &outcome.extras, &outcome.result, called];
        let found = match self.arguments.get(name) {
            None => places.into_iter().find_map(|place| place.get(name)),
            Some(path) => {
                let (place, member) = path.split_once('.')?;
                let place = match place {
                    "undo" => &outcome.undo,
                    "extras" => &outcome.extras,
                    "result" => &outcome.result,
                    "arguments" => called,
                    _ => return None,
                };
                place.get(member)
            }
        };
        found.cloned()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn members(value: &Value) -> Map<String, Value> {
        value.as_object().cloned().unwrap_or_default()
    }

    fn taken_back(undo: &Undo, outcome: &Outcome) -> Option<Value> {
        let remove = Tool {
            argument_schema: json!({"type": "object", "required": ["items"],
                "properties": {"items": {}, "list": {}}}),
            ..Tool::safe("lists", "remove", "Removes.")
        };
        let called = members(&json!({"items": "milk and eggs", "list": "shopping", "loudly": true}));
        let call = undo.of_call(&[remove], &called, outcome)?;
        assert!(call.undoes && call.tool == "remove" && call.toolbox_id == "lists");
        Some(Value::Object(call.arguments))
    }

    #[test]
    fn arguments_come_of_the_call_and_of_what_it_brought() {
        let undo = Undo::by("remove");
        let nothing = Outcome::default();
        let given = Some(json!({"items": "milk and eggs", "list": "shopping"}));
        assert_eq!(taken_back(&undo, &nothing), given);
        let brought = Outcome {
            result: members(&json!({"items": ["milk"], "list": "groceries"})),
            extras: members(&json!({"list": 7})),
            ..Outcome::default()
        };
        assert_eq!(
            taken_back(&undo, &brought),
            Some(json!({"items": ["milk"], "list": 7}))
        );
        let told = Outcome {
            undo: members(&json!({"items": []})),
            ..brought.clone()
        };
        assert_eq!(taken_back(&undo, &told), Some(json!({"items": [], "list": 7})));
        let named: Undo = serde_json::from_value(
            json!({"tool": "remove", "arguments": {"items": "result.list", "list": "arguments.loudly"}}),
        )
        .unwrap();
        assert_eq!(
            taken_back(&named, &brought),
            Some(json!({"items": "groceries", "list": true}))
        );
        let elsewhere: Undo =
            serde_json::from_value(json!({"tool": "remove", "arguments": {"items": "result.gone"}})).unwrap();
        assert_eq!(
            taken_back(&elsewhere, &brought),
            None,
            "what it requires is not known"
        );
        assert_eq!(taken_back(&Undo::by("burn"), &brought), None, "no such tool");
    }

    #[test]
    fn journals_know_the_name_alone() {
        let undo: Undo = serde_json::from_value(json!("remove")).unwrap();
        assert_eq!(undo, Undo::by("remove"));
        assert_eq!(serde_json::to_value(&undo).unwrap(), json!({"tool": "remove"}));
    }
}
