//! What a person may say for a tool: each intent is a list of sentences, the tool that they ask for, and how what fills their
//! gaps becomes the tool's arguments.
//!
//! A gap is filled by what it can be read as and by nothing else: what is no number, no place and no date matches no
//! sentence. Nothing here compares sentences or calls a tool.

use std::sync::Arc;

use serde_json::Value;

use crate::locale::Locales;
use crate::rooms::Rooms;
use crate::things::Things;

/// Reads what fills a gap; `None` for what it cannot be.
pub type Reader = fn(&str, &InLanguage<'_>) -> Option<Value>;

/// The language in which something was said, and its files.
#[derive(Debug)]
pub struct InLanguage<'a> {
    /// It is a BCP-47 tag.
    pub lang: &'a str,
    /// They hold the files of all languages.
    pub locales: &'a Arc<Locales>,
    /// The rooms that can be named, where there is a home.
    pub rooms: Option<&'a dyn Rooms>,
    /// What skills keep or reach, whose names sentences may hold.
    pub things: &'a Things,
    /// What fills the gap with its commas; a reader is given the words alone.
    pub said: &'a str,
}

/// A gap of a sentence.
#[derive(Debug, Clone, Copy)]
pub struct Slot {
    /// Its name in the sentences.
    pub name: &'static str,
    /// The argument of the tool that it becomes.
    pub argument: &'static str,
    /// How it is read.
    pub read: Reader,
}

impl Slot {
    /// For another argument than the one of its name.
    #[must_use]
    pub const fn becoming(self, argument: &'static str) -> Self {
        Self { argument, ..self }
    }
}

/// The value of an argument that no gap holds.
#[derive(Debug, Clone, Copy)]
pub enum Unsaid {
    /// It is a number.
    Number(f64),
    /// It is yes or no.
    Truth(bool),
    /// Words as they are.
    Words(&'static str),
}

/// What is meant by a pronoun.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pronoun {
    /// The thing that was spoken of last. Where nothing was, the sentence means nothing.
    Last,
    /// The thing that was spoken of last. Where nothing was, it is the one that the intent names itself.
    LastOrOwn,
}

/// What an intent asks for where it was not said.
#[derive(Debug, Clone, Copy)]
pub struct Ask {
    /// Arguments of which one is enough.
    pub unless: &'static [&'static str],
    /// The intent whose sentences answer it.
    pub answer: &'static str,
}

/// Where the sentences of an intent mean something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// By themselves.
    Alone,
    /// Only as the answer to what another intent asks for.
    Answer,
    /// As statements that may become so, and are waited for. The tool tells how it is now.
    Awaited,
    /// As statements that are put as questions, and as nothing else.
    Question,
    /// Only behind another order for the same toolbox, in one breath.
    Further,
}

/// An intent of a toolbox.
#[derive(Debug, Clone, Copy)]
pub struct Intent {
    /// The name of its file, without `.intent`.
    pub name: &'static str,
    /// The tool that is called.
    pub tool: &'static str,
    /// The gaps that its sentences may have.
    pub slots: &'static [Slot],
    /// Arguments that are not said.
    pub unsaid: &'static [(&'static str, Unsaid)],
    /// The dialog that answers it, where that is not the tool's own.
    pub dialog: Option<&'static str>,
    /// The one argument that all gaps make together, and how: `{unit} until {moment}`.
    pub composed: Option<(&'static str, &'static str)>,
    /// What it asks for, the first thing first. The tool's own words are the question.
    pub asks: &'static [Ask],
    /// Where its sentences mean something.
    pub standing: Standing,
    /// What its sentences mean by a pronoun, if by one alone: "add two minutes to it".
    pub pronoun: Option<Pronoun>,
    /// The tool behind whose call alone its sentences mean anything, where the toolbox alone does not tell.
    pub behind: Option<&'static str>,
    /// The intent that asks the same where more is said than this one has gaps for.
    pub wider: Option<&'static str>,
}

