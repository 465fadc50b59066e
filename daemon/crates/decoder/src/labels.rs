//! Finds the labels of text protocols (`Action:`, `**FINAL_ANSWER:**`, `thought :`, `Action 2:` …) at line beginnings.
//!
//! A label in the middle of a line is prose. Matching never changes the text, so that positions are safe with letters
//! whose cases differ in length.

use std::sync::LazyLock;

use crate::language::{Language, in_all};

/// Says what a label introduces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// It introduces reasoning, which no person is told.
    Thought,
    /// The name of a tool.
    Action,
    /// It introduces a tool's arguments.
    Input,
    /// An outcome, which only we may write.
    Observation,
    /// What is said to the person.
    Answer,
    /// An answer where no better mark is found.
    WeakAnswer,
    /// It introduces what a step of a plan brought: an answer, but invented when it stands beside an action.
    Outcome,
    /// The person's words, which only they may write.
    Person,
}

/// Labels, and what they introduce.
pub type Table<K> = &'static [Label<K>];

/// A label: what it introduces, and its words in lower case with blanks between them.
pub(crate) type Label<K> = (K, &'static str);

/// Labels that are read in English alone.
const UNTRANSLATED: Table<Kind> = &[
    (Kind::Outcome, "step result"),
    (Kind::Outcome, "stepresult"),
    (Kind::WeakAnswer, "answer"),
    (Kind::Person, "question"),
    (Kind::Person, "user"),
    (Kind::Person, "human"),
];

/// The labels that every protocol has, in all languages: models that reply in the person's language translate them.
pub(super) static LABELS: LazyLock<Vec<Label<Kind>>> = LazyLock::new(|| {
    let translated = [
        of_kind(Kind::Input, |language| &language.labels.input),
        of_kind(Kind::Action, |language| &language.labels.action),
        of_kind(Kind::Thought, |language| &language.labels.thought),
        of_kind(Kind::Observation, |language| &language.labels.observation),
        of_kind(Kind::Answer, |language| &language.labels.answer),
    ];
    [&translated.concat(), UNTRANSLATED].concat()
});

/// Collects the labels of one kind in all languages.
pub(super) fn of_kind<K: Copy>(kind: K, labels: fn(&Language) -> &[String]) -> Vec<Label<K>> {
    in_all(labels).map(|words| (kind, words)).collect()
}

/// A label found in a text. Positions are bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mark<K = Kind> {
    /// The label introduces this.
    pub kind: K,
    /// The place at which its line begins.
    pub start: usize,
    /// The place at which its value begins.
    pub value: usize,
    /// The number of characters of emphasis that opened before the label and are still open in the value.
    pub emphasis: usize,
}

/// Reads the label of the line that begins at `start`, if it has one.
pub fn label_at(text: &str, start: usize) -> Option<Mark> {
    let line = Line::at(text, start)?;
    line.label(|_| true)
}

/// Tells whether the line that begins at `start` has a label of this kind.
pub(crate) fn is_label_at(text: &str, start: usize, wanted: Kind) -> bool {
    Line::at(text, start).is_some_and(|line| line.label(|kind| kind == wanted).is_some())
}

/// The [`LABELS`] by their first byte. Most lines begin with none of these.
static BY_INITIAL: LazyLock<Vec<Vec<Label<Kind>>>> = LazyLock::new(|| {
    let mut by_initial = vec![Vec::new(); 256];
    for (kind, words) in LABELS.iter() {
        let initial = words.bytes().next();
        if let Some(alike) = initial.and_then(|initial| by_initial.get_mut(usize::from(initial))) {
            alike.push((*kind, *words));
        }
    }
    by_initial
});

/// Reads the label of the line that begins at `start`, among those of another table.
pub(crate) fn label_among<K: Copy>(table: Table<K>, text: &str, start: usize) -> Option<Mark<K>> {
    let line = Line::at(text, start)?;
    let mut likely = table.iter().filter(|(_, words)| line.begins_like(words));
    likely.find_map(|(kind, words)| line.mark(*kind, words, |_, _, _, _| None))
}

/// A line that may begin with a label.
struct Line<'t> {
    /// The place in the whole text at which it begins.
    start: usize,
    whole: &'t str,
    /// It is the text behind its decoration.
    label: &'t str,
    /// This emphasis opened before the label.
    opened: &'t str,
    /// The first byte of the label in lower case, as the tables have it.
    initial: Option<u8>,
}

impl<'t> Line<'t> {
    fn at(text: &'t str, start: usize) -> Option<Self> {
        let rest = text.get(start..)?;
        let whole = rest.get(..rest.find('\n').unwrap_or(rest.len()))?;
        let (label, opened) = skip_decoration(whole);
        Some(Self {
            start,
            whole,
            label,
            opened,
            initial: initial(label),
        })
    }

    /// Tells whether the first byte is theirs. Most lines are told from most labels by it alone.
    fn begins_like(&self, words: &str) -> bool {
        words.bytes().next() == self.initial
    }

    /// Finds the first label of these kinds.
    fn label(&self, wanted: impl Fn(Kind) -> bool) -> Option<Mark> {
        let alike = BY_INITIAL.get(usize::from(self.initial?))?;
        let mut likely = alike.iter().filter(|(kind, _)| wanted(*kind));
        likely.find_map(|(kind, words)| self.mark(*kind, words, without_colon))
    }

