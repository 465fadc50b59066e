//! What is understood here: our commands, the sentences of our tools, and what skills have registered. Compares nothing.

use std::sync::Arc;

use loquat_mind::spoken_tools::CurrentSentences;
use loquat_mind::tools::Registered;
use loquat_orchestrator::manifest::Manifest;
use loquat_orchestrator::matching::Matching;
use loquat_phrases::Phrases;

use super::core_intents::CoreIntents;

#[derive(Debug)]
pub(super) struct Repertoire {
    /// What skills registered. Searches hold it as it was when they began.
    pub(super) registered: Registered,
    /// Our own commands, which skills cannot change.
    pub(super) commands: Arc<Manifest>,
    /// Our own tools understand these sentences.
    pub(super) tools: CurrentSentences,
    /// Searches compare there.
    pub(super) matching: Matching,
    /// What a core beside us has of skills.
    pub(super) core_intents: CoreIntents,
}

impl Repertoire {
    /// Our commands and these sentences.
    pub(super) fn new(tools: CurrentSentences) -> Self {
        let mut own = Self {
            registered: Registered::default(),
            commands: Arc::new(Phrases::commands()),
            tools,
            matching: Matching::default(),
            core_intents: CoreIntents::default(),
        };
        own.share(Registered::default());
        own
    }

    /// Keeps there what skills register, behind our own commands.
    pub(super) fn share(&mut self, registered: Registered) {
        registered.change(|manifest| *manifest = (*self.commands).clone());
        self.registered = registered;
    }
}
