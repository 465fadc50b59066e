//! Calls of this page that wait for a yes, and who may answer each: the browser that began its turn. Runs no call.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use loquat_agent::consent::{Consent, Request};
use parking_lot::{Mutex, MutexGuard};
use tokio::sync::oneshot;

use super::session::Session;

/// Turns of this page that are known as such.
const MOST_TURNS: usize = 200;

/// A call that waits.
#[derive(Debug)]
pub(super) struct Asked {
    pub(super) request: Request,
    pub(super) by: Arc<Session>,
    answer: oneshot::Sender<Consent>,
}

/// All that wait, by their turns.
#[derive(Debug, Default)]
pub(super) struct Questions {
    asked: Mutex<HashMap<String, Asked>>,
    /// Turns and questions of this page, and the secrets of the browsers that began them.
    of_page: Mutex<VecDeque<(String, String)>>,
}

impl Questions {
    /// A browser begins a turn, or types a question.
    pub(super) fn begin(&self, turn_id: &str, session: &Session) {
        let mut turns = self.of_page.lock();
        if turns.len() >= MOST_TURNS {
            turns.pop_front();
        }
        turns.push_back((turn_id.to_owned(), session.secret().to_owned()));
    }

    /// A turn answers a question that a browser has typed: it is as begun by that.
    pub(super) fn goes_on(&self, question: &str, turn_id: &str) {
        let mut turns = self.of_page.lock();
        let by = turns.iter().find(|(known, _)| known == question);
        if let Some(by) = by.map(|(_, secret)| secret.clone()) {
            if turns.len() >= MOST_TURNS {
                turns.pop_front();
            }
            turns.push_back((turn_id.to_owned(), by));
        }
    }

    /// Tells whether this browser has begun the turn, or typed the question.
    pub(super) fn is_of(&self, session: &Session, turn_id: &str) -> bool {
        let turns = self.of_page.lock();
        turns
            .iter()
            .any(|(known, secret)| known == turn_id && secret == session.secret())
    }

    /// A call waits from now on; its answer comes by what is returned.
    pub(super) fn ask(&self, request: &Request, by: Arc<Session>) -> oneshot::Receiver<Consent> {
        let (answer, answered) = oneshot::channel();
        let request = request.clone();
        let turn_id = request.turn_id.clone();
        let asked = Asked { request, by, answer };
        self.asked.lock().insert(turn_id, asked);
        answered
    }

    /// The call of a turn waits no more.
    pub(super) fn take_back(&self, turn_id: &str) {
        self.asked.lock().remove(turn_id);
    }

    /// Locks all that wait, by their turns.
    pub(super) fn asked(&self) -> MutexGuard<'_, HashMap<String, Asked>> {
        self.asked.lock()
    }

    /// Takes the answer of a browser; false where nothing waits for it.
    pub(super) fn answer(&self, session: &Session, turn_id: &str, call_id: &str, consent: Consent) -> bool {
        let mut asked = self.asked.lock();
        let is_meant = asked
            .get(turn_id)
            .is_some_and(|asked| asked.request.call_id == call_id && asked.by.secret() == session.secret());
        let asked = is_meant.then(|| asked.remove(turn_id)).flatten();
        asked.is_some_and(|asked| asked.answer.send(consent).is_ok())
    }
}
