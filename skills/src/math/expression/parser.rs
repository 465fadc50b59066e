//! From tokens to a tree, by precedence climbing.
//!
//! Never guesses: what cannot be read is refused with its place and with what was expected there.

use super::function::{self, Function};
use super::token::{Kind, Token, tokens};
use super::{DEEPEST, ExpressionError, Node};
use crate::math::number::Number;

mod closers;
mod commas;
mod operators;

use commas::Commas;
use operators::{Infix, Postfix};

/// How tightly a sign in front binds: -2 ** 2 is -4, and -2 * 3 is (-2) * 3.
const SIGN_BINDS: u8 = 8;

/// Parses arithmetic without unknowns.
pub(in crate::math) fn parse(text: &str) -> Result<Node, ExpressionError> {
    let mut tokens = tokens(text)?;
    closers::drop_surplus(&mut tokens);
    let mut parser = Parser::new(tokens, None);
    let node = parser.expression(0)?;
    parser.expect_end()?;
    Ok(node)
}

/// Parses both sides of an equation in one unknown; a missing right side is zero.
pub(in crate::math) fn parse_equation(text: &str) -> Result<(Node, Node), ExpressionError> {
    let mut tokens = tokens(text)?;
    let named = operators::cut_solve_for(&mut tokens);
    let unknown = named.unwrap_or_else(|| name_of_unknown(&tokens));
    let mut parser = Parser::new(tokens, Some(unknown));
    let left = parser.expression(0)?;
    let right = if parser.take_sign("=") || parser.take_sign("==") {
        parser.expression(0)?
    } else {
        Node::Number(Number::Whole(0))
    };
    parser.expect_end()?;
    Ok((left, right))
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

struct Parser {
    tokens: Vec<Token>,
    next: usize,
    depth: usize,
    unknown: Option<String>,
    commas: Commas,
}

impl Parser {
    fn new(tokens: Vec<Token>, unknown: Option<String>) -> Self {
        Self {
            tokens,
            next: 0,
            depth: 0,
            unknown,
            commas: Commas::GroupOrPoint,
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
            if let Some((postfix, length)) = self.postfix() {
                self.next += length;
                left = postfix.applied_to(left);
                continue;
            }
            let Some((infix, length)) = self.infix() else {
                break;
            };
            if infix.binds() < floor {
                break;
            }
            self.next += length;
            let right = self.expression(infix.binds_right())?;
            left = infix.joined(left, right);
        }
        self.depth -= 1;
        Ok(left)
    }

    fn operand(&mut self) -> Result<Node, ExpressionError> {
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

    fn parenthesis(&mut self) -> Result<Node, ExpressionError> {
        let outer = std::mem::replace(&mut self.commas, Commas::GroupOrPoint);
        let inner = self.expression(0)?;
        self.commas = outer;
        self.expect_sign(")", "an operator or ')'")?;
        Ok(inner)
    }

    fn number(&mut self, text: String, position: usize) -> Result<Node, ExpressionError> {
        let digits = self.with_comma_groups(text);
        if let Ok(whole) = digits.parse::<i128>() {
            return Ok(Node::Number(Number::Whole(whole)));
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

    /// A function's arguments in parentheses; a single one may stand without, also after `of`.
    fn call(&mut self, function: &'static Function, position: usize) -> Result<Node, ExpressionError> {
        if self.kind() == &Kind::Word("of".to_owned()) {
            self.next += 1;
        }
        let arguments = if self.kind() == &Kind::Sign("(") {
            self.arguments(function)?
        } else {
            vec![self.expression(SIGN_BINDS)?]
        };
        function.check_count(arguments.len(), position)?;
        Ok(Node::Call(function, arguments))
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
        let mut arguments = vec![self.expression(0)?];
        while self.take_sign(",") || self.take_sign(";") {
            arguments.push(self.expression(0)?);
        }
        self.commas = outer;
        self.expect_sign(")", "an operator, ',' or ')'")?;
        Ok(arguments)
    }

    fn postfix(&self) -> Option<(Postfix, usize)> {
        operators::postfix(self.tokens.get(self.next..)?, self.unknown.as_deref())
    }

    fn infix(&self) -> Option<(Infix, usize)> {
        operators::infix(self.tokens.get(self.next..)?, self.unknown.as_deref())
    }

    fn kind(&self) -> &Kind {
        self.tokens.get(self.next).map_or(&Kind::End, |token| &token.kind)
    }

    fn position(&self) -> usize {
        let token = self.tokens.get(self.next).or(self.tokens.last());
        token.map_or(1, |token| token.position)
    }

    fn take_sign(&mut self, sign: &'static str) -> bool {
        let found = self.kind() == &Kind::Sign(sign);
        self.next += usize::from(found);
        found
    }

    fn expect_sign(&mut self, sign: &'static str, expected: &'static str) -> Result<(), ExpressionError> {
        if self.take_sign(sign) {
            Ok(())
        } else {
            Err(self.unexpected(expected))
        }
    }

    fn expect_end(&self) -> Result<(), ExpressionError> {
        match self.kind() {
            Kind::End => Ok(()),
            Kind::Sign("=") if self.unknown.is_none() => {
                Err(self.unexpected("an operator (equations are for solve_equation)"))
            }
            _ => Err(self.unexpected("an operator or the end")),
        }
    }

    fn unexpected(&self, expected: &'static str) -> ExpressionError {
        ExpressionError::Unexpected {
            position: self.position(),
            found: self.kind().shown(),
            expected,
        }
    }
}
