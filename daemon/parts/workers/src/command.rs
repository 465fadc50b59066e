//! `loquat worker`: thinks for devices, until it is told to end; the turns that run then are waited for.

use std::fmt::{self, Debug};
use std::io;
use std::sync::Arc;

use clap::{ArgMatches, Args};
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use loquat_agent::brain::Brain;
use loquat_part::command::{Command, CommandContext, Outcome};
use loquat_part::health;
use loquat_part::output::Exit;
use loquat_workers::{Worker, WorkerSettings};
use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;

use super::settings::Workers;
use super::sign_in::worker_settings;

/// What `loquat worker` thinks with.
pub struct Thinker {
    /// The persona whose brain it is.
    pub persona: String,
    /// The brain.
    pub brain: Arc<dyn Brain>,
    /// Shuts the models of this machine down that belong to it.
    pub end: BoxFuture<'static, ()>,
}

impl Debug for Thinker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Thinker")
            .field("persona", &self.persona)
            .finish_non_exhaustive()
    }
}

/// The port by which a worker finds a brain.
pub trait Thinking: Debug + Send + Sync {
    /// Finds the brain of the persona of this name, or of the default one; nothing where there is none that
    /// asks a brain.
    fn thinker(&self, persona: Option<&str>) -> Option<Thinker>;
}

/// Why a worker does not think.
#[derive(Debug, thiserror::Error)]
enum WorkerError {
    #[error("failed to find a brain to think with: see workers.persona, and `loquat personas`")]
    NoBrain,
    #[error("failed to wait for the signals that end a worker")]
    Signals(#[from] io::Error),
}

/// Think for other devices, until Ctrl-C. Takes their questions from the NATS server that workers.address names, and answers with
/// the brain of workers.persona. Tools and consent stay at each device.
#[derive(Debug, Args)]
struct WorkerArguments {}

#[derive(Debug)]
pub(super) struct WorkerCommand;

impl Command for WorkerCommand {
    fn typed(&self) -> clap::Command {
        WorkerArguments::augment_args(clap::Command::new("worker"))
    }

    fn serves(&self) -> bool {
        true
    }

    fn run<'a>(&'a self, _: &'a ArgMatches, context: &'a CommandContext) -> BoxFuture<'a, Outcome> {
        async { Ok(think(context).await?) }.boxed()
    }
}

async fn think(context: &CommandContext) -> Result<Exit, WorkerError> {
    let Some(own) = worker_settings(&context.ground) else {
        let told = "loquat: a worker needs a NATS server: set workers.address in loquat.toml";
        context.output.remark(told);
        return Ok(Exit::Settings);
    };
    let wanted = context.ground.table::<Workers>().persona.clone();
    let thinking = context.offered::<Arc<dyn Thinking>>();
    let thinker = thinking.and_then(|thinking| thinking.thinker(wanted.as_deref()));
    let thinker = thinker.ok_or(WorkerError::NoBrain)?;
    context.output.line(format!(
        "Thinks with the brain of {} for pool {} at {}.",
        thinker.persona, own.broker.pool, own.broker.address
    ));
    work(own, thinker.brain).await?;
    thinker.end.await;
    Ok(Exit::Ok)
}

/// Runs until SIGTERM or SIGINT; a second one ends it at once.
async fn work(own: WorkerSettings, brain: Arc<dyn Brain>) -> io::Result<()> {
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    health::ready();
    let cancel = CancellationToken::new();
    let mut working = Box::pin(Worker::new(own, brain).run(cancel.clone()));
    let is_told = tokio::select! {
        _ = terminate.recv() => true,
        _ = interrupt.recv() => true,
        () = &mut working => false,
    };
    health::stopping();
    cancel.cancel();
    if is_told {
        tokio::select! {
            () = &mut working => {}
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    }
    Ok(())
}
