//! What a client of MCP finds: the tools that the owner offers to programs, and one that asks a persona.

use std::collections::BTreeMap;
use std::sync::Arc;

use loquat_agent::toolbox::{Circumstances, Tool};
use loquat_bus::Bus;
use loquat_part::guests::MCP;
use loquat_part::question::{Addressee, Question};
use loquat_wire::{Message, Session, topic};
use rmcp::handler::server::ServerHandler;
use rmcp::model;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ErrorData, Implementation,
    ListToolsResult, PaginatedRequestParams, ServerCapabilities, ServerConfig,
};
use rmcp::service::{RequestContext, RoleServer};
use serde_json::{Map, Value, json};
use tokio::sync::Semaphore;

use super::served::{Served, Tools};

/// What frames of this client say that they come from.
const SOURCE: &str = "loquat-mcp";

/// The tool that asks a persona.
const ASK: &str = "ask_persona";

/// Calls at once; one more is answered with an error.
const CALLS_AT_ONCE: usize = 8;

/// What a client finds.
#[derive(Debug, Clone)]
pub(super) struct Desk {
    bus: Bus,
    offered: Arc<dyn Tools>,
    who: Circumstances,
    lang: String,
    calls: Arc<Semaphore>,
}

impl Desk {
    /// Makes a desk on the daemon's bus, by a client that is not the daemon's own.
    pub(super) fn new(served: &Served, bus: Bus) -> Self {
        Self {
            offered: (served.tools)(bus.clone()),
            bus,
            who: Circumstances {
                session_id: own_session(),
                ..served.circumstances.clone()
            },
            lang: served.lang.clone(),
            calls: Arc::new(Semaphore::new(CALLS_AT_ONCE)),
        }
    }

    /// Makes a desk for another client, in a session of its own.
    pub(super) fn anew(&self) -> Self {
        let mut other = self.clone();
        other.who.session_id = own_session();
        other
    }

    /// Lists the tools on offer by the names that clients call them, which are unique.
    async fn tools(&self) -> BTreeMap<String, Tool> {
        let ours = self.offered.offered().await;
        let is_shared = |name: &str| ours.iter().filter(|tool| tool.name == name).count() > 1 || name == ASK;
        let named = ours.iter().map(|tool| {
            let name = if is_shared(&tool.name) {
                format!("{}.{}", tool.toolbox_id, tool.name)
            } else {
                tool.name.clone()
            };
            (name, tool.clone())
        });
        named.collect()
    }

    async fn call(&self, name: &str, arguments: Map<String, Value>) -> Result<Map<String, Value>, String> {
        let tools = self.tools().await;
        let tool = tools
            .get(name)
            .ok_or_else(|| format!("there is no tool '{name}'"))?;
        self.offered.call(tool, arguments, &self.who).await
    }

    async fn ask(&self, arguments: &Map<String, Value>) -> Result<Map<String, Value>, String> {
        let text = |key: &str| arguments.get(key).and_then(Value::as_str).map(str::trim);
        let question = text("question").filter(|question| !question.is_empty());
        let question = question.ok_or("question: is missing; write what to ask")?;
        let to = Addressee {
            persona: text("persona").filter(|name| !name.is_empty()).map(str::to_owned),
            session: self.who.session_id.clone(),
            lang: None,
        };
        let asked = Question::put(&self.bus, SOURCE, question, &to, &self.lang).await;
        let answer = match asked {
            Ok(asked) => asked.answer().await,
            Err(error) => Err(error),
        };
        let answer = answer.map_err(|error| error.to_string())?;
        Ok(Map::from_iter([(
            "answer".to_owned(),
            Value::String(answer.text),
        )]))
    }

    /// Has the turn of this client end.
    async fn stop(&self) {
        let mut stop = Message::new(topic::STOP, json!({}));
        stop.context.set_session(&Session::named(&self.who.session_id));
        stop.context.set_source(SOURCE);
        if let Err(error) = self.bus.emit(stop).await {
            tracing::warn!(%error, "failed to stop what an MCP client does not want any more");
        }
    }
}

/// Makes a session, since what a program asks for is no part of what a person says, nor of what another
/// program does.
fn own_session() -> String {
    format!("{MCP}{}", uuid::Uuid::new_v4().simple())
}

/// Describes the tool that asks a persona.
fn ask_tool() -> model::Tool {
    let schema = json!({
        "type": "object",
        "properties": {
            "question": {"type": "string", "description": "What to ask or to have done, in plain words."},
            "persona": {"type": "string", "description": "The persona that answers; the default one if absent."},
        },
        "required": ["question"],
        "additionalProperties": false,
    });
    let result =
        json!({"type": "object", "properties": {"answer": {"type": "string"}}, "required": ["answer"]});
    described(
        ASK,
        "Ask a persona of this voice device; its tools and rules are those of a spoken question.",
        &schema,
        &result,
    )
}

fn described(name: &str, description: &str, arguments: &Value, result: &Value) -> model::Tool {
    let members = |schema: &Value| Arc::new(schema.as_object().cloned().unwrap_or_default());
    let mut tool = model::Tool::new(name.to_owned(), description.to_owned(), members(arguments));
    if result.get("type").and_then(Value::as_str) == Some("object") {
        tool.output_schema = Some(members(result));
    }
    tool
}

impl ServerHandler for Desk {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder().enable_tools().build();
        ServerConfig::new(capabilities)
            .with_server_info(Implementation::new("loquat", env!("CARGO_PKG_VERSION")))
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let tools = self.tools().await;
        let tools = tools.iter().map(|(name, tool)| {
            described(
                name,
                &tool.description,
                &tool.argument_schema,
                &tool.output_schema,
            )
        });
        Ok(ListToolsResult::with_all_items(
            [ask_tool()].into_iter().chain(tools).collect(),
        ))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Ok(_permit) = self.calls.try_acquire() else {
            return Ok(failed("BusyError: too many calls at once; try again later").into());
        };
        let arguments = request.arguments.unwrap_or_default();
        let asks = request.name == ASK;
        let work = async {
            if asks {
                self.ask(&arguments).await
            } else {
                self.call(&request.name, arguments.clone()).await
            }
        };
        let Some(done) = context.ct.run_until_cancelled(work).await else {
            if asks {
                self.stop().await;
            }
            return Ok(failed("the call was stopped").into());
        };
        Ok(match done {
            Ok(result) => {
                let result = Value::Object(result);
                let mut shown = CallToolResult::success(vec![ContentBlock::text(result.to_string())]);
                shown.structured_content = Some(result);
                shown.into()
            }
            Err(error) => failed(&error).into(),
        })
    }
}

/// Makes a failure that the client's model should read.
fn failed(error: &str) -> CallToolResult {
    CallToolResult::error(vec![ContentBlock::text(error.to_owned())])
}
