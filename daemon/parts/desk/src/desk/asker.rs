//! The person as a turn sees them: takes its questions to the desk, one at a time, and asks again where that is due.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use futures_util::future::BoxFuture;
use loquat_agent::consent::{Consent, Person, Request};
use loquat_mind::deed;
use loquat_phrases::Phrases;
use secrecy::SecretString;
use tokio::sync::{Semaphore, mpsc, oneshot, watch};
use tokio::time::{Instant, sleep_until};

use super::consent::Wanted;
use super::pin_lock::{PinGuesser, PinLock};

/// Who hears of more in one question forgets the first.
const MOST_TOGETHER: usize = 3;

/// Characters of a question about several calls; a longer one is forgotten while it is said.
const LONGEST_TOGETHER: usize = 400;

/// Questions of one turn. Each behind the first wants its number for a yes, and numbers of more digits are not heard well.
const MOST_QUESTIONS: u32 = 9;

/// Calls that wait for a yes.
#[derive(Debug)]
pub(super) struct Question {
    /// It is the first of them.
    pub(super) request: Request,
    /// They are all of them in words.
    pub(super) deeds: Arc<[String]>,
    pub(super) wanted: Wanted,
    pub(super) attempt: Attempt,
    pub(super) answer: oneshot::Sender<Answer>,
    /// Until when an answer is waited for, which is told once the question is put, and when it has been spoken.
    pub(super) deadline: watch::Sender<Instant>,
}

/// Why it is asked now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Attempt {
    /// It asks for the first time.
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
    /// It was neither yes nor no.
    Unclear,
    /// A PIN that has to be compared, and who has said it.
    Pin(SecretString, PinGuesser),
}

/// Takes the questions of a turn and of all turns within it to the desk. A session has one turn at a time, so this also
/// keeps the order of what its person is asked.
pub(super) struct Asker {
    questions: mpsc::Sender<Question>,
    lang: String,
    patience: Duration,
    lock: Arc<PinLock>,
    /// Who holds it asks. Closed once a question was met with silence, or could not be asked.
    floor: Semaphore,
    /// Questions of the turn that got their yes.
    agreed: AtomicU32,
}

impl Asker {
    pub(super) fn new(
        questions: mpsc::Sender<Question>,
        lang: String,
        patience: Duration,
        lock: Arc<PinLock>,
    ) -> Self {
        Self {
            questions,
            lang,
            patience,
            lock,
            floor: Semaphore::new(1),
            agreed: AtomicU32::new(0),
        }
    }

    async fn ask(&self, request: &Request, deeds: Vec<String>) -> Consent {
        // Each question before this one is over when the patience is, and all are when the turn stops or its time is up,
        // since that drops them.
        let Ok(_permit) = self.floor.acquire().await else {
            return Consent::Unclear;
        };
        let number = self.agreed.load(Ordering::Relaxed) + 1;
        let wanted = match number {
            _ if request.pin => Wanted::Pin,
            1 => Wanted::Yes,
            2..=MOST_QUESTIONS => Wanted::Number(number),
            _ => {
                tracing::warn!(
                    tool = request.tool,
                    "a tool is not run: its turn has asked its person too often"
                );
                return Consent::Unclear;
            }
        };
        let consent = self.ask_until_clear(request, deeds.into(), wanted).await;
        match consent {
            Consent::Given => {
                self.agreed.fetch_add(1, Ordering::Relaxed);
            }
            Consent::Barred => self.floor.close(),
            Consent::Refused | Consent::Unclear => {}
        }
        consent
    }

    async fn ask_until_clear(&self, request: &Request, deeds: Arc<[String]>, wanted: Wanted) -> Consent {
        let mut attempt = Attempt::First;
        let mut was_unclear = false;
        loop {
            match self.put(request, &deeds, wanted, attempt).await {
                Answer::Consent(consent) => return consent,
                Answer::Unclear if was_unclear => return Consent::Unclear,
                Answer::Unclear => {
                    was_unclear = true;
                    attempt = Attempt::Unclear;
                }
                Answer::Pin(pin, guesser) => {
                    if self.lock.opens(pin, &guesser).await {
                        return Consent::Given;
                    }
                    // The desk tells, once it is locked.
                    attempt = Attempt::WrongPin;
                }
            }
        }
    }

    async fn put(
        &self,
        request: &Request,
        deeds: &Arc<[String]>,
        wanted: Wanted,
        attempt: Attempt,
    ) -> Answer {
        let (answer, heard) = oneshot::channel();
        let (deadline, until) = watch::channel(Instant::now() + self.patience);
        let question = Question {
            request: request.clone(),
            deeds: Arc::clone(deeds),
            wanted,
            attempt,
            answer,
            deadline,
        };
        if self.questions.send(question).await.is_err() {
            return Answer::Consent(Consent::Unclear);
        }
        tokio::select! {
            biased;
            answer = heard => answer.unwrap_or(Answer::Consent(Consent::Unclear)),
            () = passed(until) => {
                // No person is there, or a late yes would be taken for the answer to the next question.
                self.floor.close();
                Answer::Consent(Consent::Unclear)
            }
        }
    }

    /// What it would do, in words; nothing where it cannot be said, and is not asked.
    fn deed(&self, request: &Request) -> Option<String> {
        deed::whole(&request.tool, request.told(), Phrases::of(&self.lang)).ok()
    }

    async fn ask_about_all(&self, requests: &[Request]) -> Vec<Consent> {
        let mut answers = Vec::new();
        while let Some(rest) = requests.get(answers.len()..).filter(|rest| !rest.is_empty()) {
            let deeds = self.together(rest);
            let (Some(first), Some(_)) = (rest.first(), deeds.first()) else {
                answers.push(Consent::Unclear);
                break;
            };
            let count = deeds.len();
            let consent = self.ask(first, deeds).await;
            answers.extend(std::iter::repeat_n(consent, count));
            if consent != Consent::Given {
                break;
            }
        }
        answers
    }

    /// So many of the first calls, in words, as can be kept in mind at once. One that wants a PIN is asked about alone.
    fn together(&self, requests: &[Request]) -> Vec<String> {
        let mut deeds = Vec::new();
        let mut length = 0;
        for request in requests.iter().take(MOST_TOGETHER) {
            let Some(deed) = self.deed(request) else {
                break;
            };
            length += deed.chars().count();
            if !deeds.is_empty() && (request.pin || length > LONGEST_TOGETHER) {
                break;
            }
            deeds.push(deed);
            if request.pin {
                break;
            }
        }
        deeds
    }
}

/// Waits until the deadline has passed, which may be moved meanwhile.
async fn passed(mut until: watch::Receiver<Instant>) {
    loop {
        let deadline = *until.borrow_and_update();
        tokio::select! {
            () = sleep_until(deadline) => return,
            moved = until.changed() => if moved.is_err() {
                return sleep_until(deadline).await;
            },
        }
    }
}

impl Person for Asker {
    fn consents<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Consent> {
        Box::pin(async move {
            match self.deed(request) {
                Some(deed) => self.ask(request, vec![deed]).await,
                None => Consent::Unclear,
            }
        })
    }

    fn consents_to_all<'a>(&'a self, requests: &'a [Request]) -> BoxFuture<'a, Vec<Consent>> {
        Box::pin(self.ask_about_all(requests))
    }
}
