//! Says aloud when the state cannot be written or was damaged: once, and again only after it was well in between.
//!
//! A person who is not told would wonder why the device does less than before. Nothing here looks at the disk.

use std::sync::Arc;
use std::time::Duration;

use loquat_bus::Bus;
use loquat_phrases::Phrases;
use loquat_skills::rest::Rest;
use loquat_state::{Condition, Trouble};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use crate::spoken;

/// How often it is looked whether what was held back may be said.
const LOOK_AGAIN: Duration = Duration::from_secs(30);

/// Tells the person in the device's own session and language, until cancelled.
pub async fn run(
    bus: Bus,
    lang: String,
    mut condition: watch::Receiver<Condition>,
    rest: Arc<Rest>,
    cancel: CancellationToken,
) {
    let mut told = Condition::default();
    loop {
        let now = *condition.borrow_and_update();
        let words = news(told, now, Phrases::of(&lang));
        let is_held = words.is_some() && rest.now().await.quiet;
        if let Some(words) = words.filter(|_| !is_held) {
            if let Err(error) = bus.emit(spoken::remark(words, &lang)).await {
                tracing::warn!(%error, "failed to say how the disk fares");
            }
        }
        if !is_held {
            told = now;
        }
        tokio::select! {
            biased;
            () = cancel.cancelled() => return,
            () = tokio::time::sleep(LOOK_AGAIN), if is_held => {}
            changed = condition.changed() => if changed.is_err() { return cancel.cancelled().await },
        }
    }
}

fn news(told: Condition, now: Condition, phrases: &Phrases) -> Option<&str> {
    match (told.trouble, now.trouble) {
        (None, Some(Trouble::Full)) => Some(&phrases.disk_full),
        (None, Some(Trouble::Locked | Trouble::Unwritable)) => Some(&phrases.disk_unwritable),
        _ if now.damages > told.damages => Some(&phrases.notes_damaged),
        _ => None,
    }
}

/// What systemd's status line says of it; empty when all is well.
pub fn remark(condition: Condition) -> &'static str {
    match condition.trouble {
        None => "",
        Some(Trouble::Full) => {
            "; the disk is full, so nothing is written down and no tool that changes something may run"
        }
        Some(Trouble::Locked) => "; another program has the state file locked",
        Some(Trouble::Unwritable) => "; the state file cannot be written",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_is_said_once() {
        let phrases = Phrases::of("en");
        let well = Condition::default();
        let with = |trouble| Condition {
            trouble: Some(trouble),
            ..well
        };
        let full = with(Trouble::Full);
        assert_eq!(news(well, full, phrases), Some(phrases.disk_full.as_str()));
        assert_eq!(news(full, full, phrases), None);
        assert_eq!(news(full, with(Trouble::Unwritable), phrases), None);
        assert_eq!(news(full, well, phrases), None);
        let damaged = Condition { damages: 1, ..well };
        assert_eq!(news(well, damaged, phrases), Some(phrases.notes_damaged.as_str()));
        assert_eq!(news(damaged, damaged, phrases), None);
    }
}
