//! What a host announces of a tool beside what TOOLS-1 asks for, read within bounds.
//!
//! What makes a tool more careful counts of every box. What a tool can do counts only of a box that the persona trusts.
//! That a tool is harmless is no claim that is read at all.

use loquat_agent::toolbox::Undo;
use loquat_agent::toolbox::{Category, Confirm, Tool};
use serde_json::{Value, json};

/// Bounds of a phrase, in bytes.
const LONGEST_PHRASE: usize = 200;

/// So many arguments of a tool that takes a call back are declared.
const MOST_ARGUMENTS: usize = 16;

/// What is claimed of a tool.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Claims {
    caution: Caution,
    abilities: Abilities,
}

/// What makes a tool more careful.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Caution {
    is_dangerous: bool,
    changes: bool,
    confirm: Confirm,
    only_undoes: bool,
}

/// What a tool can do.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Abilities {
    /// It tells pieces while it works.
    pub(crate) streams: bool,
    /// It goes on after the turn.
    pub(crate) goes_on: bool,
    /// An answer that it gives ends the turn.
    pub(crate) may_end_turn: bool,
    /// How a call of it is taken back.
    pub(crate) undo: Option<Undo>,
    /// What a screen shows when a call takes long.
    pub(crate) progress_phrase: Option<String>,
}

impl Claims {
    /// Of a tool as it is announced. What cannot be understood is not claimed.
    pub(super) fn of(tool: &Value) -> Self {
        let is = |key: &str, wanted: bool| tool.get(key) == Some(&Value::Bool(wanted));
        let text = |key: &str| tool.get(key).and_then(Value::as_str);
        let confirm = match text("confirm") {
            Some("pin") => Confirm::Pin,
            Some("ask") => Confirm::Ask,
            _ => Confirm::Never,
        };
        let undo = tool.get("undo").cloned().map(serde_json::from_value);
        let undo: Option<Undo> = undo.and_then(Result::ok);
        Self {
            caution: Caution {
                is_dangerous: text("category") == Some("dangerous"),
                changes: is("read_only", false),
                confirm,
                only_undoes: is("only_undoes", true),
            },
            abilities: Abilities {
                streams: is("streams", true),
                goes_on: is("async", true),
                may_end_turn: is("may_end_turn", true),
                undo: undo.filter(|undo| undo.arguments.len() <= MOST_ARGUMENTS),
                progress_phrase: text("progress_phrase")
                    .filter(|phrase| phrase.len() <= LONGEST_PHRASE)
                    .map(str::to_owned),
            },
        }
    }

    /// The tool with what makes it more careful.
    pub(super) fn cautious(&self, tool: Tool) -> Tool {
        let caution = self.caution;
        let is_dangerous = caution.is_dangerous || tool.category == Category::Dangerous;
        let confirm = if is_dangerous {
            stricter(Confirm::Ask, tool.confirm)
        } else {
            tool.confirm
        };
        let reads = tool.read_only && !caution.changes && !is_dangerous;
        Tool {
            category: if is_dangerous {
                Category::Dangerous
            } else {
                tool.category
            },
            confirm: stricter(confirm, caution.confirm),
            read_only: reads,
            idempotent: tool.idempotent && reads,
            only_undoes: caution.only_undoes,
            ..tool
        }
    }

    /// The tool of a trusted box, with what it can do.
    pub(super) fn able(&self, tool: Tool) -> Tool {
        self.abilities.of_tool(tool)
    }
}

impl Abilities {
    /// The tool with these abilities, beside those that it has.
    pub(crate) fn of_tool(&self, tool: Tool) -> Tool {
        // What ends the turn cannot go on after it, and what is dangerous ends it.
        let goes_on = self.goes_on && tool.category == Category::Safe;
        Tool {
            streams: tool.streams || self.streams,
            category: if goes_on { Category::Async } else { tool.category },
            may_end_turn: tool.may_end_turn || self.may_end_turn,
            undo: self.undo.clone().or(tool.undo),
            progress_phrase: self.progress_phrase.clone().or(tool.progress_phrase),
            ..tool
        }
    }
}

