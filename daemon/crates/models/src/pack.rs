//! A pack: the sentences of many languages in one file, a wheel of `home-assistant-intents` as it was downloaded.
//!
//! Gives the texts of its members and knows nothing of what they say. A file that is damaged, too large or another one is
//! told of with its name; none can make a reader panic or hold more memory than the bounds say.

mod error;
mod likeness;

use std::fmt;
use std::fs::File;
use std::io::{Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use sha2::{Digest, Sha256};
use zip::ZipArchive;
use zip::result::ZipError;

pub use self::error::PackError;
use super::catalogue::Model;
use super::checksum;

/// A file has at most this many bytes. The packs of 2026 have under 1 MB.
pub(super) const LARGEST_FILE: u64 = 32 << 20;

/// The most bytes of a member when it is unpacked; the largest of 2026 have a third of 1 MB.
pub(super) const LARGEST_MEMBER: u64 = 8 << 20;

/// The folder of the wheel in which all is.
const ROOT: &str = "home_assistant_intents";

/// An open pack. It holds its file in memory, so that a file that is replaced meanwhile does no harm; one that has been
/// read is better dropped.
#[derive(Clone)]
pub struct Pack {
    path: PathBuf,
    archive: ZipArchive<Cursor<Arc<[u8]>>>,
    languages: Vec<String>,
}

impl Pack {
    /// Opens a pack of any version, as a person may name one. Blocks for as long as it takes to read the file.
    pub fn open(path: &Path) -> Result<Self, PackError> {
        Self::of_bytes(path, bytes_of(path)?)
    }

    /// Opens the pack of the catalogue at this path, and refuses one with another checksum.
    pub fn open_known(path: &Path, model: &Model) -> Result<Self, PackError> {
        let bytes = bytes_of(path)?;
        let found = checksum::shown(Sha256::new_with_prefix(&bytes));
        if !model.hub.knows(&found) {
            return Err(PackError::Unknown {
                path: path.to_owned(),
                name: model.name.clone(),
                found,
            });
        }
        Self::of_bytes(path, bytes)
    }

    fn of_bytes(path: &Path, bytes: Vec<u8>) -> Result<Self, PackError> {
        let archive = ZipArchive::new(Cursor::new(Arc::from(bytes)));
        let archive = archive.map_err(|source| PackError::Damaged {
            path: path.to_owned(),
            source: source.into(),
        })?;
        let mut languages: Vec<String> = archive.file_names_raw().filter_map(language_of).collect();
        languages.sort_unstable();
        languages.dedup();
        if languages.is_empty() {
            return Err(PackError::Empty(path.to_owned()));
        }
        Ok(Self {
            path: path.to_owned(),
            archive,
            languages,
        })
    }

    /// The file it was opened from.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The languages that it has sentences of, in alphabetical order.
    pub fn languages(&self) -> &[String] {
        &self.languages
    }

    /// The language of the pack that is likest to a BCP-47 tag: `en` for `en-US`, `pt` for `pt-PT`, `nb` for `no`.
    pub fn language(&self, tag: &str) -> Option<&str> {
        likeness::likest(tag, &self.languages)
    }

    /// Reads the JSON of one of its languages.
    pub fn read(&self, language: &str) -> Result<String, PackError> {
        self.member(&format!("{ROOT}/data/{language}.json"))
    }

    /// The JSON of what the intents are: their slots, combinations and domains.
    pub fn intents(&self) -> Result<String, PackError> {
        self.member(&format!("{ROOT}/intents.json"))
    }

    /// Unpacks the text of a member, and compares its CRC-32.
    fn member(&self, name: &str) -> Result<String, PackError> {
        let failed = |source: std::io::Error| PackError::Unreadable {
            path: self.path.clone(),
            member: name.to_owned(),
            source,
        };
        // The bytes and the table of members are shared, so that a clone costs nothing.
        let mut archive = self.archive.clone();
        let member = archive.by_name(name).map_err(|error| match error {
            ZipError::FileNotFound => PackError::Absent {
                path: self.path.clone(),
                member: name.to_owned(),
            },
            error => failed(error.into()),
        })?;
        let mut bytes = Vec::new();
        // What a member says of its own size is not relied on.
        let mut bounded = member.take(LARGEST_MEMBER + 1);
        bounded.read_to_end(&mut bytes).map_err(failed)?;
        if bytes.len() as u64 > LARGEST_MEMBER {
            return Err(PackError::LargeMember {
                path: self.path.clone(),
                member: name.to_owned(),
            });
        }
        String::from_utf8(bytes).map_err(|_| failed(std::io::ErrorKind::InvalidData.into()))
    }
}

impl fmt::Debug for Pack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            path,
            archive: _,
            languages,
        } = self;
        f.debug_struct("Pack")
            .field("path", path)
            .field("languages", languages)
            .finish_non_exhaustive()
    }
}

fn bytes_of(path: &Path) -> Result<Vec<u8>, PackError> {
    let failed = |source| PackError::Read {
        path: path.to_owned(),
        source,
    };
    let mut bytes = Vec::new();
    // A pipe or a device could keep the reader waiting for ever.
    if !path.metadata().map_err(failed)?.is_file() {
        return Err(PackError::NoFile(path.to_owned()));
    }
    let mut bounded = File::open(path).map_err(failed)?.take(LARGEST_FILE + 1);
    bounded.read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() as u64 > LARGEST_FILE {
        return Err(PackError::LargeFile(path.to_owned()));
    }
    Ok(bytes)
}

/// The language of a member's name, if it holds the sentences of one.
fn language_of(name: &[u8]) -> Option<String> {
    let name = std::str::from_utf8(name).ok()?;
    let in_data = name.strip_prefix(ROOT)?.strip_prefix("/data/")?;
    let language = in_data.strip_suffix(".json")?;
    let is_tag = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
    (!language.is_empty() && language.bytes().all(is_tag)).then(|| language.to_owned())
}
