//! Toolboxes that other processes host, found and called over the bus (TOOLS-1 §4).
//!
//! A box is asked what it holds whenever a persona that wants it takes a turn, and remembered as it was last announced
//! until it leaves a call without an answer. What a stranger declares is treated as dangerous unless the persona file
//! trusts the box. A call has a deadline, and a key of its own by which its answer is known; late answers reach nobody.
//!
//! Beside the `result` of TOOLS-1 an answer may hold `answer`, a text that is said and ends the turn where the persona
//! allows it, and `extras`, an object that the next tool gets among its arguments and no brain ever sees.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use loquat_agent::toolbox::{Category, Circumstances, Confirm, Outcome, Tool, ToolError, Toolbox};
use loquat_bus::{Bus, RequestError};
use loquat_wire::{Message, topic};
use serde_json::{Map, Value, json};

use crate::desk::lifecycle;
use crate::persona::Trust;

/// How long boxes are listened for: there is no end mark, and OVOS's own hosts answer within milliseconds.
const DISCOVERY_WINDOW: Duration = Duration::from_millis(500);

/// A box that a persona wants, and how far it trusts it.
#[derive(Debug, Clone)]
pub struct WantedBox {
    /// Its id.
    pub toolbox_id: String,
    /// What the persona file says about its tools.
    pub trust: Trust,
}

/// The boxes of other processes.
#[derive(Debug)]
pub struct ForeignBoxes {
    bus: Bus,
    /// When a call is given up, unless the persona says otherwise.
    timeout: Duration,
    found: Arc<Found>,
}

/// The boxes as they were last announced, by id.
type Found = Mutex<HashMap<String, Vec<Announced>>>;

/// A tool as its host announced it.
#[derive(Debug, Clone)]
struct Announced {
    name: String,
    description: String,
    argument_schema: Value,
    output_schema: Value,
    /// Its host names the box in every tool, as the specification asks; older hosts do not, and hear only the topic
    /// of the box itself.
    names_its_box: bool,
}

impl ForeignBoxes {
    /// Knows no box yet.
    pub fn new(bus: Bus, timeout: Duration) -> Self {
        Self {
            bus,
            timeout,
            found: Arc::default(),
        }
    }

    /// The boxes that a persona wants, as far as they are there; the others are named in the log.
    pub async fn find(&self, wanted: &[WantedBox]) -> Vec<Arc<dyn Toolbox>> {
        self.ask_for(wanted).await;
        let found = |wanted: &WantedBox| {
            let toolbox = self.toolbox(wanted);
            if toolbox.is_none() {
                let id = &wanted.toolbox_id;
                tracing::warn!(
                    toolbox = id,
                    "nobody on the bus offers this toolbox; the turn begins without it"
                );
            }
            toolbox
        };
        wanted.iter().filter_map(found).collect()
    }

    /// The same without a word about those that are not there.
    pub(super) async fn look_for(&self, wanted: &[WantedBox]) -> Vec<Arc<dyn Toolbox>> {
        self.ask_for(wanted).await;
        wanted.iter().filter_map(|wanted| self.toolbox(wanted)).collect()
    }

    async fn ask_for(&self, wanted: &[WantedBox]) {
        if wanted.is_empty() {
            return;
        }
        let answered = |wanted: &WantedBox, answers: &[Message]| {
            let id = Some(wanted.toolbox_id.as_str());
            let announced = answers.iter().filter_map(announced);
            announced.into_iter().any(|(found, _)| Some(found.as_str()) == id)
        };
        self.discover(|answers| wanted.iter().all(|wanted| answered(wanted, answers)))
            .await;
    }

    /// All boxes that answer now: id and tool names with descriptions.
    pub async fn list(&self) -> Vec<Tool> {
        self.discover(|_| false).await;
        let found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        found
            .iter()
            .flat_map(|(id, tools)| tools.iter().map(|tool| tool.descriptor(id)))
            .collect()
    }

