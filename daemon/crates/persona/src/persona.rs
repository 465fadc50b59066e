//! A persona: who answers, and within which limits. Reads no file.

use loquat_agent::brain::ChatMessage;
use loquat_agent::turn::Budget;
use loquat_settings::complaint::Origin;
use serde_json::Value;

use super::handler::Handler;
use super::prompts::Prompts;
use super::schedule::Scheduled;

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
    /// What it does of its own accord.
    pub schedule: Vec<Scheduled>,
    /// The place from which it was read.
    pub origin: Origin,
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
    /// Puts these limits in the place of the device's.
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
    /// Gives the limits of a turn through one of its handlers: the device's, then the persona's, then the
    /// engine's own `max_iterations`.
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
