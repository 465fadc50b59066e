//! A text as words, figures and signs, each with its place.
//!
//! Looks at the beginning of a long text only, since a person says no more.

use std::ops::Range;

use crate::reading::folding::push_plain;

/// So many tokens of a text are looked at.
const MOST: usize = 400;

/// A piece of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    /// A word in lower case without accents; figures and signs as they are.
    pub(crate) text: String,
    /// Where it stands, in bytes.
    pub(crate) range: Range<usize>,
    /// Whether nothing stands between it and the one before.
    pub(crate) is_glued: bool,
}

/// What a token is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Word,
    Figures,
    Sign,
}

/// The tokens of a text. Apostrophes, and hyphens in front of letters, only part words.
pub(crate) fn tokens(text: &str) -> Vec<Token> {
    let mut tokens: Vec<Token> = Vec::new();
    let mut letters = text.char_indices().peekable();
    let mut is_parted = true;
    while let Some((start, letter)) = letters.next() {
        if tokens.len() == MOST {
            break;
        }
        let before_figure = letters.peek().is_some_and(|(_, next)| next.is_ascii_digit());
        let after_letter = !is_parted && tokens.last().is_some_and(|last| last.kind == Kind::Word);
        let Some(kind) = kind(letter, before_figure && !after_letter) else {
            is_parted = true;
            continue;
        };
        let mut token = Token {
            kind,
            text: String::new(),
            range: start..start + letter.len_utf8(),
            is_glued: !is_parted,
        };
        token.push(letter);
        while let Some((place, next)) = letters.next_if(|(_, next)| continues(kind, *next)) {
            token.push(next);
            token.range.end = place + next.len_utf8();
        }
        tokens.push(token);
        is_parted = false;
    }
    tokens
}

impl Token {
    fn push(&mut self, letter: char) {
        match (self.kind, letter) {
            (Kind::Word, _) => letter
                .to_lowercase()
                .for_each(|letter| push_plain(&mut self.text, letter)),
            (_, '\u{2212}') => self.text.push('-'),
            _ => self.text.push(letter),
        }
    }

    pub(crate) fn is(&self, sign: &str) -> bool {
        self.kind == Kind::Sign && self.text == sign
    }
}

/// What begins with a letter; nothing where it only parts others.
fn kind(letter: char, before_figure: bool) -> Option<Kind> {
    match letter {
        _ if letter.is_whitespace() => None,
        '\'' | '\u{2019}' | '_' => None,
        '-' | '\u{2212}' if !before_figure => None,
        _ if letter.is_alphabetic() => Some(Kind::Word),
        _ if letter.is_ascii_digit() => Some(Kind::Figures),
        _ => Some(Kind::Sign),
    }
}

fn continues(kind: Kind, letter: char) -> bool {
    match kind {
        Kind::Word => letter.is_alphabetic() || ('\u{300}'..='\u{36f}').contains(&letter),
        Kind::Figures => letter.is_ascii_digit(),
        Kind::Sign => false,
    }
}

#[cfg(test)]
mod tests {
    use super::tokens;

    #[test]
    fn words_figures_and_signs_are_parted() {
        let told = |text: &str| {
            let tokens = tokens(text).into_iter();
            let told = tokens.map(|token| (if token.is_glued { "_" } else { "" }).to_owned() + &token.text);
            told.collect::<Vec<_>>().join(" ")
        };
        assert_eq!(told("Après-demain à 8:30pm"), "apres demain a 8 _: _30 _pm");
        assert_eq!(told("-11 °C, 1½ d'une"), "- _11 ° _c _, 1 _½ d une");
        assert_eq!(
            told("10-minute 2026-12-25 F-16"),
            "10 minute 2026 _- _12 _- _25 f 16"
        );
    }
}
