//! All timers, alarms, reminders and deeds of the device, kept where a restart finds them.
//!
//! Each change is on the disk before it is told, or it is known that it is not. What is due is handed out once; nothing here makes a sound.

use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::sync::Arc;

use parking_lot::Mutex as Mutexed;
use serde_json::{Value, json};
use tokio::sync::{Mutex, watch};

use super::alert::{Alert, Kind};
use super::event::{Glance, Seen};
use super::now::Now;
use super::told::{Questions, Told};
use super::turn::{LATEST_SECONDS, Turn, turned};
use loquat_kit::records::{Change, Records};

/// How the name of several things ends that has that of one in front, which has so many letters at least.
const PLURALS: [&str; 5] = ["s", "es", "n", "en", "e"];
const SHORTEST: usize = 3;

/// What its records are called.
const RECORD: &str = "alert";

/// What the record of the last id is called, and its field.
const LAST_RECORD: &str = "alert_id";
const LAST: &str = "last";

/// How many there may be.
pub(super) const MOST: usize = 200;

/// What is gone for longer is spoken of no more.
const SPOKEN_OF_SECONDS: f64 = 600.0;

/// So many that were missed are remembered, until the next start.
const MOST_MISSED: usize = 10;

/// Tells the moment; tests stop it.
type Clock = Arc<dyn Fn() -> Now + Send + Sync>;

/// All of them. Clones are not made: it is shared.
pub struct Alerts {
    records: Arc<dyn Records>,
    clock: Clock,
    /// Absent until they have been read.
    book: Mutex<Option<Book>>,
    /// How many ring; told whenever anything changes.
    changed: watch::Sender<usize>,
    /// Those that a person may not have noticed, the last one first.
    missed: Mutexed<VecDeque<Alert>>,
    /// The one that was cancelled or has rung last, and when that was, until the next start.
    gone: Mutexed<Option<(Alert, Now)>>,
    /// The id of the one that was gone and was set again last.
    back: Mutexed<Option<u64>>,
    /// Which were told where it was asked which one is meant.
    told: Mutexed<Questions>,
    /// What they are called, since they were last read or changed.
    names: Mutexed<Vec<(Kind, String)>>,
    /// The routines of the owner by what is said for them, since they were last read or changed.
    routines: Mutexed<BTreeMap<String, Steps>>,
}

/// The sentences of a routine, and their language.
type Steps = (Vec<String>, Option<String>);

/// What is on the disk.
#[derive(Debug, Default)]
struct Book {
    alerts: BTreeMap<u64, Alert>,
    /// The highest id that was ever given: none is given again, even when the clock is set back.
    last_id: u64,
}

impl fmt::Debug for Alerts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Alerts").finish_non_exhaustive()
    }
}

impl Alerts {
    /// Those of these records, by the clocks of this machine.
    pub fn new(records: Arc<dyn Records>) -> Self {
        Self::by(records, Arc::new(Now::read))
    }

    pub(super) fn by(records: Arc<dyn Records>, clock: Clock) -> Self {
        Self {
            records,
            clock,
            book: Mutex::new(None),
            changed: watch::channel(0).0,
            missed: Mutexed::default(),
            gone: Mutexed::default(),
            back: Mutexed::default(),
            told: Mutexed::default(),
            names: Mutexed::default(),
            routines: Mutexed::default(),
        }
    }

    /// Tells of every change, and how many ring then.
    pub fn changes(&self) -> watch::Receiver<usize> {
        self.changed.subscribe()
    }

    /// Whether one rings.
    pub fn is_ringing(&self) -> bool {
        *self.changed.borrow() > 0
    }

    /// The kinds of those with just this name, or with that of several such things, each once; none before they were first read.
    pub(crate) fn kinds_called(&self, name: &str) -> Vec<Kind> {
        let (names, name) = (self.names.lock(), loquat_kit::folded(name));
        let called = names.iter().filter(|(_, known)| is_one_of(&name, known));
        let mut kinds: Vec<Kind> = called.map(|(kind, _)| *kind).collect();
        kinds.sort_by_key(|kind| kind.name());
        kinds.dedup();
        kinds
    }

    /// Whether just one reminder has these words among its own.
    pub(crate) fn reminds_of(&self, words: &str) -> bool {
        let (names, words) = (self.names.lock(), loquat_kit::folded(words));
        let has_all = |name: &str| {
            let own: Vec<&str> = name.split_whitespace().collect();
            words.split_whitespace().all(|word| own.contains(&word))
        };
        let mut found = names
            .iter()
            .filter(|(kind, name)| *kind == Kind::Reminder && has_all(name));
        !words.is_empty() && found.next().is_some() && found.next().is_none()
    }

