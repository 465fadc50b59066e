//! Toolboxes that other processes host, found and called over the bus (TOOLS-1 §4).
//!
//! A box is asked what it holds whenever a persona that wants it takes a turn, and remembered as it was last announced
//! until it leaves a call without an answer. What a stranger declares is treated as dangerous unless the persona file
//! trusts the box. A call has a deadline, and a key of its own by which its answer is known; late answers are dropped.
//!
//! An answer counts when it names no other toolbox, tool or call than those that were asked, and no other source than the
//! box was announced from. On a bus without identities that keeps mistakes and simple forgeries out, and no client that
//! reads the call and answers in its host's name: every client of such a bus can do both.
//!
//! Beside the `result` of TOOLS-1 an answer may hold `answer`, a text that is said and ends the turn where the persona
//! allows it, and `extras`, an object from which the next call of a tool of the same box gets further arguments, and which
//! no brain ever sees; and `undo`, an object with which the tool is called that takes the call back. What a host tells
//! beside its answer, pieces and a later outcome, is heard by [`Following`].

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use loquat_agent::toolbox::{Category, Circumstances, Outcome, Tool, ToolError, Toolbox};
use loquat_agent::turn::TurnCache;
use loquat_bus::{Bus, RequestError};
use loquat_orchestrator::frames;
use loquat_persona::Trust;
use loquat_wire::{Message, topic};
use serde_json::{Map, Value, json};
use tokio::sync::Semaphore;

use parking_lot::{Mutex, MutexGuard};
use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;
use std::time::Duration;

use super::announced::{Announced, announced_box};
use super::claims::{Abilities, stricter};
use super::following::Following;
use super::found::Found;

/// How long boxes are listened for: there is no end mark, and OVOS's own hosts answer within milliseconds.
const DISCOVERY_WINDOW: Duration = Duration::from_millis(500);

/// How long a turn listens for boxes that were not there the last time: no person notices it, and a box that came back
/// answers within it.
const SECOND_LOOK: Duration = Duration::from_millis(40);

/// How long a turn waits for a box's schemas to be compiled.
const PREPARATION: Duration = Duration::from_secs(2);

/// Unknown context keys come back in answers; this one says which call is answered.
const CALL_ID: &str = "tool_call_id";

/// A box that a persona wants, and how far it trusts it.
#[derive(Debug, Clone)]
pub struct WantedToolbox {
    /// Its id.
    pub toolbox_id: String,
    /// What the persona file says about its tools.
    pub trust: Trust,
}

/// The boxes of other processes.
#[derive(Debug)]
pub struct RemoteToolboxes {
    bus: Bus,
    /// When a call is given up, unless the persona says otherwise.
    timeout: Duration,
    found: Arc<Found>,
    /// The boxes that did not answer when they were last looked for.
    absent: Mutex<HashSet<String>>,
    /// One box at a time is made ready, so that strangers' schemas take one thread at most.
    preparing: Arc<Semaphore>,
}

impl RemoteToolboxes {
    /// Knows no box yet.
    pub fn new(bus: Bus, timeout: Duration) -> Self {
        Self {
            bus,
            timeout,
            found: Arc::default(),
            absent: Mutex::default(),
            preparing: Arc::new(Semaphore::new(1)),
        }
    }

    /// The boxes that a persona wants, as far as they are there and made ready for turns with this cache; the others
    /// are named in the log, and a turn does not wait for them again.
    pub async fn find(&self, wanted: &[WantedToolbox], turn_cache: &Arc<TurnCache>) -> Vec<Arc<dyn Toolbox>> {
        let absent = self.absent().clone();
        let is_awaited = |wanted: &&WantedToolbox| !absent.contains(&wanted.toolbox_id);
        let awaited: Vec<&WantedToolbox> = wanted.iter().filter(is_awaited).collect();
        let window = if awaited.is_empty() {
            SECOND_LOOK
        } else {
            DISCOVERY_WINDOW
        };
        let awaited = awaited.iter().map(|wanted| wanted.toolbox_id.as_str());
        let found = self.look(wanted, awaited.collect(), window, turn_cache).await;
        for WantedToolbox { toolbox_id, .. } in wanted {
            let is_missing = found.iter().all(|found| found.id() != toolbox_id);
            if is_missing && self.absent().insert(toolbox_id.clone()) {
                tracing::warn!(
                    toolbox = toolbox_id,
                    "nobody on the bus offers this toolbox; the turn begins without it"
                );
            }
        }
        found
    }

