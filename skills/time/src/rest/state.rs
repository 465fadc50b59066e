//! Whether the device sleeps or is to be quiet, kept where a restart finds it.
//!
//! Each change is on the disk before it is told. Closes no ear and holds nothing back.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde::{Deserialize, Serialize};
use serde_json::json;
use tokio::sync::{Mutex, watch};

use loquat_kit::calendar::Now;
use loquat_kit::hours::Hours;
use loquat_kit::records::{Change, Records};

/// What its only record is called.
const RECORD: &str = "rest";
const ONLY: &str = "now";

/// What is true at a moment.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Resting {
    /// Nothing but the wake word is heard.
    pub asleep: bool,
    /// Nothing is said unasked.
    pub quiet: bool,
}

/// A while that was chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct Spell {
    /// Absent where the person ends it.
    until: Option<Timestamp>,
}

/// What is on the disk.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Chosen {
    #[serde(default)]
    sleep: Option<Spell>,
    #[serde(default)]
    undisturbed: Option<Spell>,
}

/// How the device rests. Clones are not made: it is shared.
pub struct Rest {
    records: Arc<dyn Records>,
    clock: Now,
    hours: Option<(Hours, TimeZone)>,
    /// Absent until it has been read.
    chosen: Mutex<Option<Chosen>>,
    /// Whether the device sleeps; told whenever that changes.
    asleep: watch::Sender<bool>,
    /// Says whether a voice could not wake the device.
    is_deaf_asleep: AtomicBool,
}

impl fmt::Debug for Rest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rest").finish_non_exhaustive()
    }
}

impl Rest {
    /// As these records have it, by the clock of this machine.
    pub fn new(records: Arc<dyn Records>) -> Self {
        Self::by(records, Arc::new(Timestamp::now))
    }

    pub(super) fn by(records: Arc<dyn Records>, clock: Now) -> Self {
        Self {
            records,
            clock,
            hours: None,
            chosen: Mutex::new(None),
            asleep: watch::channel(false).0,
            is_deaf_asleep: AtomicBool::new(false),
        }
    }

    /// With hours of every day in which it is quiet, in this zone; in the machine's own where none of that name is known.
    #[must_use]
    pub fn with_hours(self, hours: Option<Hours>, zone: Option<&str>) -> Self {
        let zone = zone.and_then(|name| TimeZone::get(name).ok());
        let zone = zone.unwrap_or_else(TimeZone::system);
        let hours = hours.map(|hours| (hours, zone));
        Self { hours, ..self }
    }

    /// Whether the device sleeps, and when that changes.
    pub fn sleep_changes(&self) -> watch::Receiver<bool> {
        self.asleep.subscribe()
    }

    /// Whether no voice could wake the device: it listens, and to no wake word.
    pub fn set_deaf_asleep(&self, is_deaf: bool) {
        self.is_deaf_asleep.store(is_deaf, Ordering::SeqCst);
    }

    pub(super) fn is_deaf_asleep(&self) -> bool {
        self.is_deaf_asleep.load(Ordering::SeqCst)
    }

    /// How it rests at this moment. What has come to its end is over from now on.
    pub async fn now(&self) -> Resting {
        let now = (self.clock)();
        let is_over = |spell: &Spell| spell.until.is_some_and(|until| until <= now);
        let chosen = self
            .with(|chosen| {
                chosen.sleep.take_if(|spell| is_over(spell));
                chosen.undisturbed.take_if(|spell| is_over(spell));
            })
            .await;
        let in_hours = |(hours, zone): &(Hours, TimeZone)| hours.hold(now, zone);
        let asleep = chosen.sleep.is_some();
        Resting {
            asleep,
            quiet: asleep || chosen.undisturbed.is_some() || self.hours.as_ref().is_some_and(in_hours),
        }
    }

    /// Sleeps from now on. One that sleeps already sleeps on as it did.
    pub async fn sleep(&self, until: Option<Timestamp>) {
        self.with(|chosen| {
            chosen.sleep.get_or_insert(Spell { until });
        })
        .await;
    }

    /// Sleeps no more. It may be quiet still.
    pub async fn wake(&self) {
        self.with(|chosen| chosen.sleep = None).await;
    }

    /// Says nothing unasked from now on.
    pub(super) async fn be_quiet(&self, until: Option<Timestamp>) {
        self.with(|chosen| chosen.undisturbed = Some(Spell { until }))
            .await;
    }

    /// Sleeps no more, and is quiet only in the hours of every day.
    pub(super) async fn end(&self) {
        self.with(|chosen| *chosen = Chosen::default()).await;
    }

    /// Changes what was chosen, and tells what holds then. Where it cannot be written, it holds until the next restart.
    async fn with(&self, change: impl FnOnce(&mut Chosen) + Send) -> Chosen {
        let mut kept = self.chosen.lock().await;
        let before = match kept.take() {
            Some(chosen) => chosen,
            None => self.read().await,
        };
        let mut after = before.clone();
        change(&mut after);
        if after != before {
            let written = Change::write(RECORD, ONLY, json!(after));
            if let Err(error) = self.records.change(vec![written]).await {
                tracing::warn!(%error, "whether the device rests is not kept over a restart");
            }
        }
        *kept = Some(after.clone());
        let asleep = after.sleep.is_some();
        self.asleep
            .send_if_modified(|told| std::mem::replace(told, asleep) != asleep);
        after
    }

    async fn read(&self) -> Chosen {
        let read = self.records.all(RECORD).await.unwrap_or_else(|error| {
            tracing::warn!(%error, "failed to read whether the device rests");
            Vec::new()
        });
        let chosen = read.into_iter().find(|(id, _)| id == ONLY);
        let chosen = chosen.map(|(_, value)| serde_json::from_value(value));
        chosen
            .transpose()
            .unwrap_or_else(|error| {
                tracing::error!(%error, "how the device rests cannot be understood");
                None
            })
            .unwrap_or_default()
    }
}
