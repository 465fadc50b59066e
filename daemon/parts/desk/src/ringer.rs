//! Rings: timers, alarms and reminders that are due are told on the bus until a person stops them, or for ten minutes. Deeds
//! that are due are said for the person who set them.
//!
//! The sound is played, and the sentence spoken, by an audio service or by our own voice. What is due, and what has rung before,
//! the skill knows; nothing here remembers it.
//!
//! OVOS's scheduler (SCHEDULER-1) is not used: its event goes to a skill, and no other program rings for us while this
//! daemon is down. The book of alerts is the truth, so an event could neither make, delay nor end an alert. That
//! something rings is written down before it is told, and that it was stopped before that is told: a process that is
//! killed in between rings on, and never again afterwards.

mod chime;
mod deeds;
mod events;
mod room;

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use loquat_agent::capitalised;
use loquat_bus::{Bus, Received, Topics};
use loquat_failure::with_causes;
use loquat_mind::spoken_tools::CurrentSentences;
use loquat_orchestrator::frames;
use loquat_part::satellite::is_of_satellite;
use loquat_phrases::Phrases;
use loquat_skills::alerts::{Alert, Alerts, Kind, Messages, Turn, Understands, announcement, way_to_end};
use loquat_skills::mcp::Update;
use loquat_skills::rest::Rest;
use loquat_skills::{People, Whereabouts};
use loquat_wire::session::DEFAULT_SESSION_ID;
use loquat_wire::{Languages, Message, Session, topic, utterance_lang};
use serde_json::{Value, json};
use tokio::sync::broadcast;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use self::events::{Events, News};
use self::room::Room;
use crate::spoken;

/// From one sound to the next.
const SOUND_EVERY: Duration = Duration::from_secs(4);

/// From one sentence to the next: between them a person can be heard.
const WORDS_EVERY: Duration = Duration::from_secs(40);

/// The device's clock may be set at any time, so nothing is waited for longer.
const LOOK_EVERY: Duration = Duration::from_millis(500);

/// Rings.
#[derive(Debug)]
pub struct Ringer {
    bus: Bus,
    alerts: Arc<Alerts>,
    sentences: CurrentSentences,
    languages: Languages,
    /// Absent where it could not be written.
    chime: Option<PathBuf>,
    /// What rings now, by its id.
    sounding: HashMap<u64, Sounding>,
    rest: Arc<Rest>,
    /// What waits until the device may speak unasked.
    held: HashSet<u64>,
    /// The session whose person has just been answered, and may be told what was held back.
    present: Option<String>,
    /// What triggers wait for.
    events: Events,
    /// Whether anybody speaks in the room of the device.
    room: Room,
    /// Where people are who are reminded by their names.
    people: Option<Arc<dyn People>>,
}

#[derive(Debug)]
struct Sounding {
    alert: Alert,
    next_sound: Instant,
    next_words: Instant,
}

impl Ringer {
    /// Rings for these alerts; its sound is kept in this folder.
    pub fn new(
        bus: Bus,
        alerts: Arc<Alerts>,
        sentences: CurrentSentences,
        rest: Arc<Rest>,
        languages: Languages,
        folder: &Path,
    ) -> Self {
        let chime = chime::in_folder(folder).map_err(|error| {
            tracing::warn!(folder = %folder.display(), error = with_causes(&error), "failed to write the sound of the alarm");
        });
        Self {
            bus,
            alerts,
            sentences,
            languages,
            chime: chime.ok(),
            sounding: HashMap::new(),
            rest,
            held: HashSet::new(),
            present: None,
            events: Events::default(),
            room: Room::default(),
            people: None,
        }
    }

    /// Reminds people by their names where this finds them.
    #[must_use]
    pub fn finding(self, people: Arc<dyn People>) -> Self {
        let people = Some(people);
        Self { people, ..self }
    }

