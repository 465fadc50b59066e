//! What a tool says of its result, in the words of a `*.dialog` file and with numbers as the language writes them.
//!
//! Without a sentence in the person's language nothing is said; nothing here knows any single tool.

use loquat_agent::toolbox::Circumstances;

use crate::locale::{Line, Locales};
use crate::numbers;

/// A result that can be told in one sentence.
pub trait Tell {
    /// All of it; nothing where a sentence would tell only a part or too much.
    fn tell(&self) -> Option<Telling> {
        None
    }
}

/// What is told of a result, before there are words for it.
#[derive(Debug, Clone, PartialEq)]
pub struct Telling {
    dialog: &'static str,
    gaps: Vec<(&'static str, Gap)>,
}

/// What stands in a gap of a dialog.
#[derive(Debug, Clone, PartialEq)]
pub enum Gap {
    /// Words of the person's language.
    Words(String),
    /// A number.
    Number(f64),
    /// What a list has for this name: one of it, or several.
    Listed {
        /// The `*.value` file.
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
        }
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

    /// The sentence for this person; `None` where the language has none whose gaps can all be filled.
    pub fn sentence(&self, locales: &Locales, folder: &str, person: &Circumstances) -> Option<String> {
        let lang = person.lang.as_deref().unwrap_or("en");
        let dialog = person.dialog.as_deref().unwrap_or(self.dialog);
        let lines = locales.file(folder, lang, &format!("{dialog}.dialog"))?;
        let fill = |gap: &Gap| match gap {
            Gap::Words(words) => Some(words.clone()),
            Gap::Number(number) => Some(numbers::written(*number, lang)),
            Gap::Listed { list, name, one } => listed(locales, folder, (lang, list), (name, *one)),
        };
        lines.iter().find_map(|line| self.filled(line, &fill))
    }

    fn filled(&self, line: &Line, fill: &impl Fn(&Gap) -> Option<String>) -> Option<String> {
        let mut sentence = String::new();
        let mut rest = line.text.as_str();
        while let Some((before, after)) = rest.split_once('{') {
            let (name, after) = after.split_once('}')?;
            let (_, gap) = self.gaps.iter().find(|(known, _)| *known == name.trim())?;
            sentence.push_str(before);
            sentence.push_str(&fill(gap)?);
            rest = after;
        }
        Some(sentence + rest)
    }
}

/// A line of a list is `name,one|several`.
fn listed(
    locales: &Locales,
    folder: &str,
    (lang, list): (&str, &str),
    (name, one): (&str, bool),
) -> Option<String> {
    let file = format!("{list}.value");
    let mut values = locales.values(folder, lang, &file);
    let (_, forms) = values.find(|(known, _)| known.trim() == name)?;
    let mut forms = forms.split('|').map(str::trim);
    let single = forms.next()?;
    let several = forms.next().unwrap_or(single);
    Some(if one { single } else { several }.to_owned())
}