/// The one that asks more of the person.
pub(crate) fn stricter(one: Confirm, other: Confirm) -> Confirm {
    match (one, other) {
        (Confirm::Pin, _) | (_, Confirm::Pin) => Confirm::Pin,
        (Confirm::Ask, _) | (_, Confirm::Ask) => Confirm::Ask,
        (Confirm::Never, Confirm::Never) => Confirm::Never,
    }
}

/// What our own host announces of a tool in these words; nothing where there is nothing to say.
pub(super) fn announced(tool: &Tool, all: &[Tool]) -> Vec<(&'static str, Value)> {
    let mut said = Vec::new();
    let is_offered = |undo: &&Undo| all.iter().any(|tool| tool.name == undo.tool && !tool.only_undoes);
    for (key, is_so) in [
        ("streams", tool.streams),
        ("async", tool.category == Category::Async),
        ("may_end_turn", tool.may_end_turn),
    ] {
        said.extend(is_so.then(|| (key, json!(true))));
    }
    said.extend((!tool.read_only).then(|| ("read_only", json!(false))));
    let undo = tool.undo.as_ref().filter(is_offered);
    said.extend(undo.map(|undo| ("undo", json!(undo))));
    let phrase = tool.progress_phrase.as_ref();
    said.extend(phrase.map(|phrase| ("progress_phrase", json!(phrase))));
    said
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trusted(category: Category) -> Tool {
        Tool {
            category,
            ..Tool::safe("box", "tool", "Does it.")
        }
    }

    #[test]
    fn claims_of_harmlessness_are_not_read() {
        let claims = Claims::of(&json!({"category": "safe", "read_only": true, "confirm": "never",
            "idempotent": true, "brings_foreign_text": false, "unasked_when_tainted": true}));
        assert_eq!(claims, Claims::default());
        let foreign = Tool::foreign("box", "tool", "Does it.");
        assert_eq!(claims.cautious(foreign.clone()), foreign);
    }

    #[test]
    fn caution_is_raised_and_never_lowered() {
        let careful = Claims::of(&json!({"confirm": "pin", "read_only": false}));
        let tool = careful.cautious(trusted(Category::Safe));
        assert_eq!((tool.category, tool.confirm), (Category::Safe, Confirm::Pin));
        assert!(!tool.read_only && !tool.idempotent);
        let dangerous = Claims::of(&json!({"category": "dangerous", "confirm": "never"}));
        for category in [Category::Safe, Category::Terminal, Category::Dangerous] {
            let tool = dangerous.cautious(trusted(category));
            assert_eq!((tool.category, tool.confirm), (Category::Dangerous, Confirm::Ask));
        }
        let asked = Tool {
            confirm: Confirm::Pin,
            ..trusted(Category::Safe)
        };
        assert_eq!(dangerous.cautious(asked).confirm, Confirm::Pin);
    }

    #[test]
    fn abilities_are_those_of_trusted_boxes() {
        let claims = Claims::of(&json!({"streams": true, "async": true, "may_end_turn": true,
            "undo": "take_back", "progress_phrase": "I am at it"}));
        let foreign = Tool::foreign("box", "tool", "Does it.");
        assert_eq!(
            claims.cautious(foreign.clone()),
            foreign,
            "a stranger can do none of it"
        );
        let tool = claims.able(trusted(Category::Safe));
        assert!(tool.streams && tool.may_end_turn && tool.category == Category::Async);
        assert_eq!(tool.undo, Some(Undo::by("take_back")));
        assert_eq!(tool.progress_phrase.as_deref(), Some("I am at it"));
        for category in [Category::Terminal, Category::Dangerous] {
            assert_eq!(claims.able(trusted(category)).category, category);
        }
    }

    #[test]
    fn what_is_too_large_or_no_claim_is_passed_over() {
        let arguments: serde_json::Map<String, Value> = (0..=MOST_ARGUMENTS)
            .map(|n| (n.to_string(), json!("result.a")))
            .collect();
        for claimed in [
            json!({"undo": {"tool": "t", "arguments": arguments}}),
            json!({"undo": 7, "streams": "yes", "async": 1, "category": ["dangerous"], "confirm": true}),
            json!({"progress_phrase": "x".repeat(LONGEST_PHRASE + 1)}),
        ] {
            assert_eq!(Claims::of(&claimed), Claims::default(), "{claimed}");
        }
    }
}
