//! What a person may say next, and what it then means: a yes, what was left out, words to whom they spoke, an undo,
//! or more of what was understood last.

use super::DeskSettings;
use super::asking_back::OpenCalls;
use super::consent::Questions;
use super::last_readings::LastReadings;
use super::talking_on::Talks;
use super::undoing::Undoables;

/// All that waits for the words of a person.
#[derive(Debug)]
pub(super) struct Dialogue {
    /// They ask for a yes.
    pub(super) questions: Questions,
    /// What was asked for and lacks a part.
    pub(super) open_calls: OpenCalls,
    /// Who may speak on with whom.
    pub(super) talks: Talks,
    /// What was done and can be undone.
    pub(super) undoables: Undoables,
    /// What was understood last.
    pub(super) last_readings: LastReadings,
}

impl Dialogue {
    /// Nothing waits yet.
    pub(super) fn new(settings: &DeskSettings) -> Self {
        Self {
            questions: Questions::new(&settings.consent),
            open_calls: OpenCalls::default(),
            talks: Talks::new(settings.follow_up),
            undoables: Undoables::default(),
            last_readings: LastReadings::default(),
        }
    }
}
