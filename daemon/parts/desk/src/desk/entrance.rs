//! How frames come in: which are listened to, how large they may be, and who speaks in them. Answers none.

use loquat_mind::spoken_tools::CurrentSentences;
use loquat_part::guests::Guests;

use super::DeskSettings;
use super::arrival::Ways;
use super::door::Door;
use super::outline::Outlines;
use super::routes::Routes;

#[derive(Debug)]
pub(super) struct Entrance {
    pub(super) routes: Routes,
    pub(super) door: Door,
    pub(super) ways: Ways,
    /// What is said of frames that are too large.
    pub(super) outlines: Outlines,
}

impl Entrance {
    /// For these sentences, where no door of this process is known yet.
    pub(super) fn new(settings: &DeskSettings, sentences: &CurrentSentences) -> Self {
        Self {
            routes: Routes::new(sentences.now().names()),
            door: Door::default(),
            ways: Ways::new(Guests::default(), settings.consent.attendance.clone()),
            outlines: Outlines::default(),
        }
    }
}
