//! What stands between a call and its tool besides the person's yes: the gate's rules, the cache, the breaker and the
//! emergency stop.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Map, Value};

use super::closing::Cause;
use super::{Means, Question, Turn};
use crate::gate::{self, Admitted, Conditions, Grounds, Policy, Refusal};
use loquat_conversation::brain::Capabilities;
use loquat_conversation::catalogue::Catalogue;
use loquat_conversation::toolbox::{Category, Outcome, Tool, ToolError};
use loquat_conversation::turn_cache::{Failing, Scope};
use loquat_decoder::Call;
use loquat_decoder::language::spoken;

/// This many steps in a row whose tools only failed end a turn.
const MOST_FAILURES: u32 = 3;

/// A prompt lists this many tools unless a persona says otherwise. More confuse any model and fill a small one's
/// window.
const TOOLS_IN_PROMPT: u64 = 20;

/// A small brain chooses among so many of those that fit: with fewer the right one is not among them often enough.
const FITTING_TOOLS: u64 = 16;

/// One that needs a thought before it chooses is of the smallest, and calls any that it is shown.
const BEST_FITTING_TOOLS: u64 = 6;

/// Tells whether the persona may answer with silence.
pub(super) fn may_be_silent(settings: &Map<String, Value>) -> bool {
    settings.get("may_be_silent").and_then(Value::as_bool) == Some(true)
}

/// Reads how many tools a prompt lists.
pub(super) fn tools_in_prompt(settings: &Map<String, Value>) -> usize {
    most_tools(settings, TOOLS_IN_PROMPT)
}

fn most_tools(settings: &Map<String, Value>, usual: u64) -> usize {
    let own = settings.get("tools_in_prompt").and_then(Value::as_u64);
    own.unwrap_or(usual).try_into().unwrap_or(usize::MAX)
}

/// The tools with no more shown than a brain can choose among: those that fit what was said, where that is known.
pub(super) fn shown(all: Catalogue, question: &Question, means: &Means) -> Catalogue {
    let settings = &means.settings;
    match &question.selection {
        None => all.narrowed(&question.utterance, tools_in_prompt(settings), &means.turn_cache),
        Some(selection) => {
            let Capabilities {
                small, acts_at_once, ..
            } = means.brain.capabilities();
            let most = match (small, acts_at_once) {
                (true, false) => most_tools(settings, BEST_FITTING_TOOLS),
                (true, true) => most_tools(settings, FITTING_TOOLS),
                (false, _) => tools_in_prompt(settings),
            };
            // A small model keeps a question in mind, or sets what it is about, where it does not know how to look it up.
            let may_show = |tool: &Tool| tool.read_only || !(small && selection.asks);
            all.fitted(selection, most, &may_show)
        }
    }
}

impl Turn {
    /// Has the gate judge a call.
    pub(super) fn admit(&self, call: Call) -> Result<Admitted, Refusal> {
        let history = self.question.history.iter();
        let history: Vec<&str> = history.map(|message| message.content.as_str()).collect();
        let heard = &self.resources.shared.heard;
        let mut texts: Vec<&str> = heard.told().into();
        texts.extend(&history);
        let observations = heard.observations();
        texts.extend(observations.iter().map(AsRef::<str>::as_ref));
        let conditions = Conditions {
            asks: self.resources.person.is_some(),
            tainted: self.has_doubtful_arguments(),
        };
        // What takes a call back names what that call was about, whether it was said in this turn or not.
        let policy = Policy {
            ground: self.resources.policy.ground && !self.question.undoes(),
            ..self.resources.policy
        };
        let grounds = [&Grounds::new(texts), &self.sendable()];
        let said = Grounds::new(history.into_iter().chain([heard.said.as_str()]).collect());
        // What was not written by a brain is meant as it stands.
        let is_said = |word: &str| !word.trim().is_empty() && said.have_words_of(word);
        let is_meant = |word: &str| self.question.intended.is_some() || is_said(word);
        let heard = gate::Heard {
            is_meant: &is_meant,
            measures: self.measures(),
        };
        let admitted = gate::admit(call, &self.catalogue, policy, &heard, grounds, conditions)?;
        Ok(self.with_what_no_brain_is_shown(admitted))
    }

