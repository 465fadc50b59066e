//! Reading ahead: a brain on this device reads what it would be sent first for words that a person may just have said in whole,
//! so that its reply begins sooner when they have. Answers nothing, runs no tool and writes nothing down.

use std::sync::Arc;

use loquat_agent::consent::Person;
use loquat_agent::turn::{Question, TurnCache, stop_pair};

use super::attempt::{Attempt, Stack};
use super::delegation::Chain;
use super::first_request::first_request;
use super::{Mind, ReadyPersona, Utterance, question};

impl Mind {
    /// Lets the first brain of this persona read what it would be sent for this utterance, which no tool understands without
    /// one. Nothing where who would answer asks no brain of this process. Cancel safe: what was read until then stays read.
    pub async fn read_ahead(
        self: &Arc<Self>,
        persona: &ReadyPersona,
        utterance: Utterance,
        person: Option<Arc<dyn Person>>,
    ) {
        let thinks_here = self.elsewhere.is_none() && !self.is_emergency_stopped();
        let Some(handler) = persona.thinker().filter(|_| thinks_here) else {
            return;
        };
        let handler = handler.answering(utterance.door, utterance.channel);
        let memories = self.memories(persona, &utterance).await;
        let utterance = Utterance {
            memories,
            ..utterance
        };
        let chain = Chain::of(persona);
        let attempt = Attempt {
            persona,
            handler,
            number: 0,
            utterance: &utterance,
            intended: None,
            stop: stop_pair().1,
            person,
            chain: &chain,
        };
        let Stack { mut means, .. } = self.stack(&attempt).await;
        means.turn_cache = Arc::new(TurnCache::apart(&self.turn_cache));
        let question = Question {
            selection: self.selection(&attempt, &means.toolboxes),
            ..question(&self.device.now(), persona, handler, &utterance)
        };
        let Some(request) = first_request(handler, question, means).await else {
            return;
        };
        tracing::debug!("what may have been said is read already");
        if let Err(error) = handler.brain.warm(&request).await {
            tracing::debug!(%error, "failed to read ahead");
        }
    }
}
