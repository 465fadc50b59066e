//! The words of numbers, as CLDR spells them out. Made by `number_words.py`; computes none itself.

use crate::letter::fold;
use crate::lexicon::Lexicon;

/// All numbers from 0 to 100 with their halves, and those from 1,000 to 10,000 by hundreds.
const WORDS: &str = include_str!("number_words/words.txt");

/// The letter that means that a spelling shares nothing with the one before it.
const NONE_SHARED: u32 = '0' as u32;

/// The numbers that a language has words for.
#[derive(Debug, Default)]
pub(crate) struct NumberWords {
    lexicon: Lexicon,
    /// Each spelling as it was written, with its number.
    spelled: Vec<Spelled>,
}

/// A way to say a number.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Spelled {
    pub(crate) letters: Box<[char]>,
    pub(crate) number: f64,
    pub(crate) is_whole: bool,
}

impl NumberWords {
    /// The words of a language, or of the language that it is a variety of.
    pub(crate) fn of(language: &str) -> Self {
        let family = language.split(['-', '_']).next().unwrap_or(language);
        let lines = lines_of(language)
            .or_else(|| lines_of(family))
            .unwrap_or_default();
        let spelled = read(lines);
        let entries = spelled
            .iter()
            .zip(0..)
            .map(|(way, at)| (way.letters.iter().copied().map(fold).collect(), at));
        Self {
            lexicon: Lexicon::new(entries.collect()),
            spelled,
        }
    }

    /// The ways to say a number that begin a folded text, the shortest first.
    pub(crate) fn beginning<'a>(
        &'a self,
        text: &'a [char],
    ) -> impl Iterator<Item = (u32, &'a [char], &'a Spelled)> {
        let found = self.lexicon.beginning(text);
        found.filter_map(|(folded, at)| Some((at, folded, self.spelled.get(at as usize)?)))
    }
}

/// The lines of a language in the table.
fn lines_of(language: &str) -> Option<&'static str> {
    let mut rest = WORDS;
    while let Some(begun) = rest.strip_prefix('=') {
        let (names, after) = begun.split_once('\n')?;
        let end = after.find("\n=").map_or(after.len(), |end| end + 1);
        let (lines, next) = after.split_at_checked(end)?;
        if names.split(' ').any(|name| name.eq_ignore_ascii_case(language)) {
            return Some(lines);
        }
        rest = next;
    }
    None
}

fn read(lines: &str) -> Vec<Spelled> {
    let mut spelled = Vec::new();
    let mut before: Vec<char> = Vec::new();
    for line in lines.lines() {
        let mut fields = line.split('\t');
        let Some(number) = fields.next().and_then(|number| number.parse::<f64>().ok()) else {
            continue;
        };
        for field in fields {
            let mut letters = field.chars();
            let shared = letters
                .next()
                .map_or(0, |shared| (shared as u32).saturating_sub(NONE_SHARED));
            before.truncate(shared as usize);
            before.extend(letters);
            spelled.push(Spelled {
                letters: before.as_slice().into(),
                number,
                is_whole: number.fract() == 0.0,
            });
        }
    }
    spelled
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(language: &str, text: &str) -> Vec<f64> {
        let text: Vec<char> = text.chars().collect();
        let words = NumberWords::of(language);
        words
            .beginning(&text)
            .map(|(_, _, spelled)| spelled.number)
            .collect()
    }

    #[test]
    fn numbers_are_known_by_all_their_words() {
        assert_eq!(numbers("en", "twenty-one percent"), [20.0, 21.0]);
        assert_eq!(numbers("en", "twenty one"), [20.0, 21.0]);
        assert_eq!(
            numbers("de", "einundzwanzig grad"),
            [1.0, 1.0, 21.0].as_slice()[1..].to_vec()
        );
        assert_eq!(numbers("fr-CA", "vingt et une"), [20.0, 21.0, 21.0]);
        assert_eq!(numbers("pt-BR", "dois mil e setecentos"), [2.0, 2_000.0, 2_700.0]);
    }

    #[test]
    fn languages_without_words_have_none() {
        assert!(
            numbers("bn", "one").is_empty()
                && numbers("xx", "one").is_empty()
                && numbers("nb", "en").is_empty()
        );
    }
}
