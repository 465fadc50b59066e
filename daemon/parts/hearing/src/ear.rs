//! The ear on the bus: what the microphone hears becomes frames, and what the bus asks of a listener is done.
//!
//! Order and payloads are those of AUDIO-IN-1. Nothing here looks at sound; `loquat-speech` does.

mod half_heard;
mod interruption;
mod own_words;
mod record_mode;
mod recordings;
mod speaking_on;
mod state;
mod words;

use std::collections::HashSet;
use std::time::Duration;

use loquat_bus::{Bus, Received, Topics};
use loquat_orchestrator::intent_call::CALL;
use loquat_part::EarNews;
use loquat_part::heard::{ADDRESSEE, BEGAN};
use loquat_part::satellite::is_of_satellite;
use loquat_speech::{EarEvent, EarHandle, Transcript, Trigger, WakeWord, WakeWordEffect};
use loquat_transcription::Ladder;
use loquat_wire::speech::{MICROPHONE, is_aside, is_question};
use loquat_wire::{Languages, Message, Session, listening_lang, session, topic};
use serde_json::{Value, json};
use tokio::sync::{mpsc, watch};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use self::interruption::Interruption;
use self::own_words::{OwnWords, TOLD_LATE};
use self::recordings::Recordings;
use self::speaking_on::SpeakingOn;
use self::state::Modes;
use crate::settings::Listening;

pub use self::half_heard::HalfHeard;
pub use self::record_mode::RecordMode;
pub use self::words::Sounds;

/// Consumers of shipped components take this id for the device itself (AUDIO-IN-1, shipped).
pub(crate) const SOURCE: &str = MICROPHONE;

/// How long an interruption is waited for where the end of what is spoken is not told.
const LONGEST_SPEECH: Duration = Duration::from_secs(300);

/// Destinations under which the device's own listener is meant.
const NATIVE: [&str; 3] = [SOURCE, "debug_cli", "loquat"];

/// Joins an ear and the bus.
#[derive(Debug)]
pub struct EarOnBus {
    bus: Bus,
    ear: EarHandle,
    events: mpsc::Receiver<EarEvent>,
    languages: Languages,
    /// The language of what is heard next.
    lang: String,
    mute_during_output: bool,
    /// The first word behind which it listens.
    wake_word: Option<String>,
    sounds: Sounds,
    /// The persona that what is heard next is for.
    addressee: Option<String>,
    /// The microphone was muted on purpose.
    muted: bool,
    /// The device is speaking and must not be heard.
    speaking: bool,
    /// The alerts that ring here, by their ids.
    ringing: HashSet<u64>,
    own_words: OwnWords,
    last_capture: LastCapture,
    speaking_on: SpeakingOn,
    modes: Modes,
    /// What others have recorded.
    recordings: Option<Recordings>,
    /// Where what others want recorded goes.
    record_mode: Option<RecordMode>,
    /// How the recording is called that goes on.
    recording_name: String,
    news: watch::Sender<EarNews>,
    half_heard: HalfHeard,
}

/// The capture that is open, or was last.
#[derive(Debug, Default)]
struct LastCapture {
    /// What opened it.
    trigger: Option<Trigger>,
    /// When.
    began: Option<Instant>,
    /// Whether a word that stops was heard in it and obeyed before its end.
    is_obeyed: bool,
    behind: Behind,
}

impl LastCapture {
    fn opened_by(trigger: Trigger) -> Self {
        let late = if trigger.is_unasked() {
            TOLD_LATE
        } else {
            Duration::ZERO
        };
        Self {
            trigger: Some(trigger),
            began: Instant::now().checked_sub(late),
            ..Self::default()
        }
    }
}

/// What is listened for once an interruption turns out to be none: while it was open, nothing else could be opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Behind {
    /// The next one, while the device speaks.
    #[default]
    Speech,
    /// A person who speaks on to the answer, which has ended meanwhile.
    Answer(Duration),
    /// What the device was asked to listen to meanwhile.
    Question,
}

