//! Personas that a persona asks as tools: each answers in a turn of its own, with its own engine, brain, toolboxes and
//! limits, and its answer is what the call brings. It is never spoken.
//!
//! Rights only shrink on the way: the asked one may do what its own file and those of all that ask say of the channel. Its
//! questions for a yes reach the person, a stop of the turn ends it, and what it spends is spent of what the asking turn has left.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use loquat_agent::brain::{ChatMessage, Usage};
use loquat_agent::consent::Person;
use loquat_agent::event::{Event, Observer};
use loquat_agent::record::Record;
use loquat_agent::toolbox::{Circumstances, Left, Outcome, Tool, ToolError, Toolbox};
use loquat_agent::turn::{Budget, StopSignal};
use loquat_agent::{Speaker, speakable};
use loquat_persona::{Insulation, PERSONA_TOOLS, PersonaChoice, slug};
use loquat_wire::Session;
use serde_json::{Map, Value, json};

use super::attempt::Attempt;
use super::{Handler, Mind, ReadyPersona, Utterance, begins_with, leaves_to_the_next};

/// The time that is left to the asking persona, to tell what the other has said: this part of what it has.
const OWN_SHARE: u32 = 4;

/// The turn has a deadline; this bounds what is beyond all of them.
const LONGEST: Duration = Duration::from_secs(24 * 3600);

/// Calls of the asked persona that the asking one is shown where nothing is kept apart.
const SHOWN_CALLS: usize = 8;

/// Characters of what each of them brought.
const SHOWN_OBSERVATION: usize = 400;

/// Who asks whom, from the persona that the person speaks to on.
#[derive(Debug, Clone)]
pub(super) struct Chain {
    /// The ids of the personas; the last is the one that answers.
    personas: Vec<String>,
    /// How often personas have been asked in the whole turn.
    made: Arc<AtomicU32>,
    /// How often they may be; each in the chain can only lower it.
    most: u32,
    /// How many may ask on behalf of each other.
    deepest: u32,
    /// What those that ask say of channels.
    channels: Vec<Value>,
    /// What the asking turn has left.
    left: Option<Left>,
    /// Whether the words may be those of strangers.
    pub(super) is_foreign: bool,
    /// The name of the first persona that asks nothing outside of the device, and has no other one ask there for it.
    pub(super) offline: Option<String>,
}

impl Chain {
    /// The persona that the person speaks to.
    pub(super) fn of(persona: &ReadyPersona) -> Self {
        Self {
            personas: vec![persona.id.clone()],
            made: Arc::default(),
            most: u32::MAX,
            deepest: u32::MAX,
            channels: Vec::new(),
            left: None,
            is_foreign: false,
            offline: persona.offline_name(),
        }
    }

    /// Answers words that may be those of strangers.
    pub(super) fn of_words(self, is_foreign: bool) -> Self {
        Self { is_foreign, ..self }
    }

    /// Whether the answer is for a persona, and no person hears it.
    pub(super) fn is_asked_by_persona(&self) -> bool {
        self.personas.len() > 1
    }

    /// The limits of a turn as far as the asking one has so much left.
    pub(super) fn bounded(&self, budget: Budget) -> Budget {
        let Some(left) = self.left else { return budget };
        let time = left.time.saturating_sub(left.time / OWN_SHARE);
        let less = |own: Option<u64>, left: Option<u64>| own.into_iter().chain(left).min();
        let cost = [budget.max_cost, left.cost].into_iter().flatten();
        Budget {
            deadline_seconds: budget.deadline_seconds.min(time.as_secs().max(1)),
            max_tokens: less(budget.max_tokens, left.tokens),
            max_cost: cost.reduce(f64::min),
            ..budget
        }
    }

    /// The settings of a handler, with what those that ask say of this channel taken away, and what may not be done by others
    /// that count too: that by which the words were set before, and the door by which they came.
    pub(super) fn restricted(
        &self,
        settings: &Map<String, Value>,
        channel: &str,
        others: [Option<&str>; 2],
    ) -> Map<String, Value> {
        let mut settings = settings.clone();
        let channels = settings.get("channels");
        let counting = || [channel].into_iter().chain(others.into_iter().flatten());
        let all = channels.into_iter().chain(&self.channels);
        let rights = all.flat_map(|channels| counting().filter_map(|channel| channels.get(channel)));
        let rights = rights.filter_map(Value::as_object);
        let rights = rights.fold(Map::new(), intersected);
        if !rights.is_empty() {
            let channels = settings.entry("channels").or_insert_with(|| json!({}));
            if let Some(channels) = channels.as_object_mut() {
                channels.insert(channel.to_owned(), Value::Object(rights));
            }
        }
        settings
    }
}

