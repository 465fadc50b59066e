//! Where the parser stands in its tokens, and how it moves on.
//!
//! Knows no grammar.

use super::Parser;
use crate::error::ExpressionError;
use crate::expression::token::Kind;

impl<'a> Parser<'a> {
    pub(super) fn kind(&self) -> &Kind {
        self.kind_at(self.next)
    }

    pub(super) fn kind_at(&self, place: usize) -> &Kind {
        self.tokens.get(place).map_or(&Kind::End, |token| &token.kind)
    }

    /// The word at this place, in lower case; empty where there is none.
    pub(super) fn word_at(&self, place: usize) -> &str {
        match self.kind_at(place) {
            Kind::Word(word) => word,
            _ => "",
        }
    }

    /// The text of so many tokens.
    pub(super) fn written(&self, from: usize, count: usize) -> &'a str {
        let last = from.saturating_add(count).saturating_sub(1);
        let (Some(first), Some(last)) = (self.tokens.get(from), self.tokens.get(last)) else {
            return "";
        };
        self.text.get(first.start..last.end).unwrap_or_default()
    }

    pub(super) fn skip_word(&mut self, word: &str) -> bool {
        let found = self.word_at(self.next) == word;
        self.next += usize::from(found);
        found
    }

    /// Moves past one of these words.
    pub(super) fn skip_one_of(&mut self, words: &[&str]) -> bool {
        let found = words.contains(&self.word_at(self.next));
        self.next += usize::from(found);
        found
    }

    pub(super) fn position(&self) -> usize {
        let token = self.tokens.get(self.next).or(self.tokens.last());
        token.map_or(1, |token| token.position)
    }

    pub(super) fn take_sign(&mut self, sign: &'static str) -> bool {
        let found = self.kind() == &Kind::Sign(sign);
        self.next += usize::from(found);
        found
    }

    pub(super) fn expect_sign(
        &mut self,
        sign: &'static str,
        expected: &'static str,
    ) -> Result<(), ExpressionError> {
        if self.take_sign(sign) {
            Ok(())
        } else {
            Err(self.unexpected(expected))
        }
    }

    pub(super) fn expect_end(&self) -> Result<(), ExpressionError> {
        match self.kind() {
            Kind::End => Ok(()),
            Kind::Sign("=") if self.unknown.is_none() => {
                Err(self.unexpected("an operator (equations are for solve_equation)"))
            }
            _ => Err(self.unexpected("an operator or the end")),
        }
    }

    pub(super) fn unexpected(&self, expected: &'static str) -> ExpressionError {
        ExpressionError::Unexpected {
            position: self.position(),
            found: self.kind().shown(),
            expected,
        }
    }
}
