//! What a sentence would do if it were said now: which calls it makes, and which of them ask the person first. By this a sentence
//! is kept for later. Nothing that changes anything is called here.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::{Arc, OnceLock};

use futures_util::future::BoxFuture;
use loquat_agent::consent::AgreedCall;
use loquat_agent::schema::Schema;
use loquat_agent::toolbox::{Circumstances, Confirm, Resolved, Tool, ToolError, Toolbox};
use loquat_agent::turn::IntendedCall;
use loquat_phrases::Phrases;
use loquat_skills::alerts::{self, Asked, Condition, Foreseen, ForeseenCall, Glance, Look, Understands};
use loquat_skills::home;
use serde_json::{Map, Value, json};

use super::CurrentSentences;
use crate::deed;

/// Tools that keep something for later. What is kept does not keep more.
const KEEPING: [&str; 3] = alerts::KEEPING;

/// Finds out what sentences would do. Clones share what they know.
#[derive(Clone)]
pub struct Foresight {
    sentences: CurrentSentences,
    /// The toolboxes of this process, once there are any.
    toolboxes: Arc<OnceLock<Vec<Arc<dyn Toolbox>>>>,
}

impl fmt::Debug for Foresight {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Foresight").finish_non_exhaustive()
    }
}

impl Foresight {
    /// By these sentences. Before the toolboxes are known nothing is foreseen.
    pub fn new(sentences: CurrentSentences) -> Self {
        Self {
            sentences,
            toolboxes: Arc::default(),
        }
    }

    /// From now on these are the toolboxes that run what a sentence asks for.
    pub fn know(&self, toolboxes: Vec<Arc<dyn Toolbox>>) {
        // They are made once in a process.
        self.toolboxes.set(toolboxes).ok();
    }

    async fn foreseen(&self, text: &str, person: &Circumstances) -> Result<Foreseen, ToolError> {
        let lang = person.lang.as_deref().unwrap_or("en");
        let spoken = self.sentences.now();
        let Some(calls) = spoken.calls_of(text, lang) else {
            return Ok(Foreseen::Words);
        };
        let keeps =
            |call: &IntendedCall| KEEPING.contains(&call.tool.as_str()) && call.toolbox_id == alerts::ID;
        if calls.is_empty() || calls.iter().any(keeps) {
            return Ok(Foreseen::Unkept);
        }
        let mut foreseen = Vec::new();
        for call in &calls {
            foreseen.push(self.call(call, person).await?);
        }
        Ok(Foreseen::Calls(foreseen))
    }

    async fn asked(&self, event: &str, person: &Circumstances) -> Result<Option<Asked>, ToolError> {
        let lang = person.lang.as_deref().unwrap_or("en");
        let spoken = self.sentences.now();
        if let Some(condition) = spoken.message(event) {
            let now = None;
            return Ok(Some(Asked { condition, now }));
        }
        let Some(call) = spoken.question_whether(event, lang) else {
            return Ok(None);
        };
        let call = AgreedCall {
            toolbox_id: call.toolbox_id,
            tool: call.tool,
            arguments: call.arguments,
        };
        let now = self.answered(&call, person).await.map(|glance| glance.look);
        Ok(Some(Asked {
            condition: Condition::So(call),
            now,
        }))
    }

    /// What a question that only looks is answered with.
    async fn answered(&self, call: &AgreedCall, person: &Circumstances) -> Option<Glance> {
        let mut toolboxes = self.toolboxes.get()?.iter();
        let toolbox = toolboxes.find(|toolbox| toolbox.id() == call.toolbox_id)?;
        let tools = toolbox.tools();
        let looks = tools.iter().any(|tool| tool.name == call.tool && tool.read_only);
        let asked = looks.then(|| toolbox.call(&call.tool, call.arguments.clone(), person))?;
        let outcome = asked.await.ok()?;
        let look = match outcome.result.get("answer")? {
            Value::Number(times) => Look::Times(times.as_u64()?),
            Value::String(answer) if answer == "yes" => Look::So(true),
            Value::String(answer) if answer == "no" => Look::So(false),
            _ => return None,
        };
        let is_foreign = outcome.is_foreign;
        Some(Glance { look, is_foreign })
    }

