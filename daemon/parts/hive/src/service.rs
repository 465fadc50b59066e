//! What all connections share: who may come in, the bus, who hears, and the way back to each client.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use loquat_bus::{Bus, Subscription, Topics};
use loquat_hive::{Admission, Credentials, Greeting, PublicKey};
use loquat_part::Offered;
use loquat_part::guests::Guests;
use loquat_part::hive_place as place;
use loquat_skills::intercom::Intercom;
use loquat_transcription::recordings::Hearing;
use loquat_wire::topic;
use parking_lot::Mutex;
use tokio::sync::{oneshot, watch};
use tokio::task::spawn_blocking;
use tokio::time::{Instant, interval};
use tokio_util::sync::CancellationToken;

use super::clients::{Client, Clients};
use super::crossing::{AS_BYTES, is_for_client, told, wrapped};
use super::ears::Ears;
use super::live::Live;
use super::sound;
use super::wishes::Outcome;

/// The file of clients is looked at this often.
const LOOKED_EVERY: Duration = Duration::from_secs(1);

/// The log tells of frames that were too large for a client this often.
const TOLD_EVERY: Duration = Duration::from_secs(10);

/// All that the hive needs of the device.
#[derive(Debug)]
pub(super) struct Ground {
    /// A client of the bus that is the hive's own.
    pub(super) bus: Bus,
    /// Knows which personas are there to answer.
    pub(super) personas: Arc<dyn Offered>,
    /// Is told which persona alone serves a client.
    pub(super) guests: Guests,
    /// The ladder that hears recordings, and how long they may be; absent where none are heard.
    pub(super) hearing: Option<Hearing>,
    /// The ears for microphones of clients; absent where none are listened to.
    pub(super) ears: Option<Ears>,
    /// A recording may be this long.
    pub(super) longest: Duration,
    pub(super) lang: String,
    /// Certificate and key, where satellites come over TLS.
    pub(super) certificate: Option<(PathBuf, PathBuf)>,
    /// Says whether satellites come by the protocol before version 3 too, if their owner has let them.
    pub(super) takes_old: bool,
    /// The rooms in which something can be said.
    pub(super) intercom: Option<Arc<Intercom>>,
}

/// All that the connections share.
#[derive(Debug)]
pub(super) struct Service {
    pub(super) bus: Bus,
    pub(super) personas: Arc<dyn Offered>,
    pub(super) greeting: Greeting,
    pub(super) live: Live,
    /// Absent where recordings are not heard.
    pub(super) hearing: Option<Hearing>,
    /// Absent where microphones are not listened to.
    pub(super) ears: Option<Arc<Ears>>,
    /// The longest recording, as the ear has it; the rest is cut off.
    pub(super) longest: Duration,
    pub(super) lang: String,
    pub(super) clients: Clients,
    /// Absent where nothing is said in other rooms.
    pub(super) intercom: Option<Arc<Intercom>>,
    /// Members that are to say something tell there what came of it, by its id.
    pub(super) saying: Mutex<HashMap<String, oneshot::Sender<Outcome>>>,
    guests: Guests,
    known: watch::Sender<Arc<Vec<Client>>>,
    told: Mutex<Option<Instant>>,
}

impl Service {
    pub(super) fn new(ground: Ground, clients: Clients, greeting: Greeting) -> Self {
        let Ground {
            bus,
            personas,
            guests,
            hearing,
            ears,
            longest,
            lang,
            intercom,
            ..
        } = ground;
        Self {
            bus,
            personas,
            greeting,
            live: Live::default(),
            hearing,
            ears: ears.map(Arc::new),
            longest,
            lang,
            clients,
            intercom,
            saying: Mutex::default(),
            guests,
            known: watch::channel(Arc::default()).0,
            told: Mutex::default(),
        }
    }

    /// Tells the clients that are known, each time that they change.
    pub(super) fn known(&self) -> watch::Receiver<Arc<Vec<Client>>> {
        self.known.subscribe()
    }

    /// Finds the client of this name as it is known now.
    pub(super) fn client(&self, name: &str) -> Option<Client> {
        let known = self.known.borrow();
        known.iter().find(|client| client.name == name).cloned()
    }

