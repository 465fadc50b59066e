//! One client of the hive: what it sends is judged, taken to the bus or heard; what the bus says to it is sent back.

use std::sync::Arc;
use std::time::Duration;

use loquat_hive::{HiveMessage, Kind, Link, Payload, SendError, Sound, UNACCEPTABLE};
use loquat_part::hive_place as place;
use loquat_skills::home;
use loquat_skills::intercom::{Caller, ID, Intercom, intents};
use loquat_transcription::recordings::{HearError, Heard};
use loquat_wire::{Message, Session, topic};
use serde_json::{Map, Value, json};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;
use tokio::time::{Instant, interval_at, timeout};
use tokio_util::sync::CancellationToken;

use super::access::SPEAK_SYNTH;
use super::answering::Answering;
use super::clients::Client;
use super::crossing::{AS_BYTES, Baseline, Denial, Sent, frame};
use super::live::{Seat, WAITING};
use super::microphone::{LARGEST_PIECE, Microphone, microphone};
use super::pace::Pace;
use super::service::Service;
use super::sound;
use super::wishes::{ANNOUNCE, ANNOUNCED, Outcome, ROOMS, Wish};

/// A client is asked this often whether it is still there.
const ASKED_EVERY: Duration = Duration::from_secs(20);

/// A client of which nothing was heard for so long has gone.
const GONE_AFTER: Duration = Duration::from_secs(70);

/// A client that does not read is not waited for longer.
const SENDING: Duration = Duration::from_secs(10);

/// A client has this long to hear why its connection ends.
const LEAVING: Duration = Duration::from_secs(1);

/// Recordings of one client that are heard at once.
const RECORDINGS: usize = 2;

/// Announcements of one client that are being said at once.
const WISHES: usize = 4;

/// An ear that has failed is opened again after this long at the soonest.
const LISTENED_AGAIN: Duration = Duration::from_secs(10);

/// The log tells this often of what one client is denied.
const TOLD_EVERY: Duration = Duration::from_secs(10);

/// Closed since the device ends.
const GOING_AWAY: u16 = 1001;

/// Says what becomes of the words of a recording.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Purpose {
    /// Its words go back to the client, as this topic.
    Words(&'static str),
    /// Its words are answered as an utterance.
    Answer,
}

pub(super) struct Connection<'a> {
    client: Client,
    service: Arc<Service>,
    seat: Seat<'a>,
    known: watch::Receiver<Arc<Vec<Client>>>,
    way: mpsc::Sender<HiveMessage>,
    baseline: Baseline,
    recordings: JoinSet<()>,
    /// The microphone whose sound comes in, once there is any, and the moment at which listening to it began.
    microphone: Option<(Microphone, Instant)>,
    ears: JoinSet<()>,
    /// What it has said in other rooms.
    wishes: JoinSet<()>,
    pace: Pace,
    denied: (u64, Option<Instant>),
}

/// Serves until the client goes, breaks the protocol or is no client any more.
pub(super) async fn serve<Stream>(
    mut link: Link<Stream>,
    client: Client,
    service: Arc<Service>,
    cancel: CancellationToken,
) where
    Stream: AsyncRead + AsyncWrite + Unpin,
{
    let (way, waiting) = mpsc::channel(WAITING);
    let shared = Arc::clone(&service);
    let seat = shared.live.enter(&client.name, way.clone());
    tracing::info!(
        client = client.name,
        old_protocol = link.is_old(),
        "a client of the hive is there"
    );
    let name = client.name.clone();
    let connection = Connection {
        known: service.known(),
        client,
        service,
        seat,
        way,
        baseline: Baseline::new(),
        recordings: JoinSet::new(),
        microphone: None,
        ears: JoinSet::new(),
        wishes: JoinSet::new(),
        pace: Pace::new(),
        denied: (0, None),
    };
    let (code, reason) = connection.run(&mut link, waiting, cancel).await;
    tracing::info!(client = name, reason, "a client of the hive has gone");
    timeout(LEAVING, link.close(code, reason)).await.ok();
}

