//! Which models this device hears with: what the settings name, or what fits its memory, its language and its speed.

use std::time::Duration;

use loquat_models::ModelFile;
use loquat_part::model_files::{ModelFiles, ROOMY, total_memory};
use loquat_part::model_speed::{self, Choice};
use loquat_speech::SpeechSettings;
use loquat_transcription::recognizers::LOCAL;

use crate::settings::HearingSettings;
use crate::wake_word::{WakeWords, choice};
use crate::whisper_speed::{self, WhisperSpeeds};

/// The models that this device hears with.
#[derive(Debug, Clone)]
pub struct HearingModels {
    /// Whisper.
    pub whisper: ModelFile,
    /// Why that one.
    pub whisper_choice: Choice,
    /// Voice activity.
    pub voice_activity: ModelFile,
    /// The wake words; the model of each, or the manifest of one.
    pub wake_words: WakeWords,
}

impl HearingModels {
    /// Chooses them.
    pub fn choose(settings: HearingSettings<'_>, files: &ModelFiles<'_>) -> Self {
        let (whisper, whisper_choice) = whisper(settings, files, total_memory());
        Self {
            whisper,
            whisper_choice,
            voice_activity: files.choose(&settings.speech.vad_model, &["ggml-silero-v6.2.0"]),
            wake_words: choice::choose(settings, files.catalogue, |name| files.named(name)),
        }
    }

    /// Measures the whisper models between which "auto" has to choose, unless they were measured before. Blocks for some seconds a
    /// model, the first time.
    pub fn measure_whispers(settings: HearingSettings<'_>, files: &ModelFiles<'_>) {
        let speech = settings.speech;
        if speech.whisper_model != "auto" || !speech.ladder.iter().any(|rung| rung == LOCAL) {
            return;
        }
        let installed = whispers_installed(settings, files, total_memory());
        if installed.len() > 1 {
            let own = SpeechSettings {
                lang: Some(settings.mycroft.lang.clone()),
                threads: whisper_threads(settings),
                ..SpeechSettings::new("", "")
            };
            let bound = Duration::from_secs_f64(speech.whisper_seconds);
            whisper_speed::measure_all(&installed, &own, bound, &settings.folders.state);
        }
    }

    /// Lists all that is used.
    pub fn all(&self) -> impl Iterator<Item = &ModelFile> {
        [&self.voice_activity, &self.whisper]
            .into_iter()
            .chain(self.wake_words.words.iter().map(|word| &word.file))
    }
}

/// The whisper model that is named; with "auto", the largest of those that are installed which is quick enough.
fn whisper(settings: HearingSettings<'_>, files: &ModelFiles<'_>, memory: u64) -> (ModelFile, Choice) {
    let wanted = &settings.speech.whisper_model;
    if wanted != "auto" {
        return (files.named(wanted), Choice::Named);
    }
    let usual = || files.choose(wanted, &usual_whispers(memory, is_english(settings)));
    let speeds = WhisperSpeeds::recall(&settings.folders.state);
    let threads = whisper_threads(settings);
    model_speed::choose(
        whispers_installed(settings, files, memory),
        |file| speeds.of(&file.path, threads),
        Duration::from_secs_f64(settings.speech.whisper_seconds),
        usual,
    )
}

/// Lists the whisper models that are installed and that memory and language allow, the largest first.
fn whispers_installed(settings: HearingSettings<'_>, files: &ModelFiles<'_>, memory: u64) -> Vec<ModelFile> {
    // The kernel and the firmware keep some: a machine sold with 4 GiB reports a little less.
    let gib = memory as f64 / f64::from(1 << 30) * 1.1;
    let is_english = is_english(settings);
    let suits = |name: &&str| {
        let known = files.catalogue.find(name);
        known.is_ok_and(|model| {
            model.memory_gib <= gib && (is_english || model.languages.contains(&"*".to_owned()))
        })
    };
    let suiting = WHISPERS
        .iter()
        .copied()
        .filter(suits)
        .map(|name| files.named(name));
    suiting.filter(ModelFile::is_present).collect()
}

/// The whisper models of the catalogue, those first that make fewer mistakes, and of two that hear alike the quicker one.
const WHISPERS: [&str; 9] = [
    "ggml-large-v3-turbo-q8_0",
    "ggml-large-v3-turbo-q5_0",
    "ggml-small-q8_0",
    "ggml-small",
    "ggml-distil-small.en",
    "ggml-base-q8_0",
    "ggml-base",
    "ggml-tiny.en",
    "ggml-tiny.en-q8_0",
];

