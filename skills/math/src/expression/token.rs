//! An expression cut into numbers, words and signs, each with its place in the text.
//!
//! Whether a comma groups digits or separates arguments is left to the parser, which knows where it stands.

use crate::error::{ExpressionError, LONGEST_CHARACTERS, MOST_TOKENS};

mod figures;

/// One piece of the text.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Token {
    pub(super) kind: Kind,
    /// Counts characters from 1.
    pub(super) position: usize,
    /// Whether white space stands before it.
    pub(super) spaced: bool,
    /// Where it begins in the text, in bytes.
    pub(super) start: usize,
    pub(super) end: usize,
}

/// The kinds of pieces.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Kind {
    /// Digits, perhaps with a point and an exponent; no commas.
    Number(String),
    /// It begins with a letter, goes on with letters and digits, and is in lower case.
    Word(String),
    /// It is a date in figures: `2026-12-25`, `25/12/2026`.
    Date(String),
    /// It is a time of day in figures: `18:30`.
    Time(String),
    /// One sign, in one spelling: `×` comes as `*`.
    Sign(&'static str),
    /// The end of the text.
    End,
}

impl Kind {
    /// What an error message calls it.
    pub(super) fn shown(&self) -> String {
        match self {
            Self::Number(text) | Self::Word(text) | Self::Date(text) | Self::Time(text) => {
                format!("'{text}'")
            }
            Self::Sign(sign) => format!("'{sign}'"),
            Self::End => "the end".to_owned(),
        }
    }
}

/// Spellings of signs, the longer ones first.
const SIGNS: &[(&str, &str)] = &[
    ("==", "=="),
    ("!=", "!="),
    ("\u{2260}", "!="),
    ("<=", "<="),
    ("\u{2264}", "<="),
    (">=", ">="),
    ("\u{2265}", ">="),
    ("&&", "&&"),
    ("||", "||"),
    ("<", "<"),
    (">", ">"),
    ("**", "**"),
    ("//", "//"),
    ("^", "**"),
    ("*", "*"),
    ("\u{d7}", "*"),
    ("\u{b7}", "*"),
    ("\u{22c5}", "*"),
    ("/", "/"),
    ("\u{f7}", "/"),
    ("+", "+"),
    ("-", "-"),
    ("\u{2212}", "-"),
    ("\u{2013}", "-"),
    ("%", "%"),
    ("!", "!"),
    ("(", "("),
    (")", ")"),
    ("[", "("),
    ("]", ")"),
    // Small models that write JSON close a parenthesis with a brace.
    ("{", "("),
    ("}", ")"),
    (",", ","),
    (";", ";"),
    (":", ":"),
    ("=", "="),
    ("$", "$"),
    ("\u{20ac}", "\u{20ac}"),
    ("\u{a3}", "\u{a3}"),
    ("\u{a5}", "\u{a5}"),
    ("\u{20b9}", "\u{20b9}"),
    ("\u{b2}", "squared"),
    ("\u{b3}", "cubed"),
    ("\u{b0}", "degrees"),
];

/// What groups digits by threes beside commas and points: `1_000`, `1'000` and narrow spaces.
const GROUPERS: [char; 5] = ['_', '\'', '\u{a0}', '\u{202f}', '\u{2009}'];

/// Words that small models join to a unit as if both were a function: `days_until`.
const JOINED: &[&str] = &["until", "since", "between"];

/// Words that small models copy from the question in front of the expression.
const LEAD_INS: &[&str] = &[
    "what is",
    "what's",
    "whats",
    "how much is",
    "calculate",
    "compute",
    "evaluate",
    "solve",
    "convert",
    "how many",
    "which one is",
    "which is",
    "which of these is",
    "is",
    "are",
];

/// Cuts the text; the last token is always [`Kind::End`].
pub(super) fn tokens(text: &str) -> Result<Vec<Token>, ExpressionError> {
    if text.chars().count() > LONGEST_CHARACTERS {
        return Err(ExpressionError::TooLong);
    }
    let mut cutter = Cutter::new(text);
    let mut tokens = Vec::new();
    loop {
        let token = cutter.next_token()?;
        let last = token.kind == Kind::End;
        tokens.push(token);
        if tokens.len() > MOST_TOKENS {
            return Err(ExpressionError::TooMany);
        }
        if last {
            return Ok(tokens);
        }
    }
}

