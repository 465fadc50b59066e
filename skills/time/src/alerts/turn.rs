//! What becomes of an alert when it is due: it rings, is done, or is told as missed.
//!
//! Looks at one alert and changes no book.

use super::alert::Alert;
use super::deed::Deed;
use super::now::Now;

/// What is overdue for longer is told and does not ring any more; what rings for longer ends by itself.
pub(super) const LATEST_SECONDS: f64 = 600.0;

/// What has become of an alert.
#[derive(Debug, Clone, PartialEq)]
pub enum Turn {
    /// It rings from now on.
    Rings(Alert),
    /// It was due while the device could not ring.
    Missed(Alert),
    /// It was due while the device was to say nothing unasked.
    Held(Alert),
    /// It has rung for as long as it may.
    Ends(Alert),
    /// It is a deed that is to be done now. It is written down as begun, and stays so until it is taken away.
    Begins(Alert),
}

impl Turn {
    /// What of it stays in the book: what rings or was begun, and else the next one, if it is repeated.
    pub(super) fn kept(&self, now: &Now) -> (u64, Option<Alert>) {
        match self {
            Self::Rings(alert) | Self::Begins(alert) => (alert.id, Some(alert.clone())),
            Self::Missed(alert) | Self::Held(alert) | Self::Ends(alert) => (alert.id, alert.next(now)),
        }
    }

    /// What it is about.
    pub fn alert(&self) -> &Alert {
        match self {
            Self::Rings(alert)
            | Self::Missed(alert)
            | Self::Held(alert)
            | Self::Ends(alert)
            | Self::Begins(alert) => alert,
        }
    }
}

/// What has become of it at this moment; nothing as long as nothing has.
pub(super) fn turned(alert: &Alert, now: &Now) -> Option<Turn> {
    let alert = alert.clone();
    if alert.kind.is_done() {
        return turned_deed(alert, now);
    }
    if let Some(since) = &alert.ringing {
        return (now.seconds_since(since) >= LATEST_SECONDS).then_some(Turn::Ends(alert));
    }
    match alert.overdue(now) {
        ..0.0 => None,
        late if late > LATEST_SECONDS => Some(Turn::Missed(alert)),
        _ => Some(Turn::Rings(Alert {
            ringing: Some(now.clone()),
            ..alert
        })),
    }
}

/// A deed is begun once: one that was begun by a process that has died may have been done.
fn turned_deed(alert: Alert, now: &Now) -> Option<Turn> {
    match alert.overdue(now) {
        _ if alert.has_begun() => Some(Turn::Missed(alert)),
        ..0.0 => None,
        late if late > Deed::latest_seconds(alert.deed.as_ref()) => Some(Turn::Missed(alert)),
        _ => Some(Turn::Begins(Alert {
            ringing: Some(now.clone()),
            ..alert
        })),
    }
}
