//! Our toolboxes, offered to everybody on the bus (TOOLS-1 §4 and §5).
//!
//! Two surfaces, one set: per toolbox (`ovos.persona.tools.…`) and flat (`ovos.tools.…`). A call for a box that is
//! not ours gets silence; a call for ours gets exactly one answer with either `result` or `error`. Only boxes that the
//! settings expose are here, and their dangerous tools are not: a bus frame is no yes. Neither are those that only take
//! other calls back.
//!
//! Beside what TOOLS-1 asks for we announce what tools can do: tell pieces, go on after the answer, be taken back.

use std::collections::HashMap;
use std::fmt::Debug;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use futures_util::FutureExt;
use loquat_agent::schema::Schema;
use loquat_agent::toolbox::{Category, Circumstances, Confirm, Tool, ToolError, Toolbox};
use loquat_bus::{Bus, Cut, MAX_READ_BYTES, Received, Subscription, Topics};
use loquat_part::guests::Guests;
use loquat_wire::{Message, Session, topic, with};
use serde_json::{Map, Value, json};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::claims;
use super::served::{Served, started_schema};
use crate::device::Device;

/// Calls that run at once; one more is answered with an error, so that a flood costs its sender and not the device.
const CALLS_AT_ONCE: usize = 16;

/// What is said to that one more.
const BUSY: &str = "BusyError: too many calls at once; try again later";

/// Calls among them that go on behind their answers, perhaps for long.
const GOING_ON_AT_ONCE: usize = 4;

/// A tool with its schemas compiled.
#[derive(Debug)]
pub struct HostedTool {
    tool: Tool,
    toolbox: Arc<dyn Toolbox>,
    arguments: Schema,
    output: Schema,
}

/// The personas to which guests may be bound, as the host asks for them.
pub trait PersonaToolboxes: Debug + Send + Sync {
    /// Whether a persona of this id or name is offered, and has the toolbox.
    fn offers_toolbox(&self, persona: &str, toolbox_id: &str) -> bool;
}

/// Answers the tool topics.
#[derive(Debug)]
pub struct Host {
    bus: Bus,
    device: Device,
    /// Who comes in by the doors of this process, and the personas to which they may be bound.
    guests: Guests,
    personas: Option<Arc<dyn PersonaToolboxes>>,
    toolboxes: Vec<Arc<dyn Toolbox>>,
    tools: Vec<Arc<HostedTool>>,
    /// What the boxes held when they were last looked at.
    lists: Vec<Arc<[Tool]>>,
    calls: JoinSet<()>,
    /// The calls that go on behind their answers, by their ids.
    going_on: HashMap<String, CancellationToken>,
}

impl HostedTool {
    /// What is said about it.
    pub(super) fn tool(&self) -> &Tool {
        &self.tool
    }

    /// Compiles a tool's schemas; a tool whose schemas do not compile is not offered.
    pub fn new(tool: Tool, toolbox: Arc<dyn Toolbox>) -> Option<Self> {
        let arguments = Schema::compile(&tool.argument_schema);
        let output = Schema::compile(&tool.output_schema);
        match (arguments, output) {
            (Ok(arguments), Ok(output)) => Some(Self {
                tool,
                toolbox,
                arguments,
                output,
            }),
            (Err(error), _) | (_, Err(error)) => {
                tracing::error!(toolbox = tool.toolbox_id, tool = tool.name, %error, "failed to offer a tool");
                None
            }
        }
    }

    /// Checks, runs and checks again.
    pub async fn call(
        &self,
        kwargs: Map<String, Value>,
        who: &Circumstances,
    ) -> Result<Map<String, Value>, String> {
        let name = &self.tool.name;
        let arguments = self.checked(kwargs)?;
        // A toolbox that panics must not leave its caller without an answer.
        let call = AssertUnwindSafe(async { self.toolbox.call(name, arguments, who).await });
        let call = tokio::time::timeout(self.tool.timeout, call.catch_unwind());
        let ended = tokio::select! {
            biased;
            ended = call => ended,
            () = who.pieces.flooded() => return Err(worded(ToolError::flooded())),
        };
        let outcome = match ended {
            Ok(Ok(outcome)) => outcome.map_err(worded)?,
            Ok(Err(_)) => return Err(format!("InternalError: '{name}' crashed")),
            Err(_) => {
                return Err(format!(
                    "TimeoutError: '{name}' took longer than {:?}",
                    self.tool.timeout
                ));
            }
        };
        self.output
            .check_output(outcome.result)
            .map_err(|violation| format!("ValueError: '{name}' broke its own output schema: {violation}"))
    }
}

