//! Talk with a small brain that has the tools of a whole device: it is asked first whether what was said wants any of them, and what
//! does not is answered in words, with no tool in sight. Runs no tool.

use super::ask::Asked;
use super::resources::Resources;
use super::{Ending, Turn};
use loquat_conversation::brain::{Asking, Role};
use loquat_conversation::dialect::phase::step::{self, Steps};
use loquat_conversation::dialect::{Manner, talk};

impl Turn {
    /// Answers talk. Nothing where a tool may be wanted.
    pub(crate) async fn talk(&mut self) -> Option<Ending> {
        let nothing_fits = self.resources.catalogue.entries().is_empty();
        if !self.resources.may_be_talk() || !(nothing_fits || self.is_talk().await) {
            return None;
        }
        self.begin_in(Manner::Chat, step::instructions);
        Some(self.think_and_act(&Steps::none()).await)
    }

    /// Asks the brain. One that fails is asked again with tools, and says then what is wrong.
    async fn is_talk(&mut self) -> bool {
        let question = &self.resources.question;
        let request = talk::request(
            &question.utterance,
            self.resources.done_before(),
            &question.prompts,
        );
        let size = self.exchange.scales.weigh(&request);
        let asked = Asked::new(Asking::new(move |_| request.clone()), size);
        let (resources, work) = (&self.resources, &mut self.work);
        let reply = self.exchange.ask_once(resources, work, &asked, None).await;
        reply.is_ok_and(|reply| talk::is_talk(&reply))
    }
}

impl Resources {
    /// Tells whether it is worth asking: for the answer of the turn itself, by a small brain with very many tools, where what was said
    /// is not clearly a sentence of one of them.
    fn may_be_talk(&self) -> bool {
        let likely = self.question.selection.iter();
        let is_clear = likely
            .flat_map(|selection| &selection.likely)
            .any(|likely| likely.is_sure);
        self.stands
            && self.capabilities().small
            && self.catalogue.is_fitted()
            && !self.settings.forbids_talk()
            && !is_clear
    }

    /// The sentence before, where a tool did what it wanted.
    fn done_before(&self) -> Option<&str> {
        self.question.understood_before.as_ref()?;
        let said = |message: &&loquat_conversation::brain::ChatMessage| message.role == Role::User;
        let before = self.question.history.iter().rev().find(said)?;
        Some(&before.content)
    }
}
