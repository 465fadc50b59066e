//! The text before a pause, looked for while it is still open whether the person speaks on.
//!
//! If the pause becomes the end, the text is there already or nearly so; if not, it was for nothing and is dropped. Only an
//! interruption is looked at to the end, since a word that stops counts whatever is heard behind it.

use std::future::pending;
use std::sync::Arc;

use crate::completeness::{self, Completeness};
use crate::hearing::Pauses;
use crate::recognizer::{TranscribeError, Transcript};
use crate::transcriber::{Transcriber, Transcription, done};

/// The state of looking for the text of the last pause.
enum State {
    /// The person speaks, or nothing is open.
    Nothing,
    Looking {
        pause: u64,
        transcription: Transcription,
        /// Says whether the sound has gone on behind it, so that the text is not all.
        went_on: bool,
    },
    Found(Result<Transcript, TranscribeError>),
}

/// The text of the last pause.
pub(super) struct Early {
    state: State,
    pauses: Pauses,
    transcriber: Arc<dyn Transcriber>,
}

impl Early {
    pub(super) fn new(pauses: Pauses, transcriber: Arc<dyn Transcriber>) -> Self {
        Self {
            state: State::Nothing,
            pauses,
            transcriber,
        }
    }

    /// A pause begins, and its text is being looked for. Where it is not, nothing is known of how whole it is.
    pub(super) fn look(&mut self, pause: u64, looked: Option<Transcription>) {
        self.state = if let Some(transcription) = looked {
            State::Looking {
                pause,
                transcription,
                went_on: false,
            }
        } else {
            self.pauses.judge(pause, Completeness::Unsure);
            State::Nothing
        };
    }

    /// The sound goes on, and the text is wanted all the same.
    pub(super) fn go_on_looking(&mut self) {
        if let State::Looking { went_on, .. } = &mut self.state {
            *went_on = true;
        } else {
            self.forget();
        }
    }

    /// Tells whether the text of a pause is still looked for behind which the sound has gone on.
    pub(super) fn is_behind(&self) -> bool {
        matches!(self.state, State::Looking { went_on: true, .. })
    }

    /// The text counts no more; whisper gives up.
    pub(super) fn forget(&mut self) {
        self.state = State::Nothing;
    }

    /// Waits until the text is there, has the pause judged by it and gives it, and whether it may be all; never, when none is
    /// looked for.
    pub(super) async fn found(&mut self) -> Option<(String, bool)> {
        let State::Looking {
            pause,
            transcription,
            went_on,
        } = &mut self.state
        else {
            return pending().await;
        };
        let (outcome, pause, went_on) = (transcription.await, *pause, *went_on);
        let judgement = self.judgement(outcome.as_ref());
        self.pauses.judge(pause, judgement);
        let may_be_all = !went_on && judgement != Completeness::Open;
        let text = outcome.as_ref().ok().map(|transcript| transcript.text.clone());
        self.state = if went_on {
            State::Nothing
        } else {
            State::Found(outcome)
        };
        text.map(|text| (text, may_be_all))
    }

    fn judgement(&self, outcome: Result<&Transcript, &TranscribeError>) -> Completeness {
        let Ok(Transcript {
            text, lang, open_end, ..
        }) = outcome
        else {
            return Completeness::Unsure;
        };
        let known = self.transcriber.completeness(text, lang);
        completeness::of(text, lang, *open_end, known)
    }

    /// The capture has ended with that pause: its text, or what looks for it.
    pub(super) fn take(&mut self) -> Option<Transcription> {
        match std::mem::replace(&mut self.state, State::Nothing) {
            State::Nothing | State::Looking { went_on: true, .. } => None,
            State::Looking { transcription, .. } => Some(transcription),
            // It may be better the second time.
            State::Found(Err(error)) if error != TranscribeError::NothingHeard => None,
            State::Found(outcome) => Some(done(outcome)),
        }
    }
}
