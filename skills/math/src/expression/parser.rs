//! From tokens to a tree, by precedence climbing.
//!
//! Never guesses: what cannot be read is refused with its place and with what was expected there.

use super::function::{self, Function};
use super::token::{Kind, Token, tokens};
use super::{Node, Wish};
use crate::currency;
use crate::error::{DEEPEST, ExpressionError};
use crate::number::Number;
use crate::operator::Operator;
use loquat_kit::calendar::Calendar;

mod closers;
mod commas;
mod cursor;
mod labels;
mod lists;
mod moments;
mod operators;
mod spans;

use commas::Commas;
pub(super) use moments::When;
use operators::{Infix, Postfix};

/// How tightly a sign in front binds: -2 ** 2 is -4, and -2 * 3 is (-2) * 3.
const SIGN_BINDS: u8 = 8;

/// How tightly `in cm` and `after christmas` bind: looser than a sum, tighter than a comparison.
const WORDS_BIND: u8 = 3;

/// Parses all that can be calculated with, for the person whose calendar this is.
pub(crate) fn parse_wish(text: &str, calendar: &Calendar) -> Result<Wish, ExpressionError> {
    let mut parser = Parser::new(text, tokens(text)?, None);
    parser.calendar = Some(calendar);
    closers::drop_surplus(&mut parser.tokens);
    let wish = parser.wish()?;
    parser.expect_end()?;
    Ok(wish)
}

/// Parses both sides of an equation in one unknown; a missing right side is zero.
pub(crate) fn parse_equation(text: &str) -> Result<(Node, Node), ExpressionError> {
    let mut tokens = arithmetic(text)?;
    let named = operators::cut_solve_for(&mut tokens);
    let unknown = named.unwrap_or_else(|| name_of_unknown(&tokens));
    let mut parser = Parser::new(text, tokens, Some(unknown));
    let left = parser.expression(0)?;
    let right = if parser.take_sign("=") || parser.take_sign("==") {
        parser.expression(0)?
    } else {
        Node::Number(Number::Whole(0))
    };
    parser.expect_end()?;
    Ok((left, right))
}

/// The tokens without the signs of currencies, which say nothing about a number.
fn arithmetic(text: &str) -> Result<Vec<Token>, ExpressionError> {
    let mut tokens = tokens(text)?;
    tokens.retain(|token| !matches!(token.kind, Kind::Sign(sign) if currency::find(sign).is_some()));
    Ok(tokens)
}

/// `x` where there is one, else the first single letter that means nothing else.
fn name_of_unknown(tokens: &[Token]) -> String {
    let words = || {
        tokens.iter().filter_map(|token| match &token.kind {
            Kind::Word(word) => Some(word.as_str()),
            _ => None,
        })
    };
    if words().any(|word| word == "x") {
        return "x".to_owned();
    }
    let single = words().find(|word| word.chars().count() == 1 && function::constant(word).is_none());
    single.unwrap_or("x").to_owned()
}

struct Parser<'a> {
    text: &'a str,
    tokens: Vec<Token>,
    next: usize,
    depth: usize,
    unknown: Option<String>,
    commas: Commas,
    /// Whose units, dates and times are read; without one the text is arithmetic alone.
    calendar: Option<&'a Calendar>,
    /// Whether `and` stands between the items of a list.
    is_listing: bool,
}

impl<'a> Parser<'a> {
    fn new(text: &'a str, tokens: Vec<Token>, unknown: Option<String>) -> Self {
        Self {
            text,
            tokens,
            next: 0,
            depth: 0,
            unknown,
            commas: Commas::GroupOrPoint,
            calendar: None,
            is_listing: false,
        }
    }

