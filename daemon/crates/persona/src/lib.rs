//! Personas: OVOS's own persona files, read unchanged, with a few keys of ours beside theirs.
//!
//! A persona with a mistake in it is left out with one sentence that says where and what; the others are there.
//! Nothing here talks to a brain or runs a tool: this says who is to answer, and with what.

mod agents_md;
mod brain_choice;
mod brain_keys;
mod brain_settings;
mod embedded;
mod engine_settings;
mod fields;
mod handler;
mod key_policy;
mod keys;
mod known;
mod load;
mod names;
mod own_file;
mod parse;
mod persona_choice;
mod prompts;
mod skill_choice;
#[cfg(test)]
mod tests;
mod toolbox_choice;

use loquat_agent::brain::ChatMessage;
use loquat_agent::turn::Budget;
use serde_json::{Map, Value};

use loquat_settings::complaint::{Complaint, Origin};

pub use brain_choice::{BrainChoice, LOCAL_BRAIN, OPENAI_BRAIN};
pub use brain_keys::{BrainSettings, Texts};
pub use key_policy::KeyPolicy;
pub use keys::Keys;
pub use known::Known;
pub use load::Sources;
pub use names::slug;
pub use persona_choice::{Insulation, PERSONA_TOOLS, PersonaChoice};
pub use prompts::Prompts;
pub use skill_choice::{SKILL_TOOLS, SkillChoice};
pub use toolbox_choice::{Caution, ToolTrust, ToolboxChoice, Trust};

/// A persona as its file describes it: who answers, and how.
#[derive(Debug, Clone)]
pub struct Persona {
    /// The id that sessions carry. It is made from the name, of `[a-z0-9-]`.
    pub id: String,
    /// The name by which people call it.
    pub name: String,
    /// A sentence on what it is for; absent where the file has none.
    pub description: Option<String>,
    /// Ways to answer, tried in order until one does; never empty.
    pub handlers: Vec<Handler>,
    /// The instructions that hold for all handlers. [`Handler::system_prompt`] is what a turn needs.
    pub system_prompt: Option<String>,
    /// An invented conversation that shows the brain how to answer; put before the history.
    pub examples: Vec<ChatMessage>,
    /// The limits that its file sets.
    pub budget: BudgetOverrides,
    /// Language of its answers, BCP-47; absent is that of the session.
    pub lang: Option<String>,
    /// Words to find it by.
    pub tags: Vec<String>,
    /// Words with which its brain is instructed in the place of ours, by the name of the prompt.
    pub prompts: Prompts,
    /// Says whether it is shown what was said before (`memory_module` is not `null`).
    pub remembers: bool,
    /// Says whether what a tool understands without a brain is answered by it.
    pub leaves_to_tools: bool,
    /// Says whether its tools may ask services outside of the device.
    pub is_online: bool,
    /// The place from which it was read.
    pub origin: Origin,
}

/// One way to answer. The handlers of a persona are tried in order.
#[derive(Debug, Clone)]
pub struct Handler {
    /// The id of the engine.
    pub engine_id: String,
    /// All instructions for the brain, each once: of the persona, of the engine, and of the first brain.
    pub system_prompt: String,
    /// Brains in the order in which they are asked; empty only where a question is looked up.
    pub brains: Vec<BrainChoice>,
    /// The toolboxes, in the order of the file.
    pub toolboxes: Vec<ToolboxChoice>,
    /// The engine's own settings, such as `max_iterations`. They have been checked.
    pub engine_settings: Map<String, Value>,
    /// The plugin of OVOS that looks the question up instead of asking a brain, where it is one.
    pub lookup: Option<String>,
}

/// The limits that a persona sets itself; what is absent is the device's.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct BudgetOverrides {
    /// See [`Budget::max_iterations`].
    pub max_iterations: Option<u32>,
    /// See [`Budget::max_tool_calls`].
    pub max_tool_calls: Option<u32>,
    /// See [`Budget::max_tokens`].
    pub max_tokens: Option<u64>,
    /// See [`Budget::max_cost`].
    pub max_cost: Option<f64>,
    /// See [`Budget::deadline_seconds`].
    pub deadline_seconds: Option<u64>,
}

impl BudgetOverrides {
    /// The limits of the device, with these in their place.
    #[must_use]
    pub fn over(self, budget: Budget) -> Budget {
        Budget {
            max_iterations: self.max_iterations.unwrap_or(budget.max_iterations),
            max_tool_calls: self.max_tool_calls.unwrap_or(budget.max_tool_calls),
            max_tokens: self.max_tokens.or(budget.max_tokens),
            max_cost: self.max_cost.or(budget.max_cost),
            deadline_seconds: self.deadline_seconds.unwrap_or(budget.deadline_seconds),
        }
    }
}

impl Persona {
    /// The limits of a turn through one of its handlers: the device's, then the persona's, then the engine's own
    /// `max_iterations`.
    pub fn budget(&self, handler: &Handler, device: Budget) -> Budget {
        let budget = self.budget.over(device);
        let own = handler.engine_settings.get("max_iterations");
        let own = own
            .and_then(Value::as_u64)
            .and_then(|steps| u32::try_from(steps).ok());
        Budget {
            max_iterations: own.unwrap_or(budget.max_iterations),
            ..budget
        }
    }
}

/// All personas, in the order in which they were found.
#[derive(Debug, Clone, Default)]
pub struct Personas {
    personas: Vec<Persona>,
    default: Option<usize>,
}

impl Personas {
    /// Reads the folders and what is part of the program. Of personas of the same name the first wins, so a person
    /// can put their own in the place of one of ours.
    ///
    /// Refusals among the complaints are about personas that were left out. Blocks for a few small files.
    pub fn load(sources: &Sources, known: &Known) -> (Self, Vec<Complaint>) {
        let (personas, mut complaints) = load::load(sources, known);
        let (default, complaint) = names::default_of(&personas, sources.default.as_ref());
        complaints.extend(complaint);
        (Self { personas, default }, complaints)
    }

    /// The persona of this name or id, in any case; a name may also be written as its id.
    pub fn find(&self, name: &str) -> Option<&Persona> {
        names::find(&self.personas, name).and_then(|index| self.personas.get(index))
    }

    /// The one that answers where no other was asked for: the one that was set, else Loquat, else the first.
    pub fn default_persona(&self) -> Option<&Persona> {
        self.personas.get(self.default?)
    }

    /// Iterates over all personas.
    pub fn iter(&self) -> std::slice::Iter<'_, Persona> {
        self.personas.iter()
    }

    /// The number of personas.
    pub fn len(&self) -> usize {
        self.personas.len()
    }

    /// Tells whether there is none at all.
    pub fn is_empty(&self) -> bool {
        self.personas.is_empty()
    }
}

impl<'a> IntoIterator for &'a Personas {
    type Item = &'a Persona;
    type IntoIter = std::slice::Iter<'a, Persona>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}
