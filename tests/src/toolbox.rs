//! A toolbox of another program on the bus: it answers discovery and calls, and keeps what was really executed.

mod schema;

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde_json::{Map, Value, json};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::sleep;

use crate::frame::Frame;
use crate::probe::BusProbe;
use crate::wait::within;

/// The topic of the specification, and the older one per toolbox.
const CALL: &str = "ovos.persona.tools.call";
const DISCOVER: &str = "ovos.persona.tools.discover";

/// What a scripted tool does with valid arguments.
#[derive(Debug, Clone)]
pub enum Act {
    /// Gives this result.
    Returns(Value),
    /// Gives this result after a while.
    Later(Duration, Value),
    /// Fails with this text.
    Raises(String),
    /// Never answers.
    Hangs,
    /// Answers with this `data`, whatever it is.
    Garbage(Value),
    /// Tells all of this in order.
    Tells(Vec<Told>),
}

/// A frame that a toolbox sends during a call.
#[derive(Debug, Clone)]
pub struct Told {
    /// How long after the one before.
    pub after: Duration,
    /// Its topic; without one it is the answer.
    pub topic: Option<&'static str>,
    /// Its data, beside the toolbox and, where it is no answer, the tool.
    pub data: Value,
    /// Of which call it says to be, where that is another one.
    pub call_id: Option<&'static str>,
}

impl Told {
    /// Tells it at once.
    pub fn now(topic: Option<&'static str>, data: Value) -> Self {
        Self {
            after: Duration::ZERO,
            topic,
            data,
            call_id: None,
        }
    }

    /// Tells it after a while.
    #[must_use]
    pub fn after(self, after: Duration) -> Self {
        Self { after, ..self }
    }

    fn frame(&self, (toolbox_id, call): (&str, &Frame)) -> Value {
        let mut data = self.data.clone();
        data["toolbox_id"] = json!(toolbox_id);
        let Some(topic) = self.topic else {
            return call.response(&data);
        };
        data["name"] = call.data["name"].clone();
        let mut frame = call.reply(topic, &data);
        if let Some(id) = self.call_id {
            frame["context"]["tool_call_id"] = json!(id);
        }
        frame
    }
}

type Work = dyn Fn(&Map<String, Value>, &Frame) -> Act + Send + Sync;

/// One tool.
#[derive(Clone)]
pub struct ScriptedTool {
    definition: Value,
    work: Arc<Work>,
}

/// One executed call.
#[derive(Debug, Clone)]
pub struct Call {
    /// The tool.
    pub name: String,
    /// The arguments after validation.
    pub arguments: Map<String, Value>,
    /// The session it was made for.
    pub session_id: String,
    /// What came of it.
    pub act: Act,
}

/// The peer; it leaves the bus when dropped.
#[derive(Debug)]
pub struct ScriptedToolbox {
    calls: Arc<Calls>,
    _tasks: JoinSet<()>,
}

#[derive(Debug, Default)]
struct Calls {
    list: Mutex<Vec<Call>>,
    count: watch::Sender<usize>,
}

/// What the serving task holds.
#[derive(Debug)]
struct Peer {
    id: String,
    tools: Vec<ScriptedTool>,
    probe: Arc<BusProbe>,
    calls: Arc<Calls>,
    serves_common_topic: bool,
    /// What its frames name as their source; absent is what a reply usually says.
    source: Option<String>,
}

impl fmt::Debug for ScriptedTool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ScriptedTool({})", self.name())
    }
}

