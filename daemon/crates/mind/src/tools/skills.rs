//! The intents of installed skills as tools: a toolbox for each skill, of which a persona names those that it may use.
//!
//! What a skill says for a call is what the call brings, and is not spoken. The calls run in a task of their own, so
//! that a skill is told to stop also where the turn that called it has been dropped. All that skills wrote is a
//! stranger's.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use loquat_agent::toolbox::{Arrivals, Circumstances, Outcome, Tool, ToolError, Toolbox};
use loquat_bus::Bus;
use loquat_orchestrator::intent_call::{CALL, End, Heard, IntentCall};
use loquat_orchestrator::manifest::{Callable, Unworded, Wording};
use loquat_persona::{SkillChoice, Trust};
use loquat_state::unix_now;
use loquat_wire::Session;
use parking_lot::Mutex;
use serde_json::{Map, Value, json};
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::Registered;

/// Tools that a turn is offered of all skills together.
const MOST_TOOLS: usize = 64;

/// Calls at once; one more is answered with an error.
const CALLS_AT_ONCE: usize = 16;

/// Lists of tools that are kept, so that turns which are offered the same share one.
const MOST_LISTS: usize = 64;

/// What a call may take beside the skill's time: the journal's limit is that of the tool.
const MARGIN: Duration = Duration::from_secs(2);

/// Characters of a tool's name.
const LONGEST_NAME: usize = 64;

/// Beginnings of the ids of skills that say nothing of what they do.
const USUAL_BEGINNINGS: [&str; 4] = ["ovos-skill-", "skill-ovos-", "mycroft-", "skill-"];

/// Offers the skills on this bus.
#[derive(Debug)]
pub struct InstalledSkills {
    registered: Registered,
    orders: mpsc::Sender<Order>,
    /// How long a skill may take, unless the persona says otherwise.
    timeout: Duration,
    lists: Mutex<Vec<Arc<[Tool]>>>,
}

/// A call that is to be made, and where its end is awaited.
#[derive(Debug)]
struct Order {
    call: IntentCall,
    cancel: CancellationToken,
    heard: oneshot::Sender<Heard>,
}

/// The task that makes the calls.
#[derive(Debug)]
pub struct SkillCaller {
    bus: Bus,
    orders: mpsc::Receiver<Order>,
}

impl SkillCaller {
    /// Makes calls until cancelled. Those that run then have their skills stopped.
    pub async fn run(mut self, cancel: CancellationToken) {
        let mut calls = JoinSet::new();
        loop {
            tokio::select! {
                biased;
                () = cancel.cancelled() => break,
                Some(_) = calls.join_next() => {}
                order = self.orders.recv(), if calls.len() < CALLS_AT_ONCE => match order {
                    Some(order) => drop(calls.spawn(make(order, self.bus.clone(), cancel.clone()))),
                    None => break,
                },
            }
        }
        while calls.join_next().await.is_some() {}
    }
}

/// Makes a call. It is stopped with its turn, with this process, and where its end is not awaited any more.
async fn make(order: Order, bus: Bus, ending: CancellationToken) {
    let Order {
        call,
        cancel,
        mut heard,
    } = order;
    let stopped = CancellationToken::new();
    let mut run = std::pin::pin!(call.run(bus, stopped.clone(), unix_now()));
    let done = tokio::select! {
        biased;
        done = &mut run => done,
        () = async {
            tokio::select! {
                () = cancel.cancelled() => {}
                () = ending.cancelled() => {}
                () = heard.closed() => {}
            }
        } => {
            stopped.cancel();
            run.await
        }
    };
    // Where the turn has been dropped nothing awaits it.
    heard.send(done).ok();
}

impl InstalledSkills {
    /// The skills that have registered, and the task that calls them.
    pub fn new(bus: Bus, registered: Registered, timeout: Duration) -> (Arc<Self>, SkillCaller) {
        let (orders, receiver) = mpsc::channel(CALLS_AT_ONCE);
        let skills = Self {
            registered,
            orders,
            timeout,
            lists: Mutex::default(),
        };
        let caller = SkillCaller {
            bus,
            orders: receiver,
        };
        (Arc::new(skills), caller)
    }

