//! Reads what a person answers to "Shall I do this?".
//!
//! A yes is an utterance that says yes and nothing else: every word belongs to an assent, to a courtesy or to whom it is
//! said, and one of the assents is plain. Whatever else is said with a yes may take it back, so it is not one. Never looks
//! at what was asked, and never decides who may answer.

#[cfg(test)]
mod tests;

use std::ops::Range;

use loquat_kit::folded;
use loquat_sentences::words::{Word, plain, words};
use loquat_sentences::{Complaint, Home, Language, List, Name, Place, Source, Utterance};
use serde::Deserialize;

/// Words of an answer; an answer of more words says more than yes.
const MOST_WORDS: usize = 24;

/// Combining accents, of texts that spell them apart from their letters.
const ACCENTS: std::ops::RangeInclusive<char> = '\u{300}'..='\u{36f}';

/// What the phrases of a list are, by the place of the list among them.
const YES: usize = 0;
const MAYBE: usize = 1;
const POLITE: usize = 2;
const FILLER: usize = 3;
const NAME: usize = 4;
const JOINER: usize = 5;
const NO: usize = 6;
const IDIOM: usize = 7;

/// The list of names by which the device may be addressed.
const NAMES: &str = "name";

/// What an utterance is as an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reply {
    /// It is a plain yes and nothing else.
    Yes,
    /// A no, wherever in the utterance it stands.
    No,
    /// A word that stops, which is a no as well.
    Stop,
    /// Assent or courtesy that is no plain yes, or comes with something else.
    Unclear,
    /// No answer at all.
    Other,
}

/// How people of one language answer. Compared without case, accents and punctuation.
#[derive(Debug, Deserialize)]
#[serde(try_from = "Written")]
pub struct Assent(Language);

/// The lists of a file of phrases, as templates (INTENT-1).
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    /// Each is a yes by itself.
    yes: Vec<String>,
    /// Says yes only beside a plain one.
    maybe: Vec<String>,
    /// Courtesies, which say nothing.
    polite: Vec<String>,
    /// Words that change nothing: how soon, and to whom.
    fillers: Vec<String>,
    /// They stand between two assents.
    joiners: Vec<String>,
    /// A no, wherever it stands.
    no: Vec<String>,
    /// Assents that hold a word of `no`. Too near to a no for a yes.
    idioms: Vec<String>,
}

impl TryFrom<Written> for Assent {
    type Error = Box<Complaint>;

    fn try_from(written: Written) -> Result<Self, Box<Complaint>> {
        let mut source = Source::of_words([
            ("yes", compared(&written.yes)),
            ("maybe", compared(&written.maybe)),
            ("polite", compared(&written.polite)),
            ("fillers", compared(&written.fillers)),
            ("names", vec![format!("{{{NAMES}}}")]),
            ("joiners", compared(&written.joiners)),
            ("no", compared(&written.no)),
            ("idioms", compared(&written.idioms)),
        ]);
        source.lists.insert(NAMES.to_owned(), List::Home);
        Language::whole(&source).map(Self)
    }
}

impl Assent {
    /// Reads an utterance as an answer. `names` are those by which the device may be addressed; `asks` tells
    /// whether a word begins a question. Words that stop are not known here.
    pub(crate) fn read(&self, utterance: &str, names: &[String], asks: impl Fn(&str) -> bool) -> Reply {
        let names = names.iter().map(|name| Name::new(&plain(&folded(name))));
        let home = Home::new().with_names(NAMES, names);
        let all = answer_words(utterance);
        let rest = without(&all, &self.heard(&all, &home));
        let heard = self.heard(&rest, &home);
        let is_hedged = rest.len() < all.len();
        if heard.places_of(&[NO]).next().is_some() {
            return Reply::No;
        }
        let plainly = heard.whole();
        if plainly == Some(true) && !is_hedged {
            return Reply::Yes;
        }
        let begins = heard.places_of(&[YES, MAYBE]).any(|words| words.start == 0);
        let has_nothing_else = plainly.is_some() && !rest.is_empty();
        // "What can you do" ends like an assent, and "What time is it, please" is polite.
        let is_question = rest.first().is_some_and(|word| asks(&word.plain));
        let ends = || {
            let mut polite = heard.places_of(&[POLITE]);
            let mut assents = heard.places_of(&[YES, MAYBE]);
            assents.any(|words| words.end == rest.len())
                || polite.any(|words| words.start == 0 || words.end == rest.len())
        };
        if is_hedged || has_nothing_else || begins || (!is_question && ends()) {
            Reply::Unclear
        } else {
            Reply::Other
        }
    }

