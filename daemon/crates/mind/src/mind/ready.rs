//! Personas made ready: engine, brain and toolboxes of every handler, picked up by each turn.

use std::collections::BTreeMap;
use std::sync::Arc;

use loquat_agent::brain::{Brain, ChatMessage, Sampling};
use loquat_agent::engine::{self, Engine};
use loquat_agent::toolbox::Toolbox;
use loquat_agent::turn::{Budget, IntendedCall, Selection};
use loquat_persona::{
    self as persona, BrainChoice, Persona, PersonaChoice, Prompts, Scheduled, SkillChoice, ToolboxChoice,
};
use loquat_phrases::Phrases;
use loquat_settings::wording::nearest;
use loquat_skills::permission::Standing;
use loquat_skills::{Resources, ToolboxSettingsError, mcp, skill_md};
use serde_json::{Map, Value};

use super::Utterance;
use super::brains::{Brains, BrainsError};
use super::no_brain::NoBrain;
use crate::spoken_tools::SpokenTools;
use crate::tools::{Askable, Cautious, Order, Others, PATIENCE, SetApart, WantedToolbox};

/// A guest has these of a persona that has all toolboxes, since they keep nothing of the owner's.
const FOR_GUESTS: [&str; 5] = [
    "ovos-clock-tools",
    "ovos-math-tools",
    "loquat-chance-tools",
    "loquat-spelling-tools",
    "loquat-help-tools",
];

/// For all that looks a question up together: a person waits for the handlers behind it, too.
pub(super) const LOOKUP_SECONDS: u64 = 3;

/// A persona that can answer.
#[derive(Debug)]
pub struct ReadyPersona {
    /// Sessions carry this id.
    pub id: String,
    /// What people call it.
    pub name: String,
    /// What it is for.
    pub description: Option<String>,
    /// Words to find it by.
    pub tags: Vec<String>,
    /// The language it always answers in, if it has one.
    pub lang: Option<String>,
    /// An invented conversation stands in front of the history.
    pub examples: Vec<ChatMessage>,
    /// Words with which its brain is instructed in the place of ours.
    pub prompts: Prompts,
    /// Whether it is shown what was said before.
    pub remembers: bool,
    /// Whether what a tool understands without a brain is answered by it.
    pub leaves_to_tools: bool,
    /// Whether its tools may ask services outside of the device.
    pub is_online: bool,
    /// They are tried in this order.
    pub handlers: Vec<Handler>,
    /// What it does of its own accord.
    pub schedule: Vec<Scheduled>,
    /// Says this and nothing else; stands in for a persona that is not there.
    pub apology: Option<String>,
}

/// One way to answer.
#[derive(Debug, Clone)]
pub struct Handler {
    /// The engine runs its turns.
    pub engine: &'static Engine,
    /// Its brain may be a ladder of brains.
    pub brain: Arc<dyn Brain>,
    /// They are the instructions of persona, engine and brain.
    pub prompt: String,
    /// These boxes are in this process.
    pub toolboxes: Vec<Arc<dyn Toolbox>>,
    /// These boxes are elsewhere on the bus.
    pub remote: Vec<WantedToolbox>,
    /// The order of all of them, as the persona's file has it.
    pub order: Order,
    /// Skills that may be called.
    pub skills: Option<SkillChoice>,
    /// Whether it has every toolbox of the device, of whose tools a brain is shown those that fit.
    pub has_all: bool,
    /// Personas that may be asked.
    pub delegates: Option<PersonaChoice>,
    /// The persona file gives the engine these settings.
    pub settings: Map<String, Value>,
    /// The limits of a turn.
    pub budget: Budget,
    /// The longest reply that the persona file allows any of the brains, in tokens.
    pub most_tokens: Option<u32>,
    /// Who answers by a channel instead, by its name.
    pub by_channel: BTreeMap<String, Self>,
    /// What looks the question up instead of asking a brain.
    pub lookup: Option<Lookup>,
}

/// A way to an answer without a brain: a plugin of OVOS, and what its tool is made with.
#[derive(Debug, Clone)]
pub struct Lookup {
    plugin: &'static loquat_skills::Lookup,
    resources: Resources,
}

