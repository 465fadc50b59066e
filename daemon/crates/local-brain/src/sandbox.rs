//! What this process gives up before it reads the model: files, rights, system calls, resources. A model file that takes llama.cpp
//! over then has neither a network nor other programs, and no file but its own. Never undone, and never part of a request.

mod calls;
mod files;
mod limits;

use std::fmt::Display;
use std::path::Path;

use loquat_sandbox::rights;
use serde::Serialize;

/// How far this process is to be confined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Sandbox {
    /// Entirely, or the program ends.
    Required,
    /// As far as the kernel can.
    BestEffort,
    /// Not at all.
    Off,
}

/// What the process works with from now on.
#[derive(Debug)]
pub(crate) struct Needs<'a> {
    /// To be read.
    pub(crate) model: &'a Path,
    /// To be read and written, if it is used at all. Made when it is missing.
    pub(crate) instructions: Option<&'a Path>,
    /// Whose files may be removed: the folder of the socket.
    pub(crate) socket_folder: &'a Path,
    /// The window in tokens, from which the size of the largest file follows.
    pub(crate) context: u32,
}

/// What came of it, in words for a person.
#[derive(Debug, Default, Clone, Serialize)]
pub(crate) struct Confinement {
    /// What holds the process.
    pub(crate) held_by: Vec<String>,
    /// What does not, and why.
    pub(crate) lacks: Vec<String>,
}

/// The process is not confined although it has to be.
#[derive(Debug, thiserror::Error)]
#[error("failed to enter the sandbox: {0}; set local_brain.sandbox = \"best-effort\" to go on without")]
pub(crate) struct SandboxError(String);

/// Confines this thread and all that it starts from now on, so it belongs before the first of them.
///
/// # Errors
/// When it is required and the kernel does not do it.
pub(crate) fn enter(sandbox: Sandbox, needs: &Needs<'_>) -> Result<Confinement, SandboxError> {
    let mut confinement = Confinement::default();
    if sandbox == Sandbox::Off {
        confinement.lacks.push("it is switched off".to_owned());
        return Ok(confinement);
    }
    confinement.note("limits of resources", limits::restrict(needs.context));
    match files::restrict(needs) {
        Ok(version) => confinement
            .held_by
            .push(format!("files (Landlock {version}, its own only)")),
        Err(error) => confinement.lacks.push(format!("files: {error}")),
    }
    confinement.note("rights (no capabilities)", rights::give_up());
    // Last, since the others need system calls that are gone then.
    confinement.note(
        "system calls (seccomp, no network, no programs)",
        calls::restrict(),
    );
    if sandbox == Sandbox::Required && !confinement.lacks.is_empty() {
        return Err(SandboxError(confinement.lacks.join("; ")));
    }
    Ok(confinement)
}

impl Confinement {
    fn note(&mut self, what: &str, outcome: Result<(), impl Display>) {
        match outcome {
            Ok(()) => self.held_by.push(what.to_owned()),
            Err(error) => self.lacks.push(format!("{what}: {error}")),
        }
    }
}
