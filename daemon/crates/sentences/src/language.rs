//! A language: its sentences, compiled once. Reads no files.

mod compiler;
mod complaint;
mod weight;

use crate::choices::{Choices, NodeId};
use crate::context::Requirement;
use crate::number_words::NumberWords;
use crate::phrase::Phrase;
use crate::sketch::Clauses;
use crate::skip::SkipWords;
use crate::slight::Slight;
use crate::source::{Numbers, Source};
use crate::value::Value;

pub use complaint::{Complaint, Problem};

/// The sentences of a language, compiled.
#[derive(Debug)]
pub struct Language {
    pub(crate) code: String,
    pub(crate) ignores_whitespace: bool,
    pub(crate) skip_words: SkipWords,
    pub(crate) nodes: Vec<Node>,
    pub(crate) parts: Vec<NodeId>,
    pub(crate) phrases: Vec<Phrase>,
    pub(crate) slots: Vec<String>,
    pub(crate) lists: Vec<Choice>,
    pub(crate) number_words: Vec<NumberWords>,
    pub(crate) intents: Vec<String>,
    pub(crate) blocks: Vec<Block>,
    pub(crate) slight: Slight,
}

/// A piece of a template, compiled.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Node {
    /// It is a phrase, by its number.
    Words(u32),
    Nothing,
    Sequence(Parts),
    Either(Parts),
    AnyOrder(Parts),
    Slot {
        list: u32,
        slot: u32,
        ends_word: bool,
    },
}

/// Where the parts of a node are.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Parts {
    pub(crate) first: u32,
    pub(crate) count: u32,
}

/// What may stand in a slot, compiled.
#[derive(Debug)]
pub(crate) enum Choice {
    Values(Choices),
    Numbers {
        numbers: Numbers,
        words: Option<u32>,
    },
    Open,
    /// Any words that the caller does not refuse.
    Words,
    /// A list of the home, by its name.
    Home(String),
}

/// Sentences that share slots, context and response, compiled.
#[derive(Debug)]
pub(crate) struct Block {
    pub(crate) intent: u32,
    /// It is this block of its intent, by its place.
    pub(crate) number: u32,
    pub(crate) response: Option<String>,
    pub(crate) slots: Vec<(String, Value)>,
    pub(crate) requires: Vec<Requirement>,
    pub(crate) sentences: Vec<Sentence>,
}

/// A template, compiled.
#[derive(Debug)]
pub(crate) struct Sentence {
    pub(crate) root: NodeId,
    pub(crate) needs: Clauses,
    pub(crate) shape: Shape,
    pub(crate) text: String,
}

/// Where open text stands in a template, for there skip words are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    Closed,
    AllOpen,
    OpenStart,
    OpenEnd,
}

impl Language {
    /// Compiles sentences. What cannot be read is left out and reported.
    pub fn build(source: &Source) -> (Self, Vec<Complaint>) {
        compiler::compile(source)
    }

    /// Compiles sentences that are known to be right.
    ///
    /// # Errors
    /// What cannot be read, if there is any.
    pub fn whole(source: &Source) -> Result<Self, Box<Complaint>> {
        let (language, complaints) = Self::build(source);
        complaints
            .into_iter()
            .next()
            .map_or(Ok(language), |complaint| Err(Box::new(complaint)))
    }

    /// With words that carry so little that a sentence may be meant that lacks one of them ([`Asked::lacks`](crate::Asked)).
    #[must_use]
    pub fn with_slight_words<'w>(self, words: impl IntoIterator<Item = &'w str>) -> Self {
        let slight = Slight::new(words, &self.phrases);
        Self { slight, ..self }
    }

    /// The language, as its source names it.
    pub fn code(&self) -> &str {
        &self.code
    }

    /// The names of its intents, in their order.
    pub fn intents(&self) -> impl Iterator<Item = &str> {
        self.intents.iter().map(String::as_str)
    }

    /// The names of its slots, each once.
    pub fn slots(&self) -> impl Iterator<Item = &str> {
        self.slots.iter().map(String::as_str)
    }

    pub(crate) fn intent_of(&self, block: &Block) -> &str {
        self.intents.get(block.intent as usize).map_or("", String::as_str)
    }

    /// How many templates it has.
    pub fn sentence_count(&self) -> usize {
        self.blocks.iter().map(|block| block.sentences.len()).sum()
    }
}
