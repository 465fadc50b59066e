//! Which models this device uses: what the settings name, or what fits its memory and language.

use std::path::Path;
use std::time::Duration;

use loquat_models::{Catalogue, Kind, Mirror, ModelFile, Store};
use loquat_speech::SpeechSettings;

use crate::settings::{Environment, LOCAL, Settings};
use crate::wake_word::{WakeWords, choice};
use crate::whisper_speed::{self, WhisperSpeeds};

/// From this much memory on the larger model of a kind is the usual one.
const ROOMY: u64 = 4 << 30;

/// Why this whisper model is used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WhisperChoice {
    /// The settings name it.
    Named,
    /// No other is installed that memory and language allow, or none at all.
    Only,
    /// It is the largest that is quick enough: it takes so long for three seconds of speech. The next larger one that is
    /// installed takes longer than it may, if there is one.
    Largest {
        /// What it takes.
        took: Duration,
        /// The larger one, and what that takes.
        larger: Option<(String, Duration)>,
    },
    /// All take longer than they may; it is the quickest.
    Quickest {
        /// What it takes.
        took: Duration,
    },
    /// Of several that are installed, none was measured yet; the daemon does that when it starts.
    Unmeasured,
}

/// The models of this device.
#[derive(Debug, Clone)]
pub struct ModelsInUse {
    /// The language model.
    pub language: ModelFile,
    /// Whisper.
    pub whisper: ModelFile,
    /// Why that one.
    pub whisper_choice: WhisperChoice,
    /// Voice activity.
    pub voice_activity: ModelFile,
    /// The wake words; the model of each, or the manifest of one.
    pub wake_words: WakeWords,
    /// The pack of sentences, unless it is switched off.
    pub sentences: Option<ModelFile>,
}

impl ModelsInUse {
    /// Chooses them.
    pub fn choose(settings: &Settings, environment: &Environment, catalogue: &Catalogue) -> Self {
        let store = Self::folder(settings);
        let memory = total_memory();
        let chooser = Chooser {
            catalogue,
            store: &store,
            environment,
        };
        let (whisper, whisper_choice) = chooser.whisper(settings, memory);
        Self {
            language: chooser.choose(&settings.local_brain.model, &language_models(memory)),
            whisper,
            whisper_choice,
            voice_activity: chooser.choose(&settings.speech.vad_model, &["ggml-silero-v6.2.0"]),
            wake_words: choice::choose(settings, catalogue, |name| chooser.named(name)),
            sentences: chooser.sentences(&settings.sentences.pack),
        }
    }

    /// Measures the whisper models between which "auto" has to choose, unless they were measured before. Blocks for some seconds a
    /// model, the first time.
    pub fn measure_whispers(settings: &Settings, environment: &Environment) {
        let speech = &settings.speech;
        if speech.whisper_model != "auto" || !speech.ladder.iter().any(|rung| rung == LOCAL) {
            return;
        }
        let (catalogue, store) = (Catalogue::embedded(), Self::folder(settings));
        let chooser = Chooser {
            catalogue: &catalogue,
            store: &store,
            environment,
        };
        let installed = chooser.whispers_installed(settings, total_memory());
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

    /// The folder of models, and where they come from: the mirror of the settings, in which a folder's `~` is the person's
    /// home, or the usual places.
    pub fn store(settings: &Settings, environment: &Environment) -> Store {
        let mirror = settings
            .models
            .mirror
            .as_ref()
            .map(|mirror| match Mirror::new(mirror) {
                Mirror::Folder(folder) => Mirror::Folder(environment.expand_home(&folder)),
                server @ Mirror::Server(_) => server,
            });
        Self::folder(settings).with_mirror(mirror)
    }

    /// The folder of models, with those that came with the program.
    pub fn folder(settings: &Settings) -> Store {
        let folders = &settings.folders;
        Store::new(&folders.models).carrying(folders.carried.clone())
    }

    /// All that is used.
    pub fn all(&self) -> impl Iterator<Item = &ModelFile> {
        [&self.voice_activity, &self.whisper, &self.language]
            .into_iter()
            .chain(self.wake_words.words.iter().map(|word| &word.file))
            .chain(&self.sentences)
    }
}

struct Chooser<'a> {
    catalogue: &'a Catalogue,
    store: &'a Store,
    environment: &'a Environment,
}

