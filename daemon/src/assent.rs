//! Reads what a person answers to "Shall I do this?".
//!
//! A yes is an utterance that says yes and nothing else: every word belongs to an assent, to a courtesy or to whom it is
//! said, and one of the assents is plain. Whatever else is said with a yes may take it back, so it is not one. Never looks
//! at what was asked, and never decides who may answer.

#[cfg(test)]
mod tests;

use loquat_orchestrator::template::{ALL_FUEL, Template};
use loquat_orchestrator::words::{Word, words};
use loquat_skills::folded;
use serde::{Deserialize, Deserializer};

/// Words of an answer; an answer of more words says more than yes.
const MOST_WORDS: usize = 24;

/// Words of one phrase in the lists.
const LONGEST_PHRASE: usize = 10;

/// Combining accents, of texts that spell them apart from their letters.
const ACCENTS: std::ops::RangeInclusive<char> = '\u{300}'..='\u{36f}';

/// What an utterance is as an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reply {
    /// A plain yes and nothing else.
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

/// How people of one language answer, as templates (INTENT-1). Compared without case, accents and punctuation.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Assent {
    /// A yes by itself.
    #[serde(deserialize_with = "templates")]
    yes: Vec<Template>,
    /// Says yes only beside a plain one.
    #[serde(deserialize_with = "templates")]
    maybe: Vec<Template>,
    /// Courtesies, which say nothing.
    #[serde(deserialize_with = "templates")]
    polite: Vec<Template>,
    /// Words that change nothing: how soon, and to whom.
    #[serde(deserialize_with = "templates")]
    fillers: Vec<Template>,
    /// Words between two assents.
    #[serde(deserialize_with = "templates")]
    joiners: Vec<Template>,
    /// A no, wherever it stands.
    #[serde(deserialize_with = "templates")]
    no: Vec<Template>,
    /// Assents that hold a word of `no`. Too near to a no for a yes.
    #[serde(deserialize_with = "templates")]
    idioms: Vec<Template>,
}

impl Assent {
    /// What an utterance is as an answer. `names` are those by which the device may be addressed; `asks` tells whether a
    /// word begins a question. Words that stop are not known here.
    pub(crate) fn read(&self, utterance: &str, names: &[String], asks: impl Fn(&str) -> bool) -> Reply {
        let names: Vec<Template> = names.iter().filter_map(|name| template(name)).collect();
        let all = answer_words(utterance);
        let rest = self.without_idioms(&all);
        let is_hedged = rest.len() < all.len();
        if has(&self.no, &rest) {
            return Reply::No;
        }
        let plainly = self.whole(&rest, &names);
        if plainly == Some(true) && !is_hedged {
            return Reply::Yes;
        }
        let assents = [&self.yes, &self.maybe];
        let begins = assents.iter().any(|list| phrase_at(list, &rest, 0).is_some());
        let has_nothing_else = plainly.is_some() && !rest.is_empty();
        // "What can you do" ends like an assent, and "What time is it, please" is polite.
        let is_question = rest.first().is_some_and(|word| asks(&word.plain));
        let ends = || assents.iter().any(|list| ends(list, &rest)) || touches(&self.polite, &rest);
        if is_hedged || has_nothing_else || begins || (!is_question && ends()) {
            Reply::Unclear
        } else {
            Reply::Other
        }
    }

    /// The number of words at the beginning that are assent or courtesy; zero where there are none.
    pub(crate) fn leading(&self, said: &[Word]) -> usize {
        let lists = [&self.yes, &self.maybe, &self.polite, &self.fillers];
        let longest = said.len().min(LONGEST_PHRASE);
        let known = |length: &usize| {
            let phrase = said.get(..*length).unwrap_or_default();
            lists.iter().any(|list| fits(list, phrase))
        };
        (1..=longest).rev().find(known).unwrap_or_default()
    }

    fn without_idioms(&self, said: &[Word]) -> Vec<Word> {
        let mut rest = Vec::new();
        let mut at = 0;
        while let Some(word) = said.get(at) {
            at = phrase_at(&self.idioms, said, at).unwrap_or_else(|| {
                rest.push(word.clone());
                at + 1
            });
        }
        rest
    }

    /// Whether the whole of it can be cut into known phrases, and whether one of them is a plain yes.
    fn whole(&self, said: &[Word], names: &[Template]) -> Option<bool> {
        if said.len() > MOST_WORDS {
            return None;
        }
        // What the words before each place amount to.
        let mut before: Vec<Option<bool>> = vec![None; said.len() + 1];
        *before.first_mut()? = Some(false);
        for start in 0..said.len() {
            let Some(plain) = before.get(start).copied().flatten() else {
                continue;
            };
            for end in start + 1..=said.len().min(start + LONGEST_PHRASE) {
                let phrase = said.get(start..end).unwrap_or_default();
                if let (Some(found), Some(after)) = (self.kind(phrase, start, names), before.get_mut(end)) {
                    *after = Some(after.unwrap_or_default() || plain || found);
                }
            }
        }
        before.last().copied().flatten()
    }

    /// Whether a phrase is known, and whether it is a plain yes.
    fn kind(&self, phrase: &[Word], start: usize, names: &[Template]) -> Option<bool> {
        let (first, rest) = phrase.split_at_checked(1)?;
        // A word that joins needs something on both sides.
        let is_joined = start > 0 && !rest.is_empty() && fits(&self.joiners, first);
        let phrase = if is_joined { rest } else { phrase };
        if fits(&self.yes, phrase) {
            return Some(true);
        }
        let lists = [&self.maybe, &self.polite, &self.fillers];
        let is_known = lists.iter().any(|list| fits(list, phrase)) || fits(names, phrase);
        is_known.then_some(false)
    }
}

/// The words of an answer as they are compared.
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

fn fits(list: &[Template], phrase: &[Word]) -> bool {
    let mut steps = ALL_FUEL;
    !phrase.is_empty()
        && list
            .iter()
            .any(|template| template.fit(phrase, &mut steps).is_some())
}

/// The end of the longest phrase of the list that begins at this word.
fn phrase_at(list: &[Template], said: &[Word], start: usize) -> Option<usize> {
    let last = said.len().min(start + LONGEST_PHRASE);
    let is_it = |end: &usize| fits(list, said.get(start..*end).unwrap_or_default());
    (start + 1..=last).rev().find(is_it)
}

fn has(list: &[Template], said: &[Word]) -> bool {
    (0..said.len()).any(|start| phrase_at(list, said, start).is_some())
}

/// Whether a phrase of the list ends it.
fn ends(list: &[Template], said: &[Word]) -> bool {
    let first = said.len().saturating_sub(LONGEST_PHRASE);
    (first..said.len()).any(|start| fits(list, said.get(start..).unwrap_or_default()))
}

/// Whether a phrase of the list begins or ends it.
fn touches(list: &[Template], said: &[Word]) -> bool {
    phrase_at(list, said, 0).is_some() || ends(list, said)
}

fn template(text: &str) -> Option<Template> {
    Template::parse(&folded(text))
}

pub(crate) fn templates<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Template>, D::Error> {
    let texts = Vec::<String>::deserialize(deserializer)?;
    let read = |text: &String| {
        template(text).ok_or_else(|| serde::de::Error::custom(format!("{text:?} is no template")))
    };
    texts.iter().map(read).collect()
}
