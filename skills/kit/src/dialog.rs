//! What a tool says of its result, in the words of a `*.dialog` file and with numbers as the language writes them.
//!
//! Without a sentence in the person's language nothing is said; nothing here knows any single tool.

use loquat_agent::capitalised;
use loquat_agent::toolbox::Circumstances;
use serde_json::{Map, Value};

use crate::locale::{Line, Locales};
use crate::numbers;

/// A result that can be told in one sentence.
pub trait Tell {
    /// All of it; nothing where a sentence would tell only a part or too much.
    fn tell(&self) -> Option<Telling> {
        None
    }

    /// What the call may have meant, where the person is asked which one it is.
    fn choices(&self) -> Vec<String> {
        Vec::new()
    }

    /// What an answer of others may tell beside what the result shows.
    fn facts(&self) -> Map<String, Value> {
        Map::new()
    }

    /// What the tool that takes the call back is called with; empty where there is nothing to take back.
    fn undo(&self) -> Map<String, Value> {
        Map::new()
    }

    /// Whether words of people who are not known here are in it.
    fn is_of_strangers(&self) -> bool {
        self.tell().is_some_and(|telling| telling.is_foreign())
    }

    /// What others have called things that are in it.
    fn names(&self) -> Vec<String> {
        self.tell().map(|telling| telling.names).unwrap_or_default()
    }
}

/// What is told of a result, before there are words for it.
#[derive(Debug, Clone, PartialEq)]
pub struct Telling {
    dialog: &'static str,
    gaps: Vec<(&'static str, Gap)>,
    /// What is said after it.
    further: Vec<Self>,
    /// Whether words of people who are not known here are in the result.
    is_foreign: bool,
    /// What others have called things that are in the result.
    names: Vec<String>,
}

/// The list of the word that joins the last two of several.
pub const JOINT: &str = "joint";

/// A number with what it counts.
#[derive(Debug, Clone, PartialEq)]
pub struct Amount {
    number: f64,
    /// A `*.value` file and a name in it.
    counts: Option<(&'static str, &'static str)>,
    has_cents: bool,
}

impl Amount {
    /// So many of what a list has for this name.
    pub fn of(number: f64, list: &'static str, name: &'static str) -> Self {
        Self {
            number,
            counts: Some((list, name)),
            has_cents: false,
        }
    }

    /// A number alone.
    pub fn plain(number: f64) -> Self {
        Self {
            number,
            counts: None,
            has_cents: false,
        }
    }

    /// With two decimals, unless it is whole.
    #[must_use]
    pub fn with_cents(self) -> Self {
        Self {
            has_cents: self.number.fract() != 0.0,
            ..self
        }
    }

    /// The number, and the name of what it counts.
    pub fn counted(&self) -> Option<(f64, &'static str)> {
        let (_, name) = self.counts?;
        Some((self.number, name))
    }

    /// Whether it is a single one.
    pub fn is_one(&self) -> bool {
        (self.number - 1.0).abs() < f64::EPSILON
    }
}

/// What stands in a gap of a dialog.
#[derive(Debug, Clone, PartialEq)]
pub enum Gap {
    /// They are words of the person's language.
    Words(String),
    /// It is a number.
    Number(f64),
    /// Amounts, joined as the language does.
    Amounts(Vec<Amount>),
    /// They are words of the person's language, and are joined in the same way.
    Several(Vec<String>),
    /// What a list has for this name: one of it, or several.
    Listed {
        /// The words are in this `*.value` file.
        list: &'static str,
        /// The name.
        name: &'static str,
        /// Whether it is one.
        one: bool,
    },
}

impl Telling {
    /// In the words of this dialog, unless the call has asked for another one.
    pub fn new(dialog: &'static str) -> Self {
        Self {
            dialog,
            gaps: Vec::new(),
            further: Vec::new(),
            is_foreign: false,
            names: Vec::new(),
        }
    }

    /// Marks the result where words of people who are not known here are in it.
    #[must_use]
    pub fn of_strangers(self, is_foreign: bool) -> Self {
        let is_foreign = is_foreign || self.is_foreign;
        Self { is_foreign, ..self }
    }

    /// Adds what others have called things that are in the result: it is marked where these are more than names.
    #[must_use]
    pub fn naming(mut self, names: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.names.extend(names.into_iter().map(Into::into));
        self
    }

