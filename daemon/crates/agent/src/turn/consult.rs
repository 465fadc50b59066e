//! Asking the brain for something other than a step: a plan, a verdict, a score, a draft.
//!
//! The conversation keeps what was asked and what was replied. What the reply means is the phase's business.

use std::sync::Arc;

use super::{Ending, Flow, Turn};
use loquat_conversation::brain::{Capabilities, ChatRequest, Sampling, ToolChoice};
use loquat_conversation::conversation::Item;
use loquat_conversation::dialect::phase::{Heard, Phase};
use loquat_conversation::dialect::{Dialect, Words};

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
            self.exchange.conversation.ask(words);
        }
        let schema = phase.schema().map(Arc::new);
        loop {
            if let Some(reason) = self.work.reason_to_end() {
                return Err(Ending::new(reason, self.work.sayable.best()));
            }
            let sampling = self
                .exchange
                .sampling(self.work.closing.is_flawed(), sampling, None);
            let equip = |request: &mut ChatRequest, dialect: Dialect, _: Capabilities| {
                request.tool_choice = ToolChoice::None;
                if dialect == Dialect::Schema {
                    request.response_schema.clone_from(&schema);
                }
                request.stop = phase.stops().iter().map(|stop| (*stop).to_owned()).collect();
                request.sampling = sampling;
            };
            let reply = self.ask(equip, None).await?;
            let heard = Heard::new(&reply, self.resources.catalogue.known());
            let meaning = phase.read(&heard);
            self.work.ledger.note_thought(&heard.thought);
            match meaning {
                Ok(meaning) => {
                    self.work.closing.forget_flaws();
                    self.exchange.conversation.push(Item::said(&reply));
                    return Ok(meaning);
                }
                Err(flaw) => self.exchange.reject(&mut self.work, &reply, &flaw, phase.shape()),
            }
        }
    }
}