impl Connection<'_> {
    /// Runs until the connection ends, and gives the reason.
    async fn run<Stream: AsyncRead + AsyncWrite + Unpin>(
        mut self,
        link: &mut Link<Stream>,
        mut waiting: mpsc::Receiver<HiveMessage>,
        cancel: CancellationToken,
    ) -> (u16, &'static str) {
        let mut tick = interval_at(Instant::now() + ASKED_EVERY, ASKED_EVERY);
        // It may have been removed before changes were listened for.
        if !self.is_known() {
            return (UNACCEPTABLE, "this client was removed");
        }
        loop {
            tokio::select! {
                () = cancel.cancelled() => return (GOING_AWAY, "the device ends"),
                () = self.seat.end.cancelled() => return (UNACCEPTABLE, "too much waits to be read"),
                Ok(()) = self.known.changed() => {
                    if !self.is_known() {
                        return (UNACCEPTABLE, "this client was removed");
                    }
                }
                Some(_) = self.recordings.join_next() => {}
                Some(_) = self.ears.join_next() => {}
                Some(_) = self.wishes.join_next() => {}
                message = link.receive() => match message {
                    Ok(Some(message)) => {
                        self.pace.one(link.taken()).await;
                        self.take(message).await;
                    }
                    Ok(None) => return (UNACCEPTABLE, "the client has ended"),
                    Err(error) => {
                        tracing::warn!(client = self.client.name, %error, "the connection of a client ends");
                        return (UNACCEPTABLE, "invalid message");
                    }
                },
                Some(message) = waiting.recv() => match timeout(SENDING, link.send(&message)).await {
                    Ok(Ok(())) => {}
                    Ok(Err(error @ SendError::Unsendable)) => {
                        tracing::warn!(client = self.client.name, %error, "a client is not told something");
                    }
                    Ok(Err(error)) => {
                        tracing::debug!(client = self.client.name, %error, "the connection of a client ends");
                        return (UNACCEPTABLE, "a message could not be sent");
                    }
                    Err(_) => return (UNACCEPTABLE, "the client does not read"),
                },
                _ = tick.tick() => {
                    let asked = timeout(SENDING, link.ping()).await;
                    if link.heard().elapsed() >= GONE_AFTER || !matches!(asked, Ok(Ok(()))) {
                        return (UNACCEPTABLE, "nothing was heard of the client");
                    }
                }
            }
        }
    }

    /// Tells whether the client is one still, with the keys by which it came.
    fn is_known(&mut self) -> bool {
        let now = self.service.client(&self.client.name);
        match now.filter(|now| now.is_same(&self.client)) {
            Some(now) => {
                self.client = now;
                true
            }
            None => false,
        }
    }

    async fn take(&mut self, message: HiveMessage) {
        let taken = match (message.kind, message.payload) {
            (Kind::Hello, Payload::Object(hello)) => {
                self.baseline.hear(&hello);
                Ok(())
            }
            (Kind::Bus, Payload::Object(payload)) => self.bus(&payload).await,
            (Kind::Binary, Payload::Bytes(sound, bytes)) => self.bytes(sound, bytes, message.metadata),
            // A copy of what goes on there, and an echo of the handshake.
            (Kind::SharedBus | Kind::Handshake | Kind::Ping, _) => Ok(()),
            (kind, _) => Err(Denial::unserved(
                kind.name(),
                "this hive has one listener and passes nothing on to other nodes",
            )),
        };
        if let Err(denial) = taken {
            self.deny(&denial);
        }
    }

    fn deny(&mut self, denial: &Denial) {
        let (count, told) = &mut self.denied;
        *count += 1;
        if told.is_none_or(|told| told.elapsed() >= TOLD_EVERY) {
            tracing::warn!(
                client = self.client.name,
                what = denial.denied,
                why = denial.reason,
                times = *count,
                "something was denied to a client of the hive"
            );
            self.denied = (0, Some(Instant::now()));
        }
        self.tell(denial.message(&self.client.name));
    }

    /// Queues a message for the client. A client that does not read, so that too much waits already, loses its
    /// connection.
    fn tell(&self, message: HiveMessage) {
        if self.way.try_send(message).is_err() {
            self.seat.end.cancel();
        }
    }

    /// Takes in a message that the client sends to the bus.
    async fn bus(&mut self, payload: &Map<String, Value>) -> Result<(), Denial> {
        let sent = Sent::read(payload)?;
        let canonical = topic::canonical_of(&sent.topic).to_owned();
        if [ROOMS, ANNOUNCE, ANNOUNCED].contains(&canonical.as_str()) {
            // A client that may ask may have something said, too.
            self.judge(topic::UTTERANCE_HANDLE)?;
            return self.intercom(&sent);
        }
        self.judge(&sent.topic)?;
        let session = self.session(&sent.topic, sent.session.as_ref())?;
        match canonical.as_str() {
            topic::LISTENER_B64_TRANSCRIBE => {
                let words = Purpose::Words("recognizer_loop:b64_transcribe.response");
                self.recording_in(&sent, words, session)
            }
            topic::LISTENER_B64_AUDIO => self.recording_in(&sent, Purpose::Answer, session),
            SPEAK_SYNTH => {
                let mut wish = frame(topic::SPEAK_B64, sent.data, &self.client.name, &session);
                wish.context.insert(AS_BYTES, true);
                self.emit(&sent.topic, wish).await
            }
            _ => {
                let frame = frame(&canonical, sent.data, &self.client.name, &session);
                self.emit(&sent.topic, frame).await
            }
        }
    }

    /// Takes what another Loquat tells of rooms, or has said in them.
    fn intercom(&mut self, sent: &Sent) -> Result<(), Denial> {
        let Some(intercom) = self.service.intercom.clone() else {
            return Err(Denial::unserved(
                &sent.topic,
                "nothing is said in other rooms here",
            ));
        };
        if !self.client.access.reaches(ID) {
            return Err(Denial::unserved(
                &sent.topic,
                "this client may have nothing said in other rooms",
            ));
        }
        let session = self.session(&sent.topic, sent.session.as_ref())?;
        let answering = self.answering(&sent.topic, session);
        let back = format!("{}.response", sent.topic);
        match sent.topic.as_str() {
            ROOMS => {
                self.seat.tells();
                let lang = sent.data.get("lang").and_then(Value::as_str).map(str::to_owned);
                let rooms = intercom.rooms(&self.caller(&intercom, &answering, lang));
                answering.tell(&back, json!({"rooms": rooms}));
            }
            ANNOUNCED => {
                let id = sent.data.get("id").and_then(Value::as_str).unwrap_or_default();
                if let Some(told) = self.service.saying.lock().remove(id) {
                    // The wait for it may be over.
                    told.send(Outcome::read(&sent.data)).ok();
                }
            }
            _ => {
                let wish = self.wish(sent)?;
                let caller = self.caller(&intercom, &answering, wish.lang.clone());
                self.wishes.spawn(async move {
                    let outcome = wish.say(&intercom, &caller).await;
                    answering.tell(&back, json!({"id": wish.id, "outcome": outcome.name()}));
                });
            }
        }
        Ok(())
    }

    /// Reads what is to be said, where the client may have it said now.
    fn wish(&self, sent: &Sent) -> Result<Wish, Denial> {
        let wish = Wish::read(&sent.data).ok_or_else(|| {
            Denial::malformed(
                &sent.topic,
                "a message has 300 characters at most, and one at least",
            )
        })?;
        let is_denied = intents(wish.is_reply).any(|intent| self.client.access.denies_intent(&intent));
        let refusals = [
            (self.service.personas.are_stopped(), "the emergency stop is set"),
            (is_denied, "this client may have nothing said in other rooms"),
            (
                self.wishes.len() >= WISHES,
                "too much of this client is being said",
            ),
        ];
        let refused = refusals.into_iter().find(|(is_so, _)| *is_so);
        refused.map_or(Ok(wish), |(_, why)| Err(Denial::unserved(&sent.topic, why)))
    }

    /// The client as who has something said in other rooms.
    fn caller(&self, intercom: &Intercom, answering: &Answering, lang: Option<String>) -> Caller {
        let person = intercom.residents().in_session(answering.session.id());
        Caller {
            station: place::peer(&self.client.name),
            name: person.map(|named| named.name),
            lang: lang.unwrap_or_else(|| self.service.lang.clone()),
            is_guest: true,
            is_kept_from_homes: !self.client.access.reaches(home::ID),
        }
    }

    /// Tells whether the client may send this, and the persona that is to answer it is there.
    fn judge(&self, topic: &str) -> Result<(), Denial> {
        let access = &self.client.access;
        if !access.allows(topic) {
            return Err(Denial::forbidden(topic));
        }
        match &access.persona {
            Some(persona) if !self.service.personas.offers(persona) => {
                let why = format!("the persona {persona}, which alone answers this client, is not there");
                Err(Denial::unserved(topic, &why))
            }
            _ => Ok(()),
        }
    }

    fn session(&self, topic: &str, told: Option<&Map<String, Value>>) -> Result<Session, Denial> {
        let Client { name, access, .. } = &self.client;
        let session = self.baseline.session(name, access, told);
        let session = session.ok_or_else(|| {
            Denial::malformed(
                topic,
                "the id of a session has 1 to 96 visible characters of ASCII",
            )
        })?;
        self.seat.speaks_in(session.id());
        Ok(session)
    }

    async fn emit(&self, topic: &str, frame: Message) -> Result<(), Denial> {
        let emitted = self.service.bus.emit(frame).await;
        emitted.map_err(|error| {
            Denial::unserved(topic, &format!("the bus of the device does not take it: {error}"))
        })
    }

    /// Takes bytes: they are a recording, or something that is not wanted.
    fn bytes(&mut self, sound: Sound, bytes: Vec<u8>, told: Map<String, Value>) -> Result<(), Denial> {
        let (topic, purpose) = match sound {
            Sound::Transcribe => (
                topic::LISTENER_B64_TRANSCRIBE,
                Purpose::Words("recognizer_loop:transcribe.response"),
            ),
            Sound::Handle => (topic::LISTENER_B64_AUDIO, Purpose::Answer),
            Sound::Raw => return self.sound(bytes, &told),
            _ => return Err(Denial::unserved("binary", "only recordings are taken as bytes")),
        };
        self.judge(topic).map_err(|denial| Denial {
            denied: "binary".to_owned(),
            ..denial
        })?;
        let session = self.session("binary", None)?;
        self.recording("binary", Recording { bytes, told }, purpose, session)
    }

    fn recording_in(&mut self, sent: &Sent, purpose: Purpose, session: Session) -> Result<(), Denial> {
        let bytes = sound::of_base64(&sent.data);
        let bytes = bytes.map_err(|error| Denial::malformed(&sent.topic, &error.to_string()))?;
        let mut told = sent.data.clone();
        told.remove("audio");
        self.recording(&sent.topic, Recording { bytes, told }, purpose, session)
    }

    /// Has a recording heard beside the connection, which goes on.
    fn recording(
        &mut self,
        what: &str,
        recording: Recording,
        purpose: Purpose,
        session: Session,
    ) -> Result<(), Denial> {
        // What is heard in it is asked as if it had been written.
        if purpose == Purpose::Answer {
            self.judge(topic::UTTERANCE_HANDLE)?;
        }
        if self.service.hearing.is_none() {
            let why =
                "no recordings are heard here: a model of whisper is missing, or hive.transcribe is false";
            return Err(Denial::unserved(what, why));
        }
        if self.recordings.len() >= RECORDINGS {
            return Err(Denial::unserved(
                what,
                "too many recordings of this client are being heard",
            ));
        }
        let task = Task(self.answering(what, session));
        self.recordings.spawn(task.run(recording, purpose));
        Ok(())
    }

    fn answering(&self, what: &str, session: Session) -> Answering {
        Answering {
            service: Arc::clone(&self.service),
            way: self.way.clone(),
            client: self.client.name.clone(),
            what: what.to_owned(),
            session,
        }
    }

    /// Takes a piece of what a microphone hears, which is listened to from the first one on.
    fn sound(&mut self, bytes: Vec<u8>, told: &Map<String, Value>) -> Result<(), Denial> {
        let topics = [topic::LISTENER_B64_AUDIO, topic::UTTERANCE_HANDLE];
        let denied = |denial| Denial {
            denied: "binary".to_owned(),
            ..denial
        };
        topics
            .iter()
            .try_for_each(|topic| self.judge(topic))
            .map_err(denied)?;
        if bytes.len() > LARGEST_PIECE {
            return Err(Denial::malformed("binary", "a piece of sound has 64 KiB at most"));
        }
        // An ear that has failed has said why, and is tried again a while later.
        let is_heard = |(microphone, began): &(Microphone, Instant)| {
            microphone.is_open() || began.elapsed() < LISTENED_AGAIN
        };
        if !self.microphone.as_ref().is_some_and(is_heard) {
            self.microphone = Some((self.listen()?, Instant::now()));
        }
        if let Some((microphone, _)) = &self.microphone {
            microphone.take(bytes, told);
        }
        Ok(())
    }

    /// Begins to listen to the microphone of the client.
    fn listen(&mut self) -> Result<Microphone, Denial> {
        let Some(ears) = self.service.ears.clone() else {
            let why = "no microphones are heard here: a recogniser, or a model of voice activity or of a wake word, is missing, or \
                       hive.transcribe is false";
            return Err(Denial::unserved("binary", why));
        };
        let answering = self.answering("binary", self.session("binary", None)?);
        let Some((microphone, listening)) = microphone(&ears, answering) else {
            return Err(Denial::unserved("binary", "too many microphones are listened to"));
        };
        self.ears.spawn(listening.run());
        Ok(microphone)
    }
}

