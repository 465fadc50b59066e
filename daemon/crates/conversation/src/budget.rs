//! The limits of a turn: steps, tool calls, tokens and wall clock. The first that is hit wins.

use parking_lot::{Mutex, MutexGuard};
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use tokio::time::Instant;

use crate::brain::Usage;
use crate::record::Reason;
use crate::setting::{Setting, whole};
use crate::toolbox::Left;

/// From each used share of its budget on, a brain is told these words.
pub const ADVICE: [(f64, &str); 3] = [
    (
        0.8,
        "Note: the budget of this turn is nearly used up. You must conclude immediately: answer now.",
    ),
    (
        0.7,
        "Note: most of the budget of this turn is used up. Complete the current task soon.",
    ),
    (
        0.5,
        "Note: half of the budget of this turn is used up. Consider wrapping up.",
    ),
];

/// Limits of one turn; the first that is hit wins.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Budget {
    /// Brain calls that may ask for tools. After the last one more is made, with tools withheld.
    pub max_iterations: u32,
    /// Tool calls.
    pub max_tool_calls: u32,
    /// The prompt and completion tokens together; absent is unlimited.
    pub max_tokens: Option<u64>,
    /// The cost of the brain's tokens, in the currency of its prices; absent is unlimited.
    pub max_cost: Option<f64>,
    /// It is the wall clock time in seconds.
    pub deadline_seconds: u64,
}

impl Default for Budget {
    fn default() -> Self {
        Self {
            max_iterations: 10,
            max_tool_calls: 20,
            max_tokens: None,
            max_cost: None,
            deadline_seconds: 60,
        }
    }
}

impl Budget {
    fn max_cost_millionths(&self) -> Option<u64> {
        self.max_cost.map(|cost| (cost.max(0.0) * 1e6) as u64)
    }

    /// The wall clock limit.
    pub fn deadline(&self) -> Duration {
        Duration::from_secs(self.deadline_seconds)
    }

    /// The budget as an engine's limit has it. Less than one step or one second answers nothing, so that zero and
    /// negative numbers count as one.
    #[must_use]
    pub fn with_limit(self, limit: Limit, settings: &Map<String, Value>) -> Self {
        let own = |key| settings.get(key).and_then(whole);
        let max_iterations = match limit {
            Limit::Steps(key) => own(key).unwrap_or(self.max_iterations).max(1),
            Limit::Own(setting) => setting.count_in(settings),
            Limit::Phases => MOST_BRAIN_CALLS,
        };
        Self {
            max_iterations,
            deadline_seconds: self.deadline_seconds.max(1),
            ..self
        }
    }
}