    /// The toolboxes of the skills that a persona may use in a session, without the tools of these names.
    pub fn toolboxes(
        self: &Arc<Self>,
        choice: &SkillChoice,
        lang: &str,
        session: &Session,
        known: &mut BTreeSet<String>,
    ) -> Vec<Arc<dyn Toolbox>> {
        let mut by_skill: BTreeMap<String, Vec<(Callable, Tool)>> = BTreeMap::new();
        for callable in self.registered.now().callable(lang, session) {
            if known.len() >= MOST_TOOLS {
                tracing::warn!(MOST_TOOLS, "more intents of skills are allowed than are offered");
                break;
            }
            let Some(trust) = choice.trust(&callable.skill_id, &callable.intent_name) else {
                continue;
            };
            let name = tool_name(&callable.skill_id, &callable.intent_name);
            if known.insert(name.clone()) {
                let tool = self.tool(&callable, name, trust);
                by_skill
                    .entry(callable.skill_id.clone())
                    .or_default()
                    .push((callable, tool));
            }
        }
        let toolbox = |(skill_id, offered): (String, Vec<(Callable, Tool)>)| {
            let intents = offered
                .iter()
                .map(|(callable, tool)| (tool.name.clone(), callable.intent_name.clone()));
            Arc::new(SkillToolbox {
                id: toolbox_id(&skill_id),
                skill_id,
                intents: intents.collect(),
                tools: self.shared(offered.into_iter().map(|(_, tool)| tool).collect()),
                session: session.clone(),
                lang: lang.to_owned(),
                skills: Arc::clone(self),
            }) as Arc<dyn Toolbox>
        };
        by_skill.into_iter().map(toolbox).collect()
    }

    /// What comes while a turn runs that was offered the tools of these names.
    pub fn arrivals(
        self: &Arc<Self>,
        choice: &SkillChoice,
        lang: &str,
        session: &Session,
        known: BTreeSet<String>,
    ) -> SkillArrivals {
        SkillArrivals {
            skills: Arc::clone(self),
            choice: choice.clone(),
            lang: lang.to_owned(),
            session: session.clone(),
            seen: Mutex::new((self.registered.changes(), known)),
        }
    }

    /// A list that equals this one, if turns were offered it before.
    fn shared(&self, tools: Vec<Tool>) -> Arc<[Tool]> {
        let mut lists = self.lists.lock();
        if let Some(list) = lists.iter().find(|list| list[..] == tools[..]) {
            return Arc::clone(list);
        }
        let list: Arc<[Tool]> = tools.into();
        if lists.len() >= MOST_LISTS {
            lists.remove(0);
        }
        lists.push(Arc::clone(&list));
        list
    }

    fn tool(&self, callable: &Callable, name: String, trust: &Trust) -> Tool {
        let examples: Vec<String> = callable
            .examples
            .iter()
            .map(|example| Value::from(example.as_str()).to_string())
            .collect();
        let skill = Value::from(callable.skill_id.as_str());
        let description = format!(
            "Has the installed skill {skill} do what it does for {}.",
            examples.join(" or ")
        );
        let output = json!({"type": "object", "properties": {
            "done": {"type": "boolean"}, "said": {"type": "string"}, "asks": {"type": "boolean"},
            "note": {"type": "string"}}});
        let tool = Tool {
            argument_schema: argument_schema(&callable.wording),
            output_schema: output,
            ..Tool::foreign(toolbox_id(&callable.skill_id), name, description)
        };
        let tool = trust.applied_to(tool, self.timeout);
        Tool {
            timeout: tool.timeout + MARGIN,
            ..tool
        }
    }
}

