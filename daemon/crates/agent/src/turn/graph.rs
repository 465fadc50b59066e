//! Running calls that depend on each other's results: each starts as soon as what it needs is there.
//!
//! Calls that only read run at once; one that may change something runs alone, after all before it and before all
//! behind it.

use std::time::Duration;

use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use serde_json::Value;

use super::{Ending, Flow, Turn, act};
use crate::gate::text;
use crate::hands::observation;
use loquat_conversation::call_graph::{Node, Words};
use loquat_conversation::record::CallRecord;

impl Turn {
    /// Runs the calls of the step that is under way and shows the brain what came of them, one observation each.
    ///
    /// Tells of each call whether it brought a result. When this is dropped, the end of the turn closes the open ones.
    pub(crate) async fn act_as_graph(&mut self, nodes: Vec<Node>) -> Flow<Vec<bool>> {
        for node in &nodes {
            self.open(&node.call);
        }
        let (ending, brought) = self.run_graph(&nodes).await;
        self.close_open_calls("it was not run, because the turn ended before");
        self.note_failures();
        self.show();
        match ending {
            Some(ending) => Err(ending),
            None => Ok(brought),
        }
    }

    /// Runs calls whose records are open, and tells of each whether it brought a result.
    pub(super) async fn run_graph(&mut self, nodes: &[Node]) -> (Option<Ending>, Vec<bool>) {
        let mut results: Vec<Option<Words>> = vec![None; nodes.len()];
        let ending = self.run_nodes(nodes, &mut results).await;
        let brought = results.iter().map(|result| matches!(result, Some(Ok(_))));
        (ending, brought.collect())
    }

    async fn run_nodes(&mut self, nodes: &[Node], results: &mut [Option<Words>]) -> Option<Ending> {
        let mut running = FuturesUnordered::new();
        let mut waiting: Vec<usize> = (0..nodes.len()).collect();
        let mut alone = false;
        loop {
            let mut at = 0;
            while let Some(index) = waiting
                .get(at)
                .copied()
                .filter(|_| self.closing.cause().is_none() && !alone)
            {
                let first = at == 0 && running.is_empty();
                match self.try_start(nodes, index, results, first).await {
                    // What comes after a change may be about what it changes.
                    Tried::Wait if !self.only_reads(nodes, index) => break,
                    Tried::Wait => at += 1,
                    Tried::Over => {
                        waiting.remove(at);
                        // What waited for it can be settled now.
                        at = 0;
                    }
                    Tried::Started { start, reads } => {
                        waiting.remove(at);
                        alone = !reads;
                        running.push(act::run_start(*start));
                    }
                }
            }
            let (index, key, admitted, outcome, elapsed) = running.next().await?;
            alone = false;
            let (outcome, elapsed) = self.followed(&admitted, outcome, elapsed).await;
            let ending = self.leave(index, &key, &admitted, outcome, elapsed);
            self.settle_result(index, results);
            if ending.is_some() {
                return ending;
            }
        }
    }

    /// Starts a call if what it needs is there; `first` tells that nothing runs and nothing waits before it.
    async fn try_start(
        &mut self,
        nodes: &[Node],
        index: usize,
        results: &mut [Option<Words>],
        first: bool,
    ) -> Tried {
        let Some(node) = nodes.get(index) else {
            return Tried::Over;
        };
        let result_of = |place: usize| results.get(place).and_then(Option::as_ref);
        if let Some((id, _)) = node
            .needs
            .iter()
            .find(|(_, place)| result_of(*place) == Some(&Err(())))
        {
            let why = format!("it was not run, because #E{id}, which it needs, brought no result");
            self.close_call(index, observation::of_error(&why), false, Duration::ZERO);
            self.settle_result(index, results);
            return Tried::Over;
        }
        if node.needs.iter().any(|(_, place)| result_of(*place).is_none()) {
            return Tried::Wait;
        }
        let plan = self.judge(index, node.filled(results));
        let reads = plan.reads();
        if !reads && !first {
            return Tried::Wait;
        }
        let Some(plan) = self.ask_for_consent(plan).await else {
            self.settle_result(index, results);
            return Tried::Over;
        };
        let extras = std::mem::take(&mut self.extras);
        let Some(start) = self.enter(plan, &extras, false) else {
            self.settle_result(index, results);
            return Tried::Over;
        };
        Tried::Started {
            start: Box::new(start),
            reads,
        }
    }

    /// Tells whether a call can be let pass by later ones.
    fn only_reads(&self, nodes: &[Node], index: usize) -> bool {
        let entry = nodes
            .get(index)
            .and_then(|node| self.catalogue.find(&node.call.tool));
        entry.is_none_or(|entry| entry.tool.read_only)
    }

    /// Keeps what others need of a call that is over.
    fn settle_result(&mut self, index: usize, results: &mut [Option<Words>]) {
        let record = self.ledger.last_calls().get(index);
        let words = record.and_then(|record| self.words_of(record)).ok_or(());
        if let Some(result) = results.get_mut(index) {
            *result = Some(words);
        }
    }

    /// The words that stand for a result in other calls: what its tool says, else its only value, else all of it. A call
    /// that was made before and not again has the result it had then.
    fn words_of(&self, record: &CallRecord) -> Option<String> {
        let seen: Value = serde_json::from_str(&record.observation).ok()?;
        let result = if record.ok { &seen } else { seen.get("earlier")? };
        let members = result.as_object()?;
        if !record.ok && members.contains_key("error") {
            return None;
        }
        let entry = self.catalogue.find(&record.tool);
        let value = entry.and_then(|entry| members.get(entry.tool.value.as_deref()?));
        let words = value
            .map(text)
            .or_else(|| loquat_conversation::toolbox::words(members));
        Some(words.unwrap_or_else(|| result.to_string()))
    }
}

enum Tried {
    Wait,
    /// It is over without having run.
    Over,
    Started {
        start: Box<act::Start>,
        reads: bool,
    },
}