impl EarOnBus {
    /// Joins `ear` and `bus`; `None` when another task reads the ear already.
    pub fn new(bus: Bus, ear: EarHandle, languages: Languages, mute_during_output: bool) -> Option<Self> {
        let events = ear.take_events()?;
        let (news, _) = watch::channel(EarNews::default());
        Some(Self {
            bus,
            ear,
            events,
            lang: languages.default_lang().to_owned(),
            languages,
            mute_during_output,
            wake_word: None,
            sounds: Sounds::default(),
            addressee: None,
            muted: false,
            speaking: false,
            ringing: HashSet::new(),
            own_words: OwnWords::default(),
            last_capture: LastCapture::default(),
            speaking_on: SpeakingOn::new(Duration::ZERO),
            modes: Modes::default(),
            recordings: None,
            record_mode: None,
            recording_name: String::new(),
            news,
            half_heard: HalfHeard::default(),
        })
    }

    /// Says which words the device heeds, and what is played when it begins to listen.
    #[must_use]
    pub fn with_wake_words(mut self, words: &[WakeWord], sounds: Sounds) -> Self {
        let listening = words.iter().find(|word| word.effect.opens_capture());
        self.wake_word = listening.map(|word| word.name.clone());
        self.sounds = sounds;
        self
    }

    /// Begins in this mode; "hybrid" waits so long for a person who speaks on.
    #[must_use]
    pub fn in_mode(mut self, mode: Listening, hybrid: Duration) -> Self {
        self.modes = Modes::new(mode, hybrid);
        self
    }

    /// Waits so long for a person who speaks on after an answer, where the mode does not say how long.
    #[must_use]
    pub fn awaiting_follow_ups(mut self, patience: Duration) -> Self {
        self.modes.await_follow_ups(patience);
        self.speaking_on = SpeakingOn::new(self.modes.patience());
        self
    }

    /// Hears words that stop over our own voice, of which the echo is cancelled, where anything else needs a wake word.
    #[must_use]
    pub fn hearing_stop_over_speech(mut self, hears: bool) -> Self {
        self.modes.hear_stop_over_speech(hears);
        self
    }

    /// Turns what others have recorded into text, too.
    #[must_use]
    pub fn hearing_recordings(mut self, ladder: &Ladder) -> Self {
        self.recordings = Some(Recordings::new(self.bus.clone(), ladder.clone()));
        self
    }

    /// Records what programs want recorded, there.
    #[must_use]
    pub fn recording_into(mut self, record_mode: RecordMode) -> Self {
        self.record_mode = Some(record_mode);
        self
    }

    /// Tells there what is understood while it listens.
    #[must_use]
    pub fn telling_half_heard(mut self, half_heard: HalfHeard) -> Self {
        self.half_heard = half_heard;
        self
    }

    /// Follows whether the device can hear.
    pub fn news(&self) -> watch::Receiver<EarNews> {
        self.news.subscribe()
    }

    /// Serves until cancelled.
    pub async fn run(mut self, cancel: CancellationToken) {
        let topics = [
            topic::MIC_LISTEN,
            topic::MIC_MUTE,
            topic::MIC_UNMUTE,
            topic::MIC_MUTE_TOGGLE,
            topic::MIC_GET_STATUS,
            topic::LISTENER_SLEEP,
            topic::LISTENER_WAKE,
            topic::LEGACY_WAKE_UP,
            topic::RECORD_STOP,
            topic::LISTENER_STATE_GET,
            topic::LISTENER_STATE_SET,
            topic::LISTENER_B64_AUDIO,
            topic::LISTENER_B64_TRANSCRIBE,
            topic::AUDIO_OUTPUT_STARTED,
            topic::AUDIO_OUTPUT_ENDED,
            topic::AUDIO_STOP,
            topic::STOP,
            topic::SPEAK,
            topic::LOQUAT_SPEECH_BEGUN,
            topic::LOQUAT_ALERT,
        ];
        let mut frames = self.bus.subscribe(Topics::of(topics).including_own());
        loop {
            tokio::select! {
                biased;
                () = cancel.cancelled() => return,
                event = self.events.recv() => match event {
                    Some(event) => self.event(event).await,
                    None => return cancel.cancelled().await,
                },
                frame = frames.recv() => match frame {
                    Some(frame) => self.frame(frame).await,
                    None => return,
                },
                () = Recordings::heard(&mut self.recordings) => {}
            }
        }
    }

