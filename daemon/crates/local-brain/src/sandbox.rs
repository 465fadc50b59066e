//! What this process gives up before it reads the model: files, rights, system calls, resources. A model file that takes llama.cpp
//! over then has neither a network nor other programs, and no file but its own. Never undone, and never part of a request.

mod calls;
mod files;
mod limits;

use std::fmt::Display;
use std::path::Path;

use loquat_sandbox::rights;
use serde::Serialize;

/// Says how far this process is to be confined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Sandbox {
    /// Entirely, or the program ends.
    Required,
    /// The process is confined as far as the kernel can.
    BestEffort,
    /// The process is not confined.
    Off,
}

/// The things that the process still has to reach.
#[derive(Debug)]
pub(crate) struct Needs<'a> {
    /// The model's file, which is read.
    pub(crate) model: &'a Path,
    /// The folder of instructions, which is read and written; absent where none are kept. It is made when it is
    /// missing.
    pub(crate) instructions: Option<&'a Path>,
    /// The folder of the socket, whose files may be removed.
    pub(crate) socket_folder: &'a Path,
    /// The window in tokens, from which the size of the largest file follows.
    pub(crate) context: u32,
}

/// The outcome of confining, in words for a person.
#[derive(Debug, Default, Clone, Serialize)]
pub(crate) struct Confinement {
    /// Names what holds the process.
    pub(crate) held_by: Vec<String>,
    /// Names what does not, and why.
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
