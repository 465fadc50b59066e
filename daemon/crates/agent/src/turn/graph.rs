//! Running calls that depend on each other's results: each starts as soon as what it needs is there.
//!
//! Calls that only read run at once; one that may change something runs alone, after all before it and before all
//! behind it.

use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use serde_json::Value;

use super::plan::Start;
use super::{Ending, Flow, Turn};
use crate::gate::text;
use loquat_conversation::call_graph::{Node, Words};
use loquat_conversation::catalogue::Catalogue;
use loquat_conversation::record::CallRecord;

/// Calls of one step of which some need what others bring, while they run.
struct Graph<'n> {
    nodes: &'n [Node],
    /// What each call has brought, where it is over.
    results: Vec<Option<Words>>,
    /// The calls that have not started yet, in order.
    waiting: Vec<usize>,
    /// A call runs that may change something, and no other runs beside it.
    alone: bool,
}

impl Turn {
    /// Runs the calls of the step that is under way and shows the brain what came of them, one observation each.
    ///
    /// Tells of each call whether it brought a result. When this is dropped, the end of the turn closes the open ones.
    pub(crate) async fn act_as_graph(&mut self, nodes: Vec<Node>) -> Flow<Vec<bool>> {
        for node in &nodes {
            self.work.ledger.open(&node.call);
        }
        let mut graph = Graph::of(&nodes);
        let ending = graph.run(self).await;
        self.close_step();
        match ending {
            Some(ending) => Err(ending),
            None => Ok(graph.brought()),
        }
    }

    /// Runs calls whose records are open, each as soon as what it needs is there.
    pub(super) async fn run_graph(&mut self, nodes: &[Node]) -> Option<Ending> {
        Graph::of(nodes).run(self).await
    }
}

impl<'n> Graph<'n> {
    fn of(nodes: &'n [Node]) -> Self {
        Self {
            nodes,
            results: vec![None; nodes.len()],
            waiting: (0..nodes.len()).collect(),
            alone: false,
        }
    }

    /// Tells of each call whether it brought a result.
    fn brought(&self) -> Vec<bool> {
        let brought = self.results.iter().map(|result| matches!(result, Some(Ok(_))));
        brought.collect()
    }

    async fn run(&mut self, turn: &mut Turn) -> Option<Ending> {
        let mut running = FuturesUnordered::new();
        loop {
            let mut at = 0;
            while let Some(index) = self.next(at, turn) {
                let is_first = at == 0 && running.is_empty();
                match self.try_start(turn, index, is_first).await {
                    // What comes after a change may be about what it changes.
                    Tried::Wait if !self.only_reads(turn, index) => break,
                    Tried::Wait => at += 1,
                    Tried::Over => {
                        self.waiting.remove(at);
                        // What waited for it can be settled now.
                        at = 0;
                    }
                    Tried::Started { start, reads } => {
                        self.waiting.remove(at);
                        self.alone = !reads;
                        running.push(start.run());
                    }
                }
            }
            let done = running.next().await?;
            self.alone = false;
            let index = done.index;
            let done = turn.followed(done).await;
            let ending = turn.work.leave(&turn.resources, done);
            self.settle(turn, index);
            if ending.is_some() {
                return ending;
            }
        }
    }

    /// The call that may be started now, as long as nothing speaks against any.
    fn next(&self, at: usize, turn: &Turn) -> Option<usize> {
        let may_start = turn.work.closing.cause().is_none() && !self.alone;
        self.waiting.get(at).copied().filter(|_| may_start)
    }

    /// Starts a call if what it needs is there; `is_first` tells that nothing runs and nothing waits before it.
    async fn try_start(&mut self, turn: &mut Turn, index: usize, is_first: bool) -> Tried {
        let Some(node) = self.nodes.get(index) else {
            return Tried::Over;
        };
        let result_of = |place: usize| self.results.get(place).and_then(Option::as_ref);
        let mut needs = node.needs.iter();
        if let Some((id, _)) = needs.find(|(_, place)| result_of(*place) == Some(&Err(()))) {
            let why = format!("it was not run, because #E{id}, which it needs, brought no result");
            turn.work.ledger.turn_away(index, &why);
            self.settle(turn, index);
            return Tried::Over;
        }
        if node.needs.iter().any(|(_, place)| result_of(*place).is_none()) {
            return Tried::Wait;
        }
        let plan = turn.judge(index, node.filled(&self.results));
        let reads = plan.reads();
        if !reads && !is_first {
            return Tried::Wait;
        }
        let start = match turn.agreeing().ask(plan).await {
            Some(plan) => turn.enter(plan, false),
            None => None,
        };
        let Some(start) = start else {
            self.settle(turn, index);
            return Tried::Over;
        };
        Tried::Started {
            start: Box::new(start),
            reads,
        }
    }

    /// Tells whether a call can be let pass by later ones.
    fn only_reads(&self, turn: &Turn, index: usize) -> bool {
        let node = self.nodes.get(index);
        let entry = node.and_then(|node| turn.resources.catalogue.find(&node.call.tool));
        entry.is_none_or(|entry| entry.tool.read_only)
    }

    /// Keeps what others need of a call that is over.
    fn settle(&mut self, turn: &Turn, index: usize) {
        let record = turn.work.ledger.last_calls().get(index);
        let words = record.and_then(|record| words_of(record, &turn.resources.catalogue));
        if let Some(result) = self.results.get_mut(index) {
            *result = Some(words.ok_or(()));
        }
    }
}

/// The words that stand for a result in other calls: what its tool says, else its only value, else all of it. A call
/// that was made before and not again has the result it had then.
fn words_of(record: &CallRecord, catalogue: &Catalogue) -> Option<String> {
    let seen: Value = serde_json::from_str(&record.observation).ok()?;
    let result = if record.ok { &seen } else { seen.get("earlier")? };
    let members = result.as_object()?;
    if !record.ok && members.contains_key("error") {
        return None;
    }
    let entry = catalogue.find(&record.tool);
    let value = entry.and_then(|entry| members.get(entry.tool.value.as_deref()?));
    let words = value
        .map(text)
        .or_else(|| loquat_conversation::toolbox::words(members));
    Some(words.unwrap_or_else(|| result.to_string()))
}

enum Tried {
    Wait,
    /// It is over without having run.
    Over,
    Started {
        start: Box<Start>,
        reads: bool,
    },
}