impl Lookup {
    /// The call that a question asks for; none where it asks nothing that is looked up there.
    pub(super) fn call(&self, question: &str, lang: &str) -> Option<IntendedCall> {
        let (web, locales) = (&self.resources.web, &self.resources.locales);
        self.plugin.call(question, lang, web, locales)
    }

    /// Whether the owner has to be asked first for the service that it asks.
    fn is_unasked(&self) -> bool {
        let service = self.plugin.service(&self.resources.web);
        self.resources.permissions.of(service) == Standing::Unasked
    }
}

impl Handler {
    /// What this toolbox understands, answered in its own words, by the rules of another handler of the persona.
    pub(super) fn without_brain(toolboxes: Vec<Arc<dyn Toolbox>>, rules: Option<&Self>) -> Self {
        Self {
            engine: &engine::INTENT,
            brain: Arc::new(NoBrain),
            prompt: String::new(),
            toolboxes,
            remote: Vec::new(),
            order: Order::default(),
            skills: None,
            has_all: false,
            delegates: None,
            settings: rules.map(|rules| rules.settings.clone()).unwrap_or_default(),
            budget: rules.map(|rules| rules.budget).unwrap_or_default(),
            most_tokens: None,
            by_channel: BTreeMap::new(),
            lookup: None,
        }
    }

    /// A toolbox of this handler alone, without a brain.
    fn undoing(&self, toolbox_id: &str) -> Option<Self> {
        let own = self.toolboxes.iter().find(|toolbox| toolbox.id() == toolbox_id);
        if let Some(own) = own {
            return Some(Self::without_brain(vec![Arc::clone(own)], Some(self)));
        }
        let remote = self
            .remote
            .iter()
            .find(|wanted| wanted.toolbox_id == toolbox_id)?;
        let rules = Self {
            remote: vec![remote.clone()],
            order: Order::default(),
            toolboxes: Vec::new(),
            engine: &engine::INTENT,
            brain: Arc::new(NoBrain),
            prompt: String::new(),
            settings: self.settings.clone(),
            budget: self.budget,
            most_tokens: None,
            skills: None,
            has_all: false,
            delegates: None,
            by_channel: BTreeMap::new(),
            lookup: None,
        };
        Some(rules)
    }

    /// Its limits, with the time that a question to the owner takes where it looks up in no more than a few seconds.
    pub(super) fn with_time_to_ask(&self, askable: &Askable) -> Budget {
        let mut budget = self.budget;
        let is_unasked = self.lookup.as_ref().is_some_and(Lookup::is_unasked);
        if is_unasked && askable.owner.get().is_some() {
            budget.deadline_seconds = budget.deadline_seconds.saturating_add(PATIENCE.as_secs());
        }
        budget
    }

    /// What instructions list where it has every toolbox: the toolboxes of this process, whose tools stay the same.
    pub(super) fn selection(&self) -> Option<Selection> {
        let is_lasting = |id: &&str| loquat_skills::TOOLBOXES.contains(id);
        let ids = self
            .toolboxes
            .iter()
            .map(|toolbox| toolbox.id())
            .filter(is_lasting);
        self.has_all.then(|| Selection {
            listed: ids.map(str::to_owned).collect(),
            ..Selection::default()
        })
    }

    /// Tells whether a guest whom its persona alone serves may have this toolbox. That a persona has all of them was not said with
    /// guests in mind, so they have those that keep nothing of the owner's.
    pub(super) fn serves_guests_with(&self, toolbox_id: &str) -> bool {
        !self.has_all || FOR_GUESTS.contains(&toolbox_id)
    }

    /// That with the tools that fit what was said.
    pub(super) fn selected(
        &self,
        sentences: &SpokenTools,
        utterance: &Utterance,
        toolboxes: &[Arc<dyn Toolbox>],
    ) -> Option<Selection> {
        let selection = self.selection()?;
        Some(Selection {
            likely: sentences.likely(&utterance.text, &utterance.lang, toolboxes),
            asks: Phrases::known(&utterance.lang)
                .is_some_and(|phrases| phrases.asking.is_question(&utterance.text)),
            ..selection
        })
    }

    /// The handler as it answers by the channel of an utterance: that of the door by which it came, or else how it was said.
    pub(super) fn answering(&self, door: Option<&str>, channel: &str) -> &Self {
        let mut channels = door.into_iter().chain([channel]);
        channels
            .find_map(|channel| self.by_channel.get(channel))
            .unwrap_or(self)
    }

