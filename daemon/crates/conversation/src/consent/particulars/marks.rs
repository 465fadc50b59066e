//! Signs in what a person is asked about: those without a sound of their own, markup that voices obey, and marks that end a
//! sentence. Looks at one text and knows no call.

use std::ops::RangeInclusive;

/// Characters that cannot be heard and cannot be seen: joiners, fillers, marks of direction, tags; and letters that are read
/// as others and that voices leave out: wide, circled, mathematical, struck out.
const SILENT: [RangeInclusive<char>; 28] = [
    '\u{ad}'..='\u{ad}',
    '\u{334}'..='\u{338}',
    '\u{34f}'..='\u{34f}',
    '\u{61c}'..='\u{61c}',
    '\u{115f}'..='\u{1160}',
    '\u{17b4}'..='\u{17b5}',
    '\u{180b}'..='\u{180f}',
    '\u{200b}'..='\u{200f}',
    '\u{202a}'..='\u{202e}',
    '\u{2060}'..='\u{206f}',
    '\u{20d0}'..='\u{20f0}',
    '\u{2460}'..='\u{24ff}',
    '\u{2800}'..='\u{28ff}',
    '\u{3164}'..='\u{3164}',
    '\u{e000}'..='\u{f8ff}',
    '\u{fe00}'..='\u{fe0f}',
    '\u{feff}'..='\u{feff}',
    '\u{ff10}'..='\u{ff19}',
    '\u{ff21}'..='\u{ff3a}',
    '\u{ff41}'..='\u{ff5a}',
    '\u{ffa0}'..='\u{ffa0}',
    '\u{fff0}'..='\u{ffff}',
    '\u{13430}'..='\u{1345f}',
    '\u{1bca0}'..='\u{1bca3}',
    '\u{1d400}'..='\u{1d7ff}',
    '\u{1f100}'..='\u{1f1ff}',
    '\u{e0000}'..='\u{e0fff}',
    '\u{f0000}'..='\u{10ffff}',
];

/// Brackets of SSML and HTML, in all their widths, and the stroke that begins an order to some voices.
const MARKUP: [char; 9] = ['<', '>', '＜', '＞', '﹤', '﹥', '⟨', '⟩', '\\'];

/// Some voices read these as sounds rather than letters.
const PHONEMES: [&str; 4] = ["[[", "]]", "{{", "}}"];

/// The longest name of a character in markup, as in `&lt;`.
const LONGEST_NAME: usize = 32;

/// Marks that end a sentence, or begin a question, in the scripts of the world.
const ENDS: [RangeInclusive<char>; 46] = [
    '!'..='!',
    ';'..=';',
    '?'..='?',
    '¡'..='¡',
    '¿'..='¿',
    '\u{37e}'..='\u{37e}',
    '\u{387}'..='\u{387}',
    '\u{55c}'..='\u{55c}',
    '\u{55e}'..='\u{55e}',
    '\u{589}'..='\u{589}',
    '\u{61b}'..='\u{61b}',
    '\u{61d}'..='\u{61f}',
    '\u{6d4}'..='\u{6d4}',
    '\u{700}'..='\u{702}',
    '\u{7f9}'..='\u{7f9}',
    '\u{837}'..='\u{837}',
    '\u{839}'..='\u{839}',
    '\u{83d}'..='\u{83e}',
    '\u{964}'..='\u{965}',
    '\u{e2f}'..='\u{e2f}',
    '\u{e5a}'..='\u{e5b}',
    '\u{f08}'..='\u{f08}',
    '\u{f0d}'..='\u{f12}',
    '\u{104a}'..='\u{104b}',
    '\u{1362}'..='\u{1368}',
    '\u{166e}'..='\u{166e}',
    '\u{1735}'..='\u{1736}',
    '\u{17d4}'..='\u{17d5}',
    '\u{1803}'..='\u{1803}',
    '\u{1809}'..='\u{1809}',
    '\u{1944}'..='\u{1945}',
    '\u{1aa8}'..='\u{1aab}',
    '\u{1b5a}'..='\u{1b5f}',
    '\u{1c3b}'..='\u{1c3c}',
    '\u{1c7e}'..='\u{1c7f}',
    '\u{2024}'..='\u{2026}',
    '\u{203c}'..='\u{203d}',
    '\u{2047}'..='\u{2049}',
    '\u{2cf9}'..='\u{2cfe}',
    '\u{2e2e}'..='\u{2e2e}',
    '\u{2e3c}'..='\u{2e3c}',
    '\u{2e53}'..='\u{2e54}',
    '\u{3002}'..='\u{3002}',
    '\u{a4ff}'..='\u{a4ff}',
    '\u{fe12}'..='\u{fe19}',
    '\u{fe52}'..='\u{fe57}',
];

/// Marks that end a sentence, or begin a question, as wide letters' scripts write them.
const WIDE_ENDS: [char; 6] = ['！', '．', '；', '？', '｡', '⸘'];