fn argument_schema(wording: &Wording) -> Value {
    match wording {
        Wording::Sentence => json!({
            "type": "object",
            "properties": {"utterance": {"type": "string", "description": "A sentence with the words that the skill listens for."}},
            "required": ["utterance"], "additionalProperties": false}),
        Wording::Gaps(gaps) => {
            let properties: Map<String, Value> = gaps
                .iter()
                .map(|gap| {
                    let schema = if gap.values.is_empty() {
                        json!({"type": "string"})
                    } else {
                        let values = json!(gap.values).to_string();
                        json!({"type": "string", "description": format!("For example {values}.")})
                    };
                    (gap.name.clone(), schema)
                })
                .collect();
            let required = gaps.iter().filter(|gap| gap.is_required);
            let required: Vec<&str> = required.map(|gap| gap.name.as_str()).collect();
            json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false})
        }
    }
}

/// A name that begins as none of ours does: `skill_kettle_put_on` of `skill-kettle.author` and `put.on`. Of two intents
/// with one name the first counts.
fn tool_name(skill_id: &str, intent_name: &str) -> String {
    let own = USUAL_BEGINNINGS
        .iter()
        .find_map(|beginning| skill_id.strip_prefix(beginning));
    let own = own.unwrap_or(skill_id);
    let own = own.split_once('.').map_or(own, |(name, _)| name);
    let name: String = format!("skill_{own}_{intent_name}")
        .chars()
        .map(|letter| {
            if letter.is_ascii_alphanumeric() {
                letter.to_ascii_lowercase()
            } else {
                '_'
            }
        })
        .take(LONGEST_NAME)
        .collect();
    name.trim_end_matches('_').to_owned()
}

fn toolbox_id(skill_id: &str) -> String {
    format!("skill-{}", skill_id.replace(['.', ':'], "-"))
}

/// The intents of one skill, as one turn may call them.
#[derive(Debug)]
struct SkillToolbox {
    id: String,
    skill_id: String,
    /// Each tool is one intent.
    intents: BTreeMap<String, String>,
    tools: Arc<[Tool]>,
    session: Session,
    lang: String,
    skills: Arc<InstalledSkills>,
}

impl Toolbox for SkillToolbox {
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

impl SkillToolbox {
    async fn ask(
        &self,
        name: &str,
        arguments: Map<String, Value>,
        circumstances: &Circumstances,
    ) -> Result<Outcome, ToolError> {
        let gone = || ToolError::reply("UnavailableError", Unworded::Gone.to_string());
        let intent_name = self.intents.get(name).ok_or_else(gone)?;
        let registered = &self.skills.registered;
        let worded =
            registered
                .now()
                .worded(&self.skill_id, intent_name, &self.lang, &self.session, &arguments);
        let worded = worded.map_err(|why| match why {
            Unworded::Gone => gone(),
            other => ToolError::reply("ValueError", other.to_string()),
        })?;
        let tool = self.tools.iter().find(|tool| tool.name == name);
        let timeout = tool.map_or(self.skills.timeout, |tool| tool.timeout.saturating_sub(MARGIN));
        let (heard, answer) = oneshot::channel();
        let order = Order {
            call: IntentCall {
                skill_id: self.skill_id.clone(),
                intent_name: intent_name.clone(),
                worded,
                lang: self.lang.clone(),
                session: self.session.clone(),
                call_id: format!("{CALL}{}", uuid::Uuid::new_v4()),
                is_orchestrated: registered.is_orchestrated(),
                patience: timeout,
            },
            cancel: circumstances.cancel.clone(),
            heard,
        };
        let busy = |_| {
            ToolError::reply(
                "BusyError",
                "too many skills are being called at once; try again later",
            )
        };
        self.skills.orders.try_send(order).map_err(busy)?;
        let heard = answer.await.map_err(|_| ToolError::unanswered(&self.id, name))?;
        outcome(heard, &self.id, name)
    }
}

/// What a call brings, from what was heard.
fn outcome(heard: Heard, toolbox_id: &str, name: &str) -> Result<Outcome, ToolError> {
    let said = heard.said.join(" ");
    let mut result = Map::from_iter([("said".to_owned(), json!(said))]);
    let mut note = |words: &str| result.insert("note".to_owned(), json!(words));
    let is_done = match heard.end {
        End::Unsent => {
            return Err(ToolError::reply(
                "ConnectionError",
                "the skill could not be reached; nothing was done",
            ));
        }
        End::Unsure => return Err(ToolError::unsure(name)),
        End::Stopped => return Err(ToolError::reply("InterruptedError", "the call was stopped")),
        End::Failed(text) => {
            let said = if said.is_empty() {
                said
            } else {
                format!("; before that it said: {said}")
            };
            return Err(ToolError::reply(
                "SkillError",
                format!("the skill failed: {text}{said}"),
            ));
        }
        End::Late if said.is_empty() => return Err(ToolError::unanswered(toolbox_id, name)),
        End::Late => {
            note("the skill did not say that it is done; it was told to stop");
            false
        }
        End::Asked => {
            note(
                "the skill asks this and waits no longer; ask the person, then call again with all that is needed",
            );
            result.insert("asks".to_owned(), json!(true));
            false
        }
        End::Done => {
            if heard.is_cut {
                note("it said more than is shown");
            }
            true
        }
    };
    result.insert("done".to_owned(), json!(is_done));
    let spoken = (is_done && !said.is_empty() && !heard.is_cut).then_some(said);
    Ok(Outcome {
        spoken,
        ..result.into()
    })
}

/// The tools of skills that come while a turn runs.
#[derive(Debug)]
pub struct SkillArrivals {
    skills: Arc<InstalledSkills>,
    choice: SkillChoice,
    lang: String,
    session: Session,
    /// How often the registrations had changed at the last look, and the names of the tools that the turn knows.
    seen: Mutex<(u64, BTreeSet<String>)>,
}

impl Arrivals for SkillArrivals {
    fn take(&self) -> BoxFuture<'_, Vec<Arc<dyn Toolbox>>> {
        let changes = self.skills.registered.changes();
        let mut seen = self.seen.lock();
        let (before, known) = &mut *seen;
        let came = if *before == changes {
            Vec::new()
        } else {
            *before = changes;
            self.skills
                .toolboxes(&self.choice, &self.lang, &self.session, known)
        };
        Box::pin(std::future::ready(came))
    }
}