/// Says what limits the brain calls of an engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    /// The budget's steps limit them, or this setting of the engine.
    Steps(&'static str),
    /// This setting of the engine limits them.
    Own(&'static Setting),
    /// Each phase has its own.
    Phases,
}

impl Limit {
    /// The most steps of a turn within another, whose loops may take so many.
    pub fn within(self, steps: u32, settings: &Map<String, Value>) -> u32 {
        match self {
            Self::Steps(_) => steps,
            Self::Own(setting) => setting.count_in(settings),
            Self::Phases => MOST_BRAIN_CALLS,
        }
    }
}

/// An engine of many phases is stopped after this many brain calls. The largest search that anybody waits for is
/// smaller, and without a bound a setting could make the record grow without one.
const MOST_BRAIN_CALLS: u32 = 1_000;

/// Counts what has been used of a budget, and of the budgets that it is a part of. Clones share the account.
#[derive(Debug, Clone)]
pub struct Spending {
    budget: Budget,
    started: Instant,
    deadline: Instant,
    /// Never held across an await.
    spent: Arc<Mutex<Spent>>,
    above: Option<Box<Self>>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Spent {
    steps: u32,
    tool_calls: u32,
    tokens: u64,
    cost_millionths: u64,
    /// The longest brain call so far: the closing one will take about as long.
    slowest: Duration,
}

impl Spending {
    /// Starts counting now.
    pub fn new(budget: Budget) -> Self {
        let started = Instant::now();
        Self {
            budget,
            started,
            deadline: started + budget.deadline().min(LONGEST),
            spent: Arc::default(),
            above: None,
        }
    }

    /// Opens a part of this budget with fewer steps and perhaps less time. What is spent of it is spent of this one
    /// too.
    #[must_use]
    pub fn part(&self, steps: u32, time: Option<Duration>) -> Self {
        let started = Instant::now();
        let own = time.and_then(|time| started.checked_add(time));
        Self {
            budget: Budget {
                max_iterations: steps.max(1),
                ..self.budget
            },
            started,
            deadline: own.map_or(self.deadline, |own| own.min(self.deadline)),
            spent: Arc::default(),
            above: Some(Box::new(self.clone())),
        }
    }

    /// Adds steps to this part alone.
    pub fn grant(&mut self, steps: u32) {
        self.budget.max_iterations = self.budget.max_iterations.saturating_add(steps);
    }

    /// Takes tool calls from this part alone.
    pub fn allow_tool_calls(&mut self, most: u32) {
        self.budget.max_tool_calls = self.budget.max_tool_calls.min(most);
    }

    /// Tells when the counting began.
    pub fn started(&self) -> Instant {
        self.started
    }

    /// The moment at which the turn has to be over.
    pub fn deadline(&self) -> Instant {
        self.deadline
    }

    /// Counts a brain call, what it used and how long it took.
    pub fn count_step(&self, usage: Usage, elapsed: Duration) {
        let tokens = usage.prompt_tokens.saturating_add(usage.completion_tokens);
        self.each(|account| {
            let mut spent = account.spent();
            spent.steps += 1;
            spent.slowest = spent.slowest.max(elapsed);
            spent.tokens = spent.tokens.saturating_add(tokens);
            spent.cost_millionths = spent.cost_millionths.saturating_add(usage.cost_millionths);
        });
    }

    /// Counts what brains were asked for a tool call.
    pub fn count_usage(&self, usage: Usage) {
        let tokens = usage.prompt_tokens.saturating_add(usage.completion_tokens);
        self.each(|account| {
            let mut spent = account.spent();
            spent.tokens = spent.tokens.saturating_add(tokens);
            spent.cost_millionths = spent.cost_millionths.saturating_add(usage.cost_millionths);
        });
    }

    /// Tells what is left of the time, the tokens and the cost, of this budget and of those above it.
    pub fn left(&self) -> Left {
        let (mut tokens, mut millionths): (Option<u64>, Option<u64>) = (None, None);
        self.each(|account| {
            let spent = *account.spent();
            let less = |known: Option<u64>, most: Option<u64>, spent: u64| {
                let own = most.map(|most| most.saturating_sub(spent));
                known.into_iter().chain(own).min()
            };
            tokens = less(tokens, account.budget.max_tokens, spent.tokens);
            millionths = less(
                millionths,
                account.budget.max_cost_millionths(),
                spent.cost_millionths,
            );
        });
        Left {
            time: self.remaining(),
            tokens,
            cost: millionths.map(|millionths| millionths as f64 / 1e6),
        }
    }

    /// Counts a tool call if there is one left.
    pub fn take_tool_call(&self) -> bool {
        let mut left = true;
        self.each(|account| left &= account.spent().tool_calls < account.budget.max_tool_calls);
        self.each(|account| account.spent().tool_calls += u32::from(left));
        left
    }

    /// Tells how many tool calls there may be.
    pub fn max_tool_calls(&self) -> u32 {
        self.budget.max_tool_calls
    }

    /// The limit that leaves room for nothing but the closing answer, if one does.
    pub fn exhausted(&self) -> Option<Reason> {
        let spent = *self.spent();
        let own = if spent.steps >= self.budget.max_iterations {
            Some(Reason::MaxIterations)
        } else if spent.tool_calls >= self.budget.max_tool_calls && spent.tool_calls > 0 {
            Some(Reason::MaxToolCalls)
        } else if self.budget.max_tokens.is_some_and(|most| spent.tokens >= most) {
            Some(Reason::CriticalTokens)
        } else if self
            .budget
            .max_cost_millionths()
            .is_some_and(|most| spent.cost_millionths >= most)
        {
            // What a turn may cost is a limit of its tokens, too.
            Some(Reason::CriticalTokens)
        } else if spent.steps > 0 && self.remaining() < spent.slowest + spent.slowest / 4 {
            Some(Reason::Deadline)
        } else {
            None
        };
        own.or_else(|| self.above.as_ref().and_then(|above| above.exhausted()))
    }

    /// Tells how much time is left.
    pub fn remaining(&self) -> Duration {
        self.deadline().saturating_duration_since(Instant::now())
    }

    /// Words for the brain near the end of the budget, of which its window is a part: `crowding` tells how full it
    /// is.
    pub fn advisory(&self, crowding: f64) -> Option<&'static str> {
        let used = self.pressure().max(crowding);
        let fitting = ADVICE.iter().find(|(from, _)| used >= *from);
        fitting.map(|(_, advice)| *advice)
    }

    /// The largest used share of any limit, 0.0 to 1.0 and beyond.
    fn pressure(&self) -> f64 {
        let spent = *self.spent();
        let share = |used: u64, most: u64| used as f64 / most.max(1) as f64;
        let whole = self.deadline.saturating_duration_since(self.started);
        let time = self.started.elapsed().as_secs_f64() / whole.as_secs_f64().max(1.0);
        let above = self.above.as_ref().map_or(0.0, |above| above.pressure());
        [
            share(spent.steps.into(), self.budget.max_iterations.into()),
            share(spent.tool_calls.into(), self.budget.max_tool_calls.into()),
            self.budget
                .max_tokens
                .map_or(0.0, |most| share(spent.tokens, most)),
            self.budget
                .max_cost_millionths()
                .map_or(0.0, |most| share(spent.cost_millionths, most)),
            time,
            above,
        ]
        .into_iter()
        .fold(0.0, f64::max)
    }

    /// A thread that panicked while it counted leaves at worst a number that is too small.
    fn spent(&self) -> MutexGuard<'_, Spent> {
        self.spent.lock()
    }

    /// Acts on this account and all those above it.
    fn each(&self, mut act: impl FnMut(&Self)) {
        let mut next = Some(self);
        while let Some(account) = next {
            act(account);
            next = account.above.as_deref();
        }
    }
}

