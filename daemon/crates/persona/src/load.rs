//! Finds persona files and reads them all.

use std::path::{Path, PathBuf};

use loquat_settings::commented_json::{parse_object, read_object};
use loquat_settings::complaint::{Complaint, Origin};
use serde_json::{Map, Value};

use super::fields::Report;
use super::known::Known;
use super::names::slug;
use super::persona::Persona;
use super::prompts::{self, Prompts};
use super::sources::Sources;
use super::{embedded, parse};

/// Loads the personas that can be used, in order, and tells everything that is wrong.
pub(super) fn load(sources: &Sources, known: &Known) -> (Vec<Persona>, Vec<Complaint>) {
    let (prompts, complaints) = prompts::of_folders(&sources.prompts);
    let mut loader = Loader {
        sources,
        known,
        prompts,
        personas: Vec::new(),
        complaints,
    };
    for folder in &sources.folders {
        loader.folder(folder);
    }
    if sources.embedded {
        for (name, text) in embedded::FILES {
            let origin = Origin::Embedded(name);
            loader.file(name, parse_object(text, &origin), &origin);
        }
    }
    (loader.personas, loader.complaints)
}

struct Loader<'a> {
    sources: &'a Sources,
    known: &'a Known,
    prompts: Prompts,
    personas: Vec<Persona>,
    complaints: Vec<Complaint>,
}

impl Loader<'_> {
    fn folder(&mut self, folder: &Path) {
        let entries = match std::fs::read_dir(folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return,
            Err(error) => {
                let text = format!("the personas here cannot be read: {error}");
                self.complaints
                    .push(Complaint::warning(Origin::file(folder), text));
                return;
            }
        };
        let mut files: Vec<PathBuf> = entries
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| {
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                name.ends_with(".json") && !name.starts_with('.')
            })
            .collect();
        // The order of a folder is arbitrary; that of the names is the same everywhere.
        files.sort();
        for path in files {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            self.file(&name, read_object(&path), &Origin::file(&path));
        }
    }

    fn file(
        &mut self,
        file_name: &str,
        content: Result<Option<Map<String, Value>>, Complaint>,
        origin: &Origin,
    ) {
        let stem = file_name.trim_end_matches(".json");
        if self.is_blacklisted(stem) {
            return;
        }
        let mut report = Report::new(origin.clone());
        let persona = match content {
            Ok(Some(file)) => {
                parse::persona(&file, stem, self.known, self.sources, &self.prompts, &mut report)
            }
            Ok(None) => {
                report.refuse("the file is empty");
                None
            }
            Err(complaint) => {
                report.complaints.push(complaint);
                None
            }
        };
        self.complaints
            .extend(report.complaints.into_iter().map(consequence));
        if let Some(persona) = persona {
            self.add(persona);
        }
    }

    fn add(&mut self, persona: Persona) {
        if self.is_blacklisted(&persona.name) || self.is_blacklisted(&persona.id) {
            return;
        }
        let Some(earlier) = self.personas.iter().find(|earlier| earlier.id == persona.id) else {
            self.personas.push(persona);
            return;
        };
        // In another folder it is meant to take the other's place; in the same one it is a mistake.
        if folder_of(&earlier.origin) == folder_of(&persona.origin) {
            let text = format!(
                "{} is already the name of the persona in {}; this persona is left out",
                persona.name, earlier.origin
            );
            self.complaints.push(Complaint::warning(persona.origin, text));
        }
    }

    fn is_blacklisted(&self, name: &str) -> bool {
        let blacklist = &self.sources.blacklist;
        let same = |entry: &&String| {
            entry.to_lowercase() == name.to_lowercase()
                || (slug(entry) == slug(name) && !slug(name).is_empty())
        };
        blacklist.iter().any(|entry| same(&entry))
    }
}

fn folder_of(origin: &Origin) -> Option<&Path> {
    match origin {
        Origin::File { path, .. } => path.parent(),
        _ => None,
    }
}

/// Says what follows from a refusal.
fn consequence(mut complaint: Complaint) -> Complaint {
    if complaint.is_refusal() {
        complaint.text.push_str("; this persona is left out");
    }
    complaint
}
