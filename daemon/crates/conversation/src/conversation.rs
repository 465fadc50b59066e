//! The conversation of one turn, as data: instructions, the session's history, the utterance, and what happened since.
//!
//! It is worded for the brain that is asked, in its dialect. The instructions come first and do not change between steps
//! and turns, so that a prompt cache can keep them. Nothing here asks a brain.
//!
//! What changes from turn to turn (the moment, the place, the units and the persona's name) is one line beside the
//! utterance, behind the history. A small model takes numbers beside the question for its own, so the end of its
//! instructions says what they are.

pub(crate) mod facts;
mod item;
pub mod notes;

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use crate::brain::{Capabilities, ChatMessage, Role};
use crate::catalogue::Catalogue;
use crate::dialect::phase::step;
use crate::dialect::restated::is_declined;
use crate::dialect::{Manner, Reader, Speech, Wording, Words, apology};
use crate::question::Question;
use item::Kept;
use loquat_decoder::language;

pub use item::{Calls, Item, Observations};

/// A conversation that is shorter than it was is kept to this many messages of history.
const KEPT_HISTORY: usize = 2;

/// The observations of a conversation that was too long are cut to this many characters.
const KEPT_CHARACTERS: usize = 1_000;

/// The conversation of one turn. Messages are shared with the requests that hold them, of which every step makes one.
#[derive(Debug, Clone)]
pub struct Conversation {
    opening: Arc<Opening>,
    history: Vec<Arc<ChatMessage>>,
    /// What is known of the person and of their surroundings. It stands behind the history, since it changes from turn to turn. A small
    /// brain takes a number beside the question for one to calculate with, and is told at the end of its instructions.
    background: Option<Arc<ChatMessage>>,
    utterance: Arc<ChatMessage>,
    since: Vec<Arc<Kept>>,
    /// The notes on messages that had to make room.
    notes: Option<String>,
}

#[derive(Debug)]
struct Opening {
    manner: Manner,
    catalogue: Arc<Catalogue>,
    lang: Option<String>,
    prompts: BTreeMap<String, String>,
    /// They are the persona's own instructions.
    before: Vec<String>,
    wording: Wording,
    /// Says in which language is answered.
    behind: String,
    /// Tells a small brain of the person and of their surroundings.
    for_small: Option<String>,
    /// The instructions for the brain that was asked first.
    first: OnceLock<(Reader, Arc<ChatMessage>)>,
}

impl Conversation {
    /// Begins a conversation in which one thing after the other is asked for, under these instructions.
    pub fn new(question: &Question, catalogue: &Arc<Catalogue>, wording: Wording) -> Self {
        Self::in_manner(question, catalogue, Manner::Phases, wording)
    }

    /// Begins a conversation of this manner under these instructions.
    pub fn in_manner(
        question: &Question,
        catalogue: &Arc<Catalogue>,
        manner: Manner,
        wording: Wording,
    ) -> Self {
        let (persona, history): (Vec<_>, Vec<_>) = question
            .history
            .iter()
            .cloned()
            .partition(|message| message.role == Role::System);
        let persona = persona.into_iter().map(|message| message.content);
        let before = std::iter::once(question.persona_prompt.clone()).chain(persona);
        let opening = Opening {
            manner,
            catalogue: Arc::clone(catalogue),
            lang: question.lang.clone(),
            prompts: question.prompts.clone(),
            before: before.collect(),
            wording,
            behind: language_of_answers(question),
            for_small: question.background(),
            first: OnceLock::new(),
        };
        Self {
            opening: Arc::new(opening),
            history: history.into_iter().map(Arc::new).collect(),
            background: question
                .background()
                .map(|line| Arc::new(ChatMessage::user(line))),
            utterance: Arc::new(ChatMessage::user(question.utterance.as_str())),
            since: Vec::new(),
            notes: None,
        }
    }

