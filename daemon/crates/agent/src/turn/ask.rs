//! One brain call with its events and its costs.

use std::sync::Arc;

use tokio::time::Instant;

use super::telling::Listener;
use super::{Ending, Flow, Turn};
use loquat_conversation::brain::{
    Asking, BrainError, Capabilities, ChatReply, ChatRequest, Delta, DeltaSink,
};
use loquat_conversation::dialect::{Dialect, guessed_in_language, in_language};
use loquat_conversation::event::{Event, Observer};
use loquat_conversation::tokens::Size;
use loquat_decoder::is_reasoning_in;
use loquat_decoder::language;

/// Adds to a request what is asked for, in the dialect of the brain that can do this.
pub(crate) trait Equip: Fn(&mut ChatRequest, Dialect, Capabilities) + Send + Sync {}

impl<F: Fn(&mut ChatRequest, Dialect, Capabilities) + Send + Sync> Equip for F {}

/// Turns the pieces of a reply into events.
struct Pieces<'a> {
    observer: Arc<dyn Observer>,
    step: u32,
    listener: Option<&'a Listener>,
}

impl DeltaSink for Pieces<'_> {
    fn delta(&self, delta: Delta) {
        let step = self.step;
        match delta {
            Delta::Content(text) => match self.listener {
                Some(listener) => {
                    let piece = text.clone();
                    self.observer.event(&Event::ReplyDelta { step, text });
                    listener.hear(step, &piece);
                }
                None => self.observer.event(&Event::ReplyDelta { step, text }),
            },
            Delta::Restart => {
                self.observer.event(&Event::ReplyRestarted { step });
                if let Some(listener) = self.listener {
                    listener.restart(step);
                }
            }
            Delta::Reasoning(text) => self.observer.event(&Event::ReasoningDelta { step, text }),
        }
    }
}

impl Turn {
    /// Asks the brain once and counts what it cost. A conversation that nearly fills the brain's window is made shorter
    /// first; one that does not fit is made shorter and asked again, once.
    ///
    /// Cancel safe: dropping this closes the request; the call has been counted, its step has not been recorded.
    pub(crate) async fn ask(&mut self, equip: impl Equip) -> Flow<ChatReply> {
        self.ask_heard(equip, None).await
    }

    /// Asks, and tells a listener what it makes of the answer so far.
    pub(super) async fn ask_heard(
        &mut self,
        equip: impl Equip,
        listener: Option<&Listener>,
    ) -> Flow<ChatReply> {
        let (mut asking, mut size) = self.asking(&equip);
        let stays = self.staying();
        if self.resources.window.is_crowded(size, stays) && self.make_room().await {
            (asking, size) = self.asking(&equip);
        }
        let mut result = self.ask_once(&asking, size, listener).await;
        if matches!(result, Err(BrainError::ContextTooLong { .. })) {
            self.resources.window.was_too_long(size);
            if self.compact().await {
                (asking, size) = self.asking(&equip);
                result = self.ask_once(&asking, size, listener).await;
            }
        }
        // Without a brain nothing goes on; what is good so far is kept.
        result.map_err(|error| Ending::of_brain(error, self.sayable.draft().unwrap_or_default()))
    }

    /// The conversation as it is now, for whichever brain is asked; and how much that is for the first.
    fn asking<'e>(&mut self, equip: &'e impl Equip) -> (Asking<'e>, Size) {
        let conversation = self.conversation.clone();
        let usual = self.question.sampling;
        let language = self.question.lang.as_deref().and_then(language::foreign);
        let asking = Asking::new(move |capabilities| {
            let speech = conversation.speech(capabilities);
            let mut request = ChatRequest {
                messages: conversation.messages(&speech),
                ..ChatRequest::default()
            };
            equip(&mut request, speech.dialect, capabilities);
            request.sampling = request.sampling.or(usual);
            if let Some(language) = language {
                let schema = request.response_schema.take();
                request.response_schema = schema.map(|schema| in_language(schema, &language.name));
                let guess = request.guess.take();
                request.guess = guess.map(|guess| guessed_in_language(&guess, &language.name));
            }
            request
        });
        let size = self.ledger.scales.weigh(&asking.for_brain(self.capabilities()));
        (asking, size)
    }

    pub(super) async fn ask_once(
        &mut self,
        asking: &Asking<'_>,
        size: Size,
        listener: Option<&Listener>,
    ) -> Result<ChatReply, BrainError> {
        let step = self.next_step();
        self.emit(&Event::BrainAsked {
            step,
            brain: self.resources.brain.name().to_owned(),
            prompt_tokens: self.resources.window.estimate(size),
        });
        self.resources.observer.prompt(step, asking, self.capabilities());
        let pieces = Pieces {
            observer: Arc::clone(&self.resources.observer),
            step,
            listener,
        };
        if let Some(listener) = listener {
            listener.restart(step);
        }
        let started = Instant::now();
        let mut result = self.resources.brain.ask(asking, &pieces).await;
        let elapsed = started.elapsed();
        match &mut result {
            Ok(reply) => {
                if reply.usage.is_unknown() {
                    reply.usage = size.usage(reply);
                }
                self.ledger.spending.count_step(reply.usage, elapsed);
                self.resources.window.calibrate(size, reply.usage);
                self.ledger.usage += reply.usage;
                self.ledger.reasons |= !reply.reasoning.is_empty() || is_reasoning_in(&reply.content);
                self.gather();
                self.ledger.enter_step(elapsed, reply.usage);
                self.emit(&Event::BrainReplied {
                    step,
                    elapsed,
                    usage: reply.usage,
                });
            }
            Err(error) => self.emit(&Event::BrainFailed {
                step,
                error: error.to_string(),
            }),
        }
        result
    }
}
