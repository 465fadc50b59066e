//! What the parts that are started last find here: who answers, who hears recordings, and how the device fares.

use std::sync::Arc;

use loquat_failure::with_causes;
use loquat_hearing::speech_settings;
use loquat_hearing::wake_word::{self, WakeWordInUse};
use loquat_models::Catalogue;
use loquat_page::LogTail;
use loquat_part::reload::Reload;
use loquat_part::{Context, EarNews, Introduction, Offered, Start, StatusLine};
use loquat_speech::WakeWordEffect;
use loquat_transcription::recordings::{Ears, FarEars};
use tokio::sync::watch;

use super::{App, Began, Examine};
use crate::parts;
use crate::phrases::Phrases;
use crate::settings::{self, Environment, Settings};

impl App {
    /// Starts the parts that let others in.
    pub fn start_last_parts(&mut self, settings: &Settings, environment: &Environment) {
        let ears = Ears {
            ladder: self.senses.ladder.clone(),
            longest: settings.speech.longest_utterance(&settings.mycroft.listener),
            model: self.models.hearing.whisper.name.clone(),
            far: self.far_ears(settings),
        };
        let mut context = self.context(settings, environment).offering(ears);
        let running = parts::start(Start::Last, &mut context);
        self.told
            .extend(running.into_iter().filter_map(|running| running.status));
    }

    /// Starts the parts that show how the device fares.
    pub fn start_showing_parts(
        &self,
        began: Began<'_>,
        status: watch::Receiver<String>,
        ear: watch::Receiver<EarNews>,
        log: LogTail,
        examine: Examine,
    ) {
        let page = self.paged(began, ear, log, examine);
        let reload: Arc<dyn Reload> = Arc::new(self.reloading.clone());
        let context = self.context(began.settings, began.environment);
        let mut context = context
            .offering(page)
            .offering(reload)
            .offering(StatusLine(status));
        #[cfg(feature = "mcp")]
        context.offer(super::served(began.settings));
        parts::start(Start::WithTheStatus, &mut context);
    }

    /// Gathers what all parts that are started late find.
    fn context(&self, settings: &Settings, environment: &Environment) -> Context {
        let persona = Offered::default_name(&*self.mind);
        let introduction = Introduction {
            persona: persona.unwrap_or_else(|| "Loquat".to_owned()),
            lang: self.device.lang.clone(),
            dont_know: |lang| Phrases::of(lang).dont_know.clone(),
            personas: Arc::clone(&self.mind) as _,
        };
        let context = self.place.context(settings, environment);
        context
            .offering(introduction)
            .offering(self.senses.guests.clone())
    }

    /// Makes the ears for microphones elsewhere; they listen for the first of the device's wake words that
    /// begins an utterance.
    fn far_ears(&self, settings: &Settings) -> Option<FarEars> {
        let speech = speech_settings(settings::hearing(settings), &self.models.hearing);
        let is_of_use = |word: &&WakeWordInUse| {
            word.effect == WakeWordEffect::Listen && word.file.is_present() && speech.vad_model.is_file()
        };
        let word = self
            .models
            .hearing
            .wake_words
            .words
            .iter()
            .find(is_of_use)
            .cloned()?;
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
