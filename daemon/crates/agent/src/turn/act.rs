//! Running a step's calls: judging, ordering, recording, and showing the brain what came of each.

use std::collections::VecDeque;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use serde_json::Map;
use tokio::time::timeout;

use super::closing::Cause;
use super::following::brings_instructions;
use super::{Ending, Flow, Turn};
use crate::gate::{Admitted, Need, Refusal};
use crate::hands::extras::Extras;
use crate::hands::guard::{self, Advice};
use crate::hands::{observation, run};
use loquat_conversation::brain::ChatReply;
use loquat_conversation::call_graph::Node;
use loquat_conversation::catalogue::tools_of;
use loquat_conversation::conversation::{Item, Observations};
use loquat_conversation::event::{Event, Observer};
use loquat_conversation::pieces::Pieces;
use loquat_conversation::record::{CallRecord, Reason};
use loquat_conversation::toolbox::{Category, Circumstances, Outcome, ToolError};
use loquat_decoder::Call;

/// A call of this step and what the gate says to it.
pub(super) struct Plan {
    /// Its place in the step.
    pub(super) index: usize,
    pub(super) admitted: Result<Admitted, Refusal>,
}

impl Plan {
    /// Tells whether it changes nothing and no person has to be asked for it.
    pub(super) fn reads(&self) -> bool {
        self.admitted
            .as_ref()
            .is_ok_and(|admitted| admitted.entry.tool.read_only && admitted.consent == Need::Nothing)
    }

    /// Tells whether a person is asked before it runs, as far as that is known before it is resolved.
    pub(super) fn asks(&self) -> bool {
        let admitted = self.admitted.as_ref();
        admitted.is_ok_and(|admitted| admitted.consent == Need::Consent)
    }

    /// Tells whether a person has said yes to it.
    fn is_agreed(&self) -> bool {
        let admitted = self.admitted.as_ref();
        admitted.is_ok_and(|admitted| admitted.consent == Need::Given)
    }

    /// Tells why it may not run, where a person was asked and gave no yes.
    pub(super) fn denied(&self) -> Option<&'static str> {
        match self.admitted.as_ref().map(|admitted| admitted.consent) {
            Ok(Need::Denied(why)) => Some(why),
            _ => None,
        }
    }

    /// Tells whether its result is the answer of the turn.
    fn is_final(&self) -> bool {
        let admitted = self.admitted.as_ref();
        admitted.is_ok_and(|admitted| admitted.entry.tool.is_final())
    }
}

/// A call that is about to run.
pub(super) struct Start {
    index: usize,
    /// The key of the call, for the guard.
    key: String,
    admitted: Admitted,
    circumstances: Circumstances,
    step: u32,
    /// Is told when the call takes long.
    observer: Arc<dyn Observer>,
}

/// A person who waits longer in silence begins to doubt that anything happens.
const PATIENCE: Duration = Duration::from_secs(2);

/// A brain is told this of a call that it makes again.
pub(super) const CALLED_BEFORE: &str =
    "You made this call before. It was not run again; this is what it brought. Answer with it.";

impl Turn {
    /// Runs the calls of a step and shows the brain what came of them: at once when all are only reading, else in order;
    /// calls of which each names the result of an earlier one as they can.
    ///
    /// Each call gets exactly one observation; when this is dropped, the end of the turn closes the open ones. The sentence
    /// of a call that `is_last` ends the turn.
    pub(crate) async fn act(
        &mut self,
        reply: &ChatReply,
        thought: &str,
        calls: Vec<Call>,
        is_last: bool,
    ) -> Flow<()> {
        self.sayable.keep_sentence(None);
        let named: Vec<_> = calls.into_iter().map(|call| (self.open(&call), call)).collect();
        self.conversation.push(Item::called(reply, thought, &named));
        let calls: Vec<_> = named.into_iter().map(|(_, call)| call).collect();
        let chain = Node::chain(&calls);
        let (ending, all_wrong) = match &chain {
            Some(chain) => {
                let (ending, _) = self.run_graph(chain).await;
                let mut calls = self.ledger.last_calls().iter();
                (ending, calls.all(|call| !call.executed && !call.ok))
            }
            None => self.act_apart(calls, is_last).await,
        };
        self.close_open_calls("it was not run, because the turn ended before");
        self.note_failures();
        self.show();
        if !all_wrong {
            self.forget_flaws();
        } else if !self.count_flaw() {
            tracing::debug!(turn = self.question.turn_id, "too many wrong calls in a row");
        }
        let ending = ending
            .or_else(|| self.told_by_tool(chain.is_some(), is_last))
            .or_else(|| self.told_by_call_made_again());
        if ending.is_none() {
            // What a tool has told of itself was not the answer.
            self.take_back_answer();
        }
        ending.map_or(Ok(()), Err)
    }

