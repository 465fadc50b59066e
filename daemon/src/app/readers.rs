//! What hears the events of turns from the first one on: the log, the bus where the settings want it, and parts.

use std::sync::Arc;

use loquat_bus::Bus;
use loquat_part::{Context, Start};
use loquat_workers_part::Workers;

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

/// Starts the parts that hear them, and the workers, whom the mind asks, too.
pub(super) fn start_first_parts(context: Context, workers: Option<Arc<Workers>>) {
    let context = match workers {
        Some(workers) => context.offering(workers),
        None => context,
    };
    parts::start(Start::WithTheEvents, &context);
}
