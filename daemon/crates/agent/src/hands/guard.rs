//! Notices when a brain makes the same call again and again.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Map, Value};

/// An unchanged call that may have effects, or that failed, runs this often before it is turned away. It is two,
/// because "louder" twice is a wish and a second try a hope; a third is a loop. A small brain that has seen what its call brought
/// has no such wish: it makes the call again because it cannot find its answer, so that the deed would be done twice.
const MOST_RUNS: u32 = 2;

/// The guard's advice about a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Advice {
    Run,
    /// Do not run it: it would bring what it brought before.
    Known {
        observation: Arc<str>,
        /// Says whether that was a result.
        ok: bool,
    },
    /// Do not run it, and end the loop.
    Loop,
}

#[derive(Debug, Default)]
struct Past {
    runs: u32,
    refused: u32,
    /// The last observation, and how many writing calls had run by then.
    seen: Option<(Arc<str>, u32)>,
    ok: bool,
}

/// Remembers the calls of a turn.
#[derive(Debug, Default)]
pub(crate) struct Guard {
    past: BTreeMap<String, Past>,
    /// Calls that may have changed something: after one a reading call may bring something new.
    writes: u32,
}

impl Guard {
    /// Tells whether a call should run. `harmless` tells that running it again changes nothing, `small` that a small brain makes it.
    pub(crate) fn advise(&mut self, key: &str, harmless: bool, small: bool) -> Advice {
        let writes = self.writes;
        let past = self.past.entry(key.to_owned()).or_default();
        let unchanged = past.seen.as_ref().is_some_and(|(_, then)| *then == writes);
        if harmless && !unchanged && past.ok {
            past.refused = 0;
            return Advice::Run;
        }
        let most = if (harmless || small) && past.ok {
            1
        } else {
            MOST_RUNS
        };
        if past.runs < most {
            return Advice::Run;
        }
        past.refused += 1;
        match &past.seen {
            Some((observation, _)) if past.refused == 1 => Advice::Known {
                observation: Arc::clone(observation),
                ok: past.ok,
            },
            _ => Advice::Loop,
        }
    }

    /// Begins a new conversation: what was turned away in another one is no sign of a loop in this one.
    pub(crate) fn forgive(&mut self) {
        for past in self.past.values_mut() {
            past.refused = 0;
        }
    }

    /// Notes that a call that was advised upon is being run, so that an equal one of the same step is judged rightly.
    pub(crate) fn begin(&mut self, key: &str, harmless: bool) {
        self.writes += u32::from(!harmless);
        if let Some(past) = self.past.get_mut(key) {
            past.runs += 1;
        }
    }

    /// Notes what a call brought.
    pub(crate) fn end(&mut self, key: &str, observation: Arc<str>, ok: bool) {
        let writes = self.writes;
        if let Some(past) = self.past.get_mut(key) {
            past.seen = Some((observation, writes));
            past.ok = ok;
        }
    }
}

/// Gives one key to all calls that mean one thing: tool and arguments, whatever their order.
pub(crate) fn key(tool: &str, arguments: &Map<String, Value>) -> String {
    let sorted: BTreeMap<&String, &Value> = arguments.iter().collect();
    [tool, " ", &serde_json::to_string(&sorted).unwrap_or_default()].concat()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn run(guard: &mut Guard, key: &str, harmless: bool, ok: bool) -> Advice {
        let advice = guard.advise(key, harmless, false);
        if advice == Advice::Run {
            guard.begin(key, harmless);
            guard.end(key, "{}".into(), ok);
        }
        advice
    }

    fn known(ok: bool) -> Advice {
        let observation = "{}".into();
        Advice::Known { observation, ok }
    }

    #[test]
    fn a_reading_call_runs_once_until_something_changes() {
        let mut guard = Guard::default();
        assert_eq!(run(&mut guard, "volume", true, true), Advice::Run);
        assert_eq!(run(&mut guard, "volume", true, true), known(true));
        assert_eq!(run(&mut guard, "louder", false, true), Advice::Run);
        assert_eq!(run(&mut guard, "volume", true, true), Advice::Run);
        assert_eq!(run(&mut guard, "volume", true, true), known(true));
        assert_eq!(run(&mut guard, "volume", true, true), Advice::Loop);
    }

    #[test]
    fn a_writing_or_failing_call_runs_twice() {
        let mut guard = Guard::default();
        let advice: Vec<Advice> = (0..4).map(|_| run(&mut guard, "louder", false, true)).collect();
        assert_eq!(advice, [Advice::Run, Advice::Run, known(true), Advice::Loop]);
        let advice: Vec<Advice> = (0..4).map(|_| run(&mut guard, "read", true, false)).collect();
        assert_eq!(advice, [Advice::Run, Advice::Run, known(false), Advice::Loop]);
    }

    #[test]
    fn a_writing_call_of_a_small_brain_that_was_done_is_not_done_again() {
        let mut guard = Guard::default();
        let mut advise = |ok: Option<bool>| {
            let advice = guard.advise("louder", false, true);
            guard.begin("louder", false);
            if let Some(ok) = ok {
                guard.end("louder", "{}".into(), ok);
            }
            advice
        };
        // Two in one step, of which the first has not ended, are a wish; one that failed is tried again.
        assert_eq!([advise(None), advise(Some(false))], [Advice::Run, Advice::Run]);
        let mut guard = Guard::default();
        let mut advise = |ok: bool| {
            let advice = guard.advise("louder", false, true);
            if advice == Advice::Run {
                guard.begin("louder", false);
                guard.end("louder", "{}".into(), ok);
            }
            advice
        };
        assert_eq!(
            [advise(false), advise(true), advise(true)],
            [Advice::Run, Advice::Run, known(true)]
        );
    }

    #[test]
    fn equal_calls_have_equal_keys() {
        let one = json!({"a": 1, "b": 2});
        let other = json!({"b": 2, "a": 1});
        assert_eq!(
            key("add", one.as_object().unwrap()),
            key("add", other.as_object().unwrap())
        );
    }
}
