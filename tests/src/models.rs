//! The real models of this machine, in the folder that the person who runs the tests has named.

use std::fs;
use std::path::{Path, PathBuf};

use crate::binaries::setting;

/// Gives the folder of speech and language models, when the caller has named one.
pub fn folder() -> Option<PathBuf> {
    setting("LOQUAT_TEST_MODELS").map(PathBuf::from)
}

/// Finds the smallest model whose file begins and ends so, as a value of our settings.
pub fn smallest(beginning: &str, extension: &str) -> String {
    let folder = folder()
        .expect("LOQUAT_TEST_MODELS names the folder of models; `make test` fetches them and sets it");
    let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let found = paths
        .filter(|path| is_named(path, beginning, extension))
        .min_by_key(|path| path.metadata().map_or(u64::MAX, |file| file.len()));
    let Some(found) = found else {
        panic!(
            "no {beginning}*.{extension} in {}; run `make test`",
            folder.display()
        )
    };
    format!("{:?}", found.display().to_string())
}

fn is_named(path: &Path, beginning: &str, extension: &str) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.starts_with(beginning) && path.extension().is_some_and(|found| found == extension)
}
