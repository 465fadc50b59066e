//! The lists and rules that a template may name, and those of them that are compiled already.

use std::collections::{BTreeMap, HashMap};

use super::{Compiled, DEEPEST, Problem};
use crate::source::List;

/// Lists and rules by their names.
pub(super) struct Scope<'a> {
    pub(super) lists: &'a BTreeMap<String, List>,
    rules: &'a BTreeMap<String, String>,
    lists_known: HashMap<String, Result<u32, Problem>>,
    rules_known: HashMap<String, Result<Compiled, Problem>>,
    /// Rules and lists that are being compiled.
    begun: Vec<String>,
}

impl<'a> Scope<'a> {
    pub(super) fn new(lists: &'a BTreeMap<String, List>, rules: &'a BTreeMap<String, String>) -> Self {
        Self {
            lists,
            rules,
            lists_known: HashMap::new(),
            rules_known: HashMap::new(),
            begun: Vec::new(),
        }
    }

    pub(super) fn known_rule(&self, rule: &str) -> Option<Result<Compiled, Problem>> {
        self.rules_known.get(rule).cloned()
    }

    pub(super) fn known_list(&self, list: &str) -> Option<Result<u32, Problem>> {
        self.lists_known.get(list).cloned()
    }

    /// The text of a rule, which counts as begun.
    pub(super) fn begin_rule(&mut self, rule: &str) -> Result<String, Problem> {
        let text = self
            .rules
            .get(rule)
            .ok_or_else(|| Problem::Rule(rule.to_owned()))?
            .clone();
        self.begin(format!("<{rule}>"))?;
        Ok(text)
    }

    pub(super) fn end_rule(&mut self, rule: &str, compiled: &Result<Compiled, Problem>) {
        self.begun.pop();
        self.rules_known.insert(rule.to_owned(), compiled.clone());
    }

    pub(super) fn begin_list(&mut self, list: &str) -> Result<(), Problem> {
        self.begin(format!("{{{list}}}"))
    }

    pub(super) fn end_list(&mut self, list: &str, compiled: &Result<u32, Problem>) {
        self.begun.pop();
        self.lists_known.insert(list.to_owned(), compiled.clone());
    }

    fn begin(&mut self, name: String) -> Result<(), Problem> {
        if self.begun.len() >= DEEPEST || self.begun.contains(&name) {
            return Err(Problem::Circle(name));
        }
        self.begun.push(name);
        Ok(())
    }
}
