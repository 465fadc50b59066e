//! Lists without parentheses, and the wishes that are about a list: to sort it, or to tell the largest of it.
//!
//! A list ends where no comma and no joining word follows.

use super::operators::{comparative, is_one_of};
use super::{Commas, Kind, Parser, WORDS_BIND};
use crate::error::ExpressionError;
use crate::expression::{Node, Wish};
use crate::operator::Relation;

/// Words that begin a wish for an order.
const SORTING: &[&str] = &["sort", "order", "arrange"];

/// Words behind a list that tell its order, the longer ones first.
const ORDERS: &[(&[&str], bool)] = &[
    (&["in", "descending", "order"], true),
    (&["in", "ascending", "order"], false),
    (&["from", "largest", "to", "smallest"], true),
    (&["from", "smallest", "to", "largest"], false),
    (&["descending"], true),
    (&["ascending"], false),
];

impl Parser<'_> {
    /// A whole wish.
    pub(super) fn wish(&mut self) -> Result<Wish, ExpressionError> {
        if self.skip_one_of(SORTING) {
            let order = self.order();
            self.take_sign(":");
            let list = self.list_of_wish()?;
            let is_descending = order.or_else(|| self.order()).unwrap_or(false);
            return Ok(Wish::Sorted(list, is_descending));
        }
        if self.skip_word("compare") {
            return self
                .list_of_wish()
                .map(|list| Wish::Compared(list, Relation::Greater));
        }
        match self.asked_relation() {
            Some(relation) => Ok(Wish::Compared(self.list_of_wish()?, relation)),
            None => self.expression(0).map(Wish::Expression),
        }
    }

    /// `larger: ` and `the bigger of`, in front of a list.
    fn asked_relation(&mut self) -> Option<Relation> {
        let lead = usize::from(self.word_at(self.next) == "the");
        let relation = comparative(self.tokens.get(self.next + lead)?)?;
        self.next += lead + 1;
        if !(self.take_sign(":") || self.take_sign(",")) {
            self.skip_one_of(&["of", "between"]);
        }
        Some(relation)
    }

    /// A list, or one in parentheses.
    fn list_of_wish(&mut self) -> Result<Vec<Node>, ExpressionError> {
        let close = super::closers::closing(&self.tokens, self.next);
        let is_all = close.is_some_and(|close| self.kind_at(close + 1) == &Kind::End);
        let has_comma = self.tokens.iter().any(|token| token.kind == Kind::Sign(","));
        if is_all && has_comma {
            self.next += 1;
            let list = self.list()?;
            self.expect_sign(")", "an operator, ',' or ')'")?;
            return Ok(list);
        }
        self.list()
    }

    /// `3, 8 and 5`.
    pub(super) fn list(&mut self) -> Result<Vec<Node>, ExpressionError> {
        let commas = Commas::listed(self.tokens.get(self.next..).unwrap_or_default());
        let outer = std::mem::replace(&mut self.commas, commas);
        let was_listing = std::mem::replace(&mut self.is_listing, true);
        let mut items = vec![self.expression(WORDS_BIND)?];
        while self.joins_item() {
            items.push(self.expression(WORDS_BIND)?);
        }
        (self.commas, self.is_listing) = (outer, was_listing);
        Ok(items)
    }

    /// Moves past what stands between two items: `,`, `and`, `, or`.
    fn joins_item(&mut self) -> bool {
        let comma = self.take_sign(",") || self.take_sign(";");
        self.skip_one_of(&["and", "or", "with", "to", "against"]) || comma
    }

    /// Whether the order that is said here is descending.
    fn order(&mut self) -> Option<bool> {
        let (words, is_descending) = ORDERS.iter().find(|(words, _)| {
            let places = words.iter().zip(self.tokens.iter().skip(self.next));
            places.filter(|(word, token)| is_one_of(token, &[word])).count() == words.len()
        })?;
        self.next += words.len();
        Some(*is_descending)
    }
}
