//! Keeps the connection to a Home Assistant: opened again where it was lost, and each call answered with what is wrong while
//! there is none. Knows no message.

use std::sync::Arc;
use std::time::Duration;

use loquat_failure::Backoff;
use tokio::sync::mpsc;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::link::{Condition, HomeAssistant, Order};
use super::session::Session;

/// A wrong token stays wrong until a person mends it, and Home Assistant may bar who tries too often.
const AFTER_REFUSAL: Duration = Duration::from_secs(60);

/// Waits between two tries to connect.
const BACKOFF: Backoff = Backoff {
    first: Duration::from_secs(1),
    factor: 2,
    longest: Duration::from_secs(60),
    spread: 0.2,
};

impl HomeAssistant {
    /// Keeps a connection until cancelled. Runs once; a second call ends at once.
    pub async fn run(self: Arc<Self>, cancel: CancellationToken) {
        let Some(mut inbox) = self.inbox.lock().take() else {
            return;
        };
        let mut failures = 0;
        while !cancel.is_cancelled() {
            let served = cancel.run_until_cancelled(self.serve_once(&mut inbox)).await;
            let Some((why, was_ready)) = served else { return };
            failures = if was_ready { 0 } else { failures + 1 };
            let is_new = *self.condition.borrow() != why;
            let wait = match &why {
                Condition::Refused(_) => AFTER_REFUSAL,
                _ => BACKOFF.after(failures),
            };
            if is_new {
                tracing::warn!(url = self.settings.url, condition = ?why, "no connection to Home Assistant");
            }
            self.condition.send_replace(why);
            if cancel
                .run_until_cancelled(self.decline(&mut inbox, wait))
                .await
                .is_none()
            {
                return;
            }
        }
    }

    /// One connection from its beginning to its end; tells whether it stood.
    async fn serve_once(&self, inbox: &mut mpsc::Receiver<Order>) -> (Condition, bool) {
        match Session::open(self).await {
            Ok(mut session) => {
                let why = session.serve(inbox).await;
                (Condition::Unreachable(why), true)
            }
            Err(why) => (why, false),
        }
    }

    /// Answers calls with what is wrong until it is time to try again.
    async fn decline(&self, inbox: &mut mpsc::Receiver<Order>, wait: Duration) {
        let declining = async {
            while let Some(order) = inbox.recv().await {
                order.answer.send(Err(self.fault())).ok();
            }
            std::future::pending::<()>().await;
        };
        timeout(wait, declining).await.ok();
    }
}
