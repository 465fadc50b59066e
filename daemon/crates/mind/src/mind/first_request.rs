//! A brain that only listens: what a persona's brain would be sent first is kept, and is never sent.

use std::sync::Arc;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use loquat_agent::brain::{Asking, Brain, BrainError, Capabilities, ChatReply, ChatRequest, DeltaSink};
use loquat_agent::toolbox::Toolbox;
use loquat_agent::turn::{Means, Question, TurnCache, stop_pair};
use parking_lot::Mutex;

use super::{Handler, ReadyPersona, Utterance, question};
use crate::device::Device;
use crate::spoken_tools::SpokenTools;

/// Keeps the first request, and fails.
#[derive(Debug)]
struct Listener {
    brain: Arc<dyn Brain>,
    first: Mutex<Option<Arc<ChatRequest>>>,
}

impl Brain for Listener {
    fn name(&self) -> &str {
        self.brain.name()
    }

    fn capabilities(&self) -> Capabilities {
        self.brain.capabilities()
    }

    fn ask<'a>(
        &'a self,
        asking: &'a Asking<'_>,
        _: &'a dyn DeltaSink,
    ) -> BoxFuture<'a, Result<ChatReply, BrainError>> {
        let request = asking.for_brain(self.capabilities());
        let mut first = self.first.lock();
        first.get_or_insert(request);
        let error = BrainError::CutOff {
            address: self.name().to_owned(),
        };
        async move { Err(error) }.boxed()
    }
}

/// What the handler's brain is sent first for this question, with these means. Nothing where it would not ask a brain at all.
pub(super) async fn first_request(
    handler: &Handler,
    question: Question,
    means: Means,
) -> Option<Arc<ChatRequest>> {
    let listener = Arc::new(Listener {
        brain: Arc::clone(&handler.brain),
        first: Mutex::default(),
    });
    let means = Means {
        brain: Arc::clone(&listener) as _,
        observer: Arc::new(()),
        ..means
    };
    loquat_agent::answer(handler.engine, question, means).await;
    listener.first.lock().take()
}

/// Means for a turn of which only the first request counts: without an observer, and without a person who could be asked.
pub(super) fn bare_means(
    handler: &Handler,
    toolboxes: Vec<Arc<dyn Toolbox>>,
    turn_cache: TurnCache,
) -> Means {
    Means {
        brain: Arc::clone(&handler.brain),
        toolboxes,
        arrivals: None,
        budget: handler.budget,
        settings: handler.settings.clone(),
        observer: Arc::new(()),
        stop: stop_pair().1,
        turn_cache: Arc::new(turn_cache),
        person: None,
    }
}

/// The name of the persona's first brain, and what it is sent first for these words, which these sentences are no answer to.
/// Tools of other programs are not in it.
pub async fn sent_first(
    persona: &ReadyPersona,
    device: &Device,
    sentences: &SpokenTools,
    utterance: &Utterance,
) -> Option<(String, Arc<ChatRequest>)> {
    let handler = persona.thinker()?;
    let question = Question {
        selection: handler.selected(sentences, utterance, &handler.toolboxes),
        ..question(device, persona, handler, utterance)
    };
    let means = bare_means(handler, handler.toolboxes.clone(), TurnCache::default());
    let request = first_request(handler, question, means).await?;
    Some((handler.brain.name().to_owned(), request))
}
