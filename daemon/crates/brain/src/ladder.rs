//! Several brains in order: when one fails, the next is asked.

mod breaker;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use futures_util::future::BoxFuture;
use loquat_agent::brain::{Brain, BrainError, Capabilities, ChatReply, ChatRequest, DeltaSink};

use self::breaker::{Breaker, Permit};
use crate::sink::Watched;

#[derive(Debug)]
struct Rung {
    brain: Arc<dyn Brain>,
    breaker: Breaker,
}

/// Asks brains in order until one replies.
///
/// A rung that failed three times in a row is skipped for half a minute and then tried once. When every rung is being
/// skipped, all are asked in spite of it: a late answer is better than none.
#[derive(Debug)]
pub struct Ladder {
    name: String,
    rungs: Vec<Rung>,
}

impl Ladder {
    /// A ladder of `brains`, the preferred one first. Without any, each call fails with [`BrainError::NotStarted`].
    pub fn new(brains: Vec<Arc<dyn Brain>>) -> Self {
        let names: Vec<&str> = brains.iter().map(|brain| brain.name()).collect();
        let name = names.join(", else ");
        let rungs = brains
            .into_iter()
            .map(|brain| Rung {
                brain,
                breaker: Breaker::default(),
            })
            .collect();
        Self { name, rungs }
    }

    async fn climb(&self, request: &ChatRequest, sink: &dyn DeltaSink) -> Result<ChatReply, BrainError> {
        let sink = Watched::new(sink);
        let mut fault = Fault::default();
        for rung in &self.rungs {
            let Some(permit) = rung.breaker.admit() else {
                tracing::debug!(
                    brain = rung.brain.name(),
                    "brain is skipped, it failed repeatedly"
                );
                continue;
            };
            match ask(rung, permit, request, &sink).await {
                Err(error) if !ends_the_climb(&error) => fault.note(error),
                outcome => return outcome,
            }
        }
        if !fault.any() {
            for rung in &self.rungs {
                match ask(rung, rung.breaker.insist(), request, &sink).await {
                    Err(error) if !ends_the_climb(&error) => fault.note(error),
                    outcome => return outcome,
                }
            }
        }
        Err(fault.into_error())
    }
}

/// Asks one rung and tells its breaker. What an earlier rung streamed is voided first.
async fn ask(
    rung: &Rung,
    permit: Permit<'_>,
    request: &ChatRequest,
    sink: &Watched<'_>,
) -> Result<ChatReply, BrainError> {
    sink.restart();
    let outcome = rung.brain.chat(request, sink).await;
    match &outcome {
        Ok(_) | Err(BrainError::ContextTooLong { .. }) => permit.succeeded(),
        Err(error) => {
            permit.failed();
            tracing::warn!(brain = rung.brain.name(), %error, "brain failed");
        }
    }
    outcome
}

/// A conversation that is too long has to be compacted, not shown to somebody else.
fn ends_the_climb(error: &BrainError) -> bool {
    matches!(error, BrainError::ContextTooLong { .. })
}

/// The most telling of the errors so far; of equals the last.
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

/// What a person can mend tells more than what may pass by itself.
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

    fn capabilities(&self) -> Capabilities {
        let all = |has: fn(Capabilities) -> bool| {
            !self.rungs.is_empty() && self.rungs.iter().all(|rung| has(rung.brain.capabilities()))
        };
        Capabilities {
            native_tools: all(|capabilities| capabilities.native_tools),
            json_schema: all(|capabilities| capabilities.json_schema),
        }
    }

    fn chat<'a>(
        &'a self,
        request: &'a ChatRequest,
        sink: &'a dyn DeltaSink,
    ) -> BoxFuture<'a, Result<ChatReply, BrainError>> {
        Box::pin(self.climb(request, sink))
    }

    /// Only the preferred brain: the others are seldom asked.
    fn warm<'a>(&'a self, request: &'a ChatRequest) -> BoxFuture<'a, Result<(), BrainError>> {
        match self.rungs.first() {
            Some(rung) => rung.brain.warm(request),
            None => Box::pin(std::future::ready(Ok(()))),
        }
    }
}