    /// Tells how a brain with these capabilities is spoken to here.
    pub fn speech(&self, capabilities: Capabilities) -> Speech<'_> {
        Speech {
            manner: self.opening.manner,
            dialect: self.opening.manner.dialect(capabilities),
            small: capabilities.small,
            step_form: self.opening.manner.step_form(capabilities),
            lang: self.opening.lang.as_deref(),
            prompts: &self.opening.prompts,
            utterance: &self.utterance.content,
            catalogue: &self.opening.catalogue,
        }
    }

    /// Tells whether nothing has been said since the utterance.
    pub fn is_new(&self) -> bool {
        self.since.is_empty()
    }

    /// The utterance, if nothing else was asked for beside it.
    pub fn sole_question(&self) -> Option<&str> {
        let alone = self.since.first().is_none_or(|first| first.item.is_brains());
        alone.then_some(self.utterance.content.as_str())
    }

    /// Tells whether the brain said this last in this turn.
    pub fn ends_with(&self, item: &Item) -> bool {
        let last = self.since.iter().rev().find(|kept| kept.item.is_brains());
        matches!((last.map(|kept| &kept.item), item), (Some(Item::Said(last)), Item::Said(new)) if last == new)
    }

    /// Tells whether the last that happened is that calls brought something.
    pub fn ends_with_a_result(&self) -> bool {
        let last = self.since.last().map(|kept| &kept.item);
        matches!(last, Some(Item::Observed(observations)) if !observations.stuck)
    }

    /// Adds what has happened.
    pub fn push(&mut self, item: Item) {
        self.since.push(Arc::new(Kept::new(item)));
    }

    /// Adds words of ours.
    pub fn ask(&mut self, words: impl Into<Words>) {
        self.push(Item::Asked(words.into()));
    }

    /// Writes the whole conversation. Messages of one role that follow each other are joined, because some chat
    /// templates refuse anything but strict turns.
    pub fn messages(&self, speech: &Speech<'_>) -> Vec<Arc<ChatMessage>> {
        let instructions = self.opening.instructions(speech);
        let notes = self.notes.as_deref().map(notes::message).map(Arc::new);
        let before = instructions.into_iter().chain(notes);
        let background = self.background.iter().filter(|_| !speech.small);
        let with_tools = step::said_with_tools(speech).map(|words| Arc::new(ChatMessage::user(words)));
        let asked = background.chain([with_tools.as_ref().unwrap_or(&self.utterance)]);
        let said = self.history_for(speech).into_iter().chain(asked.cloned());
        let since = self.since.iter().flat_map(|kept| kept.messages(speech));
        let mut messages: Vec<Arc<ChatMessage>> =
            Vec::with_capacity(self.history.len() + self.since.len() + 3);
        for message in before.chain(said).chain(since) {
            join(&mut messages, message);
        }
        messages
    }

    /// What was said before. A small brain that reads of wishes which were declined declines what follows, too, and is not shown them.
    fn history_for(&self, speech: &Speech<'_>) -> Vec<Arc<ChatMessage>> {
        let apology = apology(self.opening.lang.as_deref());
        let declines = |message: &ChatMessage| {
            message.role == Role::Assistant && (message.content == apology || is_declined(&message.content))
        };
        let mut shown: Vec<Arc<ChatMessage>> = Vec::with_capacity(self.history.len());
        for message in &self.history {
            if speech.small && declines(message) {
                shown.pop_if(|last| last.role == Role::User);
            } else {
                shown.push(Arc::clone(message));
            }
        }
        shown
    }

    /// Writes the whole conversation with one more item behind it.
    pub fn messages_with(&self, item: Item, speech: &Speech<'_>) -> Vec<Arc<ChatMessage>> {
        let mut messages = self.messages(speech);
        messages.extend(Kept::new(item).messages(speech));
        messages
    }

    /// Makes the conversation much shorter, for a brain whose window it did not fit into. False when there is nothing
    /// to leave out.
    pub fn shrink(&mut self) -> bool {
        let surplus = self.history.len().saturating_sub(KEPT_HISTORY);
        self.history.drain(..surplus);
        let mut cut = false;
        for kept in &mut self.since {
            let mut item = kept.item.clone();
            if item.shrink(KEPT_CHARACTERS) {
                *kept = Arc::new(Kept::new(item));
                cut = true;
            }
        }
        surplus > 0 || cut
    }
}

fn join(messages: &mut Vec<Arc<ChatMessage>>, message: Arc<ChatMessage>) {
    let joins = |last: &&mut Arc<ChatMessage>| {
        let plain = |message: &ChatMessage| message.tool_calls.is_empty() && message.role != Role::Tool;
        last.role == message.role && plain(last) && plain(&message)
    };
    match messages.last_mut().filter(joins) {
        Some(last) => {
            let last = Arc::make_mut(last);
            last.content.push('\n');
            last.content.push_str(&message.content);
        }
        None => messages.push(message),
    }
}

impl Opening {
    fn instructions(&self, speech: &Speech<'_>) -> Option<Arc<ChatMessage>> {
        let worded = || Arc::new(ChatMessage::system(self.worded(speech)));
        let (reader, first) = self.first.get_or_init(|| (speech.reader(), worded()));
        let message = if *reader == speech.reader() {
            Arc::clone(first)
        } else {
            worded()
        };
        Some(message).filter(|message| !message.content.is_empty())
    }

