//! Changes one setting in the person's `loquat.toml`: comments and order are kept, and the file is replaced whole, once
//! our own check finds nothing wrong with what it would come to.
//!
//! Reads nothing again that runs; that is the work of the reload.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use toml_edit::{DocumentMut, Item, Table, value};

use super::complaint::{Complaint, Complaints, Origin};
use super::environment::Environment;
use super::layers::person_file;
use super::{LoadOptions, Settings};

/// Why a setting is what it was. The file is untouched then.
#[derive(Debug, thiserror::Error)]
pub enum AmendError {
    /// What counts stands at a stronger place.
    #[error("failed to change {key}: {origin} fixes it; change it there")]
    Fixed {
        /// The setting.
        key: String,
        /// Where it stands.
        origin: Origin,
    },
    /// There is no file of a person, or it cannot be written.
    #[error("failed to change {key}: {file} cannot be written; make it writable, or change it there")]
    Unwritable {
        /// The setting.
        key: String,
        /// The file.
        file: PathBuf,
        /// What the operating system said.
        #[source]
        source: io::Error,
    },
    /// The settings hold a mistake, or would.
    #[error("failed to change a setting, so nothing is changed: {0}")]
    Mistaken(Complaints),
}

/// A file that was changed.
#[derive(Debug)]
pub struct Amended {
    file: PathBuf,
    /// What it held; absent where there was none.
    before: Option<String>,
}

impl Amended {
    /// Makes the file what it was.
    pub fn take_back(self) -> io::Result<()> {
        match self.before {
            Some(before) => replace(beside(&self.file, &before)?, &self.file),
            None => std::fs::remove_file(&self.file),
        }
    }
}

/// Sets a key, or leaves it to what is weaker than the person's file.
pub fn amend(
    (environment, options): (&Environment, &LoadOptions),
    key: &str,
    to: Option<toml_edit::Value>,
) -> Result<Amended, AmendError> {
    let unwritable = |file: &Path, source| AmendError::Unwritable {
        key: key.to_owned(),
        file: file.to_owned(),
        source,
    };
    let Some(named) = person_file(environment, options) else {
        let file = environment.system_path("etc/loquat/loquat.toml");
        let source = io::Error::new(io::ErrorKind::NotFound, "this user has no home");
        return Err(unwritable(&file, source));
    };
    // A link stays one: its target is replaced.
    let file = std::fs::canonicalize(&named).unwrap_or(named);
    let before = read(&file).map_err(|source| unwritable(&file, source))?;
    let after = edited(before.as_deref().unwrap_or_default(), key, to).map_err(|error| {
        let text = format!("not valid TOML: {}", error.message().replace('\n', ", "));
        AmendError::Mistaken(Complaints(vec![Complaint::refusal(Origin::file(&file), text)]))
    })?;
    let written = beside(&file, &after).map_err(|source| unwritable(&file, source))?;
    let candidate = LoadOptions {
        config_file: Some(written.path().to_owned()),
        ..options.clone()
    };
    let (settings, complaints) = Settings::load_leniently(environment, &candidate);
    if complaints.refuse() {
        return Err(AmendError::Mistaken(complaints.about(written.path(), &file)));
    }
    let origin = settings.origin_of(key);
    if matches!(origin, Origin::Variable(_) | Origin::Flag(_)) {
        let key = key.to_owned();
        return Err(AmendError::Fixed { key, origin });
    }
    replace(written, &file).map_err(|source| unwritable(&file, source))?;
    Ok(Amended { file, before })
}

fn replace(written: tempfile::NamedTempFile, file: &Path) -> io::Result<()> {
    written.persist(file).map_err(|error| error.error)?;
    // The rename itself has to survive a loss of power too.
    let folder = file.parent().and_then(|folder| std::fs::File::open(folder).ok());
    if let Some(Err(error)) = folder.map(|folder| folder.sync_all()) {
        tracing::debug!(%error, "the folder of the settings was not flushed");
    }
    Ok(())
}

/// Nothing where there is no such file.
fn read(file: &Path) -> io::Result<Option<String>> {
    match std::fs::read_to_string(file) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        read => read.map(Some),
    }
}

/// The text with the key changed; all else is as it was.
fn edited(text: &str, key: &str, to: Option<toml_edit::Value>) -> Result<String, toml_edit::TomlError> {
    let mut document: DocumentMut = text.parse()?;
    let Some((table, name)) = key.split_once('.') else {
        return Ok(text.to_owned());
    };
    match to {
        None => {
            if let Some(table) = document.get_mut(table).and_then(Item::as_table_like_mut) {
                table.remove(name);
            }
        }
        Some(to) => {
            let table = document.entry(table).or_insert_with(|| Item::Table(Table::new()));
            if let Some(table) = table.as_table_like_mut() {
                set(table, name, to);
            }
        }
    }
    Ok(document.to_string())
}

/// Sets it where it stands, with the comment behind it.
fn set(table: &mut dyn toml_edit::TableLike, name: &str, to: toml_edit::Value) {
    match table.get_mut(name).and_then(Item::as_value_mut) {
        Some(old) => {
            let decoration = old.decor().clone();
            *old = to;
            *old.decor_mut() = decoration;
        }
        None => {
            table.insert(name, value(to));
        }
    }
}

/// A file of the same rights beside the one that it is to replace.
fn beside(file: &Path, text: &str) -> io::Result<tempfile::NamedTempFile> {
    let folder = file.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder)?;
    let permissions = match std::fs::metadata(file) {
        // A user who may replace a file in a folder need not be allowed to write it, and the owner's wish is respected.
        Ok(metadata) => {
            std::fs::OpenOptions::new().append(true).open(file)?;
            Some(metadata.permissions())
        }
        Err(_) => None,
    };
    let mut written = tempfile::Builder::new()
        .prefix(".loquat.")
        .suffix(".toml")
        .tempfile_in(folder)?;
    written.write_all(text.as_bytes())?;
    if let Some(permissions) = permissions {
        written.as_file().set_permissions(permissions)?;
    }
    written.as_file().sync_all()?;
    Ok(written)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "# mine\n[voice] # how it speaks\nespeak = \"auto\"\n# quick\nwords_per_minute = 200 # best\n\n[bus]\nport = 1 # odd\n";

    #[test]
    fn a_change_is_taken_back_whole() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("loquat.toml");
        let changed = |before: Option<&str>| {
            std::fs::write(&file, "changed").unwrap();
            let (file, before) = (file.clone(), before.map(str::to_owned));
            Amended { file, before }.take_back().unwrap();
        };
        changed(Some(FILE));
        assert_eq!(read(&file).unwrap().as_deref(), Some(FILE));
        changed(None);
        assert_eq!(read(&file).unwrap(), None);
    }

    #[test]
    fn comments_and_order_are_kept() {
        let changed = edited(FILE, "voice.words_per_minute", Some(150.into())).unwrap();
        assert_eq!(changed, FILE.replace("200", "150"));
        let removed = edited(FILE, "voice.words_per_minute", None).unwrap();
        assert!(!removed.contains("words_per_minute"), "{removed}");
        assert!(
            removed.starts_with("# mine\n[voice] # how it speaks\nespeak = \"auto\"\n"),
            "{removed}"
        );
        assert!(removed.ends_with("[bus]\nport = 1 # odd\n"), "{removed}");
        let added = edited(FILE, "local_brain.model", Some("auto".into())).unwrap();
        assert_eq!(added, format!("{FILE}\n[local_brain]\nmodel = \"auto\"\n"));
        assert!(edited("[bus\n", "bus.port", None).is_err());
    }
}
