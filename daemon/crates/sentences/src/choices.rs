//! The values of a list, ordered so that those that fit a text are found without trying all.

use crate::context::Context;
use crate::lexicon::Lexicon;
use crate::phrase::Phrase;
use crate::spoken::even;
use crate::value::Value;

/// The number of a node of a language.
pub(crate) type NodeId = u32;

/// The values of a list.
#[derive(Debug, Default)]
pub(crate) struct Choices {
    pub(crate) all: Vec<Choice>,
    /// It finds plain values by their letters.
    lexicon: Lexicon,
    /// Values that are templates or are not compared letter by letter.
    unordered: Vec<u32>,
    /// A value has slots of its own.
    pub(crate) has_slots: bool,
}

/// A value of a list.
#[derive(Debug)]
pub(crate) struct Choice {
    pub(crate) said: Said,
    /// Without one the slot holds what was said.
    pub(crate) value: Option<Value>,
    pub(crate) context: Context,
}

/// How a value is said.
#[derive(Debug)]
pub(crate) enum Said {
    Plainly(Phrase),
    /// A template describes it.
    As(NodeId),
}

impl Choices {
    /// The values in their order.
    pub(crate) fn new(all: Vec<Choice>, has_slots: bool) -> Self {
        let mut entries = Vec::new();
        let mut unordered = Vec::new();
        for (choice, at) in all.iter().zip(0..) {
            match &choice.said {
                Said::Plainly(phrase) if phrase.is_blank() => {}
                Said::Plainly(phrase) => match phrase.letters(false).trimmed_start() {
                    letters if letters.iter().any(|letter| is_longer_when_folded(*letter)) => {
                        unordered.push(at);
                    }
                    letters => entries.push((letters.into(), at)),
                },
                Said::As(_) => unordered.push(at),
            }
        }
        Self {
            lexicon: Lexicon::new(entries),
            all,
            unordered,
            has_slots,
        }
    }

    /// Values without templates.
    pub(crate) fn plain(values: impl Iterator<Item = (String, Value, Context)>) -> Self {
        let choice = |(said, value, context): (String, Value, Context)| Choice {
            said: Said::Plainly(Phrase::new(&even(&said))),
            value: Some(value),
            context,
        };
        Self::new(values.map(choice).collect(), false)
    }

    /// The plain values that begin a folded text, the shortest first, each with the number of its letters.
    pub(crate) fn beginning<'a>(&'a self, text: &'a [char]) -> impl Iterator<Item = (usize, u32)> {
        self.lexicon
            .beginning(text)
            .map(|(letters, at)| (letters.len(), at))
    }

    /// The values that have to be tried one by one.
    pub(crate) fn unordered(&self) -> &[u32] {
        &self.unordered
    }

    pub(crate) fn get(&self, at: u32) -> Option<&Choice> {
        self.all.get(at as usize)
    }
}

/// Letters that other engines compare as several.
fn is_longer_when_folded(letter: char) -> bool {
    matches!(
        letter,
        'ß' | 'ŉ' | 'ǰ' | 'և' | '\u{390}' | '\u{3b0}' | '\u{fb00}'..='\u{fb17}'
    )
}
