//! What may fill the gaps of sentences about files. Knows no file that there is.

use serde_json::Value;

use loquat_kit::intent::InLanguage;

/// In one name; whatever is longer is another sentence.
const MOST_WORDS: usize = 6;

/// A name of a file or folder.
pub(super) fn name(said: &str, _: &InLanguage<'_>) -> Option<Value> {
    is_short(said).then(|| Value::from(said))
}

/// The pattern of all names with these words in them.
pub(super) fn part_of_name(said: &str, _: &InLanguage<'_>) -> Option<Value> {
    let is_plain = !said.contains(['*', '?', '[', ']', '{', '}', '\\', '/', '!']);
    let words: Vec<&str> = said.split_whitespace().collect();
    (is_plain && is_short(said)).then(|| Value::from(format!("*{}*", words.join("*"))))
}

fn is_short(said: &str) -> bool {
    said.split_whitespace().nth(MOST_WORDS).is_none()
}
