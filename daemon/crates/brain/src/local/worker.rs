//! One worker process, from its start to its end.

use std::fs::{DirBuilder, File};
use std::io::{self, Read};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::sync::Arc;
use std::time::Duration;

use tokio::process::{Child, ChildStdin, Command};
use tokio::task::JoinSet;
use tokio::time::{Instant, timeout};

use super::fault::StartFault;
use super::health::Health;
use super::last_words::LastWords;
use super::settings::LocalBrainSettings;
use crate::client::OpenAiBrain;
use crate::settings::OpenAiSettings;

/// `sun_path` of Linux holds 108 bytes, the last of them a zero.
const MAX_SOCKET_PATH: usize = 107;

/// Loading takes a second; being this much late with noticing its end does not matter.
const READY_POLL: Duration = Duration::from_millis(25);

/// A worker that is busy loading may take a moment to say so.
const READY_PATIENCE: Duration = Duration::from_secs(1);

/// The pipe of a process that ended is empty almost at once; a grandchild could hold it open for ever.
const LAST_WORDS_PATIENCE: Duration = Duration::from_millis(300);

/// Each GGUF file begins so.
const MAGIC: [u8; 4] = *b"GGUF";

/// A running worker. Dropping it kills the process.
#[derive(Debug)]
pub(crate) struct Worker {
    child: Child,
    /// The worker ends when this closes, also when we are killed.
    stdin: Option<ChildStdin>,
    pub(crate) socket: PathBuf,
    words: LastWords,
    listener: JoinSet<()>,
    health: OpenAiBrain,
    pub(crate) pid: u32,
    pub(crate) started: Instant,
}

impl Worker {
    /// Starts the process; it is loading the model when this returns.
    pub(crate) async fn start(
        settings: &Arc<LocalBrainSettings>,
        name: &str,
        generation: u64,
    ) -> Result<Self, StartFault> {
        let socket = socket_path(settings, generation)?;
        let checked = (Arc::clone(settings), socket.clone());
        tokio::task::spawn_blocking(move || check_files(&checked.0, &checked.1))
            .await
            .unwrap_or_else(|error| Err(StartFault::client(&error)))?;
        let health = client(settings, name, &socket)?;
        let mut child = command(settings, &socket)
            .spawn()
            .map_err(|error| StartFault::program(settings, &error))?;
        let words = LastWords::default();
        let mut listener = JoinSet::new();
        if let Some(stderr) = child.stderr.take() {
            listener.spawn(words.clone().listen(stderr));
        }
        Ok(Self {
            stdin: child.stdin.take(),
            pid: child.id().unwrap_or_default(),
            child,
            socket,
            words,
            listener,
            health,
            started: Instant::now(),
        })
    }

    /// Waits until the model is loaded, and gives what the worker says of itself. On failure the process is still to be
    /// retired.
    pub(crate) async fn until_ready(&mut self, settings: &LocalBrainSettings) -> Result<Health, StartFault> {
        let ready = async {
            loop {
                if let Some(health) = self.health.health(READY_PATIENCE).await {
                    return Health::read(&health);
                }
                tokio::time::sleep(READY_POLL).await;
            }
        };
        let limit = settings.start_timeout;
        tokio::select! {
            biased;
            status = self.child.wait() => Err(self.obituary(settings, status).await),
            outcome = timeout(limit, ready) => outcome.map_err(|_| StartFault::too_slow(settings, limit)),
        }
    }

    /// Waits until the process ends by itself. Cancel-safe.
    pub(crate) async fn ended(&mut self) -> io::Result<ExitStatus> {
        self.child.wait().await
    }

    /// Tells whether the process has ended, as far as the kernel knows right now.
    pub(crate) fn has_ended(&mut self) -> bool {
        !matches!(self.child.try_wait(), Ok(None))
    }

    /// Words the end of the process.
    pub(crate) async fn obituary(
        &mut self,
        settings: &LocalBrainSettings,
        status: io::Result<ExitStatus>,
    ) -> StartFault {
        let all_said = timeout(LAST_WORDS_PATIENCE, self.listener.join_next()).await;
        if all_said.is_err() {
            tracing::debug!("local brain worker left its standard error open");
        }
        match status {
            Ok(status) => StartFault::ended(settings, status, self.words.complaint().as_deref()),
            Err(error) => StartFault::client(&error),
        }
    }