    /// Whether it asks a brain.
    pub(super) fn thinks(&self) -> bool {
        self.lookup.is_none()
    }

    /// Whether its brain may call anything.
    fn has_tools(&self) -> bool {
        let has_own = self.has_all || !self.toolboxes.is_empty();
        has_own || !self.remote.is_empty() || self.skills.is_some() || self.delegates.is_some()
    }

    /// A wish of the asker, no further than the owner allows.
    pub(super) fn bounded(&self, wish: Sampling) -> Sampling {
        let bound = |wished: u32| self.most_tokens.map_or(wished, |most| wished.min(most));
        Sampling {
            max_tokens: wish.max_tokens.map(bound),
            ..wish
        }
    }
}

/// Why a persona cannot answer; the others can.
#[derive(Debug, thiserror::Error)]
pub enum ReadyError {
    /// Its engine is not part of this release.
    #[error("failed to make persona '{persona}' ready: there is no engine '{engine}'")]
    UnknownEngine {
        /// The persona has this id or name.
        persona: String,
        /// The engine it names.
        engine: String,
    },
    /// A toolbox does not take its settings.
    #[error("failed to make persona '{persona}' ready")]
    Toolbox {
        /// The persona has this id or name.
        persona: String,
        /// What is wrong with the settings.
        #[source]
        source: ToolboxSettingsError,
    },
    /// It says something of tools that a toolbox does not have.
    #[error("failed to make persona '{persona}' ready: {toolbox} has no tool {tools}; see `loquat tools`")]
    UnknownTools {
        /// The persona has this id or name.
        persona: String,
        /// The toolbox has this id.
        toolbox: String,
        /// The tools are called so.
        tools: String,
    },
    /// Its brain cannot be made.
    #[error("failed to make persona '{persona}' ready")]
    Brain {
        /// The persona has this id or name.
        persona: String,
        /// What is wrong with the brain's settings.
        #[source]
        source: BrainsError,
    },
}

impl ReadyPersona {
    /// Prepares a persona that was read from its file.
    ///
    /// What is passed over in it becomes a remark.
    pub fn prepare(
        persona: &Persona,
        brains: &mut Brains,
        resources: &Resources,
        device: Budget,
        remarks: &mut Vec<String>,
    ) -> Result<Self, ReadyError> {
        let handlers = persona
            .handlers
            .iter()
            .map(|handler| prepare_handler(persona, handler, brains, resources, device, remarks));
        Ok(Self {
            id: wire_id(persona),
            name: persona.name.clone(),
            description: persona.description.clone(),
            tags: persona.tags.clone(),
            lang: persona.lang.clone(),
            examples: persona.examples.clone(),
            prompts: persona.prompts.clone(),
            remembers: persona.remembers,
            leaves_to_tools: persona.leaves_to_tools,
            is_online: persona.is_online,
            schedule: persona.schedule.clone(),
            handlers: handlers.collect::<Result<_, _>>()?,
            apology: None,
        })
    }

    /// What takes a call of a toolbox back, by the rules of the handler that has it.
    pub(super) fn undoing(&self, toolbox_id: &str) -> Option<Handler> {
        self.handlers
            .iter()
            .find_map(|handler| handler.undoing(toolbox_id))
    }

    /// Whether a toolbox is one of this persona's, in this process or elsewhere on the bus.
    pub fn has_toolbox_for_guests(&self, toolbox_id: &str) -> bool {
        self.handlers.iter().any(|handler| {
            let mut own = handler.toolboxes.iter();
            let mut remote = handler.remote.iter();
            let has_it = own.any(|toolbox| toolbox.id() == toolbox_id)
                || remote.any(|wanted| wanted.toolbox_id == toolbox_id);
            has_it && handler.serves_guests_with(toolbox_id)
        })
    }

    /// Whether a turn of its brain may call anything.
    pub fn has_tools(&self) -> bool {
        let mut thinkers = self.handlers.iter().filter(|handler| handler.thinks());
        thinkers.any(Handler::has_tools)
    }

    /// Its name, where it asks nothing outside of the device.
    pub(super) fn offline_name(&self) -> Option<String> {
        (!self.is_online).then(|| self.name.clone())
    }

