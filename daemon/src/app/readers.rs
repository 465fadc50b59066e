//! What hears the events of turns from the first one on: the log, the bus where the settings want it, and parts.

use std::sync::Arc;

use loquat_bus::Bus;
use loquat_part::elsewhere::Elsewhere;
use loquat_part::{Context, Start};
use tokio::sync::watch;

use crate::events::{self, Hub};
use crate::parts;
use crate::settings::{Reports, Settings};
use crate::supervisor::Supervisor;

/// Starts what reads the events of turns: the log and, where the settings want them, the bus.
pub(super) fn start_readers(settings: &Settings, hub: &Hub, (supervisor, bus): (&Supervisor, &Bus)) {
    let back = &supervisor.back;
    supervisor.spawn(back, "event log", events::log(hub.subscribe(), back.token()));
    if settings.bus.reports == Reports::Events {
        let told = events::tell(bus.clone(), hub.subscribe(), back.token());
        supervisor.spawn(back, "turn events", told);
    }
}

/// Starts the parts that hear them. What comes back is who thinks elsewhere, and what parts tell of themselves.
pub(super) fn start_first_parts(
    mut context: Context,
) -> (Option<Arc<dyn Elsewhere>>, Vec<watch::Receiver<String>>) {
    let running = parts::start(Start::WithTheEvents, &mut context);
    let told = running.into_iter().filter_map(|running| running.status);
    (context.offered::<Arc<dyn Elsewhere>>().cloned(), told.collect())
}
