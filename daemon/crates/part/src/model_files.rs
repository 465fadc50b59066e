//! The files of models, as settings name them: by a name of the catalogue, by a path, or by "auto", which is the best of those
//! that are installed. Reads no model and fetches none.

use std::path::Path;

use loquat_models::{Catalogue, Kind, Model, ModelFile, State, Store};
use loquat_settings::{Environment, Folders};

/// From this much memory on the larger model of a kind is the usual one.
pub const ROOMY: u64 = 4 << 30;

/// The files of this device.
#[derive(Debug)]
pub struct ModelFiles<'a> {
    /// The models that are known.
    pub catalogue: &'a Catalogue,
    store: Store,
    environment: &'a Environment,
}

impl<'a> ModelFiles<'a> {
    /// Looks for those of the catalogue in the folder of models, and for those elsewhere by their paths.
    pub fn new(catalogue: &'a Catalogue, folders: &Folders, environment: &'a Environment) -> Self {
        Self {
            catalogue,
            store: store(folders),
            environment,
        }
    }

    /// Finds the model that is named; with "auto", the first preference that is installed, else the first of
    /// all.
    pub fn choose(&self, wanted: &str, preferences: &[&str]) -> ModelFile {
        if wanted != "auto" {
            return self.named(wanted);
        }
        let mut files = preferences.iter().map(|name| self.named(name));
        let first = files.next();
        let installed = first.iter().cloned().chain(files).find(ModelFile::is_present);
        installed.or(first).unwrap_or_else(|| self.named(wanted))
    }

    /// The language models that are installed and that this much memory allows, the largest first. One of the catalogue that
    /// is never the usual one is left out; one that a person has fetched from elsewhere is not.
    pub fn language_models(&self, memory: u64) -> Vec<ModelFile> {
        // The kernel and the firmware keep some: a machine sold with 4 GiB reports a little less.
        let gib = memory as f64 / f64::from(1 << 30) * 1.1;
        let listed = self.store.list().into_iter();
        let is_there = listed.filter(|listed| listed.state == State::Complete);
        let mut models: Vec<&Model> = is_there.map(|listed| listed.model).collect();
        models.retain(|model| model.kind == Kind::Language && model.is_usual() && model.memory_gib <= gib);
        models.sort_by_key(|model| std::cmp::Reverse(model.size));
        models.into_iter().map(|model| self.file_of(model)).collect()
    }

    fn file_of(&self, model: &Model) -> ModelFile {
        ModelFile {
            path: self.store.file_of(model),
            name: model.name.clone(),
            bytes: model.size,
            is_in_catalogue: true,
        }
    }

    /// The model of a name or a path.
    pub fn named(&self, wanted: &str) -> ModelFile {
        if let Ok(model) = self.store.catalogue().find(wanted) {
            return self.file_of(model);
        }
        if let Some(file) = self.store.offered_file(wanted) {
            return ModelFile {
                path: file,
                name: wanted.to_owned(),
                bytes: 0,
                is_in_catalogue: true,
            };
        }
        let path = self.environment.expand_home(Path::new(wanted));
        ModelFile {
            name: path
                .file_stem()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned(),
            bytes: path.metadata().map_or(0, |file| file.len()),
            path,
            is_in_catalogue: false,
        }
    }
}

/// Opens the folder of models, with those that came with the program.
pub fn store(folders: &Folders) -> Store {
    Store::new(&folders.models).carrying(folders.carried.clone())
}

/// Asks the kernel how much memory there is, in bytes; it is as much as a Pi has where the kernel does not
/// tell.
pub fn total_memory() -> u64 {
    memory("MemTotal:").unwrap_or(ROOMY / 2)
}

/// The bytes that a program could have now, as the kernel estimates them; absent where it does not.
pub fn available_memory() -> Option<u64> {
    memory("MemAvailable:")
}

fn memory(entry: &str) -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(entry))?;
    let kibibytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kibibytes << 10)
}