    /// Asks the process to end, kills it if it does not, and removes its socket.
    pub(crate) async fn retire(mut self, grace: Duration) {
        drop(self.stdin.take());
        if timeout(grace, self.child.wait()).await.is_err() {
            tracing::debug!(pid = self.pid, "local brain worker does not end and is killed");
            if let Err(error) = self.child.kill().await {
                tracing::warn!(pid = self.pid, %error, "local brain worker cannot be killed");
            }
        }
    }
}

impl Drop for Worker {
    /// The worker removes its socket itself, unless it was killed.
    fn drop(&mut self) {
        if let Err(error) = std::fs::remove_file(&self.socket)
            && error.kind() != io::ErrorKind::NotFound
        {
            tracing::debug!(%error, "socket of the local brain is left behind");
        }
    }
}

/// A path of its own for each start, so that no request goes to the one before by mistake.
fn socket_path(settings: &LocalBrainSettings, generation: u64) -> Result<PathBuf, StartFault> {
    let file = format!(
        "brain-{}-{generation}-{:04x}.sock",
        std::process::id(),
        rand::random::<u16>()
    );
    let folder = std::path::absolute(&settings.socket_folder)
        .map_err(|error| StartFault::socket_folder(&settings.socket_folder, &error))?;
    let socket = folder.join(file);
    if socket.as_os_str().len() > MAX_SOCKET_PATH {
        return Err(StartFault::socket_path(&socket));
    }
    Ok(socket)
}

/// Looks at what the worker needs, since it is cheaper to say than to let it fail. Blocks.
fn check_files(settings: &LocalBrainSettings, socket: &Path) -> Result<(), StartFault> {
    let mut magic = [0; MAGIC.len()];
    let read = File::open(&settings.model).and_then(|mut model| model.read_exact(&mut magic));
    match read {
        Ok(()) if magic == MAGIC => {}
        Ok(()) => {
            return Err(StartFault::model_unusable(
                settings,
                "it does not begin with GGUF",
            ));
        }
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
            return Err(StartFault::model_unusable(settings, "it is empty or nearly so"));
        }
        Err(error) => return Err(StartFault::model_unreadable(settings, &error)),
    }
    let folder = socket.parent().unwrap_or(socket);
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(folder)
        .map_err(|error| StartFault::socket_folder(folder, &error))
}

fn command(settings: &LocalBrainSettings, socket: &Path) -> Command {
    let mut command = Command::new(&settings.program);
    command.arg("--model").arg(&settings.model);
    command.arg("--socket").arg(socket);
    command.arg("--sandbox").arg(settings.sandbox.argument());
    if let Some(context) = settings.context_tokens {
        command.arg("--context").arg(context.to_string());
    }
    if let Some(earlier) = settings.earlier_conversations {
        command.arg("--earlier").arg(earlier.to_string());
    }
    if !settings.ahead.guessed {
        command.arg("--no-guesses");
    }
    if !settings.ahead.forced {
        command.arg("--no-forced");
    }
    if let Some(folder) = &settings.instructions {
        command.arg("--instructions").arg(folder);
    }
    if let Some(threads) = settings.threads {
        command.arg("--threads").arg(threads.to_string());
    }
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        // Ctrl-C on a terminal reaches us only, and we end the worker when its turn is over.
        .process_group(0)
        // Keys may be in ours, and what systemd gave us is not the worker's.
        .env_clear()
        .envs(settings.environment.iter().map(|(name, value)| (name, value)))
        .kill_on_drop(true);
    command
}

/// The way to speak to a worker. Retries are the local brain's own: it knows whether the worker is still there.
pub(crate) fn client(
    settings: &LocalBrainSettings,
    name: &str,
    socket: &Path,
) -> Result<OpenAiBrain, StartFault> {
    OpenAiBrain::new(OpenAiSettings {
        name: Some(name.to_owned()),
        json_schema: true,
        guesses: true,
        favours: true,
        max_tokens: settings.max_tokens,
        temperature: settings.temperature,
        top_p: settings.top_p,
        timeouts: settings.timeouts,
        max_retries: 0,
        ..OpenAiSettings::new(format!("unix:{}", socket.display()), settings.model_name())
    })
    .map_err(|error| StartFault::client(&error))
}
