//! Where a key is kept and how it is fetched. A secret never comes from a command line and never reaches a log.

use std::fs::OpenOptions;
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use loquat_failure::with_causes;
use rustix::fs::OFlags;
use secrecy::SecretString;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::complaint::{Complaint, Origin};
use crate::environment::Environment;
use crate::folders::Folders;

/// Keys are short; a file larger than this is another one.
const LARGEST_SECRET_BYTES: u64 = 64 << 10;

/// A secret, or the place where it is kept. `Debug` shows the place, never the secret.
#[derive(Debug, Clone)]
pub enum Secret {
    /// It is the first line of a file.
    File(PathBuf),
    /// It is a systemd credential (`LoadCredential=`).
    Credential(String),
    /// Written into the persona file itself, as OVOS does.
    Inline(SecretString),
}

/// Says why a secret could not be fetched.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SecretError {
    /// The file cannot be read.
    #[error("failed to read the key from {path}")]
    Unreadable {
        /// The file is here.
        path: PathBuf,
        /// The operating system says this.
        #[source]
        source: std::io::Error,
    },
    /// Reading it could wait for ever, or have an effect.
    #[error("failed to read the key from {path}: it is no regular file; name one that holds the key")]
    NoFile {
        /// The file is here.
        path: PathBuf,
    },
    /// The file is larger than any key.
    #[error("failed to read the key from {path}: it holds more than {} KiB, which no key does; name another file", LARGEST_SECRET_BYTES >> 10)]
    TooLarge {
        /// The file is here.
        path: PathBuf,
    },
    /// The file is no text.
    #[error("failed to read the key from {path}: it is not UTF-8 text")]
    NotText {
        /// The file is here.
        path: PathBuf,
    },
    /// The file holds nothing, or far too much.
    #[error("failed to read the key from {path}: it must hold the key in its first line and nothing else")]
    NotAKey {
        /// The file is here.
        path: PathBuf,
    },
    /// systemd passed no credentials.
    #[error(
        "failed to read the credential {name}: systemd passed none; add LoadCredential={name}:FILE to the unit"
    )]
    NoCredentials {
        /// The name of the credential.
        name: String,
    },
}

impl Secret {
    /// Reads the setting: a text is the secret itself, `{"file": path}` and `{"credential": name}` say where it is.
    /// `None` when it is neither.
    pub fn from_setting(value: &Value, environment: &Environment) -> Option<Self> {
        if let Value::String(text) = value {
            return Some(Self::Inline(SecretString::from(text.as_str())));
        }
        let object = value.as_object().filter(|object| object.len() == 1)?;
        let (place, name) = object.iter().next()?;
        let name = name.as_str().filter(|name| !name.is_empty())?;
        match place.as_str() {
            "file" => Some(Self::File(environment.expand_home(Path::new(name)))),
            // A name with a slash would leave the folder of credentials.
            "credential" if !name.contains('/') => Some(Self::Credential(name.to_owned())),
            _ => None,
        }
    }

    /// Fetches the secret. Blocks for one small file.
    pub fn fetch(&self, folders: &Folders) -> Result<SecretString, SecretError> {
        match self {
            Self::Inline(secret) => Ok(secret.clone()),
            Self::File(path) => read(path),
            Self::Credential(name) => match &folders.credentials {
                Some(folder) => read(&folder.join(name)),
                None => Err(SecretError::NoCredentials { name: name.clone() }),
            },
        }
    }

    /// Complains of a place that is careless, or plainly wrong, for a secret. `kept_in` is the place of the setting.
    pub fn remark(&self, kept_in: &Origin) -> Option<Complaint> {
        match (self, kept_in) {
            (Self::File(path), _) => remark_on_file(path),
            (Self::Inline(_), Origin::File { path, .. }) => Some(remark_on_inline(path)),
            (Self::Inline(_) | Self::Credential(_), _) => None,
        }
    }
}

/// The place of a secret. It stands in no settings file itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum KeptIn {
    /// The secret is the first line of this file.
    File(String),
    /// The secret is this credential of systemd.
    Credential(String),
}

impl KeptIn {
    /// Fetches the secret, or says why it cannot be had. Blocks for one small file.
    pub fn fetch(&self, folders: &Folders, environment: &Environment) -> Result<SecretString, String> {
        let secret = match self {
            Self::File(path) => Secret::File(environment.expand_home(Path::new(path))),
            Self::Credential(name) if name.contains('/') => {
                return Err(format!("{name} is no name of a credential"));
            }
            Self::Credential(name) => Secret::Credential(name.clone()),
        };
        secret.fetch(folders).map_err(|error| with_causes(&error))
    }
}

fn remark_on_file(path: &Path) -> Option<Complaint> {
    let text = match std::fs::metadata(path) {
        Err(error) => format!("should hold a key and cannot be read: {error}"),
        Ok(file) if others_can_read(&file) => {
            "holds a key and can be read by others; chmod 600 it".to_owned()
        }
        Ok(_) => return None,
    };
    Some(Complaint::warning(Origin::file(path), text))
}

fn remark_on_inline(path: &Path) -> Complaint {
    let text = match std::fs::metadata(path) {
        Ok(file) if others_can_read(&file) => {
            "holds a key and can be read by others; chmod 600 it, or keep the key in a file of its own and write \
             {\"file\": \"PATH\"} in its place"
        }
        _ => "holds a key; it is safer in a file of its own, with {\"file\": \"PATH\"} in its place",
    };
    Complaint::warning(Origin::file(path), text)
}

fn others_can_read(file: &std::fs::Metadata) -> bool {
    file.permissions().mode() & 0o044 != 0
}

fn read(path: &Path) -> Result<SecretString, SecretError> {
    use std::io::Read;

    let unreadable = |source| SecretError::Unreadable {
        path: path.to_owned(),
        source,
    };
    // A device is not even opened, and a named pipe that takes the file's place meanwhile does not block.
    if !std::fs::metadata(path).map_err(unreadable)?.is_file() {
        return Err(SecretError::NoFile {
            path: path.to_owned(),
        });
    }
    let file = OpenOptions::new()
        .read(true)
        .custom_flags(OFlags::NONBLOCK.bits().cast_signed())
        .open(path)
        .map_err(unreadable)?;
    let found = file.metadata().map_err(unreadable)?;
    if !found.is_file() {
        return Err(SecretError::NoFile {
            path: path.to_owned(),
        });
    }
    if found.len() > LARGEST_SECRET_BYTES {
        return Err(SecretError::TooLarge {
            path: path.to_owned(),
        });
    }
    let mut bytes = Vec::new();
    file.take(LARGEST_SECRET_BYTES)
        .read_to_end(&mut bytes)
        .map_err(unreadable)?;
    let text = String::from_utf8(bytes).map_err(|_| SecretError::NotText {
        path: path.to_owned(),
    })?;
    let key = text.trim();
    if key.is_empty() || key.contains('\n') {
        return Err(SecretError::NotAKey {
            path: path.to_owned(),
        });
    }
    Ok(SecretString::from(key))
}
