//! The local brain: a worker process that serves one model file, started on demand and stopped when idle.

mod settings;
mod state;

use futures_util::future::BoxFuture;
use loquat_agent::brain::{Brain, BrainError, Capabilities, ChatReply, ChatRequest, DeltaSink};
use tokio::sync::watch;

pub use self::settings::LocalBrainSettings;
pub use self::state::LocalState;

/// The model that runs on this machine.
#[derive(Debug)]
pub struct LocalBrain {
    name: String,
    state: watch::Sender<LocalState>,
}

impl LocalBrain {
    /// Prepares the local brain; nothing is started yet.
    pub fn new(settings: LocalBrainSettings) -> Self {
        Self {
            name: format!("loquat-local-brain ({})", settings.model_name()),
            state: watch::Sender::new(LocalState::Stopped),
        }
    }

    /// What the worker is doing.
    pub fn state(&self) -> watch::Receiver<LocalState> {
        self.state.subscribe()
    }

    /// Starts the worker if needed and lets it read the request's prompt, so that the next question with the same
    /// beginning is answered sooner.
    pub async fn warm(&self, request: &ChatRequest) -> Result<(), BrainError> {
        self.chat(request, &()).await.map(drop)
    }

    /// Stops the worker and waits until it has ended. Calls after this fail.
    pub async fn shutdown(&self) {
        std::future::ready(()).await;
    }
}

impl Brain for LocalBrain {
    fn name(&self) -> &str {
        &self.name
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities {
            native_tools: false,
            json_schema: true,
        }
    }

    fn chat<'a>(
        &'a self,
        _: &'a ChatRequest,
        _: &'a dyn DeltaSink,
    ) -> BoxFuture<'a, Result<ChatReply, BrainError>> {
        Box::pin(async {
            Err(BrainError::NotStarted {
                reason: "the local brain is being built".to_owned(),
            })
        })
    }
}
