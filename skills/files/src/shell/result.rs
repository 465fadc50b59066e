//! What a command came to, with the sentence that tells it.

use schemars::JsonSchema;
use serde::Serialize;

use loquat_kit::dialog::{Tell, Telling};

/// In characters; what is longer is for a brain to sum up.
const LONGEST_SAID: usize = 300;

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Ran {
    pub(super) stdout: String,
    pub(super) stderr: String,
    /// -1 where it took too long, and below that the signal that ended it.
    pub(super) returncode: i32,
    pub(super) success: bool,
    #[serde(skip)]
    pub(super) took_too_long: bool,
}

impl Tell for Ran {
    fn tell(&self) -> Option<Telling> {
        let text = self.stdout.trim();
        let is_short = text.chars().nth(LONGEST_SAID).is_none();
        let is_quiet = text.is_empty() && self.stderr.trim().is_empty();
        match (self.success, self.took_too_long) {
            (_, true) => text.is_empty().then(|| Telling::new("too_long")),
            (true, _) if is_quiet => Some(Telling::new("silent")),
            (true, _) if self.stderr.trim().is_empty() => {
                is_short.then(|| Telling::new("says").words("text", text))
            }
            (true, _) => None,
            (false, _) => is_quiet.then(|| Telling::new("failed")),
        }
    }
}
