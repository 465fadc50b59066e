//! Takes the Markdown off that belongs to whole lines: fences, headings, bullets, quotes, rules and tables.

/// Gives the text without it.
pub(super) fn plain(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let mut spoken: Vec<String> = Vec::with_capacity(lines.len());
    let mut fenced = false;
    let mut in_table = false;
    for (index, line) in lines.iter().enumerate() {
        let trimmed = line.trim();
        if trimmed.starts_with("```") || trimmed.starts_with("~~~") {
            fenced = is_fence(trimmed) != fenced;
            spoken.extend(inline_fence(trimmed));
            continue;
        }
        if fenced {
            spoken.push((*line).to_owned());
            continue;
        }
        in_table = trimmed.contains('|')
            && (in_table || lines.get(index + 1).is_some_and(|next| is_separator(next)));
        if in_table {
            spoken.extend(row(trimmed));
        } else if !is_rule(trimmed) {
            spoken.push(without_mark(line).to_owned());
        }
    }
    spoken.join("\n")
}

/// A fence with nothing but a language behind it opens or closes a block.
fn is_fence(trimmed: &str) -> bool {
    let rest = trimmed.trim_start_matches(['`', '~']);
    !rest.contains("```")
}

/// Gives the inside of a block on one line.
fn inline_fence(trimmed: &str) -> Option<String> {
    let inside = trimmed.trim_matches('`').trim();
    (!is_fence(trimmed)).then(|| inside.to_owned())
}

/// Knows `---`, `***` and `===` under or between lines.
fn is_rule(trimmed: &str) -> bool {
    let bare: String = trimmed.chars().filter(|c| !c.is_whitespace()).collect();
    let same = |c: char| bare.chars().all(|other| other == c);
    bare.len() >= 3 && ['-', '*', '_', '='].into_iter().any(same)
}

/// Knows `|---|:--:|`.
fn is_separator(line: &str) -> bool {
    let bare = line.trim();
    bare.contains('-') && bare.contains('|') && bare.chars().all(|c| matches!(c, '|' | '-' | ':' | ' '))
}

/// Writes a row's cells one after the other.
fn row(line: &str) -> Option<String> {
    if is_separator(line) {
        return None;
    }
    let cells: Vec<&str> = line
        .trim_matches('|')
        .split('|')
        .map(str::trim)
        .filter(|cell| !cell.is_empty())
        .collect();
    Some(cells.join(", "))
}

/// Takes heading, quote and bullet off a line.
fn without_mark(line: &str) -> &str {
    let indented = line.trim_start();
    let quoted = indented.strip_prefix("> ").map_or(indented, str::trim_start);
    let heading = quoted.trim_start_matches('#');
    let hashes = quoted.len() - heading.len();
    if (1..=6).contains(&hashes) && heading.starts_with(' ') {
        return heading.trim_start().trim_end().trim_end_matches('#').trim_end();
    }
    let bullet = ["- ", "* ", "+ ", "• ", "– "]
        .iter()
        .find_map(|bullet| quoted.strip_prefix(bullet));
    match bullet.map(str::trim_start) {
        Some(item) => ["[ ] ", "[x] ", "[X] "]
            .iter()
            .find_map(|check| item.strip_prefix(check))
            .unwrap_or(item),
        None if quoted.len() < indented.len() => quoted,
        None => line,
    }
}
