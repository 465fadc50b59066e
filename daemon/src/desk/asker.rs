//! The person as a turn sees them: takes its questions to the desk, one at a time, and asks again where that is due.

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use loquat_agent::consent::{Consent, Person, Request};
use secrecy::SecretString;
use tokio::sync::{Semaphore, mpsc, oneshot};

use super::pin_lock::PinLock;

/// A call that waits for a yes.
#[derive(Debug)]
pub(super) struct Question {
    pub(super) request: Request,
    pub(super) attempt: Attempt,
    pub(super) answer: oneshot::Sender<Answer>,
}

/// Why it is asked now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Attempt {
    /// For the first time.
    First,
    /// What was said to it was not clear.
    Unclear,
    /// The PIN that was said to it was wrong.
    WrongPin,
}

/// What was said to it.
#[derive(Debug)]
pub(super) enum Answer {
    /// This, and nothing is left to be asked.
    Consent(Consent),
    /// Neither yes nor no.
    Unclear,
    /// A PIN that has to be compared.
    Pin(SecretString),
}

/// Takes the questions of a turn and of all turns within it to the desk. A session has one turn at a time, so this also
/// keeps the order of what its person is asked.
pub(super) struct Asker {
    questions: mpsc::Sender<Question>,
    patience: Duration,
    lock: Arc<PinLock>,
    /// Who holds it asks. Closed once a question was met with silence, or could not be asked.
    floor: Semaphore,
}

impl Asker {
    pub(super) fn new(questions: mpsc::Sender<Question>, patience: Duration, lock: Arc<PinLock>) -> Self {
        Self {
            questions,
            patience,
            lock,
            floor: Semaphore::new(1),
        }
    }

    async fn ask(&self, request: &Request) -> Consent {
        // Each question before this one is over when the patience is, and all are when the turn stops or its time is up,
        // since that drops them.
        let Ok(_permit) = self.floor.acquire().await else {
            return Consent::Unclear;
        };
        let mut attempt = Attempt::First;
        let mut was_unclear = false;
        loop {
            match self.put(request, attempt).await {
                Answer::Consent(consent) => {
                    if consent == Consent::Barred {
                        self.floor.close();
                    }
                    return consent;
                }
                Answer::Unclear if was_unclear => return Consent::Unclear,
                Answer::Unclear => {
                    was_unclear = true;
                    attempt = Attempt::Unclear;
                }
                Answer::Pin(pin) => {
                    if self.lock.opens(pin).await {
                        return Consent::Given;
                    }
                    // The desk tells, once it is locked.
                    attempt = Attempt::WrongPin;
                }
            }
        }
    }

    async fn put(&self, request: &Request, attempt: Attempt) -> Answer {
        let (answer, heard) = oneshot::channel();
        let question = Question {
            request: request.clone(),
            attempt,
            answer,
        };
        if self.questions.send(question).await.is_err() {
            return Answer::Consent(Consent::Unclear);
        }
        match tokio::time::timeout(self.patience, heard).await {
            Ok(Ok(answer)) => answer,
            Ok(Err(_)) => Answer::Consent(Consent::Unclear),
            Err(_) => {
                // No person is there, or a late yes would be taken for the answer to the next question.
                self.floor.close();
                Answer::Consent(Consent::Unclear)
            }
        }
    }
}

impl Person for Asker {
    fn consents<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Consent> {
        Box::pin(self.ask(request))
    }
}
