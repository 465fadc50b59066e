//! Finds the answer behind a marker that stands anywhere in a text, such as `ANSWER:` or `So the final answer is`.
//!
//! At the beginning of a line every spelling counts; inside a line a marker counts where it begins a new thought and
//! not where the text merely speaks about it.

use super::labels::{Kind, Table, label_among, label_at, skip_colon, skip_words};
use super::line::next_line;

/// A marker: its words, and whether it may do without a colon at the beginning of a line.
pub type Marker = (&'static str, bool);

/// Words after which a marker inside a line still announces the answer.
const CONNECTIVES: &[&str] = &[
    "so",
    "thus",
    "hence",
    "therefore",
    "and",
    "my",
    "the",
    "is",
    "also",
];

/// Words after which a text speaks about a marker and does not use it.
const MENTIONS: &[&str] = &[
    "a", "an", "with", "give", "say", "write", "use", "of", "by", "as", "no", "emit", "put", "to", "for",
    "before", "after", "without", "in", "call", "called", "reply", "print", "output", "label", "marker",
    "token", "line",
];

/// Finds what stands behind the last marker that counts and has something behind it, trimmed. Where none
/// counts, one in capitals in the middle of a line will do, unless the text only speaks about it.
///
/// Linear in the text for a fixed set of markers; never changes the text, so that positions are safe with letters
/// whose cases differ in length.
pub fn behind<'t>(text: &'t str, markers: &[Marker]) -> Option<&'t str> {
    let mut found = None;
    let mut poor = None;
    let mut before = None;
    let (mut line_start, mut behind) = (0, 0);
    let (mut asked, mut end) = (None, None);
    for (at, c) in text.char_indices() {
        let begins_word = before.is_none_or(|before: char| !before.is_alphanumeric());
        before = Some(c);
        if c == '\n' {
            line_start = at + 1;
            if found.is_some() && asks(text, line_start) {
                asked = asked.or(Some(line_start));
            }
        }
        if at < behind || !c.is_alphabetic() || !begins_word {
            continue;
        }
        let hit = markers
            .iter()
            .find_map(|(words, bare)| value_at(text, line_start, at, words, *bare));
        if let Some(Value { start, open, counts }) = hit {
            // A question behind an answer is invented, and so is the answer to it.
            if asked.is_some() {
                end = asked;
                break;
            }
            // The words of a long marker may hold a short one.
            behind = start;
            let is_empty = text
                .get(start..)
                .is_none_or(|value| value.trim_start().is_empty());
            let place = if counts { &mut found } else { &mut poor };
            *place = (!is_empty).then_some((start, open)).or(*place);
        }
    }
    let (start, open) = found.or(poor)?;
    let value = text.get(start..end.unwrap_or(text.len()))?.trim();
    let closed = if open {
        value.trim_end_matches(['*', '_']).trim()
    } else {
        value
    };
    Some(own(closed)).filter(|value| !value.is_empty())
}

fn asks(text: &str, line_start: usize) -> bool {
    const PROBLEM: Table<()> = &[((), "problem")];
    let kind = label_at(text, line_start).map(|mark| mark.kind);
    kind == Some(Kind::Person) || label_among(PROBLEM, text, line_start).is_some()
}

/// Cuts an answer where the text goes on as if another speaker had spoken.
pub(super) fn own(answer: &str) -> &str {
    let mut position = next_line(answer, 0);
    while position < answer.len() {
        let kind = label_at(answer, position).map(|mark| mark.kind);
        if matches!(
            kind,
            Some(Kind::Person | Kind::Observation | Kind::Thought | Kind::Action)
        ) {
            return answer.get(..position).unwrap_or(answer).trim();
        }
        position = next_line(answer, position);
    }
    answer
}

struct Value {
    start: usize,
    /// Says whether an emphasis that opened before the marker is still open.
    open: bool,
    /// Says whether the marker counts wherever it stands among others.
    counts: bool,
}