    /// Runs calls that name no results; tells, too, whether all were wrong.
    async fn act_apart(&mut self, calls: Vec<Call>, is_last: bool) -> (Option<Ending>, bool) {
        let plans = calls.into_iter().enumerate();
        let plans: Vec<_> = plans.map(|(index, call)| self.judge(index, call)).collect();
        let is_mistake = |plan: &Plan| plan.admitted.as_ref().is_err_and(|refusal| refusal.mistake);
        let all_wrong = plans.iter().all(is_mistake);
        let ending = if plans.len() > 1 && plans.iter().all(Plan::reads) {
            self.act_at_once(plans).await
        } else {
            self.act_in_order(plans, is_last).await
        };
        (ending, all_wrong)
    }

    /// Gives a call of the step its id and an open record.
    pub(super) fn open(&mut self, call: &Call) -> String {
        let call_id = self
            .resources
            .shared
            .call_ids
            .give(call.id.as_deref(), self.step());
        if let Some(step) = self.ledger.steps.last_mut() {
            step.calls.push(CallRecord {
                call_id: call_id.clone(),
                tool: call.tool.clone(),
                arguments: call.arguments.named().into(),
                executed: false,
                changes: false,
                ok: false,
                observation: "".into(),
                elapsed: Duration::ZERO,
                undo: None,
                choices: Vec::new(),
            });
        }
        call_id
    }

    /// Has the gate judge a call whose record is open.
    pub(super) fn judge(&mut self, index: usize, call: Call) -> Plan {
        let admitted = self.admit(call).map(|admitted| self.before_call(admitted));
        if let (Ok(admitted), Some(record)) = (&admitted, self.record(index)) {
            record.arguments.clone_from(&admitted.arguments);
        }
        Plan { index, admitted }
    }

    async fn act_at_once(&mut self, plans: Vec<Plan>) -> Option<Ending> {
        let extras = std::mem::take(&mut self.extras);
        let mut running = FuturesUnordered::new();
        for plan in plans {
            if let Some(start) = self.enter(plan, &extras, false) {
                running.push(run_start(start));
            }
        }
        let mut ending = None;
        let mut instructed = Vec::new();
        while let Some(done) = running.next().await {
            // The others are not waited for while instructions are followed.
            if brings_instructions(&done.3) {
                instructed.push(done);
                continue;
            }
            let (index, key, admitted, outcome, elapsed) = done;
            let own = self.leave(index, &key, &admitted, outcome, elapsed);
            ending = ending.or(own);
        }
        for (index, key, admitted, outcome, elapsed) in instructed {
            let (outcome, elapsed) = self.followed(&admitted, outcome, elapsed).await;
            let own = self.leave(index, &key, &admitted, outcome, elapsed);
            ending = ending.or(own);
        }
        ending
    }

    async fn act_in_order(&mut self, plans: Vec<Plan>, is_last: bool) -> Option<Ending> {
        let is_answer = is_last && plans.len() == 1;
        let mut plans = VecDeque::from(plans);
        while !plans.is_empty() {
            // A fault or a loop ends the step; what is left of it must not run any more.
            match self.closing.cause() {
                None => {}
                // What a person has agreed to together runs together.
                Some(Cause::Danger) => plans.retain(Plan::is_agreed),
                Some(_) => return None,
            }
            let before = plans.len();
            self.ask_for_consent_to_first(&mut plans).await;
            if plans.len() < before {
                continue;
            }
            let plan = plans.pop_front()?;
            let extras = std::mem::take(&mut self.extras);
            let is_answer = is_answer || plan.is_final();
            let Some(start) = self.enter(plan, &extras, is_answer) else {
                continue;
            };
            let (index, key, admitted, outcome, elapsed) = run_start(start).await;
            let (outcome, elapsed) = self.followed(&admitted, outcome, elapsed).await;
            let ending = self.leave(index, &key, &admitted, outcome, elapsed);
            if ending.is_some() {
                return ending;
            }
            if !is_last {
                self.take_back_answer();
            }
        }
        None
    }

