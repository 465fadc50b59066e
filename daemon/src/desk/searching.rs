//! Utterances of which it is not known yet whose they are, so that a stop reaches them too.
//!
//! A search may wait for skills for seconds, and a skill may decline what it was brought. Whoever says stop meanwhile
//! wants no answer afterwards. Never decides whose an utterance is.

use std::collections::HashMap;

use loquat_wire::Message;
use tokio_util::sync::CancellationToken;

/// Searches and dispatches under way, by utterance. There are no more than things under way.
#[derive(Debug, Default)]
pub(super) struct Searching(HashMap<String, OnItsWay>);

#[derive(Debug)]
struct OnItsWay {
    session_id: String,
    called_off: CancellationToken,
    /// The skill that is at work on it.
    skill_id: Option<String>,
    /// Tells the dispatch that its skill was told to stop.
    stopped: CancellationToken,
}

impl Searching {
    /// It is being found out whose an utterance is. The token tells when it is called off.
    pub(super) fn begin(&mut self, entry: &Message) -> CancellationToken {
        self.insert(entry, None).called_off.clone()
    }

    /// A skill has an utterance. The token tells when the skill was told to stop.
    pub(super) fn bring(&mut self, entry: &Message, skill_id: &str) -> CancellationToken {
        self.insert(entry, Some(skill_id.to_owned())).stopped.clone()
    }

    fn insert(&mut self, entry: &Message, skill_id: Option<String>) -> &OnItsWay {
        let id = entry.context.utterance_id().unwrap_or_default().to_owned();
        let on_its_way = OnItsWay {
            session_id: entry.context.session_id().to_owned(),
            called_off: CancellationToken::new(),
            skill_id,
            stopped: CancellationToken::new(),
        };
        self.0.entry(id).insert_entry(on_its_way).into_mut()
    }

    /// It has arrived, or come back. Whether it was called off on the way.
    pub(super) fn over(&mut self, entry: &Message) -> bool {
        let id = entry.context.utterance_id().unwrap_or_default();
        let over = self.0.remove(id);
        over.is_some_and(|on_its_way| on_its_way.called_off.is_cancelled())
    }

    /// How much is under way in a session.
    pub(super) fn count(&self, session_id: &str) -> usize {
        self.of(session_id).count()
    }

    /// Whether it is being found out whose an utterance of a session is.
    pub(super) fn is_searching(&self, session_id: &str) -> bool {
        self.of(session_id)
            .any(|on_its_way| on_its_way.skill_id.is_none())
    }

    /// Calls off what is under way in a session. A skill that is at work goes on, unless it comes back without having
    /// wanted it.
    pub(super) fn call_off(&self, session_id: &str) {
        for on_its_way in self.of(session_id) {
            on_its_way.called_off.cancel();
        }
    }

    /// A skill was told to stop in a session; without one, all were.
    pub(super) fn stop(&self, session_id: &str, skill_id: Option<&str>) {
        let meant = |on_its_way: &&OnItsWay| skill_id.is_none() || on_its_way.skill_id.as_deref() == skill_id;
        for on_its_way in self.of(session_id).filter(meant) {
            on_its_way.stopped.cancel();
        }
    }

    fn of(&self, session_id: &str) -> impl Iterator<Item = &OnItsWay> {
        let all = self.0.values();
        all.filter(move |on_its_way| on_its_way.session_id == session_id)
    }

    /// Calls off everything.
    pub(super) fn call_all_off(&self) {
        for on_its_way in self.0.values() {
            on_its_way.called_off.cancel();
        }
    }
}
