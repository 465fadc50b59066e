//! The life of the client: connect, serve, wait, and connect again until told to stop.

use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use loquat_failure::with_causes;
use tokio::time::{Instant, interval, sleep};
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;
use tokio_util::sync::CancellationToken;
use tracing::{debug, error, info, warn};

use super::connection::{Connection, Traffic};
use super::failures::Failures;
use super::handshake::connect;
use super::{BusActor, TURN};
use crate::link::Link;
use crate::state::{ConnectError, ConnectionState};

impl BusActor {
    /// Runs the client until the token is cancelled; then what waits is sent, if there is a connection, and a close
    /// frame. Returns within [`farewell`](super::ClientOptions::farewell) of the cancellation.
    ///
    /// Dropping the future ends the client at once, without a farewell.
    pub async fn run(mut self, stop: CancellationToken) {
        let url = self.address.url();
        let mut failures = Failures::new(self.address.is_of_this_machine());
        let mut traffic = Traffic::new();
        while let Some((error, wait)) = self.attempt(&url, &mut failures, &mut traffic, &stop).await {
            self.report(error, wait, failures.count());
            tokio::select! {
                biased;
                () = stop.cancelled() => break,
                () = self.turning(sleep(wait)) => {}
            }
        }
        let unsent = self.outbox.len() + traffic.again.len();
        if unsent > 0 {
            warn!(
                unsent,
                url, "the bus client ended with messages that it could not send"
            );
        }
    }

    /// Tries once to connect and, if that succeeds, serves the connection. `None` when told to stop.
    async fn attempt(
        &mut self,
        url: &str,
        failures: &mut Failures,
        traffic: &mut Traffic,
        stop: &CancellationToken,
    ) -> Option<(ConnectError, Duration)> {
        let attempt = failures.count();
        self.shared
            .state
            .send_replace(ConnectionState::Connecting { attempt });
        let link = tokio::select! {
            biased;
            () = stop.cancelled() => return None,
            link = self.turning(connect(&self.address, self.options.connect_timeout)) => link,
        };
        match link {
            Err(error) => Some((error, failures.failed())),
            Ok(link) => {
                failures.connected();
                let since = Instant::now();
                let error = self.serve(link, url, traffic, stop).await.err()?;
                Some((error, failures.broke(since.elapsed())))
            }
        }
    }

    /// Waits for something that ends in any case, and shows meanwhile that the actor turns.
    async fn turning<T>(&self, wait: impl Future<Output = T>) -> T {
        let mut wait = pin!(wait);
        let mut tick = interval(TURN);
        loop {
            tokio::select! {
                biased;
                done = &mut wait => return done,
                _ = tick.tick() => self.shared.beat(),
            }
        }
    }

    async fn serve(
        &mut self,
        link: Link,
        url: &str,
        traffic: &mut Traffic,
        stop: &CancellationToken,
    ) -> Result<(), ConnectError> {
        let number = self.shared.counters.connections.fetch_add(1, Ordering::Relaxed) + 1;
        info!(url, number, "connected to the bus");
        let mut connection = Connection {
            link,
            url,
            options: &self.options,
            shared: &self.shared,
            outbox: &mut self.outbox,
            traffic,
            pinged_at: None,
        };
        let result = connection.serve(number, stop).await;
        if let Err(error) = &result {
            self.recover(error, traffic);
        }
        result
    }

    /// Keeps what the lost connection did not deliver, ahead of what still waited to be sent again.
    fn recover(&self, error: &ConnectError, traffic: &mut Traffic) {
        let too_big = matches!(error, ConnectError::Closed { code: Some(code), .. } if *code == u16::from(CloseCode::Size));
        let (mut again, lost) = traffic.receipts.take_unreceived(too_big);
        again.append(&mut traffic.again);
        traffic.again = again;
        if lost > 0 {
            self.shared
                .counters
                .undeliverable
                .fetch_add(lost, Ordering::Relaxed);
            error!(lost, too_big, "gave up messages that the bus does not take");
        }
    }

    fn report(&self, error: ConnectError, retry_in: Duration, attempt: u32) {
        let chain = with_causes(&error);
        if attempt <= 1 {
            warn!(error = chain, ?retry_in, "no connection to the bus");
        } else {
            debug!(
                error = chain,
                ?retry_in,
                attempt,
                "still no connection to the bus"
            );
        }
        self.shared.state.send_replace(ConnectionState::Disconnected {
            error: Arc::new(error),
            attempt,
            retry_in,
        });
    }
}

impl Drop for BusActor {
    fn drop(&mut self) {
        self.shared.subscribers.close();
        self.shared.state.send_replace(ConnectionState::Stopped);
    }
}