    /// The sentences that the owner has set for what is said, and their language; none before they were first read.
    pub fn routine(&self, said: &str) -> Option<Steps> {
        self.routines.lock().get(&loquat_kit::folded(said)).cloned()
    }

    pub(super) fn now(&self) -> Now {
        (self.clock)()
    }

    /// All of them, the next one first.
    pub async fn all(&self) -> Vec<Alert> {
        let now = self.now();
        self.with(|book| {
            let mut all: Vec<Alert> = book.alerts.values().cloned().collect();
            all.sort_by(|one, other| other.overdue(&now).total_cmp(&one.overdue(&now)));
            (Vec::new(), all)
        })
        .await
    }

    /// How many seconds are left of one that time makes due; nothing of one that waits for something else or rings.
    pub fn seconds_left(&self, alert: &Alert) -> Option<f64> {
        let waits = matches!(alert.kind, Kind::Trigger | Kind::Routine) || alert.ringing.is_some();
        (!waits).then(|| alert.left(&self.now()))
    }

    /// Adds one, which `make` is given the id for, and tells whether a restart would find it; `None` when there are too many.
    pub(super) async fn add(&self, make: impl FnOnce(u64) -> Alert + Send) -> Option<(Alert, bool)> {
        let change = self.change(|book| {
            if book.alerts.len() >= MOST {
                return (Vec::new(), None);
            }
            // Where the records could not be read, the time keeps a new one from taking the place of an old one.
            let now = self.now().wall.as_second().unsigned_abs();
            let alert = make(now.max(book.last_id + 1));
            (vec![(alert.id, Some(alert.clone()))], Some(alert))
        });
        let (added, is_kept) = change.await;
        added.map(|alert| (alert, is_kept))
    }

    /// Takes one away for a person who sees them all; whether it was there.
    pub async fn cancel(&self, id: u64) -> bool {
        !self.remove(&[id]).await.0.is_empty()
    }

    /// Tells a trigger how it is now with what it waits for, or that its message has come. What happened is written down as begun
    /// before it is told.
    pub async fn see(&self, id: u64, glance: Glance) -> Option<Turn> {
        let now = self.now();
        self.with(|book| {
            let waiting = book.alerts.get(&id).filter(|alert| !alert.has_begun());
            let seen = waiting.and_then(|alert| Some((alert, alert.on.as_ref()?.seen(glance, now.wall))));
            match seen {
                None | Some((_, Seen::Nothing)) => (Vec::new(), None),
                Some((alert, Seen::Noted(event))) => {
                    let noted = Alert {
                        on: Some(event),
                        ..alert.clone()
                    };
                    (vec![(id, Some(noted))], None)
                }
                Some((alert, Seen::Happened(event))) => {
                    let begun = Alert {
                        on: Some(event),
                        ringing: Some(now.clone()),
                        ..alert.clone()
                    };
                    (vec![(id, Some(begun.clone()))], Some(Turn::Begins(begun)))
                }
            }
        })
        .await
    }

    /// A deed that was begun is over: what is left of it is the next one, if it is repeated.
    pub async fn is_over(&self, id: u64) {
        let now = self.now();
        self.with(|book| {
            let begun = book.alerts.get(&id).filter(|alert| alert.has_begun());
            let after = begun.map(|alert| (id, alert.next(&now)));
            (after.into_iter().collect(), ())
        })
        .await;
    }

    /// Takes these away; those that were there, and whether they stay away after a restart.
    pub(super) async fn remove(&self, ids: &[u64]) -> (Vec<Alert>, bool) {
        self.change(|book| {
            let gone: Vec<Alert> = ids.iter().filter_map(|id| book.alerts.get(id).cloned()).collect();
            (gone.iter().map(|alert| (alert.id, None)).collect(), gone)
        })
        .await
    }

    /// Has these be as they were, whether they are there or gone; those that are, and whether a restart would find them. What was
    /// due meanwhile stays gone, since it was told when it was due or is no use any more.
    pub(super) async fn restore(&self, alerts: Vec<Alert>) -> (Vec<Alert>, bool) {
        let now = self.now();
        self.change(|book| {
            let room = MOST.saturating_sub(book.alerts.len());
            let lasting = alerts.into_iter().filter_map(|alert| {
                if alert.ringing.is_none() && alert.overdue(&now) < 0.0 {
                    Some(alert)
                } else {
                    alert.next(&now)
                }
            });
            let back: Vec<Alert> = lasting.take(room).collect();
            let changes = back.iter().map(|alert| (alert.id, Some(alert.clone())));
            (changes.collect(), back)
        })
        .await
    }

