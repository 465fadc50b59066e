//! The capital at the beginning of what is spoken: an answer may begin with a name or a word that was not written as a
//! beginning.
//!
//! Changes one letter at most, and none of a word that is spelled in a way of its own, such as `iPhone` or `x2`.

/// Georgian has capitals, and begins no sentence with them.
const WITHOUT_CAPITALS: std::ops::RangeInclusive<char> = '\u{10d0}'..='\u{10ff}';

/// Gives a text a capital where its first word is written in small letters alone.
pub fn capitalised(text: &str) -> String {
    let Some((before, rest)) = text
        .find(char::is_alphanumeric)
        .and_then(|start| text.split_at_checked(start))
    else {
        return text.to_owned();
    };
    let word = rest.split(char::is_whitespace).next().unwrap_or_default();
    let word = word.trim_end_matches(|c: char| !c.is_alphanumeric());
    let is_plain = |c: char| c.is_lowercase() || matches!(c, '\'' | '’' | '-');
    let mut letters = rest.chars();
    match letters.next() {
        Some(first) if word.chars().all(is_plain) && !WITHOUT_CAPITALS.contains(&first) => {
            format!("{before}{}{}", first.to_uppercase(), letters.as_str())
        }
        _ => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_first_word_of_small_letters_gets_a_capital() {
        for (text, expected) in [
            ("pasta timer set for 8 minutes.", "Pasta timer set for 8 minutes."),
            ("the pasta timer", "The pasta timer"),
            ("élan vital", "Élan vital"),
            ("¿qué hora es?", "¿Qué hora es?"),
            ("l'ora", "L'ora"),
            ("«oui», dit-il", "«Oui», dit-il"),
            ("так", "Так"),
            ("yes", "Yes"),
            ("iPhone is charged.", "iPhone is charged."),
            ("pH 7", "pH 7"),
            ("example.com is up", "example.com is up"),
            ("x2 is 5", "x2 is 5"),
            ("5 minutes", "5 minutes"),
            ("Done.", "Done."),
            ("გამარჯობა", "გამარჯობა"),
            ("こんにちは", "こんにちは"),
            ("…", "…"),
            ("", ""),
        ] {
            assert_eq!(capitalised(text), expected, "{text}");
        }
    }
}
