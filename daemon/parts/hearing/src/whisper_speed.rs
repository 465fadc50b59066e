//! How quick each installed whisper model is on this machine: measured once and kept in the state folder. Chooses no model.

use std::io;
use std::path::Path;
use std::time::Duration;

use loquat_models::ModelFile;
use loquat_part::model_speed::{Conditions, Kept, Measurements};
use loquat_speech::{SpeechSettings, measure};
use serde::{Deserialize, Serialize};

const KEPT: Kept = Kept {
    file: "whisper-speed.toml",
    head: "# How long each whisper model takes on this machine for three seconds of speech.\n\
           # Written by the daemon, which measures anew when this file is gone.\n",
};

/// How long three seconds of speech take.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
struct Took {
    seconds: f64,
}

/// What is known of models.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct WhisperSpeeds(Measurements<Took>);

fn conditions(threads: usize) -> Conditions {
    Conditions {
        kernel: loquat_speech::use_best_kernel().to_string(),
        threads,
    }
}

impl WhisperSpeeds {
    /// Reads what the state folder holds; it is empty where that cannot be read.
    pub fn recall(state: &Path) -> Self {
        Self(Measurements::recall(state, KEPT))
    }

    /// Tells how long a model takes for three seconds of speech with so many threads, if it was measured as
    /// it is now.
    pub fn of(&self, model: &Path, threads: usize) -> Option<Duration> {
        let known = self.0.of(model, &conditions(threads))?;
        Duration::try_from_secs_f64(known.seconds).ok()
    }

    /// Takes note of a measurement.
    pub(crate) fn put(&mut self, model: &Path, threads: usize, took: Duration) {
        let seconds = (took.as_secs_f64() * 1_000.0).round() / 1_000.0;
        self.0.put(model, &conditions(threads), Took { seconds });
    }

    /// Has those measured that were not yet. They are taken by the size of their files, whatever order they come in: of two that
    /// hear alike the quantized one is smaller and quicker, and must not be passed over because its twin takes too long.
    fn complete(
        &mut self,
        models: &[ModelFile],
        threads: usize,
        bound: Duration,
        mut measure: impl FnMut(&ModelFile) -> Option<Duration>,
    ) {
        let mut models: Vec<&ModelFile> = models.iter().collect();
        models.sort_by_key(|model| model.bytes);
        for model in models {
            let known = self.of(&model.path, threads);
            let Some(took) = known.or_else(|| measure(model)) else {
                continue;
            };
            if known.is_none() {
                self.put(&model.path, threads, took);
            }
            if took > bound {
                break;
            }
        }
    }

    /// Writes it all into the state folder.
    pub(crate) fn keep(&self, state: &Path) -> io::Result<()> {
        self.0.keep(state, KEPT)
    }
}

/// Measures those of these models that were not yet, the smallest first, up to the first that takes longer than `bound`: a larger
/// one does so, too. Keeps what it found. Blocks for some seconds a model.
pub fn measure_all(models: &[ModelFile], settings: &SpeechSettings, bound: Duration, state: &Path) {
    let mut speeds = WhisperSpeeds::recall(state);
    speeds.complete(models, settings.threads, bound, |model| measured(model, settings));
    if let Err(error) = speeds.keep(state) {
        tracing::debug!(%error, "how quick whisper models are is not kept, and measured again at the next start");
    }
}

fn measured(model: &ModelFile, settings: &SpeechSettings) -> Option<Duration> {
    let settings = SpeechSettings {
        whisper_model: model.path.clone(),
        ..settings.clone()
    };
    match measure(&settings) {
        Ok(took) => {
            let seconds = took.as_secs_f64();
            tracing::info!(
                model = model.name,
                seconds,
                "a whisper model was measured with three seconds of speech"
            );
            Some(took)
        }
        Err(error) => {
            tracing::warn!(model = model.name, %error, "a whisper model cannot be measured");
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quantized_model_is_measured_before_its_twin_that_takes_too_long() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str, bytes| {
            let path = folder.path().join(format!("{name}.bin"));
            std::fs::write(&path, name).unwrap();
            ModelFile {
                path,
                name: name.to_owned(),
                bytes,
                is_in_catalogue: true,
            }
        };
        // In the order of how well they hear.
        let models = [
            file("small-q8_0", 264),
            file("small", 488),
            file("base-q8_0", 82),
            file("base", 148),
        ];
        let mut speeds = WhisperSpeeds::default();
        speeds.put(&models[2].path, 2, Duration::from_millis(300));
        let mut measured = Vec::new();
        speeds.complete(&models, 2, Duration::from_millis(800), |model| {
            measured.push(model.name.clone());
            Some(Duration::from_millis(model.bytes * 4))
        });
        assert_eq!(
            measured,
            ["base", "small-q8_0"],
            "one is known, and one larger than what is too slow"
        );
        let of = |index: usize| speeds.of(&models[index].path, 2);
        assert_eq!(of(0), Some(Duration::from_millis(1_056)));
        assert_eq!(of(1), None);
    }
}
