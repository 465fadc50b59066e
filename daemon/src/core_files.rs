//! Keeps the program from leaving a core file: what was said and the keys are in its memory. Never changes another limit.

use rustix::process::{Resource, Rlimit, setrlimit};

/// From now on neither this process nor one that it starts leaves a core file, whatever the shell allows.
pub(crate) fn forbid() {
    let none = Rlimit {
        current: Some(0),
        maximum: Some(0),
    };
    if let Err(error) = setrlimit(Resource::Core, none) {
        tracing::warn!(%error, "failed to forbid core files; a crash may leave what was said in one");
    }
}