    /// Lets a call begin, or closes its record with the reason why it may not. What a tool tells while it works is told as
    /// the answer where its result `is_answer`.
    pub(super) fn enter(&mut self, plan: Plan, extras: &Extras, is_answer: bool) -> Option<Start> {
        let Plan { index, admitted } = plan;
        let admitted = match admitted {
            Ok(admitted) => admitted,
            Err(refusal) => return self.turn_away(index, &refusal.text),
        };
        if matches!(admitted.consent, Need::Consent | Need::Denied(_)) {
            return self.turn_away(index, "it needs the person's permission and was not run");
        }
        let tool = &admitted.entry.tool;
        let harmless = tool.read_only || tool.idempotent;
        let key = guard::key(&tool.name, &admitted.arguments);
        match self.with_guard(|guard| guard.advise(&key, harmless)) {
            Advice::Run => {}
            Advice::Known { observation, ok } => {
                if ok {
                    self.review.was_asked_again();
                }
                return self.repeat(index, &observation);
            }
            Advice::Loop => {
                self.closing.begin(Cause::Loop);
                return self.turn_away(
                    index,
                    "this call was made several times before; it was not run again",
                );
            }
        }
        if let Some(outcome) = self.cached(&admitted, &key) {
            let seen = observation::of_tool(&admitted.entry.tool, &outcome.result);
            self.sayable.keep_sentence(outcome.spoken.clone());
            self.resources.shared.heard.see(seen.as_str().into());
            self.note_foreign_text(&admitted, &Ok(outcome));
            self.close_call(index, seen, true, Duration::ZERO);
            return None;
        }
        if let Some(why) = self.outage(&admitted) {
            return self.turn_away(index, &why);
        }
        if !self.ledger.spending.take_tool_call() {
            let most = self.ledger.spending.max_tool_calls();
            return self.turn_away(
                index,
                &format!("the limit of {most} tool calls is reached; it was not run"),
            );
        }
        self.with_guard(|guard| guard.begin(&key, harmless));
        let call_id = self.record(index).map(|record| {
            record.executed = true;
            record.changes = !admitted.entry.tool.read_only;
            record.call_id.clone()
        })?;
        let handed_on = if self.is_doubtful(&admitted) {
            Map::new()
        } else {
            extras.for_call(&admitted)
        };
        let pieces = self.pieces_of(&admitted, &call_id, is_answer);
        let circumstances = Circumstances {
            progress: self.progress_of(&admitted, &call_id),
            is_consented: admitted.consent == Need::Given,
            ..self.circumstances(&call_id, handed_on, pieces)
        };
        self.emit(&Event::ToolCalled {
            step: self.step(),
            call_id,
            toolbox_id: admitted.entry.toolbox.id().to_owned(),
            tool: admitted.entry.tool.name.clone(),
            arguments: Arc::clone(&admitted.arguments),
        });
        Some(Start {
            index,
            key,
            admitted,
            circumstances,
            step: self.step(),
            observer: Arc::clone(&self.resources.observer),
        })
    }

    /// Takes what a tool tells while it works, if it is one that does.
    fn pieces_of(&self, admitted: &Admitted, call_id: &str, is_answer: bool) -> Pieces {
        if !admitted.entry.tool.streams {
            return Pieces::default();
        }
        let listener = self.tool_listener().filter(|_| is_answer);
        let observer = Arc::clone(&self.resources.observer);
        let (step, call_id, tool) = (self.step(), call_id.to_owned(), admitted.entry.tool.name.clone());
        Pieces::heard_by(move |text| {
            observer.event(&Event::ToolPiece {
                step,
                call_id: call_id.clone(),
                tool: tool.clone(),
                text: text.to_owned(),
            });
            if let Some(listener) = &listener {
                listener.hear(step, text);
            }
        })
    }

