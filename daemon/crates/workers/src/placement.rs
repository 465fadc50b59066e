//! A turn of this device that a worker thinks, as it stands in the stream: which requests its brain was asked, and what came.
//!
//! Only what the broker has stored counts, in the order in which it was stored and without a gap; so whatever this device acts
//! on is known to every worker that goes on with the turn.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use async_nats::Message;
use bytes::Bytes;
use loquat_agent::brain::{BrainError, ChatReply};
use loquat_agent::journal::{Entry, Happened};
use parking_lot::Mutex;
use tokio::sync::watch;
use tokio::time::Instant;

use crate::deeds::Deeds;
use crate::message::{Asked, Piece, Request, Telling, What, run_of};
use crate::requests::{Requests, TooMuch};
use crate::seal::SealKey;
use crate::subjects::TurnSubjects;

/// Requests that the runs of a turn may make; a turn makes no more.
const MOST_REQUESTS: usize = 100_000;

/// Runs of a turn. What so many workers have dropped would be dropped by others too, while the person waits.
const MOST_RUNS: usize = 3;

/// This many bytes of a reply are heard while it is written; the rest is taken from the journal.
const MOST_HEARD: usize = 1 << 20;

/// A piece of a reply counts for this many bytes besides its text.
const PIECE: usize = 64;

/// Replies that are heard while they are written.
const MOST_ASKED: usize = 64;

/// A run that was heard of so lately is at work, and keeps its turn: it says so every half second.
const AT_WORK: Duration = Duration::from_millis(1200);

/// A run that was not heard of for so long is succeeded, where the queue does not do so by itself.
const SUCCEEDED: Duration = Duration::from_millis(1700);

/// A turn that a worker thinks.
#[derive(Debug)]
pub(crate) struct Placement {
    pub(crate) id: String,
    /// The worker whose place counts as taken for it, whichever has it then.
    pub(crate) worker: String,
    pub(crate) key: SealKey,
    pub(crate) subjects: TurnSubjects,
    pub(crate) deeds: Arc<Deeds>,
    /// The order itself. It is in the queue, or will be when the worker that it was offered to fails.
    pub(crate) order: Bytes,
    /// Says whether it was offered to that worker, which may have begun it before it comes into the queue.
    pub(crate) is_offered: bool,
    state: Mutex<State>,
    changed: watch::Sender<()>,
}

#[derive(Debug)]
struct State {
    /// The run that has the turn.
    run: Option<String>,
    /// All runs that had it.
    runs: HashSet<String>,
    /// The worker of the run that has it.
    worker: Option<String>,
    /// Says whether it stands in the queue.
    is_queued: bool,
    /// Requests that were made, by run and serial.
    serials: HashSet<(String, u64)>,
    /// The last stored entry.
    last: u64,
    /// The requests to the brain, without those that no run will answer any more.
    requests: Requests,
    heard: HashMap<String, Heard>,
    /// The moment of the last sign of life of a run.
    sign: Instant,
    /// The moment at which a run last wrote, or took the turn.
    advance: Instant,
    /// Says whether a worker has taken it.
    is_taken: bool,
    lost: Option<String>,
}

/// The pieces that were heard of a reply that is being written.
#[derive(Debug)]
struct Heard {
    asking: u32,
    pieces: Vec<What>,
    bytes: usize,
    /// A piece is missing: all behind it says nothing.
    is_broken: bool,
}

/// Says whether a run is told what it asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Admission {
    Admitted,
    /// Another run has the turn.
    Taken,
    Over,
}

/// The state of a request to the brain.
#[derive(Debug)]
pub(crate) enum Look {
    /// It was answered.
    Replied(Result<ChatReply, BrainError>),
    /// Further pieces of the answer.
    Pieces(Vec<What>),
    /// Nothing is new. `sign` is the moment of the last sign of this request.
    Nothing { sign: Instant, is_taken: bool },
    /// The worker will not answer.
    Lost(String),
}

impl Placement {
    pub(crate) fn new(
        id: String,
        key: SealKey,
        worker: &str,
        subjects: TurnSubjects,
        order: Bytes,
        is_offered: bool,
    ) -> Self {
        let state = State {
            run: None,
            runs: HashSet::new(),
            worker: None,
            is_queued: false,
            serials: HashSet::new(),
            last: 0,
            requests: Requests::default(),
            heard: HashMap::new(),
            sign: Instant::now(),
            advance: Instant::now(),
            is_taken: false,
            lost: None,
        };
        Self {
            id,
            worker: worker.to_owned(),
            key,
            subjects,
            deeds: Arc::default(),
            order,
            is_offered,
            state: Mutex::new(state),
            changed: watch::Sender::default(),
        }
    }

    pub(crate) fn changes(&self) -> watch::Receiver<()> {
        self.changed.subscribe()
    }

    /// The turn goes on without a worker, for good. Whether this is the first that says so.
    pub(crate) fn lose(&self, why: &str) -> bool {
        let mut state = self.state.lock();
        let is_first = state.lost.is_none();
        if is_first {
            state.lost = Some(why.to_owned());
        }
        drop(state);
        self.changed.send_replace(());
        is_first
    }

