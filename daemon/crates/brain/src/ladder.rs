//! Several brains in order: when one fails, the next is asked.

#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use loquat_conversation::brain::{
    Asking, Brain, BrainError, Capabilities, ChatReply, ChatRequest, DeltaSink,
};
use loquat_conversation::breaker::Breaker;
use parking_lot::Mutex;
use tokio::time::Instant;

use crate::sink::Watched;

/// A person who waits for an answer does not notice less than this.
const NOTICED: Duration = Duration::from_secs(1);

#[derive(Debug)]
struct Rung {
    brain: Arc<dyn Brain>,
    breaker: Mutex<Breaker>,
    /// The last failure, and how long it was waited for.
    last: Mutex<Option<(BrainError, Duration)>>,
}

/// Gives a rung up as untried unless it is disarmed: a call that is dropped tells nothing of the brain.
struct Untried<'a>(Option<&'a Rung>);

impl Rung {
    fn new(brain: Arc<dyn Brain>) -> Self {
        Self {
            brain,
            breaker: Mutex::default(),
            last: Mutex::default(),
        }
    }

    /// Asks the brain and tells the breaker. What an earlier rung streamed is voided first.
    async fn ask(&self, asking: &Asking<'_>, sink: &Watched<'_>) -> Result<ChatReply, BrainError> {
        sink.restart();
        let mut untried = Untried(Some(self));
        let began = Instant::now();
        let outcome = self.brain.ask(asking, sink).await;
        untried.0 = None;
        match &outcome {
            Ok(_) | Err(BrainError::ContextTooLong { .. }) => self.breaker.lock().succeeded(),
            Err(error) => {
                *self.last.lock() = Some((error.clone(), began.elapsed()));
                self.breaker.lock().failed();
                tracing::warn!(brain = self.brain.name(), %error, "brain failed");
            }
        }
        outcome
    }

    /// The last failure, if it was one that a person had to wait for.
    fn slow_fault(&self) -> Option<BrainError> {
        let last = self.last.lock();
        let (error, waited) = last.as_ref()?;
        (*waited >= NOTICED).then(|| error.clone())
    }
}

impl Drop for Untried<'_> {
    fn drop(&mut self) {
        if let Some(rung) = self.0 {
            rung.breaker.lock().abandoned();
        }
    }
}

/// Asks brains in order until one replies. One brain alone is a ladder too.
///
/// A rung that failed three times in a row is skipped for half a minute and then tried once. When every rung is being
/// skipped, those that failed at once are asked in spite of it, since that costs no time; for those that were waited
/// for, the call fails at once as it did the last time.
#[derive(Debug)]
pub struct Ladder {
    name: String,
    rungs: Vec<Rung>,
}

impl Ladder {
    /// Takes the brains, the preferred one first. Without any, each call fails with [`BrainError::NotStarted`].
    pub fn new(brains: Vec<Arc<dyn Brain>>) -> Self {
        let names: Vec<&str> = brains.iter().map(|brain| brain.name()).collect();
        let name = names.join(", else ");
        let rungs = brains.into_iter().map(Rung::new).collect();
        Self { name, rungs }
    }

    async fn climb(&self, asking: &Asking<'_>, sink: &dyn DeltaSink) -> Result<ChatReply, BrainError> {
        let sink = Watched::new(sink);
        let mut fault = Fault::default();
        for rung in &self.rungs {
            if !rung.breaker.lock().admit() {
                tracing::debug!(
                    brain = rung.brain.name(),
                    "brain is skipped, it failed repeatedly"
                );
                continue;
            }
            match rung.ask(asking, &sink).await {
                Err(error) if !ends_the_climb(&error) => fault.note(error),
                outcome => return outcome,
            }
        }
        if fault.any() {
            return Err(fault.into_error());
        }
        for rung in &self.rungs {
            if let Some(error) = rung.slow_fault() {
                fault.note(error);
                continue;
            }
            match rung.ask(asking, &sink).await {
                Err(error) if !ends_the_climb(&error) => fault.note(error),
                outcome => return outcome,
            }
        }
        Err(fault.into_error())
    }
}

/// A conversation that is too long has to be compacted, not shown to another brain.
fn ends_the_climb(error: &BrainError) -> bool {
    matches!(error, BrainError::ContextTooLong { .. })
}

/// Keeps the most telling of the errors so far, and of equals the last.
#[derive(Default)]
struct Fault(Option<BrainError>);

impl Fault {
    fn any(&self) -> bool {
        self.0.is_some()
    }

    fn note(&mut self, error: BrainError) {
        if self
            .0
            .as_ref()
            .is_none_or(|noted| weight(noted) <= weight(&error))
        {
            self.0 = Some(error);
        }
    }

    fn into_error(self) -> BrainError {
        self.0.unwrap_or_else(|| BrainError::NotStarted {
            reason: "no brain is configured; name one in the persona's file".to_owned(),
        })
    }
}

/// Weighs an error: what a person can mend tells more than what may pass by itself.
fn weight(error: &BrainError) -> u8 {
    match error {
        BrainError::NotStarted { .. } | BrainError::Refused { .. } => 2,
        BrainError::Faulty { .. } | BrainError::Overloaded { .. } | BrainError::TooLarge { .. } => 1,
        _ => 0,
    }
}

impl Brain for Ladder {
    fn name(&self) -> &str {
        &self.name
    }

    /// Gives the capabilities of the preferred brain, whether or not it answers now, so that a turn that is run again
    /// is the same. Each brain that is asked gets the request that is for it.
    fn capabilities(&self) -> Capabilities {
        let all = self.rungs.iter().map(|rung| rung.brain.capabilities());
        let first = all.clone().next().unwrap_or_default();
        Capabilities {
            // What fits into the smallest window fits into all.
            context_tokens: all.filter_map(|rung| rung.context_tokens).min(),
            ..first
        }
    }

    fn ask<'a>(
        &'a self,
        asking: &'a Asking<'_>,
        sink: &'a dyn DeltaSink,
    ) -> BoxFuture<'a, Result<ChatReply, BrainError>> {
        Box::pin(self.climb(asking, sink))
    }

    /// Warms only the preferred brain: the others are seldom asked.
    fn warm<'a>(&'a self, request: &'a ChatRequest) -> BoxFuture<'a, Result<Option<Duration>, BrainError>> {
        match self.rungs.first() {
            Some(rung) => rung.brain.warm(request),
            None => Box::pin(std::future::ready(Ok(None))),
        }
    }
}