    /// Tells triggers what has become so, as this finds out, of these messages, and of resources that change.
    #[must_use]
    pub fn watching(
        self,
        understands: Option<Arc<dyn Understands>>,
        messages: &Messages,
        updates: broadcast::Receiver<Update>,
    ) -> Self {
        let events = Events::new(understands, messages, updates);
        Self { events, ..self }
    }

    /// Rings until cancelled.
    pub async fn run(mut self, cancel: CancellationToken) {
        let topics = [
            topic::STOP,
            topic::WAKEWORD,
            topic::LEGACY_WAKEWORD,
            topic::UTTERANCE_HANDLE,
            topic::UTTERANCE_HANDLED,
            topic::AUDIO_OUTPUT_STARTED,
            topic::AUDIO_OUTPUT_ENDED,
        ];
        let topics = topics.into_iter().chain(self.events.topics());
        let mut frames = self.bus.subscribe(Topics::of(topics).including_own());
        let mut changes = self.alerts.changes();
        loop {
            changes.mark_unchanged();
            self.look().await;
            let wait = self.wait().await;
            tokio::select! {
                biased;
                () = cancel.cancelled() => return,
                frame = frames.recv() => match frame {
                    Some(frame) => self.frame(&frame).await,
                    None => return,
                },
                news = self.events.next() => self.news(news).await,
                _ = changes.changed() => {}
                () = sleep(wait) => {}
            }
        }
    }

    /// Tells what has become due, and goes on with what rings.
    async fn look(&mut self) {
        self.events.begin(&self.alerts).await;
        for turn in self.due().await {
            match &turn {
                Turn::Rings(_) => {}
                Turn::Missed(alert) | Turn::Held(alert) => {
                    self.say(alert, &turn, None).await;
                    self.report(alert, "missed").await;
                }
                Turn::Ends(alert) => {
                    self.sounding.remove(&alert.id);
                    self.report(alert, "ended").await;
                }
                Turn::Begins(alert) => self.have_done(alert, &turn).await,
            }
        }
        let ringing = self.alerts.ringing().await;
        self.fall_silent(&ringing).await;
        for alert in ringing {
            self.ring(alert).await;
        }
    }

    /// Tells that what was cancelled, put off or begun anew while it rang does not ring any more.
    async fn fall_silent(&mut self, ringing: &[Alert]) {
        let rings = |id: &u64| ringing.iter().any(|alert| alert.id == *id);
        let silent: Vec<Sounding> = self
            .sounding
            .extract_if(|id, _| !rings(id))
            .map(|(_, silent)| silent)
            .collect();
        for Sounding { alert, .. } in silent {
            self.report(&alert, "stopped").await;
        }
    }

    /// Has done what was waited for, where that has happened. It is told before anything else is looked at: what was begun would
    /// look like something that another process has begun.
    async fn news(&self, news: News) {
        let happened = match news {
            News::Looked(_, None) => return,
            News::Looked(id, Some(glance)) => self.alerts.see(id, glance).await.into_iter().collect(),
            News::Updated(update) => self.events.update(&self.alerts, &update).await,
        };
        self.have_all_done(happened).await;
    }

    /// What has become due and may be told now.
    async fn due(&mut self) -> Vec<Turn> {
        let (quiet, present) = (self.rest.now().await.quiet, self.present.take());
        let is_here = |alert: &Alert| present.is_some() && present == Some(self.session_of(alert));
        let is_free = !quiet && self.room.is_free();
        let is_resting = |alert: &Alert| {
            let whom = alert.whom.as_deref();
            whom.is_some_and(|whom| self.people.as_ref().is_some_and(|people| people.is_resting(whom)))
        };
        let is_held = |turn: &Turn| {
            let alert = turn.alert();
            if alert.is_own_turn() {
                return !is_free;
            }
            (quiet || is_resting(alert)) && disturbs(turn) && !is_here(alert)
        };
        let (turns, held) = self.alerts.turn_unless(is_held).await;
        let was_held = std::mem::take(&mut self.held);
        self.held = held.iter().map(|turn| turn.alert().id).collect();
        let told = turns.into_iter().map(|turn| match turn {
            Turn::Missed(alert) if was_held.contains(&alert.id) => Turn::Held(alert),
            other => other,
        });
        told.collect()
    }

