//! What has been written of a turn, to be looked up when it is run again.

use std::collections::{HashMap, VecDeque};
use std::time::Duration;

use super::{Entry, Happened, Offer, Opening};
use loquat_conversation::brain::{BrainError, ChatReply};
use loquat_conversation::consent::Consent;
use loquat_conversation::intended::IntendedCall;
use loquat_conversation::record::{Reason, Record};
use loquat_conversation::toolbox::{Outcome, ToolError};

/// Says what the journal knows of a request.
#[derive(Debug)]
pub(super) enum Past<T> {
    Unknown,
    Begun,
    /// The request has this outcome, since this time.
    Over(Duration, T),
    /// The request crashed at this time.
    Crashed(Duration),
}

/// Requests of one kind, in the order in which they were made.
#[derive(Debug)]
struct Lane<T> {
    begun: HashMap<String, VecDeque<u32>>,
    over: HashMap<u32, (Duration, Option<T>)>,
}

impl<T> Default for Lane<T> {
    fn default() -> Self {
        Self {
            begun: HashMap::new(),
            over: HashMap::new(),
        }
    }
}

impl<T> Lane<T> {
    fn begin(&mut self, key: String, number: u32) {
        self.begun.entry(key).or_default().push_back(number);
    }

    fn end(&mut self, number: u32, at: Duration, value: Option<T>) {
        self.over.insert(number, (at, value));
    }

    /// The first equal request that has not been taken. One that came to nothing is passed over when the same was asked
    /// again later.
    fn take(&mut self, key: &str) -> Past<T> {
        let Some(numbers) = self.begun.get_mut(key) else {
            return Past::Unknown;
        };
        let mut past = Past::Unknown;
        while let Some(number) = numbers.pop_front() {
            if let Some((at, value)) = self.over.remove(&number) {
                return value.map_or(Past::Crashed(at), |value| Past::Over(at, value));
            }
            past = Past::Begun;
        }
        past
    }

    fn is_spent(&self) -> bool {
        self.begun.values().all(VecDeque::is_empty)
    }
}

/// A turn as it was written down.
#[derive(Debug, Default)]
pub(super) struct Recording {
    pub(super) opening: Option<Opening>,
    /// The time and the reason of a stop from outside; absent where there was none.
    pub(super) stopped: Option<(Duration, Reason)>,
    pub(super) record: Option<Record>,
    /// The time of the last entry.
    pub(super) last: Duration,
    /// Toolboxes that came, by the look at which they had.
    pub(super) came: HashMap<u32, Offer>,
    /// The calls that sentences ask for, by the sentence, and when they were read.
    readings: HashMap<String, (Duration, Option<IntendedCall>)>,
    /// The first number that is free.
    pub(super) free: u32,
    replies: Lane<Result<ChatReply, BrainError>>,
    outcomes: Lane<Result<Outcome, ToolError>>,
    answers: Lane<Consent>,
}

impl Recording {
    pub(super) fn new(entries: Vec<Entry>) -> Self {
        let mut recording = Self::default();
        for entry in entries {
            recording.last = recording.last.max(entry.at);
            recording.add(entry);
        }
        recording
    }

    fn add(&mut self, Entry { at, happened }: Entry) {
        match happened {
            Happened::Opened { opening } => self.opening = Some(*opening),
            Happened::BrainAsked { number, request } => {
                self.replies.begin(request, number);
                self.free = self.free.max(number + 1);
            }
            Happened::ToolCalled { number, call } => {
                self.outcomes.begin(call, number);
                self.free = self.free.max(number + 1);
            }
            Happened::PersonAsked { number, call } => {
                self.answers.begin(call, number);
                self.free = self.free.max(number + 1);
            }
            Happened::BrainReplied { number, reply } => self.replies.end(number, at, Some(reply)),
            Happened::ToolReturned { number, outcome } => self.outcomes.end(number, at, Some(*outcome)),
            Happened::PersonAnswered { number, consent } => self.answers.end(number, at, Some(consent)),
            Happened::Crashed { number } => {
                self.replies.end(number, at, None);
                self.outcomes.end(number, at, None);
            }
            Happened::ToolsCame { look, toolboxes } => {
                self.came.insert(look, toolboxes);
            }
            Happened::Understood { sentence, call } => {
                self.readings.insert(sentence, (at, call.map(|call| *call)));
            }
            Happened::Resumed => self.resumed(),
            Happened::Stopped { reason } => self.stopped = Some((at, reason)),
            Happened::Ended { record } => self.record = Some(*record),
        }
    }

    /// A crash came here. A yes whose call had not begun is forgotten, since a person may no longer mean it. Each call
    /// that had begun after a yes stands for one.
    pub(super) fn resumed(&mut self) {
        let Lane { begun, over } = &mut self.answers;
        for (call, questions) in begun {
            let is_same = |key: &str| {
                key.strip_suffix(call.as_str())
                    .is_some_and(|id| id.ends_with('/'))
            };
            let called = self.outcomes.begun.iter().filter(|(key, _)| is_same(key));
            let mut called: Vec<u32> = called.flat_map(|(_, numbers)| numbers).copied().collect();
            questions.retain(|question| {
                if !matches!(over.get(question), Some((_, Some(Consent::Given)))) {
                    return true;
                }
                let place = called.iter().position(|number| number > question);
                if let Some(place) = place {
                    called.remove(place);
                } else {
                    over.remove(question);
                }
                place.is_some()
            });
        }
    }

    pub(super) fn reply(&mut self, request: &str) -> Past<Result<ChatReply, BrainError>> {
        self.replies.take(request)
    }

    pub(super) fn outcome(&mut self, call: &str) -> Past<Result<Outcome, ToolError>> {
        self.outcomes.take(call)
    }

    pub(super) fn reading(&self, sentence: &str) -> Past<Option<IntendedCall>> {
        match self.readings.get(sentence) {
            Some((at, call)) => Past::Over(*at, call.clone()),
            None => Past::Unknown,
        }
    }

    pub(super) fn answer(&mut self, call: &str) -> Past<Consent> {
        self.answers.take(call)
    }

    /// Tells whether all that was asked has been asked again.
    pub(super) fn is_spent(&self) -> bool {
        self.replies.is_spent() && self.outcomes.is_spent() && self.answers.is_spent()
    }
}