    /// What others have called things.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Whether such words are in it.
    pub fn is_foreign(&self) -> bool {
        self.is_foreign
    }

    /// Says another sentence after it, in the words of its own dialog.
    #[must_use]
    pub fn then(mut self, mut further: Self) -> Self {
        self.is_foreign |= further.is_foreign;
        self.names.append(&mut further.names);
        self.further.push(further);
        self
    }

    /// Fills a gap.
    #[must_use]
    pub fn with(mut self, name: &'static str, gap: Gap) -> Self {
        self.gaps.push((name, gap));
        self
    }

    /// Fills a gap with words.
    #[must_use]
    pub fn words(self, name: &'static str, words: impl Into<String>) -> Self {
        self.with(name, Gap::Words(words.into()))
    }

    /// The sentence for this person, with those after it; `None` where the language has none whose gaps can all be filled.
    pub fn sentence(&self, locales: &Locales, folder: &str, person: &Circumstances) -> Option<String> {
        let words = Words {
            locales,
            folder,
            lang: person.lang.as_deref().unwrap_or("en"),
        };
        let mut sentences = vec![self.in_words(person.dialog.as_deref().unwrap_or(self.dialog), words)?];
        for further in &self.further {
            let said = further.in_words(further.dialog, words)?;
            sentences.push(capitalised(&said));
        }
        Some(sentences.join(" "))
    }

    fn in_words(&self, dialog: &str, words: Words<'_>) -> Option<String> {
        let lines = words
            .locales
            .file(words.folder, words.lang, &format!("{dialog}.dialog"))?;
        lines
            .iter()
            .find_map(|line| self.filled(line, &|gap| words.of(gap)))
    }

    fn filled(&self, line: &Line, fill: &impl Fn(&Gap) -> Option<String>) -> Option<String> {
        let mut sentence = String::new();
        let mut rest = line.text.as_str();
        while let Some((before, after)) = rest.split_once('{') {
            let (name, after) = after.split_once('}')?;
            let (_, gap) = self.gaps.iter().find(|(known, _)| *known == name.trim())?;
            sentence.push_str(before);
            let filling = fill(gap)?;
            let begins_a_sentence = [". ", "? ", "! "].iter().any(|end| sentence.ends_with(end));
            sentence.push_str(&if begins_a_sentence {
                capitalised(&filling)
            } else {
                filling
            });
            rest = after;
        }
        Some(sentence + rest)
    }
}

/// The words of a toolbox in a language.
#[derive(Clone, Copy)]
struct Words<'a> {
    locales: &'a Locales,
    folder: &'a str,
    lang: &'a str,
}

impl Words<'_> {
    fn of(self, gap: &Gap) -> Option<String> {
        match gap {
            Gap::Words(words) => Some(words.clone()),
            Gap::Number(number) => Some(numbers::written(*number, self.lang)),
            Gap::Amounts(amounts) => {
                let counted: Option<Vec<String>> =
                    amounts.iter().map(|amount| self.counted(amount)).collect();
                self.joined(&counted?)
            }
            Gap::Several(words) => self.joined(words),
            Gap::Listed { list, name, one } => self.listed(list, name, *one),
        }
    }

    /// `2 hours`.
    fn counted(self, amount: &Amount) -> Option<String> {
        let number = if amount.has_cents {
            numbers::with_cents(amount.number, self.lang)
        } else {
            numbers::written(amount.number, self.lang)
        };
        let Some((list, name)) = amount.counts else {
            return Some(number);
        };
        let unit = self.listed(list, name, amount.is_one())?;
        Some(format!("{number} {unit}"))
    }

    /// `2 hours, 3 minutes and 5 seconds`.
    fn joined(self, said: &[String]) -> Option<String> {
        let (last, others) = said.split_last()?;
        if others.is_empty() {
            return Some(last.clone());
        }
        let and = self.listed(JOINT, "and", true)?;
        Some(format!("{} {and} {last}", others.join(", ")))
    }

    /// A line of a list is `name,one|several`.
    fn listed(self, list: &str, name: &str, one: bool) -> Option<String> {
        let file = format!("{list}.value");
        let mut values = self.locales.values(self.folder, self.lang, &file);
        let (_, forms) = values.find(|(known, _)| known.trim() == name)?;
        let mut forms = forms.split('|').map(str::trim);
        let single = forms.next()?;
        let several = forms.next().unwrap_or(single);
        Some(if one { single } else { several }.to_owned())
    }
}