/// Tells whether something in it has no sound, or another one than it looks like.
pub(super) fn is_silent(text: &str) -> bool {
    let mut letters = text.chars();
    letters.any(|letter| letter.is_control() || is_in(&SILENT, letter))
}

/// Tells whether something in it is an order to a voice, or a character in disguise.
pub(super) fn has_markup(text: &str) -> bool {
    text.contains(MARKUP) || PHONEMES.iter().any(|mark| text.contains(mark)) || names_character(text)
}

/// Tells whether a character is written by its name or number, as in `&lt;` and `&#60;`.
fn names_character(text: &str) -> bool {
    let mut behind = text.split(['&', '＆']).skip(1);
    behind.any(|rest| {
        let name: String = rest
            .chars()
            .take(LONGEST_NAME)
            .take_while(|letter| letter.is_alphanumeric() || *letter == '#')
            .collect();
        let end = rest.get(name.len()..).unwrap_or_default();
        !name.is_empty() && end.starts_with([';', '；'])
    })
}

/// The text without marks that end a sentence: each becomes a comma, and those at its ends go. A dot within a word stays, as
/// in an address or a number; no voice takes it for the end of a sentence before a small letter.
pub(super) fn in_one_sentence(text: &str) -> String {
    let mut sentence = String::with_capacity(text.len());
    let mut before = None;
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        let is_within = |letter: Option<&char>| letter.is_some_and(|letter| letter.is_alphanumeric());
        let ends = match letter {
            '.' => {
                let begins = letters.peek().is_some_and(|next| next.is_uppercase());
                begins || !(is_within(before.as_ref()) && is_within(letters.peek()))
            }
            other => is_in(&ENDS, other) || WIDE_ENDS.contains(&other),
        };
        if ends {
            end(&mut sentence, letters.peek());
        } else if !(letter == ' ' && (sentence.is_empty() || sentence.ends_with(' '))) {
            sentence.push(letter);
        }
        before = Some(letter);
    }
    sentence.trim_matches([' ', ',']).to_owned()
}

/// Puts a comma for a mark, and one for several in a row.
fn end(sentence: &mut String, next: Option<&char>) {
    let said = sentence.trim_end_matches([' ', ',']).len();
    sentence.truncate(said);
    if said > 0 {
        sentence.push(',');
        if next.is_some_and(|next| *next != ' ') {
            sentence.push(' ');
        }
    }
}

fn is_in(ranges: &[RangeInclusive<char>], letter: char) -> bool {
    ranges.iter().any(|range| range.contains(&letter))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_mark_ends_the_sentence() {
        for (text, said) in [
            (
                "hello? Never mind. Shall I play music",
                "hello, Never mind, Shall I play music",
            ),
            ("wait... what?! no", "wait, what, no"),
            ("one;two", "one, two"),
            ("¿Qué? ¡Ya!", "Qué, Ya"),
            ("好吗？好。放音乐", "好吗, 好, 放音乐"),
            ("هل؟ نعم۔ لا", "هل, نعم, لا"),
            ("क्या। हाँ॥ ना", "क्या, हाँ, ना"),
            ("τι; ναι", "τι, ναι"),
            ("well… then‽ yes", "well, then, yes"),
            ("a . b", "a, b"),
            ("hello.Never mind.Shall I go", "hello, Never mind, Shall I go"),
            ("...all of it...", "all of it"),
            (
                "see example.org at 3.30 in b.txt",
                "see example.org at 3.30 in b.txt",
            ),
            ("1.5", "1.5"),
            ("at 5 o'clock: now", "at 5 o'clock: now"),
            ("https://example.org/a?x=1&y=2", "https://example.org/a, x=1&y=2"),
            ("one,, two", "one,, two"),
        ] {
            assert_eq!(in_one_sentence(text), said, "{text}");
        }
    }

    #[test]
    fn markup_is_known_in_its_many_forms() {
        for text in [
            "<break time='9s'/>",
            "a < b",
            "thanks<prosody volume='silent'>",
            "＜speak＞",
            "&lt;speak&gt;",
            "&#60;speak&#x3e;",
            "x &amp; y",
            "[[h@l'oU]]",
            "\\vol=0\\ hidden",
            "{{x}}",
        ] {
            assert!(has_markup(text), "{text}");
        }
        for text in [
            "C++ & Rust",
            "x=1&y=2",
            "AT&T; no",
            "[a note]",
            "«quoted»",
            "this & that; more",
        ] {
            assert_eq!(has_markup(text), text == "AT&T; no", "{text}");
        }
    }

    #[test]
    fn what_looks_like_letters_and_is_not_said_is_known() {
        for text in [
            "ｍａｌｌｏｒｙ",
            "𝐌𝐮𝐦",
            "ⓐⓑ",
            "a\u{3164}b",
            "m\u{336}um",
            "🇬🇧",
            "a\u{202e}b",
            "\u{e0041}",
        ] {
            assert!(is_silent(text), "{text}");
        }
        for text in ["Mum", "Ünïcödé", "张伟", "Мама", "ﬁn", "50%", "café"] {
            assert!(!is_silent(text), "{text}");
        }
    }
}
