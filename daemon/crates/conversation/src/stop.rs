//! Stopping a turn from outside: one end pulls, the other feels it.

use tokio::sync::watch;

use crate::record::Reason;

/// The end that pulls: stops a turn from outside.
#[derive(Debug, Clone)]
pub struct Stopper(watch::Sender<Option<Reason>>);

/// The end that feels the pull.
#[derive(Debug, Clone)]
pub struct StopSignal(watch::Receiver<Option<Reason>>);

/// A pair that stops one turn.
pub fn stop_pair() -> (Stopper, StopSignal) {
    let (sender, receiver) = watch::channel(None);
    (Stopper(sender), StopSignal(receiver))
}

impl Stopper {
    /// Stops the turn; the first reason stands.
    pub fn stop(&self, reason: Reason) {
        self.0.send_if_modified(|current| {
            let first = current.is_none();
            if first {
                *current = Some(reason);
            }
            first
        });
    }
}

impl StopSignal {
    /// Tells why the turn was stopped, if it was.
    pub fn reason(&self) -> Option<Reason> {
        *self.0.borrow()
    }

    /// Waits for the stop. Cancel safe. Pends for ever when the stopper is gone without having stopped anything.
    pub async fn stopped(&mut self) -> Reason {
        let reason = match self.0.wait_for(Option::is_some).await {
            Ok(reason) => *reason,
            Err(_) => None,
        };
        match reason {
            Some(reason) => reason,
            None => std::future::pending().await,
        }
    }
}
