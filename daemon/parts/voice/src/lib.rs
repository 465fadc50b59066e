//! The voice of a machine that has no OVOS audio service: what is spoken becomes sound, sentence by sentence, and is played.
//!
//! Speech is made by another program (Piper, a server, `espeak-ng`) and played by our own player. One answer at a time; a
//! stop silences it within 100 ms and forgets those that wait. Speaks for the device's own session only, makes sound for
//! satellites that ask for it, plays the sounds that the bus asks for, in their turn or at once, but none of a program's while
//! a person is asked for a yes, and does none of it while an audio service is on the bus. Never decides what is said.

mod choice;
mod delivery;
mod espeak;
mod heard;
mod ladder;
mod named_sounds;
mod news;
mod piece;
mod piper;
mod process;
mod process_group;
mod remote;
mod rung;
mod sentences;
mod server;
pub mod settings;
mod sounds;
mod speed;

use std::collections::VecDeque;
use std::time::Duration;

use loquat_bus::{Bus, Received, Topics};
use loquat_orchestrator::frames;
use loquat_part::stillness::Stillness;
use loquat_speech::Player;
use loquat_wire::speech::is_question;
use loquat_wire::{Message, Session, topic};
use serde_json::{Value, json};
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio::time::{Instant, MissedTickBehavior};
use tokio_util::sync::CancellationToken;

pub use self::choice::Choice;
use self::delivery::{Answer, Courier};
pub use self::heard::{Heard, HeardSoFar};
use self::ladder::Ladder;
pub use self::named_sounds::NamedSounds;
use self::news::{News, Told};
pub use self::piper::NoPiper;
use self::remote::Remote;
use self::sounds::{Sound, Sounds};
pub use self::speed::Speed;

/// Answers that may wait to be spoken; one more pushes the oldest out, since it is out of date.
const WAITING: usize = 8;

/// This often it is looked whether an audio service has come or gone.
const LOOK_AGAIN: Duration = Duration::from_secs(10);

/// An audio service answers at once if it is there.
const PATIENCE: Duration = Duration::from_secs(1);

/// News of a delivery that wait; it makes two.
const NEWS: usize = 8;

/// The service of OVOS that speaks.
const AUDIO_SERVICE: &str = "audio";

/// Speaks.
#[derive(Debug)]
pub struct Voice {
    bus: Bus,
    lang: String,
    speed: Speed,
    player: Player,
    names: NamedSounds,
    heard: HeardSoFar,
    stillness: Stillness,
}

impl Voice {
    /// Makes a voice that is played by this player, and speaks the device's language where a frame names
    /// none.
    pub fn new(bus: Bus, lang: &str, speed: Speed, player: Player) -> Self {
        Self {
            bus,
            lang: lang.to_owned(),
            speed,
            player,
            names: NamedSounds::default(),
            heard: HeardSoFar::default(),
            stillness: Stillness::default(),
        }
    }

    /// Has no program play a sound while a person is asked for a yes.
    #[must_use]
    pub fn keeping_still(mut self, stillness: Stillness) -> Self {
        self.stillness = stillness;
        self
    }

    /// Plays the files of this machine for sounds that OVOS has names for.
    #[must_use]
    pub fn naming_sounds(mut self, names: NamedSounds) -> Self {
        self.names = names;
        self
    }

    /// Tells how much was heard of the answer that is spoken, or was spoken last.
    pub fn heard(&self) -> HeardSoFar {
        self.heard.clone()
    }

    /// Speaks by what was chosen, once that is known, until cancelled.
    pub async fn run(self, choice: impl Future<Output = Choice>, cancel: CancellationToken) {
        let ready = says_ready();
        // What is said in the meantime waits.
        let topics = [
            topic::SPEAK,
            topic::SPEAK_B64,
            topic::STOP,
            topic::AUDIO_STOP,
            topic::AUDIO_QUEUE,
            topic::AUDIO_PLAY_SOUND,
            topic::AUDIO_OUTPUT_STARTED,
            topic::AUDIO_IS_SPEAKING,
            topic::DEVICE_READY,
            ready.as_str(),
        ];
        let frames = self.bus.subscribe(Topics::of(topics).including_own());
        if let Some(choice) = cancel.run_until_cancelled(choice).await {
            Speaker::new(self, choice).run(frames, &cancel).await;
        }
    }
}

