//! What people say for a toolbox and what it says to them, in the files that skills of OVOS have: `*.intent` (sentences
//! with gaps), `*.entity` (what a gap may hold), `*.dialog` (what is said) and `*.value` (names and what stands for them).
//!
//! Those of a toolbox stand beside its code; files of a person take the place of those with the same name. A line that
//! cannot be used is named and left out. Nothing here compares a sentence with what was said.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use include_dir::Dir;

use crate::SKILLS;
use crate::skill::Skill;

/// A line of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// Where it stands.
    pub place: Place,
    /// What it says.
    pub text: String,
}

impl Line {
    /// What is wrong with a line of this file, if its kind can be judged without knowing its toolbox.
    fn broken(&self, file: &str) -> Option<LocaleError> {
        let opened = self.text.matches('{').count();
        let (fault, mend) = match file.rsplit_once('.')?.1 {
            "dialog" if opened != self.text.matches('}').count() => ("is no sentence", "close every {"),
            "value" if !self.text.contains(',') => ("has no comma", "write it as NAME,VALUE"),
            _ => return None,
        };
        Some(LocaleError::Line {
            place: self.place.clone(),
            fault: format!("'{}' {fault}", self.text),
            mend: mend.to_owned(),
        })
    }
}

/// A line's file and number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    file: PathBuf,
    number: usize,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {} of {}", self.number, self.file.display())
    }
}

/// Why a line or a file is left out.
#[derive(Debug, thiserror::Error)]
pub enum LocaleError {
    /// A file or folder of a person cannot be read.
    #[error("failed to read {}", .file.display())]
    Unreadable {
        /// The file or folder.
        file: PathBuf,
        /// Why.
        #[source]
        source: std::io::Error,
    },
    /// A line makes no sense.
    #[error("failed to use {place}: {fault}; {mend}")]
    Line {
        /// The line.
        place: Place,
        /// What is wrong with it.
        fault: String,
        /// What to do about it.
        mend: String,
    },
}

impl LocaleError {
    /// The file or folder that it is about.
    pub fn file(&self) -> &Path {
        match self {
            Self::Unreadable { file, .. } => file,
            Self::Line { place, .. } => &place.file,
        }
    }
}

/// The files of one toolbox in one language, by their names.
#[derive(Debug, Clone, Default)]
struct Files(BTreeMap<String, Vec<Line>>);

/// The files of all toolboxes in all languages.
#[derive(Debug, Clone, Default)]
pub struct Locales {
    /// By toolbox and language tag in lower case.
    files: BTreeMap<(String, String), Files>,
}

impl Locales {
    /// Those beside the code.
    pub fn embedded() -> Self {
        let mut locales = Self::default();
        for skill in SKILLS {
            let files = skill.locale.dirs().flat_map(Dir::files);
            for file in files {
                let text = file.contents_utf8().unwrap_or_default();
                locales.take(skill.folder, file.path(), text);
            }
        }
        locales
    }

    /// Puts the files of a person, `TOOLBOX/LANGUAGE/NAME.intent` in this folder, in the place of those with the same
    /// name. What cannot be read is told, and what it would have replaced stays.
    #[must_use]
    pub fn with_folder(mut self, folder: &Path) -> (Self, Vec<LocaleError>) {
        let mut errors = Vec::new();
        for Skill { folder: toolbox, .. } in SKILLS {
            for language in entries(&folder.join(toolbox), &mut errors) {
                for file in entries(&language, &mut errors) {
                    match text_of(&file) {
                        Ok(text) => self.take(toolbox, &file, &text),
                        Err(source) => errors.push(LocaleError::Unreadable { file, source }),
                    }
                }
            }
        }
        (self, errors)
    }

    fn take(&mut self, toolbox: &str, file: &Path, text: &str) {
        let name = |path: &Path| Some(path.file_name()?.to_str()?.to_owned());
        let (Some(name), Some(language)) = (name(file), file.parent().and_then(name)) else {
            return;
        };
        let key = (toolbox.to_owned(), language.replace('_', "-").to_lowercase());
        self.files
            .entry(key)
            .or_default()
            .0
            .insert(name, lines(file, text));
    }

