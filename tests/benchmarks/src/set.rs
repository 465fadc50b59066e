//! What SET says of our device: settings that a measurement is made with, so that one of them can be compared with another.

use anyhow::{Result, ensure};
use loquat_tests::binaries::setting;
use loquat_tests::home::Home;

/// The settings of SET, as in `SET="local_brain.guessed_tokens=false local_brain.threads=1"`; values are TOML.
///
/// # Errors
/// When one of them is no key and value.
pub fn wanted() -> Result<Vec<(String, String)>> {
    let mut wanted = Vec::new();
    for word in setting("SET").unwrap_or_default().split_whitespace() {
        let (key, value) = word.split_once('=').unwrap_or_default();
        ensure!(
            !key.is_empty() && !value.is_empty(),
            "SET has {word:?}; write KEY=VALUE, with spaces between several"
        );
        wanted.push((key.to_owned(), value.to_owned()));
    }
    Ok(wanted)
}

/// Gives these to a home; the daemon refuses what it does not know.
pub fn apply(home: &Home, wanted: &[(String, String)]) {
    for (key, value) in wanted {
        home.setting(key, value);
    }
}
