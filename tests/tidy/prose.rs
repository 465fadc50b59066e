//! The sentences of a page for people, and the figures of its tables. Judges no spelling.

/// No sentence of these pages has more words.
pub(crate) const MOST_WORDS: usize = 25;

/// The table that compares stands below this heading.
const COMPARED: &str = "## How it compares";

/// The sentences that are too long, without those of tables and of examples.
pub(crate) fn long_sentences(page: &str) -> Vec<String> {
    let mut is_example = false;
    let lines = page.lines().filter(|line| {
        let is_mark = line.starts_with("```");
        is_example ^= is_mark;
        !is_example && !is_mark && !line.starts_with(['|', '#', '!'])
    });
    lines
        .flat_map(sentences)
        .filter(|sentence| sentence.split_whitespace().count() > MOST_WORDS)
        .collect()
}

/// The sentences of a line, each as far as its mark.
fn sentences(line: &str) -> Vec<String> {
    let mut found = vec![Vec::new()];
    for word in line.split_whitespace() {
        if let Some(last) = found.last_mut() {
            last.push(word);
        }
        if word.ends_with(['.', '?', '!', ':', ';']) {
            found.push(Vec::new());
        }
    }
    found.iter().map(|words| words.join(" ")).collect()
}

/// The rows of the table that compares whose figures are not one a cell, or that have no command.
pub(crate) fn crowded_rows(page: &str) -> Vec<String> {
    let behind = page.split_once(COMPARED).map_or("", |(_, behind)| behind);
    let rows = behind
        .lines()
        .filter(|line| line.starts_with("| ") && !line.starts_with("| --- "));
    // The first row names the columns.
    rows.skip(1)
        .filter(|row| is_crowded(row))
        .map(str::to_owned)
        .collect()
}

fn is_crowded(row: &str) -> bool {
    let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
    let [_, ours, theirs, _, command] = cells.as_slice() else {
        return true;
    };
    let figures = |cell: &str| {
        cell.split_whitespace()
            .filter(|word| word.starts_with(|c: char| c.is_ascii_digit()))
            .count()
    };
    figures(ours) != 1 || figures(theirs) > 1 || !command.starts_with("`make ")
}