    /// Takes how far a tool says that it is. What is too much of it is not told.
    fn progress_of(&self, admitted: &Admitted, call_id: &str) -> Pieces {
        let observer = Arc::clone(&self.resources.observer);
        let (step, call_id, tool) = (self.step(), call_id.to_owned(), admitted.entry.tool.name.clone());
        Pieces::heard_by(move |text| {
            observer.event(&Event::ToolProgressed {
                step,
                call_id: call_id.clone(),
                tool: tool.clone(),
                text: text.to_owned(),
            });
        })
    }

    fn turn_away(&mut self, index: usize, why: &str) -> Option<Start> {
        self.close_call(index, observation::of_error(why), false, Duration::ZERO);
        None
    }

    /// Shows again what an equal call brought.
    fn repeat(&mut self, index: usize, earlier: &str) -> Option<Start> {
        self.close_call(
            index,
            format!("{{\"note\":\"{CALLED_BEFORE}\",\"earlier\":{earlier}}}"),
            false,
            Duration::ZERO,
        );
        None
    }

    /// Records what a call brought, and tells whether that ends the turn.
    pub(super) fn leave(
        &mut self,
        index: usize,
        key: &str,
        admitted: &Admitted,
        outcome: Result<Outcome, ToolError>,
        elapsed: Duration,
    ) -> Option<Ending> {
        let ok = outcome.is_ok();
        if let Ok(outcome) = &outcome {
            self.ledger.spending.count_usage(outcome.usage);
            self.ledger.usage += outcome.usage;
        }
        self.note_foreign_text(admitted, &outcome);
        let seen: Arc<str> = match &outcome {
            Ok(outcome) => observation::of_tool(&admitted.entry.tool, &outcome.result),
            Err(error) => observation::of_error(&error.to_string()),
        }
        .into();
        self.with_guard(|guard| guard.end(key, Arc::clone(&seen), ok));
        self.remember(admitted, key, &outcome);
        self.note_undo(index, admitted, &outcome);
        if let (Ok(outcome), Some(record)) = (&outcome, self.record(index)) {
            record.choices.clone_from(&outcome.choices);
        }
        if matches!(outcome, Err(ToolError::Withheld(_))) {
            // Nothing of it was done, and that is no failure of the tool.
            if let Some(record) = self.record(index) {
                (record.executed, record.changes) = (false, false);
            }
        }
        self.close_call(index, seen, ok, elapsed);
        match outcome {
            Ok(outcome) => self.settle(admitted, outcome),
            Err(ToolError::Fault(fault)) => {
                self.closing.begin_at_once(Cause::ToolFault(fault));
                None
            }
            Err(ToolError::Withheld(words)) => Some(Ending::new(Reason::ConfirmationDenied, words)),
            Err(ToolError::Reply { .. }) => None,
        }
    }

    /// Notes how a call that succeeded is taken back. What goes on has done nothing yet.
    fn note_undo(&mut self, index: usize, admitted: &Admitted, outcome: &Result<Outcome, ToolError>) {
        let tool = &admitted.entry.tool;
        let (Some(undo), Ok(outcome)) = (&tool.undo, outcome) else {
            return;
        };
        if tool.read_only || tool.category == Category::Async {
            return;
        }
        let tools = tools_of(admitted.entry.toolbox.as_ref());
        let undo = undo.of_call(&tools, &admitted.arguments, outcome);
        if let Some(record) = self.record(index) {
            record.undo = undo.map(Box::new);
        }
    }

    /// The end of a turn in which a tool alone was asked: its own words, or none.
    pub(crate) fn told(&mut self) -> Ending {
        let reason = self.closing.reason();
        let ok = self.ledger.last_calls().iter().all(|call| call.ok);
        match self.sayable.take_sentence().filter(|_| ok) {
            Some(words) => Ending::new(reason.unwrap_or(Reason::Answered), words),
            None => Ending::silent(reason.unwrap_or(Reason::Noop)),
        }
    }

    /// Tells whether something may have been changed by a call that went well.
    pub(crate) fn has_done_something(&self) -> bool {
        self.ledger.has_deeds()
    }

