//! Running calls that depend on each other's results: each starts as soon as what it needs is there.
//!
//! Calls that only read run at once; one that may change something runs alone, after all before it and before all
//! behind it.

use std::time::Duration;

use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use serde_json::{Map, Value};

use super::{Ending, Flow, Turn, act};
use crate::gate::text;
use crate::hands::observation;
use crate::record::CallRecord;
use loquat_decoder::{Arguments, Call, fill, references};

/// A call and the results it is made with.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Node {
    /// The call, whose arguments may name results.
    pub(crate) call: Call,
    /// The number by which others name its result.
    id: usize,
    /// The names it uses, and the places of the calls that they mean.
    needs: Vec<(usize, usize)>,
}

impl Node {
    /// Calls that need nothing of each other.
    pub(crate) fn apart(calls: Vec<Call>) -> Vec<Self> {
        let calls = calls.into_iter().enumerate();
        calls
            .map(|(index, call)| Self {
                call,
                id: index + 1,
                needs: Vec::new(),
            })
            .collect()
    }

    /// The calls of one step, where each but the first names the result of an earlier one; nothing where they do not.
    /// Only `#E1` is such a name there: `$1` and `#1` may be what the person said.
    pub(crate) fn chain(calls: &[Call]) -> Option<Vec<Self>> {
        if calls.len() < 2 {
            return None;
        }
        let nodes = Self::linked(numbered(calls.to_vec()));
        let follows = |node: &Self| {
            !node.needs.is_empty() && all_arguments(&node.call.arguments).to_string().contains("#E")
        };
        let later = nodes.iter().skip(1).all(follows);
        later.then_some(nodes)
    }

    /// Calls with the numbers of their results. A name of a later result, or of none, is no name.
    pub(crate) fn linked(calls: Vec<(usize, Call)>) -> Vec<Self> {
        let mut nodes: Vec<Self> = Vec::with_capacity(calls.len());
        for (id, call) in calls {
            let named = references(&all_arguments(&call.arguments));
            let place = |id: usize| nodes.iter().rposition(|earlier| earlier.id == id);
            let needs = named
                .into_iter()
                .filter_map(|id| Some((id, place(id)?)))
                .collect();
            nodes.push(Self { call, id, needs });
        }
        nodes
    }

    /// The call with its number, in one line.
    pub(crate) fn words(&self) -> String {
        let arguments = all_arguments(&self.call.arguments);
        format!("#E{} = {} {arguments}", self.id, self.call.tool)
    }

    /// The places of the calls whose results it needs.
    #[cfg(test)]
    pub(crate) fn needs(&self) -> Vec<usize> {
        self.needs.iter().map(|(_, place)| *place).collect()
    }

    /// The call with the results in it.
    fn filled(&self, results: &[Option<Words>]) -> Call {
        let words = |id: usize| {
            let (_, place) = self.needs.iter().find(|(named, _)| *named == id)?;
            results.get(*place)?.as_ref()?.as_ref().ok().cloned()
        };
        let object = |members: &Map<String, Value>| match fill(&Value::Object(members.clone()), &words) {
            Value::Object(filled) => filled,
            _ => Map::new(),
        };
        let arguments = match &self.call.arguments {
            Arguments::Named(named) => Arguments::Named(object(named)),
            Arguments::Single(value) => Arguments::Single(fill(value, &words)),
            Arguments::Listed { positional, named } => Arguments::Listed {
                positional: positional.iter().map(|value| fill(value, &words)).collect(),
                named: object(named),
            },
            Arguments::Broken(why) => Arguments::Broken(why.clone()),
        };
        Call {
            arguments,
            ..self.call.clone()
        }
    }
}

/// Calls with the numbers by which others name their results.
pub(crate) fn numbered(calls: Vec<Call>) -> Vec<(usize, Call)> {
    let calls = calls.into_iter().enumerate();
    calls.map(|(index, call)| (index + 1, call)).collect()
}

/// All values among the arguments, to look for names in.
fn all_arguments(arguments: &Arguments) -> Value {
    match arguments {
        Arguments::Named(named) => Value::Object(named.clone()),
        Arguments::Single(value) => value.clone(),
        Arguments::Listed { positional, named } => {
            let named = named.values().cloned();
            Value::Array(positional.iter().cloned().chain(named).collect())
        }
        Arguments::Broken(_) => Value::Null,
    }
}

/// The words of a call, or that it brought nothing.
type Words = Result<String, ()>;

impl Turn {
    /// Runs the calls of the step that is under way and shows the brain what came of them, one observation each.
    ///
    /// Tells of each call whether it brought a result. When this is dropped, the end of the turn closes the open ones.
    pub(crate) async fn act_as_graph(&mut self, nodes: Vec<Node>) -> Flow<Vec<bool>> {
        for node in &nodes {
            self.open(&node.call);
        }
        let (ending, brought) = self.run_graph(&nodes, false).await;
        self.close_open_calls("it was not run, because the turn ended before");
        self.note_failures();
        self.show();
        match ending {
            Some(ending) => Err(ending),
            None => Ok(brought),
        }
    }

    /// Runs calls whose records are open, and tells of each whether it brought a result. With `is_whole` the last one
    /// brings the whole answer.
    pub(super) async fn run_graph(&mut self, nodes: &[Node], is_whole: bool) -> (Option<Ending>, Vec<bool>) {
        let mut results: Vec<Option<Words>> = vec![None; nodes.len()];
        let ending = self.run_nodes(nodes, is_whole, &mut results).await;
        let brought = results.iter().map(|result| matches!(result, Some(Ok(_))));
        (ending, brought.collect())
    }

    async fn run_nodes(
        &mut self,
        nodes: &[Node],
        is_whole: bool,
        results: &mut [Option<Words>],
    ) -> Option<Ending> {
        let mut running = FuturesUnordered::new();
        let mut waiting: Vec<usize> = (0..nodes.len()).collect();
        let mut alone = false;
        loop {
            let mut at = 0;
            while let Some(index) = waiting
                .get(at)
                .copied()
                .filter(|_| self.closing.reason.is_none() && !alone)
            {
                let first = at == 0 && running.is_empty();
                let is_whole = is_whole && index + 1 == nodes.len();
                match self.try_start(nodes, index, results, first, is_whole).await {
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

    /// Starts a call if what it needs is there; `first` tells that nothing runs and nothing waits before it, `is_whole` that
    /// it is to bring the whole answer.
    async fn try_start(
        &mut self,
        nodes: &[Node],
        index: usize,
        results: &mut [Option<Words>],
        first: bool,
        is_whole: bool,
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
        let plan = self.judge(index, node.filled(results), is_whole);
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
        let words = value.map(text).or_else(|| observation::words(members));
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
