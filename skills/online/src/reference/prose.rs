//! Written text as it can be spoken: its first sentences, without what stands in brackets.
//!
//! Knows sentences of languages that end them with a full stop, and asks no service.

/// Words before a full stop that does not end a sentence.
const SHORTENED: &[&str] = &[
    "bzw", "lat", "geb", "vgl", "etc", "mrs", "prof", "sgt", "gen", "sen", "rev", "hon", "jan", "feb", "aug",
    "sept", "okt", "oct", "nov", "dez", "dec", "engl", "franz", "ital", "span", "griech", "sta", "dra",
    "sra", "mme", "apr",
];

/// In letters: with a second sentence, and with a third.
const LONGEST: [usize; 2] = [350, 250];

/// One sentence is cut at this length, in letters.
const LONGEST_SENTENCE: usize = 500;

/// The first two or three sentences of a text, as they are spoken.
pub(crate) fn summary(text: &str) -> String {
    let text = spoken(text);
    let mut sentences = sentences(&text);
    let mut summary = cut(sentences.next().unwrap_or_default(), LONGEST_SENTENCE);
    for (sentence, longest) in sentences.zip(LONGEST) {
        if summary.chars().count() + sentence.chars().count() > longest {
            break;
        }
        summary = format!("{summary} {sentence}");
    }
    summary
}

/// A text without brackets and what is in them, without control characters, on one line.
pub(crate) fn spoken(text: &str) -> String {
    let mut depth = 0_usize;
    let mut plain = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            _ if depth > 0 => {}
            letter if letter.is_whitespace() || letter.is_control() => plain.push(' '),
            letter => plain.push(letter),
        }
    }
    let words: Vec<&str> = plain.split_whitespace().collect();
    let mut line = words.join(" ");
    for mark in [",", ".", ";", ":"] {
        line = line.replace(&format!(" {mark}"), mark);
    }
    line
}

/// A text as long as this, in letters, and whole where it can be.
pub(crate) fn cut(text: &str, longest: usize) -> String {
    let Some((end, _)) = text.char_indices().nth(longest) else {
        return text.to_owned();
    };
    let cut = text.get(..end).unwrap_or_default();
    let whole = cut.rfind(' ').and_then(|end| cut.get(..end)).unwrap_or(cut);
    format!("{}…", whole.trim_end_matches([',', ';', ':', ' ']))
}

fn sentences(line: &str) -> impl Iterator<Item = &str> {
    let mut rest = line;
    std::iter::from_fn(move || {
        let end = ends(rest).next().unwrap_or(rest.len());
        let (sentence, after) = rest.split_at_checked(end)?;
        rest = after.trim_start();
        (!sentence.is_empty()).then_some(sentence)
    })
}

/// Where sentences end.
fn ends(line: &str) -> impl Iterator<Item = usize> {
    line.match_indices(['.', '!', '?']).filter_map(|(at, mark)| {
        let end = at + mark.len();
        let (before, after) = (line.get(..at)?, line.get(end..)?);
        let next = after.strip_prefix(' ').and_then(|after| after.chars().next());
        let begins =
            next.is_none_or(|next| !next.is_lowercase()) && (after.is_empty() || after.starts_with(' '));
        let word = before.rsplit(|letter: char| !letter.is_alphanumeric()).next()?;
        let is_shortened = mark == "."
            && !after.is_empty()
            && (word.chars().count() <= 2 || SHORTENED.contains(&word.to_lowercase().as_str()));
        (begins && !is_shortened).then_some(end)
    })
}

#[cfg(test)]
mod tests {
    use super::{cut, spoken, summary};

    #[test]
    fn the_first_sentences_are_told() {
        for (text, expected) in [
            (
                "Ada Lovelace (née Byron; 10 December 1815) was a mathematician. She wrote a program. More.\nMore yet.",
                "Ada Lovelace was a mathematician. She wrote a program. More.",
            ),
            (
                "J. S. Bach starb am 28. Juli 1750 in Leipzig. Er war Thomaskantor.",
                "J. S. Bach starb am 28. Juli 1750 in Leipzig. Er war Thomaskantor.",
            ),
            (
                "Dr. No is a film of 1962. St. Moritz is a town.",
                "Dr. No is a film of 1962. St. Moritz is a town.",
            ),
            ("One thing", "One thing"),
            ("", ""),
        ] {
            assert_eq!(summary(text), expected);
        }
        let long = "This sentence has some words. ".repeat(30);
        assert_eq!(summary(&long).matches('.').count(), 3);
        let endless = "word ".repeat(500);
        assert!(summary(&endless).ends_with("word…"));
        assert!(summary(&endless).chars().count() <= 501);
    }

    #[test]
    fn brackets_and_markup_are_left_out() {
        for (text, expected) in [
            ("Paris (French: [paʁi] (listen)), capital", "Paris, capital"),
            ("a {\\displaystyle {x}} b\u{7} c [1].", "a b c."),
            ("an (open bracket", "an"),
            ("x) y", "x y"),
        ] {
            assert_eq!(spoken(text), expected);
        }
        assert_eq!(cut("one, two three", 6), "one…");
        assert_eq!(cut("one", 3), "one");
    }
}
