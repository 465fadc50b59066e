//! Takes the Markdown off that stands inside lines: emphasis, code, links, images, simple tags and formula marks.
//!
//! A `*` or `_` counts only where Markdown would take it for emphasis and where it does not touch a letter or digit on
//! its outer side, so that `2 * 3`, `5*3*2` and `snake_case` stay.

/// Gives the text without it.
pub(super) fn plain(text: &str) -> String {
    let text = without_links(text);
    let text = without_formulas(&text);
    let text = without_tags(&text);
    text.split('\n')
        .map(without_emphasis)
        .collect::<Vec<_>>()
        .join("\n")
}

/// Turns `[text](address)` and `![text](address)` into their text, and `<https://…>` into its address.
fn without_links(text: &str) -> String {
    let Some(last) = text.rfind("](") else {
        return text.to_owned();
    };
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest
        .find('[')
        .filter(|start| text.len() - rest.len() + start < last)
    {
        let (before, here) = rest.split_at(start);
        if let Some((label, length)) = link_at(here) {
            plain.push_str(before.strip_suffix('!').unwrap_or(before));
            plain.push_str(label);
            rest = here.get(length..).unwrap_or_default();
        } else {
            plain.push_str(before);
            plain.push('[');
            rest = here.get(1..).unwrap_or_default();
        }
    }
    plain.push_str(rest);
    plain
}

/// Longer labels and addresses are no links. This keeps the look-ahead bounded.
const LONGEST_LINK: usize = 300;

fn link_at(here: &str) -> Option<(&str, usize)> {
    let bounded = |text: &str, wanted: char| {
        text.char_indices()
            .take(LONGEST_LINK)
            .find(|(_, c)| *c == wanted || *c == '\n')
            .filter(|(_, c)| *c == wanted)
    };
    let (label_end, _) = bounded(here, ']')?;
    let label = here.get(1..label_end)?;
    let address = here.get(label_end + 1..)?.strip_prefix('(')?;
    let (address_end, _) = bounded(address, ')')?;
    let target = address.get(..address_end)?;
    let is_address =
        !target.trim().is_empty() && (target.contains(['/', '#', '.', ':']) && !target.trim().contains("  "));
    is_address.then_some((label, label_end + 2 + address_end + 1))
}

/// More commands of one kind than this are left as they are; each costs a pass over the text.
const MOST_COMMANDS: usize = 16;

/// Takes out `\( … \)`, `\[ … \]` and the few commands that small models use.
fn without_formulas(text: &str) -> String {
    if !text.contains('\\') {
        return text.to_owned();
    }
    let formula = text.contains("\\(") || text.contains("\\[") || text.contains("\\boxed");
    if !formula {
        return text.to_owned();
    }
    let mut plain = text.to_owned();
    for (mark, said) in [
        ("\\(", ""),
        ("\\)", ""),
        ("\\[", ""),
        ("\\]", ""),
        ("\\times", "×"),
        ("\\cdot", "·"),
        ("\\div", "÷"),
        ("\\approx", "≈"),
        ("\\%", "%"),
        ("\\$", "$"),
        ("\\,", " "),
    ] {
        plain = plain.replace(mark, said);
    }
    for command in ["\\boxed{", "\\text{", "\\mathrm{", "\\mathbf{"] {
        for _ in 0..MOST_COMMANDS {
            let Some(start) = plain.find(command) else {
                break;
            };
            let end = plain
                .get(start..)
                .and_then(|rest| rest.find('}'))
                .map(|end| start + end);
            if let Some(end) = end {
                plain.remove(end);
            }
            plain.replace_range(start..start + command.len(), "");
        }
    }
    plain
}

/// Tags of HTML that change nothing but the look.
const TAGS: &[&str] = &[
    "b", "i", "u", "em", "strong", "p", "span", "code", "pre", "sub", "sup", "mark", "small", "div",
];

/// Marks of ours and of models that a reply may speak about: their names are said, their brackets are not.
const MARKS: &[&str] = &[
    "think",
    "thinking",
    "thought",
    "reasoning",
    "tool_call",
    "tool_calls",
    "function_call",
    "final_answer",
];