    async fn event(&mut self, event: EarEvent) {
        // Of a capture that may interrupt nothing is told before it is known that the device was meant.
        if !self.is_interruption() {
            self.half_heard.take(&event);
        }
        match event {
            EarEvent::Ready { device } => {
                let wake_word = self.wake_word.clone();
                tracing::info!(device, wake_word, "the microphone is open");
                self.news.send_replace(EarNews::Hears { device, wake_word });
            }
            EarEvent::Unavailable { reason } => {
                tracing::warn!(reason, "the microphone is not there");
                self.news.send_replace(EarNews::Deaf(reason));
            }
            EarEvent::WakeWord {
                wake_word, effect, ..
            } => self.called(&wake_word, effect).await,
            EarEvent::RecordStarted { trigger } => {
                // What opens a capture without a word is for the usual persona.
                if trigger != Trigger::WakeWord {
                    self.addressee = None;
                }
                self.last_capture = LastCapture::opened_by(trigger);
                self.own_words.capture_began();
                if !self.is_interruption() {
                    self.tell_capture(true).await;
                }
            }
            EarEvent::RecordEnded if self.is_interruption() => self.listen_behind_answer(),
            EarEvent::RecordEnded => self.tell_capture(false).await,
            EarEvent::SoFar { text, .. } if self.is_interruption() => self.stopped(&text).await,
            EarEvent::Heard(_) | EarEvent::NothingHeard if self.last_capture.is_obeyed => {
                self.watch_over_speech();
            }
            EarEvent::Heard(transcript) if self.is_interruption() => self.interrupted(transcript).await,
            EarEvent::NothingHeard if self.is_interruption() => self.watch_on(),
            EarEvent::Heard(transcript) if self.own_words.are_in(&transcript.text) => {
                tracing::debug!("the device has heard itself");
                self.nothing_heard().await;
            }
            EarEvent::Heard(transcript) => self.understood(transcript).await,
            EarEvent::NothingHeard => self.nothing_heard().await,
            EarEvent::RecordingStarted { path } => {
                self.modes.recording_began();
                tracing::info!(path = %path.display(), "all sound is recorded, as a program asked for");
                self.emit(topic::RECORD_STARTED, json!({})).await;
            }
            EarEvent::RecordingEnded { path, length, end } => self.recorded(&path, length, &end).await,
            EarEvent::Awoken => self.emit(topic::LISTENER_AWOKEN, json!({})).await,
            _ => {}
        }
    }

    /// A wake word was heard.
    async fn called(&mut self, name: &str, effect: WakeWordEffect) {
        let ends_recording = self.modes.is_recording();
        for frame in words::frames(name, &effect, &self.lang, &self.sounds) {
            // Who ends a recording silences nothing else.
            if !(ends_recording && frame.topic == topic::STOP) {
                self.send(frame).await;
            }
        }
        if effect.opens_capture() {
            self.speaking_on.was_addressed();
        }
        self.addressee = match effect {
            WakeWordEffect::Persona(name) => Some(name),
            _ => None,
        };
    }

    /// Tells whether the last capture was opened by a voice while the device spoke.
    fn is_interruption(&self) -> bool {
        self.last_capture.trigger == Some(Trigger::Interruption)
    }

