//! What recognisers make up of silence and noise, by language and by kind, and whether a text is nothing else. Compares
//! words; knows no sound. A phrase counts as the whole of an utterance or of a sentence, never within one.

use std::iter::once;
use std::sync::LazyLock;

use serde::Deserialize;

use super::template::{Template, Token, tokens};

/// A text of more words says something else as well.
const MOST_WORDS: usize = 80;

/// A text of more bytes is left as it is.
const LONGEST: usize = 2048;

/// Names that may stand in a credit.
const MOST_NAMES: usize = 16;

/// Each language has a file, and there is one for what is known of others.
const FILES: [&str; 9] = [
    include_str!("phrases/en.toml"),
    include_str!("phrases/de.toml"),
    include_str!("phrases/fr.toml"),
    include_str!("phrases/es.toml"),
    include_str!("phrases/it.toml"),
    include_str!("phrases/pt.toml"),
    include_str!("phrases/ko.toml"),
    include_str!("phrases/zh.toml"),
    include_str!("phrases/further.toml"),
];

static LANGUAGES: LazyLock<Vec<Phrases>> = LazyLock::new(|| FILES.into_iter().filter_map(read).collect());

/// The phrases of one language.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Phrases {
    /// Phrases that only the end of a video has.
    sign_offs: Vec<Template>,
    /// Phrases that may stand beside a sign-off, and are none by themselves.
    beside: Vec<Template>,
    /// Beginnings of the credits of subtitles; names follow.
    credits: Vec<Template>,
    /// Words among these names.
    credited: Vec<Template>,
    /// Sounds that are no words.
    murmurs: Vec<Template>,
    /// Words that may stand beside murmurs, and are perhaps words by themselves.
    only_beside_murmurs: Vec<Template>,
    /// Phrases that people say too, and recognisers far more often.
    polite: Vec<Template>,
}

/// A file that cannot be read is missing; a test reads them all.
fn read(file: &str) -> Option<Phrases> {
    let read = toml::from_str(file).map(|read: Phrases| Phrases {
        murmurs: read.murmurs.into_iter().map(Template::drawled).collect(),
        only_beside_murmurs: read
            .only_beside_murmurs
            .into_iter()
            .map(Template::drawled)
            .collect(),
        ..read
    });
    read.inspect_err(|error| tracing::error!(%error, "the phrases that recognisers make up cannot be read"))
        .ok()
}

/// Tells whether nothing was said: all of the text is a sign-off, a credit, or a murmur. None of them is an answer or
/// an order.
pub(super) fn is_made_up(text: &str) -> bool {
    is_of_a_video(text) || is_murmur(text)
}

/// Tells whether it may have been said, and more likely was not.
pub(super) fn is_polite(text: &str) -> bool {
    let said = tokens(text);
    LANGUAGES.iter().any(|language| fits(&language.polite, &said))
}

/// Takes sentences off a text that only videos say, and the lone word that whisper ends silence with.
pub(super) fn without_videos(text: &str) -> &str {
    let text = text.trim();
    if text.len() > LONGEST {
        return text;
    }
    let parted = breaks(text).filter_map(|place| text.split_at_checked(place));
    let is_end = |(_, end): &(&str, &str)| is_of_a_video(end) || is_lone_you(end);
    let text = parted.clone().find(is_end).map_or(text, |(rest, _)| rest.trim());
    let parted = breaks(text).filter_map(|place| text.split_at_checked(place));
    let beginning = parted.rev().find(|(beginning, _)| is_of_a_video(beginning));
    beginning.map_or(text, |(_, rest)| rest.trim())
}

fn is_lone_you(sentence: &str) -> bool {
    matches!(&tokens(sentence)[..], [one] if one.plain == "you")
}

