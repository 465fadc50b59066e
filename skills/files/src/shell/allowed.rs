//! Which programs a persona allows, compared word by word, and where programs are looked for. Starts none.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use super::ID;
use super::command::words;
use loquat_kit::settings::ToolboxSettingsError;

/// The only folders of programs.
pub(super) const PROGRAMS: [&str; 3] = ["/usr/local/bin", "/usr/bin", "/bin"];

/// The first words of commands that may be run; all may where there are none, as with OVOS.
#[derive(Debug)]
pub(super) struct Allowed(Vec<Vec<String>>);

/// Why a program is not run.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum NotAllowed {
    #[error("command: '{0}' is no name of a program; write it without a folder")]
    NoName(String),
    #[error("command: '{command}' is not allowed; allowed are {allowed}")]
    NotListed { command: String, allowed: String },
    #[error("command: there is no program '{0}'")]
    Missing(String),
}

impl Allowed {
    pub(super) fn new(commands: &[String]) -> Result<Self, ToolboxSettingsError> {
        let words = |command: &String| {
            words(command).map_err(|error| {
                let complaint = format!("allowed_commands: '{command}': {error}");
                ToolboxSettingsError::value(ID, complaint)
            })
        };
        commands.iter().map(words).collect::<Result<_, _>>().map(Self)
    }

    /// The file of a command's program, if the command may be run.
    pub(super) fn program(&self, command: &[String]) -> Result<PathBuf, NotAllowed> {
        let name = command.first().map(String::as_str).unwrap_or_default();
        if name.is_empty() || name.starts_with('.') || name.contains('/') {
            return Err(NotAllowed::NoName(name.to_owned()));
        }
        if !self.0.is_empty() && !self.0.iter().any(|allowed| command.starts_with(allowed)) {
            let allowed: Vec<String> = self.0.iter().map(|words| words.join(" ")).collect();
            return Err(NotAllowed::NotListed {
                command: command.join(" "),
                allowed: allowed.join(", "),
            });
        }
        let files = PROGRAMS.iter().map(|folder| Path::new(folder).join(name));
        let mut programs = files.filter(|file| is_program(file));
        programs
            .next()
            .ok_or_else(|| NotAllowed::Missing(name.to_owned()))
    }
}

fn is_program(file: &Path) -> bool {
    file.metadata()
        .is_ok_and(|about| about.is_file() && about.permissions().mode() & 0o111 != 0)
}