    /// A box that was found, its tools as a person who names them may call them.
    pub fn toolbox_as_called_by_a_person(&self, toolbox_id: &str) -> Option<Arc<dyn Toolbox>> {
        let trust = Trust {
            category: Category::Safe,
            ..Trust::default()
        };
        self.toolbox(&WantedBox {
            toolbox_id: toolbox_id.to_owned(),
            trust,
        })
    }

    async fn discover(&self, enough: impl Fn(&[Message]) -> bool) {
        let question = lifecycle::originated(topic::TOOLS_DISCOVER, json!({}));
        let answers = self
            .bus
            .collect_until(question, None, DISCOVERY_WINDOW, enough)
            .await;
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        for answer in answers {
            if let Some((id, tools)) = announced(&answer) {
                found.insert(id, tools);
            }
        }
    }

    fn toolbox(&self, wanted: &WantedBox) -> Option<Arc<dyn Toolbox>> {
        let id = &wanted.toolbox_id;
        let found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        let tools = found.get(id)?;
        let shares_topic = tools.iter().all(|tool| tool.names_its_box);
        let tools = tools
            .iter()
            .map(|tool| self.trusted(tool.descriptor(id), &wanted.trust))
            .collect();
        Some(Arc::new(ForeignBox {
            bus: self.bus.clone(),
            id: id.clone(),
            tools,
            shares_topic,
            found: Arc::clone(&self.found),
        }))
    }

    fn trusted(&self, tool: Tool, trust: &Trust) -> Tool {
        let timeout = trust.timeout.unwrap_or(self.timeout);
        if trust.category == Category::Dangerous {
            return Tool {
                timeout,
                progress_phrase: trust.progress_phrase.clone(),
                ..tool
            };
        }
        let Tool {
            toolbox_id,
            name,
            description,
            argument_schema,
            output_schema,
            ..
        } = tool;
        Tool {
            argument_schema,
            output_schema,
            timeout,
            category: trust.category,
            confirm: Confirm::Never,
            read_only: trust.read_only,
            idempotent: trust.read_only,
            retry: trust.retries,
            cacheable: trust.cache,
            cache_scope: trust.cache_scope,
            may_end_turn: trust.may_end_turn,
            progress_phrase: trust.progress_phrase.clone(),
            ..Tool::safe(toolbox_id, name, description)
        }
    }
}

impl Announced {
    fn descriptor(&self, toolbox_id: &str) -> Tool {
        Tool {
            argument_schema: self.argument_schema.clone(),
            output_schema: self.output_schema.clone(),
            ..Tool::foreign(toolbox_id, &self.name, &self.description)
        }
    }
}

/// Reads a discovery answer; tools without a name are left out.
fn announced(answer: &Message) -> Option<(String, Vec<Announced>)> {
    let id = answer.data.get("toolbox_id")?.as_str()?.to_owned();
    let tools = answer.data.get("tools")?.as_array()?;
    Some((id, tools.iter().filter_map(announced_tool).collect()))
}

fn announced_tool(tool: &Value) -> Option<Announced> {
    let schema = |key: &str| match tool.get(key) {
        Some(schema @ Value::Object(_)) => schema.clone(),
        _ => json!({"type": "object"}),
    };
    Some(Announced {
        name: tool.get("name")?.as_str()?.to_owned(),
        description: tool
            .get("description")
            .and_then(Value::as_str)
            .unwrap_or_default()
            .to_owned(),
        argument_schema: schema("argument_schema"),
        output_schema: schema("output_schema"),
        names_its_box: tool.get("toolbox_id").is_some(),
    })
}

/// One box of somebody else's, as one persona may use it.
#[derive(Debug)]
struct ForeignBox {
    bus: Bus,
    id: String,
    tools: Arc<[Tool]>,
    /// Its host hears the topic that all boxes share.
    shares_topic: bool,
    /// Where it is forgotten when it does not answer.
    found: Arc<Found>,
}

impl Toolbox for ForeignBox {
    fn id(&self) -> &str {
        &self.id
    }

    fn tools(&self) -> Arc<[Tool]> {
        Arc::clone(&self.tools)
    }

