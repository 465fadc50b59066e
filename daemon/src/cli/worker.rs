//! `loquat worker`: thinks for devices, until it is told to end; the turns that run then are waited for.

use anyhow::{Result, bail};
use loquat_part::Ground;
use loquat_workers::Worker;
use loquat_workers_part::worker_settings;
use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;

use super::{Context, Exit};
use crate::app;
use crate::health;

/// Runs until SIGTERM or SIGINT; a second one ends it at once.
pub(super) async fn run(context: Context) -> Result<Exit> {
    let Context {
        settings,
        environment,
        output,
        ..
    } = context;
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    let Some(own) = worker_settings(&Ground::of(&settings, &environment)) else {
        output.remark("loquat: a worker needs a NATS server: set workers.address in loquat.toml");
        return Ok(Exit::Settings);
    };
    let Some(thinker) = app::thinker(&settings, &environment) else {
        bail!("failed to find a brain to think with: see workers.persona, and `loquat personas`");
    };
    output.line(format!(
        "Thinks with the brain of {} for pool {} at {}.",
        thinker.persona, own.broker.pool, own.broker.address
    ));
    health::ready();
    let cancel = CancellationToken::new();
    let mut working = Box::pin(Worker::new(own, thinker.brain).run(cancel.clone()));
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
    drop(working);
    for local in thinker.local {
        local.shutdown().await;
    }
    Ok(Exit::Ok)
}
