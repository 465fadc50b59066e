//! The ear of this device: opened with its models and its wake word, or not at all, with the reason.

use std::sync::Arc;
use std::time::Duration;

use loquat_bus::Bus;
use loquat_models::Catalogue;
use loquat_part::supervisor::Supervisor;
use loquat_part::{ANOTHER_LISTENS, EarNews};
use loquat_settings::Environment;
use loquat_skills::rest::Rest;
use loquat_speech::playback::FarEndReader;
use loquat_speech::{Ear, EarHandle, MicroWakeWords, Source, WakeWordDetector, WakeWordEffect};
use loquat_transcription::{Ladder, Wanted};
use loquat_wire::Languages;
use serde_json::json;
use tokio::sync::watch;

use crate::ear::{EarOnBus, HalfHeard, RecordMode, Sounds};
use crate::models::{HearingModels, whisper_threads};
use crate::settings::{EchoCancellation, HearingSettings, Listening, SoundHost, Switch};
use crate::wake_word::{self, WakeWords};

/// Another listener on the bus answers at once if it is there.
const LISTENER_PATIENCE: Duration = Duration::from_secs(1);

/// What the ear of this device is opened with, beside the settings. The daemon offers it.
#[derive(Debug, Clone)]
pub struct Opening {
    /// Whether other programs may be on that bus.
    pub is_shared: bool,
    /// The models.
    pub models: HearingModels,
    /// Who turns speech into text.
    pub ladder: Ladder,
    /// The languages that are spoken to the device.
    pub languages: Languages,
    /// How long a person who speaks on after an answer is waited for.
    pub follow_up: Duration,
    /// Whether the device sleeps.
    pub rest: Arc<Rest>,
    /// Where it is told what is understood of an open capture.
    pub half_heard: HalfHeard,
}

/// The ear, once it is open.
#[derive(Debug)]
pub(super) struct OpenEar {
    /// What the ear is asked through.
    pub(super) handle: EarHandle,
    /// Whether it hears.
    pub(super) news: watch::Receiver<EarNews>,
}

impl Opening {
    /// Opens the microphone, unless it is switched off, another listener has it, or a model is missing. What is `played` is taken
    /// out of what it hears, where the settings want that.
    pub(super) async fn open(
        &self,
        settings: HearingSettings<'_>,
        bus: &Bus,
        supervisor: &Supervisor,
        played: Option<FarEndReader>,
    ) -> Result<OpenEar, String> {
        match settings.speech.enabled {
            Switch::Off => return Err("it is switched off (speech.enabled)".to_owned()),
            Switch::Auto if self.another_listener(bus).await => {
                return Err(ANOTHER_LISTENS.to_owned());
            }
            Switch::Auto | Switch::On => {}
        }
        let speech = speech_settings(settings, &self.models);
        self.ladder.verify().await?;
        let (handle, mut actor) = Ear::new(speech, self.ladder.clone(), Source::Microphone);
        let mute = settings.mycroft.listener.mute_during_output;
        let mut ear = EarOnBus::new(bus.clone(), handle.clone(), self.languages.clone(), mute)
            .ok_or_else(|| "somebody else reads its events".to_owned())?;
        ear = ear
            .in_mode(
                settings.speech.mode,
                Duration::from_secs(settings.speech.hybrid_seconds.into()),
            )
            .awaiting_follow_ups(self.follow_up)
            .hearing_recordings(&self.ladder)
            .telling_half_heard(self.half_heard.clone())
            .recording_into(RecordMode::of(settings));
        // What was chosen before a restart holds still.
        if self.rest.now().await.asleep {
            handle.sleep();
        }
        let is_cancelled = settings.speech.echo_cancellation == EchoCancellation::Auto;
        if let Some(played) = played.filter(|_| is_cancelled) {
            actor = actor.cancelling_echo_of(played);
            ear = ear.hearing_stop_over_speech(settings.speech.stop_over_speech);
        }
        let wake_words = self.load_wake_words().await;
        let words = wake_words
            .as_ref()
            .map(WakeWordDetector::words)
            .unwrap_or_default();
        self.rest
            .set_deaf_asleep(words.iter().all(|word| word.effect == WakeWordEffect::Stop));
        ear = ear.with_wake_words(&words, Sounds::of(settings, self.models.wake_words.sounds()));
        if let Some(wake_words) = wake_words {
            actor = actor.with_wake_words(Box::new(wake_words));
        }
        let news = ear.news();
        let front = &supervisor.front;
        supervisor.spawn(front, "ear", actor.run(front.token()));
        supervisor.spawn(front, "ear on the bus", ear.run(front.token()));
        Ok(OpenEar { handle, news })
    }