impl HostedTool {
    /// The arguments, if the tool can be called with them.
    pub(super) fn checked(&self, kwargs: Map<String, Value>) -> Result<Map<String, Value>, String> {
        let name = &self.tool.name;
        self.arguments
            .check_arguments(kwargs)
            .map_err(|violation| format!("ValueError: invalid arguments for '{name}': {violation}"))
    }
}

fn worded(error: ToolError) -> String {
    match error {
        ToolError::Reply { class, message, .. } => format!("{class}: {message}"),
        ToolError::Fault(message) => format!("RuntimeError: {message}"),
        ToolError::Withheld(message) => format!("PermissionError: {message}"),
    }
}

impl Host {
    /// Adds who comes in by the doors of this process, and the personas to which they may be bound.
    #[must_use]
    pub fn with_guests(self, guests: Guests, personas: Arc<impl PersonaToolboxes + 'static>) -> Self {
        let personas: Option<Arc<dyn PersonaToolboxes>> = Some(personas);
        Self {
            guests,
            personas,
            ..self
        }
    }

    /// Why a toolbox is not for who asks in a session: the session denies it, or it is none of the one persona that serves
    /// this guest.
    fn why_not(&self, session: &Session, toolbox_id: &str) -> Option<String> {
        let bound_to = self
            .guests
            .of_session(session.id())
            .and_then(|guest| guest.persona);
        let has_it = |bound_to: &String| {
            let personas = self.personas.as_ref();
            personas.is_some_and(|personas| personas.offers_toolbox(bound_to, toolbox_id))
        };
        let is_denied = session.blacklisted_skills().contains(&toolbox_id);
        (is_denied || bound_to.is_some_and(|bound_to| !has_it(&bound_to)))
            .then(|| format!("PermissionError: '{toolbox_id}' is not for this client"))
    }

    /// Offers these boxes.
    pub fn new(bus: Bus, device: Device, toolboxes: Vec<Arc<dyn Toolbox>>) -> Self {
        let mut host = Self {
            bus,
            device,
            guests: Guests::default(),
            personas: None,
            toolboxes,
            tools: Vec::new(),
            lists: Vec::new(),
            calls: JoinSet::new(),
            going_on: HashMap::new(),
        };
        host.refresh();
        host
    }

    /// What the host listens to.
    pub fn subscribe(&self) -> Subscription {
        let fixed = [
            topic::TOOLS_DISCOVER,
            topic::TOOLS_CALL,
            topic::TOOL_SERVICE_LIST,
            topic::TOOL_SERVICE_GET,
            topic::TOOL_SERVICE_INVOKE,
            topic::TOOL_SERVICE_RELOAD,
            topic::LOQUAT_TOOL_CANCEL,
        ];
        let own = self.toolboxes.iter().map(|toolbox| own_topic(toolbox.id()));
        let topics: Vec<String> = fixed.into_iter().map(str::to_owned).chain(own).collect();
        // Our own personas have these boxes in process, but `loquat tools` beside us asks like any other peer.
        self.bus.subscribe(Topics::of(topics))
    }

    /// Serves until cancelled; running calls are dropped then.
    pub async fn run(mut self, mut frames: Subscription, cancel: CancellationToken) {
        loop {
            tokio::select! {
                biased;
                () = cancel.cancelled() => return,
                Some(_) = self.calls.join_next() => {}
                frame = frames.recv() => match frame {
                    Some(frame) => self.frame(frame).await,
                    None => return,
                },
            }
        }
    }

    /// Looks what the boxes hold now. Their schemas are compiled again only where the lists are others.
    fn refresh(&mut self) {
        let lists: Vec<Arc<[Tool]>> = self.toolboxes.iter().map(|toolbox| toolbox.tools()).collect();
        let mut pairs = lists.iter().zip(&self.lists);
        if lists.len() == self.lists.len() && pairs.all(|(now, then)| Arc::ptr_eq(now, then)) {
            return;
        }
        self.lists = lists;
        let offered = self.toolboxes.iter().flat_map(|toolbox| {
            let open = |tool: &Tool| {
                tool.category != Category::Dangerous && tool.confirm == Confirm::Never && !tool.only_undoes
            };
            toolbox
                .tools()
                .iter()
                .filter(|tool| open(tool))
                .map(|tool| (tool.clone(), Arc::clone(toolbox)))
                .collect::<Vec<_>>()
        });
        self.tools = offered
            .filter_map(|(tool, toolbox)| HostedTool::new(tool, toolbox))
            .map(Arc::new)
            .collect();
    }

