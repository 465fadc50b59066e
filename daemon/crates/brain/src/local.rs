//! The local brain: a worker process that serves one model file, started on demand and stopped when idle.

mod fault;
mod keeper;
mod last_words;
mod restarts;
mod settings;
mod state;
mod worker;

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures_util::future::BoxFuture;
use loquat_agent::brain::{Brain, BrainError, Capabilities, ChatReply, ChatRequest, DeltaSink, Sampling};
use tokio::sync::{mpsc, oneshot, watch};
use tokio::task::JoinSet;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use self::fault::StartFault;
use self::keeper::{Command, Keeper, Lease};
pub use self::settings::LocalBrainSettings;
pub use self::state::LocalState;
use crate::sink::Watched;

/// A connection breaks a moment before the process that held it is known to be dead.
const DEATH_NOTICE: Duration = Duration::from_millis(500);

/// A worker that generates still says that it is well, from another thread.
const HEALTH_PATIENCE: Duration = Duration::from_secs(2);

/// Few turns run at once; further callers wait for their place.
const WAITING_COMMANDS: usize = 16;

/// The model that runs on this machine.
///
/// The first question starts the worker and waits until the model is loaded. A worker that dies in the middle of a
/// reply is replaced and asked again once. Dropping the brain kills the worker; [`shutdown`](Self::shutdown) ends it
/// gently. Dropping a call hangs up, and lets a worker that is starting go on to do so.
#[derive(Debug)]
pub struct LocalBrain {
    name: String,
    state: watch::Receiver<LocalState>,
    commands: mpsc::Sender<Command>,
    stop: CancellationToken,
    /// Until the first question, since a task needs a runtime to run on.
    unborn: Mutex<Option<Keeper>>,
    tasks: Mutex<JoinSet<()>>,
}

impl LocalBrain {
    /// Prepares the local brain; nothing is started yet.
    pub fn new(settings: LocalBrainSettings) -> Self {
        let name = format!("loquat-local-brain ({})", settings.model_name());
        let (state, watcher) = watch::channel(LocalState::Stopped);
        // Callers wait for a place; they hold nothing that the keeper needs.
        let (commands, inbox) = mpsc::channel(WAITING_COMMANDS);
        let keeper = Keeper::new(Arc::new(settings), name.clone(), state, inbox);
        Self {
            name,
            state: watcher,
            commands,
            stop: CancellationToken::new(),
            unborn: Mutex::new(Some(keeper)),
            tasks: Mutex::new(JoinSet::new()),
        }
    }

    /// What the worker is doing.
    pub fn state(&self) -> watch::Receiver<LocalState> {
        self.state.clone()
    }

    /// Starts the worker if needed and lets it read the request's prompt, so that the next question with the same
    /// beginning is answered sooner.
    pub async fn warm(&self, request: &ChatRequest) -> Result<(), BrainError> {
        let one_token = ChatRequest {
            sampling: Sampling {
                max_tokens: Some(1),
                ..request.sampling
            },
            ..request.clone()
        };
        self.chat(&one_token, &()).await.map(drop)
    }

    /// Stops the worker and waits until it has ended. Calls after this fail.
    pub async fn shutdown(&self) {
        self.stop.cancel();
        let mut tasks = std::mem::take(&mut *self.tasks.lock().unwrap_or_else(PoisonError::into_inner));
        while tasks.join_next().await.is_some() {}
    }

    /// Lets the keeper run on the runtime of whoever asks first.
    fn wake(&self) {
        let unborn = self.unborn.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(keeper) = unborn {
            let mut tasks = self.tasks.lock().unwrap_or_else(PoisonError::into_inner);
            tasks.spawn(keeper.run(self.stop.clone()));
        }
    }

    async fn lease(&self) -> Result<Lease, BrainError> {
        if self.stop.is_cancelled() {
            return Err(StartFault::shut_down().into());
        }
        self.wake();
        let (reply, lease) = oneshot::channel();
        let asked = self.commands.send(Command::Lease(reply)).await;
        match (asked, lease.await) {
            (Ok(()), Ok(lease)) => lease,
            _ => Err(StartFault::shut_down().into()),
        }
    }

    async fn converse(&self, request: &ChatRequest, sink: &dyn DeltaSink) -> Result<ChatReply, BrainError> {
        let sink = Watched::new(sink);
        let lease = self.lease().await?;
        let error = match lease.brain.chat(request, &sink).await {
            Ok(reply) => return Ok(reply),
            Err(error) => error,
        };
        if !self.may_ask_again(&lease, &error).await {
            return Err(error);
        }
        tracing::debug!(brain = self.name, %error, "local brain is asked again");
        drop(lease);
        sink.restart();
        let lease = self.lease().await?;
        let outcome = lease.brain.chat(request, &sink).await;
        match outcome {
            Err(error) if error.is_transient() && has_ended(&lease).await => Err(self.why_it_died(error)),
            outcome => outcome,
        }
    }

    /// Whether a second attempt makes sense: the worker died, or it serves and made a mistake. One that hangs is
    /// replaced for the next question; the person has waited long enough for this one.
    async fn may_ask_again(&self, lease: &Lease, error: &BrainError) -> bool {
        match error {
            BrainError::TimedOut { .. } => {
                if !lease.brain.is_ready(HEALTH_PATIENCE).await {
                    let suspect = Command::Suspect(lease.generation);
                    if self.commands.send(suspect).await.is_err() {
                        tracing::trace!("local brain is shut down already");
                    }
                }
                false
            }
            BrainError::CutOff { .. } | BrainError::Unreachable { .. } => {
                has_ended(lease).await;
                true
            }
            error => error.is_transient(),
        }
    }

    /// The reason tells more than that a connection broke.
    fn why_it_died(&self, error: BrainError) -> BrainError {
        match &*self.state.borrow() {
            LocalState::Failed { reason } => BrainError::NotStarted {
                reason: reason.clone(),
            },
            _ => error,
        }
    }
}

async fn has_ended(lease: &Lease) -> bool {
    timeout(DEATH_NOTICE, lease.ended.cancelled()).await.is_ok()
}

impl Brain for LocalBrain {
    fn name(&self) -> &str {
        &self.name
    }

    /// Small models write native calls into the text, so they are better served with a schema.
    fn capabilities(&self) -> Capabilities {
        Capabilities {
            native_tools: false,
            json_schema: true,
        }
    }

    fn chat<'a>(
        &'a self,
        request: &'a ChatRequest,
        sink: &'a dyn DeltaSink,
    ) -> BoxFuture<'a, Result<ChatReply, BrainError>> {
        Box::pin(self.converse(request, sink))
    }
}
