//! The words that a person searches for, and where they stand in a text. Knows no place.

use std::ops::Range;

/// Letters of a search; a person writes fewer.
pub(super) const LONGEST: usize = 200;

/// Words that are compared; those behind them do not count.
const MOST: usize = 12;

/// Letters that are shown in front of what was found.
const BEFORE: usize = 60;

/// Letters that are shown of a text.
const SHOWN: usize = 220;

/// The words, in lower case.
#[derive(Debug)]
pub(in super::super) struct Words(Vec<String>);

/// Why nothing can be searched for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unsearched {
    Empty,
    TooLong,
}

/// A part of a text in which something was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Part {
    pub(super) text: String,
    /// Whether it is one of the words.
    pub(super) is_found: bool,
}

impl Words {
    /// Reads them.
    pub(super) fn of(text: &str) -> Result<Self, Unsearched> {
        if text.chars().count() > LONGEST {
            return Err(Unsearched::TooLong);
        }
        let words: Vec<String> = text
            .split_whitespace()
            .take(MOST)
            .map(str::to_lowercase)
            .collect();
        if words.is_empty() {
            return Err(Unsearched::Empty);
        }
        Ok(Self(words))
    }

    /// Shows the place of a text in which all words stand, as wholes or within others; nothing where one is missing.
    pub(super) fn found_in(&self, text: &str) -> Option<Vec<Part>> {
        let lower = text.to_lowercase();
        if !self.0.iter().all(|word| lower.contains(word.as_str())) {
            return None;
        }
        let places = self.places(text);
        Some(parts(text, &places))
    }

    /// The places of all words in a text, in their order and apart from each other.
    fn places(&self, text: &str) -> Vec<Range<usize>> {
        // A letter in lower case may be longer than it was, and be several.
        let lower = text.char_indices().flat_map(|(at, letter)| {
            let end = at + letter.len_utf8();
            letter.to_lowercase().map(move |lower| (lower, at..end))
        });
        let (letters, origins): (Vec<char>, Vec<Range<usize>>) = lower.unzip();
        let mut places: Vec<Range<usize>> = Vec::new();
        for word in &self.0 {
            let word: Vec<char> = word.chars().collect();
            let windows = letters.windows(word.len()).zip(origins.windows(word.len()));
            let found = windows.filter(|(window, _)| **window == *word);
            places.extend(found.filter_map(|(_, origin)| Some(origin.first()?.start..origin.last()?.end)));
        }
        places.sort_by_key(|place| (place.start, place.end));
        places.into_iter().fold(Vec::new(), joined)
    }
}

/// Adds a place, or widens the last one where they touch.
fn joined(mut places: Vec<Range<usize>>, next: Range<usize>) -> Vec<Range<usize>> {
    match places.last_mut() {
        Some(last) if next.start <= last.end => last.end = last.end.max(next.end),
        _ => places.push(next),
    }
    places
}

/// The part of a text around the first place, with all places in it.
fn parts(text: &str, places: &[Range<usize>]) -> Vec<Part> {
    let first = places.first().map_or(0, |place| place.start);
    let ahead = text.get(..first).unwrap_or_default();
    let begin = ahead.char_indices().rev().nth(BEFORE - 1).map_or(0, |(at, _)| at);
    let behind = text.get(begin..).unwrap_or_default();
    let end = behind
        .char_indices()
        .nth(SHOWN)
        .map_or(text.len(), |(at, _)| begin + at);
    let mut parts = Vec::new();
    let mut add = |range: Range<usize>, is_found| {
        let text = text.get(range).unwrap_or_default();
        if !text.is_empty() {
            parts.push(Part {
                text: text.to_owned(),
                is_found,
            });
        }
    };
    let mut at = begin;
    for place in places.iter().filter(|place| place.end <= end) {
        add(at..place.start, false);
        add(place.clone(), true);
        at = place.end;
    }
    add(at..end, false);
    if let Some(part) = parts.first_mut().filter(|_| begin > 0) {
        part.text.insert(0, '…');
    }
    if let Some(part) = parts.last_mut().filter(|_| end < text.len()) {
        part.text.push('…');
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What was found, with brackets around the words.
    fn found(words: &str, text: &str) -> Option<String> {
        let parts = Words::of(words).unwrap().found_in(text)?;
        let shown = parts.into_iter().map(|part| {
            if part.is_found {
                format!("[{}]", part.text)
            } else {
                part.text
            }
        });
        Some(shown.collect())
    }

    #[test]
    fn all_words_have_to_stand_in_a_text_whatever_their_case() {
        assert_eq!(
            found("MILK oat", "Oat milk and eggs").as_deref(),
            Some("[Oat] [milk] and eggs")
        );
        assert_eq!(found("milk rice", "Oat milk and eggs"), None);
        assert_eq!(
            found("il k", "Milk").as_deref(),
            Some("M[ilk]"),
            "what touches is one"
        );
        assert_eq!(
            found("straße", "In der STRAẞE").as_deref(),
            Some("In der [STRAẞE]")
        );
        // This letter is two in lower case.
        assert_eq!(found("zmir", "İzmir").as_deref(), Some("İ[zmir]"));
        assert_eq!(found("'<b>", "a '<b>").as_deref(), Some("a ['<b>]"));
    }

    #[test]
    fn a_long_text_is_shown_around_what_was_found() {
        let text = format!("{} needle {}", "é".repeat(500), "ü".repeat(500));
        let shown = found("needle", &text).unwrap();
        assert!(
            shown.starts_with("…é") && shown.contains("[needle]") && shown.ends_with("ü…"),
            "{shown}"
        );
        assert_eq!(shown.chars().count(), SHOWN + "…[]…".chars().count());
    }

    #[test]
    fn a_search_has_words_and_an_end() {
        assert_eq!(Words::of(" \t").unwrap_err(), Unsearched::Empty);
        assert_eq!(
            Words::of(&"x".repeat(LONGEST + 1)).unwrap_err(),
            Unsearched::TooLong
        );
        assert_eq!(Words::of(&"x ".repeat(LONGEST / 2)).unwrap().0.len(), MOST);
    }
}