    /// Puts this one in the place of the one with its id, false when that is gone meanwhile; and whether a restart would find
    /// it so.
    pub(super) async fn replace(&self, alert: Alert) -> (bool, bool) {
        self.change(|book| {
            if book.alerts.contains_key(&alert.id) {
                (vec![(alert.id, Some(alert))], true)
            } else {
                (Vec::new(), false)
            }
        })
        .await
    }

    /// Makes these what `become_at` says that they are at this moment, and gives each as it was and as it is now; and whether a
    /// restart would find them so. Those that are gone, or of which nothing becomes, stay as they are.
    pub(super) async fn alter(
        &self,
        ids: &[u64],
        become_at: impl Fn(&Alert, &Now) -> Option<Alert> + Send + Sync,
    ) -> (Vec<(Alert, Alert)>, bool) {
        let now = self.now();
        self.change(|book| {
            let known = ids.iter().filter_map(|id| book.alerts.get(id));
            let altered = known.filter_map(|was| Some((was.clone(), become_at(was, &now)?)));
            let altered: Vec<(Alert, Alert)> = altered.collect();
            let changes = altered.iter().map(|(was, is)| (was.id, Some(is.clone())));
            (changes.collect(), altered)
        })
        .await
    }

    /// What has become due or has rung long enough. What rings is written down as such before it is told.
    pub async fn turn(&self) -> Vec<Turn> {
        self.turn_unless(|_| false).await.0
    }

    /// What has become due or has rung long enough, and what of it is held back and stays due. What rings is written down as
    /// such before it is told.
    pub async fn turn_unless(&self, is_held: impl Fn(&Turn) -> bool + Send + Sync) -> (Vec<Turn>, Vec<Turn>) {
        let now = self.now();
        let turned = self.with(|book| {
            let turns = book.alerts.values().filter_map(|alert| turned(alert, &now));
            let (held, turns): (Vec<Turn>, Vec<Turn>) = turns.partition(&is_held);
            let after = turns.iter().map(|turn| turn.kept(&now));
            (after.collect(), (turns, held))
        });
        let (turns, held) = turned.await;
        self.remember_missed(&turns);
        (turns, held)
    }

    /// What became due while the device was off or quiet, and what rang until it was given up.
    fn remember_missed(&self, turns: &[Turn]) {
        let mut missed = self.missed.lock();
        for turn in turns {
            if let Turn::Missed(alert) | Turn::Held(alert) | Turn::Ends(alert) = turn {
                missed.push_front(alert.clone());
            }
        }
        missed.truncate(MOST_MISSED);
    }

    /// What a person may not have noticed since the start, the last one first.
    pub(super) fn missed(&self) -> Vec<Alert> {
        self.missed.lock().iter().cloned().collect()
    }

    /// The timer, alarm or reminder that was cancelled or has rung last, for as long as it is spoken of.
    pub(super) fn gone(&self) -> Option<Alert> {
        let gone = self.gone.lock();
        let (alert, since) = gone.as_ref()?;
        (self.now().seconds_since(since) < SPOKEN_OF_SECONDS).then(|| alert.clone())
    }

    /// The one that was gone is this one now, and gone no more, so that it is not set again twice; where nothing is, nothing that
    /// was set again is spoken of.
    pub(super) fn note_back(&self, alert: Option<&Alert>) {
        if alert.is_some() {
            *self.gone.lock() = None;
        }
        *self.back.lock() = alert.map(|alert| alert.id);
    }

    /// The id of the one that was gone and was set again last.
    pub(super) fn back(&self) -> Option<u64> {
        *self.back.lock()
    }

    fn note_gone(&self, alert: Option<Alert>) {
        let is_spoken_of = |alert: &Alert| matches!(alert.kind, Kind::Timer | Kind::Alarm | Kind::Reminder);
        if let Some(alert) = alert.filter(is_spoken_of) {
            *self.gone.lock() = Some((alert, self.now()));
        }
    }

    /// These were told to a session that is asked which of them is meant.
    pub(super) fn note_told(&self, session_id: &str, told: Vec<Told>) {
        self.told.lock().note(session_id, told);
    }

    /// Those that were told when this session was asked last.
    pub(super) fn told_to(&self, session_id: &str) -> Vec<Told> {
        self.told.lock().of(session_id)
    }

    /// Those that ring.
    pub async fn ringing(&self) -> Vec<Alert> {
        let all = self.all().await;
        all.into_iter().filter(Alert::is_ringing).collect()
    }

    /// Ends the ringing of these; what rang is told.
    pub async fn silence_where(&self, is_meant: impl Fn(&Alert) -> bool + Send + Sync) -> Vec<Alert> {
        let now = self.now();
        self.with(|book| {
            let ringing = book.alerts.values().filter(|alert| alert.is_ringing());
            let rang: Vec<Alert> = ringing.filter(|alert| is_meant(alert)).cloned().collect();
            (
                rang.iter().map(|alert| (alert.id, alert.next(&now))).collect(),
                rang,
            )
        })
        .await
    }