/// Tells whether nothing but English is spoken here.
fn is_english(settings: HearingSettings<'_>) -> bool {
    let mycroft = &settings.mycroft;
    let mut langs = std::iter::once(&mycroft.lang).chain(&mycroft.secondary_langs);
    langs.all(|lang| lang.to_lowercase().starts_with("en"))
}

/// Counts the threads that whisper computes with.
pub(crate) fn whisper_threads(settings: HearingSettings<'_>) -> usize {
    let usual = SpeechSettings::new("", "").threads;
    settings.speech.threads.map_or(usual, usize::from)
}

/// Names the models that a device begins with. The model for English only is smaller and hears English better
/// than others of its size.
fn usual_whispers(memory: u64, is_english: bool) -> Vec<&'static str> {
    match (memory < ROOMY, is_english) {
        (true, true) => vec!["ggml-tiny.en", "ggml-tiny.en-q8_0", "ggml-base-q8_0"],
        (false, true) => vec!["ggml-base-q8_0", "ggml-base", "ggml-tiny.en", "ggml-tiny.en-q8_0"],
        (_, false) => vec!["ggml-base-q8_0", "ggml-base"],
    }
}

#[cfg(test)]
mod tests {
    use loquat_models::Catalogue;
    use loquat_settings::{Environment, LoadOptions};

    use super::*;
    use crate::document::{Settings, hearing};

    /// What a device with these installed models and measurements, in milliseconds, hears with.
    fn chosen(installed: &[(&str, Option<u64>)], overrides: &[&str]) -> (String, Choice) {
        let home = tempfile::tempdir().unwrap();
        let environment = Environment::from_pairs([("HOME", home.path().display().to_string())])
            .with_system_root(home.path());
        let options = LoadOptions {
            overrides: overrides.iter().map(|text| (*text).to_owned()).collect(),
            ..LoadOptions::default()
        };
        let settings = Settings::load(&environment, &options).unwrap();
        let (models, state) = (&settings.folders.models, &settings.folders.state);
        std::fs::create_dir_all(models).unwrap();
        std::fs::create_dir_all(state).unwrap();
        let mut speeds = WhisperSpeeds::default();
        for (name, milliseconds) in installed {
            let file = models.join(format!("{name}.bin"));
            std::fs::write(&file, name).unwrap();
            if let Some(milliseconds) = milliseconds {
                speeds.put(
                    &file,
                    whisper_threads(hearing(&settings)),
                    Duration::from_millis(*milliseconds),
                );
            }
        }
        speeds.keep(state).unwrap();
        let catalogue = Catalogue::embedded();
        let files = ModelFiles::new(&catalogue, &settings.folders, &environment);
        let (file, choice) = whisper(hearing(&settings), &files, 8 << 30);
        (file.name, choice)
    }

    #[test]
    fn of_several_whispers_the_largest_that_is_quick_enough_is_used() {
        let (small, base, tiny) = ("ggml-small-q8_0", "ggml-base-q8_0", "ggml-tiny.en");
        let milliseconds = Duration::from_millis;
        let measured = [(small, Some(1_500)), (base, Some(400)), (tiny, Some(200))];
        let larger = Some((small.to_owned(), milliseconds(1_500)));
        let took = milliseconds(400);
        assert_eq!(
            chosen(&measured, &[]),
            (base.to_owned(), Choice::Largest { took, larger })
        );
        let patient = chosen(&measured, &["speech.whisper_seconds=2.0"]);
        assert_eq!(patient.0, small);
        let hasty = chosen(&measured, &["speech.whisper_seconds=0.1"]);
        let took = milliseconds(200);
        assert_eq!(hasty, (tiny.to_owned(), Choice::Quickest { took }));
        // Those beyond the first that was too slow are not measured.
        let partly = chosen(&[("ggml-small", None), (base, Some(900)), (tiny, Some(300))], &[]);
        assert_eq!(partly.0, tiny);
    }

    #[test]
    fn where_nothing_was_measured_or_is_to_be_chosen_the_usual_one_is_used() {
        let only = chosen(&[("ggml-small", None)], &[]);
        let unmeasured = Choice::Only { took: None };
        assert_eq!(only, ("ggml-small".to_owned(), unmeasured.clone()));
        assert_eq!(chosen(&[], &[]), ("ggml-base-q8_0".to_owned(), unmeasured));
        let several = [("ggml-small", None), ("ggml-base", None)];
        assert_eq!(
            chosen(&several, &[]),
            ("ggml-base".to_owned(), Choice::Unmeasured)
        );
        let named = chosen(&several, &["speech.whisper_model=\"ggml-small\""]);
        assert_eq!(named, ("ggml-small".to_owned(), Choice::Named));
    }
}
