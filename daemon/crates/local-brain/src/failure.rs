//! The ways this program can end unwell, and the exit code of each. Never more than one line for the person.

use std::io::Write as _;
use std::process::ExitCode;

use crate::model::LoadError;
use crate::sandbox::SandboxError;
use crate::socket::BindError;

/// Says why the program ends unwell.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// The command line is wrong.
    #[error("failed to understand the command line: {0}; see loquat-local-brain --help")]
    Usage(String),
    /// No client could be served.
    #[error(transparent)]
    Socket(#[from] BindError),
    /// The kernel does not confine the program as is required.
    #[error(transparent)]
    Sandbox(#[from] SandboxError),
    /// There is no model to serve.
    #[error(transparent)]
    Model(#[from] LoadError),
    /// The system gave no thread, no signal handler or no event loop.
    #[error("failed to start: {0}")]
    System(#[from] std::io::Error),
    /// The thread that owns the model is gone.
    #[error("failed to go on: the thread that owns the model ended; start loquat-local-brain again")]
    ModelThread,
}

impl Failure {
    /// Writes the one line and gives the exit code, as `sysexits.h` numbers them.
    pub(crate) fn report(&self) -> ExitCode {
        let text = self.to_string().replace('\n', " ");
        // Nothing can be told when standard error is gone; the exit code remains.
        writeln!(std::io::stderr(), "error: {text}").ok();
        ExitCode::from(match self {
            Self::Usage(_) => 64,
            Self::Socket(_) => 69,
            Self::Sandbox(_) => 77,
            Self::Model(_) => 78,
            Self::System(_) | Self::ModelThread => 70,
        })
    }
}
