//! The files of models, as settings name them: by a name of the catalogue, by a path, or by "auto", which is the best of those
//! that are installed. Reads no file and fetches none.

use std::path::Path;

use loquat_models::{Catalogue, ModelFile, Store};
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

    /// Finds the model of a name in the catalogue, or else takes the name for a path.
    pub fn named(&self, wanted: &str) -> ModelFile {
        if let Ok(model) = self.catalogue.find(wanted) {
            return ModelFile {
                path: self.store.file_of(model),
                name: model.name.clone(),
                bytes: model.size,
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
    let text = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let kibibytes = text.lines().find_map(|line| {
        line.strip_prefix("MemTotal:")?
            .split_whitespace()
            .next()?
            .parse()
            .ok()
    });
    kibibytes.map_or(ROOMY / 2, |kibibytes: u64| kibibytes << 10)
}