    /// Those whose models are there. Without any the device can still be asked to listen.
    async fn load_wake_words(&self) -> Option<MicroWakeWords> {
        let WakeWords { words, remarks } = self.models.wake_words.clone();
        for remark in remarks {
            tracing::warn!("{remark}");
        }
        let load = move || wake_word::load_all(&words, &Catalogue::embedded());
        let (loaded, complaints) = match tokio::task::spawn_blocking(load).await {
            Ok(loaded) => loaded,
            Err(error) => (None, vec![error.to_string()]),
        };
        for complaint in complaints {
            tracing::warn!("{complaint}");
        }
        loaded
    }

    async fn another_listener(&self, bus: &Bus) -> bool {
        if !self.is_shared {
            return false;
        }
        let question = loquat_wire::Message::new(loquat_wire::topic::is_alive("voice"), json!({}));
        bus.request(question, None, LISTENER_PATIENCE).await.is_ok()
    }
}

/// Translates what the settings say about hearing for the ear.
pub fn speech_settings(
    settings: HearingSettings<'_>,
    models: &HearingModels,
) -> loquat_speech::SpeechSettings {
    let from = settings.speech;
    let mut speech = loquat_speech::SpeechSettings::new(&models.whisper.path, &models.voice_activity.path);
    speech.threads = whisper_threads(settings);
    speech.mode = match from.mode {
        Listening::PushToTalk | Listening::Hybrid => loquat_speech::ListenMode::PushToTalk,
        Listening::Continuous => loquat_speech::ListenMode::Continuous,
    };
    speech.host = sound_system(from.host);
    speech.device.clone_from(&from.device);
    speech.without_echo = from.echo_cancellation == EchoCancellation::Auto;
    speech.lang = Some(settings.mycroft.lang.clone());
    speech.langs.clone_from(&settings.mycroft.secondary_langs);
    speech.end_silence = settings.speech.end_silence(&settings.mycroft.listener);
    speech.whole_silence = Duration::from_millis(from.whole_silence_ms.into());
    speech.open_silence = Duration::from_millis(from.open_silence_ms.into());
    speech.vad_threshold = from.vad_threshold as f32;
    speech.check_wake_words = from.wake_word_check;
    speech.max_utterance = settings.speech.longest_utterance(&settings.mycroft.listener);
    speech
}

/// Names the sound system that the settings want.
pub fn sound_system(host: SoundHost) -> loquat_speech::AudioHost {
    match host {
        SoundHost::Auto => loquat_speech::AudioHost::Auto,
        SoundHost::PulseAudio => loquat_speech::AudioHost::PulseAudio,
        SoundHost::Alsa => loquat_speech::AudioHost::Alsa,
        SoundHost::Jack => loquat_speech::AudioHost::Jack,
        SoundHost::PipeWire => loquat_speech::AudioHost::PipeWire,
    }
}

/// Describes the recognisers that turn speech into text, as the settings have them.
pub fn ladder_of<'a>(settings: HearingSettings<'a>, environment: &'a Environment) -> Wanted<'a> {
    let own = std::iter::once(&settings.mycroft.lang);
    Wanted {
        ladder: &settings.speech.ladder,
        recognizers: &settings.speech.recognizers,
        patience: Duration::from_secs_f64(settings.speech.rung_seconds),
        langs: own.chain(&settings.mycroft.secondary_langs).cloned().collect(),
        folders: settings.folders,
        environment,
    }
}
