//! What is set for the local brain.

use std::path::PathBuf;
use std::time::Duration;

use super::confinement::Sandbox;
use crate::settings::Timeouts;

/// A small model that has lost the thread writes until its window is full, which takes minutes on a small board. No answer
/// that is spoken and no step comes near this.
const LONGEST_REPLY: u32 = 1024;

/// Which tokens a worker reads before it is their turn; all that it can, by default.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ahead {
    /// Those that a request guesses of its reply.
    pub guessed: bool,
    /// Those that the schema of a reply leaves no choice of.
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

/// One GGUF model served by a worker process of ours.
#[derive(Debug, Clone)]
pub struct LocalBrainSettings {
    /// The worker's program, `loquat-local-brain`.
    pub program: PathBuf,
    /// The model file.
    pub model: PathBuf,
    /// What `loquat models fetch` calls the model; absent when it does not know it. Its name is then the file's stem.
    pub model_name: Option<String>,
    /// Where the socket is made; created for the owner only when missing.
    pub socket_folder: PathBuf,
    /// The model is a small one, see [`Capabilities::small`](loquat_agent::brain::Capabilities::small). All are that
    /// fit beside the rest into a small device.
    pub small: bool,
    /// See [`Capabilities::acts_at_once`](loquat_agent::brain::Capabilities::acts_at_once).
    pub acts_at_once: bool,
    /// The model's window, in tokens; the worker's own choice when absent.
    pub context_tokens: Option<u32>,
    /// How many conversations are kept beside the one in the window; the worker's own choice when absent.
    pub earlier_conversations: Option<u16>,
    /// Which tokens it reads before it is their turn.
    pub ahead: Ahead,
    /// The folder in which instructions that were read are kept for the next start; absent: nowhere.
    pub instructions: Option<PathBuf>,
    /// Threads that generate; the worker's own choice when absent.
    pub threads: Option<u32>,
    /// How far it gives its rights up.
    pub sandbox: Sandbox,
    /// All that the worker finds in its environment.
    pub environment: Vec<(String, String)>,
    /// The worker is stopped when it was not asked for this long; zero lets it run.
    pub idle_stop: Duration,
    /// The worker is given up when the model is not loaded after this long.
    pub start_timeout: Duration,
    /// How long a worker that was asked to end may take before it is killed.
    pub stop_grace: Duration,
    /// Upper bound of a reply, in tokens.
    pub max_tokens: Option<u32>,
    /// 0.0 is greedy.
    pub temperature: Option<f32>,
    /// Nucleus sampling.
    pub top_p: Option<f32>,
    /// How long each wait for a running worker may last.
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

    /// What `loquat models` and the logs call the model.
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