    /// Keeps what a result hands on; some results are the end.
    fn settle(&mut self, admitted: &Admitted, outcome: Outcome) -> Option<Ending> {
        let Outcome {
            result,
            answer,
            spoken,
            extras,
            ..
        } = outcome;
        let tool = &admitted.entry.tool;
        let words = loquat_conversation::toolbox::words(&result);
        let streamed = words.clone().filter(|_| tool.streams);
        self.extras.keep(admitted.entry.toolbox.id(), extras);
        self.sayable.keep_sentence(spoken.or_else(|| streamed.clone()));
        self.sayable.keep_result(words.clone());
        let answer = answer.or(streamed);
        if tool.category == Category::Dangerous {
            self.closing.begin(Cause::Danger);
        }
        if tool.category == Category::Terminal {
            let words = answer.or_else(|| self.sayable.beside_a_call()).or(words);
            return Some(Ending::new(Reason::TerminalTool, words.unwrap_or_default()));
        }
        answer
            .filter(|_| tool.may_end_turn)
            .map(|answer| Ending::new(Reason::FinalTool, answer))
    }

    /// Shows the brain what came of the step's calls, and how much of the budget is left.
    pub(super) fn show(&mut self) {
        let Some(step) = self.ledger.steps.last() else {
            return;
        };
        let mut observations = Observations::new(&step.calls);
        observations.stuck = step.calls.iter().any(|call| !call.ok) && !self.review.has_found();
        observations.mend = self.tell_of_unsaid();
        let crowding = self.crowding(Some(Item::Observed(observations.clone())));
        observations.advice = self.ledger.spending.advisory(crowding);
        observations.asked = self
            .conversation
            .sole_question()
            .map(|asked| self.what_was_asked(asked));
        self.conversation.push(Item::Observed(observations));
    }

    /// The question without what an engine writes below it, or below a step of a plan, which the brain has read.
    fn what_was_asked(&self, asked: &str) -> String {
        let person = &self.resources.shared.heard.said;
        if asked.starts_with(person) {
            return person.clone();
        }
        asked.lines().next().unwrap_or_default().to_owned()
    }

    pub(super) fn record(&mut self, index: usize) -> Option<&mut CallRecord> {
        self.ledger.call(index)
    }

    /// Gives a call its one observation.
    pub(super) fn close_call(
        &mut self,
        index: usize,
        observation: impl Into<Arc<str>>,
        ok: bool,
        elapsed: Duration,
    ) {
        let observation = observation.into();
        let step = self.step();
        let Some(record) = self.record(index).filter(|record| record.observation.is_empty()) else {
            return;
        };
        record.ok = ok;
        record.elapsed = elapsed;
        record.observation = Arc::clone(&observation);
        let executed = record.executed;
        let event = Event::ToolReturned {
            step,
            call_id: record.call_id.clone(),
            tool: record.tool.clone(),
            ok,
            observation: Arc::clone(&observation),
            elapsed,
        };
        if executed {
            self.resources.shared.heard.see(observation);
        }
        if ok {
            self.review.has_brought();
        }
        self.emit(&event);
    }

    /// Closes the calls of the last step that have no observation yet.
    pub(super) fn close_open_calls(&mut self, why: &str) {
        let calls = self.ledger.last_calls().len();
        for index in 0..calls {
            let is_open = |record: &mut CallRecord| record.observation.is_empty();
            if self.record(index).is_some_and(is_open) {
                self.close_call(index, observation::of_error(why), false, Duration::ZERO);
            }
        }
    }
}

/// Runs a call to its end, and tells once when that takes long.
pub(super) async fn run_start(
    start: Start,
) -> (usize, String, Admitted, Result<Outcome, ToolError>, Duration) {
    let Start {
        index,
        key,
        admitted,
        circumstances,
        step,
        observer,
    } = start;
    let entry = Arc::clone(&admitted.entry);
    let (outcome, elapsed) = {
        let call_id = circumstances.call_id.clone();
        let mut call = pin!(run::run(entry, &admitted.arguments, circumstances));
        if let Ok(ended) = timeout(PATIENCE, call.as_mut()).await {
            ended
        } else {
            observer.event(&Event::ToolAwaited {
                step,
                call_id,
                tool: admitted.entry.tool.name.clone(),
                phrase: admitted.entry.tool.progress_phrase.clone(),
            });
            call.await
        }
    };
    (index, key, admitted, outcome, elapsed)
}
