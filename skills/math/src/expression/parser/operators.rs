//! Which operator stands where, in signs or in words, and how tightly it binds.
//!
//! Looks at tokens only; the parser builds the tree.

use crate::expression::Node;
use crate::expression::function::{self, Function};
use crate::expression::token::{Kind, Token};
use crate::number::Number;
use crate::operator::{Operator, Relation};

/// Between two operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Infix {
    Plain(Operator),
    /// `20% off 80`: what is left of the right operand.
    Off,
}

/// After an operand.
#[derive(Debug, Clone, Copy)]
pub(super) enum Postfix {
    /// `%`
    Percent,
    /// `!`
    Factorial,
    /// `squared`, `cubed` and their raised digits.
    Raised(i128),
    /// A degree sign: the angle in radians.
    Degrees,
    /// `91 prime`, after the lead-in of a question.
    Asked(&'static Function),
}

/// Operators in words, the longer ones first.
const WORDS: &[(&[&str], Infix)] = &[
    (
        &["raised", "to", "the", "power", "of"],
        Infix::Plain(Operator::Power),
    ),
    (&["to", "the", "power", "of"], Infix::Plain(Operator::Power)),
    (&["multiplied", "by"], Infix::Plain(Operator::Times)),
    (&["divided", "by"], Infix::Plain(Operator::Divide)),
    (&["times"], Infix::Plain(Operator::Times)),
    (&["of"], Infix::Plain(Operator::Times)),
    (&["tip", "on"], Infix::Plain(Operator::Times)),
    (&["tip", "of"], Infix::Plain(Operator::Times)),
    (&["tax", "on"], Infix::Plain(Operator::Times)),
    (&["discount", "on"], Infix::Plain(Operator::Times)),
    (&["interest", "on"], Infix::Plain(Operator::Times)),
    (&["on"], Infix::Plain(Operator::Times)),
    (&["plus"], Infix::Plain(Operator::Plus)),
    (&["minus"], Infix::Plain(Operator::Minus)),
    (&["over"], Infix::Plain(Operator::Divide)),
    (&["mod"], Infix::Plain(Operator::Modulo)),
    (&["modulo"], Infix::Plain(Operator::Modulo)),
    (&["off"], Infix::Off),
    (&["and"], Infix::Plain(Operator::And)),
    (&["or"], Infix::Plain(Operator::Or)),
];

/// Words between two operands of which the first is to be more, or to come later.
const MORE: &[&str] = &[
    "greater", "larger", "bigger", "more", "longer", "heavier", "higher", "taller", "wider", "warmer",
    "hotter", "faster", "older", "later",
];

/// Words between two operands of which the first is to be less, or to come earlier.
const LESS: &[&str] = &[
    "less", "smaller", "fewer", "shorter", "lighter", "lower", "narrower", "colder", "cooler", "slower",
    "younger", "earlier",
];

/// Words for the same.
const SAME: &[&[&str]] = &[
    &["equal", "to"],
    &["equals"],
    &["equal"],
    &["the", "same", "as"],
    &["as", "much", "as"],
    &["as", "long", "as"],
];

const POSTFIX_WORDS: &[(&[&str], Postfix)] = &[
    (&["per", "cent"], Postfix::Percent),
    (&["percent"], Postfix::Percent),
    (&["squared"], Postfix::Raised(2)),
    (&["cubed"], Postfix::Raised(3)),
    (&["a", "prime", "number"], Postfix::Asked(&function::IS_PRIME)),
    (&["a", "prime"], Postfix::Asked(&function::IS_PRIME)),
    (&["prime"], Postfix::Asked(&function::IS_PRIME)),
    (&["a", "leap", "year"], Postfix::Asked(&function::IS_LEAP)),
];

impl Infix {
    /// Whether it makes something true or false, which no side of an equation is.
    fn is_of_truths(self) -> bool {
        matches!(self, Self::Plain(Operator::Is(_) | Operator::And | Operator::Or))
    }

    /// How tightly it holds its left operand.
    pub(super) fn binds(self) -> u8 {
        match self {
            Self::Plain(Operator::Or) => 0,
            Self::Plain(Operator::And) => 1,
            Self::Plain(Operator::Is(_)) => 2,
            Self::Plain(Operator::Plus | Operator::Minus) => 4,
            Self::Plain(Operator::Power) => 11,
            Self::Plain(_) | Self::Off => 6,
        }
    }

    /// How tightly it holds its right operand; a power's right one may be a power again: 2 ** 3 ** 2 is 2 ** 9.
    pub(super) fn binds_right(self) -> u8 {
        if self == Self::Plain(Operator::Power) {
            10
        } else {
            self.binds() + 1
        }
    }

