//! How a person reaches the device and is reached: microphone, loudspeaker, and the doors of this process.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use loquat_hearing::ear::HalfHeard;
use loquat_hearing::{OpenEar, Opening, keep_whisper, ladder_of, sound_system, speech_settings};
use loquat_part::EarNews;
use loquat_speech::playback::{FarEndReader, far_end};
use loquat_speech::{EarHandle, KnownSpeech, PlaybackSettings, Player};
use tokio::sync::watch;

use super::App;
use super::surroundings::languages;
use crate::desk::Attendance;
use crate::guests::Guests;
use crate::link::Joined;
use crate::models_in_use::ModelsInUse;
use crate::settings::{self, EchoCancellation, Environment, Settings, Switch};
use crate::stillness::Stillness;
use crate::terminal;
use crate::transcription::{Ladder, Whisper};
use crate::voice::{Choice, NamedSounds, Voice};

/// The ways to a person.
#[derive(Debug)]
pub(super) struct Senses {
    /// Whether a person can speak or type to this process.
    pub(super) attendance: watch::Sender<Attendance>,
    /// Who comes in by the doors of this process.
    pub(super) guests: Guests,
    /// Who turns speech into text, once something is to be heard.
    pub(super) ladder: Ladder,
    /// The ear, once it is open.
    pub(super) ear: OnceLock<EarHandle>,
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
        let hearing = settings::hearing(settings);
        let whisper = Whisper::new(speech_settings(hearing, &models.hearing)).expecting(known);
        Self {
            attendance: watch::Sender::new(attendance(settings)),
            guests: Guests::default(),
            ladder: Ladder::new(&ladder_of(hearing, environment), Arc::new(whisper)),
            ear: OnceLock::new(),
            half_heard: HalfHeard::default(),
            stillness: Stillness::default(),
        }
    }
}

impl App {
    /// Speaks where no audio service does. Gives what tells the ear what is played, if that is to be taken out of what is heard.
    pub fn start_voice(&self, settings: &Settings, environment: &Environment) -> Option<FarEndReader> {
        if !Choice::may_speak(&settings.voice) {
            return None;
        }
        let is_cancelled = settings.speech.echo_cancellation == EchoCancellation::Auto;
        let (writer, reader) = is_cancelled.then(far_end).unzip();
        let (player, speed) = (
            Player::new(playback_settings(settings), writer),
            self.reloading.speed(),
        );
        let voice = Voice::new(
            self.place.bus.clone(),
            &settings.mycroft.lang,
            speed.clone(),
            player,
        )
        .naming_sounds(NamedSounds::of(environment))
        .keeping_still(self.senses.stillness.clone());
        let (settings, environment) = (settings.clone(), environment.clone());
        let choice = async move {
            let speaks = (&settings.voice, settings.mycroft.lang.as_str());
            Choice::of(speaks, (&settings.folders, &environment), &speed).await
        };
        self.place.serve("voice", |token| voice.run(choice, token));
        reader
    }

    /// Opens the microphone, where it can be. What is `played` is taken out of what it hears.
    pub async fn start_ear(
        &self,
        settings: &Settings,
        played: Option<FarEndReader>,
    ) -> watch::Receiver<EarNews> {
        let opening = Opening {
            bus: self.place.bus.clone(),
            is_shared: self.place.joined == Joined::Theirs,
            supervisor: self.place.supervisor.clone(),
            models: self.models.hearing.clone(),
            ladder: self.senses.ladder.clone(),
            languages: languages(settings),
            follow_up: Duration::from_secs(settings.desk.follow_up_seconds.into()),
            rest: Arc::clone(&self.resources.rest),
            half_heard: self.senses.half_heard.clone(),
        };
        let ear = match opening.open(settings::hearing(settings), played).await {
            Ok(OpenEar { handle, news }) => {
                let _is_first = self.senses.ear.set(handle);
                self.attend();
                news
            }
            Err(reason) => {
                tracing::warn!(reason, "the microphone is not opened");
                watch::channel(EarNews::Deaf(reason)).1
            }
        };
        keep_whisper(&self.place.supervisor, self.senses.ladder.clone(), ear)
    }
}

/// Gathers what the settings say about playing.
pub fn playback_settings(settings: &Settings) -> PlaybackSettings {
    PlaybackSettings {
        host: sound_system(settings.speech.host),
        device: settings.voice.device.clone(),
    }
}

/// Says where the owner can speak or type, as far as that is known before the microphone is tried.
fn attendance(settings: &Settings) -> Attendance {
    match settings.speech.enabled {
        _ if terminal::is_attended() => Attendance::Here,
        Switch::Off => Attendance::Elsewhere,
        Switch::Auto | Switch::On => Attendance::Unknown,
    }
}
