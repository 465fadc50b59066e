//! Reads GBNF as llama.cpp does, into what the checks need to know. Never keeps the letters themselves.

use std::collections::BTreeMap;

use super::check::{GrammarError, may_repeat};

/// Groups within groups that are allowed; llama.cpp calls itself for each.
const DEEPEST_GROUP: usize = 64;

/// The rules by name.
pub(super) type Rules<'a> = BTreeMap<&'a str, Rule<'a>>;

/// One rule.
#[derive(Debug, Default)]
pub(super) struct Rule<'a> {
    /// What it may be.
    pub(super) choices: Choices<'a>,
    /// How many elements it has when repetitions are spelled out.
    pub(super) elements: u64,
}

/// Sequences to choose from.
pub(super) type Choices<'a> = Vec<Vec<Item<'a>>>;

/// A part of a sequence.
#[derive(Debug)]
pub(super) struct Item<'a> {
    pub(super) what: What<'a>,
    /// Whether it may be left out.
    pub(super) optional: bool,
}

/// What a part of a sequence stands for.
#[derive(Debug)]
pub(super) enum What<'a> {
    /// Letters: those of a literal, of which there may be none, or those of a class that are to be chosen from.
    Letters(u64),
    /// Another rule.
    Rule(&'a str),
    /// A choice in parentheses.
    Group(Choices<'a>),
}

/// Reads a whole grammar.
pub(super) fn parse(text: &str) -> Result<Rules<'_>, GrammarError> {
    let mut reader = Reader {
        text,
        at: 0,
        elements: 0,
    };
    let mut rules = Rules::new();
    reader.skip(true);
    while reader.peek().is_some() {
        let (name, rule) = reader.rule()?;
        rules.insert(name, rule);
    }
    Ok(rules)
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    elements: u64,
}

impl<'a> Reader<'a> {
    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn take(&mut self, expected: &str) -> bool {
        let found = self.rest().starts_with(expected);
        if found {
            self.at += expected.len();
        }
        found
    }

    fn next(&mut self) -> Result<char, GrammarError> {
        let letter = self.peek().ok_or_else(|| self.error("it ends too early"))?;
        self.at += letter.len_utf8();
        Ok(letter)
    }

    fn take_while(&mut self, wanted: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let end = rest.find(|letter| !wanted(letter)).unwrap_or(rest.len());
        self.at += end;
        rest.get(..end).unwrap_or_default()
    }

    fn error(&self, what: impl Into<String>) -> GrammarError {
        let before = self.text.get(..self.at).unwrap_or_default();
        GrammarError::Syntax {
            line: before.matches('\n').count() + 1,
            what: what.into(),
        }
    }

    /// Skips blanks and comments, and line ends where they mean nothing.
    fn skip(&mut self, line_ends_too: bool) {
        loop {
            self.take_while(|letter| {
                letter == ' ' || letter == '\t' || (line_ends_too && (letter == '\n' || letter == '\r'))
            });
            if self.peek() != Some('#') {
                return;
            }
            self.take_while(|letter| letter != '\n' && letter != '\r');
        }
    }

