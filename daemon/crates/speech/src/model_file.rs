//! Checks a model file from end to end before whisper.cpp sees it.
//!
//! whisper.cpp reads lengths from the file and believes them: a truncated file gives it garbage sizes or silent weights.
//! So the whole skeleton of the file is walked here (magic, sizes, words, tensors) without reading the weights, which
//! takes about a millisecond. Flipped bits inside the weights are what checksums at download are for.

mod ggml;
#[cfg(test)]
mod tests;

use std::io;
use std::path::{Path, PathBuf};

use ggml::{Fault, GgmlFile};

/// Says why a model file cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LoadModelError {
    /// The file is not there or cannot be read.
    #[error("failed to read the {kind} model {}; {}", path.display(), fetch(path))]
    Unreadable {
        /// Names what the model is for.
        kind: &'static str,
        /// The path of the file.
        path: PathBuf,
        /// The error of the operating system.
        #[source]
        source: io::Error,
    },
    /// The file is something else, or broken.
    #[error("failed to use {} as a {kind} model: {fault}; {}", path.display(), replace(path))]
    Damaged {
        /// Names what the model is for.
        kind: &'static str,
        /// The path of the file.
        path: PathBuf,
        /// Says what is wrong with it.
        fault: String,
    },
    /// The file looks right and whisper.cpp refused it all the same.
    #[error("failed to load the {kind} model {}: {reason}; {}", path.display(), replace(path))]
    Refused {
        /// Names what the model is for.
        kind: &'static str,
        /// The path of the file.
        path: PathBuf,
        /// The report of whisper.cpp.
        reason: String,
    },
    /// The system gave no thread.
    #[error("failed to start the thread that whisper runs on")]
    NoThread {
        /// The error of the operating system.
        #[source]
        source: io::Error,
    },
}

/// Says what a person can do about a model file that is not there.
fn fetch(path: &Path) -> String {
    let name = path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy();
    format!("fetch it with `loquat models fetch {name}`, if `loquat models list` has it")
}

/// Says what a person can do about a file that is of no use. One that is complete in length would not be fetched
/// again.
fn replace(path: &Path) -> String {
    let name = path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy();
    format!(
        "take it away with `loquat models remove {name}` and {}",
        fetch(path)
    )
}

/// Says which model a file should hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ModelKind {
    /// The model turns speech into text.
    Whisper,
    /// The model tells speech from silence.
    Silero,
}

impl ModelKind {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Whisper => "whisper",
            Self::Silero => "voice activity",
        }
    }
}

/// Refuses a file that is missing, is something else, is cut short or has its lengths broken.
pub(crate) fn check(path: &Path, kind: ModelKind) -> Result<(), LoadModelError> {
    let walk = |mut file: GgmlFile| match kind {
        ModelKind::Whisper => walk_whisper(&mut file),
        ModelKind::Silero => walk_silero(&mut file),
    };
    let walked = GgmlFile::open(path).and_then(walk);
    walked.map_err(|fault| refusal(path, kind, fault))
}

fn refusal(path: &Path, kind: ModelKind, fault: Fault) -> LoadModelError {
    match fault {
        Fault::Io(source) => LoadModelError::Unreadable {
            kind: kind.name(),
            path: path.into(),
            source,
        },
        Fault::Broken(fault) => LoadModelError::Damaged {
            kind: kind.name(),
            path: path.into(),
            fault,
        },
    }
}

/// Tells whether a whisper model knows other languages than English: as whisper.cpp sees it, by the size of its
/// vocabulary.
pub(crate) fn is_multilingual(path: &Path) -> Result<bool, LoadModelError> {
    const ENGLISH_ALONE: u32 = 51_864;
    let words = GgmlFile::open(path).and_then(|mut file| file.size("vocabulary", 1..=100_000));
    let words = words.map_err(|fault| refusal(path, ModelKind::Whisper, fault))?;
    Ok(words > ENGLISH_ALONE)
}

/// Walks whisper.cpp's layout: eleven sizes, mel filters, words, tensors.
fn walk_whisper(file: &mut GgmlFile) -> Result<(), Fault> {
    let words = file.size("vocabulary", 1..=100_000)?;
    file.size("audio context", 1..=1_500)?;
    file.size("audio state", 1..=8_192)?;
    file.size("audio heads", 1..=128)?;
    let encoder_layers = file.size("encoder layers", 1..=64)?;
    file.size("text context", 1..=4_096)?;
    file.size("text state", 1..=8_192)?;
    file.size("text heads", 1..=128)?;
    let decoder_layers = file.size("decoder layers", 1..=64)?;
    file.size("mel bands", 1..=256)?;
    file.size("weight type", 0..=10_000)?;
    let bands = file.size("mel filters", 1..=256)?;
    let bins = file.size("mel filter bins", 1..=4_096)?;
    file.skip(u64::from(bands) * u64::from(bins) * 4, "mel filters")?;
    for _ in 0..file.size("words", 1..=words)? {
        let length = file.size("word length", 0..=1_024)?;
        file.skip(u64::from(length), "words")?;
    }
    // Four tensors frame the decoder and seven the encoder; a layer has 24 and 15.
    file.tensors(11 + 15 * encoder_layers + 24 * decoder_layers)
}

/// Walks whisper.cpp's layout for Silero: its name, version, window, layers, tensors.
fn walk_silero(file: &mut GgmlFile) -> Result<(), Fault> {
    let name_length = file.size("model name", 1..=64)?;
    let name = file.text(name_length, "model name")?;
    if !name.starts_with("silero") {
        return Err(Fault::Broken("it is not a Silero model".into()));
    }
    for part in ["major version", "minor version", "patch version"] {
        file.size(part, 0..=1_000)?;
    }
    // Everything about frames in this crate is built on Silero's 512 samples.
    file.size("window", 512..=512)?;
    file.size("context", 1..=512)?;
    for _ in 0..file.size("encoder layers", 4..=4)? {
        file.size("channels in", 1..=1_024)?;
        file.size("channels out", 1..=1_024)?;
        file.size("kernel", 1..=16)?;
    }
    for part in [
        "recurrent input",
        "recurrent state",
        "final input",
        "final output",
    ] {
        file.size(part, 1..=1_024)?;
    }
    // One short-time Fourier transform, two for each of four layers, four recurrent ones and two final ones.
    file.tensors(15)
}
