//! A name and a number with no word that tells what is wanted: `the kitchen one`. It may be the name of something else, or the
//! answer to which one is meant, so it sets no level. Knows no names.

use loquat_phrases::Phrases;
use loquat_sentences::words::{plain, words_and_figures};
use loquat_sentences::{Origin, Reading};

/// Slots for names of the home.
const NAMES: [&str; 3] = ["name", "area", "floor"];

/// Whether a reading takes a name and a number for an order to set the thing to it.
pub(super) fn is_bare(reading: &Reading, text: &str, lang: &str) -> bool {
    let filled: Vec<String> = reading.slots.iter().map(|slot| plain(&slot.said)).collect();
    let is_filled = |word: &str| filled.iter().any(|said| said.split(' ').any(|part| part == word));
    let slight = Phrases::known(lang).map(|phrases| phrases.slight.as_slice());
    let is_slight = |word: &str| slight.unwrap_or_default().iter().any(|known| known == word);
    let has_level = reading.slots.iter().any(|slot| slot.origin == Origin::Number);
    let has_name = reading
        .slots
        .iter()
        .any(|slot| NAMES.contains(&slot.name.as_str()));
    let words = words_and_figures(text);
    let mut words = words.iter().map(|word| word.said.to_lowercase());
    has_level && has_name && words.all(|word| is_filled(&word) || is_slight(&word))
}