    /// Looks for them without a word about those that are not there.
    pub async fn look_for(
        &self,
        wanted: &[WantedToolbox],
        turn_cache: &Arc<TurnCache>,
    ) -> Vec<Arc<dyn Toolbox>> {
        let all = wanted.iter().map(|wanted| wanted.toolbox_id.as_str()).collect();
        self.look(wanted, all, DISCOVERY_WINDOW, turn_cache).await
    }

    /// Listens for the window, or until all boxes that are awaited have answered; where none is, until all have.
    async fn look(
        &self,
        wanted: &[WantedToolbox],
        awaited: HashSet<&str>,
        window: Duration,
        turn_cache: &Arc<TurnCache>,
    ) -> Vec<Arc<dyn Toolbox>> {
        if wanted.is_empty() {
            return Vec::new();
        }
        self.ask_for(wanted, awaited, window).await;
        let mut ready = Vec::new();
        for wanted in wanted {
            let Some(toolbox) = self.toolbox(wanted) else {
                continue;
            };
            self.absent().remove(&wanted.toolbox_id);
            if self.prepare(toolbox.tools(), turn_cache).await {
                ready.push(toolbox);
            } else {
                let id = &wanted.toolbox_id;
                tracing::warn!(
                    toolbox = id,
                    "the schemas of this toolbox take too long; it is left out"
                );
            }
        }
        ready
    }

    /// Compiles what a turn needs of these tools where nothing waits for the thread. A box that takes longer than that is
    /// worth is ready for a later turn.
    pub async fn prepare(&self, tools: Arc<[Tool]>, turn_cache: &Arc<TurnCache>) -> bool {
        if turn_cache.is_prepared(&tools) {
            return true;
        }
        let (turn_cache, preparing) = (Arc::clone(turn_cache), Arc::clone(&self.preparing));
        let work = async move {
            let permit = preparing.acquire_owned().await.ok()?;
            let work = move || {
                turn_cache.prepare(&tools);
                drop(permit);
            };
            tokio::task::spawn_blocking(work).await.ok()
        };
        matches!(tokio::time::timeout(PREPARATION, work).await, Ok(Some(())))
    }

    fn absent(&self) -> MutexGuard<'_, HashSet<String>> {
        self.absent.lock()
    }

    async fn ask_for(&self, wanted: &[WantedToolbox], awaited: HashSet<&str>, window: Duration) {
        let ids: Vec<&str> = wanted.iter().map(|wanted| wanted.toolbox_id.as_str()).collect();
        let mut open = if awaited.is_empty() {
            ids.iter().copied().collect()
        } else {
            awaited
        };
        let is_last = |answer: &Message| {
            open.retain(|id| !self.found.settles(id, answer));
            open.is_empty()
        };
        let answers = self.discover(window, is_last).await;
        for id in &ids {
            self.take(id, &answers);
        }
    }

    /// All boxes that answer now: id and tool names with descriptions.
    pub async fn list(&self) -> Vec<Tool> {
        let answers = self.discover(DISCOVERY_WINDOW, |_| false).await;
        let ids: BTreeSet<&str> = answers.iter().filter_map(announced_box).collect();
        for id in ids {
            self.take(id, &answers);
        }
        let found = self.found.lock();
        found
            .iter()
            .flat_map(|(id, known)| known.tools.iter().map(|tool| tool.descriptor(id)))
            .collect()
    }

    /// A box that was found, its tools as a person who names them may call them.
    pub fn toolbox_as_called_by_a_person(&self, toolbox_id: &str) -> Option<Arc<dyn Toolbox>> {
        let trust = Trust {
            category: Category::Safe,
            ..Trust::default()
        };
        self.toolbox(&WantedToolbox {
            toolbox_id: toolbox_id.to_owned(),
            trust,
        })
    }

    async fn discover(&self, window: Duration, is_last: impl FnMut(&Message) -> bool) -> Vec<Message> {
        let question = frames::originated(topic::TOOLS_DISCOVER, json!({}));
        self.bus.collect_until(question, None, window, is_last).await
    }

    fn take(&self, toolbox_id: &str, answers: &[Message]) {
        let own = answers
            .iter()
            .filter(|answer| announced_box(answer) == Some(toolbox_id));
        self.found.take(toolbox_id, &own.collect::<Vec<_>>());
    }

    fn toolbox(&self, wanted: &WantedToolbox) -> Option<Arc<dyn Toolbox>> {
        let id = &wanted.toolbox_id;
        let mut found = self.found.lock();
        let known = found.get_mut(id)?;
        let tools = known.trusted(&wanted.trust, |tool| self.trusted(tool, id, &wanted.trust));
        Some(Arc::new(RemoteToolbox {
            bus: self.bus.clone(),
            id: id.clone(),
            tools,
            shares_topic: known.tools.iter().all(|tool| tool.names_its_box),
            source: known.source.clone(),
            found: Arc::clone(&self.found),
        }))
    }

    fn trusted(&self, announced: &Announced, toolbox_id: &str, trust: &Trust) -> Tool {
        let tool = announced.descriptor(toolbox_id);
        let cautious = tool.confirm;
        let own = trust.tools.get(&tool.name).cloned().unwrap_or_default();
        let tool = trust.of_tool(&own).applied_to(tool, self.timeout);
        if trust.category == Category::Dangerous {
            return Tool {
                confirm: stricter(tool.confirm, cautious),
                ..tool
            };
        }
        let said = Abilities {
            streams: own.streams,
            goes_on: own.goes_on,
            may_end_turn: own.may_end_turn,
            undo: own.undo,
            progress_phrase: tool.progress_phrase.clone(),
        };
        // What the persona says goes before what the host does, and caution before both.
        announced
            .claims
            .cautious(said.of_tool(announced.claims.able(tool)))
    }
}

