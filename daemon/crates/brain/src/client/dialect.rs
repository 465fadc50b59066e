//! What this server does not take, learnt from its refusals, so that each is met once only: parameters, a bound of the
//! reply that is too large for its model, and tools.
//!
//! Models differ in the parameters that they accept: older servers know no `stream_options`, newer models of OpenAI neither
//! `max_tokens` nor a temperature of one's own. Many servers refuse a whole request for one tool whose schema they cannot
//! read. What is learnt is forgotten when the process ends.

use std::hash::{DefaultHasher, Hash, Hasher};

use loquat_conversation::brain::ToolOffer;
use parking_lot::Mutex;
use serde_json::{Map, Value, json};

use super::complaint::Complaint;
use crate::lesson::Lesson;
use crate::server_words::ServerWords;

/// Newer models call the bound of the reply so.
pub(super) const NEWER_MAX_TOKENS: &str = "max_completion_tokens";

/// Other models call the bound of the reply so.
pub(super) const MAX_TOKENS: &str = "max_tokens";

/// At most this many tools are left out. A server that refuses more of them has to be asked without tools.
const MOST_TOOLS: usize = 256;

/// Holds what was sent and may be refused.
pub(crate) struct Sent<'s> {
    /// It is the body without the conversation and the tools.
    pub(crate) parameters: &'s Map<String, Value>,
    /// The tools with the names that the server was told, in the order of the request.
    pub(crate) tools: &'s [(&'s str, &'s ToolOffer)],
}

#[derive(Debug, Default)]
struct Learnt {
    parameters: Vec<String>,
    newer_bound: bool,
    bound: Option<u64>,
    /// The tools, by name and by a hash of what is said of them.
    tools: Vec<(String, u64)>,
}

/// All that one server has refused.
#[derive(Debug, Default)]
pub(crate) struct Dialect {
    // Whole after each change, so that a panic elsewhere cannot have left it half done.
    learnt: Mutex<Learnt>,
}

impl Dialect {
    /// Leaves out, or changes, what the server refused before.
    pub(crate) fn apply(&self, body: &mut Map<String, Value>) {
        let learnt = self.learnt.lock();
        if learnt.newer_bound
            && let Some(value) = body.remove(MAX_TOKENS)
        {
            body.insert(NEWER_MAX_TOKENS.to_owned(), value);
        }
        for parameter in &learnt.parameters {
            body.remove(parameter);
        }
        let Some(bound) = learnt.bound else { return };
        for name in [MAX_TOKENS, NEWER_MAX_TOKENS] {
            if let Some(value) = body.get_mut(name)
                && value.as_u64().is_some_and(|value| value > bound)
            {
                *value = json!(bound);
            }
        }
    }

    /// Tells whether the server refused a tool that is described like this.
    pub(crate) fn refuses(&self, offer: &ToolOffer) -> bool {
        let learnt = self.learnt.lock();
        let mut own = learnt.tools.iter().filter(|(name, _)| *name == offer.name);
        own.any(|(_, digest)| *digest == digest_of(offer))
    }

    /// Learns from a refusal what was not known. The same request may then be made again without it.
    pub(crate) fn learn(&self, words: &ServerWords, sent: &Sent<'_>) -> Vec<Lesson> {
        let complaint = Complaint::of(words);
        let tools = complaint.tools(sent.tools);
        if !tools.is_empty() {
            let new = tools.into_iter().filter(|tool| self.learn_tool(tool));
            return new.map(|tool| Lesson::Tool(tool.name.clone())).collect();
        }
        let lesson = complaint
            .bound(sent.parameters)
            .or_else(|| complaint.parameter(sent.parameters));
        lesson
            .filter(|lesson| self.learn_parameter(lesson))
            .into_iter()
            .collect()
    }

    fn learn_tool(&self, tool: &ToolOffer) -> bool {
        let mut learnt = self.learnt.lock();
        let lesson = (tool.name.clone(), digest_of(tool));
        let is_new = learnt.tools.len() < MOST_TOOLS && !learnt.tools.contains(&lesson);
        if is_new {
            learnt.tools.push(lesson);
        }
        is_new
    }

    fn learn_parameter(&self, lesson: &Lesson) -> bool {
        let mut learnt = self.learnt.lock();
        match lesson {
            Lesson::Parameter(name) if !learnt.parameters.contains(name) => {
                learnt.parameters.push(name.clone());
            }
            Lesson::NewerBound if !learnt.newer_bound => learnt.newer_bound = true,
            Lesson::Bound(bound) if learnt.bound.is_none_or(|known| *bound < known) => {
                learnt.bound = Some(*bound);
            }
            _ => return false,
        }
        true
    }
}

fn digest_of(offer: &ToolOffer) -> u64 {
    let mut hasher = DefaultHasher::new();
    offer.description.hash(&mut hasher);
    offer.parameters.to_string().hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests;