/// Tells whether all sentences of a text are of a video: at least one is, and the others may stand beside it.
fn is_of_a_video(text: &str) -> bool {
    if kind(text) == Some(true) {
        return true;
    }
    let starts = once(0).chain(breaks(text));
    let ends = breaks(text).chain(once(text.len()));
    let mut kinds = starts
        .zip(ends)
        .map(|(start, end)| kind(text.get(start..end).unwrap_or_default()));
    kinds
        .try_fold(false, |is_one, kind| kind.map(|counts| is_one || counts))
        .unwrap_or_default()
}

/// Tells whether these may be words at the end of a video, and whether nothing else can be.
fn kind(sentence: &str) -> Option<bool> {
    let said = tokens(sentence);
    if said.is_empty() || said.len() > MOST_WORDS {
        return None;
    }
    let kinds = LANGUAGES.iter().filter_map(|language| {
        let is_credit = language.is_credit(&said).then_some(true);
        is_credit.or_else(|| language.signs_off(&said))
    });
    kinds.max()
}

fn is_murmur(text: &str) -> bool {
    let said = tokens(text);
    // A lone letter is one, whatever sound it may be.
    let are_letters = said.iter().all(|token| token.plain.len() == 1);
    if are_letters || said.len() > MOST_WORDS {
        return false;
    }
    let said: Vec<Token> = said.into_iter().map(Token::drawled).collect();
    LANGUAGES
        .iter()
        .any(|language| covers(&language.murmurs, &language.only_beside_murmurs, &said) == Some(true))
}

impl Phrases {
    /// Tells whether these are words of a sign-off alone, and whether they are one.
    fn signs_off(&self, said: &[Token]) -> Option<bool> {
        covers(&self.sign_offs, &self.beside, said)
    }

    /// Tells whether it begins as a credit, and has nothing but names behind that. Where letters have no case every
    /// word may be one.
    fn is_credit(&self, said: &[Token]) -> bool {
        let is_name = |token: &Token| {
            token.is_capital || !token.has_case || fits(&self.credited, std::slice::from_ref(token))
        };
        let ends = self.credits.iter().flat_map(|begin| begin.ends(said, 0));
        ends.into_iter().any(|end| {
            let names = said.get(end..).unwrap_or_default();
            names.len() <= MOST_NAMES && names.iter().all(is_name)
        })
    }
}

fn fits(phrases: &[Template], said: &[Token]) -> bool {
    phrases
        .iter()
        .any(|phrase| phrase.ends(said, 0).contains(&said.len()))
}

/// Tells whether the words can be cut into phrases of the two lists, and whether one is of the first.
fn covers(first: &[Template], beside: &[Template], said: &[Token]) -> Option<bool> {
    let mut reached: Vec<Option<bool>> = vec![None; said.len() + 1];
    *reached.first_mut()? = Some(false);
    for start in 0..said.len() {
        let Some(is_one) = reached.get(start).copied().flatten() else {
            continue;
        };
        let found = first.iter().map(|phrase| (phrase, true));
        for (phrase, counts) in found.chain(beside.iter().map(|phrase| (phrase, false))) {
            for end in phrase.ends(said, start) {
                if let Some(place) = reached.get_mut(end).filter(|_| end > start) {
                    *place = Some(place.unwrap_or_default() || is_one || counts);
                }
            }
        }
    }
    reached.last().copied().flatten()
}

/// The places behind the ends of sentences, but for that of the text.
fn breaks(text: &str) -> impl DoubleEndedIterator<Item = usize> + Clone {
    let text = text.trim_end();
    let ends = text.char_indices().filter(|(at, sign)| {
        let behind = text.get(at + sign.len_utf8()..).unwrap_or_default();
        match sign {
            '.' | '!' | '?' | '…' => behind.starts_with(char::is_whitespace),
            '。' | '！' | '？' | '\n' => !behind.is_empty(),
            _ => false,
        }
    });
    ends.map(|(at, sign)| at + sign.len_utf8())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_files_can_be_read() {
        assert_eq!(LANGUAGES.len(), FILES.len());
        for file in FILES {
            let read: Result<Phrases, _> = toml::from_str(file);
            read.unwrap();
        }
    }
}
