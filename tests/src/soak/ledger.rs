//! What has come of each utterance of a soak, as it was seen on the bus.

use std::collections::HashMap;
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::Instant;

use super::errand::{Effects, Errand};
use crate::frame::{Frame, REPEATED, without_mark};
use crate::turn::{HANDLED, Utterance};

/// How far an utterance has come.
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Progress {
    /// Its sender has heard it on the bus.
    pub(super) echoed: bool,
    /// The daemon has said something of it.
    pub(super) taken: bool,
    /// It has an end.
    pub(super) ended: bool,
    /// The daemon was killed while it could write nothing.
    pub(super) forgettable: bool,
}

/// A daemon that has just come back has not found the tools of others yet, nor everybody who was there.
const CONVALESCENCE: Duration = Duration::from_secs(3);

/// One utterance.
pub(super) struct Entry {
    pub(super) errand: Errand,
    pub(super) progress: Progress,
    /// A fault happened before its end.
    pub(super) touched: bool,
    /// It was said again under another number.
    pub(super) replaced: bool,
    /// Its sender sent the same frame again, for want of an echo.
    pub(super) sent_again: bool,
    pub(super) ends: usize,
    /// What was said, once for each frame that is no repetition of another.
    pub(super) answers: Vec<String>,
    /// Repetitions for older peers.
    pub(super) twins: usize,
    /// Frames that were seen and may be repeated.
    seen: Vec<u64>,
    watch: watch::Sender<Progress>,
}

/// All utterances and what the tool did.
#[derive(Debug, Default)]
pub(super) struct Ledger {
    entries: Mutex<HashMap<u64, Entry>>,
    last_fault: Mutex<Option<Instant>>,
    /// A fault lasts: what is said meanwhile may be refused.
    is_in_need: AtomicBool,
    pub(super) effects: Effects,
}

impl fmt::Debug for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{:?}, {} ends, answers {:?} with {} twins, {:?}",
            self.errand, self.ends, self.answers, self.twins, self.progress
        )?;
        for (holds, what) in [
            (self.touched, "touched by a fault"),
            (self.replaced, "said again"),
            (self.sent_again, "sent again"),
        ] {
            if holds {
                write!(f, ", {what}")?;
            }
        }
        Ok(())
    }
}

impl Entry {
    fn new(errand: Errand, touched: bool) -> Self {
        Self {
            errand,
            progress: Progress::default(),
            touched,
            replaced: false,
            sent_again: false,
            ends: 0,
            answers: Vec::new(),
            twins: 0,
            seen: Vec::new(),
            watch: watch::channel(Progress::default()).0,
        }
    }

    fn hear(&mut self, frame: &Frame) {
        if frame.is_entry() {
            self.progress.echoed = true;
        } else {
            self.progress.taken = true;
            let counts = frame.topic == HANDLED || frame.is_speak();
            if counts && !self.is_repetition(frame) {
                self.count(frame);
            }
        }
        self.watch.send_replace(self.progress);
    }

    fn count(&mut self, frame: &Frame) {
        if frame.topic == HANDLED {
            self.ends += 1;
            self.progress.ended = true;
        } else if frame.is_twin() {
            self.twins += 1;
        } else {
            self.answers.push(frame.utterance().to_owned());
        }
    }

    /// Tells whether a frame says that it is sent again, and the first was seen.
    fn is_repetition(&mut self, frame: &Frame) -> bool {
        let mut hasher = DefaultHasher::new();
        let context = without_mark(&frame.context);
        format!("{} {} {context}", frame.topic, frame.data).hash(&mut hasher);
        let own = hasher.finish();
        let known = self.seen.contains(&own);
        self.seen.push(own);
        known && frame.context.get(REPEATED).is_some()
    }
}

impl Ledger {
    /// An utterance is about to be said.
    pub(super) fn open(&self, utterance: &Utterance, errand: Errand) -> watch::Receiver<Progress> {
        let last = *self.last_fault();
        let is_recent = last.is_some_and(|last| last.elapsed() < CONVALESCENCE);
        let entry = Entry::new(errand, is_recent || self.is_in_need.load(Ordering::Relaxed));
        let progress = entry.watch.subscribe();
        self.lock().insert(utterance.number(), entry);
        progress
    }

    /// A frame was on the bus.
    pub(super) fn hear(&self, frame: &Frame) {
        let Some(number) = Utterance::number_of(frame) else {
            return;
        };
        if let Some(entry) = self.lock().get_mut(&number) {
            entry.hear(frame);
        }
    }

    /// A fault happens now; whether the daemon is killed while it can write nothing.
    pub(super) fn touch(&self, forgettable: bool) {
        self.healed();
        for entry in self.lock().values_mut().filter(|entry| !entry.progress.ended) {
            entry.touched = true;
            entry.progress.forgettable |= forgettable;
            entry.watch.send_replace(entry.progress);
        }
    }

    /// From now on a fault lasts, or none does.
    pub(super) fn set_in_need(&self, is_in_need: bool) {
        self.is_in_need.store(is_in_need, Ordering::Relaxed);
    }

    /// A fault is over now.
    pub(super) fn healed(&self) {
        *self.last_fault() = Some(Instant::now());
    }

    /// Changes what is written of an utterance.
    pub(super) fn note(&self, utterance: &Utterance, change: impl FnOnce(&mut Entry)) {
        if let Some(entry) = self.lock().get_mut(&utterance.number()) {
            change(entry);
        }
    }

    /// Shows all utterances.
    pub(super) fn each(&self, look: impl FnMut(&Entry)) {
        self.lock().values().for_each(look);
    }

    fn last_fault(&self) -> MutexGuard<'_, Option<Instant>> {
        self.last_fault.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<u64, Entry>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
