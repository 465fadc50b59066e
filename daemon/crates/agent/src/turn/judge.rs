//! Has the gate judge a call by what the turn was told and has seen. Runs no call.

use std::sync::Arc;

use serde_json::Value;

use super::ledger::Ledger;
use super::resources::Resources;
use super::taint::sendable;
use crate::gate::{self, Admitted, Conditions, Grounds, Policy, Refusal};
use loquat_decoder::Call;
use loquat_decoder::language::spoken;

/// What a call is judged by.
pub(super) struct Judge<'t> {
    pub(super) resources: &'t Resources,
    pub(super) ledger: &'t Ledger,
}

impl Judge<'_> {
    pub(super) fn admit(&self, call: Call) -> Result<Admitted, Refusal> {
        let Resources {
            question,
            catalogue,
            policy,
            person,
            shared,
            ..
        } = self.resources;
        let history = question.history.iter();
        let history: Vec<&str> = history.map(|message| message.content.as_str()).collect();
        let heard = &shared.heard;
        let mut texts: Vec<&str> = heard.told().into();
        texts.extend(&history);
        let observations = heard.observations();
        texts.extend(observations.iter().map(AsRef::<str>::as_ref));
        let conditions = Conditions {
            asks: person.is_some(),
            tainted: self.resources.has_doubtful_arguments(),
        };
        // What takes a call back names what that call was about, whether it was said in this turn or not.
        let policy = Policy {
            ground: policy.ground && !question.undoes(),
            ..*policy
        };
        let grounds = [&Grounds::new(texts), &sendable(self.resources, self.ledger)];
        let said = Grounds::new(history.into_iter().chain([heard.said.as_str()]).collect());
        // What was not written by a brain is meant as it stands.
        let is_said = |word: &str| !word.trim().is_empty() && said.have_words_of(word);
        let is_meant = |word: &str| question.intended.is_some() || is_said(word);
        let heard = gate::Heard {
            is_meant: &is_meant,
            measures: self.measures(),
        };
        let admitted = gate::admit(call, catalogue, policy, &heard, grounds, conditions)?;
        self.beside_other_deeds(&admitted)?;
        Ok(self.with_what_no_brain_is_shown(admitted))
    }

    /// What was said for times, lengths and days, with which the calls of a small brain are compared as long as no tool has told any.
    fn measures(&self) -> Option<gate::Measures<'_>> {
        let question = &self.resources.question;
        let selection = question.selection.as_ref()?;
        let is_first = self.ledger.calls().all(|call| !call.ok);
        let is_compared = question.intended.is_none() && self.resources.is_small() && is_first;
        is_compared.then(|| gate::Measures {
            likely: &selection.likely,
            said: &self.resources.shared.heard.said,
            language: spoken(question.lang.as_deref()),
        })
    }

    /// Adds what a sentence says of a call beyond what brains are told of its tool: tools have arguments for sentences alone,
    /// since each one more misleads a small model.
    fn with_what_no_brain_is_shown(&self, mut admitted: Admitted) -> Admitted {
        let tool = &admitted.entry.tool;
        let intended = self.resources.question.intended.iter();
        let intended = intended.filter(|call| call.tool == tool.name && call.toolbox_id == tool.toolbox_id);
        let shown = tool.argument_schema.get("properties").and_then(Value::as_object);
        let is_shown = |name: &str| shown.is_some_and(|shown| shown.contains_key(name));
        let hidden: Vec<_> = intended
            .flat_map(|call| &call.arguments)
            .filter(|(name, _)| !is_shown(name))
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect();
        Arc::make_mut(&mut admitted.arguments).extend(hidden);
        admitted
    }
}
