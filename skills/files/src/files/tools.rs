//! Reading, listing and finding, as a brain asks for them.

use std::ops::ControlFlow;
use std::path::Path;

use rustix::fs::FileType;
use rustix::io::Errno;
use schemars::JsonSchema;
use serde::Deserialize;

use super::fault::Fault;
use super::path::Within;
use super::pattern::Names;
use super::results::{Findings, Listed, Reading};
use super::root::Root;
use super::text::{self, MOST_SHOWN};
use super::walk::{self, Patience};

/// Names in one result.
const MOST_LISTED: usize = 500;

/// Names that a complaint offers.
const MOST_OFFERED: usize = 5;

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct WhichFile {
    /// As in "notes/plan.txt".
    path: String,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct WhichFolder {
    /// Default: the whole folder of files.
    #[serde(default)]
    path: String,
    /// As in "*.txt"; default: all.
    #[serde(default)]
    pattern: Option<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct WhichFiles {
    /// As in "*.txt" or "*plan*".
    glob: String,
    /// Folder; default: all.
    #[serde(default)]
    path: String,
}

pub(super) fn read_file(root: &Root, asked: &WhichFile) -> Result<Reading, Fault> {
    let written = root.within(&asked.path)?;
    let (path, (file, about)) = match root.file(&written) {
        Err(Fault::Missing(_)) => {
            let called = called(root, &written, FileType::RegularFile)?;
            let file = root.file(&called)?;
            (called, file)
        }
        found => (written, found?),
    };
    let path = path.to_string();
    let system = |error: std::io::Error| Fault::of(&path, Errno::from_io_error(&error).unwrap_or(Errno::IO));
    let content = text::beginning(file, MOST_SHOWN).map_err(system)?;
    let content = content.ok_or_else(|| Fault::NoText(path.clone()))?;
    let size = usize::try_from(about.st_size).unwrap_or(usize::MAX);
    let note = (size > MOST_SHOWN).then(|| format!("the first {} of {size} bytes", content.len()));
    Ok(Reading { path, content, note })
}

pub(super) fn list_directory(root: &Root, asked: &WhichFolder) -> Result<Listed, Fault> {
    let names = Names::parse("pattern", asked.pattern.as_deref().unwrap_or("*"))?;
    if names.is_of_paths() {
        let complaint = "a folder is listed by names alone; use find_files for what is in folders beneath";
        return Err(Fault::argument("pattern", complaint));
    }
    let written = root.within(&asked.path)?;
    let (path, folder) = match root.folder(&written) {
        Err(Fault::Missing(_)) => {
            let called = called(root, &written, FileType::Directory)?;
            let folder = root.folder(&called)?;
            (called, folder)
        }
        found => (written, found?),
    };
    let mut patience = Patience::new();
    let mut entries: Vec<String> = Vec::new();
    for entry in walk::entries(&folder, &mut patience) {
        let name = entry.name();
        if names.matches(&name) {
            let mark = if entry.kind == FileType::Directory {
                "/"
            } else {
                ""
            };
            entries.push(name + mark);
        }
    }
    let total = entries.len();
    entries.truncate(MOST_LISTED);
    Ok(Listed {
        path: path.to_string(),
        note: left_out(entries.len(), total, !patience.is_over()),
        entries,
        total,
    })
}

pub(super) fn find_files(root: &Root, asked: &WhichFiles) -> Result<Findings, Fault> {
    let names = Names::parse("glob", &asked.glob)?;
    let start = root.within(&asked.path)?;
    let mut files = Vec::new();
    let mut total = 0;
    let saw_all = walk::through(root.folder(&start)?, &mut Patience::new(), |found, _| {
        if found.kind() == FileType::RegularFile && names.matches(&found.path) {
            total += 1;
            if files.len() < MOST_LISTED {
                files.push(beneath(&start, &found.path));
            }
        }
        ControlFlow::Continue(())
    });
    let note = left_out(files.len(), total, saw_all);
    Ok(Findings { files, total, note })
}

/// A path as the other tools take it.
pub(super) fn beneath(start: &Within, path: &str) -> String {
    if start.parts().is_empty() {
        return path.to_owned();
    }
    format!("{start}/{path}")
}

pub(super) fn left_out(shown: usize, total: usize, saw_all: bool) -> Option<String> {
    match (shown < total, saw_all) {
        (_, false) => Some("there is more than could be looked at; name a folder".to_owned()),
        (true, true) => Some(format!("the first {shown} of {total}")),
        (false, true) => None,
    }
}

/// The one file or folder that a person calls so: a name is said without its folder, its ending and its marks.
fn called(root: &Root, said: &Within, kind: FileType) -> Result<Within, Fault> {
    let missing = || Fault::Missing(said.to_string());
    let name = loquat_kit::folded(said.parts().last().ok_or_else(missing)?);
    let mut found: Vec<String> = Vec::new();
    let everything = root.folder(&root.within("")?)?;
    walk::through(everything, &mut Patience::new(), |one, _| {
        if one.kind() == kind && is_called(&one.path, &name) {
            found.push(one.path.clone());
        }
        if found.len() < MOST_OFFERED {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    });
    match found.as_slice() {
        [] => Err(missing()),
        [one] => root.within(one),
        several => Err(Fault::Ambiguous(said.to_string(), several.join(", "))),
    }
}

fn is_called(path: &str, said: &str) -> bool {
    let path = Path::new(path);
    let is = |part: Option<&std::ffi::OsStr>| {
        part.and_then(|part| part.to_str())
            .is_some_and(|part| loquat_kit::folded(part) == said)
    };
    is(path.file_name()) || is(path.file_stem())
}
