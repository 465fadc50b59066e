//! What the parts that are started last find here: who answers, and who hears recordings.

use std::sync::Arc;

use loquat_failure::with_causes;
use loquat_models::Catalogue;
use loquat_part::{Context, Ground, Introduction, Offered, Start};
use loquat_speech::WakeWordEffect;
use loquat_transcription::recordings::{Ears, FarEars};

use super::{App, speech_settings};
use crate::mind::Mind;
use crate::parts;
use crate::phrases::Phrases;
use crate::settings::{Environment, Settings};
use crate::wake_word::{self, WakeWordInUse};

impl Offered for Mind {
    fn offers(&self, persona: &str) -> bool {
        self.find_offered(persona).is_some()
    }
}

impl App {
    /// Starts the parts that let others in.
    pub fn start_last_parts(&self, settings: &Settings, environment: &Environment) {
        let persona = self.mind.default_persona();
        let introduction = Introduction {
            persona: persona.map_or_else(|| "Loquat".to_owned(), |persona| persona.name.clone()),
            lang: self.device.lang.clone(),
            dont_know: |lang| Phrases::of(lang).dont_know.clone(),
            personas: Arc::clone(&self.mind) as _,
        };
        let ears = Ears {
            ladder: self.ladder.clone(),
            longest: settings.speech.longest_utterance(&settings.mycroft.listener),
            model: self.models.whisper.name.clone(),
            far: self.far_ears(settings),
        };
        let context = Context::new(
            Ground::of(settings, environment),
            self.supervisor.clone(),
            self.hub.clone(),
            (self.bus.clone(), self.address.clone()),
            settings.bus.compat,
        );
        let context = context
            .offering(introduction)
            .offering(ears)
            .offering(self.guests.clone());
        parts::start(Start::Last, &context);
    }

    /// What listens to microphones elsewhere: the first of the device's wake words that begins an utterance.
    fn far_ears(&self, settings: &Settings) -> Option<FarEars> {
        let speech = speech_settings(settings, &self.models);
        let is_of_use = |word: &&WakeWordInUse| {
            word.effect == WakeWordEffect::Listen && word.file.is_present() && speech.vad_model.is_file()
        };
        let word = self.models.wake_words.words.iter().find(is_of_use).cloned()?;
        let load = move || {
            wake_word::load(&word, &Catalogue::embedded())
                .map_err(|error| format!("failed to {}", with_causes(&error)))
        };
        Some(FarEars {
            speech,
            load: Arc::new(load),
        })
    }
}
