//! How a person reaches the device and is reached: what the parts for microphone, loudspeaker and doors share.

use std::sync::Arc;
use std::time::Duration;

use loquat_hearing::ear::HalfHeard;
use loquat_hearing::settings::{Speech, Switch};
use loquat_hearing::{News, Opening, ladder_of, speech_settings};
use loquat_part::EarNews;
use loquat_speech::{EarHandle, KnownSpeech};
use tokio::sync::watch;

use super::App;
use super::surroundings::languages;
use crate::desk::Attendance;
use crate::guests::Guests;
use crate::link::Joined;
use crate::models_in_use::ModelsInUse;
use crate::settings::{self, Environment, Settings};
use crate::stillness::Stillness;
use crate::terminal;
use crate::transcription::{Ladder, Whisper};

/// The ways to a person.
#[derive(Debug)]
pub(super) struct Senses {
    /// Whether a person can speak or type to this process.
    pub(super) attendance: watch::Sender<Attendance>,
    /// Who comes in by the doors of this process.
    pub(super) guests: Guests,
    /// Who turns speech into text, once something is to be heard.
    ladder: Ladder,
    /// What is understood while it listens.
    pub(super) half_heard: HalfHeard,
    /// Keeps the loudspeaker still while a person is asked for a yes.
    pub(super) stillness: Stillness,
}

impl Senses {
    /// Those of this device, none of which is open yet.
    pub(super) fn new(
        settings: &Settings,
        environment: &Environment,
        models: &ModelsInUse,
        known: Arc<dyn KnownSpeech>,
    ) -> Self {
        let speech = settings.tables.get::<Speech>();
        let hearing = settings::hearing(settings, &speech);
        let whisper = Whisper::new(speech_settings(hearing, &models.hearing)).expecting(known);
        Self {
            attendance: watch::Sender::new(attendance(speech.enabled)),
            guests: Guests::default(),
            ladder: Ladder::new(&ladder_of(hearing, environment), Arc::new(whisper)),
            half_heard: HalfHeard::default(),
            stillness: Stillness::default(),
        }
    }
}

impl App {
    /// What voice and ear are given.
    pub(super) fn offer_to_senses(&mut self, settings: &Settings) {
        let opening = Opening {
            is_shared: self.place.joined == Joined::Theirs,
            models: self.models.hearing.clone(),
            ladder: self.senses.ladder.clone(),
            languages: languages(settings),
            follow_up: Duration::from_secs(settings.desk.follow_up_seconds.into()),
            rest: Arc::clone(&self.resources.rest),
            half_heard: self.senses.half_heard.clone(),
        };
        self.context.offer(opening);
        self.context.offer(self.reloading.speed());
        self.context.offer(self.senses.stillness.clone());
    }

    /// The ear, once it is open.
    pub(super) fn ear(&self) -> Option<EarHandle> {
        self.context.offered::<EarHandle>().cloned()
    }

    /// Whether it hears.
    pub(super) fn ear_news(&self) -> watch::Receiver<EarNews> {
        let news = self.context.offered::<News>().cloned();
        news.unwrap_or_else(|| watch::channel(EarNews::default()).1)
    }
}

/// Where the owner can speak or type, as far as that is known before the microphone is tried.
fn attendance(hears: Switch) -> Attendance {
    match hears {
        _ if terminal::is_attended() => Attendance::Here,
        Switch::Off => Attendance::Elsewhere,
        Switch::Auto | Switch::On => Attendance::Unknown,
    }
}
