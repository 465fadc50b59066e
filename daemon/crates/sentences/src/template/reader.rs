//! Reads the text of a template. A text from a stranger costs no more than its length, and says where it is wrong.

use super::{Kind, Piece, Spelling, Template};
use crate::letter::is_space;
use crate::spoken::even;
use crate::words::plain;

/// A longer template is refused.
const LONGEST: usize = 8_000;

/// Brackets within brackets; the deepest of the community's have six.
const DEEPEST: usize = 40;

/// Parts in any order; more than a few have more orders than a sentence is worth.
const MOST_IN_ANY_ORDER: usize = 8;

/// Where a template is wrong, and what was expected there.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("failed to read a template at letter {at}: expected {expected}, found {found} in `{template}`")]
pub struct TemplateError {
    /// The template is written so.
    pub template: String,
    /// The letter, counted from 1.
    pub at: usize,
    /// What should stand there.
    pub expected: String,
    /// What stands there.
    pub found: String,
}

/// Signs that are no words.
pub(super) fn is_sign(letter: char) -> bool {
    matches!(
        letter,
        '(' | ')' | '[' | ']' | '{' | '}' | '<' | '>' | '|' | ';' | '\\'
    )
}

impl Spelling {
    /// Whether a letter is no word in templates of this spelling.
    fn has_sign(self, letter: char) -> bool {
        is_sign(letter) && (self == Self::Community || !matches!(letter, '<' | '>' | ';' | '\\'))
    }
}

/// The words of a text without case and signs, with one space where white space is at an end. An apostrophe joins them to what
/// stands before or behind.
fn compared(written: &str, is_first: bool, is_last: bool) -> String {
    let is_plain = |letter: u8| letter.is_ascii_lowercase() || letter == b' ';
    if written.bytes().all(is_plain) && !written.contains("  ") {
        return written.to_owned();
    }
    let written = even(written);
    let words = plain(&written);
    if words.is_empty() {
        return if written.contains(is_space) {
            " ".to_owned()
        } else {
            words
        };
    }
    let mark = |letter: Option<char>, is_joined: bool| {
        letter.filter(|letter| is_space(*letter) || (is_joined && *letter == '\''))
    };
    let before = mark(written.chars().next(), !is_first);
    let behind = mark(written.chars().next_back(), !is_last);
    before.into_iter().chain(words.chars()).chain(behind).collect()
}

/// A place in the template.
struct Reader {
    spelling: Spelling,
    letters: Vec<char>,
    at: usize,
    depth: usize,
}

/// What separates the parts of a group.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Separator {
    None,
    Either,
    AnyOrder,
}

type Read<T> = Result<T, (usize, String)>;

pub(super) fn read(text: &str, spelling: Spelling) -> Result<Template, TemplateError> {
    let trimmed = text.trim_matches(is_space);
    let mut reader = Reader {
        spelling,
        letters: trimmed.chars().take(LONGEST + 1).collect(),
        at: 0,
        depth: 0,
    };
    reader
        .whole()
        .map(|root| Template {
            root: unwrapped(root),
        })
        .map_err(|(at, expected)| TemplateError {
            at: at + 1,
            expected,
            found: reader
                .letters
                .get(at)
                .map_or_else(|| "the end".to_owned(), |letter| format!("`{letter}`")),
            template: trimmed.chars().take(200).collect(),
        })
}

/// A group that holds nothing but another one is that one.
fn unwrapped(root: Piece) -> Piece {
    match root {
        Piece::Sequence(mut parts) if parts.len() == 1 && is_group(parts.first()) => {
            parts.pop().unwrap_or_else(|| Piece::Words(String::new()))
        }
        root => root,
    }
}

fn is_group(piece: Option<&Piece>) -> bool {
    matches!(
        piece,
        Some(Piece::Sequence(_) | Piece::Either(..) | Piece::AnyOrder(_))
    )
}

impl Reader {
    fn whole(&mut self) -> Read<Piece> {
        if self.letters.is_empty() {
            return Err((0, "a sentence".to_owned()));
        }
        if self.letters.len() > LONGEST {
            return Err((LONGEST, format!("no more than {LONGEST} letters")));
        }
        let root = self.group(None)?;
        match self.letters.get(self.at) {
            Some(letter) => Err((self.at, format!("no `{letter}` without its beginning"))),
            None => Ok(root),
        }
    }

    /// The parts up to a closing bracket, which stays.
    fn group(&mut self, close: Option<char>) -> Read<Piece> {
        let start = self.at;
        let mut separator = Separator::None;
        let mut parts = vec![Vec::new()];
        while let Some(letter) = self.letters.get(self.at).copied() {
            match letter {
                letter if !self.spelling.has_sign(letter) => self.add(&mut parts, letter)?,
                '|' | ';' => {
                    self.separate(&mut separator, letter)?;
                    parts.push(Vec::new());
                }
                ')' | ']' | '}' | '>' => break,
                _ => self.add(&mut parts, letter)?,
            }
        }
        if self.at == start && close.is_some() && self.spelling == Spelling::Community {
            return Err((start, "something between the brackets".to_owned()));
        }
        grouped(separator, parts)
            .ok_or_else(|| (start, format!("at most {MOST_IN_ANY_ORDER} parts in any order")))
    }