/// An entry of the queue: an answer or a sound.
#[derive(Debug)]
enum Entry {
    Answer(Answer),
    /// A sound, whether the microphone is opened behind it, and whether a program asks for it.
    Sound {
        sound: Sound,
        listen: bool,
        is_foreign: bool,
    },
}

impl Entry {
    fn listens(&self) -> bool {
        match self {
            Self::Answer(answer) => answer.listen,
            Self::Sound { listen, .. } => *listen,
        }
    }

    fn words(&self) -> Option<&str> {
        match self {
            Self::Answer(answer) => Some(&answer.text),
            Self::Sound { .. } => None,
        }
    }
}

/// The answer that is being spoken, or the sound that is played in its turn.
#[derive(Debug)]
struct Speaking {
    number: u64,
    is_answer: bool,
    listen: bool,
    sounds: bool,
}

/// The voice once it knows what it speaks by.
#[derive(Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "they are independent of one another"
)]
struct Speaker {
    voice: Voice,
    has_voice: bool,
    ladder: Ladder,
    remote: Remote,
    sounds: Sounds,
    somebody_else_speaks: bool,
    waiting: VecDeque<Entry>,
    speaking: Option<Speaking>,
    /// The number of answers and sounds so far; the next one gets the next number.
    number: u64,
    /// Says whether the bus was told that sound has begun.
    is_sounding: bool,
    /// Says whether the microphone is opened when the sound has ended.
    asking: bool,
    told: (mpsc::Sender<News>, mpsc::Receiver<News>),
    deliveries: JoinSet<()>,
    looks: JoinSet<bool>,
    chores: JoinSet<()>,
    complained: bool,
}

impl Speaker {
    fn new(mut voice: Voice, choice: Choice) -> Self {
        tracing::info!(by = choice.names().join(", "), "what speaks was looked for");
        let has_voice = !choice.rungs.is_empty();
        let ladder = Ladder::new(choice.rungs);
        Self {
            remote: Remote::new(ladder.clone()),
            sounds: Sounds::new(
                voice.player.clone(),
                std::mem::take(&mut voice.names),
                voice.stillness.clone(),
            ),
            voice,
            has_voice,
            ladder,
            somebody_else_speaks: true,
            waiting: VecDeque::new(),
            speaking: None,
            number: 0,
            is_sounding: false,
            asking: false,
            told: mpsc::channel(NEWS),
            deliveries: JoinSet::new(),
            looks: JoinSet::new(),
            chores: JoinSet::new(),
            complained: false,
        }
    }

