//! Patterns of file names and of text, both of bounded cost. Knows no file.

use globset::{GlobBuilder, GlobMatcher};
use regex::{Regex, RegexBuilder};

use super::fault::Fault;

/// In bytes.
const LONGEST: usize = 300;

/// Of a compiled pattern, in bytes; what a line costs grows with it.
const LARGEST_PATTERN: usize = 256 << 10;

/// A pattern of names: `*.txt` of a name at any depth, `notes/**/*.txt` of a path.
#[derive(Debug)]
pub(super) struct Names {
    matcher: GlobMatcher,
    of_paths: bool,
}

impl Names {
    pub(super) fn parse(argument: &'static str, pattern: &str) -> Result<Self, Fault> {
        let refused = |why: &str| {
            let complaint = format!("{why}; write a pattern of names within the folder, such as *.txt");
            Fault::argument(argument, complaint)
        };
        if pattern.len() > LONGEST || pattern.contains('\0') {
            return Err(refused("it is too long or no text"));
        }
        if pattern.starts_with('/') || pattern.split('/').any(|part| part == "..") {
            return Err(refused("it leads out of the folder"));
        }
        let pattern = pattern.trim_start_matches("./");
        // People who say a name do not say which letters are large.
        let glob = GlobBuilder::new(pattern)
            .case_insensitive(true)
            .literal_separator(true)
            .build();
        let glob = glob.map_err(|error| refused(&error.kind().to_string()))?;
        Ok(Self {
            matcher: glob.compile_matcher(),
            of_paths: pattern.contains('/'),
        })
    }

    /// Whether it is one of paths: a folder has only names.
    pub(super) fn is_of_paths(&self) -> bool {
        self.of_paths
    }

    /// Whether it matches a file, by its path from the folder of the search.
    pub(super) fn matches(&self, path: &str) -> bool {
        let name = path.rsplit('/').next().unwrap_or(path);
        self.matcher.is_match(if self.of_paths { path } else { name })
    }
}

/// A regular expression, whose cost grows no faster than the text.
pub(super) fn of_text(pattern: &str) -> Result<Regex, Fault> {
    let refused =
        |why: String| Fault::argument("pattern", format!("{why}; write a shorter regular expression"));
    if pattern.is_empty() || pattern.len() > LONGEST {
        return Err(refused("it is empty or too long".to_owned()));
    }
    RegexBuilder::new(pattern)
        .case_insensitive(true)
        .size_limit(LARGEST_PATTERN)
        .dfa_size_limit(LARGEST_PATTERN)
        .nest_limit(20)
        .build()
        .map_err(|error| {
            let told = error.to_string();
            let last = told.lines().last().unwrap_or_default().trim();
            refused(last.trim_start_matches("error: ").to_owned())
        })
}
