//! The local brain: a worker process that serves one model file, started on demand and stopped when idle.

mod confinement;
mod fault;
mod health;
mod keeper;
mod last_words;
mod precedence;
mod restarts;
mod settings;
mod state;
mod worker;

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use loquat_conversation::brain::{
    Asking, Brain, BrainError, Capabilities, ChatReply, ChatRequest, DeltaSink, Sampling,
};
use parking_lot::Mutex;
use tokio::sync::{mpsc, oneshot, watch};
use tokio::task::JoinSet;
use tokio::time::{Instant, timeout};
use tokio_util::sync::CancellationToken;

pub use self::confinement::{Confinement, Sandbox};
use self::fault::StartFault;
pub use self::health::Health;
use self::keeper::{Command, Keeper, Lease};
use self::precedence::Precedence;
pub use self::settings::{Ahead, LocalBrainSettings};
pub use self::state::LocalState;
use crate::client::OpenAiBrain;
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
    settings: LocalBrainSettings,
    shared: Arc<Shared>,
    /// It is the client of the worker of one generation.
    client: Mutex<Option<(u64, Arc<OpenAiBrain>)>>,
}

/// All brains on one worker share this.
#[derive(Debug)]
struct Shared {
    name: String,
    state: watch::Receiver<LocalState>,
    commands: mpsc::Sender<Command>,
    stop: CancellationToken,
    precedence: Precedence,
    /// The keeper, until the first question. A task needs a runtime to run on.
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
        let keeper = Keeper::new(Arc::new(settings.clone()), name.clone(), state, inbox);
        let shared = Shared {
            name,
            state: watcher,
            commands,
            stop: CancellationToken::new(),
            precedence: Precedence::default(),
            unborn: Mutex::new(Some(keeper)),
            tasks: Mutex::new(JoinSet::new()),
        };
        Self {
            settings,
            shared: Arc::new(shared),
            client: Mutex::new(None),
        }
    }

    /// Makes another brain on the same worker, so that personas which differ in their prompt, sampling or waits do
    /// not load the model twice. These come from `settings`; all that concerns the worker stays as it is. A
    /// [`shutdown`](Self::shutdown) of one is a shutdown of both.
    #[must_use]
    pub fn sharing_worker(&self, settings: LocalBrainSettings) -> Self {
        Self {
            settings,
            shared: Arc::clone(&self.shared),
            client: Mutex::new(None),
        }
    }

    /// Follows what the worker is doing.
    pub fn state(&self) -> watch::Receiver<LocalState> {
        self.shared.state.clone()
    }

    /// Stops the worker and waits until it has ended. Calls after this fail.
    pub async fn shutdown(&self) {
        self.shared.stop.cancel();
        let mut tasks = std::mem::take(&mut *self.shared.tasks.lock());
        while tasks.join_next().await.is_some() {}
    }

    async fn converse(&self, request: &ChatRequest, sink: &dyn DeltaSink) -> Result<ChatReply, BrainError> {
        let sink = Watched::new(sink);
        let lease = self.shared.lease().await?;
        let client = self.client(&lease)?;
        let error = match client.chat(request, &sink).await {
            Ok(reply) => return Ok(reply),
            Err(error) => error,
        };
        if !self.may_ask_again(&lease, &client, &error).await {
            return Err(error);
        }
        tracing::debug!(brain = self.shared.name, %error, "local brain is asked again");
        drop(lease);
        sink.restart();
        let lease = self.shared.lease().await?;
        match self.client(&lease)?.chat(request, &sink).await {
            Err(error) if error.is_transient() && has_ended(&lease).await => {
                Err(self.shared.why_it_died(error))
            }
            outcome => outcome,
        }
    }

    /// Gives the connections to this worker. Those to an earlier one are closed.
    fn client(&self, lease: &Lease) -> Result<Arc<OpenAiBrain>, StartFault> {
        let mut known = self.client.lock();
        if let Some((generation, client)) = &*known
            && *generation == lease.generation
        {
            return Ok(Arc::clone(client));
        }
        let client = Arc::new(worker::client(&self.settings, &self.shared.name, &lease.socket)?);
        *known = Some((lease.generation, Arc::clone(&client)));
        Ok(client)
    }

    /// Tells whether a second attempt makes sense: the worker died, or it serves and made a mistake. One that hangs
    /// is replaced for the next question; the person has waited long enough for this one.
    async fn may_ask_again(&self, lease: &Lease, client: &OpenAiBrain, error: &BrainError) -> bool {
        match error {
            BrainError::TimedOut { .. } => {
                if !client.is_ready(HEALTH_PATIENCE).await {
                    self.shared.suspect(lease.generation).await;
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
}

impl Shared {
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

    /// Lets the keeper run on the runtime of the first caller.
    fn wake(&self) {
        let unborn = self.unborn.lock().take();
        if let Some(keeper) = unborn {
            self.tasks.lock().spawn(keeper.run(self.stop.clone()));
        }
    }

    async fn suspect(&self, generation: u64) {
        if self.commands.send(Command::Suspect(generation)).await.is_err() {
            tracing::trace!("local brain is shut down already");
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
        &self.shared.name
    }

    /// Small models write native calls into the text, so they are better served with a schema.
    fn capabilities(&self) -> Capabilities {
        Capabilities {
            native_tools: false,
            json_schema: true,
            small: self.settings.small,
            acts_at_once: self.settings.acts_at_once,
            favours: true,
            context_tokens: self.settings.context_tokens,
        }
    }

    fn ask<'a>(
        &'a self,
        asking: &'a Asking<'_>,
        sink: &'a dyn DeltaSink,
    ) -> BoxFuture<'a, Result<ChatReply, BrainError>> {
        Box::pin(async move {
            let _first = self.shared.precedence.question();
            let request = asking.for_brain(self.capabilities());
            self.converse(&request, sink).await
        })
    }

    /// Starts the worker if needed and lets it read the request's prompt. It gives way to a question, for which the worker is free
    /// at once; what was read until then stays read.
    fn warm<'a>(&'a self, request: &'a ChatRequest) -> BoxFuture<'a, Result<Option<Duration>, BrainError>> {
        Box::pin(async move {
            let one_token = ChatRequest {
                sampling: Sampling {
                    max_tokens: Some(1),
                    ..request.sampling
                },
                ..request.clone()
            };
            // What a question takes in between is no part of the preparation.
            let read = || async {
                let began = Instant::now();
                self.converse(&one_token, &()).await?;
                Ok(Some(began.elapsed()))
            };
            self.shared.precedence.prepare(read).await
        })
    }
}
