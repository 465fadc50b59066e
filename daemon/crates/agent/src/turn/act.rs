//! Running a step's calls: judging, ordering, and showing the brain what came of each.

use std::collections::VecDeque;

use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;

use super::agreeing::Agreeing;
use super::closing::Cause;
use super::entry::Entry;
use super::judge::Judge;
use super::plan::{Plan, Start};
use super::{Ending, Flow, Turn};
use loquat_conversation::brain::ChatReply;
use loquat_conversation::call_graph::Node;
use loquat_conversation::conversation::Item;
use loquat_decoder::Call;

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
        self.work.sayable.keep_sentence(None);
        let ledger = &mut self.work.ledger;
        let named: Vec<_> = calls.into_iter().map(|call| (ledger.open(&call), call)).collect();
        self.exchange
            .conversation
            .push(Item::called(reply, thought, &named));
        let calls: Vec<_> = named.into_iter().map(|(_, call)| call).collect();
        let chain = Node::chain(&calls);
        let (ending, all_wrong) = match &chain {
            Some(chain) => {
                let ending = self.run_graph(chain).await;
                let mut calls = self.work.ledger.last_calls().iter();
                (ending, calls.all(|call| !call.executed && !call.ok))
            }
            None => self.act_apart(calls, is_last).await,
        };
        self.close_step();
        if !all_wrong {
            self.work.closing.forget_flaws();
        } else if !self.work.closing.count_flaw() {
            let turn = &self.resources.question.turn_id;
            tracing::debug!(turn, "too many wrong calls in a row");
        }
        let told = || {
            let (work, resources) = (&self.work, &self.resources);
            let by_tool = work.told_by_tool(resources, chain.is_some(), is_last);
            by_tool.or_else(|| work.told_by_call_made_again(resources))
        };
        let ending = ending.or_else(told);
        if ending.is_none() {
            // What a tool has told of itself was not the answer.
            self.resources.take_back_answer(self.work.ledger.step());
        }
        ending.map_or(Ok(()), Err)
    }

    /// Closes the calls of a step that have not run, and shows the brain what came of all.
    pub(super) fn close_step(&mut self) {
        let Self {
            resources,
            exchange,
            work,
            review,
            ..
        } = self;
        work.ledger
            .close_open_calls("it was not run, because the turn ended before");
        work.note_failures(resources);
        let mend = review.tell_of_unsaid(resources, &work.ledger);
        exchange.show(resources, &work.ledger, mend);
    }

    /// Runs calls that name no results; tells, too, whether all were wrong.
    async fn act_apart(&mut self, calls: Vec<Call>, is_last: bool) -> (Option<Ending>, bool) {
        let plans = calls.into_iter().enumerate();
        let plans: Vec<_> = plans.map(|(index, call)| self.judge(index, call)).collect();
        let all_wrong = plans.iter().all(Plan::is_mistake);
        let ending = if plans.len() > 1 && plans.iter().all(Plan::reads) {
            self.act_at_once(plans).await
        } else {
            self.act_in_order(plans, is_last).await
        };
        (ending, all_wrong)
    }

    /// Has the gate judge a call whose record is open.
    pub(super) fn judge(&mut self, index: usize, call: Call) -> Plan {
        let (resources, ledger) = (&self.resources, &mut self.work.ledger);
        let admitted = Judge { resources, ledger }.admit(call);
        let admitted = admitted.map(|call| self.review.before_call(resources, ledger, call));
        if let (Ok(admitted), Some(record)) = (&admitted, ledger.call(index)) {
            record.arguments.clone_from(&admitted.arguments);
        }
        Plan { index, admitted }
    }

    /// What asks the person for a yes to calls.
    pub(super) fn agreeing(&mut self) -> Agreeing<'_> {
        Agreeing {
            resources: &self.resources,
            work: &mut self.work,
        }
    }

    /// Lets a call begin with what the last ones hand on to it, if it may run.
    pub(super) fn enter(&mut self, plan: Plan, is_answer: bool) -> Option<Start> {
        let extras = std::mem::take(&mut self.work.extras);
        let entry = Entry {
            resources: &self.resources,
            work: &mut self.work,
            extras: &extras,
        };
        entry.enter(plan, is_answer)
    }

    async fn act_at_once(&mut self, plans: Vec<Plan>) -> Option<Ending> {
        let extras = std::mem::take(&mut self.work.extras);
        let mut running = FuturesUnordered::new();
        for plan in plans {
            let entry = Entry {
                resources: &self.resources,
                work: &mut self.work,
                extras: &extras,
            };
            running.extend(entry.enter(plan, false).map(Start::run));
        }
        let mut ending = None;
        let mut instructed = Vec::new();
        while let Some(done) = running.next().await {
            // The others are not waited for while instructions are followed.
            if done.brings_instructions() {
                instructed.push(done);
                continue;
            }
            let own = self.work.leave(&self.resources, done);
            ending = ending.or(own);
        }
        for done in instructed {
            let done = self.followed(done).await;
            let own = self.work.leave(&self.resources, done);
            ending = ending.or(own);
        }
        ending
    }

    async fn act_in_order(&mut self, plans: Vec<Plan>, is_last: bool) -> Option<Ending> {
        let is_answer = is_last && plans.len() == 1;
        let mut plans = VecDeque::from(plans);
        while !plans.is_empty() {
            // A fault or a loop ends the step; what is left of it must not run any more.
            match self.work.closing.cause() {
                None => {}
                // What a person has agreed to together runs together.
                Some(Cause::Danger) => plans.retain(Plan::is_agreed),
                Some(_) => return None,
            }
            let before = plans.len();
            self.agreeing().ask_for_first(&mut plans).await;
            if plans.len() < before {
                continue;
            }
            let plan = plans.pop_front()?;
            let is_answer = is_answer || plan.is_final();
            let Some(start) = self.enter(plan, is_answer) else {
                continue;
            };
            let done = start.run().await;
            let done = self.followed(done).await;
            let ending = self.work.leave(&self.resources, done);
            if ending.is_some() {
                return ending;
            }
            if !is_last {
                self.resources.take_back_answer(self.work.ledger.step());
            }
        }
        None
    }
}
