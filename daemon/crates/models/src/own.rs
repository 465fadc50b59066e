//! The models that a person has fetched from elsewhere: of each, what a catalogue would say of it, in a file beside its own.
//!
//! The folder of models holds `FILE.gguf` and `FILE.gguf.toml`. Nothing else in the folder is looked at.

use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use super::catalogue::{Kind, Model};

/// Ends the names of such files.
const ENDING: &str = ".gguf.toml";

/// More models have room on no device of this kind.
const MOST: usize = 256;

/// A description has less than 1 kB.
const LARGEST: u64 = 64 << 10;

/// All that are described in a folder, in the order of their names, and what is wrong with descriptions.
pub(super) fn read_all(folder: &Path) -> (Vec<Model>, Vec<String>) {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.path())
        .filter(|path| is_description(path))
        .collect();
    paths.sort_unstable();
    let (mut models, mut complaints) = (Vec::new(), Vec::new());
    for path in paths.iter().take(MOST) {
        match read(path) {
            Ok(model) => models.push(model),
            Err(error) => complaints.push(format!(
                "{}: {error}; remove it and fetch the model again",
                path.display()
            )),
        }
    }
    (models, complaints)
}

/// Writes the description of a model into a folder.
pub(super) fn write(folder: &Path, model: &Model) -> io::Result<()> {
    let text = toml::to_string(model).map_err(io::Error::other)?;
    let path = description_of(folder, model);
    let half = path.with_extension("part");
    let mut file = fs::File::create(&half)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    fs::rename(half, path)
}

pub(super) fn description_of(folder: &Path, model: &Model) -> PathBuf {
    folder.join(format!("{}.toml", model.file))
}

fn is_description(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.len() > ENDING.len() && name.to_lowercase().ends_with(ENDING)
}

fn read(path: &Path) -> io::Result<Model> {
    let mut text = String::new();
    fs::File::open(path)?.take(LARGEST).read_to_string(&mut text)?;
    let model: Model = toml::from_str(&text).map_err(|error| io::Error::other(error.message().to_owned()))?;
    // Who could write another name there could have any file removed.
    if path.file_stem() != Some(model.file.as_ref()) || model.kind != Kind::Language || model.origin.is_none()
    {
        return Err(io::Error::other("it describes no model of this name"));
    }
    Ok(model)
}
