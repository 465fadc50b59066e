//! What people say for a toolbox and what it says to them, in one file for each toolbox and language: `[sentences]` with gaps,
//! `[fillings]` (what a gap may hold), `[dialogs]` (what is said) and `[lists]` (names and what stands for them).
//!
//! Those of a toolbox stand beside its code. A person has one file for each language, with a section for each toolbox; what is
//! in it takes the place of what has the same name. A line that cannot be used is named and left out. Nothing here compares a
//! sentence with what was said.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::{Path, PathBuf};

use include_dir::Dir;
use serde::Deserialize;
use toml::Spanned;

/// A line of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// Where it stands.
    pub place: Place,
    /// What it says.
    pub text: String,
}

impl Line {
    /// Whether it stands in a file of the person or of the owner of the machine, and not beside the code of a skill.
    pub fn is_of_owner(&self) -> bool {
        self.place.file.is_absolute()
    }

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
        /// The file or folder is here.
        file: PathBuf,
        /// It failed for this reason.
        #[source]
        source: std::io::Error,
    },
    /// A file of a person is no TOML, or has what no such file has.
    #[error("failed to read {}", .file.display())]
    Malformed {
        /// The file is here.
        file: PathBuf,
        /// Where, and what was expected.
        #[source]
        source: Box<toml::de::Error>,
    },
    /// A person has files of an older form.
    #[error("failed to use {}: sentences are in sentences/LANGUAGE.toml now, see the chapter on sentences", .folder.display())]
    Older {
        /// The folder is here.
        folder: PathBuf,
    },
    /// A line makes no sense.
    #[error("failed to use {place}: {fault}; {mend}")]
    Line {
        /// The line is here.
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
            Self::Unreadable { file, .. } | Self::Malformed { file, .. } => file,
            Self::Older { folder } => folder,
            Self::Line { place, .. } => &place.file,
        }
    }
}

/// A section of a file: lists of lines, by their names.
type Section = BTreeMap<String, Vec<Spanned<String>>>;

/// What a toolbox has in one language, as it is written.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Written {
    sentences: Section,
    fillings: Section,
    lists: Section,
    dialogs: Section,
}

impl Written {
    /// All lists, by name and kind: `time.intent`.
    fn named(self) -> impl Iterator<Item = (String, Vec<Spanned<String>>)> {
        let sections = [
            (self.sentences, "intent"),
            (self.fillings, "entity"),
            (self.lists, "value"),
            (self.dialogs, "dialog"),
        ];
        let of = |(section, kind): (Section, &'static str)| {
            section
                .into_iter()
                .map(move |(name, lines)| (format!("{name}.{kind}"), lines))
        };
        sections.into_iter().flat_map(of)
    }
}

/// What one toolbox has in one language, by name and kind.
#[derive(Debug, Clone, Default)]
struct Files(BTreeMap<String, Vec<Line>>);

impl Files {
    /// Puts what a file says in the place of what has the same names.
    fn take(&mut self, written: Written, file: &Path, text: &str) {
        let starts: Vec<usize> = text.match_indices('\n').map(|(at, _)| at).collect();
        let line = |said: Spanned<String>| Line {
            place: Place {
                file: file.to_owned(),
                number: 1 + starts.partition_point(|start| *start < said.span().start),
            },
            text: said.into_inner().trim().to_owned(),
        };
        for (name, lines) in written.named() {
            self.0.insert(name, lines.into_iter().map(line).collect());
        }
    }
}

/// The files of all toolboxes in all languages.
#[derive(Debug, Clone, Default)]
pub struct Locales {
    /// They are found by toolbox and by language tag in lower case.
    files: BTreeMap<(String, String), Files>,
    /// The toolboxes that there are.
    folders: Vec<&'static str>,
    /// The names of the lists beside the code, by toolbox.
    ours: BTreeSet<(String, String)>,
}

