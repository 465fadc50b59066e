//! Files for what reads files: a folder of its own for each thread, in memory where the system has such a place.

use std::cell::RefCell;
use std::fs;
use std::path::Path;

use loquat::settings::environment::Environment;
use tempfile::TempDir;

/// A file system in memory on every Linux.
const MEMORY: &str = "/dev/shm";

thread_local! {
    static FOLDER: RefCell<Option<TempDir>> = const { RefCell::new(None) };
}

/// Writes the bytes into a file of this name, below a folder that is the same for all inputs of a thread, and shows where
/// that folder and the file are.
pub(crate) fn with_file<T>(name: &str, bytes: &[u8], look: impl FnOnce(&Path, &Path) -> T) -> T {
    FOLDER.with_borrow_mut(|folder| {
        let folder = folder.get_or_insert_with(|| {
            let builder = || tempfile::Builder::new().prefix("loquat-fuzz-").to_owned();
            let made = builder().tempdir_in(MEMORY).or_else(|_| builder().tempdir());
            made.expect("a temporary folder can be made")
        });
        let file = folder.path().join(name);
        let parent = file.parent().expect("a file lies in a folder");
        fs::create_dir_all(parent).expect("the temporary folder can be written");
        fs::write(&file, bytes).expect("the temporary folder can be written");
        look(folder.path(), &file)
    })
}

/// A machine and a person that have nothing but what is in this folder.
pub(crate) fn environment(folder: &Path) -> Environment {
    let folder_text = folder.display().to_string();
    let variables = [
        "HOME",
        "XDG_CONFIG_HOME",
        "XDG_DATA_HOME",
        "XDG_STATE_HOME",
        "XDG_RUNTIME_DIR",
    ];
    let own = variables.map(|name| (name, folder_text.as_str()));
    Environment::from_pairs(own).with_system_root(folder)
}