fn without_tags(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find('<') {
        let (before, here) = rest.split_at(start);
        plain.push_str(before);
        let end = here
            .char_indices()
            .take(200)
            .find(|(_, c)| matches!(c, '>' | '\n'))
            .filter(|(_, c)| *c == '>');
        let inside = end.and_then(|(end, _)| here.get(1..end)).unwrap_or_default();
        let name = inside
            .trim_matches(['/', ' '])
            .split_whitespace()
            .next()
            .unwrap_or_default()
            .to_ascii_lowercase();
        let length = inside.len() + 2;
        if name == "br" || name == "hr" {
            plain.push('\n');
        } else if inside.starts_with("http://") || inside.starts_with("https://") {
            plain.push_str(inside);
        } else if MARKS.contains(&name.as_str()) {
            // An empty element is no word of a sentence.
            let said = if inside.ends_with('/') {
                String::new()
            } else {
                name.replace('_', " ")
            };
            plain.push_str(&said);
        } else if !TAGS.contains(&name.as_str()) {
            plain.push('<');
            rest = here.get(1..).unwrap_or_default();
            continue;
        }
        rest = here.get(length..).unwrap_or_default();
    }
    plain.push_str(rest);
    plain
}

/// A run of one mark in a line.
#[derive(Debug)]
struct Run {
    start: usize,
    length: usize,
    mark: char,
    opens: bool,
    closes: bool,
}

fn without_emphasis(line: &str) -> String {
    let runs = runs(line);
    let mut dropped: Vec<(usize, usize)> = Vec::new();
    // The last opener of each mark and length; an older one of the same kind cannot be closed any more.
    let mut open: Vec<&Run> = Vec::new();
    for run in &runs {
        let opener = open
            .iter()
            .rposition(|opener| opener.mark == run.mark && opener.length == run.length);
        match opener {
            Some(at) if run.closes => {
                if let Some(opener) = open.get(at) {
                    dropped.extend([(opener.start, opener.length), (run.start, run.length)]);
                }
                open.truncate(at);
            }
            _ if run.opens => {
                open.retain(|opener| !(opener.mark == run.mark && opener.length == run.length));
                open.push(run);
            }
            _ => {}
        }
    }
    dropped.sort_unstable();
    unescaped(&without(line, &dropped))
}

fn without(line: &str, dropped: &[(usize, usize)]) -> String {
    let mut plain = String::with_capacity(line.len());
    let mut position = 0;
    for (start, length) in dropped {
        plain.push_str(line.get(position..*start).unwrap_or_default());
        position = start + length;
    }
    plain.push_str(line.get(position..).unwrap_or_default());
    plain
}

/// All runs of emphasis marks of up to three characters, with what they can do. Backticks pair with anything.
fn runs(line: &str) -> Vec<Run> {
    let mut found = Vec::new();
    let mut before: Option<char> = None;
    let mut characters = line.char_indices().peekable();
    while let Some((start, mark)) = characters.next() {
        if !matches!(mark, '*' | '_' | '`' | '~') || before == Some('\\') {
            before = Some(mark);
            continue;
        }
        let mut length = 1;
        while characters.next_if(|(_, c)| *c == mark).is_some() {
            length += 1;
        }
        let after = characters.peek().map(|(_, c)| *c);
        let blank = |c: Option<char>| c.is_none_or(char::is_whitespace);
        let inner = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        let counts = length <= 3 && (mark != '~' || length == 2);
        let (opens, closes) = match mark {
            '`' => (true, true),
            _ => (!blank(after) && !inner(before), !blank(before) && !inner(after)),
        };
        found.push(Run {
            start,
            length,
            mark,
            opens: opens && counts,
            closes: closes && counts,
        });
        before = Some(mark);
    }
    found
}

/// `\*` becomes `*`.
fn unescaped(line: &str) -> String {
    let mut plain = String::with_capacity(line.len());
    let mut characters = line.chars().peekable();
    while let Some(c) = characters.next() {
        let escapes = c == '\\'
            && characters
                .peek()
                .is_some_and(|next| matches!(next, '*' | '_' | '`' | '#' | '[' | ']' | '~'));
        if !escapes {
            plain.push(c);
        }
    }
    plain
}
