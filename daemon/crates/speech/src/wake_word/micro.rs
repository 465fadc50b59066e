//! Wake words in the form of microWakeWord: a streaming network that looks at 30 ms of spectra at a time.
//!
//! The networks are those of the microWakeWord project, which speaks of probabilities that are averaged over some steps
//! and compared with a cut-off (its manifests, version 2). Nothing here opens a capture or knows the bus.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use super::loudness::Loudness;
use super::network::Network;
use super::spectrum::{CHANNELS, HOP, Spectrum, WINDOW};
use super::{Detection, WakeWord, WakeWordSettings};
use crate::model_file::LoadModelError;

/// One step of a logarithmic spectrum, in what the networks were trained with.
const FEATURE_STEP: f32 = 10.0 / 256.0;

/// After a start the network knows too little to be believed: so many runs go by, which is
/// usually three quarters of a second.
const RUN_UP: u32 = 25;

/// What a model is called in messages.
const KIND: &str = "wake word";

/// A larger file is no wake word.
const MOST_BYTES: u64 = 4 << 20;

/// Spectra that a network takes at a time; with more it would hear the word too late.
const MOST_ROWS: usize = 8;

/// A detector of one wake word.
pub struct MicroWakeWord {
    settings: WakeWordSettings,
    spectrum: Spectrum,
    loudness: Loudness,
    network: Network,
    /// Sound that does not fill a window yet.
    samples: VecDeque<i16>,
    /// Spectra that do not fill the network's input yet.
    features: Vec<f32>,
    probabilities: VecDeque<f32>,
    run_up: u32,
}

impl std::fmt::Debug for MicroWakeWord {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("MicroWakeWord")
            .field("settings", &self.settings)
            .finish_non_exhaustive()
    }
}

impl MicroWakeWord {
    /// Reads the model and checks it from end to end. Blocks for the reading of some 60 kB.
    pub fn load(settings: WakeWordSettings) -> Result<Self, LoadModelError> {
        let path = &settings.model;
        let bytes = read(path).map_err(|source| LoadModelError::Unreadable {
            kind: KIND,
            path: path.clone(),
            source,
        })?;
        let network = Network::read(&bytes).and_then(fitting);
        let network = network.map_err(|fault| LoadModelError::Damaged {
            kind: KIND,
            path: path.clone(),
            fault,
        })?;
        Ok(Self {
            spectrum: Spectrum::new(),
            loudness: Loudness::new(),
            samples: VecDeque::with_capacity(2 * WINDOW),
            features: Vec::with_capacity(network.input_len()),
            probabilities: VecDeque::with_capacity(settings.window.get().into()),
            network,
            settings,
            run_up: RUN_UP,
        })
    }

    /// Looks at one window of sound; the probability, when there were windows enough for a run.
    fn look(&mut self) -> Option<f32> {
        let spectrum = self.spectrum.of(self.samples.make_contiguous());
        let features = self.loudness.even(&spectrum);
        let features = features.iter().map(|step| f32::from(*step) * FEATURE_STEP);
        self.features.extend(features);
        if self.features.len() < self.network.input_len() {
            return None;
        }
        let probability = self.network.run(&self.features);
        self.features.clear();
        Some(probability)
    }

    /// The mean of the last probabilities, when it is a detection.
    fn judge(&mut self, probability: f32) -> Option<Detection> {
        if self.run_up > 0 {
            self.run_up -= 1;
            return None;
        }
        let window = self.settings.window.get();
        if self.probabilities.len() >= usize::from(window) {
            self.probabilities.pop_front();
        }
        self.probabilities.push_back(probability);
        let confidence = self.probabilities.iter().sum::<f32>() / f32::from(window);
        (confidence > self.settings.cutoff).then_some(Detection { confidence })
    }
}

impl WakeWord for MicroWakeWord {
    fn name(&self) -> &str {
        &self.settings.name
    }

    fn feed(&mut self, frame: &[f32]) -> Option<Detection> {
        let whole = |sample: &f32| (sample * -f32::from(i16::MIN)) as i16;
        for piece in frame.chunks(HOP) {
            self.samples.extend(piece.iter().map(whole));
            while self.samples.len() >= WINDOW {
                let probability = self.look();
                self.samples.drain(..HOP);
                if let Some(detection) = probability.and_then(|probability| self.judge(probability)) {
                    self.reset();
                    return Some(detection);
                }
            }
        }
        None
    }

    fn score(&self) -> f32 {
        let window = f32::from(self.settings.window.get());
        self.probabilities.iter().sum::<f32>() / window
    }

    fn reset(&mut self) {
        self.loudness.reset();
        self.network.reset();
        self.samples.clear();
        self.features.clear();
        self.probabilities.clear();
        self.run_up = RUN_UP;
    }
}

fn read(path: &Path) -> io::Result<Vec<u8>> {
    // Asked before opening, because opening a pipe would wait for a writer.
    let metadata = std::fs::metadata(path)?;
    let mut bytes = Vec::new();
    if metadata.is_file() {
        // What a file says of its length need not be true.
        let mut file = File::open(path)?.take(MOST_BYTES + 1);
        file.read_to_end(&mut bytes)?;
    }
    if bytes.is_empty() || bytes.len() as u64 > MOST_BYTES {
        let reason = "it is not a file of a wake word's size";
        return Err(io::Error::new(io::ErrorKind::InvalidData, reason));
    }
    Ok(bytes)
}

/// A network that takes spectra of ours.
fn fitting(network: Network) -> Result<Network, String> {
    let (columns, len) = (network.columns(), network.input_len());
    if columns == CHANNELS && (1..=MOST_ROWS).contains(&(len / CHANNELS)) {
        return Ok(network);
    }
    Err(format!(
        "it takes {len} values in rows of {columns} instead of up to {MOST_ROWS} spectra of {CHANNELS}"
    ))
}