    /// Tells whether no worker has it any more.
    pub(crate) fn is_lost(&self) -> bool {
        self.state.lock().lost.is_some()
    }

    /// Names the worker of the run that has it.
    pub(crate) fn thinker(&self) -> Option<String> {
        self.state.lock().worker.clone()
    }

    /// Tells whether it has to be put into the queue now; true once. A worker that takes it from there goes on from
    /// what is written.
    pub(crate) fn is_to_be_queued(&self) -> bool {
        let mut state = self.state.lock();
        let is_queued = std::mem::replace(&mut state.is_queued, true);
        state.lost.is_none() && !is_queued
    }

    /// Tells whether its run is silent and no queue would give the turn to another.
    pub(crate) fn needs_successor(&self) -> bool {
        let state = self.state.lock();
        state.is_taken && !state.is_queued && state.lost.is_none() && state.sign.elapsed() >= SUCCEEDED
    }

    /// Tells whether a run may be told this: it has the turn, or takes it now, and has not asked the same before.
    pub(crate) fn admits(&self, run: &str, request: &Request) -> Admission {
        let mut state = self.state.lock();
        let admission = state.admit(run, request);
        drop(state);
        self.changed.send_replace(());
        admission
    }

    /// Takes the next entry, as the broker tells it.
    pub(crate) fn written(&self, message: &Message) {
        let Some(run) = run_of(
            message.headers.as_ref(),
            &self.key,
            &self.subjects.journal,
            &message.payload,
        ) else {
            tracing::warn!("an entry of a turn does not have its seal; it is not heard");
            return;
        };
        let number = |name: &str| -> Option<u64> {
            let value = message.headers.as_ref()?.get(name)?;
            value.as_str().parse().ok()
        };
        let (Some(place), Some(before)) = (number("Nats-Sequence"), number("Nats-Last-Sequence")) else {
            return;
        };
        let mut state = self.state.lock();
        if place <= state.last {
            return;
        }
        let is_known = state.runs.contains(run);
        let entry: Option<Entry> = serde_json::from_slice(&message.payload).ok();
        match entry {
            Some(entry) if is_known && before == state.last => {
                state.last = place;
                state.sign = Instant::now();
                state.advance = state.sign;
                if state.add(entry.happened, message.payload.len()).is_err() {
                    let why = "it has written more than this turn asks for";
                    state.lost.get_or_insert_with(|| why.to_owned());
                }
            }
            _ => {
                let why = "what it wrote did not come here whole";
                state.lost.get_or_insert_with(|| why.to_owned());
            }
        }
        drop(state);
        self.changed.send_replace(());
    }

    /// Takes in what a worker tells while it is at work.
    pub(crate) fn told(&self, message: &Message) {
        let Some(run) = run_of(
            message.headers.as_ref(),
            &self.key,
            &self.subjects.told,
            &message.payload,
        ) else {
            return;
        };
        let Ok(Telling { pieces }) = serde_json::from_slice(&message.payload) else {
            return;
        };
        let mut state = self.state.lock();
        if state.run.as_deref() != Some(run) {
            return;
        }
        state.sign = Instant::now();
        for piece in pieces {
            state.hear(piece);
        }
        drop(state);
        self.changed.send_replace(());
    }

    /// Looks at a request. Each piece is told once; `number` counts those that were told.
    pub(crate) fn look(&self, request: &str, number: &mut Option<u32>, told: usize) -> Look {
        let mut state = self.state.lock();
        if let Some(why) = &state.lost {
            return Look::Lost(why.clone());
        }
        // A run that is gone answers nothing; another asks again.
        if number.is_some_and(|number| !state.requests.has(number)) {
            *number = None;
        }
        if number.is_none() {
            *number = state.requests.claim(request);
        }
        if let Some(reply) = number.and_then(|number| state.requests.take(number)) {
            state.heard.remove(request);
            return Look::Replied(reply);
        }
        let heard = state
            .heard
            .get(request)
            .and_then(|heard| heard.pieces.get(told..));
        match heard {
            Some(pieces) if !pieces.is_empty() => Look::Pieces(pieces.to_vec()),
            // A run that does not ask this lives and is of another mind: it has to come to it, and not only to live.
            _ => Look::Nothing {
                sign: if number.is_some() {
                    state.sign
                } else {
                    state.advance
                },
                is_taken: state.is_taken,
            },
        }
    }
}

