//! Phrases with alternatives, `(one|other)`, with what may be left out, `[so]`, and with what may come any number of times or
//! not at all, `{so|very}`, compared by words. Scripts without spaces are compared letter by letter, so that it is the same
//! with and without them.

use serde::{Deserialize, Deserializer};

/// A word, or a letter of a script that is written without spaces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Token {
    /// The word in small letters.
    pub(super) plain: String,
    /// Says whether it is written as a name, or is a number.
    pub(super) is_capital: bool,
    /// Says whether its letters are small or large.
    pub(super) has_case: bool,
}

impl Token {
    fn of(word: &str) -> Self {
        let first = word.chars().next();
        Self {
            plain: word.to_lowercase(),
            is_capital: first.is_some_and(|sign| sign.is_uppercase() || sign.is_numeric()),
            has_case: first.is_some_and(|sign| sign.is_lowercase() || sign.is_uppercase()),
        }
    }

    /// Shortens a sound that is drawn out: "Hmmm" is "hm", and "hahaha" is "haha".
    pub(super) fn drawled(self) -> Self {
        let mut short = String::new();
        for sign in self.plain.chars() {
            if !short.ends_with(sign) {
                short.push(sign);
            }
        }
        let signs: Vec<char> = short.chars().collect();
        let repeats = |length: &usize| {
            let (unit, rest) = signs.split_at(*length);
            !rest.is_empty() && rest.chunks(*length).all(|chunk| chunk == unit)
        };
        let unit = (2..=signs.len() / 2).find(repeats);
        Self {
            plain: unit.map_or(short, |unit| signs.iter().take(2 * unit).collect::<String>()),
            ..self
        }
    }
}

/// Tells whether a sign is of a script in which a letter, or a syllable, stands for itself.
fn stands_alone(sign: char) -> bool {
    matches!(sign, '\u{2e80}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

/// Cuts a text into words, with everything but letters and digits between them. The words of an address count as
/// names.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    let mut found = Vec::new();
    for piece in text.split_whitespace() {
        let begins = found.len();
        tokens_of(piece, &mut found);
        let is_address = piece
            .trim_matches(|sign: char| !sign.is_alphanumeric())
            .contains('.');
        for token in found.iter_mut().skip(begins) {
            token.is_capital |= is_address;
        }
    }
    found
}

fn tokens_of(piece: &str, found: &mut Vec<Token>) {
    let mut word = String::new();
    for sign in piece.chars().chain([' ']) {
        let is_within = sign.is_alphanumeric() && !stands_alone(sign);
        if is_within {
            word.push(sign);
            continue;
        }
        if !word.is_empty() {
            found.push(Token::of(&std::mem::take(&mut word)));
        }
        if sign.is_alphanumeric() {
            found.push(Token::of(sign.encode_utf8(&mut [0; 4])));
        }
    }
}

/// A phrase with alternatives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Template(Vec<Part>);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    Word(String),
    OneOf(Vec<Template>),
    Any(Vec<Template>),
}

impl<'de> Deserialize<'de> for Template {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).ok_or_else(|| serde::de::Error::custom(format!("{text:?} is no phrase")))
    }
}

impl Template {
    /// Reads a phrase; nothing where its brackets do not fit, or it fits nothing at all.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let mut signs = text.chars();
        let mut read = alternatives(&mut signs, None)?;
        let one = read.pop().filter(|_| read.is_empty())?;
        (!one.ends(&[], 0).contains(&0)).then_some(one)
    }

    /// Makes it a phrase of sounds, which have no length.
    pub(super) fn drawled(self) -> Self {
        let part = |part: Part| match part {
            Part::Word(word) => Part::Word(Token::of(&word).drawled().plain),
            Part::OneOf(all) => Part::OneOf(all.into_iter().map(Self::drawled).collect()),
            Part::Any(all) => Part::Any(all.into_iter().map(Self::drawled).collect()),
        };
        Self(self.0.into_iter().map(part).collect())
    }

    /// Lists the places at which it may end that begins here.
    pub(super) fn ends(&self, said: &[Token], start: usize) -> Vec<usize> {
        let mut places = vec![start];
        for part in &self.0 {
            let mut next: Vec<usize> = places.iter().flat_map(|place| part.ends(said, *place)).collect();
            next.sort_unstable();
            next.dedup();
            places = next;
        }
        places
    }
}