    /// Tells that a capture begins, or has ended.
    async fn tell_capture(&mut self, begins: bool) {
        if begins {
            self.modes.capture_began();
            self.emit(topic::RECORD_STARTED, json!({})).await;
        } else {
            self.modes.capture_ended();
            self.emit(topic::RECORD_ENDED, json!({})).await;
        }
    }

    async fn understood(&mut self, transcript: Transcript) {
        self.modes.is_understood();
        self.speaking_on.heard();
        if self.modes.is_hybrid()
            && let Some(patience) = self.speaking_on.patience()
        {
            self.ear.await_follow_up(patience);
        }
        self.heard(transcript).await;
        self.listen_in(self.languages.default_lang().to_owned());
    }

    async fn nothing_heard(&mut self) {
        self.modes.is_understood();
        self.speaking_on.ended();
        self.listen_in(self.languages.default_lang().to_owned());
        self.emit(topic::STT_FAILED, json!({})).await;
        self.emit(topic::LEGACY_STT_FAILED, json!({})).await;
    }

    /// Obeys a word that stops before the end of the capture is found, which what the device says may put off.
    async fn stopped(&mut self, so_far: &str) {
        let order = interruption::order(so_far, &self.lang, &self.own_words);
        let Some(text) = order.filter(|_| !self.last_capture.is_obeyed) else {
            return;
        };
        self.last_capture.is_obeyed = true;
        self.tell_capture(true).await;
        self.tell_capture(false).await;
        self.understood(Transcript {
            text,
            alternatives: Vec::new(),
            lang: self.lang.clone(),
            confidence: 1.0,
            open_end: 0.0,
            elapsed: Duration::ZERO,
        })
        .await;
        self.ear.stop_recording();
    }

    /// Words were said while the device spoke. Their capture is told now, if they were meant for it.
    async fn interrupted(&mut self, transcript: Transcript) {
        // Who begins before the end of an answer or question, and is listened to behind it, needs no word.
        let needs_word = self.modes.needs_word() && self.last_capture.behind == Behind::Speech;
        let said = match interruption::read(&transcript, &self.own_words, needs_word) {
            Interruption::Nothing => return self.watch_on(),
            Interruption::Utterance => transcript,
            Interruption::Stop(text) => Transcript {
                text,
                alternatives: Vec::new(),
                ..transcript
            },
        };
        self.ear.end_follow_up();
        self.tell_capture(true).await;
        self.tell_capture(false).await;
        self.understood(said).await;
    }

    /// Listens for a person who speaks on while it is not known yet what interrupted the answer: mostly our own voice, of which
    /// whisper makes something only after seconds.
    fn listen_behind_answer(&self) {
        if let Behind::Answer(patience) = self.last_capture.behind {
            self.ear.await_follow_up(patience);
        }
    }

    /// Listens for an interruption. Where no wake word is needed after what was heard, none is needed to interrupt
    /// the answer either; where one is, a word that stops counts without.
    fn watch_over_speech(&self) {
        let watches = self.modes.watches_over_speech(self.own_words.are_ours());
        if watches && self.own_words.is_speaking() {
            self.ear.await_follow_up(LONGEST_SPEECH);
        }
    }

    /// Listens on, since what interrupted the device was nothing to it.
    fn watch_on(&mut self) {
        match std::mem::take(&mut self.last_capture.behind) {
            Behind::Speech => self.watch_over_speech(),
            Behind::Answer(patience) => self.ear.await_follow_up(patience),
            Behind::Question => {
                if let Err(error) = self.ear.listen() {
                    tracing::debug!(%error, "nothing is listened to behind an interruption");
                }
            }
        }
    }

