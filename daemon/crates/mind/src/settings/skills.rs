//! `[skills]`: when sentences that skills understand are answered without a model.

use loquat_settings::{Folders, Mycroft, choice, section};

choice! {
    /// When sentences are answered without a model.
    Sentences {
        /// Where no other program orchestrates.
        Alone = "alone",
        /// Beside ovos-core too, with which they are registered.
        Always = "always",
        /// Not at all.
        Never = "never",
    }
}

section! {
    /// The skills that Loquat brings.
    "skills" Skills {
        /// Whether what a skill understands is answered without a model: "alone" is where there is no ovos-core,
        /// "always" registers the sentences with it too, "never" leaves all to the personas.
        intents: Sentences = Sentences::Alone;
    }
}

/// What the settings say about sentences.
#[derive(Debug, Clone, Copy)]
pub struct SentenceSettings<'a> {
    /// When they are answered without a model.
    pub when: Sentences,
    /// Whether there are services of the system that may be started and stopped.
    pub has_services: bool,
    /// What OVOS's own file says.
    pub mycroft: &'a Mycroft,
    /// Where persons keep sentences of their own.
    pub folders: &'a Folders,
}