/// One box of another program, as one persona may use it.
#[derive(Debug)]
struct RemoteToolbox {
    bus: Bus,
    id: String,
    tools: Arc<[Tool]>,
    /// Its host hears the topic that all boxes share.
    shares_topic: bool,
    /// Who announced it, where the frame said so.
    source: Option<String>,
    /// Where it is forgotten when it does not answer.
    found: Arc<Found>,
}

impl Toolbox for RemoteToolbox {
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

impl RemoteToolbox {
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
        let mut kwargs = circumstances.extras.clone();
        kwargs.extend(arguments);
        let call = Asked {
            name,
            id: call_id(circumstances),
        };
        let answered_on = topic::response_to(&topic);
        let request = self.request(topic, &call, &kwargs, circumstances);
        // What is told may come at once, so it is listened for before the call is made.
        let mut following = Following::of(&self.bus, tool, &answered_on);
        let mut doubt = Doubt {
            found: &self.found,
            toolbox_id: &self.id,
            answered: false,
        };
        // It is not known what became of a call that was on its way to a bus that died; an effect must not be had twice.
        let may_repeat = tool.is_some_and(|tool| tool.read_only || tool.idempotent);
        let is_ours = |frame: &Message| self.is_told_of(&call, frame);
        let answer = async {
            if may_repeat {
                self.bus.request(request, None, timeout).await
            } else {
                self.bus.request_once(request, None, timeout).await
            }
        };
        let pieces = circumstances.pieces.clone();
        let (answer, text) = following.hear(answer, &is_ours, &pieces).await?;
        doubt.answered = answer.is_ok();
        let answer = self.answer_to(&call, answer)?;
        let Some(started) = started(&answer).filter(|_| following.awaits_outcome()) else {
            return self.outcome(&answer).map(|outcome| with_text(outcome, text));
        };
        let is_outcome = |frame: &Message| is_ours(frame) && started_by(frame) == Some(started.as_str());
        if let Some(told) = following.outcome(&is_outcome, &circumstances.cancel).await {
            return self.outcome(&told);
        }
        self.cancel(&call, &started).await;
        Err(ToolError::unanswered(&self.id, name))
    }

    /// Tells the host that what goes on is not wanted any more.
    async fn cancel(&self, call: &Asked<'_>, started: &str) {
        let data = json!({"toolbox_id": self.id, "name": call.name, "started": started});
        let mut frame = frames::originated(topic::LOQUAT_TOOL_CANCEL, data);
        frame.context.insert(CALL_ID, json!(call.id));
        if let Err(error) = self.bus.emit(frame).await {
            tracing::warn!(toolbox = self.id, tool = call.name, %error, "failed to cancel a call");
        }
    }

