//! Takes reasoning, template tokens, call marks and protocol labels out of an answer.

use crate::call::Names;
use crate::labels::{Kind, label_at};
use crate::{specials, tagged, think};

/// Lines with which models announce that they are done, in lower case and without decoration.
const COMPLETIONS: &[&str] = &["completed", "task completed", "summary", "reflection"];

/// Takes protocol out of an answer.
pub(super) fn strip(text: &str) -> String {
    let parted = think::part(text);
    let text = specials::strip(&parted.text);
    let text = match tagged::read(text, &Names::default()) {
        Some(tagged) => tagged.before,
        None => text,
    };
    let kept = without_sections(text);
    let spoken: Vec<&str> = kept.iter().copied().filter(|line| !is_completion(line)).collect();
    // "Task completed." may be all there is to say.
    let lines = if spoken.iter().all(|line| line.trim().is_empty()) {
        kept
    } else {
        spoken
    };
    without_tokens(&lines.join("\n"))
}

/// Tells whether a line is the label of a plan's step in capitals, which is written for the protocol only.
fn is_outcome(line: &str) -> bool {
    line.trim_start_matches([' ', '*', '`'])
        .starts_with("STEP_RESULT")
}

/// Lists the lines that belong to no thought, action, input or observation; of an answer's line what follows
/// its label.
fn without_sections(text: &str) -> Vec<&str> {
    let mut kept = Vec::new();
    let mut speaks = true;
    let mut protocol = false;
    let mut position = 0;
    for line in text.split_inclusive('\n') {
        let label = label_at(text, position);
        let mut line_kept = line.trim_end_matches(['\n', '\r']);
        match label.map(|mark| mark.kind) {
            Some(Kind::Thought | Kind::Action | Kind::Observation) if is_marker(line) => {
                (speaks, protocol) = (false, true);
            }
            Some(Kind::Input) if protocol || is_marker(line) => (speaks, protocol) = (false, true),
            Some(Kind::Answer) => {
                // What came before was not the answer.
                kept.clear();
                line_kept = label
                    .and_then(|mark| line.get(mark.value - position..))
                    .unwrap_or_default()
                    .trim_end();
                (speaks, protocol) = (true, true);
            }
            Some(Kind::WeakAnswer | Kind::Outcome) if protocol || is_outcome(line) => {
                line_kept = label
                    .and_then(|mark| line.get(mark.value - position..))
                    .unwrap_or_default()
                    .trim_end();
                speaks = true;
            }
            _ => {}
        }
        if speaks {
            kept.push(line_kept);
        }
        position += line.len();
    }
    kept
}

/// Tells whether the line begins with a marker in the protocol's own spelling or dress, not with a word like "tool:".
fn is_marker(line: &str) -> bool {
    let plain = line
        .trim_start()
        .trim_start_matches(['*', '_', '`', '#', '>', '-', ' ']);
    ["thought", "action", "observation"].iter().any(|word| {
        plain
            .get(..word.len())
            .is_some_and(|head| head.eq_ignore_ascii_case(word))
    })
}

fn is_completion(line: &str) -> bool {
    let decorated = line.trim_start().starts_with(['✅', '#']);
    let words = line.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    COMPLETIONS.contains(&words.as_str()) && (decorated || words == "task completed")
}

/// Takes out single tokens like `<|im_start|>` wherever they stand.
fn without_tokens(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find("<|") {
        let (before, token) = rest.split_at(start);
        plain.push_str(before);
        let end = token
            .char_indices()
            .take(48)
            .find(|(_, c)| *c == '>')
            .map(|(at, _)| at + 1);
        let is_token = end
            .and_then(|end| token.get(..end))
            .is_some_and(|token| token.ends_with("|>") && !token.contains(char::is_whitespace));
        let skipped = if is_token { end.unwrap_or(2) } else { 2 };
        if !is_token {
            plain.push_str("<|");
        }
        rest = token.get(skipped..).unwrap_or_default();
    }
    plain.push_str(rest);
    plain
}