    /// The languages in which a toolbox has files.
    pub fn languages<'a>(&'a self, toolbox: &'a str) -> impl Iterator<Item = &'a str> {
        let own = self.files.keys().filter(move |(owner, _)| owner == toolbox);
        own.map(|(_, language)| language.as_str())
    }

    /// A file of a toolbox, as far as it is spoken where the language tag says, else anywhere.
    pub(crate) fn file(&self, toolbox: &str, lang: &str, name: &str) -> Option<&[Line]> {
        let tag = lang.replace('_', "-").to_lowercase();
        let primary = tag.split('-').next().unwrap_or_default();
        let exact = self.files.get(&(toolbox.to_owned(), tag.clone()));
        let akin = self
            .files
            .iter()
            .filter(|((owner, language), _)| owner == toolbox && language.split('-').next() == Some(primary));
        let mut files = exact.into_iter().chain(akin.map(|(_, files)| files));
        files.find_map(|files| files.0.get(name)).map(Vec::as_slice)
    }

    /// The names of a `*.value` file with what stands for them.
    pub(crate) fn values<'a>(
        &'a self,
        toolbox: &str,
        lang: &str,
        name: &str,
    ) -> impl Iterator<Item = (&'a str, &'a str)> {
        let lines = self.file(toolbox, lang, name).unwrap_or_default();
        lines.iter().filter_map(|line| line.text.split_once(','))
    }

    /// Lines of dialogs and lists that cannot be read.
    pub(crate) fn broken<'a>(&'a self, toolbox: &'a str) -> impl Iterator<Item = LocaleError> + 'a {
        let own = self.files.iter().filter(move |((owner, _), _)| owner == toolbox);
        let files = own.flat_map(|(_, files)| &files.0);
        files.flat_map(|(name, lines)| lines.iter().filter_map(|line| line.broken(name)))
    }

    /// Files that belong to nothing, of those that a toolbox has in its languages: those whose names `known` does not
    /// tell.
    pub(crate) fn unknown<'a>(
        &'a self,
        toolbox: &'a str,
        known: impl Fn(&str) -> bool + 'a,
    ) -> impl Iterator<Item = &'a Line> {
        let own = self.files.iter().filter(move |((owner, _), _)| owner == toolbox);
        let files = own.flat_map(|(_, files)| &files.0);
        files
            .filter(move |(name, _)| !known(name))
            .filter_map(|(_, lines)| lines.first())
    }
}

/// What a file holds. A pipe would be waited for.
fn text_of(file: &Path) -> std::io::Result<String> {
    let kind = std::fs::metadata(file)?;
    if !kind.is_file() && !kind.is_dir() {
        return Err(std::io::Error::other("it is no regular file"));
    }
    std::fs::read_to_string(file)
}

/// What a folder holds; nothing where there is none.
fn entries(folder: &Path, errors: &mut Vec<LocaleError>) -> Vec<PathBuf> {
    let listed = match std::fs::read_dir(folder) {
        Ok(listed) => listed,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Vec::new(),
        Err(source) => {
            let file = folder.to_owned();
            errors.push(LocaleError::Unreadable { file, source });
            return Vec::new();
        }
    };
    let mut found: Vec<PathBuf> = listed.flatten().map(|entry| entry.path()).collect();
    found.sort();
    found
}

/// The lines that say something.
fn lines(file: &Path, text: &str) -> Vec<Line> {
    let numbered = (1..).zip(text.lines().map(str::trim));
    let said = numbered.filter(|(_, text)| !text.is_empty() && !text.starts_with('#'));
    said.map(|(number, text)| Line {
        place: Place {
            file: file.to_owned(),
            number,
        },
        text: text.to_owned(),
    })
    .collect()
}
