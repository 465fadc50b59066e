//! The file of one model that a device uses, whether it is there or not. Reads nothing of it.

use std::path::PathBuf;

/// A model file of the catalogue, or one that the settings name by its path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelFile {
    /// The file is there or will be.
    pub path: PathBuf,
    /// The catalogue's name, or that of the file.
    pub name: String,
    /// Its length, also before it is fetched; zero for a file of which nothing is known.
    pub bytes: u64,
    /// Whether `loquat models fetch` knows the name.
    pub is_in_catalogue: bool,
}

impl ModelFile {
    /// Whether the file is there; what is in it shows when it is loaded.
    pub fn is_present(&self) -> bool {
        self.path.is_file()
    }

    /// What a person can do about a file that is not there.
    pub fn mend(&self) -> String {
        if self.is_in_catalogue {
            return format!("run `loquat models fetch {}`", self.name);
        }
        "put the file there, or name one of `loquat models list` in the settings".to_owned()
    }
}
