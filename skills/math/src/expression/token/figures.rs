//! Dates and times of day in figures, where they cannot be arithmetic.
//!
//! Judges by the shape alone; whether there is such a day is for the calendar to say.

/// Whether `2026-12-25` means a day in this text: beside words, or where there are two of them.
pub(super) fn are_dates(text: &str) -> bool {
    text.contains(char::is_alphabetic) || text.split_whitespace().filter(|word| iso(word) > 0).count() > 1
}

/// How many bytes of the beginning are a date with a year; `2026-12-25` only where such a difference is none.
pub(super) fn date(text: &str, are_dates: bool) -> usize {
    let length = if are_dates { iso(text) } else { 0 };
    let separated = |sign| shaped(text, &[(1, 2), (1, 2), (4, 4)], sign);
    length.max(separated('/')).max(separated('.'))
}

/// How many bytes of the beginning are a time such as `18:30` or `9:05:00`.
pub(super) fn time(text: &str) -> usize {
    let seconds = shaped(text, &[(1, 2), (2, 2), (2, 2)], ':');
    if seconds > 0 {
        seconds
    } else {
        shaped(text, &[(1, 2), (2, 2)], ':')
    }
}

fn iso(text: &str) -> usize {
    shaped(text, &[(4, 4), (2, 2), (2, 2)], '-')
}

/// How many bytes of the beginning are groups of so many digits with the sign between them; 0 where more follows.
fn shaped(text: &str, groups: &[(usize, usize)], sign: char) -> usize {
    let mut end = 0;
    for (place, (fewest, most)) in groups.iter().enumerate() {
        let mut rest = text.get(end..).unwrap_or_default();
        if place > 0 {
            let Some(after) = rest.strip_prefix(sign) else {
                return 0;
            };
            end += sign.len_utf8();
            rest = after;
        }
        let count = super::leading_digits(rest);
        if !(*fewest..=*most).contains(&count) {
            return 0;
        }
        end += count;
    }
    let after = text.get(end..).unwrap_or_default();
    let goes_on = after
        .strip_prefix(sign)
        .is_some_and(|rest| super::leading_digits(rest) > 0);
    if goes_on { 0 } else { end }
}
