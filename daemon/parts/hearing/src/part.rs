//! Hearing as a part of the daemon: the microphone is opened, where the settings and the models allow it, and others are offered
//! what it hears with.

use std::fmt;
use std::sync::Arc;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use loquat_failure::with_causes;
use loquat_models::Catalogue;
use loquat_part::model_files::ModelFiles;
use loquat_part::{Context, EarNews, Finding, Ground, Part, Running, Start};
use loquat_settings::brought::Brought;
use loquat_speech::playback::Played;
use loquat_speech::{EarHandle, WakeWordEffect};
use loquat_transcription::recordings::{Ears, FarEars};
use tokio::sync::watch;

use crate::check;
use crate::models::HearingModels;
use crate::opening::{OpenEar, Opening, sound_system, speech_settings};
use crate::settings::{HearingSettings, Speech};
use crate::wake_word::{self, WakeWordInUse};
use crate::whisper_keeper::keep_whisper;

/// The part.
#[derive(Debug)]
pub struct HearingPart;

/// Tells whether a persona has this name. The daemon offers it to the check of wake words.
#[derive(Clone)]
pub struct IsPersona(pub Arc<dyn Fn(&str) -> bool + Send + Sync>);

impl fmt::Debug for IsPersona {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IsPersona").finish_non_exhaustive()
    }
}

/// The news of the ear, offered to the terminal, the page and the status line.
pub type News = watch::Receiver<EarNews>;

impl Part for HearingPart {
    /// The daemon judges the table, since it names servers that another table allows.
    fn tables(&self) -> Vec<Brought> {
        vec![Brought::of::<Speech>()]
    }

    fn starts(&self) -> Start {
        Start::WithTheSenses
    }

    /// Opens the microphone, and takes out of what it hears what the voice plays.
    fn start<'a>(&'a self, context: &'a mut Context) -> BoxFuture<'a, Running> {
        start(context).boxed()
    }

    fn check<'a>(&'a self, ground: &'a Ground) -> BoxFuture<'a, Vec<Finding>> {
        async move {
            let speech = ground.table::<Speech>();
            let settings = HearingSettings::of(ground, &speech);
            let models = models(ground, settings);
            let mut findings = check::elsewhere(settings, &ground.environment).await;
            findings.push(check::microphone(settings, &ground.environment, &models).await);
            findings.extend(check::canceller(settings, sound_system(speech.host)).await);
            findings
        }
        .boxed()
    }

    /// Tells of models and wake words, for which no sound is needed.
    fn check_beside_the_daemon<'a>(&'a self, ground: &'a Ground) -> BoxFuture<'a, Vec<Finding>> {
        async move {
            let speech = ground.table::<Speech>();
            let settings = HearingSettings::of(ground, &speech);
            let models = models(ground, settings);
            let is_persona = |name: &str| ground.offered::<IsPersona>().is_none_or(|known| (known.0)(name));
            let mut findings = vec![Finding::of_model("hearing", &models.voice_activity)];
            findings.extend(check::whisper(settings, &models));
            findings.extend(check::wake_words(&models, is_persona));
            findings
        }
        .boxed()
    }
}

fn models(ground: &Ground, settings: HearingSettings<'_>) -> HearingModels {
    let catalogue = Catalogue::embedded();
    let files = ModelFiles::new(&catalogue, &ground.folders, &ground.environment);
    HearingModels::choose(settings, &files)
}

async fn start(context: &mut Context) -> Running {
    let Some(opening) = context.offered::<Opening>().cloned() else {
        return Running::default();
    };
    let speech = context.ground.table::<Speech>();
    let settings = HearingSettings::of(&context.ground, &speech);
    let ears = Ears {
        ladder: opening.ladder.clone(),
        longest: speech.longest_utterance(&settings.mycroft.listener),
        model: opening.models.whisper.name.clone(),
        far: far_ears(settings, &opening.models),
    };
    let played = context.offered::<Played>().and_then(Played::take);
    let opened = opening
        .open(settings, &context.bus, &context.supervisor, played)
        .await;
    let news = match opened {
        Ok(OpenEar { handle, news }) => {
            context.offer::<EarHandle>(handle);
            news
        }
        Err(reason) => {
            tracing::warn!(reason, "the microphone is not opened");
            watch::channel(EarNews::Deaf(reason)).1
        }
    };
    let news = keep_whisper(&context.supervisor, opening.ladder, news);
    context.offer::<News>(news);
    context.offer(ears);
    Running::default()
}

/// What listens to microphones elsewhere: the first of the device's wake words that begins an utterance.
fn far_ears(settings: HearingSettings<'_>, models: &HearingModels) -> Option<FarEars> {
    let speech = speech_settings(settings, models);
    let is_of_use = |word: &&WakeWordInUse| {
        word.effect == WakeWordEffect::Listen && word.file.is_present() && speech.vad_model.is_file()
    };
    let word = models.wake_words.words.iter().find(is_of_use).cloned()?;
    let load = move || {
        wake_word::load(&word, &Catalogue::embedded())
            .map_err(|error| format!("failed to {}", with_causes(&error)))
    };
    Some(FarEars {
        speech,
        load: Arc::new(load),
    })
}