impl ScriptedTool {
    /// A tool with one argument `text`, which does the same whatever the arguments are.
    pub fn named(name: &str, act: Act) -> Self {
        let text =
            json!({"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]});
        let definition = json!({
            "name": name,
            "description": format!("Does what the test wants of {name}."),
            "argument_schema": text,
            "output_schema": text,
        });
        Self::new(definition, move |_, _| act.clone())
    }

    /// Makes a tool with this definition: `name`, `description` and the two schemas.
    pub fn new(
        definition: Value,
        work: impl Fn(&Map<String, Value>, &Frame) -> Act + Send + Sync + 'static,
    ) -> Self {
        Self {
            definition,
            work: Arc::new(work),
        }
    }

    /// Gives the name in its definition.
    pub fn name(&self) -> &str {
        self.definition["name"].as_str().unwrap_or_default()
    }
}

impl ScriptedToolbox {
    /// Joins the bus on `port` and serves on both topics.
    pub async fn join(port: u16, id: &str, tools: Vec<ScriptedTool>) -> Self {
        Self::serve(port, id, tools, true, None).await
    }

    /// Joins, and names this source in every frame.
    pub async fn join_as(port: u16, id: &str, source: &str, tools: Vec<ScriptedTool>) -> Self {
        Self::serve(port, id, tools, true, Some(source)).await
    }

    /// Joins on the topic of the toolbox itself only, as the shipped pre-releases do it.
    pub async fn join_as_shipped(port: u16, id: &str, tools: Vec<ScriptedTool>) -> Self {
        Self::serve(port, id, tools, false, None).await
    }

    async fn serve(
        port: u16,
        id: &str,
        tools: Vec<ScriptedTool>,
        serves_common_topic: bool,
        source: Option<&str>,
    ) -> Self {
        let calls = Arc::new(Calls::default());
        let peer = Peer {
            id: id.into(),
            tools,
            probe: Arc::new(BusProbe::connect(port).await),
            calls: Arc::clone(&calls),
            serves_common_topic,
            source: source.map(str::to_owned),
        };
        let mut tasks = JoinSet::new();
        tasks.spawn(peer.run());
        Self { calls, _tasks: tasks }
    }

    /// Lists what was executed so far, in order.
    pub fn calls(&self) -> Vec<Call> {
        self.calls
            .list
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Waits for the `count`th executed call.
    pub async fn called(&self, count: usize, deadline: Duration) {
        let mut seen = self.calls.count.subscribe();
        let reached = seen.wait_for(|seen| *seen >= count);
        within(&format!("tool call {count}"), deadline, reached)
            .await
            .expect("the log outlives the wait");
    }
}

impl Peer {
    async fn run(self) {
        let recording = self.probe.recording();
        let mut answers = JoinSet::new();
        loop {
            for frame in recording.take().await {
                let mut told = self.answer(&frame);
                if told.is_empty() {
                    continue;
                }
                for (frame, _) in &mut told {
                    if let Some(source) = &self.source {
                        frame["context"]["source"] = json!(source);
                    }
                }
                let probe = Arc::clone(&self.probe);
                answers.spawn(async move {
                    for (frame, delay) in told {
                        sleep(delay).await;
                        // A bus that has died meanwhile takes no answer.
                        probe.try_send(&frame.to_string()).await;
                    }
                });
            }
            while answers.try_join_next().is_some() {}
        }
    }

    /// Lists the frames that answer this one, and how long each takes behind the one before.
    fn answer(&self, frame: &Frame) -> Vec<(Value, Duration)> {
        if frame.topic == DISCOVER && !frame.is_twin() {
            let tools: Vec<_> = self.tools.iter().map(|tool| self.announced(tool)).collect();
            let answer = frame.response(&json!({"toolbox_id": self.id, "tools": tools}));
            return vec![(answer, Duration::ZERO)];
        }
        if !self.is_asked(frame) {
            return Vec::new();
        }
        let (data, delay) = match self.execute(frame) {
            Ok(Act::Returns(result)) => (json!({"toolbox_id": self.id, "result": result}), Duration::ZERO),
            Ok(Act::Later(delay, result)) => (json!({"toolbox_id": self.id, "result": result}), delay),
            Ok(Act::Garbage(data)) => (data, Duration::ZERO),
            Ok(Act::Hangs) => return Vec::new(),
            Ok(Act::Tells(told)) => {
                let frames = told
                    .iter()
                    .map(|told| (told.frame((&self.id, frame)), told.after));
                return frames.collect();
            }
            Ok(Act::Raises(text)) => (self.error(&format!("RuntimeError: {text}")), Duration::ZERO),
            Err(text) => (self.error(&format!("ValueError: {text}")), Duration::ZERO),
        };
        vec![(frame.response(&data), delay)]
    }

    /// The shipped hosts leave the toolbox out of each tool, and hear only the topic of the toolbox.
    fn announced(&self, tool: &ScriptedTool) -> Value {
        let mut definition = tool.definition.clone();
        if self.serves_common_topic {
            definition["toolbox_id"] = json!(self.id);
        } else if let Some(fields) = definition.as_object_mut() {
            fields.remove("toolbox_id");
        }
        definition
    }

    fn is_asked(&self, frame: &Frame) -> bool {
        let common =
            self.serves_common_topic && frame.topic == CALL && frame.data["toolbox_id"] == json!(self.id);
        common || frame.topic == format!("ovos.persona.tools.{}.call", self.id)
    }

    fn execute(&self, frame: &Frame) -> Result<Act, String> {
        let name = frame.data["name"].as_str().unwrap_or_default();
        let tool = self.tools.iter().find(|tool| tool.name() == name);
        let tool = tool.ok_or_else(|| format!("unknown tool '{name}'"))?;
        let given = frame.data["kwargs"].as_object().cloned().unwrap_or_default();
        let arguments = schema::validated(&tool.definition["argument_schema"], &given)?;
        let act = (tool.work)(&arguments, frame);
        let call = Call {
            name: name.into(),
            arguments,
            session_id: frame.session_id().into(),
            act: act.clone(),
        };
        self.calls
            .list
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(call);
        self.calls.count.send_modify(|count| *count += 1);
        Ok(act)
    }

    fn error(&self, text: &str) -> Value {
        json!({"toolbox_id": self.id, "error": text})
    }
}
