//! What persons had remembered, brought into turns, and what is noted of conversations for later ones.
//!
//! Searching and keeping are the work of the skill's store; nothing here decides what a turn does.

use std::sync::Arc;

use jiff::Timestamp;
use loquat_agent::brain::{ChatMessage, Role};
use loquat_agent::reflection::lasting_facts;
use loquat_skills::Memories;

use super::{Handler, Utterance};

/// A token of the languages we know has about so many characters.
const CHARACTERS_PER_TOKEN: usize = 4;

/// What is remembered, and how much of it is used.
#[derive(Debug)]
pub struct Recollection {
    memories: Arc<Memories>,
    /// What is brought into a turn has no more tokens.
    brought_tokens: u32,
    /// Whether facts out of conversations are noted.
    notes_conversations: bool,
}

impl Recollection {
    /// Out of these memories no more than about so many tokens come into a turn; whether facts of conversations are added
    /// to them.
    pub fn new(memories: Arc<Memories>, brought_tokens: u32, notes_conversations: bool) -> Self {
        Self {
            memories,
            brought_tokens,
            notes_conversations,
        }
    }

    /// What may help to answer an utterance.
    pub(super) async fn for_turn(&self, utterance: &Utterance) -> Vec<String> {
        let characters = self.brought_tokens as usize * CHARACTERS_PER_TOKEN;
        if characters == 0 {
            return Vec::new();
        }
        let session = utterance.session.id();
        let mut brought = self.memories.relevant(session, &utterance.text, characters).await;
        if let Some(name) = self.memories.name_in(session) {
            brought.push(format!("The person who speaks is called {name}."));
        }
        brought
    }

    /// Has a brain pick out of a conversation what is likely to last, and keeps it. What goes wrong is logged: the
    /// conversation itself loses nothing.
    pub(super) async fn note(&self, session_id: &str, messages: &[ChatMessage], handler: &Handler) {
        let said: Vec<&str> = messages
            .iter()
            .filter(|message| message.role == Role::User && !message.foreign)
            .map(|message| message.content.as_str())
            .collect();
        if !self.notes_conversations || said.is_empty() {
            return;
        }
        let said = said.join("\n");
        match lasting_facts(&*handler.brain, messages, &handler.prompt).await {
            Ok(facts) => {
                let noted = self
                    .memories
                    .note(session_id, facts, &said, Timestamp::now())
                    .await;
                if let Err(error) = noted {
                    tracing::debug!(%error, "failed to keep what a conversation told");
                }
            }
            Err(error) => tracing::debug!(%error, "failed to pick facts out of a conversation"),
        }
    }

    /// Whether all of a session was forgotten since this was asked last.
    pub(super) fn was_emptied(&self, session_id: &str) -> bool {
        self.memories.was_emptied(session_id)
    }
}