    /// In how many seconds one is due or has rung long enough; `None` when there is none to wait for.
    pub async fn wait_seconds(&self) -> Option<f64> {
        let now = self.now();
        let all = self.all().await;
        let waits = all.iter().filter(|alert| !alert.is_paused());
        let waits = waits.map(|alert| match &alert.ringing {
            Some(since) => LATEST_SECONDS - now.seconds_since(since),
            None => -alert.overdue(&now),
        });
        waits.min_by(f64::total_cmp)
    }

    /// Looks at the book and changes it.
    async fn with<T>(&self, look: impl FnOnce(&Book) -> (Vec<(u64, Option<Alert>)>, T) + Send) -> T {
        self.change(look).await.0
    }

    /// Looks at the book and changes it, and tells whether a restart would find the change. Where it cannot be written, it
    /// holds until then: a timer that rings is better than none.
    async fn change<T>(
        &self,
        look: impl FnOnce(&Book) -> (Vec<(u64, Option<Alert>)>, T) + Send,
    ) -> (T, bool) {
        let mut book = self.book.lock().await;
        if book.is_none() {
            let read = self.read().await;
            self.tell(&read);
            *book = Some(read);
        }
        let book = book.get_or_insert_default();
        let (changes, seen) = look(book);
        if changes.is_empty() {
            return (seen, true);
        }
        let newest = changes
            .iter()
            .map(|(id, _)| *id)
            .filter(|id| *id > book.last_id)
            .max();
        let written = changes.iter().map(|(id, alert)| match alert {
            Some(alert) => Change::write(RECORD, id.to_string(), json!(alert)),
            None => Change::remove(RECORD, id.to_string()),
        });
        let last_id = newest.map(|id| Change::write(LAST_RECORD, LAST, json!(id)));
        let kept = self.records.change(written.chain(last_id).collect()).await;
        if let Err(error) = kept {
            tracing::warn!(%error, "a timer, alarm or reminder is not kept over a restart");
        }
        for (id, alert) in changes {
            match alert {
                Some(alert) => {
                    book.alerts.insert(id, alert);
                }
                None => self.note_gone(book.alerts.remove(&id)),
            }
        }
        book.last_id = newest.unwrap_or(book.last_id);
        self.tell(book);
        (seen, kept.is_ok())
    }

    fn tell(&self, book: &Book) {
        let ringing = book.alerts.values().filter(|alert| alert.is_ringing());
        self.changed.send_replace(ringing.count());
        let names = book.alerts.values().filter_map(|alert| {
            let name = loquat_kit::folded(alert.name.as_deref()?);
            (!name.is_empty()).then_some((alert.kind, name))
        });
        *self.names.lock() = names.collect();
        let routines = book
            .alerts
            .values()
            .filter(|alert| !alert.steps.is_empty() && alert.is_of_owner());
        let routines = routines.filter_map(|alert| {
            let steps = (alert.steps.clone(), alert.person.lang.clone());
            Some((loquat_kit::folded(alert.name.as_deref()?), steps))
        });
        *self.routines.lock() = routines.collect();
    }

    async fn read(&self) -> Book {
        let alerts = self
            .records_of(RECORD)
            .await
            .into_iter()
            .filter_map(|(id, value)| {
                let alert: Result<Alert, _> = serde_json::from_value(value);
                alert
                    .map_err(|error| tracing::error!(id, %error, "an alert cannot be understood"))
                    .ok()
            });
        let alerts: BTreeMap<u64, Alert> = alerts.map(|alert| (alert.id, alert)).collect();
        let given = self.records_of(LAST_RECORD).await.into_iter();
        let given = given.filter_map(|(_, id)| id.as_u64());
        Book {
            last_id: given.chain(alerts.keys().copied()).max().unwrap_or_default(),
            alerts,
        }
    }

    async fn records_of(&self, kind: &'static str) -> Vec<(String, Value)> {
        self.records.all(kind).await.unwrap_or_else(|error| {
            tracing::warn!(%error, "failed to read the timers, alarms and reminders");
            Vec::new()
        })
    }
}

/// Whether a name is that of one of the things that another tells, or the same: the egg is one of the eggs.
fn is_one_of(name: &str, known: &str) -> bool {
    let is_word = name.chars().count() >= SHORTEST;
    let ending = known.strip_prefix(name);
    ending.is_some_and(|ending| ending.is_empty() || is_word && PLURALS.contains(&ending))
}