    fn request(
        &self,
        topic: String,
        call: &Asked<'_>,
        kwargs: &Map<String, Value>,
        who: &Circumstances,
    ) -> Message {
        let mut request = Message::new(
            topic,
            json!({"toolbox_id": self.id, "name": call.name, "kwargs": kwargs}),
        );
        request.context.set_source(frames::SKILL_ID);
        request.context.insert(CALL_ID, json!(call.id));
        let mut session = request.context.session();
        session.insert("session_id", json!(who.session_id));
        if let Some(lang) = &who.lang {
            session.insert("lang", json!(lang));
        }
        request.context.set_session(&session);
        request
    }

    /// Whether an answer is one to this call by the box that was asked, as far as it says.
    fn is_answer(&self, call: &Asked<'_>, answer: &Message) -> bool {
        let fits = |said: Option<&str>, meant: &str| said.is_none_or(|said| said == meant);
        let names = |key: &str, meant: &str| {
            let said = answer.data.get(key).filter(|said| !said.is_null());
            said.is_none_or(|said| said == meant)
        };
        let (source, announced) = (answer.context.source(), self.source.as_deref());
        names("toolbox_id", &self.id)
            && names("name", call.name)
            && names("tool", call.name)
            && fits(answer.context.text(CALL_ID), &call.id)
            && announced.is_none_or(|announced| fits(source, announced))
    }

    /// Whether what is told beside the answer is of this call. It has to say so: nothing else joins it to the call.
    fn is_told_of(&self, call: &Asked<'_>, frame: &Message) -> bool {
        frame.context.text(CALL_ID) == Some(call.id.as_str()) && self.is_answer(call, frame)
    }

    /// The answer to a call, if it is one.
    fn answer_to(
        &self,
        call: &Asked<'_>,
        answer: Result<Message, RequestError>,
    ) -> Result<Message, ToolError> {
        let answer = answer.map_err(|error| match error {
            RequestError::Unsure { .. } => ToolError::unsure(call.name),
            _ => ToolError::unanswered(&self.id, call.name),
        })?;
        if self.is_answer(call, &answer) {
            return Ok(answer);
        }
        tracing::warn!(
            toolbox = self.id,
            tool = call.name,
            "somebody else answered a call"
        );
        Err(ToolError::unanswered(&self.id, call.name))
    }

    /// What an answer, or what is told later, says of the call.
    fn outcome(&self, answer: &Message) -> Result<Outcome, ToolError> {
        if let Some(error) = answer.data.get("error").and_then(Value::as_str) {
            let (class, message) = error.split_once(": ").unwrap_or(("ToolError", error));
            return Err(ToolError::reply(class, message));
        }
        let members = |key: &str| match answer.data.get(key) {
            Some(Value::Object(members)) => Some(members.clone()),
            _ => None,
        };
        match members("result") {
            Some(result) => Ok(Outcome {
                result,
                answer: text(answer, "answer"),
                spoken: None,
                extras: members("extras").unwrap_or_default(),
                undo: members("undo").unwrap_or_default(),
                ..Outcome::default()
            }),
            None => Err(ToolError::reply(
                "ValueError",
                format!("toolbox '{}' answered without a result", self.id),
            )),
        }
    }
}

/// A call on its way.
struct Asked<'a> {
    name: &'a str,
    /// It identifies the box on the whole bus.
    id: String,
}

/// The id under which a call goes on behind this answer.
fn started(answer: &Message) -> Option<String> {
    started_by(answer).map(str::to_owned)
}

fn started_by(frame: &Message) -> Option<&str> {
    frame.data.get("started").and_then(Value::as_str)
}

/// The result of a tool that has told pieces: all of them, joined, unless it says itself what it has told.
fn with_text(mut outcome: Outcome, told: Option<String>) -> Outcome {
    if let Some(told) = told.filter(|_| !outcome.result.contains_key("text")) {
        outcome.result.insert("text".to_owned(), Value::String(told));
    }
    outcome
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
            self.found.forget(self.toolbox_id);
        }
    }
}

/// Identifies a call on the whole bus.
fn call_id(who: &Circumstances) -> String {
    if who.turn_id.is_empty() {
        return uuid::Uuid::new_v4().to_string();
    }
    format!("{}/{}", who.turn_id, who.call_id)
}

/// A text of an answer's data that is not empty.
fn text(answer: &Message, key: &str) -> Option<String> {
    let text = answer.data.get(key)?.as_str()?.trim();
    (!text.is_empty()).then(|| text.to_owned())
}
