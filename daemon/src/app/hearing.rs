//! The ear of this device: opened with its models and its wake word, or not at all, with the reason.

use std::time::Duration;

use loquat_failure::with_causes;
use loquat_models::Catalogue;
use loquat_speech::{Ear, MicroWakeWord, Source, WakeWord};
use serde_json::json;
use tokio::sync::watch;

use super::{App, LISTENER_PATIENCE};
use crate::ear::{EarNews, EarOnBus};
use crate::link::Joined;
use crate::models_in_use::{ModelsInUse, whisper_threads};
use crate::settings::{Listening, Settings, SoundHost, Switch};
use crate::wake_word;

impl App {
    /// Opens the microphone, unless it is switched off, another listener has it, or a model is missing.
    pub async fn start_ear(&self, settings: &Settings) -> watch::Receiver<EarNews> {
        let (deaf, news) = watch::channel(EarNews::default());
        match self.open_ear(settings).await {
            Ok(news) => news,
            Err(reason) => {
                tracing::warn!(reason, "the microphone is not opened");
                deaf.send_replace(EarNews::Deaf(reason));
                news
            }
        }
    }

    async fn open_ear(&self, settings: &Settings) -> Result<watch::Receiver<EarNews>, String> {
        match settings.speech.enabled {
            Switch::Off => return Err("it is switched off (speech.enabled)".to_owned()),
            Switch::Auto if self.another_listener().await => {
                return Err("another listener is on the bus".to_owned());
            }
            Switch::Auto | Switch::On => {}
        }
        let speech = speech_settings(settings, &self.models);
        self.ladder.ready().await?;
        let (handle, mut actor) = Ear::new(speech, self.ladder.clone(), Source::Microphone);
        let sleeper = handle.clone();
        let _is_first = self.ear.set(handle.clone());
        let mute = settings.mycroft.listener.mute_during_output;
        let mut ear = EarOnBus::new(self.bus.clone(), handle, super::languages(settings), mute)
            .ok_or_else(|| "somebody else reads its events".to_owned())?;
        ear = ear
            .in_mode(
                settings.speech.mode,
                Duration::from_secs(settings.speech.hybrid_seconds.into()),
            )
            .awaiting_follow_ups(Duration::from_secs(settings.desk.follow_up_seconds.into()))
            .hearing_recordings(&self.ladder);
        // What was chosen before a restart holds still.
        if self.rest.now().await.asleep {
            sleeper.sleep();
        }
        let wake_word = self.load_wake_word(settings).await;
        self.rest.set_deaf_asleep(wake_word.is_none());
        if let Some(wake_word) = wake_word {
            ear = ear.with_wake_word(wake_word.name());
            actor = actor.with_wake_word(Box::new(wake_word));
        }
        let news = ear.news();
        let front = &self.supervisor.front;
        self.supervisor.spawn(front, "ear", actor.run(front.token()));
        self.supervisor
            .spawn(front, "ear on the bus", ear.run(front.token()));
        self.attend();
        Ok(news)
    }

    /// Without one the device can still be asked to listen.
    async fn load_wake_word(&self, settings: &Settings) -> Option<MicroWakeWord> {
        let file = self.models.wake_word.clone()?;
        let of_the_device = settings.mycroft.listener.wake_word.as_deref();
        let is_followed = settings.speech.wake_word == "auto";
        let is_unknown = |wanted: &&str| !Catalogue::embedded().has_wake_word(wanted);
        if let Some(wanted) = of_the_device.filter(|wanted| is_followed && is_unknown(wanted)) {
            tracing::warn!(
                wanted,
                used = file.name,
                "mycroft.conf names a wake word that there is no model for; speech.wake_word may name a manifest"
            );
        }
        let cutoff = settings.speech.wake_word_cutoff;
        let load = move || wake_word::load(&file, cutoff, &Catalogue::embedded());
        let loaded = tokio::task::spawn_blocking(load).await;
        let failed = match loaded {
            Ok(Ok(wake_word)) => return Some(wake_word),
            Ok(Err(error)) => with_causes(&error),
            Err(error) => error.to_string(),
        };
        tracing::warn!("failed to {failed}");
        None
    }

    async fn another_listener(&self) -> bool {
        if self.joined == Joined::Ours {
            return false;
        }
        let question = loquat_wire::Message::new(loquat_wire::topic::is_alive("voice"), json!({}));
        self.bus.request(question, None, LISTENER_PATIENCE).await.is_ok()
    }
}

/// What the settings say about hearing.
pub fn speech_settings(settings: &Settings, models: &ModelsInUse) -> loquat_speech::SpeechSettings {
    let from = &settings.speech;
    let mut speech = loquat_speech::SpeechSettings::new(&models.whisper.path, &models.voice_activity.path);
    speech.threads = whisper_threads(settings);
    speech.mode = match from.mode {
        Listening::PushToTalk | Listening::Hybrid => loquat_speech::ListenMode::PushToTalk,
        Listening::Continuous => loquat_speech::ListenMode::Continuous,
    };
    speech.host = match from.host {
        SoundHost::Auto => loquat_speech::AudioHost::Auto,
        SoundHost::PulseAudio => loquat_speech::AudioHost::PulseAudio,
        SoundHost::Alsa => loquat_speech::AudioHost::Alsa,
    };
    speech.device.clone_from(&from.device);
    speech.lang = Some(settings.mycroft.lang.clone());
    speech.langs.clone_from(&settings.mycroft.secondary_langs);
    speech.end_silence = settings.end_silence();
    speech.whole_silence = Duration::from_millis(from.whole_silence_ms.into());
    speech.open_silence = Duration::from_millis(from.open_silence_ms.into());
    speech.vad_threshold = from.vad_threshold as f32;
    speech.max_utterance = settings.longest_utterance();
    speech
}