    async fn frame(
        &mut self,
        Received {
            message,
            canonical,
            cut,
            ..
        }: Received,
    ) {
        match canonical.as_str() {
            topic::TOOLS_DISCOVER => self.discover(&message).await,
            topic::TOOL_SERVICE_LIST => {
                self.answer(&message, json!({"tools": self.described(None)}))
                    .await;
            }
            topic::TOOL_SERVICE_RELOAD => {
                self.refresh();
                self.answer(&message, json!({"tools": self.described(None)}))
                    .await;
            }
            topic::TOOL_SERVICE_GET => self.get(&message).await,
            topic::TOOL_SERVICE_INVOKE => self.invoke(message, cut).await,
            topic::TOOLS_CALL => {
                if let Some(id) = text(&message, "toolbox_id") {
                    self.call(id, message, cut).await;
                }
            }
            topic::LOQUAT_TOOL_CANCEL => {
                let id = text(&message, "started").unwrap_or_default();
                if let Some(call) = self.going_on.remove(&id) {
                    call.cancel();
                }
            }
            own => {
                let id = self
                    .toolboxes
                    .iter()
                    .map(|toolbox| toolbox.id())
                    .find(|id| own_topic(id) == own);
                if let Some(id) = id.map(str::to_owned) {
                    self.call(id, message, cut).await;
                }
            }
        }
    }

    async fn discover(&mut self, message: &Message) {
        self.refresh();
        for toolbox in &self.toolboxes {
            let tools = self.described(Some(toolbox.id()));
            self.answer(message, json!({"toolbox_id": toolbox.id(), "tools": tools}))
                .await;
        }
    }

    async fn get(&self, message: &Message) {
        let data = match self.named(text(message, "name").as_deref()) {
            Ok(tool) => self.description(&tool.tool),
            Err(error) => json!({"error": error}),
        };
        self.answer(message, data).await;
    }

    /// A call on the surface of one box; silence if the box is not ours (TO-5).
    async fn call(&mut self, toolbox_id: String, message: Message, cut: Option<Cut>) {
        if !self.toolboxes.iter().any(|toolbox| toolbox.id() == toolbox_id) {
            return;
        }
        let name = text(&message, "name").unwrap_or_default();
        let tool = self
            .tools
            .iter()
            .find(|tool| tool.tool.toolbox_id == toolbox_id && tool.tool.name == name);
        let tool = tool
            .map(Arc::clone)
            .ok_or_else(|| format!("ValueError: unknown tool '{name}'"));
        let tool = cut.map_or(tool, |cut| Err(refused(cut)));
        self.start(message, "kwargs", json!({"toolbox_id": toolbox_id}), tool)
            .await;
    }

    /// A call on the flat surface (TO-8, TO-9).
    async fn invoke(&mut self, message: Message, cut: Option<Cut>) {
        let name = text(&message, "name");
        let tool = cut.map_or_else(|| self.named(name.as_deref()), |cut| Err(refused(cut)));
        self.start(message, "args", json!({"name": name.unwrap_or_default()}), tool)
            .await;
    }

