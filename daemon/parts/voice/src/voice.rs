//! What is spoken becomes sound, one answer at a time, as long as no other program speaks for this device. Makes no speech itself.

use std::collections::VecDeque;
use std::time::Duration;

use loquat_bus::{Bus, Received, Topics};
use loquat_orchestrator::frames;
use loquat_part::own_voice::OwnVoice;
use loquat_part::stillness::Stillness;
use loquat_speech::Player;
use loquat_wire::speech::{self, is_question};
use loquat_wire::{Message, Session, topic, with};
use serde_json::{Value, json};
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio::time::{Instant, MissedTickBehavior};
use tokio_util::sync::CancellationToken;

use super::choice::Choice;
use super::delivery::{Answer, Courier};
use super::early::{Early, Tidings};
use super::heard::HeardSoFar;
use super::ladder::Ladder;
use super::named_sounds::NamedSounds;
use super::news::{News, Told};
use super::remote::Remote;
use super::script::{Reading, Script};
use super::sounds::{self, Sound, Sounds};
use super::speed::Speed;

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
    here: OwnVoice,
    begins_early: bool,
}

impl Voice {
    /// A voice that is played by this player, and speaks the device's language where a frame names none.
    pub fn new(bus: Bus, lang: &str, speed: Speed, player: Player) -> Self {
        Self {
            bus,
            lang: lang.to_owned(),
            speed,
            player,
            names: NamedSounds::default(),
            heard: HeardSoFar::default(),
            stillness: Stillness::default(),
            here: OwnVoice::default(),
            begins_early: false,
        }
    }

    /// Tells whether it speaks here, and whether it begins with answers that are still being written.
    #[must_use]
    pub fn beginning_early(mut self, here: OwnVoice, begins_early: bool) -> Self {
        (self.here, self.begins_early) = (here, begins_early);
        self
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
            topic::LOQUAT_SPEECH_BEGUN,
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

    fn answer(&self) -> Option<&Answer> {
        match self {
            Self::Answer(answer) => Some(answer),
            Self::Sound { .. } => None,
        }
    }

    fn is_of(&self, turn_id: &str) -> bool {
        let answer = self.answer();
        answer.is_some_and(|answer| answer.turn_id.as_deref() == Some(turn_id))
    }
}

/// The answer that is being spoken, or the sound that is played in its turn.
#[derive(Debug)]
struct Speaking {
    number: u64,
    /// What is written of it, where it is an answer.
    script: Option<Reading>,
    turn_id: Option<String>,
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
    early: Early,
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
            early: Early::default(),
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
        let is_ours = !is_somebody_else && self.has_voice;
        self.voice.speed.set_ours(is_ours);
        let begins_early = is_ours && self.voice.begins_early;
        self.voice.here.set_begins_early(begins_early);
        self.voice.here.set_speaks(is_somebody_else || self.has_voice);
        if is_somebody_else {
            // The other says all of it with the one final message.
            self.early.silence();
        }
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
            topic::SPEAK if speaks && session.is_default() => self.aloud(message, own),
            topic::LOQUAT_SPEECH_BEGUN if speaks && own && session.is_default() => self.early(message).await,
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

    /// Speaks an answer, or the rest of it where it was begun.
    fn aloud(&mut self, message: Message, own: bool) {
        let text = text_of(&message, "utterance");
        if text.trim().is_empty() {
            return;
        }
        if let Some(turn_id) = speech::begun(&message).filter(|_| own) {
            if self.early.is_silenced(turn_id) {
                return;
            }
            if self.completes(turn_id, &text, is_question(&message)) {
                self.early.close();
                return;
            }
            self.give_up_begun(turn_id);
            self.early.close();
        }
        let answer = self.answer(message, Script::whole(text).reading());
        self.enqueue(Entry::Answer(answer));
    }

    fn answer(&self, message: Message, script: Reading) -> Answer {
        let lang = text_of(&message, "lang");
        Answer {
            script,
            lang: if lang.is_empty() {
                self.voice.lang.clone()
            } else {
                lang
            },
            listen: is_question(&message),
            turn_id: None,
            cause: message,
        }
    }

    /// Adds what was not written yet of an answer that is open; says whether this is that answer.
    fn completes(&mut self, turn_id: &str, text: &str, listen: bool) -> bool {
        let Some(writing) = self.early.of(turn_id) else {
            return false;
        };
        if !text.starts_with(&writing.borrow().text) {
            return false;
        }
        writing.send_replace(Script::whole(text.to_owned()));
        for entry in &mut self.waiting {
            if let Entry::Answer(answer) = entry
                && answer.turn_id.as_deref() == Some(turn_id)
            {
                answer.listen = listen;
            }
        }
        if let Some(speaking) = self.speaking_of(turn_id) {
            speaking.listen = listen;
        }
        true
    }

