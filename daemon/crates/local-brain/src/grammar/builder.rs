//! Collects the rules of a grammar under construction. Never judges them.

use std::collections::{BTreeSet, HashMap};
use std::fmt::Write as _;

use super::primitive::Primitive;

/// Rules under construction.
#[derive(Debug, Default)]
pub(crate) struct Builder {
    rules: Vec<(String, String)>,
    names_by_body: HashMap<String, String>,
    copies: u64,
    primitives: BTreeSet<Primitive>,
}

impl Builder {
    /// Adds a rule, or finds the one with the same body, and gives its name.
    pub(crate) fn rule(&mut self, body: String) -> String {
        if let Some(name) = self.names_by_body.get(&body) {
            return name.clone();
        }
        let name = self.reserve();
        self.define(&name, body.clone());
        self.names_by_body.insert(body, name.clone());
        name
    }

    /// Adds a rule in which something is repeated, which llama.cpp spells out in so many copies.
    pub(crate) fn repetition(&mut self, body: String, copies: u64) -> String {
        if !self.names_by_body.contains_key(&body) {
            self.copies = self.copies.saturating_add(copies);
        }
        self.rule(body)
    }

    /// How many rules there are, and how many copies of what they repeat.
    pub(crate) fn size(&self) -> (usize, u64) {
        (self.rules.len(), self.copies)
    }

    /// A name whose rule comes later, so that it can be referred to meanwhile.
    pub(crate) fn reserve(&mut self) -> String {
        let name = format!("r{}", self.rules.len());
        self.rules.push((name.clone(), String::new()));
        name
    }

    /// Gives a reserved name its rule.
    pub(crate) fn define(&mut self, name: &str, body: String) {
        if let Some(rule) = self.rules.iter_mut().find(|(known, _)| known == name) {
            rule.1 = body;
        }
    }

    /// Makes sure that a primitive and what it needs are in the grammar and gives its name.
    pub(crate) fn primitive(&mut self, primitive: Primitive) -> String {
        if self.primitives.insert(primitive) {
            for needed in primitive.needs() {
                self.primitive(*needed);
            }
        }
        primitive.name().to_owned()
    }

    /// The grammar's text, with `start` as the right-hand side of `root`.
    pub(crate) fn finish(self, start: &str) -> String {
        let mut text = format!("root ::= {start}\n");
        for (name, body) in self.rules {
            writeln!(text, "{name} ::= {body}").ok();
        }
        for primitive in self.primitives {
            writeln!(text, "{} ::= {}", primitive.name(), primitive.body()).ok();
        }
        text
    }
}

/// A literal of the grammar that stands for exactly this text.
pub(crate) fn literal(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for letter in text.chars() {
        match letter {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            other => quoted.push(other),
        }
    }
    quoted.push('"');
    quoted
}

/// A choice between several expressions.
pub(crate) fn either(choices: &[String]) -> String {
    match choices {
        [only] => only.clone(),
        several => format!("({})", several.join(" | ")),
    }
}