impl Part {
    fn ends(&self, said: &[Token], start: usize) -> Vec<usize> {
        match self {
            Self::Word(word) if said.get(start).is_some_and(|token| token.plain == *word) => vec![start + 1],
            Self::Word(_) => Vec::new(),
            Self::OneOf(all) => all.iter().flat_map(|one| one.ends(said, start)).collect(),
            Self::Any(all) => {
                let mut places = vec![start];
                let mut at = 0;
                while let Some(place) = places.get(at).copied() {
                    let further = all.iter().flat_map(|one| one.ends(said, place));
                    let further: Vec<usize> = further.filter(|end| !places.contains(end)).collect();
                    places.extend(further);
                    at += 1;
                }
                places
            }
        }
    }
}

/// Reads alternatives to the bracket that ends them, or to the end.
fn alternatives(signs: &mut std::str::Chars<'_>, until: Option<char>) -> Option<Vec<Template>> {
    let (mut all, mut one, mut words) = (Vec::new(), Vec::new(), String::new());
    loop {
        let sign = signs.next();
        if !matches!(sign, None | Some('(' | '[' | '{' | '|' | ')' | ']' | '}')) {
            words.extend(sign);
            continue;
        }
        one.extend(
            tokens(&std::mem::take(&mut words))
                .into_iter()
                .map(|token| Part::Word(token.plain)),
        );
        match sign {
            Some('(') => one.push(Part::OneOf(alternatives(signs, Some(')'))?)),
            Some('[') => {
                let mut inner = alternatives(signs, Some(']'))?;
                inner.push(Template(Vec::new()));
                one.push(Part::OneOf(inner));
            }
            Some('{') => one.push(Part::Any(alternatives(signs, Some('}'))?)),
            Some('|') => all.push(Template(std::mem::take(&mut one))),
            end if end == until => {
                all.push(Template(one));
                return Some(all);
            }
            _ => return None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fits(template: &str, text: &str) -> bool {
        let said = tokens(text);
        Template::parse(template)
            .unwrap()
            .ends(&said, 0)
            .contains(&said.len())
    }

    #[test]
    fn alternatives_and_what_may_be_left_out_fit() {
        let thanks = "(thanks|thank you) [(so|very) much] for (watching|listening [to me])";
        for text in [
            "Thanks for watching!",
            "thank you, very much for  listening to me",
            "THANK YOU FOR LISTENING",
        ] {
            assert!(fits(thanks, text), "{text}");
        }
        for text in [
            "thank you very for watching",
            "thanks for",
            "for watching",
            "thanks for watching me",
        ] {
            assert!(!fits(thanks, text), "{text}");
        }
        assert!(fits("so {very|much} so", "so very very much so") && fits("so {very} so", "so so"));
        assert!(
            fits("(谢谢|感谢) [大家] 观看", "谢谢 大家观看。") && fits("봐 주셔서 감사", "봐주셔서 감사!")
        );
    }

    #[test]
    fn what_is_no_phrase_is_refused() {
        for text in [
            "(a|b", "a)", "[a", "(a]", "", "[a]", "[a] [b]", "(|a)", "{a}", "{a", "a}",
        ] {
            assert_eq!(Template::parse(text), None, "{text}");
        }
    }

    #[test]
    fn a_sound_has_no_length() {
        for (said, short) in [
            ("Hmmmm", "hm"),
            ("haha", "haha"),
            ("Hahahaha", "haha"),
            ("Uhhuh", "uhuh"),
            ("mmhmm", "mhm"),
            ("Oh", "oh"),
            ("anna", "ana"),
        ] {
            assert_eq!(Token::of(said).drawled().plain, short);
        }
    }
}