    async fn call(&self, call: &IntendedCall, person: &Circumstances) -> Result<ForeseenCall, ToolError> {
        let mut toolboxes = self.toolboxes.get().into_iter().flatten();
        let toolbox = toolboxes.find(|toolbox| toolbox.id() == call.toolbox_id);
        let tools = toolbox.map(|toolbox| toolbox.tools());
        let tool = tools.iter().flat_map(|tools| tools.iter());
        let tool = tool.into_iter().find(|tool| tool.name == call.tool);
        let (Some(toolbox), Some(tool)) = (toolbox, tool) else {
            return Err(ToolError::reply("LookupError", "nothing here can do that"));
        };
        let arguments = as_run(tool, &call.arguments)?;
        let Resolved {
            arguments,
            asks,
            told,
        } = resolved(&**toolbox, tool, arguments, person).await?;
        let asks = asks || tool.is_guarded();
        let phrases = Phrases::of(person.lang.as_deref().unwrap_or("en"));
        let told = match deed::whole(&tool.name, &told, phrases) {
            Ok(told) => told,
            // What cannot be asked about is asked for, and refused, when it is said.
            Err(_) if asks => return Ok(unsayable(call)),
            Err(_) => String::new(),
        };
        Ok(ForeseenCall {
            call: AgreedCall {
                toolbox_id: call.toolbox_id.clone(),
                tool: call.tool.clone(),
                arguments,
            },
            told,
            asks,
            wants_pin: tool.confirm == Confirm::Pin,
            harms: asks || call.toolbox_id == home::ID && !tool.read_only,
        })
    }
}

/// A call that a yes cannot be given to ahead.
fn unsayable(call: &IntendedCall) -> ForeseenCall {
    ForeseenCall {
        call: AgreedCall {
            toolbox_id: call.toolbox_id.clone(),
            tool: call.tool.clone(),
            arguments: Map::new(),
        },
        asks: true,
        wants_pin: true,
        harms: true,
        ..ForeseenCall::default()
    }
}

/// The arguments as the gate passes them on: checked where a brain is told of them, and as they are where sentences alone have
/// them.
fn as_run(tool: &Tool, arguments: &Map<String, Value>) -> Result<Map<String, Value>, ToolError> {
    let shown = tool.argument_schema.get("properties").and_then(Value::as_object);
    let shown: BTreeSet<&String> = shown.into_iter().flat_map(Map::keys).collect();
    let unfit = |why: String| ToolError::reply("ValueError", why);
    let schema = Schema::compile(&tool.argument_schema).map_err(|error| unfit(error.to_string()))?;
    let mut checked = schema
        .check_arguments_of_brain(arguments.clone(), &|_| true)
        .map_err(|violation| unfit(violation.to_string()))?;
    let hidden = arguments.iter().filter(|(name, _)| !shown.contains(name));
    checked.extend(hidden.map(|(name, value)| (name.clone(), value.clone())));
    Ok(checked)
}

/// What the toolbox finds that a call means.
async fn resolved(
    toolbox: &dyn Toolbox,
    tool: &Tool,
    arguments: Map<String, Value>,
    person: &Circumstances,
) -> Result<Resolved, ToolError> {
    let Some(by) = &tool.resolved_by else {
        return Ok(Resolved {
            told: arguments.clone(),
            arguments,
            asks: false,
        });
    };
    let asked = [
        ("tool", json!(tool.name)),
        ("arguments", Value::Object(arguments)),
    ];
    let asked = asked.map(|(name, value)| (name.to_owned(), value));
    let outcome = toolbox.call(by, Map::from_iter(asked), person).await?;
    serde_json::from_value(Value::Object(outcome.result))
        .map_err(|error| ToolError::Fault(format!("'{by}' resolved nothing: {error}")))
}

impl Understands for Foresight {
    fn foresee<'a>(
        &'a self,
        text: &'a str,
        person: &'a Circumstances,
    ) -> BoxFuture<'a, Result<Foreseen, ToolError>> {
        Box::pin(self.foreseen(text, person))
    }

    fn question<'a>(
        &'a self,
        event: &'a str,
        person: &'a Circumstances,
    ) -> BoxFuture<'a, Result<Option<Asked>, ToolError>> {
        Box::pin(self.asked(event, person))
    }

    fn look<'a>(&'a self, call: &'a AgreedCall, person: &'a Circumstances) -> BoxFuture<'a, Option<Glance>> {
        Box::pin(self.answered(call, person))
    }
}
