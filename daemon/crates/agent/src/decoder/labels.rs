//! Finds the labels of text protocols (`Action:`, `**FINAL_ANSWER:**`, `thought :`, `Action 2:` …) at line beginnings.
//!
//! A label in the middle of a line is prose. Matching never changes the text, so that positions are safe with letters
//! whose cases differ in length.

/// What a label introduces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    /// Reasoning.
    Thought,
    /// The name of a tool.
    Action,
    /// A tool's arguments.
    Input,
    /// An outcome, which only we may write.
    Observation,
    /// The answer.
    Answer,
    /// An answer where no better mark is found.
    WeakAnswer,
    /// What a step of a plan brought: an answer, but invented when it stands beside an action.
    Outcome,
    /// The person's words, which only they may write.
    Person,
}

/// Kinds of labels and their words; of two that begin alike the longer comes first.
pub(crate) type Table<K> = &'static [(K, &'static [&'static str])];

/// The labels that every protocol has.
const LABELS: Table<Kind> = &[
    (Kind::Answer, &["final", "answer"]),
    (Kind::Answer, &["finalanswer"]),
    (Kind::Input, &["action", "input"]),
    (Kind::Input, &["actioninput"]),
    (Kind::Input, &["tool", "input"]),
    (Kind::Input, &["arguments"]),
    (Kind::Input, &["parameters"]),
    (Kind::Input, &["input"]),
    (Kind::Action, &["action"]),
    (Kind::Action, &["tool", "call"]),
    (Kind::Action, &["tool"]),
    (Kind::Thought, &["thoughts"]),
    (Kind::Thought, &["thought"]),
    (Kind::Observation, &["observations"]),
    (Kind::Observation, &["observation"]),
    (Kind::Outcome, &["step", "result"]),
    (Kind::Outcome, &["stepresult"]),
    (Kind::WeakAnswer, &["answer"]),
    (Kind::Person, &["question"]),
    (Kind::Person, &["user"]),
    (Kind::Person, &["human"]),
];

/// A label found in a text; positions are bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Mark<K = Kind> {
    /// What it introduces.
    pub(crate) kind: K,
    /// Where its line begins.
    pub(crate) start: usize,
    /// Where its value begins.
    pub(crate) value: usize,
    /// How many characters of emphasis opened before the label and are still open in the value.
    pub(crate) emphasis: usize,
}

/// The label of the line that begins at `start`, if it has one.
pub(crate) fn label_at(text: &str, start: usize) -> Option<Mark> {
    find(LABELS, text, start, without_colon)
}

/// The same for the labels of another table.
pub(crate) fn label_among<K: Copy>(table: Table<K>, text: &str, start: usize) -> Option<Mark<K>> {
    find(table, text, start, |_, _, _, _| None)
}

fn find<K: Copy>(
    table: Table<K>,
    text: &str,
    start: usize,
    bare: impl for<'t> Fn(K, &str, &'t str, &str) -> Option<(&'t str, bool)>,
) -> Option<Mark<K>> {
    let rest = text.get(start..)?;
    let line = rest.get(..rest.find('\n').unwrap_or(rest.len()))?;
    let (label, opened) = skip_decoration(line);
    table.iter().find_map(|(kind, words)| {
        let after = skip_words(label, words)?;
        let (value, closed) = skip_colon(after, opened).or_else(|| bare(*kind, label, after, line))?;
        Some(Mark {
            kind: *kind,
            start,
            value: start + line.len() - value.len(),
            emphasis: if closed { 0 } else { opened.len() },
        })
    })
}

/// Takes off indentation, quote marks, list marks, headings, backticks and an opening emphasis, which is returned.
fn skip_decoration(line: &str) -> (&str, &str) {
    let plain = line
        .trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '>' | '#' | '-' | '+' | '•' | '`'));
    let plain = plain.strip_prefix("* ").unwrap_or(plain).trim_start();
    let label = plain.trim_start_matches(['*', '_']);
    (label, plain.get(..plain.len() - label.len()).unwrap_or_default())
}