impl Locales {
    /// Those in these folders, each with the name of its section in a person's file. A file that cannot be read is left out; a
    /// test reads them all.
    pub fn of(folders: impl IntoIterator<Item = (&'static str, &'static Dir<'static>)>) -> Self {
        let mut locales = Self::default();
        for (folder, sentences) in folders {
            locales.folders.push(folder);
            for file in sentences.files() {
                let text = file.contents_utf8().unwrap_or_default();
                if let (Some(language), Ok(written)) = (language(file.path()), toml::from_str(text)) {
                    locales.take(folder, language, written, file.path(), text);
                }
            }
        }
        let named = |((toolbox, _), files): (&(String, String), &Files)| -> Vec<(String, String)> {
            files
                .0
                .keys()
                .map(|name| (toolbox.clone(), name.clone()))
                .collect()
        };
        locales.ours = locales.files.iter().flat_map(named).collect();
        locales
    }

    /// Puts the lists of a person, in `sentences/LANGUAGE.toml` of this folder, in the place of those with the same name. What
    /// cannot be read is told, and what it would have replaced stays.
    #[must_use]
    pub fn with_folder(mut self, folder: &Path) -> (Self, Vec<LocaleError>) {
        let mut errors = Vec::new();
        let older = folder.join("locale");
        if older.is_dir() {
            errors.push(LocaleError::Older { folder: older });
        }
        for file in entries(&folder.join("sentences"), &mut errors) {
            if file.extension().is_some_and(|extension| extension == "toml")
                && let Err(error) = self.take_own(&file)
            {
                errors.push(error);
            }
        }
        (self, errors)
    }

    /// A file of a person, with a section for each toolbox.
    fn take_own(&mut self, file: &Path) -> Result<(), LocaleError> {
        let text = text_of(file).map_err(|source| LocaleError::Unreadable {
            file: file.to_owned(),
            source,
        })?;
        let malformed = |source| LocaleError::Malformed {
            file: file.to_owned(),
            source: Box::new(source),
        };
        let written: BTreeMap<String, Written> = toml::from_str(&text).map_err(malformed)?;
        let sections: BTreeMap<Spanned<String>, toml::Value> = toml::from_str(&text).map_err(malformed)?;
        let known = self.folders.clone();
        let is_known = |name: &str| known.contains(&name);
        let unknown = sections.keys().find(|name| !is_known(name.get_ref()));
        let Some(language) = language(file) else {
            return Ok(());
        };
        for (toolbox, written) in written {
            if is_known(&toolbox) {
                self.take(&toolbox, language, written, file, &text);
            }
        }
        match unknown {
            Some(name) => Err(self.stray(name, file, &text)),
            None => Ok(()),
        }
    }

    fn take(&mut self, toolbox: &str, language: &str, written: Written, file: &Path, text: &str) {
        let key = (toolbox.to_owned(), language.replace('_', "-").to_lowercase());
        self.files.entry(key).or_default().take(written, file, text);
    }

    /// A section that no toolbox has the name of.
    fn stray(&self, name: &Spanned<String>, file: &Path, text: &str) -> LocaleError {
        let before = text.get(..name.span().start).unwrap_or_default();
        LocaleError::Line {
            place: Place {
                file: file.to_owned(),
                number: before.lines().count().max(1),
            },
            fault: format!("no skill is called '{}'", name.get_ref()),
            mend: format!("there are {}", self.folders.join(", ")),
        }
    }

    /// The languages in which a toolbox has files.
    pub fn languages<'a>(&'a self, toolbox: &'a str) -> impl Iterator<Item = &'a str> {
        let own = self.files.keys().filter(move |(owner, _)| owner == toolbox);
        own.map(|(_, language)| language.as_str())
    }

    /// A file of a toolbox, as far as it is spoken where the language tag says, else anywhere.
    pub fn file(&self, toolbox: &str, lang: &str, name: &str) -> Option<&[Line]> {
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
    pub fn values<'a>(
        &'a self,
        toolbox: &str,
        lang: &str,
        name: &str,
    ) -> impl Iterator<Item = (&'a str, &'a str)> {
        let lines = self.file(toolbox, lang, name).unwrap_or_default();
        lines.iter().filter_map(|line| line.text.split_once(','))
    }

    /// The lists of a toolbox in a language.
    pub fn names<'a>(&'a self, toolbox: &str, language: &str) -> impl Iterator<Item = &'a str> {
        let files = self.files.get(&(toolbox.to_owned(), language.to_owned()));
        files
            .into_iter()
            .flat_map(|files| files.0.keys().map(String::as_str))
    }

    /// Lines of dialogs and lists that cannot be read.
    pub fn broken<'a>(&'a self, toolbox: &'a str) -> impl Iterator<Item = LocaleError> + 'a {
        let own = self.files.iter().filter(move |((owner, _), _)| owner == toolbox);
        let files = own.flat_map(|(_, files)| &files.0);
        files.flat_map(|(name, lines)| lines.iter().filter_map(|line| line.broken(name)))
    }

    /// Lists that belong to nothing, of those that a toolbox has in its languages: those whose names neither `known` nor a file
    /// beside the code tells.
    pub fn unknown<'a>(
        &'a self,
        toolbox: &'a str,
        known: impl Fn(&str) -> bool + 'a,
    ) -> impl Iterator<Item = (&'a str, &'a Line)> {
        let own = self.files.iter().filter(move |((owner, _), _)| owner == toolbox);
        let is_ours = |name: &str| self.ours.contains(&(toolbox.to_owned(), name.to_owned()));
        let lists = own.flat_map(|(_, files)| &files.0);
        lists
            .filter(move |(name, _)| !known(name) && !is_ours(name))
            .filter_map(|(name, lines)| Some((name.as_str(), lines.first()?)))
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

/// The language that a file is named after.
fn language(file: &Path) -> Option<&str> {
    file.file_stem()?.to_str()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answers;

    fn embedded() -> Locales {
        Locales::of([(answers::FOLDER, &answers::SENTENCES)])
    }

    #[test]
    fn a_person_s_list_takes_the_place_of_ours_and_what_is_wrong_is_named() {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::create_dir(folder.path().join("sentences")).expect("a folder");
        let file = folder.path().join("sentences/en-us.toml");
        let wrong = "[answers.lists]\nchoices = [\n  'last,latest',\n]\n[answer]\n";
        std::fs::write(&file, wrong).expect("written");
        let (locales, errors) = embedded().with_folder(folder.path());
        let lines = locales.file("answers", "en-us", "choices.value").expect("lines");
        assert_eq!(
            lines.iter().map(|line| line.text.as_str()).collect::<Vec<_>>(),
            ["last,latest"]
        );
        assert!(lines[0].place.to_string().starts_with("line 3 of "));
        assert!(locales.file("answers", "en-us", "words.value").is_some());
        let told: Vec<String> = errors.iter().map(ToString::to_string).collect();
        assert!(
            told[0].contains("line 5 of") && told[0].contains("no skill is called 'answer'"),
            "{told:?}"
        );

        std::fs::write(&file, "[answers.sentence]\n").expect("written");
        let (locales, errors) = embedded().with_folder(folder.path());
        assert!(
            locales
                .file("answers", "en-us", "choices.value")
                .is_some_and(|lines| lines.len() > 1)
        );
        let told = loquat_failure::with_causes(&errors[0]);
        assert!(
            told.contains("en-us.toml") && told.contains("unknown field `sentence`"),
            "{told}"
        );

        std::fs::create_dir(folder.path().join("locale")).expect("a folder");
        let (_, errors) = embedded().with_folder(folder.path());
        assert!(
            errors
                .iter()
                .any(|error| matches!(error, LocaleError::Older { .. }))
        );
    }
}
