//! Workers as a part of the daemon.

use std::sync::Arc;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use loquat_part::command::Command;
use loquat_part::elsewhere::Elsewhere;
use loquat_part::{Context, Finding, Ground, Part, Running, Start};
use loquat_settings::brought::Brought;
use loquat_workers::Condition;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::command::WorkerCommand;
use super::workers::Workers;
use super::{check, settings};

/// Workers, as the table of parts knows them.
#[derive(Debug)]
pub struct WorkersPart;

impl Part for WorkersPart {
    fn tables(&self) -> Vec<Brought> {
        vec![Brought::of::<settings::Workers>()]
    }

    fn starts(&self) -> Start {
        Start::WithTheEvents
    }

    /// Looks for workers where the settings name a server, and offers them to the mind.
    fn start<'a>(&'a self, context: &'a mut Context) -> BoxFuture<'a, Running> {
        async { start(context) }.boxed()
    }

    fn check<'a>(&'a self, ground: &'a Ground) -> BoxFuture<'a, Vec<Finding>> {
        check::findings(ground).boxed()
    }

    fn commands(&self) -> Vec<&dyn Command> {
        vec![&WorkerCommand]
    }
}

fn start(context: &mut Context) -> Running {
    let Some(workers) = Workers::of(&context.ground) else {
        return Running::default();
    };
    let (supervisor, front, back) = (
        &context.supervisor,
        &context.supervisor.front,
        &context.supervisor.back,
    );
    let condition = workers.condition();
    let (told, status) = watch::channel(condition.borrow().to_string());
    supervisor.spawn(front, "workers", Arc::clone(&workers).run(front.token()));
    supervisor.spawn_optional(back, "workers told", tell(condition, told, back.token()));
    let elsewhere: Arc<dyn Elsewhere> = workers;
    context.offer(elsewhere);
    Running { status: Some(status) }
}

/// Tells in words where turns are thought, whenever that changes.
async fn tell(
    mut condition: watch::Receiver<Condition>,
    told: watch::Sender<String>,
    cancel: CancellationToken,
) {
    while let Some(Ok(())) = cancel.run_until_cancelled(condition.changed()).await {
        told.send_replace(condition.borrow_and_update().to_string());
    }
}
