//! Where things are kept on this machine.

use std::path::PathBuf;

use crate::settings::environment::Environment;
use crate::settings::sections::Models;

/// The folders. None of them is created here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Folders {
    /// The person's `loquat.toml` and what belongs to it; absent for a service without a home.
    pub config: Option<PathBuf>,
    /// The machine's `loquat.toml`, drop-ins and personas.
    pub system_config: PathBuf,
    /// History, journal and whatever has to survive a restart.
    pub state: PathBuf,
    /// Models.
    pub models: PathBuf,
    /// Sockets and other things that end with the session. Of mode 0700 once created.
    pub runtime: PathBuf,
    /// Where systemd has put credentials.
    pub credentials: Option<PathBuf>,
}

impl Folders {
    /// Finds them: what systemd says, else the XDG folders, else a folder of the user's own under `/tmp`.
    pub fn find(environment: &Environment, models: &Models) -> Self {
        let runtime = environment
            .first_path("RUNTIME_DIRECTORY")
            .or_else(|| Some(environment.path("XDG_RUNTIME_DIR")?.join("loquat")))
            .unwrap_or_else(|| environment.system_path(format!("tmp/loquat-{}", environment.user_id())));
        let state = environment
            .first_path("STATE_DIRECTORY")
            .or_else(|| Some(environment.state_home()?.join("loquat")))
            .unwrap_or_else(|| runtime.join("state"));
        let named = models
            .folder
            .as_ref()
            .map(|folder| environment.expand_home(folder));
        Self {
            config: environment.config_home().map(|home| home.join("loquat")),
            system_config: environment.system_path("etc/loquat"),
            models: named
                .or_else(|| Some(environment.data_home()?.join("loquat/models")))
                .unwrap_or_else(|| state.join("models")),
            state,
            runtime,
            credentials: environment.path("CREDENTIALS_DIRECTORY"),
        }
    }
}