/// The value of the marker at `at`, if there is one and the text does not merely speak about it.
fn value_at(text: &str, line_start: usize, at: usize, words: &str, bare: bool) -> Option<Value> {
    let here = text.get(at..)?;
    let after = skip_words(here, words)?;
    let line = text.get(line_start..at)?;
    let lead = line.trim_end_matches(['*', '_', '`', '#', '"', ' ', '\t']);
    let opened = line.len() - line.trim_end_matches(['*', '_']).len();
    let begins_line = lead.trim_matches(|c: char| !c.is_alphanumeric()).is_empty();
    let dressed = line.get(line.len() - opened..).unwrap_or_default();
    let (value, closed) = match skip_colon(after, dressed) {
        Some(value) => value,
        None if bare && begins_line => (after, true),
        None => return None,
    };
    let marker = here.get(..here.len() - after.len())?;
    // A marker as long as this is written on purpose only.
    let unmistakable = words.split(' ').nth(3).is_some() && !lead.ends_with(['\'', '`', '“', '„', '«']);
    let counts = begins_line || unmistakable || begins_thought(lead, marker);
    (counts || is_used(line, marker)).then(|| Value {
        start: text.len() - value.len(),
        open: !closed && !dressed.is_empty(),
        counts,
    })
}

/// Tells whether a marker in capitals is used in the middle of a line that does not speak about it.
fn is_used(line: &str, marker: &str) -> bool {
    let shouted = !marker.chars().any(char::is_lowercase);
    let quoted = line.ends_with(['"', '\'', '`', '“', '„', '«']);
    let word = line
        .trim_end()
        .rsplit(|c: char| !c.is_alphanumeric())
        .next()
        .unwrap_or_default();
    shouted && !quoted && !MENTIONS.iter().any(|known| known.eq_ignore_ascii_case(word))
}

/// Tells whether a marker inside a line begins something new: after a sentence's end in any case, after a connective
/// or a comma when it is written in capitals.
fn begins_thought(lead: &str, marker: &str) -> bool {
    let ends_sentence = lead.ends_with(['.', '!', '?', ';', ')', ']', '。', '！', '？', '…']);
    let shouted = !marker.chars().any(char::is_lowercase);
    let titled = marker.starts_with(char::is_uppercase);
    let word = lead
        .rsplit(|c: char| !c.is_alphanumeric())
        .next()
        .unwrap_or_default();
    let joins = lead.ends_with([',', ':', '-', '–', '—', '>', '→', '=', '|'])
        || CONNECTIVES.iter().any(|known| known.eq_ignore_ascii_case(word));
    (ends_sentence && titled) || (shouted && joins)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ANSWER: &[Marker] = &[("final answer", false), ("answer", false)];
    const FINAL: &[Marker] = &[("so the final answer is", true)];

    #[test]
    fn markers_count_where_they_begin_something() {
        for (text, expected) in [
            ("ANSWER: 4", Some("4")),
            ("answer: 4", Some("4")),
            ("Two and two. ANSWER: 4", Some("4")),
            ("go on. Answer: 7", Some("7")),
            ("2+2=4, ANSWER: 4", Some("4")),
            ("So ANSWER: 7", Some("7")),
            ("Die Straße ist groß.\n**ANSWER:** 42", Some("42")),
            ("**ANSWER: 42**", Some("42")),
            ("ANSWER: **42**", Some("**42**")),
            ("FINAL ANSWER: a\nb", Some("a\nb")),
            ("I will say ANSWER: when I am done", None),
            ("I will reply \"ANSWER: x\" when I am done", None),
            ("go on ANSWER: 7", Some("7")),
            ("3+4=7 FINAL ANSWER: 7", Some("7")),
            ("I know it ANSWER: 5\nNo.\nAnswer: 6", Some("6")),
            ("I know it answer: 5", None),
            ("I look for the answer: it depends", None),
            ("ANSWER:", None),
            ("ANSWER: 1\nNo. ANSWER: 2", Some("2")),
            ("The answers: many", None),
            ("ANSWER: a\nb\nQuestion: next?", Some("a\nb")),
            ("ANSWER: 4\n\nQuestion: next?\nANSWER: 9", Some("4")),
            ("ANSWER: 4\n\nProblem: next\nANSWER: 9", Some("4")),
            (
                "ANSWER: In short.\nProblem: a\nSolution: b",
                Some("In short.\nProblem: a\nSolution: b"),
            ),
        ] {
            assert_eq!(behind(text, ANSWER), expected, "for {text:?}");
        }
    }

    #[test]
    fn some_markers_need_no_colon() {
        assert_eq!(behind("So the final answer is Paris.", FINAL), Some("Paris."));
        assert_eq!(behind("so the final answer is: Paris", FINAL), Some("Paris"));
        assert_eq!(behind("I think so the final answer is near", FINAL), None);
        assert_eq!(
            behind("Well, so the final answer is: Paris", FINAL),
            Some("Paris")
        );
        assert_eq!(behind("Hm. So the final answer is: Paris", FINAL), Some("Paris"));
    }
}
