//! What the brain is shown: instructions, facts, the session's history, the utterance, and what happened since.
//!
//! The instructions come first and do not change between steps and turns, so that a prompt cache can keep them.

pub(crate) mod gauge;
pub(crate) mod language;
pub(crate) mod notes;

use std::sync::Arc;

use crate::brain::{ChatMessage, Role};
use crate::question::Question;

/// A conversation that is shorter than it was is kept to this many messages of history.
const KEPT_HISTORY: usize = 2;

/// The observations of a conversation that was too long are cut to this many characters.
const KEPT_CHARACTERS: usize = 1_000;

/// The conversation of one turn. Messages are shared with the requests that hold them, of which every step makes one.
#[derive(Debug, Clone)]
pub(crate) struct Context {
    instructions: Option<Arc<ChatMessage>>,
    history: Vec<Arc<ChatMessage>>,
    utterance: Arc<ChatMessage>,
    since: Vec<Arc<ChatMessage>>,
    /// What is left of messages that had to make room.
    notes: Option<String>,
}

impl Context {
    /// Begins a conversation under a protocol's instructions.
    pub(crate) fn new(question: &Question, protocol: &str) -> Self {
        let (persona, history): (Vec<_>, Vec<_>) = question
            .history
            .iter()
            .cloned()
            .partition(|message| message.role == Role::System);
        let mut parts = vec![question.persona_prompt.trim().to_owned()];
        parts.extend(
            persona
                .into_iter()
                .map(|message| message.content.trim().to_owned()),
        );
        parts.push(protocol.trim().to_owned());
        parts.push(facts(question));
        parts.retain(|part| !part.is_empty());
        parts.dedup();
        let instructions = Some(parts.join("\n\n")).filter(|text| !text.is_empty());
        Self {
            instructions: instructions.map(ChatMessage::system).map(Arc::new),
            history: history.into_iter().map(Arc::new).collect(),
            utterance: Arc::new(ChatMessage::user(question.utterance.as_str())),
            since: Vec::new(),
            notes: None,
        }
    }

    /// Whether nothing has been said since the utterance.
    pub(crate) fn is_new(&self) -> bool {
        self.since.is_empty()
    }

    /// The utterance, if nothing else was asked for beside it.
    pub(crate) fn sole_question(&self) -> Option<&str> {
        let alone = self
            .since
            .first()
            .is_none_or(|message| message.role != Role::User);
        alone.then_some(self.utterance.content.as_str())
    }

    /// What the brain said last in this turn.
    pub(crate) fn last_said(&self) -> Option<&str> {
        let mut since = self.since.iter().rev();
        let said = since.find(|message| message.role == Role::Assistant)?;
        Some(said.content.as_str())
    }

    /// Adds a message.
    pub(crate) fn push(&mut self, message: ChatMessage) {
        self.since.push(Arc::new(message));
    }

    /// Adds words of ours in the role of the person, the only role that every brain listens to late in a conversation.
    pub(crate) fn push_user(&mut self, text: impl Into<String>) {
        self.push(ChatMessage::user(text));
    }

    /// The whole conversation. Messages of one role that follow each other are joined, because some chat templates
    /// refuse anything but strict turns.
    pub(crate) fn messages(&self) -> Vec<Arc<ChatMessage>> {
        let notes = self.notes.as_deref().map(notes::message).map(Arc::new);
        let all = self.instructions.iter().chain(&notes).chain(&self.history);
        let all = all.chain([&self.utterance]).chain(&self.since);
        let most = self.history.len() + self.since.len() + 3;
        let mut messages: Vec<Arc<ChatMessage>> = Vec::with_capacity(most);
        for message in all {
            let joins = |last: &&mut Arc<ChatMessage>| {
                let plain =
                    |message: &ChatMessage| message.tool_calls.is_empty() && message.role != Role::Tool;
                last.role == message.role && plain(last) && plain(message)
            };
            match messages.last_mut().filter(joins) {
                Some(last) => {
                    let last = Arc::make_mut(last);
                    last.content.push('\n');
                    last.content.push_str(&message.content);
                }
                None => messages.push(Arc::clone(message)),
            }
        }
        messages
    }

    /// Makes the conversation much shorter, for a brain whose window it did not fit into. False when there is nothing
    /// to leave out.
    pub(crate) fn shrink(&mut self) -> bool {
        let surplus = self.history.len().saturating_sub(KEPT_HISTORY);
        self.history.drain(..surplus);
        let mut cut = false;
        for message in &mut self.since {
            if let Some((end, _)) = message.content.char_indices().nth(KEPT_CHARACTERS) {
                let content = &mut Arc::make_mut(message).content;
                content.truncate(end);
                content.push_str(" … (cut, because the conversation grew too long)");
                cut = true;
            }
        }
        surplus > 0 || cut
    }
}

/// What is known about the person's language and units.
fn facts(question: &Question) -> String {
    let language = question
        .lang
        .as_deref()
        .filter(|lang| !lang.trim().is_empty())
        .map(|lang| {
            format!(
                "Always answer in {}, whatever the language of the question or of a result.",
                language::name(lang)
            )
        });
    let units = question.units.as_deref().filter(|units| !units.trim().is_empty());
    let units = units.map(|units| format!("Give measures in {units} units."));
    [language, units]
        .into_iter()
        .flatten()
        .collect::<Vec<_>>()
        .join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn question() -> Question {
        Question {
            utterance: "And Italy?".into(),
            persona_prompt: "You are Ziggy.".into(),
            lang: Some("pt-PT".into()),
            units: Some("imperial".into()),
            history: vec![
                ChatMessage::system("You are kind."),
                ChatMessage::user("Capital of France?"),
                ChatMessage::assistant("Paris."),
            ],
            ..Question::default()
        }
    }

    #[test]
    fn instructions_come_first_and_once() {
        let messages = Context::new(&question(), "Use tools.").messages();
        let system: Vec<_> = messages
            .iter()
            .filter(|message| message.role == Role::System)
            .collect();
        assert_eq!(system.len(), 1);
        assert_eq!(
            system[0].content,
            "You are Ziggy.\n\nYou are kind.\n\nUse tools.\n\nAlways answer in Portuguese (pt-PT), whatever the language \
             of the question or of a result.\nGive measures in imperial units."
        );
        let rest: Vec<_> = messages[1..]
            .iter()
            .map(|message| message.content.as_str())
            .collect();
        assert_eq!(rest, ["Capital of France?", "Paris.", "And Italy?"]);
    }

    #[test]
    fn the_prefix_stays_the_same_while_the_conversation_grows() {
        let mut context = Context::new(&question(), "Use tools.");
        let before = context.messages();
        context.push(ChatMessage::assistant("Thought: x"));
        context.push_user("Observation: {}");
        context.push_user("Answer now.");
        let after = context.messages();
        assert_eq!(&after[..before.len()], &before[..]);
        assert_eq!(
            after.last().map(|message| message.content.as_str()),
            Some("Observation: {}\nAnswer now.")
        );
    }

    #[test]
    fn a_conversation_too_long_loses_its_oldest_part() {
        let mut context = Context::new(&question(), "");
        assert!(!context.shrink());
        context.push_user("ß".repeat(5_000));
        assert!(context.shrink());
        assert!(
            context
                .messages()
                .iter()
                .all(|message| message.content.chars().count() < 1_200)
        );
    }
}
