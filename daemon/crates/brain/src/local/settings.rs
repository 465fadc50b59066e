//! What is set for the local brain.

use std::path::PathBuf;
use std::time::Duration;

use super::confinement::Sandbox;
use crate::settings::Timeouts;

/// A small model that has lost the thread writes until its window is full, which takes minutes on a small board. No answer
/// that is spoken and no step comes near this.
const LONGEST_REPLY: u32 = 1024;

/// Says which tokens a worker reads before it is their turn. By default it reads all that it can.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ahead {
    /// The tokens that a request guesses of its reply are read ahead.
    pub guessed: bool,
    /// The tokens that the schema of a reply leaves no choice of are read ahead.
    pub forced: bool,
}

impl Default for Ahead {
    fn default() -> Self {
        Self {
            guessed: true,
            forced: true,
        }
    }
}

/// The settings of a worker process of ours that serves one GGUF model.
#[derive(Debug, Clone)]
pub struct LocalBrainSettings {
    /// The worker's program, `loquat-local-brain`, is here.
    pub program: PathBuf,
    /// The model file is here.
    pub model: PathBuf,
    /// The name by which `loquat models fetch` knows the model; absent when it does not. The stem of the file is its
    /// name then.
    pub model_name: Option<String>,
    /// The folder in which the socket is made. It is created for the owner only when it is missing.
    pub socket_folder: PathBuf,
    /// The model is a small one, see [`Capabilities::small`](loquat_conversation::brain::Capabilities::small). All are that
    /// fit beside the rest into a small device.
    pub small: bool,
    /// See [`Capabilities::acts_at_once`](loquat_conversation::brain::Capabilities::acts_at_once).
    pub acts_at_once: bool,
    /// The model's window in tokens; absent is the worker's own choice.
    pub context_tokens: Option<u32>,
    /// The number of conversations that are kept beside the one in the window; absent is the worker's own choice.
    pub earlier_conversations: Option<u16>,
    /// Says which tokens the worker reads before it is their turn.
    pub ahead: Ahead,
    /// The folder in which instructions that were read are kept for the next start; absent: nowhere.
    pub instructions: Option<PathBuf>,
    /// The number of threads that compute; absent is the worker's own choice.
    pub threads: Option<u32>,
    /// Says how far the worker gives its rights up.
    pub sandbox: Sandbox,
    /// All that the worker finds in its environment.
    pub environment: Vec<(String, String)>,
    /// The worker is stopped when it was not asked for this long; zero lets it run.
    pub idle_stop: Duration,
    /// The worker is given up when the model is not loaded after this long.
    pub start_timeout: Duration,
    /// A worker that was asked to end is killed after this time.
    pub stop_grace: Duration,
    /// A reply has at most this many tokens; absent is all that fits.
    pub max_tokens: Option<u32>,
    /// 0.0 is greedy.
    pub temperature: Option<f32>,
    /// It is nucleus sampling.
    pub top_p: Option<f32>,
    /// Each wait for a running worker may last this long.
    pub timeouts: Timeouts,
}

impl LocalBrainSettings {
    /// The usual settings.
    ///
    /// Ten minutes without a question give half a gigabyte back to the machine; loading takes about a second again. The
    /// waits are those of a small board that reads some twenty tokens a second, with a prompt of two thousand tokens.
    pub fn new(
        program: impl Into<PathBuf>,
        model: impl Into<PathBuf>,
        socket_folder: impl Into<PathBuf>,
    ) -> Self {
        Self {
            program: program.into(),
            model: model.into(),
            model_name: None,
            socket_folder: socket_folder.into(),
            small: true,
            acts_at_once: false,
            context_tokens: None,
            earlier_conversations: None,
            ahead: Ahead::default(),
            instructions: None,
            threads: None,
            sandbox: Sandbox::default(),
            environment: Vec::new(),
            idle_stop: Duration::from_secs(600),
            start_timeout: Duration::from_secs(60),
            stop_grace: Duration::from_secs(2),
            max_tokens: Some(LONGEST_REPLY),
            temperature: None,
            top_p: None,
            timeouts: Timeouts {
                connect: Duration::from_secs(2),
                first_token: Duration::from_secs(120),
                next_token: Duration::from_secs(30),
                whole: Duration::from_secs(300),
            },
        }
    }

    /// The name by which `loquat models` and the logs call the model.
    pub fn model_name(&self) -> String {
        self.model_name.clone().unwrap_or_else(|| {
            self.model
                .file_stem()
                .unwrap_or(self.model.as_os_str())
                .to_string_lossy()
                .into_owned()
        })
    }
}
