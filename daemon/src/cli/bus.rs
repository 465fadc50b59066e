//! `loquat bus`: a message bus and nothing else, where ovos-messagebus was.

use std::os::unix::process::CommandExt;
use std::process::Command;
use std::{env, io};

use anyhow::{Context as _, Result};
use loquat_bus::{BusServerOptions, EmbeddedBus};
use tokio::signal::unix::{SignalKind, signal};

use super::{Context, Exit};
use crate::health;
use crate::settings::bus_address;
use crate::supervisor::Supervisor;

/// What this program becomes, where it is beside `loquat`.
const SMALL_PROGRAM: &str = "loquat-bus";

/// Becomes the small program if it is there. Gives what kept it from that; then the large one serves just as well.
pub(super) fn become_small() -> io::Error {
    let small = match env::current_exe() {
        Ok(own) => own.with_file_name(SMALL_PROGRAM),
        Err(error) => return error,
    };
    Command::new(small).args(env::args_os().skip(1)).exec()
}

/// Serves at the address of the settings until a signal.
pub(super) async fn run(context: &Context) -> Result<Exit> {
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    let address = bus_address(&context.settings);
    let mut options = BusServerOptions::on_port(address.port);
    options.host.clone_from(&address.host);
    options.route.clone_from(&address.route);
    let bus =
        EmbeddedBus::bind(options).with_context(|| format!("failed to open a bus at {}", address.url()))?;
    if context.output.is_terminal() {
        context
            .output
            .line(format!("A bus is open at {}.", bus.address().url()));
    }
    let supervisor = Supervisor::new();
    let back = &supervisor.back;
    supervisor.spawn(back, "bus", bus.run(back.token()));
    health::ready();
    let ended = supervisor.front.token();
    tokio::select! {
        _ = terminate.recv() => tracing::info!("told to end"),
        _ = interrupt.recv() => tracing::info!("interrupted"),
        () = ended.cancelled() => {}
    }
    health::stopping();
    supervisor.end_back().await;
    Ok(if supervisor.broken().is_some() {
        Exit::Failed
    } else {
        Exit::Ok
    })
}
