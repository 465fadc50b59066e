//! The token of Home Assistant in a file that only its owner reads. Signs in nowhere.

use std::fs::{self, Permissions};
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use loquat_settings::Folders;
use secrecy::{ExposeSecret, SecretString};

/// The file of the token, beside `loquat.toml`.
const TOKEN: &str = "home-assistant.token";

/// The token that is kept now.
pub(crate) fn kept(folders: &Folders) -> Option<SecretString> {
    let text = fs::read_to_string(folders.config.as_ref()?.join(TOKEN)).ok()?;
    Some(SecretString::from(text.trim()))
}

/// Removes the file of the token.
pub(crate) fn remove(folders: &Folders) -> Result<(), String> {
    let Some(folder) = &folders.config else {
        return Ok(());
    };
    let file = folder.join(TOKEN);
    fs::remove_file(&file).map_err(|error| format!("Failed to remove {}: {error}", file.display()))
}

/// Writes the token where only its owner reads it, whole or not at all, and gives the file.
pub(crate) fn keep(folders: &Folders, token: &SecretString) -> Result<PathBuf, String> {
    let folder = folders.config.clone();
    let folder = folder.ok_or_else(|| "This user has no home, so the token cannot be kept".to_owned())?;
    let file = folder.join(TOKEN);
    let complain = |error| format!("Failed to keep the token in {}: {error}", file.display());
    fs::create_dir_all(&folder).map_err(complain)?;
    let write = || {
        // What is written beside it is for its owner alone, too.
        let mut beside = tempfile::Builder::new()
            .prefix(".token.")
            .permissions(Permissions::from_mode(0o600))
            .tempfile_in(&folder)?;
        writeln!(beside, "{}", token.expose_secret())?;
        beside.as_file().sync_all()?;
        beside.persist(&file).map_err(|error| error.error)?;
        loquat_disk::sync(&folder);
        Ok(())
    };
    write().map_err(complain)?;
    Ok(file)
}