    fn add(&mut self, parts: &mut [Vec<Piece>], letter: char) -> Read<()> {
        let piece = self.piece(letter)?;
        if let Some(part) = parts.last_mut() {
            part.push(piece);
        }
        Ok(())
    }

    fn separate(&mut self, separator: &mut Separator, letter: char) -> Read<()> {
        let new = if letter == '|' {
            Separator::Either
        } else {
            Separator::AnyOrder
        };
        if *separator != Separator::None && *separator != new {
            return Err((
                self.at,
                "either `|` or `;` between the parts of one group".to_owned(),
            ));
        }
        *separator = new;
        self.at += 1;
        Ok(())
    }

    fn piece(&mut self, letter: char) -> Read<Piece> {
        match letter {
            '(' => self.bracketed(')'),
            '[' => Ok(optional(self.bracketed(']')?)),
            '{' => self.slot(),
            '<' if self.spelling == Spelling::Community => Ok(Piece::Rule(self.name('>')?)),
            _ => self.words(),
        }
    }

    fn bracketed(&mut self, close: char) -> Read<Piece> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err((
                self.at,
                format!("no more than {DEEPEST} brackets within each other"),
            ));
        }
        self.at += 1;
        let group = self.group(Some(close))?;
        self.close(close)?;
        self.depth -= 1;
        Ok(group)
    }

    fn close(&mut self, close: char) -> Read<()> {
        if self.letters.get(self.at) != Some(&close) {
            return Err((self.at, format!("`{close}`")));
        }
        self.at += 1;
        Ok(())
    }

    fn slot(&mut self) -> Read<Piece> {
        let start = self.at + 1;
        let is_doubled = self.spelling == Spelling::Words && self.letters.get(start) == Some(&'{');
        self.at += usize::from(is_doubled);
        let name = self.name('}')?;
        if is_doubled && self.letters.get(self.at) == Some(&'}') {
            self.at += 1;
        }
        let parted = name
            .split_once(':')
            .filter(|_| self.spelling == Spelling::Community);
        let (list, slot) = parted.unwrap_or((&name, &name));
        if list.is_empty() || slot.is_empty() || (self.spelling == Spelling::Community && name.contains('@'))
        {
            return Err((
                start,
                "the name of a list, or of a list and a slot: `{list:slot}`".to_owned(),
            ));
        }
        let ends_word = self.letters.get(self.at).is_some_and(|letter| is_space(*letter));
        Ok(Piece::Slot {
            list: list.to_owned(),
            slot: slot.to_owned(),
            ends_word,
        })
    }

    /// A name and its closing bracket.
    fn name(&mut self, close: char) -> Read<String> {
        let start = self.at + 1;
        self.at = start;
        let mut name = String::new();
        while let Some(letter) = self
            .letters
            .get(self.at)
            .copied()
            .filter(|letter| *letter != close)
        {
            if self.spelling.has_sign(letter) {
                return Err((self.at, format!("a name and `{close}`")));
            }
            name.push(letter);
            self.at += 1;
        }
        self.close(close)?;
        match name.trim_matches(is_space) {
            "" => Err((start, "a name".to_owned())),
            name => Ok(name.to_owned()),
        }
    }

    /// One word, with the spaces before and after it.
    fn words(&mut self) -> Read<Piece> {
        let start = self.at;
        let mut words = String::new();
        let mut is_after = false;
        while let Some(letter) = self.letters.get(self.at).copied() {
            let is_gap = letter == ' ' && self.at > start;
            let is_escape = letter == '\\' && self.spelling == Spelling::Community;
            if (is_after && letter != ' ') || (self.spelling.has_sign(letter) && !is_escape) {
                break;
            }
            is_after |= is_gap;
            if is_escape {
                self.at += 1;
            }
            words.push(
                self.letters
                    .get(self.at)
                    .copied()
                    .ok_or_else(|| (self.at, "a letter".to_owned()))?,
            );
            self.at += 1;
        }
        Ok(Piece::Words(match self.spelling {
            Spelling::Community => even(&words),
            Spelling::Words => compared(&words, start == 0, self.at == self.letters.len()),
        }))
    }
}

fn grouped(separator: Separator, parts: Vec<Vec<Piece>>) -> Option<Piece> {
    let sequences = |parts: Vec<Vec<Piece>>| parts.into_iter().map(Piece::Sequence).collect();
    match separator {
        Separator::None => Some(Piece::Sequence(parts.into_iter().flatten().collect())),
        Separator::Either => Some(Piece::Either(sequences(parts), Kind::Required)),
        Separator::AnyOrder if parts.len() > MOST_IN_ANY_ORDER => None,
        Separator::AnyOrder => Some(Piece::AnyOrder(sequences(
            parts.into_iter().map(spaced).collect(),
        ))),
    }
}

/// The part with a space before and after it.
fn spaced(part: Vec<Piece>) -> Vec<Piece> {
    let space = || Piece::Words(" ".to_owned());
    [vec![space()], part, vec![space()]]
        .into_iter()
        .flatten()
        .collect()
}

fn optional(group: Piece) -> Piece {
    let mut parts = match group {
        Piece::Either(parts, Kind::Required) => parts,
        group => vec![group],
    };
    parts.push(Piece::Words(String::new()));
    Piece::Either(parts, Kind::Optional)
}
