//! The device itself as a room in which something can be said from other rooms. It is spoken in the device's own session, and
//! is nothing that was said there: no turn begins with it, and no conversation holds it.

use std::sync::Arc;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use loquat_bus::Bus;
use loquat_skills::intercom::DEVICE;
use loquat_skills::rest::Rest;
use loquat_skills::{Announcement, Station, Stations, Unspoken, Whereabouts};

use crate::spoken;

/// The room of the device.
#[derive(Debug)]
pub struct OwnStation {
    bus: Bus,
    rest: Arc<Rest>,
    room: Option<String>,
}

impl OwnStation {
    /// It speaks over this bus while the device does not rest; `room` is what its room is called.
    pub fn new(bus: Bus, rest: Arc<Rest>, room: Option<String>) -> Self {
        Self { bus, rest, room }
    }
}

impl Stations for OwnStation {
    fn stations(&self) -> Vec<Station> {
        vec![Station {
            id: DEVICE.to_owned(),
            names: self.room.iter().cloned().collect(),
            is_there: true,
            conversation: Some(Whereabouts::default()),
            ..Station::default()
        }]
    }

    fn speak<'a>(
        &'a self,
        _: &'a str,
        announcement: &'a Announcement,
    ) -> BoxFuture<'a, Result<(), Unspoken>> {
        async move {
            if self.rest.now().await.quiet {
                return Err(Unspoken::Rests);
            }
            let remark = spoken::remark(&announcement.words, &announcement.lang);
            self.bus.emit(remark).await.map_err(|error| {
                tracing::warn!(%error, "failed to say what comes from another room");
                Unspoken::Gone
            })
        }
        .boxed()
    }
}