impl Chooser<'_> {
    /// The model that is named; with "auto", the first preference that is installed, else the first of all.
    fn choose(&self, wanted: &str, preferences: &[&str]) -> ModelFile {
        if wanted != "auto" {
            return self.named(wanted);
        }
        let mut files = preferences.iter().map(|name| self.named(name));
        let first = files.next();
        let installed = first.iter().cloned().chain(files).find(ModelFile::is_present);
        installed.or(first).unwrap_or_else(|| self.named(wanted))
    }

    /// The whisper model that is named; with "auto", the largest of those that are installed which is quick enough.
    fn whisper(&self, settings: &Settings, memory: u64) -> (ModelFile, WhisperChoice) {
        let wanted = &settings.speech.whisper_model;
        if wanted != "auto" {
            return (self.named(wanted), WhisperChoice::Named);
        }
        let usual = || self.choose(wanted, &usual_whispers(memory, is_english(settings)));
        let installed = self.whispers_installed(settings, memory);
        if installed.len() < 2 {
            return (
                installed.into_iter().next().unwrap_or_else(usual),
                WhisperChoice::Only,
            );
        }
        let speeds = WhisperSpeeds::recall(&settings.folders.state);
        let threads = whisper_threads(settings);
        let measured = |file: ModelFile| Some((speeds.of(&file.path, threads)?, file));
        let measured: Vec<(Duration, ModelFile)> = installed.into_iter().filter_map(measured).collect();
        let bound = Duration::from_secs_f64(settings.speech.whisper_seconds);
        let largest = measured.iter().position(|(took, _)| *took <= bound);
        let quickest = || measured.iter().min_by_key(|(took, _)| *took);
        match (
            largest.and_then(|index| Some((index, measured.get(index)?))),
            quickest(),
        ) {
            (Some((index, (took, file))), _) => {
                let larger = index.checked_sub(1).and_then(|index| measured.get(index));
                let larger = larger.map(|(took, file)| (file.name.clone(), *took));
                (file.clone(), WhisperChoice::Largest { took: *took, larger })
            }
            (None, Some((took, file))) => (file.clone(), WhisperChoice::Quickest { took: *took }),
            (None, None) => (usual(), WhisperChoice::Unmeasured),
        }
    }

    /// The whisper models that are installed and that memory and language allow, the largest first.
    fn whispers_installed(&self, settings: &Settings, memory: u64) -> Vec<ModelFile> {
        // The kernel and the firmware keep some: a machine sold with 4 GiB reports a little less.
        let gib = memory as f64 / f64::from(1 << 30) * 1.1;
        let is_english = is_english(settings);
        let suits = |name: &&str| {
            let known = self.catalogue.find(name);
            known.is_ok_and(|model| {
                model.memory_gib <= gib && (is_english || model.languages.contains(&"*".to_owned()))
            })
        };
        let files = WHISPERS
            .iter()
            .copied()
            .filter(suits)
            .map(|name| self.named(name));
        files.filter(ModelFile::is_present).collect()
    }

    /// The pack of sentences that the settings mean; "auto" is the first of the catalogue.
    fn sentences(&self, wanted: &str) -> Option<ModelFile> {
        match wanted {
            "off" => None,
            "auto" => Some(self.named(&self.catalogue.first_of(Kind::Sentences)?.name)),
            named => Some(self.named(named)),
        }
    }

    fn named(&self, wanted: &str) -> ModelFile {
        if let Ok(model) = self.catalogue.find(wanted) {
            return ModelFile {
                path: self.store.file_of(model),
                name: model.name.clone(),
                bytes: model.size,
                is_in_catalogue: true,
            };
        }
        let path = self.environment.expand_home(Path::new(wanted));
        ModelFile {
            name: path
                .file_stem()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned(),
            bytes: path.metadata().map_or(0, |file| file.len()),
            path,
            is_in_catalogue: false,
        }
    }
}

