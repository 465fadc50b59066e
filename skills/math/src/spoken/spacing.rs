//! Spaces between figures, signs and units, which people write without any.
//!
//! Knows no unit by its name.

/// Signs that stand beside figures without a space.
const SIGNS: [char; 10] = ['+', '*', '/', '^', '=', '%', '(', ')', '\u{d7}', '\u{f7}'];

/// Signs with a space around them; a hyphen only in front of a figure, and an x only between two.
pub(super) fn apart(text: &str) -> String {
    let mut spaced = String::new();
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        let before_figure = letters.peek().is_some_and(char::is_ascii_digit);
        let is_minus = matches!(letter, '-' | '\u{2212}') && before_figure;
        let is_times = letter == 'x' && before_figure && spaced.ends_with(|c: char| c.is_ascii_digit());
        if is_minus || is_times || SIGNS.contains(&letter) {
            spaced.extend([' ', letter, ' ']);
        } else {
            spaced.push(letter);
        }
    }
    spaced
}

/// Figures apart from the letters and marks of their units: `5ft 11in`, `1m80`, `5'11"`. A figure at the end of a word belongs to
/// it, as in m2.
pub(super) fn unglued(text: &str) -> String {
    let mut spaced = String::new();
    for word in text.split_whitespace() {
        let mut letters = word.chars().peekable();
        while let Some(letter) = letters.next() {
            let after_figure = spaced.ends_with(|before: char| before.is_ascii_digit());
            let goes_on = letters.peek().is_some();
            match letter {
                '\'' | '\u{2019}' | '\u{2032}' if after_figure => spaced.push_str(" feet "),
                '"' | '\u{2033}' | '\u{201d}' if after_figure => spaced.push_str(" inches "),
                _ if letter.is_alphabetic() && after_figure => spaced.extend([' ', letter]),
                _ if letter.is_ascii_digit() && goes_on && spaced.ends_with(char::is_alphabetic) => {
                    spaced.extend([' ', letter]);
                }
                _ => spaced.push(letter),
            }
        }
        spaced.push(' ');
    }
    // The sign of inches is the word between an amount and the unit that is wanted, too.
    match spaced.trim_end().strip_suffix(" in") {
        Some(rest) if rest.ends_with(|before: char| before.is_ascii_digit()) => format!("{rest} inches"),
        _ => spaced,
    }
}

#[cfg(test)]
mod tests {
    use super::{apart, unglued};

    #[test]
    fn figures_stand_apart_from_signs_and_units() {
        let spaced = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(spaced(&apart("5+3 -4 2x3 20%")), "5 + 3 - 4 2 x 3 20 %");
        for (text, expected) in [
            ("5'11\"", "5 feet 11 inches"),
            ("5' 11", "5 feet 11"),
            ("5ft 11in", "5 ft 11 inches"),
            ("1m80", "1 m 80"),
            ("5 lb 3 oz", "5 lb 3 oz"),
            ("20 m2", "20 m2"),
        ] {
            assert_eq!(spaced(&unglued(text)), expected, "{text}");
        }
    }
}
