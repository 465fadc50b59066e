//! Calls of tools that other programs declared, where a small brain chose them: it is asked of each with one word whether it does what
//! was said, before any is made. Where one does not, none of the step is made, and the person is answered without a tool.
//!
//! Our own tools are not asked about: sentences tell what they are for. Runs no call.

use std::sync::Arc;

use super::Turn;
use super::closing::Cause;
use super::resources::Resources;
use loquat_conversation::brain::{Asking, Role};
use loquat_conversation::catalogue::Entry;
use loquat_conversation::dialect::fits;
use loquat_decoder::Call;

/// What the brain has said of tools in this turn, by their names.
#[derive(Debug, Default)]
pub(super) struct Judged(Vec<(String, bool)>);

impl Turn {
    /// Tells whether calls may be made as far as it is for the brain to say what their tools are for. Where they may not, only an
    /// answer is wanted from now on.
    pub(super) async fn are_meant(&mut self, calls: &[Call]) -> bool {
        for call in calls {
            let Some(entry) = self.resources.stranger(call) else {
                continue;
            };
            if !self.fits(&entry).await {
                let dropped: Vec<String> = calls.iter().map(|call| call.tool.clone()).collect();
                let why = format!("{} does not do what was said", entry.tool.name);
                self.work.ledger.drop_calls(&dropped, &why);
                self.work.closing.begin(Cause::NothingFits);
                return false;
            }
        }
        true
    }

    /// Asks of a tool once in a turn.
    async fn fits(&mut self, entry: &Entry) -> bool {
        let name = &entry.tool.name;
        let known = self.judged.0.iter().find(|(known, _)| known == name);
        if let Some((_, fits)) = known {
            return *fits;
        }
        let fits = self.does(entry).await;
        self.judged.0.push((name.clone(), fits));
        fits
    }

    /// What goes on with an earlier sentence may only be understood together with that.
    async fn does(&mut self, entry: &Entry) -> bool {
        let said = self.resources.question.utterance.clone();
        if !self.is_refused(entry, &said).await {
            return true;
        }
        let Some(before) = self.resources.said_before() else {
            return false;
        };
        !self.is_refused(entry, &format!("{before} {said}")).await
    }

    /// A brain that fails refuses nothing: what is wrong with it is said elsewhere.
    async fn is_refused(&mut self, entry: &Entry, said: &str) -> bool {
        let request = fits::request(&entry.short, said, &self.resources.question.prompts);
        let asking = Asking::of(request);
        let Ok(reply) = self.resources.brain.ask(&asking, &()).await else {
            return false;
        };
        self.work.ledger.count_usage(reply.usage);
        fits::is_refused(&reply)
    }
}

impl Resources {
    /// Gives the tool of a call that such a brain has to be asked about.
    fn stranger(&self, call: &Call) -> Option<Arc<Entry>> {
        let capabilities = self.capabilities();
        let is_asked = capabilities.small
            && capabilities.favours
            && self.question.intended.is_none()
            && !self.settings.believes_calls();
        let entry = self.catalogue.find(&call.tool).filter(|_| is_asked)?;
        entry.tool.is_strangers.then_some(entry)
    }

    /// What the person said before.
    fn said_before(&self) -> Option<String> {
        let mut history = self.question.history.iter().rev();
        let before = history.find(|message| message.role == Role::User)?;
        Some(before.content.clone())
    }
}
