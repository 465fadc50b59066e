//! A reply whose labels stand in the rows of a Markdown table: `| FINAL_ANSWER | Paris |`.

use super::labels::{Kind, label_at};

/// The reply with its rows as lines of the protocol; nothing when it is no such table. A table that is what the person
/// asked for has neither an answer's label nor those of a call.
pub(super) fn unrolled(text: &str) -> Option<String> {
    if !text.trim_start().starts_with('|') {
        return None;
    }
    let rows: Vec<(Option<Kind>, String)> = text.lines().filter(|line| !is_rule(line)).map(row).collect();
    let has = |kind: Kind| rows.iter().any(|(found, _)| *found == Some(kind));
    let speaks = has(Kind::Answer) || has(Kind::Action) && has(Kind::Input);
    let lines = rows.into_iter().map(|(_, line)| line).collect::<Vec<_>>();
    speaks.then(|| lines.join("\n"))
}

/// Whether a line only parts the head of a table from its body.
fn is_rule(line: &str) -> bool {
    let line = line.trim();
    line.starts_with('|') && line.chars().all(|c| matches!(c, '|' | '-' | ':' | ' '))
}

/// A line as the protocol has it, and what its label is.
fn row(line: &str) -> (Option<Kind>, String) {
    let inside = line
        .trim()
        .strip_prefix('|')
        .map(|cells| cells.trim_end_matches('|'));
    let cells = inside.and_then(|cells| cells.split_once('|'));
    let labelled = cells.and_then(|(label, value)| {
        let label = label
            .trim()
            .trim_end_matches([':', '*', '`', '_'])
            .trim_start_matches(['*', '`', '_']);
        let line = format!("{label}: {}", value.trim());
        Some((label_at(&line, 0)?.kind, line))
    });
    match labelled {
        Some((kind, line)) => (Some(kind), line),
        None => (None, line.to_owned()),
    }
}
