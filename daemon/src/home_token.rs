//! The token of Home Assistant in a file that only its owner reads. Signs in nowhere.

use std::fs::{self, Permissions};
use std::io::Write;
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::PathBuf;

use loquat_settings::Folders;
use secrecy::{ExposeSecret, SecretString};

/// The file of the token, beside `loquat.toml`.
const TOKEN: &str = "home-assistant.token";

/// Writes the token where only its owner reads it, and gives the file.
pub(crate) fn keep(folders: &Folders, token: &SecretString) -> Result<PathBuf, String> {
    let folder = folders.config.clone();
    let folder = folder.ok_or_else(|| "This user has no home, so the token cannot be kept".to_owned())?;
    let file = folder.join(TOKEN);
    let complain = |error| format!("Failed to keep the token in {}: {error}", file.display());
    fs::create_dir_all(&folder).map_err(complain)?;
    let opened = fs::OpenOptions::new()
        .create(true)
        .truncate(true)
        .write(true)
        .mode(0o600)
        .open(&file);
    let written = opened.and_then(|mut kept| {
        // A file that was there before has the rights that it had.
        kept.set_permissions(Permissions::from_mode(0o600))?;
        writeln!(kept, "{}", token.expose_secret())
    });
    written.map_err(complain)?;
    Ok(file)
}