    async fn heard(&mut self, transcript: Transcript) {
        // Whisper names a language alone; the device's tag says more about the same language.
        let same = self.lang.split('-').next() == transcript.lang.split('-').next();
        let lang = if same { self.lang.clone() } else { transcript.lang };
        let utterances: Vec<String> = std::iter::once(transcript.text)
            .chain(transcript.alternatives)
            .collect();
        let mut frame = Self::frame_of(
            topic::UTTERANCE_HANDLE,
            json!({"utterances": utterances, "lang": lang}),
        );
        frame.context.set_destination("skills");
        // Shipped cores read the language from the context, the specification from the session.
        frame.context.insert("stt_lang", json!(lang));
        let age = self.last_capture.began.map(|began| began.elapsed().as_millis());
        if let Some(age) = age.and_then(|age| u64::try_from(age).ok()) {
            frame.context.insert(BEGAN, age);
        }
        if let Some(addressee) = self.addressee.take() {
            frame.context.insert(ADDRESSEE, addressee);
        }
        let mut session = frame.context.session();
        session.insert("stt_lang", json!(lang));
        frame.context.set_session(&session);
        self.send(frame).await;
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
        match canonical.as_str() {
            // A recording goes on until it is ended.
            topic::MIC_LISTEN if is_for_us(&message) && !self.modes.is_recording() => {
                self.listen_in(listening_lang(&message.context.session(), &self.languages));
                match self.ear.listen() {
                    Ok(()) => {
                        self.last_capture.behind = Behind::Question;
                        self.play(self.sounds.beginning()).await;
                    }
                    Err(error) => tracing::warn!(%error, "somebody asked the device to listen"),
                }
            }
            topic::MIC_MUTE => self.mute(true),
            topic::MIC_UNMUTE => self.mute(false),
            topic::MIC_MUTE_TOGGLE => self.mute(!self.muted),
            topic::MIC_GET_STATUS => {
                self.send(message.response(json!({"muted": self.ear.is_muted()})))
                    .await;
            }
            topic::LISTENER_SLEEP => self.ear.sleep(),
            topic::LISTENER_WAKE | topic::LEGACY_WAKE_UP => self.ear.wake(),
            topic::RECORD_STOP => self.ear.stop_recording(),
            topic::LISTENER_STATE_GET => self.tell_state(&message).await,
            topic::LISTENER_STATE_SET => {
                self.set_state(&message).await;
                self.tell_state(&message).await;
            }
            topic::LISTENER_B64_AUDIO | topic::LISTENER_B64_TRANSCRIBE => {
                let lang = listening_lang(&message.context.session(), &self.languages);
                if let Some(recordings) = &mut self.recordings {
                    recordings.take(canonical, message, lang);
                }
            }
            topic::AUDIO_OUTPUT_STARTED => {
                self.ear.end_follow_up();
                self.own_words.begins(own);
                self.last_capture.behind = Behind::Speech;
                self.speaks(true);
                self.watch_over_speech();
            }
            // A skill that is called as a tool is told so; nothing was spoken.
            topic::AUDIO_OUTPUT_ENDED if message.context.session_id().starts_with(CALL) => {}
            topic::AUDIO_OUTPUT_ENDED => {
                self.own_words.ends(own);
                self.ear.end_follow_up();
                self.speaks(false);
                if let Some(patience) = self.speaking_on.spoke() {
                    self.last_capture.behind = Behind::Answer(patience);
                    self.ear.await_follow_up(patience);
                }
            }
            topic::LOQUAT_ALERT if own => self.rings(&message),
            // After a stop the microphone is not opened again (AUDIO-1 §4.4).
            topic::AUDIO_STOP | topic::STOP if message.context.session().is_default() => {
                self.speaking_on.ended();
                self.ear.end_follow_up();
            }
            topic::LOQUAT_SPEECH_BEGUN if own && message.context.session().is_default() => {
                let said = ["utterance", "apology"].into_iter();
                let mut said = said.filter_map(|key| message.data.get(key).and_then(Value::as_str));
                if let Some(said) = said.next() {
                    self.own_words.says(said, false);
                }
            }
            topic::SPEAK if message.context.session().is_default() => {
                let text = message.data.get("utterance").and_then(Value::as_str);
                self.own_words
                    .says(text.unwrap_or_default(), is_question(&message));
                if !is_aside(&message) {
                    self.speaking_on.answered(is_question(&message));
                }
            }
            _ => {}
        }
    }