/// The text without a brace at its end that nothing opened: small models that write JSON close once too often.
fn without_surplus_brace(text: &str) -> &str {
    let number = |signs: [char; 3]| text.matches(signs).count();
    match text.strip_suffix('}') {
        Some(rest) if number([')', ']', '}']) > number(['(', '[', '{']) => rest,
        _ => text,
    }
}

struct Cutter<'a> {
    rest: &'a str,
    position: usize,
    /// How many bytes have been cut off.
    offset: usize,
    /// Whether `2026-12-25` is a date and no difference.
    has_dates: bool,
    /// Whether what stands in front opens parentheses or an argument.
    is_opened: bool,
}

impl<'a> Cutter<'a> {
    fn new(text: &'a str) -> Self {
        let mut cutter = Self {
            rest: text,
            position: 1,
            offset: 0,
            has_dates: figures::are_dates(text),
            is_opened: false,
        };
        cutter.skip_space();
        if let Some(lead_in) = LEAD_INS
            .iter()
            .find(|lead_in| starts_with_words(cutter.rest, lead_in))
        {
            cutter.advance(lead_in.len());
        }
        cutter.rest = cutter
            .rest
            .trim_end_matches(|c: char| c.is_whitespace() || matches!(c, '?' | '=' | '.'));
        cutter.rest = without_surplus_brace(cutter.rest);
        cutter
    }

    fn next_token(&mut self) -> Result<Token, ExpressionError> {
        let spaced = self.skip_space();
        self.skip_quote();
        let (position, start) = (self.position, self.offset);
        let kind = match self.rest.chars().next() {
            None => Kind::End,
            Some(first) if first.is_ascii_digit() && figures::date(self.rest, self.has_dates) > 0 => {
                Kind::Date(self.take(figures::date(self.rest, self.has_dates)).to_owned())
            }
            Some(first) if first.is_ascii_digit() && figures::time(self.rest) > 0 => {
                Kind::Time(self.take(figures::time(self.rest)).to_owned())
            }
            Some(first) if first.is_ascii_digit() || self.begins_fraction() => self.number(),
            Some(first) if first.is_alphabetic() || first == '_' => self.word(),
            Some('\u{221a}') => {
                self.advance('\u{221a}'.len_utf8());
                Kind::Word("sqrt".to_owned())
            }
            Some('\u{221e}') => {
                self.advance('\u{221e}'.len_utf8());
                Kind::Word("inf".to_owned())
            }
            Some(other) => self.sign(other)?,
        };
        self.is_opened = matches!(kind, Kind::Sign("(" | ","));
        Ok(Token {
            kind,
            position,
            spaced,
            start,
            end: self.offset,
        })
    }

    fn begins_fraction(&self) -> bool {
        let mut characters = self.rest.chars();
        characters.next() == Some('.') && characters.next().is_some_and(|c| c.is_ascii_digit())
    }

    fn sign(&mut self, found: char) -> Result<Kind, ExpressionError> {
        let sign = SIGNS.iter().find(|(spelling, _)| self.rest.starts_with(spelling));
        let Some((spelling, sign)) = sign else {
            return Err(ExpressionError::Unexpected {
                position: self.position,
                found: format!("'{found}'"),
                expected: "a number, an operator or a function",
            });
        };
        self.advance(spelling.len());
        Ok(Kind::Sign(sign))
    }

    fn word(&mut self) -> Kind {
        let is_letter = |c: char| c.is_alphabetic() || c.is_ascii_digit() || c == '_';
        let mut end = 0;
        let mut is_joined = false;
        for (place, letter) in self.rest.char_indices() {
            let after = self.rest.get(place + letter.len_utf8()..).unwrap_or_default();
            is_joined = end > 0 && letter == '_' && JOINED.iter().any(|word| after.starts_with(word));
            if is_joined {
                break;
            }
            let is_within = matches!(letter, '\'' | '\u{2019}') && after.starts_with(char::is_alphabetic);
            if !is_letter(letter) && !is_within {
                break;
            }
            end = place + letter.len_utf8();
        }
        let word = self.take(end).to_lowercase();
        self.advance(usize::from(is_joined));
        Kind::Word(word)
    }