    /// The first way to answer that asks a brain.
    pub fn thinker(&self) -> Option<&Handler> {
        self.handlers.iter().find(|handler| handler.thinks())
    }

    /// Stands in for a persona that is not there.
    pub fn apologising(apology: String) -> Self {
        Self {
            id: String::new(),
            name: String::new(),
            description: None,
            tags: Vec::new(),
            lang: None,
            examples: Vec::new(),
            prompts: Prompts::new(),
            remembers: false,
            leaves_to_tools: true,
            is_online: true,
            schedule: Vec::new(),
            handlers: Vec::new(),
            apology: Some(apology),
        }
    }
}

/// OVOS takes a persona's name for its id; where the name has other characters than ids may have (PERSONA-1 §3), the
/// id that was made from it stands in.
fn wire_id(persona: &Persona) -> String {
    let may_be_id = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-');
    let id = if persona.name.chars().all(may_be_id) {
        &persona.name
    } else {
        &persona.id
    };
    id.clone()
}

fn prepare_handler(
    persona: &Persona,
    handler: &persona::Handler,
    brains: &mut Brains,
    resources: &Resources,
    device: Budget,
    remarks: &mut Vec<String>,
) -> Result<Handler, ReadyError> {
    let name = || persona.name.clone();
    let engine = engine::find(&handler.engine_id).ok_or_else(|| ReadyError::UnknownEngine {
        persona: name(),
        engine: handler.engine_id.clone(),
    })?;
    if let Some(lookup) = handler.lookup.as_deref().and_then(loquat_skills::lookup) {
        return prepare_lookup(persona, handler, lookup, resources, device);
    }
    let brain = brains
        .ladder(&handler.brains)
        .map_err(|source| ReadyError::Brain {
            persona: name(),
            source,
        })?;
    let mut toolboxes = Vec::new();
    let mut remote = Vec::new();
    let (mut skills, mut delegates) = (None, None);
    for choice in &handler.toolboxes {
        if choice.skills.is_some() || choice.personas.is_some() {
            skills = skills.or_else(|| choice.skills.clone());
            delegates = delegates.or_else(|| choice.personas.clone());
            continue;
        }
        match own_toolbox(choice, resources, remarks) {
            Some(toolbox) => {
                let toolbox = toolbox.map_err(|source| ReadyError::Toolbox {
                    persona: name(),
                    source,
                })?;
                let cautious = Cautious::of(toolbox, &choice.caution);
                toolboxes.push(cautious.map_err(|tools| ReadyError::UnknownTools {
                    persona: name(),
                    toolbox: choice.id.clone(),
                    tools: tools.join(", "),
                })?);
            }
            None => remote.push(WantedToolbox {
                toolbox_id: choice.id.clone(),
                trust: choice.on_bus.clone().unwrap_or_default(),
            }),
        }
    }
    let has_unknown = !remote.is_empty() || skills.is_some() || delegates.is_some();
    set_apart(&mut toolboxes, has_unknown);
    let mut ready = Handler {
        engine,
        brain,
        prompt: handler.system_prompt.clone(),
        toolboxes,
        remote,
        order: Order::new(handler.toolboxes.iter().map(|choice| choice.id.clone())),
        skills,
        has_all: handler.has_all,
        delegates,
        settings: handler.engine_settings.clone(),
        budget: persona.budget(handler, device),
        most_tokens: handler.brains.iter().filter_map(most_tokens).min(),
        by_channel: BTreeMap::new(),
        lookup: None,
    };
    let by_channel = handler.by_channel.iter().map(|(channel, by_channel)| {
        let there = prepare_channel(&persona.name, &ready, by_channel, brains)?;
        Ok((channel.clone(), there))
    });
    ready.by_channel = by_channel.collect::<Result<_, ReadyError>>()?;
    Ok(ready)
}