    fn name(&mut self) -> Result<&'a str, GrammarError> {
        match self.take_while(is_name_letter) {
            "" => Err(self.error("the name of a rule is expected")),
            name => Ok(name),
        }
    }

    fn rule(&mut self) -> Result<(&'a str, Rule<'a>), GrammarError> {
        let name = self.name()?;
        self.skip(false);
        if !self.take("::=") {
            return Err(self.error(format!("`::=` is expected after `{name}`")));
        }
        self.skip(true);
        self.elements = 0;
        let choices = self.choices(0)?;
        if self.peek().is_some_and(|letter| letter != '\n' && letter != '\r') {
            return Err(self.error("the end of the line is expected"));
        }
        self.skip(true);
        let elements = self.elements;
        Ok((name, Rule { choices, elements }))
    }

    fn choices(&mut self, depth: usize) -> Result<Choices<'a>, GrammarError> {
        if depth > DEEPEST_GROUP {
            return Err(self.error(format!("more than {DEEPEST_GROUP} groups within each other")));
        }
        let mut choices = vec![self.sequence(depth)?];
        while self.take("|") {
            self.skip(true);
            choices.push(self.sequence(depth)?);
        }
        Ok(choices)
    }

    fn sequence(&mut self, depth: usize) -> Result<Vec<Item<'a>>, GrammarError> {
        let mut items = Vec::new();
        while let Some(what) = self.what(depth)? {
            self.skip(depth > 0);
            items.push(self.repeated(what, depth)?);
        }
        Ok(items)
    }

    fn what(&mut self, depth: usize) -> Result<Option<What<'a>>, GrammarError> {
        let what = match self.peek() {
            Some('"') => self.literal()?,
            Some('[') => self.class()?,
            Some('.') => {
                self.at += 1;
                What::Letters(1)
            }
            Some('(') => self.group(depth)?,
            Some(letter) if is_name_letter(letter) => What::Rule(self.name()?),
            Some('<' | '!') => return Err(self.error("tokens (`<…>`) are not supported")),
            Some(letter) if "*+?{".contains(letter) => {
                return Err(self.error(format!("there is nothing before `{letter}` to repeat")));
            }
            _ => return Ok(None),
        };
        Ok(Some(what))
    }

    fn group(&mut self, depth: usize) -> Result<What<'a>, GrammarError> {
        self.at += 1;
        self.skip(true);
        let choices = self.choices(depth + 1)?;
        if self.take(")") {
            Ok(What::Group(choices))
        } else {
            Err(self.error("`)` is expected"))
        }
    }

    fn literal(&mut self) -> Result<What<'a>, GrammarError> {
        self.at += 1;
        let mut letters = 0;
        while !self.take("\"") {
            self.letter()?;
            letters += 1;
        }
        Ok(What::Letters(letters))
    }

    fn class(&mut self) -> Result<What<'a>, GrammarError> {
        self.at += 1;
        self.take("^");
        if self.peek() == Some(']') {
            return Err(self.error("`[]` is empty"));
        }
        let mut letters = 0;
        while !self.take("]") {
            self.letter()?;
            letters += 1;
            if self.rest().starts_with('-') && !self.rest().starts_with("-]") {
                self.at += 1;
                self.letter()?;
                letters += 1;
            }
        }
        Ok(What::Letters(letters))
    }

    fn letter(&mut self) -> Result<(), GrammarError> {
        match self.next()? {
            '\0' => Err(self.error("a zero byte")),
            '\\' => {
                let digits = match self.next()? {
                    't' | 'r' | 'n' | '\\' | '"' | '[' | ']' => 0,
                    'x' => 2,
                    'u' => 4,
                    'U' => 8,
                    other => return Err(self.error(format!("`\\{other}` means nothing"))),
                };
                self.code_point(digits)
            }
            _ => Ok(()),
        }
    }

    fn code_point(&mut self, digits: usize) -> Result<(), GrammarError> {
        let text = self.rest().get(..digits).unwrap_or_default();
        let known = digits == 0
            || (text.len() == digits && u32::from_str_radix(text, 16).is_ok_and(|code| code <= 0x10_FFFF));
        if !known {
            return Err(self.error(format!("{digits} hexadecimal digits of a letter are expected")));
        }
        self.at += digits;
        Ok(())
    }

    /// Reads what comes after an item: `*`, `+`, `?`, `{2}`, `{2,}`, `{2,5}`, also several of them.
    fn repeated(&mut self, what: What<'a>, depth: usize) -> Result<Item<'a>, GrammarError> {
        let mut optional = false;
        let mut copies = 1_u64;
        while let Some((least, most)) = self.repetition(depth)? {
            may_repeat(least, most).map_err(|what| self.error(what))?;
            optional |= least == 0;
            copies = copies.saturating_mul(most.unwrap_or(least + 1).max(1));
        }
        let size = match &what {
            What::Letters(letters) => *letters,
            What::Rule(_) | What::Group(_) => 1,
        };
        self.elements = self.elements.saturating_add(copies.saturating_mul(size + 2));
        Ok(Item { what, optional })
    }

    fn repetition(&mut self, depth: usize) -> Result<Option<(u64, Option<u64>)>, GrammarError> {
        let found = match self.peek() {
            Some('*') => (0, None),
            Some('+') => (1, None),
            Some('?') => (0, Some(1)),
            Some('{') => {
                self.at += 1;
                let found = self.bounds(depth)?;
                self.skip(depth > 0);
                return Ok(Some(found));
            }
            _ => return Ok(None),
        };
        self.at += 1;
        self.skip(depth > 0);
        Ok(Some(found))
    }

    fn bounds(&mut self, depth: usize) -> Result<(u64, Option<u64>), GrammarError> {
        self.skip(depth > 0);
        let least = self
            .number()?
            .ok_or_else(|| self.error("a number is expected after `{`"))?;
        self.skip(depth > 0);
        let most = if self.take(",") {
            self.skip(depth > 0);
            self.number()?
        } else {
            Some(least)
        };
        self.skip(depth > 0);
        if self.take("}") {
            Ok((least, most))
        } else {
            Err(self.error("`}` is expected"))
        }
    }

    fn number(&mut self) -> Result<Option<u64>, GrammarError> {
        match self.take_while(|letter| letter.is_ascii_digit()) {
            "" => Ok(None),
            digits => digits
                .parse()
                .map(Some)
                .map_err(|_| self.error(format!("`{digits}` is too large"))),
        }
    }
}

fn is_name_letter(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '-'
}
