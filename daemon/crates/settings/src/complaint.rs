//! What is wrong with a setting or a persona file: where, what, and what to do, in one sentence each.
//!
//! Complaints are data for the code that loads something. Nothing here prints or logs.

use std::fmt;
use std::path::{Path, PathBuf};

/// The place from which a value comes.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Origin {
    /// It is not set.
    Default,
    /// A file, with the line where that is known.
    File {
        /// The file is here.
        path: PathBuf,
        /// Counts from 1.
        line: Option<usize>,
        /// It counts characters from 1, and is known for syntax errors only.
        column: Option<usize>,
    },
    /// An environment variable, by its name.
    Variable(String),
    /// An argument of `--set`, as it was given.
    Flag(String),
    /// A file that is part of the program.
    Embedded(&'static str),
}

impl Origin {
    /// Names a file as a whole.
    pub fn file(path: impl Into<PathBuf>) -> Self {
        Self::File {
            path: path.into(),
            line: None,
            column: None,
        }
    }

    /// Names a place in the same file. Other origins stay as they are.
    #[must_use]
    pub fn at(&self, at_line: Option<usize>, at_column: Option<usize>) -> Self {
        match self {
            Self::File { path, .. } => Self::File {
                path: path.clone(),
                line: at_line,
                column: at_column,
            },
            other => other.clone(),
        }
    }

    /// Leaves the column out, where the line says enough.
    #[must_use]
    pub fn at_line(&self) -> Self {
        match self {
            Self::File { line, .. } => self.at(*line, None),
            other => other.clone(),
        }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => f.write_str("built-in default"),
            Self::File { path, line, column } => {
                write!(f, "{}", path.display())?;
                line.map_or(Ok(()), |line| write!(f, ":{line}"))?;
                column.map_or(Ok(()), |column| write!(f, ":{column}"))
            }
            Self::Variable(name) => write!(f, "environment variable {name}"),
            Self::Flag(argument) => write!(f, "--set {argument}"),
            Self::Embedded(name) => write!(f, "built-in {name}"),
        }
    }
}

/// Says what follows from a complaint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Things go on as the sentence says.
    Warning,
    /// The thing that it is about is not used: the settings are refused, the persona is left out.
    Refusal,
}

/// A complaint about one thing that is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Complaint {
    /// Says what follows from it.
    pub severity: Severity,
    /// The mistake is there.
    pub origin: Origin,
    /// Says what is wrong and what to do, without the place. It never holds a secret.
    pub text: String,
}

impl Complaint {
    /// Complains of what must be mended before it can be used.
    pub fn refusal(origin: Origin, text: impl Into<String>) -> Self {
        Self {
            severity: Severity::Refusal,
            origin,
            text: text.into(),
        }
    }

    /// Complains of what the person should know.
    pub fn warning(origin: Origin, text: impl Into<String>) -> Self {
        Self {
            severity: Severity::Warning,
            origin,
            text: text.into(),
        }
    }

    /// Tells whether what it is about is not used.
    pub fn is_refusal(&self) -> bool {
        self.severity == Severity::Refusal
    }
}

impl fmt::Display for Complaint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.origin, self.text)
    }
}

/// All that is wrong with the settings, one line each.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Complaints(pub Vec<Complaint>);

impl Complaints {
    /// Tells whether one of them is a refusal.
    pub fn refuse(&self) -> bool {
        self.0.iter().any(Complaint::is_refusal)
    }

    /// Turns complaints about a draft into complaints about the file that it was to become.
    #[must_use]
    pub fn about(mut self, draft: &Path, file: &Path) -> Self {
        for complaint in &mut self.0 {
            if let Origin::File { path, .. } = &mut complaint.origin
                && path == draft
            {
                file.clone_into(path);
            }
        }
        self
    }

    /// Gives the first refusal, and says how many there are beside it.
    pub fn in_one_line(&self) -> Option<String> {
        let mut refusals = self.0.iter().filter(|complaint| complaint.is_refusal());
        let first = refusals.next()?;
        let more = match refusals.count() {
            0 => String::new(),
            more => format!(" (and {more} more)"),
        };
        Some(format!("{first}{more}"))
    }
}

impl fmt::Display for Complaints {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, complaint) in self.0.iter().enumerate() {
            if index > 0 {
                f.write_str("\n")?;
            }
            write!(f, "{complaint}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Complaints {}
