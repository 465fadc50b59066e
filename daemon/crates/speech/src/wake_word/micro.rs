//! Wake words in the form of microWakeWord: a streaming network that looks at 30 ms of spectra at a time.
//!
//! The networks are those of the microWakeWord project, which speaks of probabilities that are averaged over some steps
//! and compared with a cut-off (its manifests, version 2). Nothing here looks at sound; the spectra come from the front end.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use super::front_end::Row;
use super::network::Network;
use super::spectrum::CHANNELS;
use super::{WakeWord, WakeWordSettings};
use crate::model_file::LoadModelError;

/// After a start the network knows too little to be believed. This many runs go by, which is usually three quarters
/// of a second.
const RUN_UP: u32 = 25;

/// Messages call a model by this name.
const KIND: &str = "wake word";

/// A larger file is no wake word.
const MOST_BYTES: u64 = 4 << 20;

/// Spectra that a network takes at a time; with more it would hear the word too late.
const MOST_ROWS: usize = 8;

/// The model of one wake word. [`MicroWakeWords`](super::MicroWakeWords) feeds it.
pub struct MicroWakeWord {
    settings: WakeWordSettings,
    network: Network,
    /// Spectra that do not fill the network's input yet.
    rows: Vec<f32>,
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
            rows: Vec::with_capacity(network.input_len()),
            probabilities: VecDeque::with_capacity(settings.window.get().into()),
            network,
            settings,
            run_up: RUN_UP,
        })
    }

    /// Gives the word that it hears.
    pub fn word(&self) -> &WakeWord {
        &self.settings.word
    }

    /// Takes the next spectrum; how sure it is, when the word ends with it.
    pub(super) fn take(&mut self, row: &Row) -> Option<f32> {
        self.rows.extend_from_slice(row);
        if self.rows.len() < self.network.input_len() {
            return None;
        }
        let probability = self.network.run(&self.rows);
        self.rows.clear();
        self.judge(probability)
    }

    /// The mean of the last probabilities, when it is a detection.
    fn judge(&mut self, probability: f32) -> Option<f32> {
        if self.run_up > 0 {
            self.run_up -= 1;
            return None;
        }
        if self.probabilities.len() >= usize::from(self.settings.window.get()) {
            self.probabilities.pop_front();
        }
        self.probabilities.push_back(probability);
        Some(self.score()).filter(|confidence| *confidence > self.settings.cutoff)
    }

    /// Averages the last probabilities.
    pub(super) fn score(&self) -> f32 {
        let window = f32::from(self.settings.window.get());
        self.probabilities.iter().sum::<f32>() / window
    }

    /// Forgets what it took.
    pub(super) fn reset(&mut self) {
        self.network.reset();
        self.rows.clear();
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

/// Refuses a network that does not take spectra of ours.
fn fitting(network: Network) -> Result<Network, String> {
    let (columns, len) = (network.columns(), network.input_len());
    if columns == CHANNELS && (1..=MOST_ROWS).contains(&(len / CHANNELS)) {
        return Ok(network);
    }
    Err(format!(
        "it takes {len} values in rows of {columns} instead of up to {MOST_ROWS} spectra of {CHANNELS}"
    ))
}
