//! What can make speech of a sentence: a process that is kept running, a server, or `espeak-ng`.

use loquat_speech::wav::ReadWavError;
use tokio::sync::mpsc;

use super::espeak::Espeak;
use super::process::SpeechProcess;
use super::server::SpeechServer;

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Piece {
    /// The rate in samples a second.
    pub(super) rate: u32,
    /// Mono samples between −1 and 1.
    pub(super) samples: Vec<f32>,
}

/// A rung hands its pieces on by this. When the other end is dropped, the rest of the sentence is not wanted.
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

/// One of the ways to make speech.
#[derive(Debug)]
pub(super) enum Rung {
    Process(Box<SpeechProcess>),
    Server(SpeechServer),
    Espeak(Espeak),
}

impl Rung {
    /// The name by which people are told of it.
    pub(super) fn name(&self) -> String {
        match self {
            Self::Process(process) => process.name(),
            Self::Server(server) => server.name(),
            Self::Espeak(espeak) => espeak.name(),
        }
    }

    /// Tells whether it speaks this language, as far as is known.
    pub(super) fn speaks(&self, lang: &str) -> bool {
        match self {
            Self::Process(process) => process.speaks(lang),
            Self::Server(_) | Self::Espeak(_) => true,
        }
    }

    /// Makes speech of a sentence. Not cancel safe for the sentence; the rung can be used again afterwards.
    pub(super) async fn make(
        &mut self,
        sentence: &str,
        lang: &str,
        pieces: &Pieces,
    ) -> Result<(), MakeSpeechError> {
        match self {
            Self::Process(process) => process.make(sentence, pieces).await,
            Self::Server(server) => server.make(sentence, pieces).await,
            Self::Espeak(espeak) => espeak.make(sentence, lang, pieces).await,
        }
    }
}
