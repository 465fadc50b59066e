//! The answer between tags, `<answer>Paris</answer>`, as models write it that were trained to reason first: the template of
//! `DeepSeek-R1` has it.

use super::labels::{Kind, label_at};
use super::line::next_line;
use super::tags::next_tag;

const NAMES: &[&str] = &[
    "answer",
    "final_answer",
    "finalanswer",
    "final",
    "response",
    "reply",
];

/// Gives what stands before the last such tag, and what it holds. Nothing when the reply goes on behind it, or when a
/// call comes first.
pub(super) fn part(text: &str) -> Option<(&str, &str)> {
    let (before, name, inside) = open_tag(text)?;
    let closer = inside.rfind("</").map(|at| inside.split_at(at));
    let closed = closer.filter(|(_, closer)| {
        next_tag(closer).is_some_and(|tag| tag.name == name && tag.length == closer.len())
    });
    let fresh = before
        .rsplit('\n')
        .next()
        .is_none_or(|line| line.trim().is_empty());
    let inside = match closed {
        Some((inside, _)) => inside,
        None if fresh && closer.is_none() => inside,
        None => return None,
    };
    (!calls(before)).then(|| (before.trim(), inside.trim()))
}

/// Finds the last tag that opens, with its name and everything behind it.
fn open_tag(text: &str) -> Option<(&str, &str, &str)> {
    let mut opened = None;
    for (at, _) in text.match_indices('<') {
        let tag = text.get(at..).and_then(next_tag);
        let known = |name: &str| NAMES.iter().any(|known| known.eq_ignore_ascii_case(name));
        if let Some(tag) = tag.filter(|tag| !tag.closing && !tag.self_closing && known(tag.name)) {
            opened = Some((at, tag));
        }
    }
    let (at, tag) = opened.filter(|(at, _)| !super::fence::is_code(text.get(..*at).unwrap_or_default()))?;
    Some((text.get(..at)?, tag.name, text.get(at + tag.length..)?))
}

/// Tells whether a line begins with the label of a call.
fn calls(text: &str) -> bool {
    let mut position = 0;
    while position < text.len() {
        let kind = label_at(text, position).map(|mark| mark.kind);
        if matches!(kind, Some(Kind::Action | Kind::Input)) {
            return true;
        }
        position = next_line(text, position);
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_answer_comes_out_of_its_tag() {
        assert_eq!(part("<answer>Paris</answer>"), Some(("", "Paris")));
        assert_eq!(
            part("It is easy. <answer>\nParis\n</answer>"),
            Some(("It is easy.", "Paris"))
        );
        assert_eq!(part("hm\n<FINAL_ANSWER>Paris"), Some(("hm", "Paris")));
        assert_eq!(
            part("<answer>a</answer><answer>b</answer>"),
            Some(("<answer>a</answer>", "b"))
        );
    }

    #[test]
    fn other_tags_are_left_alone() {
        for text in [
            "Paris",
            "Use the `<answer>` tag.",
            "The <answer> tag opens.",
            "<answer>Paris</answer> or so",
            "Action: echo\nAction Input: {\"text\": \"x\"}\n<answer>5</answer>",
            "{\"text\": \"<answer>x</answer>\"}",
        ] {
            assert_eq!(part(text), None, "for {text:?}");
        }
    }
}
