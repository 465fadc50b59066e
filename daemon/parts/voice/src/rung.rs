//! What can make speech of a sentence: a process that is kept running, a server, or `espeak-ng`.

use super::espeak::Espeak;
use super::piece::{MakeSpeechError, Pieces};
use super::process::SpeechProcess;
use super::server::SpeechServer;

/// One of the ways to make speech.
#[derive(Debug)]
pub(super) enum Rung {
    Process(Box<SpeechProcess>),
    Server(SpeechServer),
    Espeak(Espeak),
}

impl Rung {
    /// Gives the name by which people are told of it.
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
