//! Sends a reply to the client that waits for it. Never waits for ever for a client that does not read, and notices when it is
//! gone.

use std::time::Duration;

use tokio::runtime::Handle;
use tokio::sync::mpsc::error::TrySendError;

use super::job::{Event, Job};

/// A client may leave its reply unread for this long before it counts as gone. The model serves no other client
/// meanwhile.
const PATIENCE: Duration = Duration::from_secs(30);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Gone;

#[derive(Debug)]
pub(crate) struct Reply<'job> {
    job: &'job Job,
    runtime: &'job Handle,
}

impl<'job> Reply<'job> {
    /// Opens the way back for this job.
    pub(crate) fn new(job: &'job Job, runtime: &'job Handle) -> Self {
        Self { job, runtime }
    }

    /// Tells whether anybody still waits.
    pub(crate) fn check(&self) -> Result<(), Gone> {
        if self.job.cancel.is_cancelled() || self.job.events.is_closed() {
            return Err(Gone);
        }
        Ok(())
    }

    /// Sends an event, waiting for a slow reader for a while.
    pub(crate) fn send(&self, event: Event) -> Result<(), Gone> {
        self.check()?;
        match self.job.events.try_send(event) {
            Ok(()) => Ok(()),
            Err(TrySendError::Closed(_)) => Err(Gone),
            Err(TrySendError::Full(event)) => self.runtime.block_on(self.wait_and_send(event)),
        }
    }

    async fn wait_and_send(&self, event: Event) -> Result<(), Gone> {
        tokio::select! {
            biased;
            () = self.job.cancel.cancelled() => Err(Gone),
            sent = tokio::time::timeout(PATIENCE, self.job.events.send(event)) => match sent {
                Ok(Ok(())) => Ok(()),
                Ok(Err(_)) => Err(Gone),
                Err(_) => {
                    tracing::warn!("a client did not read its reply and is given up");
                    Err(Gone)
                }
            },
        }
    }
}
