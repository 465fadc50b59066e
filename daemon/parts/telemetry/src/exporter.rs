//! The way of spans to the collector: made of events, gathered, sent, and dropped where it is away. Knows no shape of a span.

use std::time::Duration;

use loquat_failure::with_causes;
use loquat_part::events::News;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{broadcast, mpsc};
use tokio::time::{MissedTickBehavior, timeout};
use tokio_util::sync::CancellationToken;

use super::otlp;
use super::settings::CollectorUrl;
use super::spans::{Span, Spans};

/// Spans that wait to be sent; further ones are dropped.
const WAITING: usize = 2_048;

/// Spans in one request.
const BATCH: usize = 256;

/// Finished spans are gathered for this long and then sent together.
const PERIOD: Duration = Duration::from_secs(2);

/// The first wait after a failure, and the longest.
const PAUSES: (Duration, Duration) = (Duration::from_secs(2), Duration::from_secs(60));

/// A collector that is there answers sooner.
const PATIENCE: Duration = Duration::from_secs(5);

/// At the end the last spans have this long to be sent.
const FAREWELL: Duration = Duration::from_secs(1);

/// Makes spans of events, until cancelled.
pub(super) async fn follow(
    content: bool,
    mut news: broadcast::Receiver<News>,
    finished: mpsc::Sender<Span>,
    cancel: CancellationToken,
) {
    let mut spans = Spans::new(content);
    let mut dropped = 0_u64;
    loop {
        let heard = tokio::select! {
            biased;
            () = cancel.cancelled() => break,
            heard = news.recv() => heard,
        };
        match heard {
            Ok(news) => {
                for span in spans.take(&news) {
                    dropped += u64::from(finished.try_send(span).is_err());
                }
            }
            Err(RecvError::Lagged(missed)) => tracing::debug!(missed, "spans lost events"),
            Err(RecvError::Closed) => break,
        }
    }
    if dropped > 0 {
        tracing::info!(dropped, "spans that the collector did not take were dropped");
    }
}

/// Makes the queue from the task that follows turns to the task that sends spans.
pub(super) fn queue() -> (mpsc::Sender<Span>, mpsc::Receiver<Span>) {
    mpsc::channel(WAITING)
}

/// Sends spans to the collector, until cancelled. That it is away is told once, and that it is back.
pub(super) async fn send(endpoint: String, mut spans: mpsc::Receiver<Span>, cancel: CancellationToken) {
    let mut tick = tokio::time::interval(PERIOD);
    tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let client = match client() {
        Ok(client) => client,
        Err(error) => {
            tracing::warn!(error = with_causes(&error), "no spans are sent");
            return;
        }
    };
    let (mut pause, mut is_away) = (PAUSES.0, false);
    while cancel.run_until_cancelled(tick.tick()).await.is_some() {
        while let Some(batch) = next(&mut spans) {
            let sent = cancel.run_until_cancelled(post(&client, &endpoint, &batch)).await;
            match sent {
                None => break,
                Some(Ok(())) => {
                    if std::mem::take(&mut is_away) {
                        tracing::info!(endpoint, "the collector takes spans again");
                    }
                    pause = PAUSES.0;
                }
                Some(Err(why)) => {
                    if !std::mem::replace(&mut is_away, true) {
                        tracing::warn!(
                            endpoint,
                            why,
                            "failed to send spans; they are dropped until the collector of telemetry.endpoint takes them"
                        );
                    }
                    cancel.run_until_cancelled(tokio::time::sleep(pause)).await;
                    pause = (pause * 2).min(PAUSES.1);
                }
            }
        }
    }
    if !is_away && let Some(batch) = next(&mut spans) {
        // What is not taken in time is dropped as ever.
        drop(timeout(FAREWELL, post(&client, &endpoint, &batch)).await);
    }
}

/// Takes as many waiting spans as one request holds, if there are any.
fn next(spans: &mut mpsc::Receiver<Span>) -> Option<Vec<Span>> {
    let mut batch = Vec::new();
    while batch.len() < BATCH
        && let Ok(span) = spans.try_recv()
    {
        batch.push(span);
    }
    (!batch.is_empty()).then_some(batch)
}

/// Sends no span, to see whether the collector takes it.
pub(super) async fn probe(endpoint: &CollectorUrl) -> Result<(), String> {
    let client = client().map_err(|error| with_causes(&error))?;
    post(&client, &endpoint.traces(), &[]).await
}

fn client() -> reqwest::Result<reqwest::Client> {
    // A collector is named by the settings, and by nothing that it answers.
    let builder = loquat_tls::http_client().timeout(PATIENCE);
    builder.redirect(reqwest::redirect::Policy::none()).build()
}

async fn post(client: &reqwest::Client, endpoint: &str, batch: &[Span]) -> Result<(), String> {
    let sent = client.post(endpoint).json(&otlp::request(batch)).send().await;
    let answer = sent.map_err(|error| with_causes(&error))?;
    let status = answer.status();
    if status.is_success() {
        Ok(())
    } else {
        Err(format!("the collector answers {status}"))
    }
}
