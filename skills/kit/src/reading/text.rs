//! A text that is read in one language, seen from one moment: its tokens, and what was found in them already.
//!
//! What begins at a token is looked for once, so that long texts take time in proportion to their length.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use jiff::Zoned;

use crate::reading::Customs;
use crate::reading::language::{Language, Table};
use crate::reading::length::Length;
use crate::reading::token::{Kind, Token, tokens};
use crate::reading::when::Day;

/// Whatever is read has fewer tokens than these.
pub(crate) const LONGEST: usize = 24;

/// What begins at a token, with the token behind it.
pub(crate) type Found<T> = Vec<(T, usize)>;

/// What was found at each token.
type Memory<T> = RefCell<HashMap<usize, Rc<Found<T>>>>;

/// A text that is read.
pub(crate) struct Text<'a> {
    pub(crate) tokens: Vec<Token>,
    pub(crate) language: &'static Language,
    pub(crate) customs: Customs,
    pub(crate) now: &'a Zoned,
    numbers: Memory<f64>,
    lengths: Memory<Length>,
    days: Memory<Day>,
}

impl<'a> Text<'a> {
    pub(crate) fn new(text: &str, language: &'static Language, customs: Customs, now: &'a Zoned) -> Self {
        Self {
            tokens: tokens(text),
            language,
            customs,
            now,
            numbers: Memory::default(),
            lengths: Memory::default(),
            days: Memory::default(),
        }
    }

    /// Every number that begins here.
    pub(crate) fn numbers(&self, at: usize) -> Rc<Found<f64>> {
        remembered(&self.numbers, at, || self.find_numbers(at))
    }

    /// Every length that begins here.
    pub(crate) fn lengths(&self, at: usize) -> Rc<Found<Length>> {
        remembered(&self.lengths, at, || self.find_lengths(at))
    }

    /// Every day that begins here and counts from no other.
    pub(crate) fn days(&self, at: usize) -> Rc<Found<Day>> {
        remembered(&self.days, at, || self.find_days(at, false))
    }

    pub(crate) fn token(&self, at: usize) -> Option<&Token> {
        self.tokens.get(at)
    }

    /// The word here; empty where there is none.
    pub(crate) fn word(&self, at: usize) -> &str {
        let word = self.token(at).filter(|token| token.kind == Kind::Word);
        word.map_or("", |token| token.text.as_str())
    }

    pub(crate) fn figures(&self, at: usize) -> Option<&str> {
        let token = self.token(at).filter(|token| token.kind == Kind::Figures)?;
        Some(&token.text)
    }

    /// Whether this sign stands here without a space in front of it.
    pub(crate) fn is_glued_sign(&self, at: usize, sign: &str) -> bool {
        self.token(at)
            .is_some_and(|token| token.is(sign) && token.is_glued)
    }

    /// The figures that follow without a space.
    pub(crate) fn glued_figures(&self, at: usize) -> Option<&str> {
        self.token(at).filter(|token| token.is_glued)?;
        self.figures(at)
    }

    /// Behind a comma, where one stands here.
    pub(crate) fn behind_comma(&self, at: usize) -> usize {
        at + usize::from(self.token(at).is_some_and(|token| token.is(",")))
    }

    /// Behind these words, where they stand here.
    pub(crate) fn behind_words(&self, phrase: &str, at: usize) -> Option<usize> {
        let mut at = at;
        for word in phrase.split(' ') {
            if self.word(at) != word {
                return None;
            }
            at += 1;
        }
        Some(at)
    }

    /// Behind one of these phrases, where one stands here.
    pub(crate) fn behind_one_of(&self, phrases: &[String], at: usize) -> Option<usize> {
        let ends = phrases.iter().filter_map(|phrase| self.behind_words(phrase, at));
        ends.max()
    }

    /// What the patterns mean that stand here, whatever fills their gaps.
    pub(crate) fn named<T: Clone>(&self, table: &Table<T>, at: usize) -> Found<T> {
        let fitting = self.fitting(table, at, |_| true).into_iter();
        fitting.map(|(meaning, _, end)| (meaning, end)).collect()
    }
}

fn remembered<T>(memory: &Memory<T>, at: usize, find: impl FnOnce() -> Found<T>) -> Rc<Found<T>> {
    if let Some(found) = memory.borrow().get(&at) {
        return Rc::clone(found);
    }
    let found = Rc::new(find());
    memory.borrow_mut().insert(at, Rc::clone(&found));
    found
}