    pub(super) fn joined(self, left: Node, right: Node) -> Node {
        match self {
            Self::Plain(Operator::Is(relation)) => Node::compared(relation, left, right),
            Self::Plain(operator) => Node::binary(operator, left, right),
            Self::Off => Node::binary(Operator::Minus, right, left),
        }
    }
}

impl Postfix {
    pub(super) fn applied_to(self, operand: Node) -> Node {
        let whole = |whole| Node::Number(Number::Whole(whole));
        match self {
            Self::Percent => Node::Percent(Box::new(operand)),
            Self::Factorial => Node::Call(&function::FACTORIAL, vec![operand]),
            Self::Raised(exponent) => Node::binary(Operator::Power, operand, whole(exponent)),
            Self::Degrees => Node::Call(&function::RADIANS, vec![operand]),
            Self::Asked(function) => Node::Call(function, vec![operand]),
        }
    }
}

/// The operator after an operand that `tokens` begin with, and its length in tokens.
pub(super) fn postfix(tokens: &[Token], unknown: Option<&str>) -> Option<(Postfix, usize)> {
    let first = tokens.first()?;
    let postfix = match &first.kind {
        Kind::Sign("%") if is_percent(tokens, unknown) => Postfix::Percent,
        Kind::Sign("!") => Postfix::Factorial,
        Kind::Sign("squared") => Postfix::Raised(2),
        Kind::Sign("cubed") => Postfix::Raised(3),
        Kind::Sign("degrees") => Postfix::Degrees,
        Kind::Word(_) => return words(tokens, POSTFIX_WORDS),
        _ => return None,
    };
    Some((postfix, 1))
}

/// The operator between two operands that `tokens` begin with, and its length in tokens; zero for a product
/// without a sign, as in `2x` or `2(3 + 4)`.
pub(super) fn infix(tokens: &[Token], unknown: Option<&str>) -> Option<(Infix, usize)> {
    let first = tokens.first()?;
    let operator = match &first.kind {
        Kind::Sign("+") => Operator::Plus,
        Kind::Sign("-") => Operator::Minus,
        Kind::Sign("*") => Operator::Times,
        Kind::Sign("/") => Operator::Divide,
        Kind::Sign("//") => Operator::FloorDivide,
        Kind::Sign("%") => Operator::Modulo,
        Kind::Sign("**") => Operator::Power,
        Kind::Sign("&&") => Operator::And,
        Kind::Sign("||") => Operator::Or,
        Kind::Sign("(") => return product(first, unknown),
        Kind::Sign(sign) => Operator::Is(relation(sign)?),
        Kind::Word(word) if word == "x" && unknown.is_none() => Operator::Times,
        Kind::Word(_) => {
            let compared = || comparison(tokens).map(|(is, length)| (Infix::Plain(Operator::Is(is)), length));
            let found = words(tokens, WORDS).or_else(compared);
            let found = found.or_else(|| product(first, unknown));
            return found.filter(|(infix, _)| unknown.is_none() || !infix.is_of_truths());
        }
        _ => return None,
    };
    let found = Infix::Plain(operator);
    (unknown.is_none() || !found.is_of_truths()).then_some((found, 1))
}

/// `is longer than`, `equals`.
fn comparison(tokens: &[Token]) -> Option<(Relation, usize)> {
    let lead = usize::from(
        tokens
            .first()
            .is_some_and(|token| is_one_of(token, &["is", "are"])),
    );
    let rest = tokens.get(lead..)?;
    if let Some(relation) = rest.first().and_then(comparative) {
        let is_than = rest
            .get(1)
            .is_some_and(|token| is_one_of(token, &["than", "then"]));
        return is_than.then_some((relation, lead + 2));
    }
    let same = SAME.iter().find(|same| begins_with(rest, same))?;
    Some((Relation::Equal, lead + same.len()))
}

/// What `larger` and `smaller` ask for.
pub(super) fn comparative(token: &Token) -> Option<Relation> {
    if is_one_of(token, MORE) {
        Some(Relation::Greater)
    } else {
        is_one_of(token, LESS).then_some(Relation::Less)
    }
}

pub(super) fn is_one_of(token: &Token, words: &[&str]) -> bool {
    matches!(&token.kind, Kind::Word(word) if words.contains(&word.as_str()))
}

fn begins_with(tokens: &[Token], words: &[&str]) -> bool {
    tokens.len() >= words.len()
        && tokens
            .iter()
            .zip(words)
            .all(|(token, word)| is_one_of(token, &[word]))
}

fn relation(sign: &str) -> Option<Relation> {
    Some(match sign {
        "==" => Relation::Equal,
        "!=" => Relation::Unequal,
        "<" => Relation::Less,
        "<=" => Relation::AtMost,
        ">" => Relation::Greater,
        ">=" => Relation::AtLeast,
        _ => return None,
    })
}

/// Cuts `for x` off the end of an equation; the name of the unknown.
pub(super) fn cut_solve_for(tokens: &mut Vec<Token>) -> Option<String> {
    let at = tokens
        .iter()
        .rposition(|token| token.kind == Kind::Word("for".to_owned()))?;
    let [_, unknown, end] = tokens.get(at..)? else {
        return None;
    };
    let (Kind::Word(unknown), Kind::End) = (&unknown.kind, &end.kind) else {
        return None;
    };
    let unknown = unknown.clone();
    tokens.drain(at..at + 2);
    Some(unknown)
}

/// A `%` is a percent sign unless an operand follows it: `17 % 5` is a remainder, `10% - 5` is not, and in
/// `7 % -3` the spaces tell that the minus belongs to the operand.
fn is_percent(tokens: &[Token], unknown: Option<&str>) -> bool {
    let [sign, next, ..] = tokens else { return true };
    match &next.kind {
        Kind::Number(_) => false,
        Kind::Sign("(") => unknown.is_some(),
        Kind::Sign("-") => {
            !(sign.spaced && next.spaced && tokens.get(2).is_some_and(|operand| !operand.spaced))
        }
        Kind::Word(word) => unknown.is_some() || !function::names_a_value(word),
        _ => true,
    }
}

fn product(first: &Token, unknown: Option<&str>) -> Option<(Infix, usize)> {
    let operand = match &first.kind {
        Kind::Word(word) => unknown == Some(word.as_str()) || function::names_a_value(word),
        _ => true,
    };
    operand.then_some((Infix::Plain(Operator::Times), 0))
}

fn words<T: Copy>(tokens: &[Token], table: &[(&[&str], T)]) -> Option<(T, usize)> {
    let (words, found) = table.iter().find(|(words, _)| begins_with(tokens, words))?;
    Some((*found, words.len()))
}
