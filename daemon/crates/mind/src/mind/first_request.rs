//! A brain that only listens: what a persona's brain would be sent first is kept, and is never sent. Where a brain is asked first
//! for what was said in a sentence of the device, that is kept, and what it is sent behind it where there is none.

use std::sync::Arc;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use loquat_agent::brain::{Asking, Brain, BrainError, Capabilities, ChatReply, ChatRequest, DeltaSink};
use loquat_agent::toolbox::Toolbox;
use loquat_agent::turn::{Means, Question, Restating, TurnCache, stop_pair};
use parking_lot::Mutex;

use super::{Handler, ReadyPersona, Utterance, question};
use crate::device::Device;
use crate::spoken_tools::SpokenTools;

/// Keeps the requests, and fails, which ends the turn behind the first step.
#[derive(Debug)]
struct Listener {
    brain: Arc<dyn Brain>,
    heard: Mutex<Vec<Arc<ChatRequest>>>,
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
        self.heard.lock().push(request);
        let error = BrainError::CutOff {
            address: self.name().to_owned(),
        };
        async move { Err(error) }.boxed()
    }
}

/// What the handler's brain is sent first for this question, with these means, in its order. Nothing where it would not ask a brain
/// at all.
pub(super) async fn first_requests(
    handler: &Handler,
    question: Question,
    means: Means,
) -> Vec<Arc<ChatRequest>> {
    let listener = Arc::new(Listener {
        brain: Arc::clone(&handler.brain),
        heard: Mutex::default(),
    });
    let means = Means {
        brain: Arc::clone(&listener) as _,
        observer: Arc::new(()),
        ..means
    };
    loquat_agent::answer(handler.engine, question, means).await;
    std::mem::take(&mut listener.heard.lock())
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
        grammar: None,
        budget: handler.budget,
        settings: handler.settings.clone(),
        observer: Arc::new(()),
        stop: stop_pair().1,
        turn_cache: Arc::new(turn_cache),
        person: None,
    }
}

/// The name of the persona's first brain, and what it is sent first for these words, which these sentences are no answer to and which
/// are no talk. Tools of other programs are not in it.
pub async fn sent_first(
    persona: &ReadyPersona,
    device: &Device,
    sentences: &SpokenTools,
    utterance: &Utterance,
) -> Option<(String, Arc<ChatRequest>)> {
    let handler = persona.thinker()?;
    let question = Question {
        selection: handler.selected(sentences, utterance, &handler.toolboxes),
        restating: handler.has_all.then(|| Restating {
            lang: utterance.lang.clone(),
            before: None,
        }),
        ..question(device, persona, handler, utterance)
    };
    let means = bare_means(handler, handler.toolboxes.clone(), TurnCache::default());
    let request = first_requests(handler, question, means).await.pop()?;
    Some((handler.brain.name().to_owned(), request))
}