    async fn start(
        &mut self,
        message: Message,
        key: &str,
        echo: Value,
        tool: Result<Arc<HostedTool>, String>,
    ) {
        let kwargs = match message.data.get(key) {
            None | Some(Value::Null) => Ok(Map::new()),
            Some(Value::Object(kwargs)) => Ok(kwargs.clone()),
            Some(_) => Err(format!("ValueError: '{key}' must be an object")),
        };
        let going_on = self.going_on.values().filter(|call| !call.is_cancelled()).count();
        let has_room = |tool: &HostedTool| {
            self.calls.len() < CALLS_AT_ONCE && (!tool.goes_on() || going_on < GOING_ON_AT_ONCE)
        };
        let session = message.context.session();
        let tool = tool.and_then(|tool| match self.why_not(&session, &tool.tool.toolbox_id) {
            Some(why_not) => Err(why_not),
            None => Ok(tool),
        });
        let ready = tool.and_then(|tool| Ok((tool, kwargs?))).and_then(|ready| {
            if has_room(&ready.0) {
                Ok(ready)
            } else {
                Err(BUSY.to_owned())
            }
        });
        match ready {
            Err(error) => self.answer(&message, with(echo, "error", json!(error))).await,
            Ok((tool, kwargs)) => {
                let who = Circumstances {
                    speaker: self.guests.caller(message.context.session_id()),
                    route: message.reply(topic::SPEAK, json!({})).context.route(),
                    ..self.device.circumstances_of(&message.context.session())
                };
                let goes_on = tool.goes_on().then(|| self.goes_on());
                let served = Served {
                    bus: self.bus.clone(),
                    message,
                    echo,
                    tool,
                    goes_on,
                };
                self.calls.spawn(served.run(kwargs, who));
            }
        }
    }

    /// An id for a call that goes on, and what ends it.
    fn goes_on(&mut self) -> (String, CancellationToken) {
        self.going_on.retain(|_, call| !call.is_cancelled());
        let id = uuid::Uuid::new_v4().simple().to_string();
        let call = CancellationToken::new();
        self.going_on.insert(id.clone(), call.clone());
        (id, call)
    }

    /// Exactly one tool of that name, or what is wrong with the name.
    fn named(&self, name: Option<&str>) -> Result<Arc<HostedTool>, String> {
        let Some(name) = name else {
            return Err("Missing required field: 'name'".to_owned());
        };
        let mut matches = self.tools.iter().filter(|tool| tool.tool.name == name);
        match (matches.next(), matches.next()) {
            (Some(tool), None) => Ok(Arc::clone(tool)),
            (None, _) => Err(format!("Unknown tool: '{name}'")),
            (Some(_), Some(_)) => Err(format!("Ambiguous tool: '{name}' is in more than one toolbox")),
        }
    }

    fn described(&self, toolbox_id: Option<&str>) -> Vec<Value> {
        let wanted = |tool: &&Arc<HostedTool>| toolbox_id.is_none_or(|id| tool.tool.toolbox_id == id);
        self.tools
            .iter()
            .filter(wanted)
            .map(|tool| self.description(&tool.tool))
            .collect()
    }

    fn description(&self, tool: &Tool) -> Value {
        let mut lists = self.lists.iter();
        let all = lists.find(|list| list.iter().any(|one| one.toolbox_id == tool.toolbox_id));
        described(tool, all.map_or(&[], |all| all))
    }

    async fn answer(&self, message: &Message, data: Value) {
        respond(&self.bus, message, data).await;
    }
}

/// Why a call is refused of which only the outline is there.
fn refused(cut: Cut) -> String {
    match cut {
        Cut::Overload => BUSY.to_owned(),
        Cut::TooLarge => {
            format!("ValueError: the call is too large: at most {MAX_READ_BYTES} bytes of a frame are read")
        }
    }
}

async fn respond(bus: &Bus, message: &Message, data: Value) {
    if let Err(error) = bus.emit(message.response(data)).await {
        tracing::warn!(topic = message.topic, %error, "failed to answer");
    }
}

fn own_topic(toolbox_id: &str) -> String {
    topic::toolbox_call(toolbox_id)
}

/// A tool as TOOLS-1 §3 defines it.
///
/// Of one that goes on, the answer satisfies the output schema, and what is told later the one beside it.
fn described(tool: &Tool, all: &[Tool]) -> Value {
    let goes_on = tool.category == Category::Async;
    let answered = if goes_on {
        started_schema()
    } else {
        tool.output_schema.clone()
    };
    let mut described = json!({
        "name": tool.name,
        "description": tool.description,
        "argument_schema": tool.argument_schema,
        "output_schema": answered,
        "toolbox_id": tool.toolbox_id,
    });
    if goes_on {
        described = with(described, "outcome_schema", tool.output_schema.clone());
    }
    for (key, value) in claims::announced(tool, all) {
        described = with(described, key, value);
    }
    described
}

fn text(message: &Message, key: &str) -> Option<String> {
    message.data.get(key).and_then(Value::as_str).map(str::to_owned)
}

#[cfg(test)]
mod tests;