    /// What was said for times, lengths and days, with which the calls of a small brain are compared as long as no tool has told any.
    fn measures(&self) -> Option<gate::Measures<'_>> {
        let selection = self.question.selection.as_ref()?;
        let is_first = self
            .ledger
            .steps
            .iter()
            .all(|step| step.calls.iter().all(|call| !call.ok));
        let is_compared = self.question.intended.is_none() && self.is_small() && is_first;
        is_compared.then(|| gate::Measures {
            likely: &selection.likely,
            said: &self.resources.shared.heard.said,
            language: spoken(self.question.lang.as_deref()),
        })
    }

    /// Adds what a sentence says of a call beyond what brains are told of its tool: tools have arguments for sentences alone,
    /// since each one more misleads a small model.
    fn with_what_no_brain_is_shown(&self, mut admitted: Admitted) -> Admitted {
        let tool = &admitted.entry.tool;
        let intended = self.question.intended.iter();
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

    /// Finds what an equal call brought a short while ago, if its tool allows to use that again.
    pub(super) fn cached(&self, admitted: &Admitted, key: &str) -> Option<Outcome> {
        let scope = self.cache_scope(admitted, key)?;
        self.resources.turn_cache.cache().get(&scope)
    }

    fn cache_scope(&self, admitted: &Admitted, key: &str) -> Option<Scope> {
        let tool = &admitted.entry.tool;
        let question = &self.question;
        (tool.cacheable > Duration::ZERO && tool.read_only && tool.category != Category::Async).then(|| {
            Scope::new(
                tool.cache_scope,
                [&question.session_id, &question.turn_id],
                admitted.entry.toolbox.id(),
                key,
                question.manner(),
            )
        })
    }

    /// Tells why a toolbox is not even asked, if it does not answer these days.
    pub(super) fn outage(&self, admitted: &Admitted) -> Option<String> {
        let toolbox = admitted.entry.toolbox.id();
        let admits = self.resources.turn_cache.breakers().admit(toolbox);
        (!admits).then(|| {
            format!(
                "the toolbox '{toolbox}' does not answer at the moment; the tool was not run. Go on without it."
            )
        })
    }

    /// Keeps of a call's end what later calls need to know.
    pub(super) fn remember(&mut self, admitted: &Admitted, key: &str, outcome: &Result<Outcome, ToolError>) {
        let toolbox = admitted.entry.toolbox.id();
        let turn_cache = &self.resources.turn_cache;
        let failure = match outcome {
            Err(ToolError::Reply { class, .. }) => Some(class.as_str()),
            _ => None,
        };
        turn_cache.breakers().ended(toolbox, failure);
        if !admitted.entry.tool.read_only {
            turn_cache.cache().forget(toolbox);
        }
        if let (Some(scope), Ok(outcome)) = (self.cache_scope(admitted, key), outcome) {
            // What ends the turn or hands something on is more than its result.
            if outcome.answer.is_none() && outcome.extras.is_empty() {
                let time = admitted.entry.tool.cacheable;
                turn_cache.cache().keep(scope, outcome.clone(), time);
            }
        }
    }

    /// Tells whether so much failed in the session that nothing is tried any more.
    pub(super) fn is_stopped_by_failures(&self) -> bool {
        self.resources.turn_cache.is_stopped(&self.question.session_id)
    }

    /// Counts the step if tools ran in it and all failed. Too many of them in a row end the turn, and still more the
    /// session.
    pub(super) fn note_failures(&mut self) {
        let calls = self.ledger.last_calls().iter();
        let ran: Vec<bool> = calls.filter(|call| call.executed).map(|call| call.ok).collect();
        if ran.is_empty() {
            return;
        }
        let failed = !ran.contains(&true);
        let failures = self.streaks.count_tools(failed);
        let session = &self.question.session_id;
        let mut stops = self.resources.turn_cache.emergency_stops();
        if stops.note(session, Failing::Tools, failed) {
            let fault = Cause::EmergencyStop.fault();
            tracing::error!(session, fault, "a session is stopped");
            self.closing.begin_at_once(Cause::EmergencyStop);
        } else if failures >= MOST_FAILURES {
            self.closing.begin(Cause::ToolsFailed(MOST_FAILURES));
        }
    }
}