/// A gap that becomes the argument of its name.
pub const fn slot(name: &'static str, read: Reader) -> Slot {
    Slot {
        name,
        argument: name,
        read,
    }
}

impl Unsaid {
    pub(crate) fn json(self) -> Value {
        match self {
            Self::Number(number) => Value::from(number),
            Self::Truth(truth) => Value::from(truth),
            Self::Words(words) => Value::from(words),
        }
    }
}

impl Intent {
    /// An intent without gaps, answered in the tool's own dialog.
    pub const fn new(name: &'static str, tool: &'static str) -> Self {
        Self {
            name,
            tool,
            slots: &[],
            unsaid: &[],
            dialog: None,
            composed: None,
            asks: &[],
            standing: Standing::Alone,
            pronoun: None,
            behind: None,
            wider: None,
        }
    }

    /// Whose sentences name the thing that was spoken of last by a pronoun.
    #[must_use]
    pub const fn meaning_last(self) -> Self {
        Self {
            pronoun: Some(Pronoun::Last),
            ..self
        }
    }

    /// Whose sentences name by a pronoun the thing that was spoken of last, or else the one that its arguments name.
    #[must_use]
    pub const fn meaning_last_or_own(self) -> Self {
        Self {
            pronoun: Some(Pronoun::LastOrOwn),
            ..self
        }
    }

    /// Whose sentences are so short that they mean the thing that was spoken of last only where this tool was called for it:
    /// "resume" behind the pausing of a timer.
    #[must_use]
    pub const fn only_behind(self, tool: &'static str) -> Self {
        Self {
            pronoun: Some(Pronoun::Last),
            behind: Some(tool),
            ..self
        }
    }

    /// Which asks the same as another intent that has more gaps.
    #[must_use]
    pub const fn widened_by(self, wider: &'static str) -> Self {
        Self {
            wider: Some(wider),
            ..self
        }
    }

    /// Whose sentences answer what another intent asks for, and mean nothing else.
    #[must_use]
    pub const fn answering(self) -> Self {
        Self {
            standing: Standing::Answer,
            ..self
        }
    }

    /// Whose sentences say what may become so, as in "the battery is full", and order nothing. Its tool only looks, and gives an
    /// `answer`: "yes" or "no", or as a number how often it has happened.
    #[must_use]
    pub const fn awaited(self) -> Self {
        Self {
            standing: Standing::Awaited,
            ..self
        }
    }

    /// Whose sentences are statements, and ask something only where they are put as questions: "we need milk?".
    #[must_use]
    pub const fn asked(self) -> Self {
        Self {
            standing: Standing::Question,
            ..self
        }
    }

    /// Whose sentences mean something only behind another order for the same toolbox: "take tea off and put cocoa on".
    #[must_use]
    pub const fn further(self) -> Self {
        Self {
            standing: Standing::Further,
            ..self
        }
    }

    /// Which asks for these where they were not said.
    #[must_use]
    pub const fn asking(self, asks: &'static [Ask]) -> Self {
        Self { asks, ..self }
    }

    /// With these gaps.
    #[must_use]
    pub const fn slots(self, slots: &'static [Slot]) -> Self {
        Self { slots, ..self }
    }

    /// With these arguments, which are not said.
    #[must_use]
    pub const fn unsaid(self, unsaid: &'static [(&'static str, Unsaid)]) -> Self {
        Self { unsaid, ..self }
    }

    /// Answered in this dialog.
    #[must_use]
    pub const fn answered(self, dialog: &'static str) -> Self {
        Self {
            dialog: Some(dialog),
            ..self
        }
    }

    /// With one argument that all gaps make together, by a pattern.
    #[must_use]
    pub const fn composed(self, argument: &'static str, pattern: &'static str) -> Self {
        Self {
            composed: Some((argument, pattern)),
            ..self
        }
    }

    /// A gap of it.
    pub fn slot(&self, name: &str) -> Option<&'static Slot> {
        self.slots.iter().find(|slot| slot.name == name)
    }
}
