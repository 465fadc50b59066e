//! A reply without any mark: the answer, unless it is a piece of a dialogue, or holds a call or an object that no person
//! should hear.

use super::call::{Call, Names};
use super::embedded;
use super::json::parse_whole;
use super::labels::{Table, label_among};
use super::line::next_line;
use super::object::{Meaning, meaning};
use super::verdict::{Flaw, Verdict};

pub(super) fn verdict(text: &str, names: &Names) -> Verdict {
    let text = own_words(text);
    if text == "null" {
        return Verdict::Flawed(Flaw::Empty);
    }
    // A tool's name alone calls it; whether it may do without arguments is for the gate to say.
    if let Some(tool) = names.iter().find(|name| *name == text && text.contains('_')) {
        return Verdict::calls(vec![Call::named(tool, serde_json::Map::new())]);
    }
    // Prose calls nothing, but what stands inside a sentence is not to be heard either.
    if embedded::mentions_call(text, names) {
        if let Some(words) = around_shown_code(text, names) {
            return Verdict::answer(words);
        }
        let why = "the call stands inside a sentence".to_owned();
        return Verdict::Flawed(Flaw::Broken(why));
    }
    Verdict::answer(announced(text, names).unwrap_or_else(|| text.to_owned()))
}

/// Gives the words around a call that they announce as code of another language, and go on behind.
pub(super) fn around_shown_code(text: &str, names: &Names) -> Option<String> {
    let (before, behind) = embedded::around_code(text)?;
    let words = [before, behind].join("\n");
    let shows_call = embedded::mentions_call(text, names) && !embedded::mentions_call(&words, names);
    (shows_call && embedded::announces(before)).then_some(words)
}

/// Finds the answer in a JSON object that a sentence announces and that ends the reply: `Here it is:
/// {"answer": "Paris"}`.
fn announced(text: &str, names: &Names) -> Option<String> {
    let object = text.get(text.find('{')?..).filter(|_| text.ends_with('}'))?;
    let parsed = parse_whole(object).ok()?;
    match meaning(&parsed.value, names) {
        Meaning::Answer { text, .. } => Some(text),
        _ => None,
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Speaker {
    Person,
    Brain,
}

pub(super) const SPEAKERS: Table<Speaker> = &[
    (Speaker::Person, "user"),
    (Speaker::Person, "human"),
    (Speaker::Brain, "assistant"),
    (Speaker::Brain, "ai"),
    (Speaker::Brain, "response"),
];

/// Gives the brain's first words in a reply that is written as a dialogue; all of any other reply.
fn own_words(text: &str) -> &str {
    let mut lines = Vec::new();
    let mut position = 0;
    while position < text.len() {
        lines.extend(label_among(SPEAKERS, text, position));
        position = next_line(text, position);
    }
    let is_first = |start: usize| text.get(..start).is_none_or(|before| before.trim().is_empty());
    let begins = lines.iter().find(|mark| mark.kind == Speaker::Brain);
    let opens = lines.first().is_some_and(|mark| is_first(mark.start));
    let start = begins.filter(|_| opens).map_or(0, |mark| mark.value);
    // Prose may have a line about a user, a dialogue goes on behind it.
    let goes_on = |at: usize| {
        lines
            .iter()
            .any(|mark| mark.kind == Speaker::Brain && mark.start > at)
    };
    let end = lines.iter().find(|mark| {
        mark.kind == Speaker::Person && mark.start > start && (start > 0 || goes_on(mark.start))
    });
    let end = end.map_or(text.len(), |mark| mark.start);
    text.get(start..end).unwrap_or(text).trim()
}

#[cfg(test)]
mod tests {
    use super::own_words;

    #[test]
    fn of_a_dialogue_only_the_first_own_words_are_taken() {
        for (text, expected) in [
            ("Hello!", "Hello!"),
            ("Assistant: Hello!", "Hello!"),
            ("**AI:** Hello!", "Hello!"),
            ("### Response:\nHello!", "Hello!"),
            ("User: hi\nAssistant: Hello!", "Hello!"),
            ("Hello!\n\nUser: And you?\nAssistant: Fine.", "Hello!"),
            ("Assistant: Hello!\nHuman: And you?", "Hello!"),
            ("User: admin\nPassword: x", "User: admin\nPassword: x"),
            ("Fill in these.\nUser: admin", "Fill in these.\nUser: admin"),
            ("AI is a wide field.", "AI is a wide field."),
        ] {
            assert_eq!(own_words(text), expected, "for {text:?}");
        }
    }
}
