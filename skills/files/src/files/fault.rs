//! What can be wrong with a request for files, told so that a brain can mend it. Tells nothing of what lies outside.

use loquat_agent::toolbox::ToolError;
use rustix::io::Errno;

/// Why files are not given.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Fault {
    /// The folder of the toolbox cannot be used.
    #[error("the folder of files, {folder}, cannot be opened: {error}; make it, or set root_path to another")]
    NoRoot { folder: String, error: Errno },
    /// An argument cannot be what it is.
    #[error("{argument}: {fault}")]
    Argument { argument: &'static str, fault: String },
    /// A path leads out of the folder.
    #[error("path: '{0}' is outside of the folder of files; write a path within it, such as notes/plan.txt")]
    Outside(String),
    #[error("path: there is no '{0}'; look with list_directory or find_files")]
    Missing(String),
    #[error("path: '{0}' may mean {1}; write one of them")]
    Ambiguous(String, String),
    #[error("path: '{0}' is no file of text; it is a folder, a device or a link")]
    NoFile(String),
    #[error("path: '{0}' is no folder")]
    NoFolder(String),
    #[error("path: '{0}' holds no text, and this tool reads nothing else")]
    NoText(String),
    #[error("this kernel cannot keep a path within a folder; it needs Linux 5.6 or newer")]
    OldKernel,
    #[error("path: '{path}': {error}")]
    System { path: String, error: Errno },
}

impl Fault {
    pub(crate) fn argument(argument: &'static str, fault: impl Into<String>) -> Self {
        let fault = fault.into();
        Self::Argument { argument, fault }
    }

    /// What the kernel says of a path.
    pub(crate) fn of(path: &str, error: Errno) -> Self {
        let path = path.to_owned();
        match error {
            // Beneath an open folder this is a link or a mount that leads out, or one that leads round in circles.
            Errno::XDEV | Errno::LOOP => Self::Outside(path),
            Errno::NOENT => Self::Missing(path),
            Errno::NOTDIR => Self::NoFolder(path),
            // A socket, or a device without a driver.
            Errno::NXIO | Errno::NODEV | Errno::ISDIR => Self::NoFile(path),
            Errno::NOSYS => Self::OldKernel,
            error => Self::System { path, error },
        }
    }

    fn class(&self) -> &'static str {
        match self {
            Self::Argument { .. } | Self::Ambiguous(..) => "ValueError",
            Self::Outside(_) => "PermissionError",
            Self::Missing(_) => "FileNotFoundError",
            Self::NoText(_) => "UnicodeDecodeError",
            Self::NoRoot { .. }
            | Self::NoFile(_)
            | Self::NoFolder(_)
            | Self::OldKernel
            | Self::System { .. } => "OSError",
        }
    }
}

impl From<Fault> for ToolError {
    fn from(fault: Fault) -> Self {
        Self::reply(fault.class(), fault.to_string())
    }
}
