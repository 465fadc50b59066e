//! The loudness by the program of OVOS that has it, where one is on the bus (`mycroft.volume.*`).
//!
//! One that has not answered is not waited for again within a minute. Knows no sound system.

use std::time::Duration;

use futures_util::future::{BoxFuture, FutureExt};
use loquat_bus::{Bus, Subscription, Topics};
use loquat_skills::volume::{Level, Mixer, MixerError};
use loquat_wire::session::DEFAULT_SESSION_ID;
use loquat_wire::{Message, Session, topic};
use parking_lot::Mutex;
use serde_json::{Value, json};
use tokio::time::{Instant, timeout_at};

/// A program that is there answers at once.
const PATIENCE: Duration = Duration::from_millis(500);

/// After silence the program is taken to be missing for so long.
const ABSENCE: Duration = Duration::from_secs(60);

const SOURCE: &str = "loquat";

/// A card may have few steps, so that it can only come near.
const NEAR: u8 = 5;

/// The program that has the loudness.
#[derive(Debug)]
pub struct OvosLoudness {
    bus: Bus,
    /// When a question was met with silence; absent where the program has answered since.
    silent_since: Mutex<Option<Instant>>,
}

impl OvosLoudness {
    /// On this bus.
    pub fn new(bus: Bus) -> Self {
        let silent_since = Mutex::default();
        Self { bus, silent_since }
    }

    /// What is told after this frame, as soon as it is as wanted; else what was told last.
    async fn ask(
        &self,
        topic: &str,
        data: Value,
        is_wanted: impl Fn(Level) -> bool,
    ) -> Result<Level, MixerError> {
        if self
            .silent_since
            .lock()
            .is_some_and(|since| since.elapsed() < ABSENCE)
        {
            return Err(absent());
        }
        let mut told = self.bus.subscribe(Topics::of([topic::VOLUME_GET_RESPONSE]));
        let mut frame = Message::new(topic, data);
        frame.context.set_source(SOURCE);
        // The program passes over what is not of the device's own session.
        frame.context.set_session(&Session::named(DEFAULT_SESSION_ID));
        self.bus.emit(frame).await.map_err(|_| absent())?;
        let last = told_last(&mut told, is_wanted).await;
        *self.silent_since.lock() = last.is_none().then(Instant::now);
        last.ok_or_else(absent)
    }

    async fn change(
        &self,
        topic: &str,
        data: Value,
        is_wanted: impl Fn(Level) -> bool,
    ) -> Result<(), MixerError> {
        let now = self.ask(topic, data, &is_wanted).await?;
        if is_wanted(now) {
            return Ok(());
        }
        let Level { percent, muted } = now;
        Err(MixerError::Refused(format!(
            "the program of OVOS that has the volume did not do it (it tells {percent} percent, muted: {muted}); see its log"
        )))
    }
}

/// The first that is as wanted, else the last of those that come in time.
async fn told_last(told: &mut Subscription, is_wanted: impl Fn(Level) -> bool) -> Option<Level> {
    let end = Instant::now() + PATIENCE;
    let mut last = None;
    while let Ok(Some(frame)) = timeout_at(end, told.recv()).await {
        last = level(&frame.message).or(last);
        if last.is_some_and(&is_wanted) {
            break;
        }
    }
    last
}

impl Mixer for OvosLoudness {
    fn level(&self) -> BoxFuture<'_, Result<Level, MixerError>> {
        self.ask(topic::VOLUME_GET, json!({}), |_| true).boxed()
    }

    fn set(&self, percent: u8) -> BoxFuture<'_, Result<(), MixerError>> {
        // The program cuts what stands behind the point off after it has multiplied by a hundred, where 0.29 is 28.
        let share = (f64::from(percent.min(100)) + 0.01) / 100.0;
        let data = json!({"percent": share.min(1.0), "play_sound": false});
        self.change(topic::VOLUME_SET, data, move |level| {
            level.percent.abs_diff(percent) <= NEAR
        })
        .boxed()
    }

    fn mute(&self, muted: bool) -> BoxFuture<'_, Result<(), MixerError>> {
        let topic = if muted {
            topic::VOLUME_MUTE
        } else {
            topic::VOLUME_UNMUTE
        };
        self.change(topic, json!({}), move |level| level.muted == muted)
            .boxed()
    }
}

fn absent() -> MixerError {
    MixerError::Absent("no program of OVOS on the bus has the volume (mycroft.volume.get)".to_owned())
}

fn level(told: &Message) -> Option<Level> {
    let share = told.data.get("percent").and_then(Value::as_f64)?;
    let muted = told
        .data
        .get("muted")
        .and_then(Value::as_bool)
        .unwrap_or_default();
    Some(Level {
        percent: (share * 100.0).round().clamp(0.0, 100.0) as u8,
        muted,
    })
}
