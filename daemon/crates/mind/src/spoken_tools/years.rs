//! A year that is named by how far it is away: "when is Easter next year". Behind a day it is read as its figures.
//!
//! Nothing here runs a tool.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use loquat_phrases::Phrases;
use loquat_sentences::words::words_and_figures;

/// The most words that name a year.
const LONGEST: usize = 4;

/// A text with the figures of a year in the place of the words for it; nothing where it names none.
pub(super) fn with_year(text: &str, lang: &str) -> Option<String> {
    let following = &Phrases::known(lang)?.following;
    let said = words_and_figures(text);
    let lengths = (1..=LONGEST.min(said.len())).rev();
    let mut places = lengths.flat_map(|length| (0..=said.len() - length).map(move |at| (at, length)));
    places.find_map(|(at, length)| {
        let (front, rest) = said.split_at_checked(at)?;
        let (named, behind) = rest.split_at_checked(length)?;
        let now = Timestamp::now().to_zoned(TimeZone::UTC).year();
        let year = now.checked_add(following.year(named)?)?.to_string();
        let words = front.iter().map(|word| word.said.as_str());
        let behind = behind.iter().map(|word| word.said.as_str());
        Some(
            words
                .chain([year.as_str()])
                .chain(behind)
                .collect::<Vec<_>>()
                .join(" "),
        )
    })
}
