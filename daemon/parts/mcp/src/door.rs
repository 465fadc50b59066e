//! The door for MCP clients at the listener of another part. Knows no token: who may come in is for that part to say.

use std::sync::Arc;

use axum::body::Body;
use futures_util::FutureExt;
use loquat_bus::BusAddress;
use loquat_connections::http_door::{Answering, HttpDoor};
use loquat_part::bus_settings::Compat;
use loquat_part::link;
use loquat_part::supervisor::Supervisor;

use super::desk::Desk;
use super::listener::streamable;
use super::served::Served;

/// The door, closed.
#[derive(Debug)]
pub(super) struct Door {
    pub(super) served: Served,
    pub(super) address: BusAddress,
    pub(super) compat: Compat,
    pub(super) supervisor: Supervisor,
}

impl HttpDoor for Door {
    fn open(&self, names: &[String], origins: &[String]) -> Answering {
        let bus = link::another_client(self.address.clone(), self.compat, &self.supervisor);
        let desk = Desk::new(&self.served, bus);
        let service = Arc::new(streamable(move || desk.anew(), names, origins));
        Arc::new(move |request| {
            let service = Arc::clone(&service);
            async move { service.handle(request).await.map(Body::new) }.boxed()
        })
    }
}
