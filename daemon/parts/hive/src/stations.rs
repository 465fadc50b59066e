//! The clients of the hive as rooms in which something can be said. A client hears a `speak` in its own session, as it does when it
//! is answered, and nothing of it is said to the device.

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use loquat_orchestrator::frames;
use loquat_part::hive_place as place;
use loquat_skills::{Announcement, Station, Stations, Unspoken, Whereabouts};
use loquat_wire::context::DESTINATION;
use loquat_wire::{Session, topic};
use serde_json::{Map, Value, json};

use super::clients::Client;
use super::service::Service;

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
            rests: speaking.as_ref().is_some_and(|(_, rests)| *rests),
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
            let mut stations = self.stations().into_iter();
            let station = stations.find(|station| station.id == id).ok_or(Unspoken::Gone)?;
            let there = station.conversation.ok_or(Unspoken::Gone)?;
            let mut cause = frames::originated(topic::SPEAK, json!({}));
            cause.context.set_session(&Session::named(&there.session_id));
            cause.context.set_destination(id);
            let spoken = frames::speak(&cause, &announcement.words, &announcement.lang);
            self.bus.emit(spoken).await.map_err(|error| {
                tracing::warn!(%error, "a client of the hive was not told something");
                Unspoken::Gone
            })
        }
        .boxed()
    }
}
