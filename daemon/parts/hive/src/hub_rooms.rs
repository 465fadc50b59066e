//! The rooms of the hive that this device has joined, where a Loquat keeps that: what is said in them goes there as a wish, and
//! what comes of it is told. Another hive tells no rooms, and there are none then.

use std::collections::HashMap;
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use loquat_hive::{HiveMessage, Kind};
use loquat_skills::{Announcement, Station, Stations, Unspoken};
use loquat_wire::object;
use parking_lot::{Mutex, RwLock};
use serde_json::{Map, Value, json};
use tokio::sync::{mpsc, oneshot};
use tokio::time::timeout;

use super::wishes::{ANNOUNCE, Outcome, ROOMS};

/// What the ids of these rooms begin with.
const HUB: &str = "hub:";

/// Rooms that are known; of more, the rest is left out.
const MOST: usize = 64;

/// Characters of a name.
const LONGEST: usize = 60;

/// Wishes that wait to be sent; one more is refused.
const WAITING: usize = 16;

/// The hive has said by then what came of a wish.
const PATIENCE: Duration = Duration::from_secs(10);

/// The rooms of the hive that was joined.
#[derive(Debug, Default)]
pub(super) struct HubRooms {
    names: RwLock<Vec<String>>,
    /// Absent while the hive is not joined.
    way: RwLock<Option<mpsc::Sender<HiveMessage>>>,
    /// What becomes of wishes is told there, by their ids.
    open: Mutex<HashMap<String, oneshot::Sender<Outcome>>>,
}

/// A wish of which nothing was told yet. Dropping it forgets the wish.
struct Asked<'a> {
    rooms: &'a HubRooms,
    id: String,
}

impl Drop for Asked<'_> {
    fn drop(&mut self) {
        self.rooms.open.lock().remove(&self.id);
    }
}

impl HubRooms {
    /// The hive is joined: what it is to be told comes out of this.
    pub(super) fn join(&self) -> mpsc::Receiver<HiveMessage> {
        let (way, told) = mpsc::channel(WAITING);
        *self.way.write() = Some(way);
        told
    }

    /// The hive is lost, and its rooms with it.
    pub(super) fn leave(&self) {
        *self.way.write() = None;
        self.names.write().clear();
        self.open.lock().clear();
    }

    /// Takes in which rooms there are, or what came of a wish; false for what is neither.
    pub(super) fn hear(&self, topic: &str, data: &Map<String, Value>) -> bool {
        match topic.strip_suffix(".response") {
            Some(ROOMS) => {
                let rooms = data.get("rooms").and_then(Value::as_array).into_iter().flatten();
                let names = rooms.filter_map(Value::as_str).take(MOST);
                *self.names.write() = names.map(|name| name.chars().take(LONGEST).collect()).collect();
            }
            Some(ANNOUNCE) => {
                let id = data.get("id").and_then(Value::as_str).unwrap_or_default();
                if let Some(told) = self.open.lock().remove(id) {
                    // The wait for it may be over.
                    told.send(Outcome::read(data)).ok();
                }
            }
            _ => return false,
        }
        true
    }

    /// The station of a room by its name, of which no more is taken than of one that was told.
    pub(super) fn station(name: &str) -> String {
        let name: String = name.chars().take(LONGEST).collect();
        format!("{HUB}{name}")
    }

    /// The message that asks which rooms there are.
    pub(super) fn question(lang: &str) -> HiveMessage {
        message(ROOMS, &json!({"lang": lang}))
    }

    async fn wish(&self, room: &str, announcement: &Announcement) -> Result<(), Unspoken> {
        let id = uuid::Uuid::new_v4().to_string();
        let wish = message(
            ANNOUNCE,
            &json!({"id": id, "room": room, "message": announcement.message,
                    "lang": announcement.lang, "reply": announcement.is_reply}),
        );
        let (told, outcome) = oneshot::channel();
        self.open.lock().insert(id.clone(), told);
        let _asked = Asked { rooms: self, id };
        let way = self.way.read().clone();
        let sent = way.is_some_and(|way| way.try_send(wish).is_ok());
        let outcome = if sent {
            timeout(PATIENCE, outcome).await.ok()
        } else {
            None
        };
        match outcome {
            Some(Ok(outcome)) => outcome.into(),
            _ => Err(Unspoken::Gone),
        }
    }
}

impl Stations for HubRooms {
    fn stations(&self) -> Vec<Station> {
        let is_there = self.way.read().is_some();
        let station = |name: &String| Station {
            id: Self::station(name),
            names: vec![name.clone()],
            is_there,
            ..Station::default()
        };
        self.names.read().iter().map(station).collect()
    }

    fn speak<'a>(
        &'a self,
        id: &'a str,
        announcement: &'a Announcement,
    ) -> BoxFuture<'a, Result<(), Unspoken>> {
        async move {
            let room = id.strip_prefix(HUB).ok_or(Unspoken::Gone)?;
            self.wish(room, announcement).await
        }
        .boxed()
    }
}

fn message(topic: &str, data: &Value) -> HiveMessage {
    HiveMessage::new(
        Kind::Bus,
        object(json!({"type": topic, "data": data, "context": {}})),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn data(value: Value) -> Map<String, Value> {
        object(value)
    }

    #[tokio::test]
    async fn rooms_are_those_that_the_hive_tells_and_are_gone_with_it() {
        let rooms = HubRooms::default();
        let mut told = rooms.join();
        assert!(rooms.hear(
            "loquat.rooms.response",
            &data(json!({"rooms": ["kitchen", 7, "bath"]}))
        ));
        assert!(!rooms.hear("speak", &data(json!({"utterance": "hi"}))));
        let names: Vec<String> = rooms
            .stations()
            .into_iter()
            .flat_map(|station| station.names)
            .collect();
        assert_eq!(names, ["kitchen", "bath"]);
        let announcement = Announcement {
            message: "dinner".to_owned(),
            ..Announcement::default()
        };
        let (spoken, ()) = tokio::join!(rooms.speak("hub:bath", &announcement), async {
            let wish = told.recv().await.expect("a wish");
            let wished = wish.object().expect("an object")["data"].clone();
            assert_eq!(
                (&wished["room"], &wished["message"]),
                (&json!("bath"), &json!("dinner"))
            );
            let answer = json!({"id": wished["id"], "outcome": "resting"});
            assert!(rooms.hear("loquat.announce.response", &data(answer)));
        });
        assert_eq!(spoken, Err(Unspoken::Rests));
        // A wish that is given up leaves nothing behind.
        assert!(rooms.speak("hub:bath", &announcement).now_or_never().is_none());
        assert!(rooms.open.lock().is_empty());
        rooms.leave();
        assert!(rooms.stations().is_empty());
        assert_eq!(rooms.speak("hub:bath", &announcement).await, Err(Unspoken::Gone));
        assert!(rooms.open.lock().is_empty());
    }
}
