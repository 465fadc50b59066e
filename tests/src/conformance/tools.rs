//! The four tools of the scenarios, on the bus.
//!
//! Scenarios with the same tools share a toolbox; what its tools know and log is told apart by the session.

use std::collections::HashMap;
use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::scenario::Scenario;
use crate::frame::Frame;
use crate::toolbox::{Act, Call, ScriptedTool, ScriptedToolbox};

/// The id that the scenarios name.
const TOOLBOX: &str = "conformance-tools";

/// What the tools of one session know.
#[derive(Debug, Clone, Default)]
struct Knowledge {
    table: Map<String, Value>,
    fail_reason: String,
}

type Sessions = Arc<HashMap<String, Knowledge>>;

/// All toolboxes that a set of scenarios needs.
#[derive(Debug)]
pub struct Toolboxes {
    joined: Vec<ScriptedToolbox>,
}

/// Which toolbox a scenario uses; none when it has no tools.
#[derive(Debug)]
pub struct ToolboxIds {
    sets: Vec<Vec<Value>>,
}

impl ToolboxIds {
    /// Finds the distinct sets of tools.
    pub fn of(scenarios: &[Scenario]) -> Self {
        let mut sets: Vec<Vec<Value>> = Vec::new();
        for tools in scenarios.iter().map(|scenario| scenario.tools().to_vec()) {
            if !tools.is_empty() && !sets.contains(&tools) {
                sets.push(tools);
            }
        }
        Self { sets }
    }

    /// Finds the id of the toolbox with these tools.
    pub fn id(&self, tools: &[Value]) -> Option<String> {
        self.sets.iter().position(|set| set == tools).map(id)
    }
}

fn id(position: usize) -> String {
    if position == 0 {
        TOOLBOX.into()
    } else {
        format!("{TOOLBOX}-{}", position + 1)
    }
}

impl Toolboxes {
    /// Joins the bus with every toolbox.
    pub async fn join(port: u16, ids: &ToolboxIds, scenarios: &[Scenario]) -> Self {
        let sessions: Sessions = Arc::new(scenarios.iter().map(knowledge).collect());
        let mut joined = Vec::new();
        for (position, set) in ids.sets.iter().enumerate() {
            let tools = set
                .iter()
                .map(|definition| tool(definition, Arc::clone(&sessions)))
                .collect();
            joined.push(ScriptedToolbox::join(port, &id(position), tools).await);
        }
        Self { joined }
    }

    /// Lists the calls that were executed for a session, in order.
    pub fn calls(&self, session_id: &str) -> Vec<Call> {
        let all = self.joined.iter().flat_map(ScriptedToolbox::calls);
        all.filter(|call| call.session_id == session_id).collect()
    }
}

fn knowledge(scenario: &Scenario) -> (String, Knowledge) {
    let knowledge = Knowledge {
        table: scenario.lookup_table(),
        fail_reason: scenario.fail_reason().into(),
    };
    (scenario.session_id().into(), knowledge)
}

fn tool(definition: &Value, sessions: Sessions) -> ScriptedTool {
    let name = definition["name"].as_str().unwrap_or_default().to_owned();
    ScriptedTool::new(
        definition.clone(),
        move |arguments: &Map<String, Value>, frame: &Frame| {
            let knowledge = sessions.get(frame.session_id()).cloned().unwrap_or_default();
            act(&name, arguments, &knowledge)
        },
    )
}

fn act(name: &str, arguments: &Map<String, Value>, knowledge: &Knowledge) -> Act {
    let number = |key: &str| arguments.get(key).and_then(Value::as_f64).unwrap_or_default();
    let text = |key: &str| arguments.get(key).and_then(Value::as_str);
    match name {
        "add" => Act::Returns(json!({"sum": number("a") + number("b")})),
        "echo" => Act::Returns(json!({"text": text("text")})),
        "lookup" => {
            Act::Returns(json!({"result": found(text("query").unwrap_or_default(), &knowledge.table)}))
        }
        "fail" => Act::Raises(text("reason").unwrap_or(&knowledge.fail_reason).to_owned()),
        other => Act::Raises(format!("the driver has no tool `{other}`")),
    }
}

fn found(query: &str, table: &Map<String, Value>) -> String {
    let alike = |key: &str| key.to_lowercase() == query.trim().to_lowercase();
    let exact = table.get(query);
    match exact.or_else(|| table.iter().find(|(key, _)| alike(key)).map(|(_, value)| value)) {
        Some(Value::String(text)) => text.clone(),
        Some(long) => {
            let times = long["times"].as_u64().unwrap_or_default() as usize;
            long["repeat"].as_str().unwrap_or_default().repeat(times)
        }
        None => "no result".into(),
    }
}
