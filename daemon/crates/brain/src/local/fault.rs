//! Why the worker is not there: what is missing or broken, and what to do about it.

use std::io;
use std::path::Path;
use std::process::ExitStatus;
use std::time::Duration;

use loquat_conversation::brain::BrainError;

use super::settings::LocalBrainSettings;

/// The worker cannot use its model (`EX_CONFIG` of sysexits).
const EXIT_MODEL: i32 = 78;

/// The worker cannot have its socket (`EX_UNAVAILABLE` of sysexits).
const EXIT_SOCKET: i32 = 69;

/// The kernel does not confine the worker, and the settings require it (`EX_NOPERM` of sysexits).
const EXIT_SANDBOX: i32 = 77;

/// The kernel's own way to end a process when memory runs out.
const SIGKILL: i32 = 9;

/// A worker that could not be started, or that died.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct StartFault {
    pub(crate) reason: String,
    /// It may pass by itself, so that the next start has to wait a little; else the next question tries again at once,
    /// since it may have been mended meanwhile and trying costs next to nothing.
    pub(crate) is_crash: bool,
}

impl StartFault {
    fn lasting(reason: String) -> Self {
        Self {
            reason,
            is_crash: false,
        }
    }

    fn crash(reason: String) -> Self {
        Self {
            reason,
            is_crash: true,
        }
    }

    /// The daemon is going down.
    pub(crate) fn shut_down() -> Self {
        Self::lasting("it is shut down".to_owned())
    }

    /// The model cannot be read.
    pub(crate) fn model_unreadable(settings: &LocalBrainSettings, error: &io::Error) -> Self {
        let model = settings.model.display();
        Self::lasting(if error.kind() == io::ErrorKind::NotFound {
            let mend = match &settings.model_name {
                Some(name) => format!("fetch it with `loquat models fetch {name}`"),
                None => "put it there, or set local_brain.model to one of `loquat models list`".to_owned(),
            };
            format!("the model file {model} is missing; {mend}")
        } else {
            format!(
                "the model file {model} cannot be read: {error}; make it readable for the user that loquat runs as"
            )
        })
    }

    /// The file is no model, or not all of one.
    pub(crate) fn model_unusable(settings: &LocalBrainSettings, detail: &str) -> Self {
        let model = settings.model.display().to_string();
        // The worker names the file and a mend too; once is enough.
        let detail = detail
            .rsplit_once(&format!("{model}: "))
            .map_or(detail, |(_, detail)| detail);
        let detail = detail.split("; ").next().unwrap_or(detail);
        if detail.contains("unknown model architecture") || detail.contains("unknown pre-tokenizer") {
            return Self::lasting(format!(
                "the model file {model} is of a kind that this version of Loquat cannot run ({detail}); choose another of \
                 `loquat models list`, or a newer version"
            ));
        }
        let mend = match &settings.model_name {
            Some(name) => format!("remove it and fetch it again with `loquat models fetch {name}`"),
            None => {
                "put a whole one there, or set local_brain.model to one of `loquat models list`".to_owned()
            }
        };
        Self::lasting(format!(
            "the model file {model} is truncated or no GGUF model ({detail}); {mend}"
        ))
    }

    /// The program cannot be run.
    pub(crate) fn program(settings: &LocalBrainSettings, error: &io::Error) -> Self {
        let program = settings.program.display();
        Self::lasting(match error.kind() {
            io::ErrorKind::NotFound => {
                format!("the program {program} is missing; install loquat-local-brain beside loquat")
            }
            io::ErrorKind::PermissionDenied => {
                format!("the program {program} may not be run; make it executable")
            }
            _ => format!("the program {program} cannot be run: {error}"),
        })
    }

    /// There is no place for the socket.
    pub(crate) fn socket_folder(folder: &Path, error: &io::Error) -> Self {
        let folder = folder.display();
        Self::lasting(format!(
            "the folder {folder} for its socket cannot be made: {error}; let loquat write there"
        ))
    }

    /// The path does not fit into an address.
    pub(crate) fn socket_path(socket: &Path) -> Self {
        let socket = socket.display();
        Self::lasting(format!(
            "the path of its socket {socket} is too long for a Unix socket; choose a shorter folder"
        ))
    }

    /// The HTTP client cannot be made.
    pub(crate) fn client(error: &dyn std::error::Error) -> Self {
        Self::lasting(format!("its client cannot be made: {error}"))
    }

    pub(crate) fn too_slow(settings: &LocalBrainSettings, limit: Duration) -> Self {
        let model = settings.model.display();
        Self::crash(format!(
            "the model {model} was not loaded within {limit:?}; choose a smaller model or allow it more time to start"
        ))
    }

    /// It serves no more, though it runs.
    pub(crate) fn silent() -> Self {
        Self::crash("it stopped answering and is started anew for the next question".to_owned())
    }

    /// Starting is put off.
    pub(crate) fn later(reason: &str, pause: Duration) -> Self {
        let seconds = pause.as_secs().max(1);
        Self::lasting(format!(
            "{reason}; it is started again in {seconds} s at the earliest"
        ))
    }

    pub(crate) fn ended(settings: &LocalBrainSettings, status: ExitStatus, complaint: Option<&str>) -> Self {
        use std::os::unix::process::ExitStatusExt;

        let words = complaint.unwrap_or("it did not say why");
        match (status.code(), status.signal()) {
            (Some(EXIT_MODEL), _) => Self::model_unusable(settings, words),
            (Some(EXIT_SOCKET), _) => Self::lasting(format!(
                "its socket in {} cannot be had: {words}",
                settings.socket_folder.display()
            )),
            (Some(EXIT_SANDBOX), _) => Self::lasting(words.to_owned()),
            (_, Some(SIGKILL)) => Self::crash(
                "its process was killed; if the machine ran out of memory, choose a smaller model".to_owned(),
            ),
            (_, Some(signal)) => Self::crash(format!("its process died of signal {signal}: {words}")),
            (Some(code), _) => Self::crash(format!("its process ended with code {code}: {words}")),
            (None, None) => Self::crash(format!("its process ended: {words}")),
        }
    }
}

impl From<StartFault> for BrainError {
    fn from(fault: StartFault) -> Self {
        Self::NotStarted { reason: fault.reason }
    }
}
