//! The settings with which the daemon last ran well, kept in the state folder: what counts while a settings file holds a
//! mistake, so that a slip of the pen does not silence a device at its next start.

use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use super::Settings;
use crate::brought::Tables;
use crate::document::Document;

const FILE: &str = "settings.toml";

const HEAD: &str = "# The settings with which the daemon last ran well. They count while loquat.toml holds a mistake.\n\
                    # Written by the daemon; change loquat.toml instead.\n";

/// Keeps them, for this user alone: hashes of a PIN and of a password are among them.
pub fn keep<Ours: Document>(settings: &Settings<Ours>) -> io::Result<()> {
    let written = settings.written();
    let text = toml::to_string(&written).map_err(io::Error::other)?;
    let read = read::<Ours>(&text).map(|(document, tables)| (super::written(&document, &tables), document));
    if read.as_ref() != Some(&(written, settings.document.clone())) {
        return Err(io::Error::other("they cannot be read back"));
    }
    let folder = &settings.folders.state;
    let file = folder.join(FILE);
    let text = format!("{HEAD}{text}");
    if std::fs::read_to_string(&file).is_ok_and(|kept| kept == text) {
        return Ok(());
    }
    let mut written = tempfile::NamedTempFile::new_in(folder)?;
    written
        .as_file()
        .set_permissions(std::fs::Permissions::from_mode(0o600))?;
    written.write_all(text.as_bytes())?;
    written.as_file().sync_all()?;
    written.persist(&file)?;
    Ok(())
}

/// Reads what was kept, where that can be read.
pub(super) fn recall<Ours: Document>(folder: &Path) -> Option<(Ours, Tables)> {
    read(&std::fs::read_to_string(folder.join(FILE)).ok()?)
}

fn read<Ours: Document>(text: &str) -> Option<(Ours, Tables)> {
    let mut values: toml::Table = toml::from_str(text).ok()?;
    let mut tables = Tables::default();
    for brought in Ours::brought() {
        // A part that is newer than what was kept has its defaults.
        let none = || toml::Value::Table(toml::Table::new());
        let own = values.remove(brought.table.name).unwrap_or_else(none);
        tables.read(&brought, own).ok()?;
    }
    // Another build may have kept what this one does not have.
    for left_out in Ours::left_out() {
        values.remove(left_out.table);
    }
    Some((values.try_into().ok()?, tables))
}