/// What both allow.
fn intersected(mut rights: Map<String, Value>, other: &Map<String, Value>) -> Map<String, Value> {
    for (key, value) in other {
        let both = match (rights.get(key), value) {
            (Some(Value::Array(own)), Value::Array(others)) => {
                own.iter().filter(|one| others.contains(one)).cloned().collect()
            }
            (Some(Value::Bool(own)), Value::Bool(other)) => Value::Bool(*own && *other),
            (Some(Value::Number(own)), Value::Number(other)) => {
                let less = own.as_f64() <= other.as_f64();
                Value::Number(if less { own } else { other }.clone())
            }
            _ => value.clone(),
        };
        rights.insert(key.clone(), both);
    }
    rights
}

/// The turn that asks.
pub(super) struct Asker<'a> {
    pub(super) utterance: &'a Utterance,
    pub(super) handler: &'a Handler,
    pub(super) stop: &'a StopSignal,
    pub(super) person: Option<&'a Arc<dyn Person>>,
    pub(super) chain: &'a Chain,
    pub(super) observer: &'a Arc<dyn Observer>,
}

/// The personas that one turn may ask.
pub(super) struct Delegates {
    mind: Arc<Mind>,
    tools: Arc<[Tool]>,
    /// Each tool asks one persona.
    personas: Vec<(String, Arc<ReadyPersona>)>,
    choice: PersonaChoice,
    chain: Chain,
    /// What the asking persona says of channels.
    channels: Value,
    stop: StopSignal,
    person: Option<Arc<dyn Person>>,
    /// To whom the asking turn reports.
    observer: Arc<dyn Observer>,
    session: Session,
    lang: String,
    speaker: Speaker,
    channel: &'static str,
    door: Option<&'static str>,
    route: Map<String, Value>,
    history: Vec<ChatMessage>,
    memories: Vec<String>,
}

impl std::fmt::Debug for Delegates {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Delegates")
            .field("chain", &self.chain)
            .field("choice", &self.choice)
            .finish_non_exhaustive()
    }
}

impl Delegates {
    /// Those that a turn may ask; nothing where it may ask none.
    pub(super) fn of(mind: &Arc<Mind>, asker: &Asker<'_>) -> Option<Arc<Self>> {
        // A guest whom one persona serves reaches no other, not even by asking it to ask.
        let is_bound = asker.utterance.speaker.bound_to().is_some();
        let choice = asker.handler.delegates.clone().filter(|_| !is_bound)?;
        let found = choice.personas.iter().filter_map(|name| mind.find_offered(name));
        let mut personas: Vec<(String, Arc<ReadyPersona>)> = Vec::new();
        for persona in found {
            let name = format!("ask_{}", slug(&persona.name).replace('-', "_"));
            if personas.iter().all(|(known, _)| *known != name) {
                personas.push((name, persona));
            }
        }
        if personas.is_empty() {
            return None;
        }
        let utterance = asker.utterance;
        let keeps_apart = choice.insulation == Insulation::Delegate;
        let shown = |all: &[ChatMessage]| if keeps_apart { Vec::new() } else { all.to_vec() };
        let tools = personas
            .iter()
            .map(|(name, persona)| tool(name, persona))
            .collect();
        Some(Arc::new(Self {
            tools: mind.shared_list(tools),
            mind: Arc::clone(mind),
            personas,
            channels: asker
                .handler
                .settings
                .get("channels")
                .cloned()
                .unwrap_or_default(),
            chain: asker.chain.clone(),
            stop: asker.stop.clone(),
            person: asker.person.cloned(),
            observer: Arc::clone(asker.observer),
            session: utterance.session.clone(),
            lang: utterance.lang.clone(),
            speaker: utterance.speaker.clone(),
            channel: utterance.channel,
            door: utterance.door,
            route: utterance.route.clone(),
            history: shown(&utterance.history),
            memories: if keeps_apart {
                Vec::new()
            } else {
                utterance.memories.clone()
            },
            choice,
        }))
    }

