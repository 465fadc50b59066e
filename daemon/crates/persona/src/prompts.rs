//! The words with which a brain is instructed: ours, unless a file or the persona has others of the same name.
//!
//! Files are looked for in `prompts` beside `loquat.toml`; the person's go before the machine's, and what stands in the
//! persona's own file goes before both.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use loquat_agent::PROMPTS;
use loquat_settings::commented_json::read_text;
use loquat_settings::complaint::{Complaint, Origin};
use loquat_settings::wording::{nearest, shown};
use serde_json::{Map, Value};

use super::fields::{self, Report, Shape};

/// The files with prompts have this ending.
const EXTENSION: &str = "md";

/// Of a file with more bytes nothing is used: no model on a device reads that much before an answer.
const LONGEST: usize = 64 << 10;

/// Words in the place of ours, by name.
pub type Prompts = BTreeMap<String, String>;

/// Reads the files in these folders, the strongest first.
pub(super) fn of_folders(folders: &[PathBuf]) -> (Prompts, Vec<Complaint>) {
    let mut prompts = Prompts::new();
    let mut complaints = Vec::new();
    for folder in folders {
        let Ok(entries) = std::fs::read_dir(folder) else {
            continue;
        };
        let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
        paths.sort();
        for path in paths {
            match of_file(&path) {
                Ok(Some((name, text))) => drop(prompts.entry(name).or_insert(text)),
                Ok(None) => {}
                Err(text) => complaints.push(Complaint::warning(Origin::file(&path), text)),
            }
        }
    }
    (prompts, complaints)
}

fn of_file(path: &Path) -> Result<Option<(String, String)>, String> {
    if path.extension().is_none_or(|extension| extension != EXTENSION) {
        return Ok(None);
    }
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    known(&name)?;
    let read = read_text(path).map_err(|complaint| format!("the prompt is not used: {}", complaint.text))?;
    let text = read.ok_or("the prompt is not used: it is a link to nothing")?;
    if text.len() > LONGEST {
        return Err(format!(
            "the prompt is not used, since it is longer than {} KiB",
            LONGEST >> 10
        ));
    }
    Ok(Some((name.into_owned(), text)))
}

fn known(name: &str) -> Result<(), String> {
    let names = PROMPTS.iter().map(|prompt| prompt.name);
    if names.clone().any(|known| known == name) {
        return Ok(());
    }
    let nearest = nearest(name, names).map(|known| format!("; did you mean '{known}'?"));
    let nearest = nearest.unwrap_or_default();
    Err(format!(
        "there is no prompt '{name}'{nearest} `loquat prompts` lists them"
    ))
}

/// Reads the key `prompts` of a persona file, in front of what the folders have.
pub(super) fn of_persona(file: &Map<String, Value>, folders: &Prompts, report: &mut Report) -> Prompts {
    let mut prompts = folders.clone();
    let Some(Value::Object(own)) = fields::take(file, "", "prompts", Shape::Object, report) else {
        return prompts;
    };
    for (name, text) in &own {
        match (known(name), text) {
            (Ok(()), Value::String(text)) => drop(prompts.insert(name.clone(), text.clone())),
            (Ok(()), other) => report.warn(format!(
                "prompts.{name} must be a text, not {}; ours is used",
                shown(other)
            )),
            (Err(why), _) => report.warn(format!("prompts: {why}")),
        }
    }
    prompts
}
