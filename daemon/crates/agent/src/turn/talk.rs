//! Talk with a small brain that has the tools of a whole device: where it is not asked for a sentence of the device, it is asked whether
//! what was said wants any tool, and what does not is answered in words. Runs no tool.

use super::Turn;
use super::ask::Asked;
use super::resources::Resources;
use loquat_conversation::brain::{Asking, Role};
use loquat_conversation::dialect::talk;

impl Turn {
    /// Tells whether no tool is wanted, as far as it is worth asking the brain. One that fails is asked again with tools, and says
    /// then what is wrong.
    pub(crate) async fn is_talk(&mut self) -> bool {
        if !self.resources.may_be_talk() {
            return false;
        }
        if self.has_nothing_fitting() {
            return true;
        }
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
        self.has_device() && !is_clear
    }

    /// Tells whether a small brain answers the turn itself with the tools of a whole device, and may be asked what kind of wish it is.
    pub(super) fn has_device(&self) -> bool {
        let is_small = self.stands && self.capabilities().small;
        is_small && self.catalogue.is_fitted() && !self.settings.forbids_talk()
    }

    /// The sentence before, where a tool did what it wanted.
    fn done_before(&self) -> Option<&str> {
        self.question.understood_before.as_ref()?;
        let said = |message: &&loquat_conversation::brain::ChatMessage| message.role == Role::User;
        let before = self.question.history.iter().rev().find(said)?;
        Some(&before.content)
    }
}