    async fn run(mut self, mut frames: loquat_bus::Subscription, cancel: &CancellationToken) {
        // What is said before that is known waits.
        let first_look = is_audio_service_there(self.voice.bus.clone());
        let Some(is_somebody_else) = cancel.run_until_cancelled(first_look).await else {
            return;
        };
        self.note_speaker(is_somebody_else);
        let mut look = tokio::time::interval_at(Instant::now() + LOOK_AGAIN, LOOK_AGAIN);
        look.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                biased;
                () = cancel.cancelled() => break,
                Some((number, told)) = self.told.1.recv() => self.news(number, told).await,
                _ = look.tick() => self.look_for_audio_service(),
                Some(Ok(is_somebody_else)) = self.looks.join_next() => self.note_speaker(is_somebody_else),
                frame = frames.recv() => match frame {
                    Some(frame) => self.frame(frame).await,
                    None => break,
                },
            }
        }
        self.silence().await;
    }

    /// Asks in a task of its own, since a stop does not wait for an answer that does not come.
    fn look_for_audio_service(&mut self) {
        if self.looks.is_empty() {
            self.looks.spawn(is_audio_service_there(self.voice.bus.clone()));
        }
    }

    fn note_speaker(&mut self, is_somebody_else: bool) {
        self.voice.speed.set_ours(!is_somebody_else && self.has_voice);
        if self.somebody_else_speaks != is_somebody_else {
            self.somebody_else_speaks = is_somebody_else;
            while self.chores.try_join_next().is_some() {}
            let ladder = self.ladder.clone();
            self.chores
                .spawn(async move { ladder.keep_ready(!is_somebody_else).await });
        }
    }

    async fn frame(
        &mut self,
        Received {
            message,
            canonical,
            own,
            ..
        }: Received,
    ) {
        let session = message.context.session();
        let speaks = !self.somebody_else_speaks && self.has_voice;
        match canonical.as_str() {
            topic::SPEAK_B64 if speaks => self.remote.speak(message, &self.voice.bus),
            topic::SPEAK if speaks && session.is_default() => self.aloud(message),
            topic::STOP | topic::AUDIO_STOP => {
                self.remote.stop(session.id());
                if session.is_default() {
                    self.silence().await;
                }
            }
            topic::AUDIO_IS_SPEAKING if speaks || self.speaking.is_some() => {
                let speaking = session.is_default() && self.speaking.is_some();
                self.send(message.response(json!({"speaking": speaking}))).await;
            }
            topic::AUDIO_PLAY_SOUND | topic::AUDIO_QUEUE if !own && self.keeps_still(&session) => {}
            topic::AUDIO_PLAY_SOUND if !self.somebody_else_speaks && session.is_default() => {
                self.sounds.play(&message, !own);
            }
            topic::AUDIO_QUEUE if !self.somebody_else_speaks && session.is_default() => {
                self.in_its_turn(&message, !own);
            }
            // An audio service has come since we last looked.
            topic::AUDIO_OUTPUT_STARTED if !own && session.is_default() => self.give_way(),
            topic::DEVICE_READY => self.look_for_audio_service(),
            told if !own && told == says_ready() && is_ready(&message) => self.note_speaker(true),
            _ => {}
        }
    }

    /// Tells whether a program's sound is not played because a person is being asked for a yes. One that another
    /// program plays cannot be kept back, and is noted.
    fn keeps_still(&self, session: &Session) -> bool {
        let keeps = session.is_default() && self.voice.stillness.holds();
        if keeps && self.somebody_else_speaks {
            self.voice.stillness.sounds_elsewhere();
        } else if keeps {
            sounds::tell_of_stillness();
        }
        keeps
    }

    /// Plays a sound when what was asked for before it has been heard.
    fn in_its_turn(&mut self, message: &Message, is_foreign: bool) {
        if let Some(sound) = sounds::asked_for(message) {
            let listen = is_question(message);
            self.enqueue(Entry::Sound {
                sound,
                listen,
                is_foreign,
            });
        }
    }

    fn aloud(&mut self, message: Message) {
        let text = |key: &str| message.data.get(key).and_then(Value::as_str).unwrap_or_default();
        let (utterance, lang) = (text("utterance").to_owned(), text("lang").to_owned());
        if utterance.trim().is_empty() {
            return;
        }
        let answer = Answer {
            text: utterance,
            lang: if lang.is_empty() {
                self.voice.lang.clone()
            } else {
                lang
            },
            listen: is_question(&message),
            cause: message,
        };
        self.enqueue(Entry::Answer(answer));
    }

    fn enqueue(&mut self, entry: Entry) {
        if self.waiting.len() == WAITING {
            self.waiting.pop_front();
        }
        self.waiting.push_back(entry);
        if self.speaking.is_none() {
            self.next();
        }
    }

    /// Begins with the next in the queue; says whether there was one.
    fn next(&mut self) -> bool {
        while self.deliveries.try_join_next().is_some() {}
        let Some(entry) = self.waiting.pop_front() else {
            return false;
        };
        self.number += 1;
        self.speaking = Some(Speaking {
            number: self.number,
            is_answer: matches!(entry, Entry::Answer(_)),
            listen: entry.listens(),
            sounds: false,
        });
        self.deliver(entry);
        true
    }

    fn deliver(&mut self, entry: Entry) {
        let (number, told) = (self.number, self.told.0.clone());
        match entry {
            Entry::Answer(answer) => {
                let courier = Courier {
                    number,
                    ladder: self.ladder.clone(),
                    player: self.voice.player.clone(),
                    heard: self.voice.heard.clone(),
                    told,
                };
                self.deliveries.spawn(courier.deliver(answer));
            }
            Entry::Sound {
                sound, is_foreign, ..
            } => {
                let jukebox = self.sounds.jukebox(is_foreign);
                self.deliveries.spawn(jukebox.deliver(sound, number, told));
            }
        }
    }

    /// News of an answer that was stopped are none.
    async fn news(&mut self, number: u64, told: Told) {
        let Some(speaking) = self
            .speaking
            .as_mut()
            .filter(|speaking| speaking.number == number)
        else {
            return;
        };
        match told {
            Told::Sounds => {
                speaking.sounds = true;
                self.complained = false;
                if !std::mem::replace(&mut self.is_sounding, true) {
                    self.emit(topic::AUDIO_OUTPUT_STARTED).await;
                }
            }
            Told::Ended => self.ended().await,
            Told::Silenced => {
                speaking.listen = false;
                self.ended().await;
            }
            Told::Failed(why) => {
                self.complain(&why);
                self.ended().await;
            }
        }
    }

    /// Goes on with the next answer, or falls silent and listens where what was heard is a question.
    async fn ended(&mut self) {
        if let Some(speaking) = self.speaking.take().filter(|speaking| speaking.sounds) {
            self.asking = speaking.listen;
        }
        if self.next() {
            return;
        }
        let asking = std::mem::take(&mut self.asking);
        if std::mem::take(&mut self.is_sounding) {
            self.emit(topic::AUDIO_OUTPUT_ENDED).await;
            if asking {
                self.emit(topic::MIC_LISTEN).await;
            }
        }
    }

    /// Sounds that are no speech too.
    async fn silence(&mut self) {
        self.voice.player.stop();
        self.tell_unheard().await;
        if self.give_up() {
            self.emit(topic::AUDIO_OUTPUT_ENDED).await;
        }
    }

    /// An audio service has come and says the same words. That our part of them has ended is not told, and not that it was
    /// unheard: the device speaks on, and the service tells when it has ended.
    fn give_way(&mut self) {
        self.note_speaker(true);
        if self.speaking.is_some() {
            self.voice.player.stop();
            self.give_up();
        }
    }

    /// Forgets what is spoken and what waits; says whether the bus was told of sound that has not ended.
    fn give_up(&mut self) -> bool {
        self.deliveries.abort_all();
        self.waiting.clear();
        (self.speaking, self.asking) = (None, false);
        std::mem::take(&mut self.is_sounding)
    }

    /// Tells what of the answers is not heard that are given up.
    async fn tell_unheard(&self) {
        let speaking = self.speaking.as_ref().filter(|speaking| speaking.is_answer);
        let spoken = speaking.and_then(|_| self.voice.heard.now());
        let spoken = spoken.filter(|heard| !heard.is_all());
        let begun = spoken.map(|heard| json!({"utterance": heard.utterance, "heard": heard.text()}));
        let waiting = self
            .waiting
            .iter()
            .filter_map(Entry::words)
            .map(|words| json!({"utterance": words, "heard": ""}));
        for unheard in begun.into_iter().chain(waiting) {
            self.send(frames::originated(topic::LOQUAT_SPEECH_INTERRUPTED, unheard))
                .await;
        }
    }

    /// Logs it once, not at every answer: without a loudspeaker each one fails.
    fn complain(&mut self, error: &str) {
        if !std::mem::replace(&mut self.complained, true) {
            tracing::warn!(error, "an answer was not spoken, or not all of it");
        }
    }

    async fn emit(&self, topic: &str) {
        self.send(frames::originated(topic, json!({}))).await;
    }

    async fn send(&self, message: Message) {
        if let Err(error) = self.voice.bus.emit(message).await {
            tracing::debug!(%error, "failed to tell the bus about the voice");
        }
    }
}

async fn is_audio_service_there(bus: Bus) -> bool {
    let question = Message::new(topic::is_ready(AUDIO_SERVICE), json!({}));
    let answer = bus.request(question, None, PATIENCE).await;
    answer.is_ok_and(|answer| is_ready(&answer))
}

/// The topic on which an audio service tells that it is ready: it tells nothing by itself, and the core asks it
/// while the device starts.
fn says_ready() -> String {
    format!("{}.response", topic::is_ready(AUDIO_SERVICE))
}

/// An audio service that is alive and not ready has no voice yet.
fn is_ready(answer: &Message) -> bool {
    answer.data.get("status") == Some(&Value::Bool(true))
}
