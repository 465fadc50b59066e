//! Personas from files in a temporary folder, and those that are part of the program.

mod agents_md;
mod brains;
mod complaints;
mod files;
mod finding;
mod handlers;
mod toolboxes;

use std::path::PathBuf;

use loquat_settings::{Complaint, Environment};
use serde_json::Value;

use super::{KeyPolicy, Known, Persona, Personas, Sources};

/// Knows two engines and two toolboxes.
pub(super) fn known() -> Known {
    Known::new(
        &["ovos-react-loop", "ovos-native-toolcall-loop"],
        &["repairs"],
        &["ovos-clock-tools", "ovos-math-tools"],
    )
    .with_lookups(&["ovos-solver-wikipedia-plugin", "ovos-solver-ddg-plugin"])
}

/// Knows the ids of this program.
pub(super) fn whole() -> Known {
    let engines: Vec<&str> = loquat_agent::engine::ENGINES
        .iter()
        .map(|engine| engine.id)
        .collect();
    Known::new(&engines, &["repairs"], &loquat_skills::TOOLBOXES)
}

/// A person's folder of personas, and the machine's.
pub(super) struct Shelf {
    root: tempfile::TempDir,
    pub(super) sources: Sources,
}

impl Shelf {
    pub(super) fn new() -> Self {
        let root = tempfile::tempdir().unwrap();
        let home = root.path().display().to_string();
        let sources = Sources {
            prompts: Vec::new(),
            agents_md: vec![root.path().join(".config/loquat")],
            folders: vec![root.path().join("person"), root.path().join("machine")],
            embedded: false,
            blacklist: Vec::new(),
            default: None,
            environment: Environment::from_pairs([("HOME", home)]),
            keys: KeyPolicy {
                folders: vec![root.path().join(".config/loquat")],
                ..KeyPolicy::default()
            },
        };
        Self { root, sources }
    }

    pub(super) fn write(&self, relative: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.root.path().join(relative);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, content).unwrap();
        path
    }

    pub(super) fn load(&self) -> (Personas, Vec<String>) {
        // Those of the program name all that there is.
        let known = if self.sources.embedded { whole() } else { known() };
        self.load_knowing(&known)
    }

    pub(super) fn load_knowing(&self, known: &Known) -> (Personas, Vec<String>) {
        let (personas, complaints) = Personas::load(&self.sources, known);
        (personas, self.sentences(&complaints))
    }

    pub(super) fn sentences(&self, complaints: &[Complaint]) -> Vec<String> {
        let root = format!("{}/", self.root.path().display());
        complaints
            .iter()
            .map(|complaint| complaint.to_string().replace(&root, "/"))
            .collect()
    }
}

/// Reads one file, and gives the persona with the complaints.
pub(super) fn read(file: &Value) -> (Option<Persona>, Vec<String>) {
    let shelf = Shelf::new();
    shelf.write("person/file.json", file.to_string());
    let (personas, complaints) = shelf.load();
    (personas.iter().next().cloned(), complaints)
}

/// A file that is read without a word.
pub(super) fn quiet(file: &Value) -> Persona {
    let (persona, complaints) = read(file);
    assert_eq!(complaints, [] as [&str; 0], "{file}");
    persona.unwrap()
}
