//! The plain form of a template: with the first of several ways, and without what may be left out.

use std::str::Chars;

/// The sentence with the fewest choices.
pub(in crate::cli) fn plainest<'a>(lines: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    lines.min_by_key(|line| line.chars().filter(|sign| "([|".contains(*sign)).count())
}

/// A sentence with the first of several ways, and without what may be left out.
pub(in crate::cli) fn plain(line: &str) -> String {
    let mut signs = line.chars();
    let words = first_way(&mut signs);
    words.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Reads to the bracket that closes.
fn first_way(signs: &mut Chars<'_>) -> String {
    let (mut words, mut is_first) = (String::new(), true);
    while let Some(sign) = signs.next() {
        let more = match sign {
            '(' => first_way(signs),
            '[' => {
                first_way(signs);
                continue;
            }
            ')' | ']' => break,
            '|' => {
                is_first = false;
                continue;
            }
            // Several parts in any order.
            ';' => " ".to_owned(),
            letter => letter.to_string(),
        };
        if is_first {
            words += &more;
        }
    }
    words
}

#[test]
fn a_plain_form_has_the_first_way_and_nothing_that_may_be_left_out() {
    for (line, shown) in [
        ("set a timer", "set a timer"),
        ("(what's|what is) [the] time [(now|please)]", "what's time"),
        (
            "turn [(the|my)] (light|lamp (here|there)) on in {area}",
            "turn light on in {area}",
        ),
        (
            "(check|complete) (off;{item}) from the list",
            "check off {item} from the list",
        ),
    ] {
        assert_eq!(plain(line), shown);
    }
}
