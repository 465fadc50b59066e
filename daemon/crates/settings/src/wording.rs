//! The small turns of phrase that all complaints share: lists, shown values, and what was probably meant.

use loquat_wire::text::shortened;

/// A complaint repeats at most this many characters of a wrong value; they are enough to recognise it by.
const SHOWN_CHARACTERS: usize = 40;

/// Joins words as `a, b and c`.
pub fn listed<Word: AsRef<str>>(words: impl IntoIterator<Item = Word>) -> String {
    let words: Vec<Word> = words.into_iter().collect();
    match words.split_last() {
        None => "none".to_owned(),
        Some((only, [])) => only.as_ref().to_owned(),
        Some((last, others)) => {
            let others: Vec<&str> = others.iter().map(AsRef::as_ref).collect();
            format!("{} and {}", others.join(", "), last.as_ref())
        }
    }
}

/// Takes the name and the password out that may stand in an address.
pub fn without_password(text: &str) -> String {
    let Some((scheme, rest)) = text.split_once("://") else {
        return text.to_owned();
    };
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    match authority.rsplit_once('@') {
        Some((who, _)) => format!("{scheme}://…{}", rest.strip_prefix(who).unwrap_or_default()),
        None => text.to_owned(),
    }
}

/// Shows a value as it was written, shortened, and without a password that an address holds.
pub fn shown(value: &impl std::fmt::Display) -> String {
    shortened(&without_password(&value.to_string()), SHOWN_CHARACTERS)
}

/// Finds the known word that `word` was probably meant to be.
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = word.to_lowercase();
    let allowed = word.chars().count().div_ceil(4).clamp(1, 3);
    known
        .into_iter()
        .map(|candidate| {
            let distance = strsim::damerau_levenshtein(&word, &candidate.to_lowercase());
            (distance, candidate)
        })
        .filter(|(distance, candidate)| *distance <= allowed && *distance < candidate.chars().count())
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// Asks `did you mean X?` where something is near, and else says `known are A, B and C`.
pub fn did_you_mean(word: &str, known: &[&str]) -> String {
    match nearest(word, known.iter().copied()) {
        Some(candidate) => format!("did you mean {candidate}?"),
        None => format!("known are {}", listed(known)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_in_an_address_is_not_shown() {
        let shown = without_password("\"http://robert:sesame@search.example/find?a@b\"");
        assert_eq!(shown, "\"http://…@search.example/find?a@b\"");
        for plain in ["\"http://search.example/a@b\"", "\"me@example.org\"", "7"] {
            assert_eq!(without_password(plain), plain);
        }
    }
}
