//! What results are told with: the sentences of all skills, and those of others for languages that have none of ours.

use std::fmt;
use std::sync::Arc;

use loquat_agent::turn::Phrasing;
use serde_json::{Map, Value};

use crate::locale::Locales;

/// Answers of others. Clones of what holds them share them.
pub trait Answers: fmt::Debug + Send + Sync {
    /// What a result of a toolbox comes to in a language; `None` where they say more than is known, or nothing.
    fn tell(
        &self,
        lang: &str,
        phrasing: &Phrasing,
        toolbox_id: &str,
        result: &Map<String, Value>,
    ) -> Option<String>;
}

/// The sentences of ours and of others.
#[derive(Debug, Clone)]
pub struct Wording {
    /// They are those of the skills.
    pub locales: Arc<Locales>,
    /// Those of others, where a daemon has some.
    pub answers: Option<Arc<dyn Answers>>,
}

impl Wording {
    /// Ours alone.
    pub fn new(locales: Arc<Locales>) -> Self {
        let answers = None;
        Self { locales, answers }
    }
}
