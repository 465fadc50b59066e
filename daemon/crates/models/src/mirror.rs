//! A mirror of the model hub: a folder or a web server laid out like it.
//!
//! Says only where a file would be; whether it is there, and the right one, shows when it is fetched.

use std::fmt;
use std::path::PathBuf;

use super::catalogue::Hub;

/// A mirror: a folder or a web server with files at `OWNER/REPO/resolve/REVISION/FILE`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Mirror {
    /// It is a folder of this machine, such as a mounted disk.
    Folder(PathBuf),
    /// An address that begins with `http://` or `https://`.
    Server(String),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Source {
    File(PathBuf),
    Address(String),
}

impl Mirror {
    /// A server if the text is the address of one, else a folder.
    pub fn new(text: &str) -> Self {
        if ["http://", "https://"]
            .iter()
            .any(|scheme| text.starts_with(scheme))
        {
            Self::Server(text.trim_end_matches('/').to_owned())
        } else {
            Self::Folder(PathBuf::from(text))
        }
    }

    pub(super) fn source(&self, hub: &Hub) -> Source {
        match self {
            Self::Folder(folder) => Source::File(folder.join(&hub.path)),
            Self::Server(address) => Source::Address(format!("{address}/{}", hub.path)),
        }
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => path.display().fmt(f),
            Self::Address(address) => f.write_str(address),
        }
    }
}
