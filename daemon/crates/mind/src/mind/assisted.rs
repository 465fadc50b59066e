//! What is left to Assist of the Home Assistant of the home: orders that nothing here understood. Asks it nothing.

use loquat_agent::turn::IntendedCall;
use loquat_skills::home;
use serde_json::{Map, json};

use super::{Mind, ReadyPersona, Utterance};

impl Mind {
    /// Makes a sentence for Assist out of what nothing here understood, where that is asked.
    pub(super) fn assisted(&self, persona: &ReadyPersona, utterance: &Utterance) -> Option<IntendedCall> {
        // Who only asks what we would answer wants nothing moved.
        let is_order = utterance.channel != "query" && utterance.undoing.is_none();
        let is_for_it = is_order && persona.leaves_to_tools && persona.apology.is_none();
        let own = self.own();
        let mut own = own.iter().filter(|_| is_for_it);
        let home = own.find(|toolbox| toolbox.id() == home::ID)?;
        let has_it = home.tools().iter().any(|tool| tool.name == home::ASSIST);
        has_it.then(|| IntendedCall {
            toolbox_id: home::ID.to_owned(),
            tool: home::ASSIST.to_owned(),
            arguments: Map::from_iter([("text".to_owned(), json!(utterance.text))]),
            ..IntendedCall::default()
        })
    }
}