    /// Finds the words of an utterance that are assent and courtesies.
    pub(crate) fn courtesies(&self, said: &Utterance) -> Vec<Range<usize>> {
        let mut places = self.0.places(said, &Home::new());
        places.retain(|place| place.intent <= FILLER);
        places.into_iter().map(|place| place.words).collect()
    }

    fn heard(&self, said: &[Word], home: &Home) -> Heard {
        Heard {
            count: said.len(),
            places: self.0.places(&Utterance::new(said), home),
        }
    }
}

/// The phrases of an answer.
struct Heard {
    count: usize,
    places: Vec<Place>,
}

impl Heard {
    fn places_of(&self, lists: &[usize]) -> impl Iterator<Item = &Range<usize>> {
        let places = self.places.iter();
        places
            .filter(|place| lists.contains(&place.intent))
            .map(|place| &place.words)
    }

    /// Tells whether the whole of it can be cut into known phrases, and whether one of them is a plain yes.
    fn whole(&self) -> Option<bool> {
        if self.count > MOST_WORDS {
            return None;
        }
        // What the words before each place amount to.
        let mut before: Vec<Option<bool>> = vec![None; self.count + 1];
        *before.first_mut()? = Some(false);
        for start in 0..self.count {
            let Some(plain) = before.get(start).copied().flatten() else {
                continue;
            };
            // A word that joins needs something on both sides.
            let is_joined = start > 0
                && self
                    .places_of(&[JOINER])
                    .any(|words| *words == (start..start + 1));
            let first = start + usize::from(is_joined);
            let phrases = self
                .places
                .iter()
                .filter(|place| place.intent <= NAME && place.words.start == first);
            for Place { intent, words } in phrases {
                if let Some(after) = before.get_mut(words.end) {
                    *after = Some(after.unwrap_or_default() || plain || *intent == YES);
                }
            }
        }
        before.last().copied().flatten()
    }
}

/// Leaves out the words of idioms, of the longest one at each place.
fn without(said: &[Word], heard: &Heard) -> Vec<Word> {
    let mut rest = Vec::new();
    let mut at = 0;
    while let Some(word) = said.get(at) {
        let idioms = heard.places_of(&[IDIOM]).filter(|words| words.start == at);
        at = idioms.map(|words| words.end).max().unwrap_or_else(|| {
            rest.push(word.clone());
            at + 1
        });
    }
    rest
}

/// Takes an answer apart into words as they are compared.
pub(crate) fn answer_words(utterance: &str) -> Vec<Word> {
    let bare = |letter: &char| !ACCENTS.contains(letter);
    let plain = |letter: char| {
        let is_apostrophe = "ʼ‘’´`".contains(letter);
        if is_apostrophe { '\'' } else { letter }
    };
    let text: String = utterance.chars().filter(bare).map(plain).collect();
    let parted = |letter: char| if letter.is_alphanumeric() { letter } else { ' ' };
    words(&folded(&text).chars().map(parted).collect::<String>())
}

/// Writes templates of answers as they are compared.
pub(crate) fn compared(templates: &[String]) -> Vec<String> {
    templates.iter().map(|template| folded(template)).collect()
}
