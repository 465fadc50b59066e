//! What hears the events of turns from the first one on beside parts: the log, and the bus where the settings want it.

use super::place::Place;
use crate::events;
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