    fn speaking_of(&mut self, turn_id: &str) -> Option<&mut Speaking> {
        let speaking = self.speaking.as_mut();
        speaking.filter(|speaking| speaking.turn_id.as_deref() == Some(turn_id))
    }

    /// What is told of an answer that is still being written.
    async fn early(&mut self, message: Message) {
        let Some((turn_id, tidings)) = Tidings::of(&message) else {
            return;
        };
        if self.early.is_silenced(&turn_id) {
            return;
        }
        match tidings {
            Tidings::Written(text) => self.goes_on(&turn_id, text, message),
            Tidings::TakenBack(apology) => {
                let was_heard = self.give_up_begun(&turn_id);
                self.early.take_back();
                if was_heard {
                    let apology = self.answer(message, Script::whole(apology).reading());
                    self.waiting.push_front(Entry::Answer(apology));
                }
                self.go_on_behind().await;
            }
            Tidings::BrokenOff => {
                self.tell_unheard(Some(&turn_id)).await;
                self.give_up_begun(&turn_id);
                self.early.silence();
                self.go_on_behind().await;
            }
        }
    }

    /// Begins with an answer, or adds to it.
    fn goes_on(&mut self, turn_id: &str, text: String, message: Message) {
        if let Some(writing) = self.early.of(turn_id) {
            writing.send_modify(|script| script.text = text);
            return;
        }
        let script = self.early.begin(turn_id, text);
        let answer = Answer {
            turn_id: Some(turn_id.to_owned()),
            ..self.answer(message, script)
        };
        self.enqueue(Entry::Answer(answer));
    }

    /// Falls silent in the answer of a turn, or never begins with it; says whether any of it was heard.
    fn give_up_begun(&mut self, turn_id: &str) -> bool {
        self.waiting.retain(|entry| !entry.is_of(turn_id));
        if self.speaking_of(turn_id).is_none() {
            return false;
        }
        self.voice.player.stop();
        self.deliveries.abort_all();
        self.speaking.take().is_some_and(|speaking| speaking.sounds)
    }

    /// Goes on with what waits, where nothing is spoken.
    async fn go_on_behind(&mut self) {
        if self.speaking.is_none() {
            self.ended().await;
        }
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
            script: entry.answer().map(|answer| answer.script.clone()),
            turn_id: entry.answer().and_then(|answer| answer.turn_id.clone()),
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
                self.voice.heard.begin(&answer.cause);
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
        self.tell_unheard(None).await;
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
        self.early.silence();
        std::mem::take(&mut self.is_sounding)
    }

    /// Tells what of the answers is not heard that are given up: of that of a turn, or of all.
    async fn tell_unheard(&self, turn_id: Option<&str>) {
        let is_meant = |of: Option<&str>| turn_id.is_none() || turn_id == of;
        let speaking = self.speaking.as_ref();
        let speaking = speaking.filter(|speaking| is_meant(speaking.turn_id.as_deref()));
        let heard = self.voice.heard.now().filter(|heard| !heard.is_all());
        let begun = speaking.and_then(|speaking| {
            let script = speaking.script.as_ref()?;
            Some(Unheard {
                script,
                turn_id: speaking.turn_id.as_deref(),
                heard: heard.as_ref()?.text(),
            })
        });
        let waiting = self.waiting.iter().filter_map(Entry::answer);
        let waiting = waiting.filter(|answer| is_meant(answer.turn_id.as_deref()));
        let waiting = waiting.map(|answer| Unheard {
            script: &answer.script,
            turn_id: answer.turn_id.as_deref(),
            heard: "",
        });
        let unheard = begun.into_iter().chain(waiting);
        let unheard: Vec<Message> = unheard.map(|answer| answer.told()).collect();
        for message in unheard {
            self.send(message).await;
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

/// An answer of which not all is heard.
struct Unheard<'a> {
    script: &'a Reading,
    turn_id: Option<&'a str>,
    /// The beginning of it that was heard.
    heard: &'a str,
}

impl Unheard<'_> {
    /// Tells how much was heard of what is written. Of an answer that may not be complete it tells the turn.
    fn told(&self) -> Message {
        let data = json!({"utterance": self.script.borrow().text, "heard": self.heard});
        let data = match self.turn_id {
            Some(turn_id) => with(data, "turn_id", turn_id),
            None => data,
        };
        frames::originated(topic::LOQUAT_SPEECH_INTERRUPTED, data)
    }
}

fn text_of(message: &Message, key: &str) -> String {
    let text = message.data.get(key).and_then(Value::as_str);
    text.unwrap_or_default().to_owned()
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