    async fn ring(&mut self, alert: Alert) {
        let now = Instant::now();
        let is_new = !self.sounding.contains_key(&alert.id);
        let sounding = self.sounding.entry(alert.id).or_insert_with(|| Sounding {
            alert: alert.clone(),
            next_sound: now,
            next_words: now,
        });
        let (sounds, speaks) = (sounding.next_sound <= now, sounding.next_words <= now);
        if sounds {
            sounding.next_sound = now + SOUND_EVERY;
        }
        if speaks {
            sounding.next_words = now + WORDS_EVERY;
        }
        if is_new {
            self.report(&alert, "ringing").await;
        }
        if let (true, Some(chime)) = (sounds, self.chime.clone()) {
            let sound = json!({"uri": chime.display().to_string()});
            self.emit(self.addressed(&alert, topic::AUDIO_PLAY_SOUND, sound))
                .await;
        }
        if speaks {
            let ending = way_to_end(&alert, self.sentences.now().locales()).filter(|_| is_new);
            self.say(&alert.clone(), &Turn::Rings(alert), ending).await;
        }
    }

    async fn have_all_done(&self, happened: Vec<Turn>) {
        for turn in happened {
            self.have_done(turn.alert(), &turn).await;
        }
    }

    /// Says what was kept for now, once. Where that could not be sent, it stays written down as begun, and is told as such.
    async fn have_done(&self, alert: &Alert, turn: &Turn) {
        let Some(utterance) = deeds::utterance(alert) else {
            self.say(alert, turn, None).await;
            self.alerts.is_over(alert.id).await;
            return self.report(alert, "begun").await;
        };
        match self.bus.emit_once(utterance).await {
            Ok(_unsure) => {
                self.alerts.is_over(alert.id).await;
                self.report(alert, "begun").await;
            }
            Err(error) => tracing::warn!(%error, "failed to say what was kept for now"),
        }
    }

    /// Says what it is, and what comes after that.
    async fn say(&self, alert: &Alert, turn: &Turn, further: Option<String>) {
        let Some(words) = announcement(turn, self.sentences.now().locales()) else {
            return;
        };
        let words: Vec<String> = [capitalised(&words)].into_iter().chain(further).collect();
        let words = words.join(" ");
        let lang = alert.person.lang.as_deref().unwrap_or("en-US");
        let cause = self.addressed(alert, topic::SPEAK, json!({}));
        self.emit(spoken::speak(&cause, &words, lang)).await;
    }

    /// Tells programs what became of it.
    async fn report(&self, alert: &Alert, state: &str) {
        let data = json!({"id": alert.id, "kind": alert.kind.name(), "name": alert.name,
                          "due": alert.due.to_string(), "state": state});
        self.emit(self.addressed(alert, topic::LOQUAT_ALERT, data)).await;
    }

    /// A person who says stop, or begins to speak to the device, has heard it.
    async fn frame(
        &mut self,
        Received {
            message, canonical, ..
        }: &Received,
    ) {
        self.room.hear(canonical, message);
        let says_so = match canonical.as_str() {
            topic::AUDIO_OUTPUT_STARTED | topic::AUDIO_OUTPUT_ENDED => false,
            topic::UTTERANCE_HANDLED => {
                self.present = Some(message.context.session_id().to_owned());
                false
            }
            other if self.events.is_of(other) => {
                let happened = self.events.message(&self.alerts, other, &message.data).await;
                self.have_all_done(happened).await;
                false
            }
            topic::UTTERANCE_HANDLE => {
                let said = spoken::utterances(message).into_iter().next().unwrap_or_default();
                let lang = utterance_lang(message, &self.languages);
                Phrases::of(&lang).orders.stops(&said)
            }
            _ => true,
        };
        if !says_so || !self.alerts.is_ringing() {
            return;
        }
        let session = message.context.session();
        let is_meant =
            |alert: &Alert| session.is_default() || self.place_of(alert).session_id == session.id();
        for alert in self.alerts.silence_where(is_meant).await {
            self.sounding.remove(&alert.id);
            self.report(&alert, "stopped").await;
        }
    }

