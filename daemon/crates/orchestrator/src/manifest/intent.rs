//! An intent that a skill has registered, and what it is registered under. Never judges an utterance.

use std::collections::BTreeSet;
use std::sync::Arc;

use loquat_sentences::{Language, Source, Spelling, Template};
use loquat_wire::session::DEFAULT_SESSION_ID;

use crate::keyword::KeywordIntent;
use crate::limits;
use crate::notes::Gate;
use crate::vocabulary::same_language;

/// What an intent is registered under.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct IntentKey {
    /// It belongs to this skill.
    pub skill_id: String,
    /// It is called so, without `.intent`.
    pub intent_name: String,
    /// BCP-47; empty is every language, as old keyword intents name none.
    pub lang: String,
    /// The session it is for; `default` is for all.
    pub session_id: String,
}

/// How an intent is recognised.
#[derive(Debug)]
pub enum Means {
    /// It is understood by sentences.
    Templates {
        /// As they were registered.
        samples: Vec<String>,
        /// As they are compared; those that make no sense are left out.
        sentences: Box<Language>,
        /// The names of their gaps, each once; a note of one beyond the first 32 fills nothing.
        gaps: BTreeSet<String>,
        /// An utterance with one of these words is another's.
        excluded: Vec<String>,
    },
    /// It is understood by single words.
    Keywords(KeywordIntent),
}

/// A registered intent.
#[derive(Debug, Clone)]
pub struct Intent {
    /// How it is recognised.
    pub means: Arc<Means>,
    /// Whether it is armed.
    pub enabled: bool,
    /// What has to be noted in a session for it to match.
    pub gate: Gate,
}

impl Means {
    /// Compiles sentences, of which those that make no sense are left out.
    pub fn templates(samples: Vec<String>, excluded: Vec<String>) -> Self {
        let (sentences, _) = Language::build(&Source::of_words([("", samples.clone())]));
        let gaps: BTreeSet<&str> = sentences.slots().collect();
        let gaps = gaps
            .into_iter()
            .take(limits::KEYWORDS)
            .map(str::to_owned)
            .collect();
        Self::Templates {
            samples,
            sentences: Box::new(sentences),
            gaps,
            excluded,
        }
    }

    pub(super) fn weight(&self) -> usize {
        match self {
            Self::Templates {
                samples,
                sentences,
                excluded,
                ..
            } => limits::weight(samples.iter().chain(excluded)) + sentences.weight(),
            Self::Keywords(intent) => intent.weight(),
        }
    }
}

impl IntentKey {
    pub(super) fn is_for(&self, lang: &str, session_id: &str) -> bool {
        let own_session = self.session_id == DEFAULT_SESSION_ID || self.session_id == session_id;
        own_session && same_language(&self.lang, lang)
    }
}

/// Lists the sentences that samples stand for, without brackets, for peers that do not read them well; of
/// each at most so many.
pub fn without_brackets(samples: &[String], limit: usize) -> impl Iterator<Item = String> {
    let read = samples
        .iter()
        .filter_map(|sample| Template::read(sample, Spelling::Words).ok());
    read.flat_map(move |template| template.sentences(limit))
}