/// A recording as a client sends it.
struct Recording {
    bytes: Vec<u8>,
    /// What is told of it: its format and its language.
    told: Map<String, Value>,
}

/// A recording that is being turned into words.
struct Task(Answering);

impl Task {
    async fn run(self, recording: Recording, purpose: Purpose) {
        let named = recording
            .told
            .get("lang")
            .and_then(Value::as_str)
            .or(self.0.session.lang());
        let lang = named.unwrap_or(&self.0.service.lang).to_owned();
        let outcome = self.heard(recording, lang.clone()).await;
        let message = match outcome {
            Err(denial) => Some(denial.message(&self.0.client)),
            Ok(Heard { text, .. }) if text.is_empty() && purpose == Purpose::Answer => {
                let unknown = self
                    .0
                    .back("recognizer_loop:speech.recognition.unknown", json!({}));
                Some(unknown)
            }
            Ok(Heard { text, .. }) => match purpose {
                Purpose::Words(topic) => {
                    let all: Vec<_> = Some(text)
                        .filter(|text| !text.is_empty())
                        .map(|text| (text, 1.0))
                        .into_iter()
                        .collect();
                    Some(self.0.back(topic, json!({"transcriptions": all, "lang": lang})))
                }
                Purpose::Answer => self
                    .0
                    .ask(&text, &lang)
                    .await
                    .map(|denial| denial.message(&self.0.client)),
            },
        };
        if let Some(message) = message {
            // A connection that has gone wants no words.
            self.0.way.send(message).await.ok();
        }
    }

    async fn heard(&self, recording: Recording, lang: String) -> Result<Heard, Denial> {
        let longest = self.0.service.longest;
        let Recording { bytes, told } = recording;
        let samples = tokio::task::spawn_blocking(move || sound::samples(&bytes, &told, longest)).await;
        let samples = match samples {
            Ok(Ok(samples)) => samples,
            Ok(Err(error)) => return Err(Denial::malformed(&self.0.what, &error.to_string())),
            Err(error) => return Err(Denial::unserved(&self.0.what, &error.to_string())),
        };
        let hearing = self.0.service.hearing.as_ref();
        let hearing =
            hearing.ok_or_else(|| Denial::unserved(&self.0.what, "no recordings are heard here"))?;
        let heard = hearing.hear(samples, lang).await;
        heard.map_err(|error: HearError| Denial::unserved(&self.0.what, &error.to_string()))
    }
}
