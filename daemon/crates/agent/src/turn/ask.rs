//! One brain call with its events and its costs.

use std::sync::Arc;

use tokio::time::Instant;

use super::exchange::Exchange;
use super::resources::Resources;
use super::telling::Listener;
use super::work::Work;
use super::{Ending, Flow};
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

/// What is asked for, for whichever brain is asked, and how much that is for the first.
pub(super) struct Asked<'e> {
    asking: Asking<'e>,
    size: Size,
}

impl<'e> Asked<'e> {
    pub(super) fn new(asking: Asking<'e>, size: Size) -> Self {
        Self { asking, size }
    }
}

impl Exchange {
    /// Asks the brain once and counts what it cost, and tells a listener what it makes of the answer so far. A conversation
    /// that nearly fills the brain's window is made shorter first; one that does not fit is made shorter and asked again,
    /// once.
    ///
    /// Cancel safe: dropping this closes the request; the call has been counted, its step has not been recorded.
    pub(super) async fn ask(
        &mut self,
        resources: &Resources,
        work: &mut Work,
        equip: impl Equip,
        listener: Option<&Listener>,
    ) -> Flow<ChatReply> {
        let mut asked = self.asked(resources, &equip);
        let stays = self.staying(resources);
        if self.window.is_crowded(asked.size, stays) && self.make_room(resources, work).await {
            asked = self.asked(resources, &equip);
        }
        let mut result = self.ask_once(resources, work, &asked, listener).await;
        if matches!(result, Err(BrainError::ContextTooLong { .. })) {
            self.window.was_too_long(asked.size);
            if self.compact(resources, work).await {
                asked = self.asked(resources, &equip);
                result = self.ask_once(resources, work, &asked, listener).await;
            }
        }
        // Without a brain nothing goes on; what is good so far is kept.
        result.map_err(|error| Ending::of_brain(error, work.sayable.draft().unwrap_or_default()))
    }

    /// The conversation as it is now.
    fn asked<'e>(&mut self, resources: &Resources, equip: &'e impl Equip) -> Asked<'e> {
        let conversation = self.conversation.clone();
        let usual = resources.question.sampling;
        let language = resources.question.lang.as_deref().and_then(language::foreign);
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
        let size = self.scales.weigh(&asking.for_brain(resources.capabilities()));
        Asked::new(asking, size)
    }

    pub(super) async fn ask_once(
        &mut self,
        resources: &Resources,
        work: &mut Work,
        asked: &Asked<'_>,
        listener: Option<&Listener>,
    ) -> Result<ChatReply, BrainError> {
        let Asked { asking, size } = asked;
        let step = work.ledger.ask_brain();
        resources.emit(&Event::BrainAsked {
            step,
            brain: resources.brain.name().to_owned(),
            prompt_tokens: self.window.estimate(*size),
        });
        resources.observer.prompt(step, asking, resources.capabilities());
        let pieces = Pieces {
            observer: Arc::clone(&resources.observer),
            step,
            listener,
        };
        if let Some(listener) = listener {
            listener.restart(step);
        }
        let started = Instant::now();
        let mut result = resources.brain.ask(asking, &pieces).await;
        let elapsed = started.elapsed();
        match &mut result {
            Ok(reply) => {
                if reply.usage.is_unknown() {
                    reply.usage = size.usage(reply);
                }
                self.window.calibrate(*size, reply.usage);
                self.reasons |= !reply.reasoning.is_empty() || is_reasoning_in(&reply.content);
                work.ledger.count_reply(reply.usage, elapsed);
                work.enter_step(elapsed, reply.usage);
                resources.emit(&Event::BrainReplied {
                    step,
                    elapsed,
                    usage: reply.usage,
                });
            }
            Err(error) => resources.emit(&Event::BrainFailed {
                step,
                error: error.to_string(),
            }),
        }
        result
    }
}