    /// The chain with one more persona in it, or why that is not asked.
    fn lengthened(&self, persona: &ReadyPersona, circumstances: &Circumstances) -> Result<Chain, String> {
        let name = &persona.name;
        let chain = &self.chain;
        if chain.personas.last() == Some(&persona.id) {
            return Err(format!("{name} cannot ask itself; answer without that"));
        }
        if chain.personas.contains(&persona.id) {
            return Err(format!(
                "{name} waits for this answer itself and cannot be asked; answer without that"
            ));
        }
        let deepest = chain.deepest.min(self.choice.max_depth);
        if chain.personas.len() > deepest as usize {
            return Err(format!(
                "no further persona can be asked: {deepest} ask on behalf of each other already; answer without that"
            ));
        }
        let most = chain.most.min(self.choice.max_delegations);
        if chain.made.fetch_add(1, Ordering::Relaxed) >= most {
            return Err(format!(
                "personas were asked {most} times already, which is all that this turn may; answer without that"
            ));
        }
        let mut personas = chain.personas.clone();
        personas.push(persona.id.clone());
        let channels = chain.channels.iter().chain([&self.channels]);
        Ok(Chain {
            personas,
            made: Arc::clone(&chain.made),
            most,
            deepest,
            channels: channels.cloned().collect(),
            left: circumstances.left,
            is_foreign: circumstances.is_tainted,
            offline: chain.offline.clone().or_else(|| persona.offline_name()),
        })
    }

    async fn ask(
        &self,
        name: &str,
        arguments: &Map<String, Value>,
        circumstances: &Circumstances,
    ) -> Result<Outcome, ToolError> {
        let persona = self.personas.iter().find(|(known, _)| known == name);
        let persona = persona.and_then(|(_, persona)| self.mind.find_offered(&persona.id));
        let persona =
            persona.ok_or_else(|| ToolError::reply("LookupError", "there is no such persona any more"))?;
        let question = arguments
            .get("question")
            .and_then(Value::as_str)
            .unwrap_or_default()
            .trim();
        if question.is_empty() {
            return Err(ToolError::reply("ValueError", "question must not be empty"));
        }
        let chain = self.lengthened(&persona, circumstances);
        let chain = chain.map_err(|why| ToolError::reply("PermissionError", why))?;
        let utterance = Utterance {
            turn_id: uuid::Uuid::new_v4().to_string(),
            session: self.session.clone(),
            speaker: self.speaker.clone(),
            channel: self.channel,
            door: self.door,
            route: self.route.clone(),
            history: self.history.clone(),
            memories: self.memories.clone(),
            ..Utterance::aloud(question, &self.lang)
        };
        let told = Event::Delegated {
            call_id: circumstances.call_id.clone(),
            persona_id: persona.id.clone(),
            turn_id: utterance.turn_id.clone(),
        };
        self.observer.event(&told);
        let (record, usage) = self
            .mind
            .answer_for_persona(
                &persona,
                &utterance,
                self.stop.clone(),
                self.person.clone(),
                &chain,
            )
            .await;
        Ok(self.outcome(&persona, &chain, record, usage))
    }

    /// What the call brings. Brains were asked also where there is no answer.
    fn outcome(
        &self,
        persona: &ReadyPersona,
        chain: &Chain,
        record: Option<Record>,
        usage: Usage,
    ) -> Outcome {
        let Some(record) = record else {
            let note = format!("{} gave no answer", persona.name);
            return Map::from_iter([("answer".to_owned(), json!("")), ("note".to_owned(), json!(note))])
                .into();
        };
        let mut result = Map::from_iter([("answer".to_owned(), json!(speakable(&record.answer)))]);
        if record.answer.is_empty() || !record.reason.is_success() {
            let reason = serde_json::to_value(record.reason).unwrap_or_default();
            let reason = reason.as_str().unwrap_or_default().replace('_', " ");
            let note = if record.answer.is_empty() {
                "gave no answer"
            } else {
                "came to no proper end"
            };
            result.insert(
                "note".to_owned(),
                json!(format!("{} {note}: {reason}", persona.name)),
            );
        }
        if self.choice.insulation == Insulation::None {
            result.insert("steps".to_owned(), steps(&record));
        }
        Outcome {
            usage,
            is_foreign: chain.is_foreign || record.taint.is_some(),
            ..result.into()
        }
    }
}

