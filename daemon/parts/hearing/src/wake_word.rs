//! The wake words of this device: from a model's name, or the manifest of one, to a detector.
//!
//! A model of the catalogue brings its figures along; any other has them in a manifest as microWakeWord writes it
//! (version 2). Which words are wanted is decided in `choice`, and what is heard in `loquat-speech`.

pub(crate) mod choice;
#[cfg(test)]
mod tests;

use std::io;
use std::num::NonZeroU8;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use loquat_failure::with_causes;
use loquat_models::{Catalogue, Kind, Spotting};
use loquat_speech::{
    LoadModelError, MicroWakeWord, MicroWakeWords, WakeWord, WakeWordEffect, WakeWordSettings,
};
use serde::Deserialize;

pub use choice::{WakeWordInUse, WakeWords};

/// Milliseconds from one spectrum to the next; there are no models for others.
const FEATURE_STEP: u32 = 10;

/// Below these any sound would do.
const CUTOFFS: RangeInclusive<f32> = 0.05..=1.0;

/// Why a wake word is not listened for.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WakeWordError {
    /// Its file is not there.
    #[error("listen for the wake word {name}: {} is not there; {mend}", path.display())]
    Missing {
        /// The word.
        name: String,
        /// Where it should be.
        path: PathBuf,
        /// What to do.
        mend: String,
    },
    /// The name is that of another kind of model.
    #[error("listen for the wake word {name}: that model is for something else; see `loquat models list`")]
    OtherKind {
        /// The model.
        name: String,
    },
    /// A manifest cannot be read.
    #[error("read the wake word's manifest {}: {source}; it lies beside its .tflite file", path.display())]
    Unreadable {
        /// The manifest.
        path: PathBuf,
        /// What the system said.
        #[source]
        source: io::Error,
    },
    /// A manifest does not say what is needed.
    #[error("understand the wake word's manifest {}: {reason}", path.display())]
    Malformed {
        /// The manifest.
        path: PathBuf,
        /// What is missing or wrong.
        reason: String,
    },
    /// The model is of no use.
    #[error("listen for the wake word")]
    Model(#[from] LoadModelError),
}

/// What microWakeWord writes beside a model, as far as it matters here.
#[derive(Debug, Deserialize)]
struct Manifest {
    model: PathBuf,
    micro: Micro,
}

#[derive(Debug, Deserialize)]
struct Micro {
    probability_cutoff: f32,
    sliding_window_size: NonZeroU8,
    #[serde(default = "usual_step")]
    feature_step_size: u32,
}

fn usual_step() -> u32 {
    FEATURE_STEP
}

/// Makes the detector of those words whose models are of use; none where no model is. What is wrong with the others is said
/// in a sentence each.
pub fn load_all(words: &[WakeWordInUse], catalogue: &Catalogue) -> (Option<MicroWakeWords>, Vec<String>) {
    let (mut models, mut complaints) = (Vec::new(), Vec::new());
    for word in words {
        match load(word, catalogue) {
            Ok(model) => models.push(model),
            Err(error) => complaints.push(format!("failed to {}", with_causes(&error))),
        }
    }
    let detector = (!models.is_empty()).then(|| MicroWakeWords::new(models));
    (detector, complaints)
}

/// Completes "a word that is said …".
pub fn purpose(effect: &WakeWordEffect, over_sound_alone: bool) -> String {
    match effect {
        WakeWordEffect::Stop if over_sound_alone => {
            "to silence the device while it speaks or rings".to_owned()
        }
        WakeWordEffect::Stop => "to silence the device".to_owned(),
        WakeWordEffect::Wake => "to end a sleep".to_owned(),
        WakeWordEffect::Persona(name) => format!("to speak to {name}"),
        _ => "to be heard".to_owned(),
    }
}

/// Reads the model of a word, which takes some milliseconds.
pub fn load(word: &WakeWordInUse, catalogue: &Catalogue) -> Result<MicroWakeWord, WakeWordError> {
    let file = &word.file;
    if !file.is_present() {
        return Err(WakeWordError::Missing {
            name: word.name.clone(),
            path: file.path.clone(),
            mend: file.mend(),
        });
    }
    let manifest = file.path.with_extension("json");
    let (model, spotting) = match catalogue.find(&file.name) {
        Ok(known) if file.is_in_catalogue || !manifest.is_file() => {
            let is_word = matches!(known.kind, Kind::WakeWord | Kind::StopWord);
            let spotting = known.spotting.filter(|_| is_word);
            let name = word.name.clone();
            (
                file.path.clone(),
                spotting.ok_or(WakeWordError::OtherKind { name })?,
            )
        }
        _ => read_manifest(&manifest)?,
    };
    let settings = WakeWordSettings {
        word: WakeWord {
            name: word.name.clone(),
            effect: word.effect.clone(),
            over_sound_alone: word.over_sound_alone,
        },
        model,
        cutoff: word.cutoff.map_or(spotting.cutoff, |cutoff| cutoff as f32),
        window: spotting.window,
    };
    Ok(MicroWakeWord::load(settings)?)
}

/// Finds the model that a manifest speaks of, and when its word counts as heard.
fn read_manifest(path: &Path) -> Result<(PathBuf, Spotting), WakeWordError> {
    let text = std::fs::read_to_string(path).map_err(|source| WakeWordError::Unreadable {
        path: path.into(),
        source,
    })?;
    let malformed = |reason: String| WakeWordError::Malformed {
        path: path.into(),
        reason,
    };
    let manifest: Manifest = serde_json::from_str(&text).map_err(|error| malformed(error.to_string()))?;
    let spotting = Spotting {
        cutoff: manifest.micro.probability_cutoff,
        window: manifest.micro.sliding_window_size,
    };
    if !CUTOFFS.contains(&spotting.cutoff) {
        let reason = "micro.probability_cutoff must be between 0.05 and 1";
        return Err(malformed(reason.into()));
    }
    if manifest.micro.feature_step_size != FEATURE_STEP {
        let reason = format!("micro.feature_step_size must be {FEATURE_STEP}");
        return Err(malformed(reason));
    }
    let folder = path.parent().unwrap_or(Path::new("."));
    Ok((folder.join(manifest.model), spotting))
}