/// Several that toolboxes come from.
#[derive(Debug)]
pub struct AllArrivals(pub Vec<Arc<dyn Arrivals>>);

impl Arrivals for AllArrivals {
    fn take(&self) -> BoxFuture<'_, Vec<Arc<dyn Toolbox>>> {
        Box::pin(async {
            let mut came = Vec::new();
            for arrivals in &self.0 {
                came.extend(arrivals.take().await);
            }
            came
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_begin_as_none_of_ours_does() {
        assert_eq!(tool_name("skill-kettle.author", "put.on"), "skill_kettle_put_on");
        assert_eq!(
            tool_name("ovos-skill-hello-world.openvoiceos", "Hello"),
            "skill_hello_world_hello"
        );
        assert_eq!(tool_name("set", "timer"), "skill_set_timer");
        assert!(tool_name(&"x".repeat(200), "y").len() <= LONGEST_NAME);
    }

    fn heard(said: &[&str], end: End) -> Heard {
        Heard {
            said: said.iter().map(|said| (*said).to_owned()).collect(),
            is_cut: false,
            end,
        }
    }

    #[test]
    fn what_a_skill_says_is_what_a_call_brings() {
        let of = |heard| outcome(heard, "skill-kettle", "skill_kettle_on");
        let done = of(heard(&["It is on.", "Enjoy."], End::Done)).unwrap();
        assert_eq!(
            Value::Object(done.result),
            json!({"done": true, "said": "It is on. Enjoy."})
        );
        assert_eq!(done.spoken.as_deref(), Some("It is on. Enjoy."));
        let asked = of(heard(&["How hot?"], End::Asked)).unwrap();
        assert_eq!((&asked.result["asks"], &asked.spoken), (&json!(true), &None));
        assert!(of(heard(&["Wait."], End::Late)).unwrap().result["note"].is_string());
        let silent = of(heard(&[], End::Late)).unwrap_err();
        assert!(silent.to_string().contains("did not answer"), "{silent}");
        let failed = of(heard(&["Hm."], End::Failed("no water".into()))).unwrap_err();
        assert!(
            failed.to_string().contains("no water; before that it said: Hm."),
            "{failed}"
        );
    }
}
