//! A piece of the speech of a sentence, as whatever makes it hands it on, and why none comes.

use loquat_speech::wav::ReadWavError;
use tokio::sync::mpsc;

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Piece {
    /// It is in samples a second.
    pub(super) rate: u32,
    /// They are mono, between −1 and 1.
    pub(super) samples: Vec<f32>,
}

/// What makes speech hands its pieces on by this. When the other end is dropped, the rest of the sentence is not wanted.
pub(super) type Pieces = mpsc::Sender<Piece>;

/// Says why there is no speech, or not all of it.
#[derive(Debug, thiserror::Error)]
pub(super) enum MakeSpeechError {
    /// The program is not there, or the system starts no more.
    #[error("failed to start {program}: see that it is installed and can be run")]
    NotStarted {
        program: String,
        #[source]
        source: std::io::Error,
    },
    /// It has ended before the sentence.
    #[error("failed to speak: {program} ended in mid-sentence ({how})")]
    Ended { program: String, how: String },
    /// It takes no text, or makes no sound of it.
    #[error("failed to speak: {program} made no sound of a sentence, in {seconds} s")]
    Silent { program: String, seconds: u64 },
    /// It does not stop.
    #[error("failed to speak: {program} made more than {seconds} s of sound of one sentence")]
    Endless { program: String, seconds: u64 },
    /// The server does not answer.
    #[error("failed to speak: {url} does not answer; start the server, or correct voice.url")]
    Unreachable {
        url: String,
        #[source]
        source: reqwest::Error,
    },
    /// The server answers with something else.
    #[error(
        "failed to speak: {url} answers {status}; it must take text and give a WAV file, as Piper's server does"
    )]
    Refused {
        url: String,
        status: reqwest::StatusCode,
    },
    /// The answer of the program or the server was no sound.
    #[error("failed to speak: what {program} gives is no sound")]
    NoSound {
        program: String,
        #[source]
        source: ReadWavError,
    },
}
