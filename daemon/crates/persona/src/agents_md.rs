//! Files named `AGENTS.md` as instructions of a persona: those near its file, the nearest first, and those that it lists.
//!
//! Asks for `"memory_module": "ovos-agents-md-context-plugin"`, as OVOS does. Opens nothing of another name, by no link, and of
//! no other owner than the persona's, so that the persona file of a stranger cannot send another file of the person to a server.

use std::path::{Path, PathBuf};

use loquat_settings::complaint::Origin;
use loquat_settings::environment::Environment;
use serde_json::{Map, Value};

use super::fields::{self, Report, Shape, Spec, Stake};
use super::own_file::{OwnFile, owners_of, person};
use super::scopes::Scopes;

mod sections;

use sections::Section;

/// The memory module of OVOS that brings them.
pub(super) const ID: &str = "ovos-agents-md-context-plugin";

const FILE_NAME: &str = "AGENTS.md";

/// The entry of the list that stands for the files near the persona.
const AUTO: &str = "auto";

/// Of a file with more bytes nothing is used: no model on a device reads that much before an answer.
const LONGEST: u64 = 64 << 10;

/// About so many tokens of all files reach the brain, unless the persona says otherwise.
const USUAL_TOKENS: u64 = 1000;

/// About so many bytes make a token.
const BYTES_PER_TOKEN: usize = 4;

const MOST_SOURCES: usize = 32;

const SETTINGS: &[Spec<'static>] = &[
    ("agents_md_sources", Shape::Texts),
    ("include_sections", Shape::Texts),
    ("system_prompt_prefix", Shape::Text),
    ("max_tokens", Shape::Whole(1, 100_000)),
];

/// Gathers the instructions, where the persona's file asks for them. `folders` are those of the person's and
/// of the machine's settings.
pub(super) fn instructions(
    file: &Map<String, Value>,
    scopes: &Scopes<'_>,
    folders: &[PathBuf],
    report: &mut Report,
) -> Option<String> {
    if file.get("memory_module").and_then(Value::as_str) != Some(ID) {
        return None;
    }
    let (written, path) = scopes.settings_of(ID, report);
    let settings = fields::block(&written, &path, SETTINGS, Stake::Settings, report);
    let sources = sources(&settings, &path, folders, scopes.environment, report);
    let mut sections: Vec<Section> = Vec::new();
    for source in &sources {
        let Some(text) = text_of(source, report) else {
            continue;
        };
        // Where two files have a section of the same name, the nearer one counts.
        let further = sections::of(&text).into_iter();
        let further = further.filter(|section| !sections.iter().any(|nearer| section.replaced_by(nearer)));
        let further: Vec<Section> = further.collect();
        sections.extend(further);
    }
    let wanted = texts(&settings, "include_sections");
    sections.retain(|section| section.is_wanted(&wanted));
    let tokens = settings.get("max_tokens").and_then(Value::as_u64);
    let most = usize::try_from(tokens.unwrap_or(USUAL_TOKENS)).unwrap_or(usize::MAX);
    let kept = within(&sections, most.saturating_mul(BYTES_PER_TOKEN));
    if kept.len() < sections.len() {
        let left_out = sections.len() - kept.len();
        report.warn(format!(
            "{path}: {left_out} of {} sections are left out, since all have more than about {most} tokens; shorten \
             them, or set {path}.max_tokens",
            sections.len()
        ));
    }
    if kept.is_empty() {
        report.warn(format!(
            "{path}: no section of an {FILE_NAME} is used; put one beside this file or list it under {path}.agents_md_sources"
        ));
        return None;
    }
    let prefix = fields::text(&settings, &path, "system_prompt_prefix", report);
    let parts = prefix
        .into_iter()
        .chain(kept.iter().map(|section| section.told()));
    Some(parts.collect::<Vec<_>>().join("\n\n"))
}

