//! The lines of files that match. Reads no more of a file, and no more files, than its bounds; skips what is no text.

use std::fs::File;
use std::io::Read;
use std::ops::ControlFlow;

use regex::Regex;
use rustix::fs::FileType;
use schemars::JsonSchema;
use serde::Deserialize;

use super::fault::Fault;
use super::path::Within;
use super::pattern::{self, Names};
use super::results::{Hit, Hits};
use super::root::Root;
use super::tools::{beneath, left_out};
use super::walk::{self, Patience};

/// In one result.
const MOST_MATCHES: usize = 100;

/// Read of one file, and of all, in bytes.
const MOST_OF_A_FILE: u64 = 1 << 20;
const MOST_OF_ALL: usize = 32 << 20;

/// Of a line, in bytes: to be searched, and in characters: to be shown.
const LONGEST_LINE: usize = 8 << 10;
const LONGEST_SHOWN: usize = 300;

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Wanted {
    /// A word, or a regular expression.
    pattern: String,
    /// Folder; default: all.
    #[serde(default)]
    path: String,
    /// Names of the files, as in "*.txt"; default: all.
    #[serde(default)]
    glob: Option<String>,
}

/// A search that goes on.
struct Search<'a> {
    pattern: Regex,
    start: &'a Within,
    /// In bytes.
    left: usize,
    matches: Vec<Hit>,
    total: usize,
}

pub(super) fn search_in_files(root: &Root, asked: &Wanted) -> Result<Hits, Fault> {
    let names = Names::parse("glob", asked.glob.as_deref().unwrap_or("**/*"))?;
    let start = root.within(&asked.path)?;
    let mut search = Search {
        pattern: pattern::of_text(&asked.pattern)?,
        start: &start,
        left: MOST_OF_ALL,
        matches: Vec::new(),
        total: 0,
    };
    let saw_all = walk::through(root.folder(&start)?, &mut Patience::new(), |found, patience| {
        if found.kind() != FileType::RegularFile || !names.matches(&found.path) {
            return ControlFlow::Continue(());
        }
        match found.open() {
            Some(file) => search.file(file, &found.path, patience),
            None => ControlFlow::Continue(()),
        }
    });
    let (matches, total) = (search.matches, search.total);
    Ok(Hits {
        note: left_out(matches.len(), total, saw_all),
        matches,
        total,
    })
}

impl Search<'_> {
    fn file(&mut self, file: File, path: &str, patience: &Patience) -> ControlFlow<()> {
        let mut bytes = Vec::new();
        let read = file.take(MOST_OF_A_FILE).read_to_end(&mut bytes);
        self.left = self.left.saturating_sub(bytes.len());
        if read.is_err() || bytes.contains(&0) {
            return ControlFlow::Continue(());
        }
        for (number, line) in (1..).zip(bytes.split(|byte| *byte == b'\n')) {
            if patience.is_over() || self.left == 0 {
                return ControlFlow::Break(());
            }
            self.line(path, number, line);
        }
        ControlFlow::Continue(())
    }

    fn line(&mut self, path: &str, number: usize, line: &[u8]) {
        let line = String::from_utf8_lossy(line.get(..LONGEST_LINE).unwrap_or(line));
        if !self.pattern.is_match(line.trim_end_matches('\r')) {
            return;
        }
        self.total += 1;
        if self.matches.len() < MOST_MATCHES {
            self.matches.push(Hit {
                file: beneath(self.start, path),
                line_number: number.to_string(),
                line: line.trim().chars().take(LONGEST_SHOWN).collect(),
            });
        }
    }
}