    fn worded(&self, speech: &Speech<'_>) -> String {
        let wording = (self.wording)(speech);
        let for_small = self.for_small.iter().filter(|_| speech.small);
        let parts = self
            .before
            .iter()
            .chain([&wording, &self.behind])
            .chain(for_small);
        let mut parts: Vec<&str> = parts.map(|part| part.trim()).collect();
        parts.retain(|part| !part.is_empty());
        parts.dedup();
        parts.join("\n\n")
    }
}

fn language_of_answers(question: &Question) -> String {
    let lang = question.lang.as_deref().filter(|lang| !lang.trim().is_empty());
    let told = lang.map(|lang| {
        format!(
            "Always answer in {}, whatever the language of the question or of a result.",
            language::name(lang)
        )
    });
    told.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn question() -> Question {
        Question {
            utterance: "And Italy?".into(),
            persona_prompt: "You are Ziggy.".into(),
            lang: Some("pt-PT".into()),
            persona_name: Some("Ziggy".into()),
            place: Some("Porto".into()),
            moment: Some("Monday, 16:20".into()),
            units: Some("imperial".into()),
            history: vec![
                ChatMessage::system("You are kind."),
                ChatMessage::user("Capital of France?"),
                ChatMessage::assistant("Paris."),
            ],
            ..Question::default()
        }
    }

    fn conversation(question: &Question, wording: Wording) -> Conversation {
        Conversation::new(question, &Arc::new(Catalogue::default()), wording)
    }

    fn shown(conversation: &Conversation) -> Vec<Arc<ChatMessage>> {
        conversation.messages(&conversation.speech(Capabilities::default()))
    }

    #[test]
    fn instructions_come_first_and_once() {
        let messages = shown(&conversation(&question(), |_| "Use tools.".to_owned()));
        let system: Vec<_> = messages
            .iter()
            .filter(|message| message.role == Role::System)
            .collect();
        assert_eq!(system.len(), 1);
        assert_eq!(
            system[0].content,
            "You are Ziggy.\n\nYou are kind.\n\nUse tools.\n\nAlways answer in Portuguese (pt-PT), whatever the language \
             of the question or of a result."
        );
        let rest: Vec<_> = messages[1..]
            .iter()
            .map(|message| message.content.as_str())
            .collect();
        let asked = "Your name is Ziggy. You are in Porto. Give measures in imperial units. It is Monday, 16:20.\nAnd Italy?";
        assert_eq!(rest, ["Capital of France?", "Paris.", asked]);
    }

    #[test]
    fn a_small_brain_is_told_of_the_surroundings_behind_its_instructions() {
        let conversation = conversation(&question(), |_| "Use tools.".to_owned());
        let small = Capabilities {
            small: true,
            ..Capabilities::default()
        };
        let messages = conversation.messages(&conversation.speech(small));
        let usual = shown(&conversation);
        let told = question().surroundings().unwrap();
        assert_eq!(messages[0].content, format!("{}\n\n{told}", usual[0].content));
        assert_eq!(messages.last().unwrap().content, "And Italy?");
    }

    #[test]
    fn a_brain_is_told_that_and_where_it_was_interrupted() {
        let told = |heard: Option<&str>| {
            let question = Question {
                interrupted: heard.map(str::to_owned),
                ..question()
            };
            let messages = shown(&conversation(&question, |_| String::new()));
            messages.last().unwrap().content.clone()
        };
        assert!(!told(None).contains("interrupted"));
        assert!(
            told(Some(""))
                .starts_with("The person interrupted your last answer before a word of it was heard.\n")
        );
        let heard = "one two three four five six seven \"eight\" nine";
        assert!(
            told(Some(heard)).starts_with(
                "The person interrupted your last answer; the last words heard of it were \
                 \"two three four five six seven \\\"eight\\\" nine\".\nYour name is Ziggy."
            ),
            "{}",
            told(Some(heard))
        );
    }

    #[test]
    fn the_prefix_stays_the_same_while_the_conversation_grows() {
        let mut conversation = conversation(&question(), |_| "Use tools.".to_owned());
        let before = shown(&conversation);
        conversation.push(Item::Said("Thought: x".to_owned()));
        conversation.ask("Observation: {}");
        conversation.ask("Answer now.");
        let after = shown(&conversation);
        assert_eq!(&after[..before.len()], &before[..]);
        assert_eq!(
            after.last().map(|message| message.content.as_str()),
            Some("Observation: {}\nAnswer now.")
        );
    }

    #[test]
    fn a_conversation_too_long_loses_its_oldest_part() {
        let mut conversation = conversation(&question(), |_| String::new());
        assert!(!conversation.shrink());
        conversation.ask("ß".repeat(5_000));
        assert!(conversation.shrink());
        assert!(
            shown(&conversation)
                .iter()
                .all(|message| message.content.chars().count() < 1_200)
        );
    }
}
