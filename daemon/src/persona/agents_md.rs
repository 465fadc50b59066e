//! Files named `AGENTS.md` as instructions of a persona: those near its file, the nearest first, and those that it lists.
//!
//! Asks for `"memory_module": "ovos-agents-md-context-plugin"`, as OVOS does. Opens nothing of another name, so that the
//! persona file of a stranger cannot send another file of the person to a server.

use std::fs::OpenOptions;
use std::io::Read;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use super::fields::{self, Report, Shape, Spec, Stake};
use super::parse::Scopes;
use crate::settings::complaint::Origin;
use crate::settings::environment::Environment;

mod sections;

use sections::Section;

/// The memory module of OVOS that brings them.
pub(super) const ID: &str = "ovos-agents-md-context-plugin";

const FILE_NAME: &str = "AGENTS.md";

/// What stands for the files near the persona.
const AUTO: &str = "auto";

/// Of a file that is longer nothing is used, in bytes: no model on a device reads that much before an answer.
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

/// The instructions, where the persona's file asks for them. `folders` are those of the person's and of the machine's settings.
pub(super) fn instructions(
    file: &Map<String, Value>,
    scopes: &Scopes<'_>,
    folders: &[PathBuf],
    report: &mut Report,
) -> Option<String> {
    if file.get("memory_module").and_then(Value::as_str) != Some(ID) {
        return None;
    }
    let (written, path) = scopes.settings_of(ID, report)?;
    let settings = fields::block(&written, &path, SETTINGS, Stake::Settings, report);
    let sources = sources(&settings, &path, (folders, scopes.environment), report);
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

/// The files in their order, each once.
fn sources(
    settings: &Map<String, Value>,
    path: &str,
    (folders, environment): (&[PathBuf], &Environment),
    report: &mut Report,
) -> Vec<PathBuf> {
    let own = match report.origin() {
        Origin::File { path, .. } => path.parent().map(Path::to_owned),
        _ => None,
    };
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
    let mut sources: Vec<PathBuf> = Vec::new();
    for entry in &listed {
        if entry == AUTO {
            let near = own.iter().chain(folders).map(|folder| folder.join(FILE_NAME));
            sources.extend(near.filter(|file| file.symlink_metadata().is_ok()));
            continue;
        }
        let file = environment.expand_home(Path::new(entry));
        if file.file_name().is_none_or(|name| name != FILE_NAME) {
            report.refuse(format!(
                "{path}.agents_md_sources: {entry:?} is not called {FILE_NAME}, and no other file is read"
            ));
            continue;
        }
        sources.push(own.as_ref().map_or(file.clone(), |own| own.join(&file)));
    }
    let mut seen = Vec::new();
    sources.retain(|file| {
        let is_new = !seen.contains(file);
        seen.push(file.clone());
        is_new
    });
    sources
}

fn texts(settings: &Map<String, Value>, key: &str) -> Vec<String> {
    let list = settings.get(key).and_then(Value::as_array).into_iter().flatten();
    list.filter_map(|text| Some(text.as_str()?.to_owned())).collect()
}

/// What a file holds; nothing, and a complaint, where it cannot be used.
fn text_of(file: &Path, report: &mut Report) -> Option<String> {
    match read(file) {
        Ok(text) => Some(text),
        Err(why) => {
            report.warn(format!("{} is not used: {why}", file.display()));
            None
        }
    }
}

fn read(file: &Path) -> Result<String, String> {
    let told = |error: std::io::Error| format!("it cannot be read: {error}");
    // A pipe would be waited for without this.
    let no_wait = rustix::fs::OFlags::NONBLOCK.bits().cast_signed();
    let opened = OpenOptions::new()
        .read(true)
        .custom_flags(no_wait)
        .open(file)
        .map_err(told)?;
    if !opened.metadata().map_err(told)?.is_file() {
        return Err("it is no regular file".to_owned());
    }
    let mut bytes = Vec::new();
    opened.take(LONGEST + 1).read_to_end(&mut bytes).map_err(told)?;
    if bytes.len() as u64 > LONGEST {
        return Err(format!("it is longer than {} KiB", LONGEST >> 10));
    }
    let text = String::from_utf8(bytes).map_err(|_| "it is no text in UTF-8".to_owned())?;
    if text.contains('\0') {
        return Err("it holds a NUL, so it is no text".to_owned());
    }
    Ok(text)
}

/// The first sections that fit into so many bytes together.
fn within(sections: &[Section], most: usize) -> Vec<&Section> {
    let mut bytes = 0_usize;
    let fits = |section: &&Section| {
        bytes = bytes.saturating_add(section.told().len());
        bytes <= most
    };
    sections.iter().take_while(fits).collect()
}