/// What follows the words, in any case and with blanks, underscores or hyphens between them.
pub(super) fn skip_words<'t>(text: &'t str, words: &[&str]) -> Option<&'t str> {
    let mut rest = text;
    for (index, word) in words.iter().enumerate() {
        if index > 0 {
            rest = rest.trim_start_matches([' ', '_', '-']);
        }
        let head = rest.get(..word.len())?;
        if !head.eq_ignore_ascii_case(word) {
            return None;
        }
        rest = rest.get(word.len()..)?;
    }
    let goes_on = rest.chars().next().is_some_and(char::is_alphabetic);
    (!goes_on).then_some(rest)
}

/// What follows a number, the end of the emphasis and the colon; and whether the emphasis ended.
pub(super) fn skip_colon<'t>(after: &'t str, opened: &str) -> Option<(&'t str, bool)> {
    let rest = after
        .trim_start()
        .trim_start_matches(|c: char| c.is_ascii_digit())
        .trim_start();
    let (rest, early) = skip_emphasis(rest, opened);
    let rest = rest.trim_start_matches(['`', '"', ' ', '\t']);
    let rest = rest.strip_prefix([':', '：'])?;
    let (rest, late) = skip_emphasis(rest, if early { "" } else { opened });
    let value = rest.trim_start_matches([' ', '\t']);
    Some((value, early || late))
}

fn skip_emphasis<'t>(text: &'t str, opened: &str) -> (&'t str, bool) {
    match text.strip_prefix(opened) {
        Some(rest) if !opened.is_empty() => (rest, true),
        _ => (text, false),
    }
}

/// `FINAL_ANSWER` in just this spelling needs no colon, and a heading of its own line needs none either.
fn without_colon<'t>(kind: Kind, label: &str, after: &'t str, line: &str) -> Option<(&'t str, bool)> {
    if kind != Kind::Answer {
        return None;
    }
    let bare = after.trim_start_matches(['*', '_', '`']).trim_start();
    let heading = bare.is_empty() && line.trim_start().starts_with(['#', '*', '_']);
    let exact = label.starts_with("FINAL_ANSWER");
    (heading || exact).then(|| (bare.trim_start_matches(['=', '-', '–', '>', ' ']), true))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, kind: Option<Kind>, value: &str) {
        let mark = label_at(line, 0);
        assert_eq!(mark.map(|mark| mark.kind), kind, "for {line:?}");
        if let Some(mark) = mark {
            assert_eq!(&line[mark.value..], value, "for {line:?}");
        }
    }

    #[test]
    fn labels_are_found_however_they_are_dressed() {
        check("Action: add", Some(Kind::Action), "add");
        check("action : add", Some(Kind::Action), "add");
        check("  **Action:** add", Some(Kind::Action), "add");
        check("**Action**: add", Some(Kind::Action), "add");
        check("### Action: add", Some(Kind::Action), "add");
        check("- Action 2: add", Some(Kind::Action), "add");
        check("* Action: add", Some(Kind::Action), "add");
        check("ACTION_INPUT: {}", Some(Kind::Input), "{}");
        check("`Action Input`: {}", Some(Kind::Input), "{}");
        check("Final Answer：42", Some(Kind::Answer), "42");
        check("final-answer: 42", Some(Kind::Answer), "42");
        check("FINAL_ANSWER 42", Some(Kind::Answer), "42");
        check("## Final Answer", Some(Kind::Answer), "");
        check("FINAL_ANSWER: **42**", Some(Kind::Answer), "**42**");
    }

    #[test]
    fn prose_has_no_labels() {
        check("The Action: add", None, "");
        check("Actions: two", None, "");
        check("Actionable: yes", None, "");
        check("Final answers vary", None, "");
        check("Action films are loud", None, "");
        check("final answer is near", None, "");
    }

    #[test]
    fn an_emphasis_that_stays_open_is_told() {
        assert_eq!(
            label_at("**FINAL_ANSWER: 5**", 0).map(|mark| mark.emphasis),
            Some(2)
        );
        assert_eq!(
            label_at("**FINAL_ANSWER:** 5", 0).map(|mark| mark.emphasis),
            Some(0)
        );
    }
}