/// On few gigabytes the smaller model is the only one that leaves room for the rest of the device.
fn language_models(memory: u64) -> Vec<&'static str> {
    let (small, large) = (
        "qwen2.5-coder-0.5b-instruct-q4_k_m",
        "qwen2.5-coder-1.5b-instruct-q4_k_m",
    );
    if memory < ROOMY {
        vec![small]
    } else {
        vec![large, small]
    }
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

/// Whether nothing but English is spoken here.
fn is_english(settings: &Settings) -> bool {
    let mycroft = &settings.mycroft;
    let mut langs = std::iter::once(&mycroft.lang).chain(&mycroft.secondary_langs);
    langs.all(|lang| lang.to_lowercase().starts_with("en"))
}

/// The threads that whisper computes with.
pub fn whisper_threads(settings: &Settings) -> usize {
    let usual = SpeechSettings::new("", "").threads;
    settings.speech.threads.map_or(usual, usize::from)
}

/// What a device begins with. The model for English only is smaller and hears English better than others of its size.
fn usual_whispers(memory: u64, is_english: bool) -> Vec<&'static str> {
    match (memory < ROOMY, is_english) {
        (true, true) => vec!["ggml-tiny.en", "ggml-tiny.en-q8_0", "ggml-base-q8_0"],
        (false, true) => vec!["ggml-base-q8_0", "ggml-base", "ggml-tiny.en", "ggml-tiny.en-q8_0"],
        (_, false) => vec!["ggml-base-q8_0", "ggml-base"],
    }
}

/// What the kernel says, in bytes; as much as a Pi has where it does not.
pub fn total_memory() -> u64 {
    let text = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let kibibytes = text.lines().find_map(|line| {
        line.strip_prefix("MemTotal:")?
            .split_whitespace()
            .next()?
            .parse()
            .ok()
    });
    kibibytes.map_or(ROOMY / 2, |kibibytes: u64| kibibytes << 10)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::LoadOptions;

    /// What a device with these installed models and measurements, in milliseconds, hears with.
    fn chosen(installed: &[(&str, Option<u64>)], overrides: &[&str]) -> (String, WhisperChoice) {
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
                    whisper_threads(&settings),
                    Duration::from_millis(*milliseconds),
                );
            }
        }
        speeds.keep(state).unwrap();
        let catalogue = Catalogue::embedded();
        let chooser = Chooser {
            catalogue: &catalogue,
            store: &Store::new(models),
            environment: &environment,
        };
        let (file, choice) = chooser.whisper(&settings, 8 << 30);
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
            (base.to_owned(), WhisperChoice::Largest { took, larger })
        );
        let patient = chosen(&measured, &["speech.whisper_seconds=2.0"]);
        assert_eq!(patient.0, small);
        let hasty = chosen(&measured, &["speech.whisper_seconds=0.1"]);
        let took = milliseconds(200);
        assert_eq!(hasty, (tiny.to_owned(), WhisperChoice::Quickest { took }));
        // Those beyond the first that was too slow are not measured.
        let partly = chosen(&[("ggml-small", None), (base, Some(900)), (tiny, Some(300))], &[]);
        assert_eq!(partly.0, tiny);
    }

    #[test]
    fn where_nothing_was_measured_or_is_to_be_chosen_the_usual_one_is_used() {
        let only = chosen(&[("ggml-small", None)], &[]);
        assert_eq!(only, ("ggml-small".to_owned(), WhisperChoice::Only));
        assert_eq!(
            chosen(&[], &[]),
            ("ggml-base-q8_0".to_owned(), WhisperChoice::Only)
        );
        let several = [("ggml-small", None), ("ggml-base", None)];
        assert_eq!(
            chosen(&several, &[]),
            ("ggml-base".to_owned(), WhisperChoice::Unmeasured)
        );
        let named = chosen(&several, &["speech.whisper_model=\"ggml-small\""]);
        assert_eq!(named, ("ggml-small".to_owned(), WhisperChoice::Named));
    }
}
