//! Worked replies that call no tool: small talk, what a brain knows, and wishes that no tool on offer fulfils.
//!
//! Without them a small model calls a tool for everything, and repeats what it cannot do as if it were done. Nothing here
//! decides about a wish; these are examples to read.

use serde_json::json;

use super::spaced::spaced;
use super::step_schema::NO_TOOL;
use crate::catalogue::Catalogue;

/// A wish, and the beginnings of words by which a tool on offer shows that it may fulfil it.
struct Wish {
    said: &'static str,
    thought: &'static str,
    answer: &'static str,
    fulfilled_by: &'static [&'static str],
}

const WISHES: &[Wish] = &[
    Wish {
        said: "Open the garage door.",
        thought: "No tool opens doors.",
        answer: "I'm sorry, I cannot do that.",
        fulfilled_by: &["door", "garage", "open"],
    },
    Wish {
        said: "Will it snow today?",
        thought: "No tool knows the weather.",
        answer: "I'm sorry, I cannot look up the weather.",
        fulfilled_by: &["weather", "forecast", "snow", "rain", "search", "web"],
    },
    Wish {
        said: "Remind me to water the plants.",
        thought: "No tool sets reminders.",
        answer: "I'm sorry, I cannot set reminders.",
        fulfilled_by: &["remind", "alarm", "timer", "task", "todo", "calendar"],
    },
    Wish {
        said: "Put bread on my shopping list.",
        thought: "No tool keeps lists.",
        answer: "I'm sorry, I cannot keep lists.",
        fulfilled_by: &["shopping", "lists", "note", "task", "todo"],
    },
];

/// What needs no tool, whatever there is.
const TALK: &[(&str, &str, &str)] = &[
    (
        "Who painted the Mona Lisa?",
        "This needs no tool.",
        "Leonardo da Vinci painted it.",
    ),
    (
        "Hi there, how is it going?",
        "This is small talk.",
        "I'm fine, thank you! What can I do for you?",
    ),
];

/// The examples that are true of these tools, in an order that a model of half a billion parameters learns most from.
/// Where there are more tools than are shown no wish is called hopeless.
pub(super) fn without_tool(catalogue: &Catalogue) -> String {
    let hopeless = |wish: &&Wish| !catalogue.has_hidden() && !may_fulfil(catalogue, wish);
    let wishes = WISHES.iter().filter(hopeless);
    let wishes = wishes.map(|wish| (wish.said, wish.thought, wish.answer));
    let examples = TALK.iter().copied().chain(wishes).map(|(said, thought, answer)| {
        let reply = spaced(&json!({"thought": thought, "tool": NO_TOOL, "answer": answer}));
        format!("Person: {said}\n{reply}")
    });
    examples.collect::<Vec<_>>().join("\n")
}

fn may_fulfil(catalogue: &Catalogue, wish: &Wish) -> bool {
    catalogue.entries().iter().any(|entry| {
        let told = entry.line.to_lowercase();
        let mut words = told.split(|c: char| !c.is_alphanumeric());
        words.any(|word| wish.fulfilled_by.iter().any(|begins| word.starts_with(begins)))
    })
}