/// The tool by which a persona is asked. What it may do is up to the asked one's own gate.
fn tool(name: &str, persona: &ReadyPersona) -> Tool {
    let what = persona
        .description
        .as_deref()
        .unwrap_or("another persona, which may know more");
    let own = Value::from(persona.name.as_str());
    Tool {
        argument_schema: json!({
            "type": "object",
            "properties": {"question": {"type": "string", "description": "The whole question, with all that is needed to answer it."}},
            "required": ["question"]}),
        output_schema: json!({"type": "object", "properties": {
            "answer": {"type": "string"}, "note": {"type": "string"}, "steps": {"type": "array"}}}),
        read_only: false,
        idempotent: false,
        timeout: LONGEST,
        unasked_when_tainted: true,
        ..Tool::safe(PERSONA_TOOLS, name, format!("Asks {own}: {what}"))
    }
}

/// The last calls of the asked persona.
fn steps(record: &Record) -> Value {
    let calls: Vec<_> = record.steps.iter().flat_map(|step| &step.calls).collect();
    let last = calls
        .get(calls.len().saturating_sub(SHOWN_CALLS)..)
        .unwrap_or_default();
    let shown = last.iter().map(|call| {
        let brought: String = call.observation.chars().take(SHOWN_OBSERVATION).collect();
        json!({"tool": call.tool, "brought": brought})
    });
    shown.collect()
}

impl Toolbox for Delegates {
    fn id(&self) -> &str {
        PERSONA_TOOLS
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
        async move { self.ask(name, &arguments, circumstances).await }.boxed()
    }
}

/// Reports a turn that a persona asked for, whose answer no person is told.
pub(super) struct Unheard(pub(super) Arc<dyn Observer>);

impl Observer for Unheard {
    fn event(&self, event: &Event) {
        self.0.event(event);
    }
}

impl Mind {
    /// Answers what a persona asks: the record of the first handler that gives one, and what all that were tried have used.
    async fn answer_for_persona(
        self: &Arc<Self>,
        persona: &ReadyPersona,
        utterance: &Utterance,
        stop: StopSignal,
        person: Option<Arc<dyn Person>>,
        chain: &Chain,
    ) -> (Option<Record>, Usage) {
        let mut usage = Usage::default();
        let (mut last, mut looked_up) = (None, Duration::ZERO);
        for (number, handler) in persona.handlers.iter().enumerate() {
            if self.is_emergency_stopped() {
                break;
            }
            let Ok(intended) = begins_with(persona, handler, utterance, looked_up) else {
                continue;
            };
            let record = self
                .ask(Attempt {
                    persona,
                    handler,
                    number,
                    utterance,
                    intended,
                    stop: stop.clone(),
                    person: person.clone(),
                    chain,
                })
                .await;
            usage += record.usage;
            if !handler.thinks() {
                looked_up += record.elapsed;
            }
            let is_unanswered = leaves_to_the_next(handler, &record);
            last = Some(record);
            if !is_unanswered {
                break;
            }
        }
        (last, usage)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chain() -> Chain {
        Chain::of(&ReadyPersona::apologising(String::new()))
    }

    #[test]
    fn rights_only_shrink() {
        let asker = json!({"voice": {"categories": ["safe", "dangerous"], "max_iterations": 3}});
        let chain = Chain {
            channels: vec![asker],
            ..chain()
        };
        let own = json!({"channels": {"voice": {"categories": ["safe", "terminal"], "tools": ["add"],
            "max_iterations": 5}, "text": {"tools": []}}});
        let restricted = chain.restricted(own.as_object().unwrap(), "voice", [None; 2]);
        let expected = json!({"categories": ["safe"], "tools": ["add"], "max_iterations": 3});
        assert_eq!(restricted["channels"]["voice"], expected);
        assert_eq!(restricted["channels"]["text"], json!({"tools": []}));
        let without = chain.restricted(&Map::new(), "voice", [None; 2]);
        assert_eq!(
            without["channels"]["voice"]["categories"],
            json!(["safe", "dangerous"])
        );
        assert!(chain.restricted(&Map::new(), "query", [None; 2]).is_empty());
    }

    #[test]
    fn a_turn_gets_no_more_than_the_asking_one_has_left() {
        let left = Left {
            time: Duration::from_secs(20),
            tokens: Some(500),
            cost: Some(0.5),
        };
        let chain = Chain {
            left: Some(left),
            ..chain()
        };
        let bounded = chain.bounded(Budget::default());
        assert_eq!((bounded.deadline_seconds, bounded.max_tokens), (15, Some(500)));
        assert_eq!(bounded.max_cost, Some(0.5));
        let small = Budget {
            deadline_seconds: 5,
            max_tokens: Some(100),
            max_cost: Some(0.1),
            ..Budget::default()
        };
        assert_eq!(chain.bounded(small), small);
    }
}