    /// Moves past a quotation mark around an argument: small models write a date as one, `days_until('1 June')` or
    /// `days_until "1 June"`.
    fn skip_quote(&mut self) {
        let Some(rest) = self.rest.strip_prefix(['\'', '"']) else {
            return;
        };
        let mark = self.rest.chars().next().unwrap_or_default();
        let opens = rest.starts_with(char::is_alphanumeric) && rest.contains(mark);
        if self.is_opened || opens || rest.trim_start().starts_with([')', ',']) {
            self.advance(1);
            self.skip_space();
        }
    }

    fn number(&mut self) -> Kind {
        if let Some(kind) = self.number_of_another_base() {
            return kind;
        }
        let mut end = digits(self.rest);
        let mut points = 0;
        while let Some(fraction) = self.rest.get(end..).and_then(|rest| rest.strip_prefix('.')) {
            let length = digits(fraction);
            // A second point can only group digits: 1.234.567.
            if points > 0 && length != 3 {
                break;
            }
            points += 1;
            end += 1 + length;
        }
        end += self.rest.get(end..).map_or(0, exponent);
        let text = self.take(end).replace(GROUPERS, "");
        Kind::Number(if points > 1 { text.replace('.', "") } else { text })
    }

    /// `0x1f`, `0b101`, `0o17` as decimal digits.
    fn number_of_another_base(&mut self) -> Option<Kind> {
        let base = match self.rest.get(..2)? {
            "0x" | "0X" => 16,
            "0b" | "0B" => 2,
            "0o" | "0O" => 8,
            _ => return None,
        };
        let tail = self.rest.get(2..)?;
        let end = tail
            .find(|c: char| !c.is_ascii_alphanumeric())
            .unwrap_or(tail.len());
        let value = i128::from_str_radix(tail.get(..end)?, base).ok()?;
        self.advance(2 + end);
        Some(Kind::Number(value.to_string()))
    }

    /// Moves past white space; whether there was any.
    fn skip_space(&mut self) -> bool {
        let rest = self.rest.trim_start();
        let length = self.rest.len() - rest.len();
        self.advance(length);
        length > 0
    }

    fn advance(&mut self, bytes: usize) {
        self.take(bytes);
    }

    fn take(&mut self, bytes: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at_checked(bytes).unwrap_or((self.rest, ""));
        self.position += taken.chars().count();
        self.offset += taken.len();
        self.rest = rest;
        taken
    }
}

/// How many bytes of the beginning are digits, grouped by threes or not.
fn digits(text: &str) -> usize {
    let mut end = 0;
    loop {
        end += leading_digits(text.get(end..).unwrap_or_default());
        let Some(rest) = text.get(end..) else { return end };
        let separator = rest.chars().next().filter(|c| GROUPERS.contains(c));
        match separator {
            Some(separator) if leading_digits(rest.get(separator.len_utf8()..).unwrap_or_default()) == 3 => {
                end += separator.len_utf8();
            }
            _ => return end,
        }
    }
}

fn leading_digits(text: &str) -> usize {
    text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len())
}

/// How many bytes of the beginning are an exponent such as `e-3`.
fn exponent(text: &str) -> usize {
    let Some(tail) = text.strip_prefix(['e', 'E']) else {
        return 0;
    };
    let unsigned = tail.strip_prefix(['+', '-']).unwrap_or(tail);
    match leading_digits(unsigned) {
        0 => 0,
        count => 1 + (tail.len() - unsigned.len()) + count,
    }
}

fn starts_with_words(text: &str, words: &str) -> bool {
    let Some(head) = text.get(..words.len()) else {
        return false;
    };
    let tail = text.get(words.len()..).unwrap_or_default();
    head.eq_ignore_ascii_case(words) && tail.starts_with(char::is_whitespace)
}
