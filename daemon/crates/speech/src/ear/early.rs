//! The text before a pause, looked for while it is still open whether the person speaks on.
//!
//! If the pause becomes the end, the text is there already or nearly so; if not, it was for nothing and is dropped.

use std::future::pending;

use super::conductor::Transcription;
use crate::completeness::{self, Completeness};
use crate::hearing::Pauses;
use crate::known::Known;
use crate::recognizer::{TranscribeError, Transcript};

/// What the text of the last pause has come to.
enum State {
    /// The person speaks, or nothing is open.
    Nothing,
    Looking {
        pause: u64,
        transcription: Transcription,
    },
    Found(Result<Transcript, TranscribeError>),
}

/// What there is for a capture that has ended.
pub(super) enum Outcome {
    Nothing,
    Running(Transcription),
    Done(Result<Transcript, TranscribeError>),
}

/// The text of the last pause.
pub(super) struct Early {
    state: State,
    pauses: Pauses,
    known: Known,
}

impl Early {
    pub(super) fn new(pauses: Pauses, known: Known) -> Self {
        Self {
            state: State::Nothing,
            pauses,
            known,
        }
    }

    /// A pause begins, and its text is being looked for.
    pub(super) fn look(&mut self, pause: u64, transcription: Transcription) {
        self.state = State::Looking { pause, transcription };
    }

    /// The text counts no more; whisper gives up.
    pub(super) fn forget(&mut self) {
        self.state = State::Nothing;
    }

    /// Waits until the text is there, has the pause judged by it and gives it; never, when none is looked for.
    pub(super) async fn found(&mut self) -> Option<String> {
        let State::Looking { pause, transcription } = &mut self.state else {
            return pending().await;
        };
        let (outcome, pause) = (transcription.await, *pause);
        self.pauses.judge(pause, self.judgement(outcome.as_ref()));
        let text = outcome.as_ref().ok().map(|transcript| transcript.text.clone());
        self.state = State::Found(outcome);
        text
    }

    fn judgement(&self, outcome: Result<&Transcript, &TranscribeError>) -> Completeness {
        let Ok(Transcript { text, lang, .. }) = outcome else {
            return Completeness::Unsure;
        };
        completeness::of(text, lang, self.known.knows(text, lang))
    }

    /// The capture has ended with that pause: what there is of its text.
    pub(super) fn take(&mut self) -> Outcome {
        match std::mem::replace(&mut self.state, State::Nothing) {
            State::Nothing => Outcome::Nothing,
            State::Looking { transcription, .. } => Outcome::Running(transcription),
            // Whisper may do better the second time.
            State::Found(Err(TranscribeError::Whisper { .. })) => Outcome::Nothing,
            State::Found(outcome) => Outcome::Done(outcome),
        }
    }
}
