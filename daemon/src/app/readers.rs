//! What hears the events of turns from the first one on: the log, the bus where the settings want it, and parts.

use std::sync::Arc;

use loquat_part::elsewhere::Elsewhere;
use loquat_part::{Context, Start};
use tokio::sync::watch;

use super::place::Place;
use crate::events;
use crate::parts;
use crate::settings::{Reports, Settings};

/// Starts what reads the events of turns: the log and, where the settings want them, the bus.
pub(super) fn start_readers(settings: &Settings, place: &Place) {
    let news = place.hub.subscribe();
    place.support("event log", |token| events::log(news, token));
    if settings.bus.reports == Reports::Events {
        let (bus, news) = (place.bus.clone(), place.hub.subscribe());
        place.support("turn events", |token| events::tell(bus, news, token));
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
