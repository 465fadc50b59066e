//! The ear of this device: opened with its models and its wake word, or not at all, with the reason.

use std::time::Duration;

use loquat_models::Catalogue;
use loquat_part::EarNews;
use loquat_speech::playback::FarEndReader;
use loquat_speech::{Ear, MicroWakeWords, Source, WakeWordDetector, WakeWordEffect};
use loquat_transcription::{Ladder, Wanted};
use serde_json::json;
use tokio::sync::watch;

use super::{App, LISTENER_PATIENCE};
use crate::ear::{EarOnBus, RecordMode, Sounds};
use crate::link::Joined;
use crate::models_in_use::{ModelsInUse, whisper_threads};
use crate::settings::{EchoCancellation, Environment, Listening, Settings, SoundHost, Switch};
use crate::wake_word::{self, WakeWords};

/// How long whisper stays in memory without a microphone: satellites and programs may send another recording.
const IDLE: Duration = Duration::from_secs(300);

impl App {
    /// Opens the microphone, unless it is switched off, another listener has it, or a model is missing. What is `played` is taken
    /// out of what it hears.
    pub async fn start_ear(
        &self,
        settings: &Settings,
        played: Option<FarEndReader>,
    ) -> watch::Receiver<EarNews> {
        let ear = match self.open_ear(settings, played).await {
            Ok(ear) => ear,
            Err(reason) => {
                tracing::warn!(reason, "the microphone is not opened");
                watch::channel(EarNews::Deaf(reason)).1
            }
        };
        let (told, news) = watch::channel(EarNews::default());
        let (ladder, front) = (self.ladder.clone(), &self.supervisor.front);
        let cancel = front.token();
        self.supervisor.spawn(front, "whisper", async move {
            cancel
                .run_until_cancelled(keep_whisper(&ladder, ear, &told))
                .await;
        });
        news
    }

    async fn open_ear(
        &self,
        settings: &Settings,
        played: Option<FarEndReader>,
    ) -> Result<watch::Receiver<EarNews>, String> {
        match settings.speech.enabled {
            Switch::Off => return Err("it is switched off (speech.enabled)".to_owned()),
            Switch::Auto if self.another_listener().await => {
                return Err("another listener is on the bus".to_owned());
            }
            Switch::Auto | Switch::On => {}
        }
        let speech = speech_settings(settings, &self.models);
        self.ladder.verify().await?;
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
            .hearing_recordings(&self.ladder)
            .telling_half_heard(self.half_heard.clone())
            .recording_into(RecordMode::of(settings));
        // What was chosen before a restart holds still.
        if self.rest.now().await.asleep {
            sleeper.sleep();
        }
        if let Some(played) = played {
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
        let front = &self.supervisor.front;
        self.supervisor.spawn(front, "ear", actor.run(front.token()));
        self.supervisor
            .spawn(front, "ear on the bus", ear.run(front.token()));
        self.attend();
        Ok(news)
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

    async fn another_listener(&self) -> bool {
        if self.joined == Joined::Ours {
            return false;
        }
        let question = loquat_wire::Message::new(loquat_wire::topic::is_alive("voice"), json!({}));
        self.bus.request(question, None, LISTENER_PATIENCE).await.is_ok()
    }
}

/// Loads whisper when the microphone is there, tells how the ear fares, and lets go of whisper where there is no microphone.
async fn keep_whisper(ladder: &Ladder, mut ear: watch::Receiver<EarNews>, told: &watch::Sender<EarNews>) {
    loop {
        let mut news = ear.borrow_and_update().clone();
        let hears = matches!(news, EarNews::Hears { .. });
        if hears && let Err(reason) = ladder.ready().await {
            tracing::warn!(reason, "what the microphone hears is not understood");
            news = EarNews::Deaf(reason);
        }
        told.send_replace(news);
        let is_over = tokio::select! {
            changed = ear.changed() => changed.is_err(),
            () = ladder.let_go_when_idle(IDLE), if !hears => false,
        };
        if is_over {
            return ladder.let_go_when_idle(IDLE).await;
        }
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

/// What the settings say about playing.
pub fn playback_settings(settings: &Settings) -> loquat_speech::PlaybackSettings {
    loquat_speech::PlaybackSettings {
        host: sound_system(settings.speech.host),
        device: settings.voice.device.clone(),
    }
}

fn sound_system(host: SoundHost) -> loquat_speech::AudioHost {
    match host {
        SoundHost::Auto => loquat_speech::AudioHost::Auto,
        SoundHost::PulseAudio => loquat_speech::AudioHost::PulseAudio,
        SoundHost::Alsa => loquat_speech::AudioHost::Alsa,
        SoundHost::Jack => loquat_speech::AudioHost::Jack,
        SoundHost::PipeWire => loquat_speech::AudioHost::PipeWire,
    }
}

/// Who turns speech into text, as the settings have it.
pub fn ladder_of<'a>(settings: &'a Settings, environment: &'a Environment) -> Wanted<'a> {
    let own = std::iter::once(&settings.mycroft.lang);
    Wanted {
        ladder: &settings.speech.ladder,
        recognizers: &settings.speech.recognizers,
        patience: Duration::from_secs_f64(settings.speech.rung_seconds),
        langs: own.chain(&settings.mycroft.secondary_langs).cloned().collect(),
        folders: &settings.folders,
        environment,
    }
}
