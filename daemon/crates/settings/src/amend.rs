//! Changes settings in the person's `loquat.toml`: comments and order are kept, and the file is replaced whole, once
//! our own check finds nothing wrong with what it would come to.
//!
//! Reads nothing again that runs; that is the work of the reload.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use toml_edit::{DocumentMut, Item, Table, value};

use super::complaint::{Complaint, Complaints, Origin};
use super::environment::Environment;
use super::layers::person_file;
use super::{Document, LoadOptions, Settings};

/// The mode of a folder that has to be made, less what the user's mask takes.
const FOLDER_RIGHTS: u32 = 0o777;

/// Says why a setting is what it was. The file is untouched then.
#[derive(Debug, thiserror::Error)]
pub enum AmendError {
    /// A stronger place has another value, so the change would not count.
    #[error("failed to change {key}: {origin} fixes it; change it there")]
    Fixed {
        /// The setting is written so.
        key: String,
        /// This place is stronger.
        origin: Origin,
    },
    /// There is no file of a person, or it cannot be written.
    #[error("failed to change {key}: {file} cannot be written; make it writable, or change it there")]
    Unwritable {
        /// The setting is written so.
        key: String,
        /// The file is here.
        file: PathBuf,
        /// The operating system says this.
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
    /// The text of the file before; absent where there was no file.
    before: Option<String>,
}

impl Amended {
    /// Gives the path of the file.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// Makes the file what it was.
    pub fn take_back(self) -> io::Result<()> {
        match self.before {
            Some(before) => replace(beside(&self.file, &before)?, &self.file),
            None => std::fs::remove_file(&self.file),
        }
    }
}

/// A key of a table, and its new value; absent leaves the key to what is weaker than the person's file.
pub type Change<'a> = (&'a str, Option<toml_edit::Value>);

/// Sets keys, or leaves them to what is weaker than the person's file: all of them, or none.
pub fn amend<Ours: Document>(
    environment: &Environment,
    options: &LoadOptions,
    changes: &[Change<'_>],
) -> Result<Amended, AmendError> {
    let unwritable = |file: &Path, source| AmendError::Unwritable {
        key: changes
            .first()
            .map_or_else(String::new, |(key, _)| (*key).to_owned()),
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
    let mut changed = changes.iter();
    let unchanged = before.clone().unwrap_or_default();
    let after = changed.try_fold(unchanged, |text, (key, to)| edited(&text, key, to.clone()));
    let after = after.map_err(|error: toml_edit::TomlError| {
        let text = format!("not valid TOML: {}", error.message().replace('\n', ", "));
        AmendError::Mistaken(Complaints(vec![Complaint::refusal(Origin::file(&file), text)]))
    })?;
    let written = beside(&file, &after).map_err(|source| unwritable(&file, source))?;
    let candidate = LoadOptions {
        config_file: Some(written.path().to_owned()),
        ..options.clone()
    };
    let (settings, complaints) = Settings::<Ours>::load_leniently(environment, &candidate);
    if complaints.refuse() {
        return Err(AmendError::Mistaken(complaints.about(written.path(), &file)));
    }
    for (key, _) in changes {
        let origin = settings.origin_of(key);
        if matches!(origin, Origin::Variable(_) | Origin::Flag(_)) {
            let key = (*key).to_owned();
            return Err(AmendError::Fixed { key, origin });
        }
    }
    replace(written, &file).map_err(|source| unwritable(&file, source))?;
    Ok(Amended { file, before })
}

fn replace(written: tempfile::NamedTempFile, file: &Path) -> io::Result<()> {
    written.persist(file).map_err(|error| error.error)?;
    file.parent().into_iter().for_each(loquat_disk::sync);
    Ok(())
}

/// Reads a file; there is nothing where there is no such file.
fn read(file: &Path) -> io::Result<Option<String>> {
    match std::fs::read_to_string(file) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        read => read.map(Some),
    }
}

/// Changes the key in the text, and nothing else.
fn edited(text: &str, key: &str, to: Option<toml_edit::Value>) -> Result<String, toml_edit::TomlError> {
    let mut document: DocumentMut = text.parse()?;
    let Some((table, name)) = key.split_once('.') else {
        return Ok(text.to_owned());
    };
    match to {
        None => {
            if let Some(without) = without_line(text, table, name) {
                return Ok(without);
            }
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

/// Takes the assignment of a key out of the text. The comment above it stays, and the one behind it has the
/// line for itself: a person's words are not ours to remove. Nothing where the key has no line of its own.
fn without_line(text: &str, table: &str, name: &str) -> Option<String> {
    let document = toml_edit::Document::parse(text).ok()?;
    let value = document.get(table)?.as_table()?.get(name)?.as_value()?;
    let span = value.span()?;
    let (before, behind) = (text.get(..span.start)?, text.get(span.end..)?);
    let begin = before.rfind('\n').map_or(0, |end| end + 1);
    let end = behind.find('\n').map_or(behind.len(), |end| end + 1);
    let (rest, below) = behind.split_at(end);
    Some(format!("{}{}{below}", text.get(..begin)?, rest.trim_start()))
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

/// Makes a file of the same rights beside the one that it is to replace.
fn beside(file: &Path, text: &str) -> io::Result<tempfile::NamedTempFile> {
    let folder = file.parent().unwrap_or(Path::new("."));
    loquat_disk::make_folder(folder, FOLDER_RIGHTS)?;
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
        let added = edited(FILE, "local_brain.model", Some("auto".into())).unwrap();
        assert_eq!(added, format!("{FILE}\n[local_brain]\nmodel = \"auto\"\n"));
        assert!(edited("[bus\n", "bus.port", None).is_err());
    }

    #[test]
    fn comments_outlive_a_key_that_is_removed() {
        for (before, after) in [
            (
                FILE,
                FILE.replace("words_per_minute = 200 # best", "# best").as_str(),
            ),
            (
                "# above\nvoice.words_per_minute = 200 # behind\nbus.port = 1\n",
                "# above\n# behind\nbus.port = 1\n",
            ),
            (
                "[voice]\r\n  # above\r\n  words_per_minute = 200\r\n# below\r\n",
                "[voice]\r\n  # above\r\n# below\r\n",
            ),
            ("[voice]\nwords_per_minute = 200", "[voice]\n"),
            ("[voice] # how it speaks\n", "[voice] # how it speaks\n"),
        ] {
            let removed = edited(before, "voice.words_per_minute", None).unwrap();
            assert_eq!(removed, after);
        }
        let inline = "voice = { espeak = \"auto\", words_per_minute = 200 } # both\n";
        let removed = edited(inline, "voice.words_per_minute", None).unwrap();
        assert!(
            removed.starts_with("voice = { espeak = \"auto\"") && removed.ends_with("} # both\n"),
            "{removed}"
        );
    }
}