impl State {
    fn admit(&mut self, run: &str, request: &Request) -> Admission {
        let is_new =
            self.serials.len() < MOST_REQUESTS && self.serials.insert((run.to_owned(), request.serial));
        if self.lost.is_some() || !is_new {
            return Admission::Over;
        }
        let has_it = self.run.as_deref() == Some(run);
        let Asked::Claim { worker } = &request.asked else {
            if has_it {
                self.sign = Instant::now();
            }
            return if has_it {
                Admission::Admitted
            } else {
                Admission::Taken
            };
        };
        // A run has a turn once: a claim that is heard again is not the run's.
        if self.runs.contains(run) {
            return Admission::Over;
        }
        if self.is_taken && self.sign.elapsed() < AT_WORK {
            return Admission::Taken;
        }
        if self.runs.len() >= MOST_RUNS {
            self.lost = Some(format!("{MOST_RUNS} workers have begun with it and left it"));
            return Admission::Over;
        }
        self.runs.insert(run.to_owned());
        self.run = Some(run.to_owned());
        self.worker = Some(worker.clone());
        self.is_taken = true;
        self.sign = Instant::now();
        self.advance = self.sign;
        Admission::Admitted
    }

    fn add(&mut self, happened: Happened, bytes: usize) -> Result<(), TooMuch> {
        match happened {
            Happened::BrainAsked { number, request } => return self.requests.ask(number, request, bytes),
            Happened::BrainReplied { number, reply } => return self.requests.reply(number, reply, bytes),
            Happened::Crashed { number } => self.requests.forget(number),
            Happened::Resumed => {
                self.requests.forget_open();
                for heard in self.heard.values_mut() {
                    heard.is_broken = true;
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn hear(&mut self, piece: Piece) {
        if self.heard.len() >= MOST_ASKED && !self.heard.contains_key(&piece.request) {
            return;
        }
        let heard = self.heard.entry(piece.request).or_insert_with(|| Heard {
            asking: piece.asking,
            pieces: Vec::new(),
            bytes: 0,
            is_broken: false,
        });
        let is_next = heard.asking == piece.asking && heard.pieces.len() == piece.place as usize;
        heard.bytes += PIECE
            + match &piece.what {
                What::Content(text) | What::Reasoning(text) => text.len(),
                What::Restart => 0,
            };
        heard.is_broken |= !is_next || heard.bytes > MOST_HEARD;
        if !heard.is_broken {
            heard.pieces.push(piece.what);
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::advance;

    use super::*;
    use crate::subjects::Subjects;

    fn placement() -> Placement {
        let subjects = Subjects::of("home").of_turn("kind", "kitchen", "id");
        Placement::new(
            "id".to_owned(),
            SealKey::draw(),
            "cellar.1",
            subjects,
            Bytes::new(),
            true,
        )
    }

    fn request(serial: u64, asked: Asked) -> Request {
        Request {
            placement: "id".to_owned(),
            serial,
            asked,
        }
    }

    fn claim() -> Asked {
        Asked::Claim {
            worker: "cellar.1".to_owned(),
        }
    }

    fn call() -> Asked {
        Asked::Outcome {
            key: "call".to_owned(),
            place: 0,
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_turn_that_run_after_run_has_left_comes_back_to_the_device() {
        let placement = placement();
        let ask = |run: &str, serial, asked| placement.admits(run, &request(serial, asked));
        for run in ["first", "second", "third"] {
            assert_eq!(ask(run, 0, claim()), Admission::Admitted);
            advance(AT_WORK).await;
        }
        assert_eq!(ask("fourth", 0, claim()), Admission::Over);
        assert_eq!(
            ask("third", 1, call()),
            Admission::Over,
            "the device thinks itself"
        );
    }

    #[tokio::test(start_paused = true)]
    async fn a_run_at_work_keeps_its_turn_and_a_silent_one_loses_it_for_good() {
        let placement = placement();
        let ask = |run: &str, serial, asked| placement.admits(run, &request(serial, asked));
        assert_eq!(
            ask("first", 0, call()),
            Admission::Taken,
            "it has not claimed the turn"
        );
        assert_eq!(ask("first", 1, claim()), Admission::Admitted);
        assert_eq!(ask("second", 0, claim()), Admission::Taken);
        advance(AT_WORK).await;
        assert_eq!(ask("second", 1, claim()), Admission::Admitted);
        assert_eq!(ask("first", 2, call()), Admission::Taken, "it was only frozen");
        advance(AT_WORK).await;
        assert_eq!(ask("first", 3, claim()), Admission::Over, "a run has a turn once");
        assert_eq!(ask("second", 2, call()), Admission::Admitted);
        assert_eq!(
            ask("second", 2, call()),
            Admission::Over,
            "a request is good once"
        );
        placement.lose("the turn is over");
        assert_eq!(ask("second", 3, call()), Admission::Over);
    }

    #[tokio::test(start_paused = true)]
    async fn a_turn_that_was_offered_comes_into_the_queue_once_when_its_run_is_silent() {
        let placement = placement();
        advance(SUCCEEDED).await;
        assert!(
            !placement.needs_successor(),
            "nobody has it, and the offer says so"
        );
        placement.admits("first", &request(0, claim()));
        assert!(!placement.needs_successor());
        advance(SUCCEEDED).await;
        assert!(placement.needs_successor());
        assert!(placement.is_to_be_queued());
        assert!(!placement.needs_successor() && !placement.is_to_be_queued());
    }
}