    /// Reads on as long as operators bind at least as tightly as `floor`.
    fn expression(&mut self, floor: u8) -> Result<Node, ExpressionError> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(ExpressionError::TooDeep {
                position: self.position(),
            });
        }
        let mut left = self.operand()?;
        loop {
            if left.written_unit().is_none() {
                if let Some((label, length)) = self.label_at(self.next)? {
                    self.next += length;
                    left = self.labelled(left, label)?;
                    continue;
                }
            }
            if let Some((postfix, length)) = self.postfix() {
                self.next += length;
                left = postfix.applied_to(left);
                continue;
            }
            if floor <= WORDS_BIND {
                if let Some(changed) = self.conversion(&left)? {
                    left = changed;
                    continue;
                }
                if let Some(moved) = self.moved(&left)? {
                    left = moved;
                    continue;
                }
            }
            let Some((infix, length)) = self.infix() else {
                break;
            };
            if infix.binds() < floor {
                break;
            }
            self.next += length;
            let right = self.expression(infix.binds_right())?;
            left = self.joined(infix, left, right);
        }
        self.depth -= 1;
        Ok(left)
    }

    fn operand(&mut self) -> Result<Node, ExpressionError> {
        if let Some(node) = self.wished()? {
            return Ok(node);
        }
        let position = self.position();
        match self.kind() {
            Kind::Number(text) => {
                let text = text.clone();
                self.next += 1;
                self.number(text, position)
            }
            Kind::Word(word) => {
                let word = word.clone();
                self.next += 1;
                self.name(&word, position)
            }
            Kind::Sign("-") => {
                self.next += 1;
                Ok(Node::Negated(Box::new(self.expression(SIGN_BINDS)?)))
            }
            Kind::Sign("+") => {
                self.next += 1;
                self.expression(SIGN_BINDS)
            }
            Kind::Sign("(") => {
                self.next += 1;
                self.parenthesis()
            }
            _ => Err(self.unexpected("a number, a function or '('")),
        }
    }

    /// What only a wish has: counts of days, dates and times, `half an hour`, money.
    fn wished(&mut self) -> Result<Option<Node>, ExpressionError> {
        let Some(calendar) = self.calendar else {
            return Ok(None);
        };
        self.skip_word("the");
        if let Some(node) = self.span(calendar)? {
            return Ok(Some(node));
        }
        if let Some(node) = self.moment(calendar) {
            return Ok(Some(node));
        }
        self.amount()
    }

    /// Of `3/4 cup` the unit is that of the fraction.
    fn joined(&self, infix: Infix, left: Node, right: Node) -> Node {
        let is_closed = self.next > 0 && self.kind_at(self.next - 1) == &Kind::Sign(")");
        match right {
            Node::Labelled(inner, label)
                if infix == Infix::Plain(Operator::Divide) && !is_closed && left.is_bare() =>
            {
                Node::Labelled(Box::new(infix.joined(left, *inner)), label)
            }
            right => infix.joined(left, right),
        }
    }

    fn parenthesis(&mut self) -> Result<Node, ExpressionError> {
        let outer = std::mem::replace(&mut self.commas, Commas::GroupOrPoint);
        let was_listing = std::mem::take(&mut self.is_listing);
        let inner = self.expression(0)?;
        (self.commas, self.is_listing) = (outer, was_listing);
        self.expect_sign(")", "an operator or ')'")?;
        Ok(inner)
    }

    fn number(&mut self, text: String, position: usize) -> Result<Node, ExpressionError> {
        let digits = self.with_comma_groups(text);
        if let Ok(whole) = digits.parse::<i128>() {
            return Ok(Node::Number(self.with_fraction(whole)));
        }
        match digits.parse::<f64>() {
            Ok(real) if real.is_finite() => Ok(Node::Number(Number::Real(real))),
            _ => Err(ExpressionError::TooLarge(format!(
                "the number at character {position}"
            ))),
        }
    }

    fn name(&mut self, word: &str, position: usize) -> Result<Node, ExpressionError> {
        if self.unknown.as_deref() == Some(word) {
            return Ok(Node::Unknown);
        }
        let word = self.root_in_words(word).unwrap_or(word);
        if let Some(function) = function::find(word) {
            return self.call(function, position);
        }
        if let Some(constant) = function::constant(word) {
            return Ok(Node::Number(constant));
        }
        let near = function::near(word);
        Err(ExpressionError::UnknownName {
            position,
            name: word.to_owned(),
            near,
        })
    }

    /// `square root of` and `cube root of` as the functions that they are.
    fn root_in_words(&mut self, word: &str) -> Option<&'static str> {
        let function = match word {
            "square" => "sqrt",
            "cube" => "cbrt",
            _ => return None,
        };
        (self.kind() == &Kind::Word("root".to_owned())).then(|| {
            self.next += 1;
            function
        })
    }

    /// A function's arguments in parentheses; a single one may stand without, also after `of`, and several as a list.
    fn call(&mut self, function: &'static Function, position: usize) -> Result<Node, ExpressionError> {
        if !function.takes_one() {
            self.skip_one_of(&["number", "value", "one"]);
        }
        if !self.skip_word("of") && !function.takes_one() {
            self.skip_word("between");
        }
        let arguments = if self.opens_arguments(function) {
            self.arguments(function)?
        } else if function.takes_one() || self.calendar.is_none() {
            vec![self.expression(SIGN_BINDS)?]
        } else {
            self.list()?
        };
        function.check_count(arguments.len(), position)?;
        Ok(Node::Call(function, arguments))
    }

    /// Whether the parenthesis that follows holds all arguments: that of `mean of (1 + 2), 3 and 4` does not.
    fn opens_arguments(&self, function: &Function) -> bool {
        let is_open = self.kind() == &Kind::Sign("(");
        let is_all = || {
            let after = closers::closing(&self.tokens, self.next).map(|close| self.kind_at(close + 1));
            !after.is_some_and(|after| *after == Kind::Sign(",") || *after == Kind::Word("and".to_owned()))
        };
        is_open && (function.takes_one() || self.calendar.is_none() || is_all())
    }

    fn arguments(&mut self, function: &Function) -> Result<Vec<Node>, ExpressionError> {
        let commas = Commas::within(
            self.tokens.get(self.next..).unwrap_or_default(),
            function.takes_one(),
        );
        self.next += 1;
        if self.take_sign(")") {
            return Ok(Vec::new());
        }
        let outer = std::mem::replace(&mut self.commas, commas);
        let was_listing = std::mem::take(&mut self.is_listing);
        let mut arguments = vec![self.expression(0)?];
        while self.take_sign(",") || self.take_sign(";") {
            arguments.push(self.expression(0)?);
        }
        (self.commas, self.is_listing) = (outer, was_listing);
        self.expect_sign(")", "an operator, ',' or ')'")?;
        Ok(arguments)
    }

    fn postfix(&self) -> Option<(Postfix, usize)> {
        operators::postfix(self.tokens.get(self.next..)?, self.unknown.as_deref())
    }

    fn infix(&self) -> Option<(Infix, usize)> {
        operators::infix(self.tokens.get(self.next..)?, self.unknown.as_deref())
    }
}