fn sources(
    settings: &Map<String, Value>,
    path: &str,
    folders: &[PathBuf],
    environment: &Environment,
    report: &mut Report,
) -> Vec<OwnFile> {
    let places = Places::of(report.origin(), folders, environment);
    let mut listed = texts(settings, "agents_md_sources");
    if !settings.contains_key("agents_md_sources") {
        listed.push(AUTO.to_owned());
    }
    if listed.len() > MOST_SOURCES {
        report.refuse(format!(
            "{path}.agents_md_sources lists more than {MOST_SOURCES} files"
        ));
        return Vec::new();
    }
    let mut sources: Vec<OwnFile> = Vec::new();
    for entry in &listed {
        if entry == AUTO {
            sources.extend(places.near());
            continue;
        }
        let file = environment.expand_home(Path::new(entry));
        if file.file_name().is_none_or(|name| name != FILE_NAME) {
            report.refuse(format!(
                "{path}.agents_md_sources: {entry:?} is not called {FILE_NAME}, and no other file is read"
            ));
            continue;
        }
        sources.push(places.listed(&file));
    }
    let mut seen = Vec::new();
    sources.retain(|file| {
        let path = file.path();
        let is_new = !seen.contains(&path);
        seen.push(path);
        is_new
    });
    sources
}

struct Places<'a> {
    /// The persona's file is in this folder; a persona that the program ships has none.
    own: Option<PathBuf>,
    /// They hold the settings of the person and of the machine.
    folders: &'a [PathBuf],
    home: Option<PathBuf>,
    /// The users whose files the persona may bring along.
    owners: Vec<u32>,
}

impl<'a> Places<'a> {
    fn of(origin: &Origin, folders: &'a [PathBuf], environment: &Environment) -> Self {
        let file = match origin {
            Origin::File { path, .. } => Some(path),
            _ => None,
        };
        Self {
            own: file.and_then(|path| path.parent()).map(Path::to_owned),
            folders,
            home: environment.home(),
            owners: owners_of(file.map(PathBuf::as_path)),
        }
    }

    /// Finds the files that are used without being listed. That of the settings is the person's own, and for every
    /// persona.
    fn near(&self) -> Vec<OwnFile> {
        let own = self.own.iter().map(|folder| (folder, self.owners.clone()));
        let all = own.chain(self.folders.iter().map(|folder| (folder, vec![person()])));
        let all = all.map(|(folder, owners)| OwnFile {
            folder: folder.clone(),
            beneath: FILE_NAME.into(),
            owners,
        });
        all.filter(|file| file.path().symlink_metadata().is_ok())
            .collect()
    }

    /// Finds a file that a persona lists: it is opened from the nearest of the folders that is known to be the
    /// person's own.
    fn listed(&self, file: &Path) -> OwnFile {
        let known = self.own.iter().chain(self.folders).chain(&self.home);
        let known = known.filter(|folder| file.starts_with(folder));
        let nearest = known.max_by_key(|folder| folder.components().count()).cloned();
        let folder = if file.is_absolute() {
            nearest.unwrap_or_else(|| PathBuf::from("/"))
        } else {
            self.own.clone().unwrap_or_default()
        };
        let beneath = file.strip_prefix(&folder).unwrap_or(file).to_owned();
        OwnFile {
            folder,
            beneath,
            owners: self.owners.clone(),
        }
    }
}

fn texts(settings: &Map<String, Value>, key: &str) -> Vec<String> {
    let list = settings.get(key).and_then(Value::as_array).into_iter().flatten();
    list.filter_map(|text| Some(text.as_str()?.to_owned())).collect()
}

/// Reads a file. Where it cannot be used, a complaint says why.
fn text_of(file: &OwnFile, report: &mut Report) -> Option<String> {
    match file.text(LONGEST) {
        Ok(text) => Some(text),
        Err(why) => {
            report.warn(format!("{} is not used: {why}", file.path().display()));
            None
        }
    }
}

/// Takes the first sections that fit into so many bytes together.
fn within(sections: &[Section], most: usize) -> Vec<&Section> {
    let mut bytes = 0_usize;
    let fits = |section: &&Section| {
        bytes = bytes.saturating_add(section.told().len());
        bytes <= most
    };
    sections.iter().take_while(fits).collect()
}
