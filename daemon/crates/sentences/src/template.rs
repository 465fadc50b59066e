//! A template, taken apart into its pieces. Knows no lists and no rules but their names.

mod reader;
mod wordings;

use std::fmt::{self, Display as _};

pub use reader::TemplateError;

/// A sentence with choices and slots, as it stands in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template {
    pub(crate) root: Piece,
}

/// How templates are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Spelling {
    /// It is read with all signs, and compared letter by letter.
    #[default]
    Community,
    /// As OVOS has it: `(a|b)`, `[a]` and `{slot}` alone, and words compared without case and the signs around them.
    Words,
}

/// What a template is made of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Piece {
    /// It is one word with the spaces around it.
    Words(String),
    /// They stand one after the other.
    Sequence(Vec<Self>),
    /// One of them; of `[a]`, the last is empty words.
    Either(Vec<Self>, Kind),
    /// All of them stand there, in any order.
    AnyOrder(Vec<Self>),
    /// A value of a list into a slot.
    Slot {
        list: String,
        slot: String,
        /// A space follows it.
        ends_word: bool,
    },
    Rule(String),
}

/// Whether a choice must be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Required,
    Optional,
}

impl Template {
    /// Reads a template.
    ///
    /// # Errors
    /// Says at which letter something else was expected.
    pub fn read(text: &str, spelling: Spelling) -> Result<Self, TemplateError> {
        reader::read(text, spelling)
    }

    /// The names of its slots.
    pub fn slots(&self) -> Vec<&str> {
        let mut slots = Vec::new();
        self.root.name_slots(&mut slots);
        slots
    }

    /// Whether a text has any sign of a template.
    pub(crate) fn is_one(text: &str) -> bool {
        text.contains(['(', ')', '{', '}', '<', '>', '[', ']', '|', '@'])
    }

    /// How many words with their spaces it has, those of all choices together.
    pub(crate) fn word_count(&self) -> usize {
        self.root.word_count()
    }

    /// The lists that it names itself.
    pub(crate) fn lists(&self) -> Vec<&str> {
        let mut lists = Vec::new();
        self.root.name_lists(&mut lists);
        lists
    }
}

impl Piece {
    fn parts(&self) -> &[Self] {
        match self {
            Self::Sequence(parts) | Self::Either(parts, _) | Self::AnyOrder(parts) => parts,
            _ => &[],
        }
    }

    fn word_count(&self) -> usize {
        match self {
            Self::Words(_) => 1,
            _ => self.parts().iter().map(Self::word_count).sum(),
        }
    }

    fn name_slots<'a>(&'a self, slots: &mut Vec<&'a str>) {
        if let Self::Slot { slot, .. } = self {
            slots.push(slot);
        }
        for part in self.parts() {
            part.name_slots(slots);
        }
    }

    fn name_lists<'a>(&'a self, lists: &mut Vec<&'a str>) {
        if let Self::Slot { list, .. } = self {
            lists.push(list);
        }
        for part in self.parts() {
            part.name_lists(lists);
        }
    }
}

impl fmt::Display for Template {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.root.fmt(f)
    }
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Words(words) => f.write_str(&escaped(words)),
            Self::Sequence(parts) => parts.iter().try_for_each(|part| part.fmt(f)),
            Self::Either(parts, Kind::Required) => joined(f, "(", "|", ")", parts),
            Self::Either(parts, Kind::Optional) => {
                joined(f, "[", "|", "]", parts.get(..parts.len() - 1).unwrap_or_default())
            }
            Self::AnyOrder(parts) => joined(f, "(", ";", ")", parts),
            Self::Slot { list, slot, .. } if list == slot => write!(f, "{{{list}}}"),
            Self::Slot { list, slot, .. } => write!(f, "{{{list}:{slot}}}"),
            Self::Rule(rule) => write!(f, "<{rule}>"),
        }
    }
}

fn joined(
    f: &mut fmt::Formatter<'_>,
    open: &str,
    between: &str,
    close: &str,
    parts: &[Piece],
) -> fmt::Result {
    f.write_str(open)?;
    for (number, part) in parts.iter().enumerate() {
        f.write_str(if number > 0 { between } else { "" })?;
        part.fmt(f)?;
    }
    f.write_str(close)
}

fn escaped(words: &str) -> String {
    let mut escaped = String::with_capacity(words.len());
    for letter in words.chars() {
        if reader::is_sign(letter) {
            escaped.push('\\');
        }
        escaped.push(letter);
    }
    escaped
}

#[cfg(test)]
mod tests;
