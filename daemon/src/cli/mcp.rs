//! `loquat mcp`: the tools and personas of the running daemon for MCP clients, over standard input and output or HTTP; and the
//! owner's word on tools of MCP servers that have changed.
//!
//! Every call goes over the bus as that of any other program, through the same checks. Standard output holds the protocol
//! and nothing else.

mod listener;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use axum::body::Body;
use futures_util::FutureExt;
use loquat_agent::toolbox::{Circumstances, Tool};
use loquat_bus::Bus;
use loquat_connections::http_door::{Answering, HttpDoor};
use loquat_part::question::{Addressee, Question};
use loquat_wire::{Message, Session, topic};
use rmcp::handler::server::ServerHandler;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ErrorData, Implementation,
    ListToolsResult, PaginatedRequestParams, ServerCapabilities, ServerConfig,
};
use rmcp::service::{RequestContext, RoleServer};
use rmcp::transport::async_rw::AsyncRwTransport;
use rmcp::{ServiceExt, model};
use serde_json::{Map, Value, json};
use tokio::sync::Semaphore;

use self::listener::Listener;
use self::listener::streamable;
use super::allowed_tools::AllowedTools;
use super::arguments::Mcp;
use super::{Context, Exit};
use crate::app;
use crate::guests::MCP;
use crate::link;
use crate::settings::{Secret, Settings, bus_address};
use crate::supervisor::Supervisor;
use crate::tools::{HostedTool, RemoteToolboxes};

/// The tool that asks a persona.
const ASK: &str = "ask_persona";

/// What frames of this client say that they come from.
const SOURCE: &str = "loquat-mcp";

/// Calls at once; one more is answered with an error.
const CALLS_AT_ONCE: usize = 8;

/// Bounds of one message, in bytes.
const LARGEST_MESSAGE: usize = 1 << 20;

/// `loquat mcp`.
pub(super) async fn run(context: &Context, command: Option<Mcp>) -> Result<Exit> {
    match command {
        Some(Mcp::Serve {
            port: Some(port),
            token_file: Some(file),
        }) => serve_over_http(context, port, &file).await,
        None | Some(Mcp::Serve { .. }) => serve(context).await,
        Some(Mcp::Accept { server }) => accept(context, &server),
    }
}

fn accept(context: &Context, server: &str) -> Result<Exit> {
    if !context.settings.mcp.servers.0.contains_key(server) {
        bail!("failed to find the server '{server}': there is no [mcp.servers.{server}] in loquat.toml");
    }
    let allowed = AllowedTools::open(&context.settings.folders.state)
        .map_err(|error| anyhow::anyhow!("failed to {}", loquat_failure::with_causes(&error)))?;
    let count = allowed.map(|allowed| allowed.forget(server)).transpose();
    let count = count
        .context("failed to change what is allowed of MCP servers")?
        .unwrap_or(0);
    context.output.line(format!(
        "The tools of {server} are allowed as they are at the daemon's next start; {count} were known."
    ));
    context
        .output
        .value(&json!({"server": server, "forgotten": count}));
    Ok(Exit::Ok)
}

async fn serve(context: &Context) -> Result<Exit> {
    let supervisor = Supervisor::new();
    let served = Desk::new(&context.settings, joined(context, &supervisor).await?);
    let transport =
        AsyncRwTransport::new(tokio::io::stdin(), tokio::io::stdout()).with_max_line_length(LARGEST_MESSAGE);
    let service = served
        .serve(transport)
        .await
        .context("failed to greet the MCP client")?;
    let ended = service.waiting().await;
    supervisor.end_back().await;
    ended.context("failed to serve the MCP client")?;
    Ok(Exit::Ok)
}