    /// A frame for the person who is reminded, where they are known to be, or else for the person who set it. A satellite that
    /// cannot be called has it ring at the device itself.
    fn addressed(&self, alert: &Alert, topic: &str, data: Value) -> Message {
        let mut message = frames::originated(topic, data);
        let Whereabouts { session_id, route } = self.place_of(alert);
        if is_of_satellite(&session_id) {
            return message;
        }
        for (key, value) in route {
            message.context.insert(&key, value);
        }
        if !session_id.is_empty() {
            message.context.set_session(&Session::named(&session_id));
        }
        message
    }

    /// Where the person is known to be who is reminded, or else where it was set.
    fn place_of(&self, alert: &Alert) -> Whereabouts {
        let whom = alert.whom.as_deref();
        let there = whom.and_then(|whom| self.people.as_ref()?.whereabouts(whom));
        there.unwrap_or_else(|| Whereabouts {
            session_id: alert.person.session_id.clone(),
            route: alert.person.route.clone(),
        })
    }

    fn session_of(&self, alert: &Alert) -> String {
        let session_id = self.place_of(alert).session_id;
        if session_id.is_empty() {
            DEFAULT_SESSION_ID.to_owned()
        } else {
            session_id
        }
    }

    async fn wait(&self) -> Option<Duration> {
        let next_look = self.events.next_look().map(|wait| wait.as_secs_f64());
        let due = self.alerts.wait_seconds().await.into_iter().chain(next_look);
        let due = due.reduce(f64::min)?;
        let due = Duration::try_from_secs_f64(due.max(0.001)).unwrap_or(LOOK_EVERY);
        // What is held back is due all the time.
        let least = if self.held.is_empty() {
            Duration::ZERO
        } else {
            LOOK_EVERY
        };
        Some(due.clamp(least, LOOK_EVERY))
    }

    async fn emit(&self, message: Message) {
        if let Err(error) = self.bus.emit(message).await {
            tracing::warn!(%error, "failed to tell what rings");
        }
    }
}

/// Whether it would disturb a person who has not set it for this very moment, as telephones see it.
fn disturbs(turn: &Turn) -> bool {
    match turn {
        Turn::Rings(alert) => alert.kind == Kind::Reminder,
        Turn::Missed(_) | Turn::Held(_) => true,
        Turn::Ends(_) | Turn::Begins(_) => false,
    }
}

fn session_of(alert: &Alert) -> &str {
    match alert.person.session_id.as_str() {
        "" => DEFAULT_SESSION_ID,
        named => named,
    }
}

/// For ever where there is nothing to wait for.
async fn sleep(wait: Option<Duration>) {
    match wait {
        Some(wait) => tokio::time::sleep(wait).await,
        None => std::future::pending().await,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The word that people are told to say ends what rings.
    #[test]
    fn the_way_to_end_it_is_a_word_that_stops() {
        let locales = loquat_skills::locales();
        for (lang, word) in [
            ("en-US", "stop"),
            ("de-DE", "Stopp"),
            ("fr-FR", "stop"),
            ("es-ES", "basta"),
            ("it-IT", "basta"),
            ("pt-PT", "basta"),
        ] {
            let lines = locales
                .file("alerts", lang, "ring_end.dialog")
                .unwrap_or_default();
            assert!(lines.iter().any(|line| line.text.contains(word)), "{lang}");
            assert!(Phrases::of(lang).orders.stops(word), "{lang}: {word}");
        }
    }
}
