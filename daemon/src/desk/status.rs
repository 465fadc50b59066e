//! Whether we are there and ready, in the words in which OVOS services ask each other.
//!
//! For ourselves always. Where we orchestrate we also answer for the skills service: skills that run in a process of
//! their own ask it at their start, and without an answer never load. Never for `intents`, by which everybody, we
//! included, tells that an ovos-core is there.

use loquat_wire::{Message, topic};
use serde_json::json;

use super::lifecycle::{self, SKILL_ID};
use super::{Desk, Mode};

/// The service of ovos-core whose part we take.
const SKILLS: &str = "skills";

fn of(service: &str) -> [String; 3] {
    [
        topic::is_alive(service),
        topic::is_ready(service),
        topic::all_loaded(service),
    ]
}

/// The questions.
pub(super) fn topics() -> Vec<String> {
    [of(SKILL_ID), of(SKILLS)].concat()
}

/// Whether a topic is one of them.
pub(super) fn is_asked(canonical: &str) -> bool {
    topics().iter().any(|name| name == canonical)
}

impl Desk {
    /// We listen to the bus only when everything is ready, so there is but one answer, or none.
    pub(super) async fn tell_status(&self, canonical: &str, question: &Message) {
        let for_us = of(SKILL_ID).iter().any(|name| name == canonical);
        if for_us || *self.mode.borrow() == Mode::Solo {
            let answer = question.response(json!({"status": true}));
            self.emit(lifecycle::ours(answer)).await;
        }
    }
}