/// The handler as it answers by one channel: with the same toolboxes, settings and limits.
fn prepare_channel(
    persona: &str,
    everywhere: &Handler,
    there: &persona::ByChannel,
    brains: &mut Brains,
) -> Result<Handler, ReadyError> {
    let engine = engine::find(&there.engine_id).ok_or_else(|| ReadyError::UnknownEngine {
        persona: persona.to_owned(),
        engine: there.engine_id.clone(),
    })?;
    let brain = brains.ladder(&there.brains).map_err(|source| ReadyError::Brain {
        persona: persona.to_owned(),
        source,
    })?;
    Ok(Handler {
        engine,
        brain,
        prompt: there.system_prompt.clone(),
        most_tokens: there.brains.iter().filter_map(most_tokens).min(),
        ..everywhere.clone()
    })
}

/// A toolbox of this process, without settings that it does not know: they may be another release's. One that is nearly a
/// setting of its own may have been meant to forbid something, and is none to be passed over.
fn own_toolbox(
    choice: &ToolboxChoice,
    resources: &Resources,
    remarks: &mut Vec<String>,
) -> Option<Result<Arc<dyn Toolbox>, ToolboxSettingsError>> {
    let find = |settings: &Map<String, Value>| {
        let of_mcp = resources.mcp.toolbox(&choice.id, settings);
        of_mcp.or_else(|| loquat_skills::find(&choice.id, settings, resources))
    };
    let found = find(&choice.settings)?;
    let Err(ToolboxSettingsError::UnknownKeys { keys, known, .. }) = &found else {
        return Some(found);
    };
    if keys
        .iter()
        .any(|key| nearest(key, known.iter().copied()).is_some())
    {
        return Some(found);
    }
    let told = keys.iter().filter(|key| !key.starts_with('_'));
    remarks.extend(told.map(|key| format!("{}.{key} is not used here", choice.id)));
    let mut settings = choice.settings.clone();
    settings.retain(|key, _| !keys.contains(key));
    find(&settings)
}

/// Keeps the tools of strangers' `SKILL.md` files from names that other toolboxes have, or may have once they are there.
fn set_apart(toolboxes: &mut [Arc<dyn Toolbox>], has_unknown: bool) {
    let is_mcp = |toolbox: &Arc<dyn Toolbox>| toolbox.id().starts_with(mcp::PREFIX);
    let has_unknown = has_unknown || toolboxes.iter().any(is_mcp);
    let (own, others): (Vec<_>, Vec<_>) = toolboxes
        .iter_mut()
        .partition(|toolbox| toolbox.id() == skill_md::ID);
    let names = others.iter().flat_map(|toolbox| toolbox.tools().to_vec());
    let names: Vec<String> = names.map(|tool| tool.name).collect();
    for toolbox in own {
        let others = Others {
            names: &names,
            has_unknown,
        };
        *toolbox = SetApart::of(Arc::clone(toolbox), others);
    }
}

/// What looks a question up, in the limits of the persona and for no longer than the next handler can wait.
fn prepare_lookup(
    persona: &Persona,
    handler: &persona::Handler,
    plugin: &'static loquat_skills::Lookup,
    resources: &Resources,
    device: Budget,
) -> Result<Handler, ReadyError> {
    let id = plugin.toolbox_id(&resources.web);
    let toolbox = loquat_skills::find(id, &Map::new(), resources).transpose();
    let toolbox = toolbox.map_err(|source| ReadyError::Toolbox {
        persona: persona.name.clone(),
        source,
    })?;
    let budget = persona.budget(handler, device);
    Ok(Handler {
        engine: &engine::INTENT,
        brain: Arc::new(NoBrain),
        prompt: String::new(),
        toolboxes: toolbox.into_iter().collect(),
        remote: Vec::new(),
        order: Order::default(),
        settings: Map::new(),
        budget: Budget {
            deadline_seconds: budget.deadline_seconds.min(LOOKUP_SECONDS),
            ..budget
        },
        most_tokens: None,
        skills: None,
        has_all: false,
        delegates: None,
        by_channel: BTreeMap::new(),
        lookup: Some(Lookup {
            plugin,
            resources: resources.clone(),
        }),
    })
}

/// The longest reply that a brain's settings allow.
fn most_tokens(brain: &BrainChoice) -> Option<u32> {
    let passed_through = brain.settings.get("extra_params");
    let passed_through = passed_through.and_then(|extra| extra.get("max_tokens"));
    let bounds = [brain.settings.get("max_tokens"), passed_through];
    let number = |value: Option<&Value>| value?.as_u64()?.try_into().ok();
    bounds.into_iter().filter_map(number).min()
}
