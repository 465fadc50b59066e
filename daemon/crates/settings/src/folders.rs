//! Where things are kept on this machine.

use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use crate::complaint::{Complaint, Origin};
use crate::environment::Environment;

/// The folders of this program. None of them is created here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Folders {
    /// The person's `loquat.toml` and what belongs to it; absent for a service without a home.
    pub config: Option<PathBuf>,
    /// Holds the machine's `loquat.toml`, drop-ins and personas.
    pub system_config: PathBuf,
    /// History, journal and whatever has to survive a restart.
    pub state: PathBuf,
    /// Models are kept here.
    pub models: PathBuf,
    /// A package of Loquat puts here what belongs among the models; the first folder counts first.
    pub carried: Vec<PathBuf>,
    /// Sockets and other things that end with the session. Of mode 0700 once created.
    pub runtime: PathBuf,
    /// systemd passed its credentials here, or none.
    pub credentials: Option<PathBuf>,
}

impl Folders {
    /// Finds them: what systemd says, else the XDG folders, else a folder of the user's own under `/tmp`. Models may have
    /// one that the settings name.
    pub fn find(environment: &Environment, models: Option<&Path>) -> Self {
        let runtime = environment
            .first_path("RUNTIME_DIRECTORY")
            .or_else(|| Some(environment.path("XDG_RUNTIME_DIR")?.join("loquat")))
            .unwrap_or_else(|| shared(environment));
        let state = environment
            .first_path("STATE_DIRECTORY")
            .or_else(|| Some(environment.state_home()?.join("loquat")))
            .unwrap_or_else(|| runtime.join("state"));
        let named = models.map(|folder| environment.expand_home(folder));
        Self {
            config: environment.config_home().map(|home| home.join("loquat")),
            system_config: environment.system_path("etc/loquat"),
            models: named
                .or_else(|| Some(environment.data_home()?.join("loquat/models")))
                .unwrap_or_else(|| state.join("models")),
            carried: carried(environment),
            state,
            runtime,
            credentials: environment.path("CREDENTIALS_DIRECTORY"),
        }
    }

    /// Complains of the folder under `/tmp`, where it is used and there already. Everybody may make folders there, so
    /// one of another user, one that others may enter and a link are refused.
    pub fn complaint(&self, environment: &Environment) -> Option<Complaint> {
        let folder = shared(environment);
        if self.runtime != folder && !self.state.starts_with(&folder) {
            return None;
        }
        let owner = environment.user_id();
        let wrong = match std::fs::symlink_metadata(&folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return None,
            Err(error) => format!("cannot be looked at: {error}"),
            Ok(found) if found.is_symlink() => "is a symbolic link".to_owned(),
            Ok(found) if !found.is_dir() => "is no folder".to_owned(),
            Ok(found) if found.uid() != owner => {
                format!("belongs to user {} and not to user {owner}", found.uid())
            }
            Ok(found) if found.permissions().mode() & 0o077 != 0 => {
                format!(
                    "can be entered by others (mode {:04o})",
                    found.permissions().mode() & 0o7777
                )
            }
            Ok(_) => return None,
        };
        let text = format!(
            "{wrong}; remove it, or set XDG_RUNTIME_DIR and XDG_STATE_HOME to folders that only you may enter"
        );
        Some(Complaint::refusal(Origin::file(folder), text))
    }
}

/// Lists the folder of the archive for one person, then that of the machine's package.
fn carried(environment: &Environment) -> Vec<PathBuf> {
    let own = environment.data_home().map(|home| home.join("loquat"));
    let packaged = environment.system_path("usr/share/loquat");
    own.into_iter().chain([packaged]).collect()
}

/// Gives the folder of last resort, which is a temporary one of this user.
fn shared(environment: &Environment) -> PathBuf {
    environment.system_path(format!("tmp/loquat-{}", environment.user_id()))
}
