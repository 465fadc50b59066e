//! Worked replies that call no tool: small talk, what a brain knows, and wishes that no tool on offer fulfils and no device of
//! this kind is likely to.
//!
//! Without them a small model calls a tool for everything, and repeats what it cannot do as if it were done. Nothing here
//! decides about a wish; these are examples to read.

use serde_json::json;

use super::examples::with_thought;
use super::spaced::spaced;
use super::step_schema::NO_TOOL;
use super::{Speech, StepForm};
use crate::catalogue::Catalogue;
use loquat_decoder::language::{Examples, Language, foreign};

/// A saying that calls no tool, and its answer.
struct Talk {
    said: &'static str,
    thought: &'static str,
    answer: &'static str,
    /// An answer of equal meaning in other words.
    in_other_words: fn(&Examples) -> &str,
    /// The beginnings of words by which a tool on offer shows that it may do it after all.
    fulfilled_by: &'static [&'static str],
}

/// This can be said of any wish.
const APOLOGY: &str = "I'm sorry, I cannot do that.";

/// The order is the one from which a model of half a billion parameters learns most.
const TALK: &[Talk] = &[
    Talk {
        said: "Who painted the Mona Lisa?",
        thought: "This needs no tool.",
        answer: "Leonardo da Vinci painted it.",
        in_other_words: |words| &words.painter,
        fulfilled_by: &[],
    },
    Talk {
        said: "Hi there, how is it going?",
        thought: "This is small talk.",
        answer: "I'm fine, thank you! What can I do for you?",
        in_other_words: |words| &words.greeting,
        fulfilled_by: &[],
    },
    Talk {
        said: "Iron my blue shirt.",
        thought: "No tool irons clothes.",
        answer: APOLOGY,
        in_other_words: |words| &words.apology,
        fulfilled_by: &["iron", "clothes", "laundry"],
    },
    Talk {
        said: "Book me a flight to Rome.",
        thought: "No tool books flights.",
        answer: "I'm sorry, I cannot book flights.",
        in_other_words: |words| &words.apology,
        fulfilled_by: &["flight", "book", "travel", "ticket", "search", "web"],
    },
    Talk {
        said: "Order a pizza for tonight.",
        thought: "No tool orders food.",
        answer: "I'm sorry, I cannot order food.",
        in_other_words: |words| &words.apology,
        fulfilled_by: &["order", "food", "pizza", "deliver", "restaurant"],
    },
    Talk {
        said: "Get me a taxi to the station.",
        thought: "No tool calls taxis.",
        answer: "I'm sorry, I cannot call taxis.",
        in_other_words: |words| &words.apology,
        fulfilled_by: &["taxi", "cab", "ride", "phone"],
    },
];

/// The answers in the person's language, if it is a foreign one that has some.
fn examples(lang: Option<&str>) -> Option<(&'static Language, &'static Examples)> {
    let language = foreign(lang?)?;
    Some((language, language.examples.as_ref()?))
}

/// The apology for any wish, in the person's language.
pub fn apology(lang: Option<&str>) -> &str {
    examples(lang).map_or(APOLOGY, |(_, words)| &words.apology)
}

/// This stands below a call that failed, before the apology. A small model otherwise tells of the error what it takes
/// for an answer, or declines what it knows.
pub const AFTER_FAILURE: &str =
    "If you know the answer, no tool is needed: say it. If it is a wish that no tool fulfils, the answer is:";

/// [`AFTER_FAILURE`] and the apology in the person's language.
pub(crate) fn after_failure(lang: Option<&str>) -> String {
    format!("{AFTER_FAILURE} {}", apology(lang))
}

/// The examples that are true of these tools, answered in the person's language where there are words for it.
/// Where there are more tools than are shown no wish is called hopeless.
pub(super) fn without_tool(speech: &Speech<'_>) -> String {
    let catalogue = speech.catalogue;
    let words = examples(speech.lang);
    let is_true = |talk: &&Talk| {
        let is_wish = !talk.fulfilled_by.is_empty();
        !(is_wish && catalogue.has_hidden() || may_fulfil(catalogue, talk))
    };
    let examples = TALK.iter().filter(is_true);
    let examples = examples.map(|talk| {
        format!(
            "Person: {}\n{}",
            talk.said,
            talk.answered(speech.step_form, words)
        )
    });
    examples.collect::<Vec<_>>().join("\n")
}

impl Talk {
    fn answered(&self, form: StepForm, words: Option<(&Language, &Examples)>) -> String {
        let step = match words {
            Some((language, words)) => {
                let answer = (self.in_other_words)(words);
                json!({"tool": NO_TOOL, "language": language.name, "answer": answer})
            }
            None => json!({"tool": NO_TOOL, "answer": self.answer}),
        };
        spaced(&with_thought(form, self.thought, step))
    }
}

fn may_fulfil(catalogue: &Catalogue, talk: &Talk) -> bool {
    catalogue.callable().iter().any(|entry| {
        let told = entry.line.to_lowercase();
        let mut words = told.split(|c: char| !c.is_alphanumeric());
        words.any(|word| talk.fulfilled_by.iter().any(|begins| word.starts_with(begins)))
    })
}