/// No turn waits longer. This also keeps the sum with the starting time in range.
const LONGEST: Duration = Duration::from_secs(7 * 24 * 3600);

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn limited(settings: &Value) -> u32 {
        let settings = settings.as_object().cloned().unwrap_or_default();
        Budget::default()
            .with_limit(Limit::Steps("max_iterations"), &settings)
            .max_iterations
    }

    #[test]
    fn the_engines_own_limit_wins_and_is_at_least_one() {
        assert_eq!(limited(&json!({})), 10);
        assert_eq!(limited(&json!({"max_iterations": 3})), 3);
        assert_eq!(limited(&json!({"max_iterations": "3"})), 3);
        assert_eq!(limited(&json!({"max_iterations": 0})), 1);
        assert_eq!(limited(&json!({"max_iterations": -5})), 1);
        assert_eq!(limited(&json!({"max_iterations": "many"})), 10);
        let none = Budget {
            max_iterations: 0,
            deadline_seconds: 0,
            ..Budget::default()
        }
        .with_limit(Limit::Steps("max_iterations"), &Map::new());
        assert_eq!((none.max_iterations, none.deadline_seconds), (1, 1));
    }

    fn after(steps: u32, slowest: Duration) -> Spending {
        let spending = Spending::new(Budget::default());
        *spending.spent() = Spent {
            steps,
            slowest,
            ..Spent::default()
        };
        spending
    }

    #[tokio::test(start_paused = true)]
    async fn advice_comes_at_its_six_boundaries() {
        let advice = |steps| {
            after(steps, Duration::ZERO)
                .advisory(0.0)
                .map(|text| text.split(". ").last().unwrap_or_default())
        };
        assert_eq!(advice(4), None);
        assert_eq!(advice(5), Some("Consider wrapping up."));
        assert_eq!(advice(6), Some("Consider wrapping up."));
        assert_eq!(advice(7), Some("Complete the current task soon."));
        assert_eq!(advice(8), Some("You must conclude immediately: answer now."));
    }

    #[tokio::test(start_paused = true)]
    async fn a_slow_brain_is_asked_to_close_in_time() {
        let spending = after(1, Duration::from_secs(20));
        assert_eq!(spending.exhausted(), None);
        tokio::time::advance(Duration::from_secs(36)).await;
        assert_eq!(spending.exhausted(), Some(Reason::Deadline));
    }

    #[tokio::test(start_paused = true)]
    async fn what_a_part_spends_the_whole_has_spent() {
        let whole = Spending::new(Budget {
            max_tool_calls: 2,
            ..Budget::default()
        });
        let one = whole.part(3, Some(Duration::from_secs(20)));
        let other = whole.part(3, None);
        assert!(one.take_tool_call() && other.take_tool_call());
        assert!(!one.take_tool_call() && !whole.take_tool_call());
        assert_eq!(other.exhausted(), Some(Reason::MaxToolCalls));
        assert_eq!(one.remaining(), Duration::from_secs(20));
        assert_eq!(other.remaining(), Duration::from_secs(60));
    }

    #[tokio::test(start_paused = true)]
    async fn what_a_tool_asked_brains_for_is_spent_of_the_whole() {
        let whole = Spending::new(Budget {
            max_tokens: Some(100),
            max_cost: Some(1.0),
            ..Budget::default()
        });
        let part = whole.part(3, Some(Duration::from_secs(20)));
        part.count_usage(Usage {
            prompt_tokens: 50,
            completion_tokens: 20,
            cost_millionths: 250_000,
            ..Usage::default()
        });
        assert_eq!(whole.exhausted(), None, "no step was taken");
        let left = part.left();
        assert_eq!((left.time, left.tokens), (Duration::from_secs(20), Some(30)));
        assert!(left.cost.is_some_and(|cost| (cost - 0.75).abs() < 1e-9));
        part.count_usage(Usage {
            prompt_tokens: 30,
            ..Usage::default()
        });
        assert_eq!(whole.exhausted(), Some(Reason::CriticalTokens));
    }

    #[tokio::test(start_paused = true)]
    async fn an_engine_of_phases_has_limits_of_its_own() {
        const SET: Setting = Setting::count("max_follow_ups", 8, 1..=100, "");
        const UNSET: Setting = Setting::count("other", 8, 1..=100, "");
        let settings = Map::from_iter([("max_follow_ups".to_owned(), Value::from(3))]);
        let limited = |limit| Budget::default().with_limit(limit, &settings).max_iterations;
        assert_eq!(limited(Limit::Own(&SET)), 3);
        assert_eq!(limited(Limit::Own(&UNSET)), 8);
        assert_eq!(limited(Limit::Phases), MOST_BRAIN_CALLS);
    }
}
