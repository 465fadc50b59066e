//! The clients of the hive as rooms in which something can be said. A client hears a `speak` in its own session, as it does when it
//! is answered, and nothing of it is said to the device.

use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use loquat_orchestrator::frames;
use loquat_part::hive_place as place;
use loquat_skills::{Announcement, Station, Stations, Unspoken, Whereabouts};
use loquat_wire::context::DESTINATION;
use loquat_wire::{Session, topic};
use serde_json::{Map, Value, json};
use tokio::sync::oneshot;
use tokio::time::timeout;

use super::clients::Client;
use super::crossing::{as_heard, wrapped};
use super::service::Service;
use super::wishes::{ANNOUNCEMENT, Outcome};

/// A member has told by then what came of what it was to say.
const PATIENCE: Duration = Duration::from_secs(5);

/// What a member tells of one announcement. Dropping it forgets that it was asked.
struct Told<'a> {
    service: &'a Service,
    id: String,
    outcome: oneshot::Receiver<Outcome>,
}

impl<'a> Told<'a> {
    fn new(service: &'a Service) -> Self {
        let id = uuid::Uuid::new_v4().to_string();
        let (told, outcome) = oneshot::channel();
        service.saying.lock().insert(id.clone(), told);
        Self { service, id, outcome }
    }

    async fn outcome(mut self) -> Result<(), Unspoken> {
        match timeout(PATIENCE, &mut self.outcome).await {
            Ok(Ok(outcome)) => outcome.into(),
            _ => Err(Unspoken::Gone),
        }
    }
}

impl Drop for Told<'_> {
    fn drop(&mut self) {
        self.service.saying.lock().remove(&self.id);
    }
}

impl Service {
    fn station(&self, client: &Client) -> Station {
        let speaking = self.live.speaking(&client.name);
        let peer = place::peer(&client.name);
        let conversation = speaking.as_ref().map(|(session_id, _)| Whereabouts {
            session_id: session_id.clone(),
            route: Map::from_iter([(DESTINATION.to_owned(), Value::from(peer.as_str()))]),
        });
        let said = client.name.replace(['-', '_'], " ");
        let mut names: Vec<String> = client.access.room.iter().cloned().collect();
        names.push(said);
        Station {
            id: peer,
            names,
            hours: client.access.quiet_hours,
            is_there: speaking.is_some(),
            conversation,
        }
    }
}

impl Stations for Service {
    fn stations(&self) -> Vec<Station> {
        let known = self.known().borrow().clone();
        known.iter().map(|client| self.station(client)).collect()
    }

    fn speak<'a>(
        &'a self,
        id: &'a str,
        announcement: &'a Announcement,
    ) -> BoxFuture<'a, Result<(), Unspoken>> {
        async move {
            let stations = self.known().borrow().clone();
            let client = stations.iter().find(|client| place::peer(&client.name) == id);
            let client = client.ok_or(Unspoken::Gone)?;
            let (session_id, tells) = self.live.speaking(&client.name).ok_or(Unspoken::Gone)?;
            let mut cause = frames::originated(topic::SPEAK, json!({}));
            cause.context.set_session(&Session::named(&session_id));
            cause.context.set_destination(id);
            let told = Told::new(self);
            if tells {
                let announced = json!({"id": told.id, "from": announcement.from});
                cause.context.insert(ANNOUNCEMENT, announced);
            }
            let spoken = frames::speak(&cause, &announcement.words, &announcement.lang);
            let heard = as_heard(&spoken, topic::SPEAK).ok_or(Unspoken::Gone)?;
            if !self.live.send(&session_id, wrapped(&heard)) {
                return Err(Unspoken::Gone);
            }
            // What this client of the bus says it does not hear itself; others do.
            if let Err(error) = self.bus.emit(spoken).await {
                tracing::debug!(%error, "the bus does not take what a client of the hive was told");
            }
            if tells { told.outcome().await } else { Ok(()) }
        }
        .boxed()
    }
}