    /// The frame that asks the device to listen may name a language; afterwards the device's own language counts again.
    fn listen_in(&mut self, lang: String) {
        if lang != self.lang {
            self.ear.set_lang(Some(lang.clone()));
            self.lang = lang;
        }
    }

    fn mute(&mut self, muted: bool) {
        self.muted = muted;
        self.ear.mute(self.muted || self.speaking);
    }

    /// The device must not hear itself.
    fn speaks(&mut self, speaking: bool) {
        self.ear.note_speech(speaking);
        self.speaking = speaking && self.mute_during_output;
        self.ear.mute(self.muted || self.speaking);
    }

    /// An alert rings here, or does not any more. One of a satellite rings there.
    fn rings(&mut self, message: &Message) {
        let id = message.data.get("id").and_then(Value::as_u64);
        let is_here = !is_of_satellite(message.context.session_id());
        let Some(id) = id.filter(|_| is_here) else { return };
        if message.data.get("state").and_then(Value::as_str) == Some("ringing") {
            self.ringing.insert(id);
        } else {
            self.ringing.remove(&id);
        }
        self.ear.note_ringing(!self.ringing.is_empty());
    }

    async fn tell_state(&self, question: &Message) {
        let state = self.modes.told(self.ear.is_asleep());
        self.send(question.reply(topic::LISTENER_STATE, state)).await;
    }

    /// Does what a program says the listener is to do; what is not known changes nothing.
    async fn set_state(&mut self, message: &Message) {
        let text = |key: &str| message.data.get(key).and_then(Value::as_str);
        match text("state") {
            None => {}
            Some(state::SLEEPING) => self.ear.sleep(),
            Some(state::WAKE_WORD | state::CONTINUOUS) => {
                self.ear.stop_recording();
                self.ear.wake();
            }
            Some(state::RECORDING) if is_for_us(message) => self.record(text("recording_name")).await,
            Some(unknown) => {
                tracing::warn!(unknown, "somebody sets a state that this listener does not have");
            }
        }
        match text("mode") {
            None => {}
            Some(state::SLEEPING) => self.ear.sleep(),
            Some(mode) => self.set_mode(mode),
        }
    }

    fn set_mode(&mut self, name: &str) {
        let Some(mode) = Modes::named(name) else {
            tracing::warn!(name, "somebody sets a mode that this listener does not have");
            return;
        };
        self.modes.choose(mode);
        self.speaking_on.set_patience(self.modes.patience());
        self.ear.set_mode(self.modes.of_the_ear());
        self.ear.wake();
    }

    /// Has an audio service or our own voice play a sound, if there is one to be played.
    async fn play(&self, sound: Option<Message>) {
        if let Some(sound) = sound {
            self.send(sound).await;
        }
    }

    async fn emit(&self, topic: &str, data: Value) {
        self.send(Self::frame_of(topic, data)).await;
    }

    fn frame_of(topic: &str, data: Value) -> Message {
        let mut frame = Message::new(topic, data);
        frame.context.set_source(SOURCE);
        let session = Session::named(session::DEFAULT_SESSION_ID);
        frame.context.set_session(&session);
        frame
    }

    async fn send(&self, frame: Message) {
        if let Err(error) = self.bus.emit(frame).await {
            tracing::warn!(%error, "failed to tell the bus what was heard");
        }
    }
}

/// A satellite's microphone is not ours.
fn is_for_us(message: &Message) -> bool {
    let destination = message.context.destination();
    message.context.session().is_default() && destination.is_none_or(|name| NATIVE.contains(&name))
}