    fn call<'a>(
        &'a self,
        name: &'a str,
        arguments: Map<String, Value>,
        circumstances: &'a Circumstances,
    ) -> BoxFuture<'a, Result<Outcome, ToolError>> {
        self.ask(name, arguments, circumstances).boxed()
    }
}

impl ForeignBox {
    async fn ask(
        &self,
        name: &str,
        arguments: Map<String, Value>,
        circumstances: &Circumstances,
    ) -> Result<Outcome, ToolError> {
        let tool = self.tools.iter().find(|tool| tool.name == name);
        let timeout = tool.map_or(loquat_agent::toolbox::DEFAULT_TOOL_TIMEOUT, |tool| tool.timeout);
        let topic = if self.shares_topic {
            topic::TOOLS_CALL.to_owned()
        } else {
            topic::toolbox_call(&self.id)
        };
        let mut kwargs = arguments;
        kwargs.extend(circumstances.extras.clone());
        let request = self.request(topic, name, &kwargs, circumstances);
        let mut doubt = Doubt {
            found: &self.found,
            toolbox_id: &self.id,
            answered: false,
        };
        // Nobody knows what became of a call that was on its way to a bus that died; an effect must not be had twice.
        let may_repeat = tool.is_some_and(|tool| tool.read_only || tool.idempotent);
        let answer = if may_repeat {
            self.bus.request(request, None, timeout).await
        } else {
            self.bus.request_once(request, None, timeout).await
        };
        doubt.answered = answer.is_ok();
        self.outcome(name, answer)
    }

    fn request(
        &self,
        topic: String,
        name: &str,
        kwargs: &Map<String, Value>,
        who: &Circumstances,
    ) -> Message {
        let mut request = Message::new(
            topic,
            json!({"toolbox_id": self.id, "name": name, "kwargs": kwargs}),
        );
        request.context.set_source(lifecycle::SKILL_ID);
        request
            .context
            .insert("tool_call_id", json!(format!("{}/{}", who.turn_id, who.call_id)));
        let mut session = request.context.session();
        session.insert("session_id", json!(who.session_id));
        if let Some(lang) = &who.lang {
            session.insert("lang", json!(lang));
        }
        request.context.set_session(&session);
        request
    }

    fn outcome(&self, name: &str, answer: Result<Message, RequestError>) -> Result<Outcome, ToolError> {
        let answer = answer.map_err(|error| match error {
            RequestError::Unsure { .. } => ToolError::reply(
                "ConnectionError",
                format!(
                    "the bus was lost during the call of '{name}', and it is not known whether it was done"
                ),
            ),
            _ => ToolError::reply(
                "TimeoutError",
                format!("toolbox '{}' did not answer the call of '{name}'", self.id),
            ),
        })?;
        if let Some(error) = answer.data.get("error").and_then(Value::as_str) {
            let (class, message) = error.split_once(": ").unwrap_or(("ToolError", error));
            return Err(ToolError::reply(class, message));
        }
        match answer.data.get("result") {
            Some(Value::Object(result)) => Ok(Outcome {
                result: result.clone(),
                answer: text(&answer, "answer"),
                extras: match answer.data.get("extras") {
                    Some(Value::Object(extras)) => extras.clone(),
                    _ => Map::new(),
                },
            }),
            _ => Err(ToolError::reply(
                "ValueError",
                format!("toolbox '{}' answered without a result", self.id),
            )),
        }
    }
}

/// A call that has no answer yet. Dropped, it forgets the box: one that has gone is not offered again until it is back.
struct Doubt<'a> {
    found: &'a Found,
    toolbox_id: &'a str,
    answered: bool,
}

impl Drop for Doubt<'_> {
    fn drop(&mut self) {
        if !self.answered {
            let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
            found.remove(self.toolbox_id);
        }
    }
}

/// A text of an answer's data that is not empty.
fn text(answer: &Message, key: &str) -> Option<String> {
    let text = answer.data.get(key)?.as_str()?.trim();
    (!text.is_empty()).then(|| text.to_owned())
}
