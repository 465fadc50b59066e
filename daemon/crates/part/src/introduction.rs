//! How the device introduces itself to those who come in by a door.

use std::fmt::Debug;
use std::sync::Arc;

use tokio::sync::watch;

/// Who answers here.
#[derive(Debug, Clone)]
pub struct Introduction {
    /// The persona that answers where no other was asked for.
    pub persona: String,
    /// The device speaks this language.
    pub lang: String,
    /// What is said, in a language, where a sentence has no owner.
    pub dont_know: fn(&str) -> String,
    /// All that answer, as they are now.
    pub personas: Arc<dyn Offered>,
}

/// The personas that answer what others ask.
pub trait Offered: Debug + Send + Sync {
    /// Tells whether one of this name answers others.
    fn offers(&self, persona: &str) -> bool;

    /// Names the persona that answers where no other was asked for, as it is now; there may be none.
    fn default_name(&self) -> Option<String>;

    /// Tells whether the emergency stop is set, so that none answers.
    fn are_stopped(&self) -> bool;

    /// Changes whenever other personas have taken the place of these.
    fn replacements(&self) -> watch::Receiver<()>;
}
