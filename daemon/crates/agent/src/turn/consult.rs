//! Asking the brain for something other than a step: a plan, a verdict, a score, a draft.
//!
//! The conversation keeps what was asked and what was replied. What the reply means is the phase's business.

use std::sync::Arc;

use super::{Ending, Flow, Turn};
use loquat_conversation::brain::{Sampling, ToolChoice};
use loquat_conversation::conversation::Item;
use loquat_conversation::dialect::phase::{Heard, Phase};
use loquat_conversation::dialect::{Dialect, Words};
use loquat_conversation::record::Reason;

impl Turn {
    /// Asks with these words until the reply can be read; nothing is asked when there are no words, for then the
    /// conversation as it is asks for it. A limit of the budget or too many repairs end it with the best words there are.
    pub(crate) async fn consult<P: Phase>(&mut self, words: impl Into<Words>, phase: &P) -> Flow<P::Meaning> {
        self.consult_with(words, phase, Sampling::default()).await
    }

    /// Consults with a way to draw tokens.
    pub(crate) async fn consult_with<P: Phase>(
        &mut self,
        words: impl Into<Words>,
        phase: &P,
        sampling: Sampling,
    ) -> Flow<P::Meaning> {
        let words = words.into();
        if !words.is_none() {
            self.conversation.ask(words);
        }
        let schema = phase.schema().map(Arc::new);
        loop {
            if let Some(reason) = self.closing.reason().or_else(|| self.ledger.spending.exhausted()) {
                return Err(Ending::new(reason, self.sayable.best()));
            }
            let sampling = self.sampling(sampling, None);
            let reply = self
                .ask(|request, dialect, _| {
                    request.tool_choice = ToolChoice::None;
                    if dialect == Dialect::Schema {
                        request.response_schema.clone_from(&schema);
                    }
                    request.stop = phase.stops().iter().map(|stop| (*stop).to_owned()).collect();
                    request.sampling = sampling;
                })
                .await?;
            let heard = Heard::new(&reply, self.catalogue.known());
            let meaning = phase.read(&heard);
            self.note_thought(&heard.thought);
            match meaning {
                Ok(meaning) => {
                    self.forget_flaws();
                    self.conversation.push(Item::said(&reply));
                    return Ok(meaning);
                }
                Err(flaw) => {
                    self.reject(&reply, &flaw, phase.shape());
                }
            }
        }
    }

    /// Keeps these words as the best so far: they are the answer when nothing better comes.
    pub(crate) fn keep(&mut self, words: &str) {
        if !loquat_decoder::speakable(words).is_empty() {
            self.sayable.keep_draft(words);
        }
    }

    /// The end of a turn within this one that its brain failed in, with the best words of this one for want of its own.
    pub(crate) fn with_draft(&self, ending: Ending) -> Ending {
        let bare = ending.reason == Reason::LlmError && ending.answer.is_empty();
        let draft = self.sayable.draft().filter(|_| bare);
        Ending {
            answer: draft.unwrap_or(ending.answer),
            ..ending
        }
    }

    /// The limit that leaves room for nothing but a closing answer, if one does.
    pub(crate) fn exhausted(&self) -> Option<Reason> {
        self.ledger.spending.exhausted()
    }

    pub(crate) fn remaining(&self) -> std::time::Duration {
        self.ledger.spending.remaining()
    }
}