async fn serve_over_http(context: &Context, port: u16, file: &Path) -> Result<Exit> {
    let token = Secret::File(context.environment.expand_home(file)).fetch(&context.settings.folders)?;
    let supervisor = Supervisor::new();
    let desk = Desk::new(&context.settings, joined(context, &supervisor).await?);
    let listener = Listener::open(port, token).await?;
    context
        .output
        .remark(format!("loquat: serves MCP at http://{}/mcp", listener.address()));
    let interrupted = async { tokio::signal::ctrl_c().await };
    tokio::select! {
        () = listener.run(move || desk.anew()) => {}
        ended = interrupted => ended?,
    }
    supervisor.end_back().await;
    Ok(Exit::Ok)
}

/// The bus on which the daemon is.
async fn joined(context: &Context, supervisor: &Supervisor) -> Result<Bus> {
    let address = bus_address(&context.settings);
    if !link::answers(&address).await {
        let url = address.url();
        bail!("failed to reach the daemon: no bus answers at {url}; start it with: loquat run");
    }
    let (bus, ..) = link::join(&context.settings.bus, address, supervisor).await;
    Ok(bus)
}

/// What a client finds.
#[derive(Debug, Clone)]
pub(crate) struct Desk {
    bus: Bus,
    remote: Arc<RemoteToolboxes>,
    /// The toolboxes that the owner offers to programs.
    exposed: Vec<String>,
    who: Circumstances,
    lang: String,
    calls: Arc<Semaphore>,
}

impl Desk {
    /// On the daemon's bus, by a client that is not the daemon's own.
    pub(crate) fn new(settings: &Settings, bus: Bus) -> Self {
        let timeout = Duration::from_secs_f64(settings.tools.bus_timeout_seconds);
        Self {
            remote: Arc::new(RemoteToolboxes::new(bus.clone(), timeout)),
            bus,
            exposed: settings.tools.expose.clone(),
            who: Circumstances {
                session_id: own_session(),
                ..app::device(settings).circumstances()
            },
            lang: settings.mycroft.lang.clone(),
            calls: Arc::new(Semaphore::new(CALLS_AT_ONCE)),
        }
    }

    /// For another client: in a session of its own.
    pub(crate) fn anew(&self) -> Self {
        let mut other = self.clone();
        other.who.session_id = own_session();
        other
    }

    /// The tools on offer by the names that clients call them, which are unique.
    async fn tools(&self) -> BTreeMap<String, Tool> {
        let all = self.remote.list().await;
        let ours: Vec<Tool> = all
            .into_iter()
            .filter(|tool| self.exposed.contains(&tool.toolbox_id))
            .collect();
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
        let toolbox = self.remote.toolbox_as_called_by_a_person(&tool.toolbox_id);
        let toolbox = toolbox.ok_or_else(|| format!("the toolbox '{}' is gone", tool.toolbox_id))?;
        let hosted = HostedTool::new(tool.clone(), toolbox);
        let hosted = hosted.ok_or_else(|| format!("the schemas of '{name}' do not compile"))?;
        hosted.call(arguments, &self.who).await
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
        Ok(Map::from_iter([("answer".to_owned(), Value::String(answer))]))
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

impl HttpDoor for Desk {
    fn open(&self, names: &[String], origins: &[String]) -> Answering {
        let own = self.clone();
        let service = Arc::new(streamable(move || own.anew(), names, origins));
        Arc::new(move |request| {
            let service = Arc::clone(&service);
            async move { service.handle(request).await.map(Body::new) }.boxed()
        })
    }
}

/// What a program asks for is no part of what a person says, nor of what another program does.
fn own_session() -> String {
    format!("{MCP}{}", uuid::Uuid::new_v4().simple())
}

/// The tool that asks a persona.
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
        (&schema, &result),
    )
}

fn described(name: &str, description: &str, (arguments, result): (&Value, &Value)) -> model::Tool {
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
                (&tool.argument_schema, &tool.output_schema),
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

/// A failure that the client's model should read.
fn failed(error: &str) -> CallToolResult {
    CallToolResult::error(vec![ContentBlock::text(error.to_owned())])
}