    /// Looks up the client with this access key.
    pub(super) fn admission(&self, credentials: &Credentials) -> Option<Admission> {
        let known = self.known.borrow();
        let client = known
            .iter()
            .find(|client| client.is_of(&credentials.access_key))?;
        Some(Admission {
            peer: place::peer(&client.name),
            psk: client.psk().ok()?,
            known: client.key(),
            old: client.old_password().filter(|_| self.greeting.takes_old),
        })
    }

    /// Finds the client with this access key, whose own key is kept where it was here for the first time, and
    /// where its protocol has keys.
    pub(super) async fn met(&self, credentials: &Credentials, key: Option<PublicKey>) -> Option<Client> {
        let known = Arc::clone(&self.known.borrow());
        let client = known
            .iter()
            .find(|client| client.is_of(&credentials.access_key))?
            .clone();
        let Some(key) = key.filter(|key| client.key() != Some(*key)) else {
            return Some(client);
        };
        let (clients, name) = (self.clients.clone(), client.name.clone());
        let kept = spawn_blocking(move || clients.keep_key(&name, key)).await;
        match kept {
            Ok(Ok(true)) => {
                self.look().await;
                Some(client)
            }
            Ok(Err(error)) => {
                tracing::warn!(client = client.name, %error, "the key of a client is not kept, and it is not let in");
                None
            }
            _ => None,
        }
    }

    /// Subscribes to the frames that clients may be told.
    pub(super) fn subscribe(&self) -> Subscription {
        self.bus.subscribe(Topics::all())
    }

    /// Tells clients what is for them, until cancelled.
    pub(super) async fn tell(&self, mut frames: Subscription, cancel: CancellationToken) {
        while let Some(Some(frame)) = cancel.run_until_cancelled(frames.recv()).await {
            if !is_for_client(&frame) {
                continue;
            }
            if frame.cut.is_some() {
                self.tell_cut(&frame.canonical);
                continue;
            }
            let context = &frame.message.context;
            let as_bytes = frame.canonical == topic::AUDIO_SPEECH && context.get(AS_BYTES).is_some();
            let message = if as_bytes {
                sound::speech(&frame.message)
            } else {
                told(&frame).map(|message| wrapped(&message))
            };
            let is_told = message.is_some_and(|message| self.live.send(context.session_id(), message));
            if !is_told {
                tracing::debug!(
                    topic = frame.canonical,
                    "a client of the hive that is meant is not there"
                );
            }
        }
    }

    fn tell_cut(&self, topic: &str) {
        let mut last = self.told.lock();
        if last.is_none_or(|last| last.elapsed() >= TOLD_EVERY) {
            tracing::warn!(
                topic,
                "a frame for a client of the hive is larger than 1 MiB and does not reach it"
            );
            *last = Some(Instant::now());
        }
    }

    /// Follows the file of clients, until cancelled.
    pub(super) async fn follow(&self, cancel: CancellationToken) {
        let mut tick = interval(LOOKED_EVERY);
        let mut seen = None;
        while cancel.run_until_cancelled(tick.tick()).await.is_some() {
            let clients = self.clients.clone();
            let mark = spawn_blocking(move || clients.mark()).await.ok().flatten();
            if mark != seen {
                seen = mark;
                self.look().await;
            }
        }
    }

    /// Reads the file of clients. Where it cannot be read, those stay that were known.
    pub(super) async fn look(&self) {
        let clients = self.clients.clone();
        match spawn_blocking(move || clients.list()).await {
            Ok(Ok(list)) => {
                // First, so that no client is served that is not bound yet.
                self.guests.bind(bound(&list));
                if let Some(intercom) = &self.intercom {
                    intercom.residents().bind(persons(&list));
                }
                self.known.send_replace(Arc::new(list));
            }
            Ok(Err(error)) => tracing::warn!(%error, "the clients of the hive are as they were"),
            Err(error) => tracing::warn!(%error, "the clients of the hive are as they were"),
        }
    }
}

/// Lists the clients that belong to a person, with the names of these.
fn persons(clients: &[Client]) -> HashMap<String, String> {
    let owned = clients.iter().filter_map(|client| {
        let person = client.access.person.clone()?;
        Some((place::peer(&client.name), person))
    });
    owned.collect()
}

/// Lists the clients whom one persona alone serves.
fn bound(clients: &[Client]) -> HashMap<String, String> {
    let bound = clients.iter().filter_map(|client| {
        let persona = client.access.persona.clone()?;
        Some((place::peer(&client.name), persona))
    });
    bound.collect()
}