    fn mark<K: Copy>(
        &self,
        kind: K,
        words: &str,
        bare: impl for<'l> Fn(K, &str, &'l str, &str) -> Option<(&'l str, bool)>,
    ) -> Option<Mark<K>> {
        let after = skip_words(self.label, words)?;
        let (value, closed) =
            skip_colon(after, self.opened).or_else(|| bare(kind, self.label, after, self.whole))?;
        Some(Mark {
            kind,
            start: self.start,
            value: self.start + self.whole.len() - value.len(),
            emphasis: if closed { 0 } else { self.opened.len() },
        })
    }
}

fn initial(label: &str) -> Option<u8> {
    let lower = label.chars().next()?.to_lowercase().next()?;
    lower.encode_utf8(&mut [0; 4]).bytes().next()
}

/// Takes off indentation, quote marks, list marks, headings, backticks and an opening emphasis, which is returned.
fn skip_decoration(line: &str) -> (&str, &str) {
    let plain =
        line.trim_start_matches(|c: char| is_blank(c) || matches!(c, '>' | '#' | '-' | '+' | '•' | '`'));
    let plain = plain.strip_prefix("* ").unwrap_or(plain).trim_start();
    let plain = skip_number(plain);
    let label = plain.trim_start_matches(['*', '_']);
    (label, plain.get(..plain.len() - label.len()).unwrap_or_default())
}

/// Takes off `1.` or `2)` with the blank behind it.
fn skip_number(line: &str) -> &str {
    let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
    if rest.len() == line.len() || line.len() - rest.len() > 2 {
        return line;
    }
    match rest
        .strip_prefix(['.', ')'])
        .map(|rest| (rest, rest.trim_start()))
    {
        Some((spaced, text)) if text.len() < spaced.len() => text,
        _ => line,
    }
}

/// Gives what follows the words, in any case and with blanks, underscores or hyphens between them.
pub(super) fn skip_words<'t>(text: &'t str, words: &str) -> Option<&'t str> {
    let mut rest = text;
    for (index, word) in words.split(' ').enumerate() {
        if index > 0 {
            rest = rest.trim_start_matches(|c: char| is_blank(c) || matches!(c, '_' | '-'));
        }
        rest = skip_word(rest, word)?;
    }
    let goes_on = rest.chars().next().is_some_and(char::is_alphabetic);
    (!goes_on).then_some(rest)
}

/// Gives what follows a word in any case. It goes letter by letter, so that none can change the positions of others.
fn skip_word<'t>(text: &'t str, word: &str) -> Option<&'t str> {
    if word.is_ascii() {
        let (head, rest) = text.split_at_checked(word.len())?;
        return head.eq_ignore_ascii_case(word).then_some(rest);
    }
    let mut rest = text.chars();
    for wanted in word.chars() {
        let found = rest.next()?;
        let alike = if found.is_ascii() && wanted.is_ascii() {
            found.eq_ignore_ascii_case(&wanted)
        } else {
            found == wanted || found.to_lowercase().eq(wanted.to_lowercase())
        };
        if !alike {
            return None;
        }
    }
    Some(rest.as_str())
}

/// Gives what follows a number, the end of the emphasis and the colon, and whether the emphasis ended.
pub(super) fn skip_colon<'t>(after: &'t str, opened: &str) -> Option<(&'t str, bool)> {
    let rest = after
        .trim_start_matches(is_blank)
        .trim_start_matches(|c: char| c.is_ascii_digit())
        .trim_start_matches(is_blank);
    let (rest, early) = skip_emphasis(rest, opened);
    let rest = rest.trim_start_matches(|c: char| is_blank(c) || matches!(c, '`' | '"'));
    let rest = rest.strip_prefix([':', '：', '﹕', '︰'])?;
    let (rest, late) = skip_emphasis(rest, if early { "" } else { opened });
    let value = rest.trim_start_matches(|c: char| c != '\n' && is_blank(c));
    Some((value, early || late))
}

/// Tells whether a character is white space, or not even that wide.
fn is_blank(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}')
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
        check("2. Action: add", Some(Kind::Action), "add");
        check("RÉPONSE FINALE\u{202f}: 42", Some(Kind::Answer), "42");
        check("Pensée : x", Some(Kind::Thought), "x");
        check("Endgültige Antwort: 42", Some(Kind::Answer), "42");
        check("Acción: add", Some(Kind::Action), "add");
        check("Entrée de l'action : {}", Some(Kind::Input), "{}");
        check("## Final Answer", Some(Kind::Answer), "");
        check("FINAL_ANSWER: **42**", Some(Kind::Answer), "**42**");
        check("Окончательный ответ: 42", Some(Kind::Answer), "42");
        check("最终答案：42", Some(Kind::Answer), "42");
    }

    #[test]
    fn labels_are_found_between_characters_that_nobody_sees() {
        check("\u{200b}Action: add", Some(Kind::Action), "add");
        check(
            "\u{feff}FINAL\u{a0}ANSWER\u{200b}:\u{2060} 42",
            Some(Kind::Answer),
            "42",
        );
        check("Action﹕add", Some(Kind::Action), "add");
    }

    #[test]
    fn prose_has_no_labels() {
        check("The Action: add", None, "");
        check("1789. Action: add", None, "");
        check("  \"final_answer\": false", None, "");
        check("[the final answer] 42", None, "");
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

    #[test]
    fn a_label_means_one_thing_in_all_languages() {
        for (kind, words) in LABELS.iter() {
            let other = LABELS.iter().find(|(other, same)| same == words && other != kind);
            assert_eq!(other, None, "{words} is {kind:?} as well");
            assert_eq!(
                *words,
                words.to_lowercase(),
                "a capital would keep it from being found"
            );
        }
    }
}
