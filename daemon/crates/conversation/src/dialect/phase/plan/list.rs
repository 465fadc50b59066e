//! How the steps of a list are marked: numbered, counted in letters or Roman numerals, with bullets.

use loquat_decoder::language::in_all;

/// The line behind a word that stands before the number of a step.
pub(super) fn behind_step_word(line: &str) -> Option<&str> {
    let length = line.find(|c: char| !c.is_alphabetic())?;
    let (word, rest) = line.split_at(length);
    let word = word.to_lowercase();
    let stages = in_all(|language| &language.words.stage);
    let mut known = in_all(|language| &language.words.step).chain(stages);
    known
        .any(|known| known == word)
        .then(|| rest.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '#' | '*' | '_')))
}

/// A digit as plans are numbered with, full width ones of East Asia among them.
fn is_digit(c: char) -> bool {
    c.is_ascii_digit() || matches!(c, '０'..='９')
}

/// Gives what follows `1.`, `2)`, `(3)`, `4:`, `Step 5:`, `Étape 6 :`, also in bold.
pub(super) fn numbered(line: &str) -> Option<&str> {
    let plain = |text: &str| text.starts_with(is_digit);
    let line = line.trim_start_matches([' ', '\t', '#', '*', '_', '>', '(', '[', '（', '|']);
    let named = behind_step_word(line);
    let line = named.unwrap_or_else(|| line.strip_prefix("- ").filter(|rest| plain(rest)).unwrap_or(line));
    let digits = line.find(|c: char| !is_digit(c))?;
    let (number, rest) = line.split_at(digits);
    if !(1..=3).contains(&number.chars().count()) {
        return None;
    }
    let rest = rest.trim_start_matches(['*', '_', '步']);
    if let Some(text) = rest.strip_prefix(['、', '．', '。', '）', '：']) {
        return Some(text.trim()).filter(|text| !text.is_empty());
    }
    if let Some(cells) = rest.trim_start().strip_prefix('|') {
        let text = cells.trim().trim_end_matches('|').trim();
        return Some(text).filter(|text| !text.is_empty());
    }
    // The key cap of an emoji ends a number, too.
    let keycap = rest.trim_start_matches('\u{fe0f}').strip_prefix('\u{20e3}');
    let rest = keycap
        .or_else(|| rest.strip_prefix(['.', ')', ':', ']']))
        // French has a blank before its colon.
        .or_else(|| rest.trim_start().strip_prefix(':').filter(|_| named.is_some()))
        .or_else(|| {
            let dash = rest.trim_start();
            dash.strip_prefix(['-', '–', '—'])
                .filter(|_| dash.len() < rest.len())
        })?;
    // "3.14" is a number, "1.Buy milk" a step.
    let parts = |c: char| c.is_whitespace() || matches!(c, '*' | '_' | '.' | ')' | ':');
    let spaced = rest.starts_with(parts) || rest.starts_with(char::is_uppercase);
    let text = rest.trim_start_matches(parts).trim();
    (spaced && !text.is_empty()).then_some(text)
}

/// Gives what follows `-`, `*`, `+` or `•` at the margin, or stands in an item of a list in HTML. Deeper ones are
/// details.
pub(super) fn bulleted(line: &str) -> Option<&str> {
    let tagged = ["<li>", "<step>"]
        .iter()
        .find_map(|tag| line.trim_start().strip_prefix(tag));
    if let Some(inside) = tagged {
        return inside
            .split("</")
            .next()
            .map(str::trim)
            .filter(|text| !text.is_empty());
    }
    let text = ["- ", "* ", "+ ", "• ", "– ", "· "]
        .iter()
        .find_map(|bullet| line.strip_prefix(bullet))?;
    Some(text.trim()).filter(|text| !text.is_empty())
}

/// The steps of a list that counts in letters or in Roman numerals. A single one is an initial or an "I".
pub(super) fn counted(text: &str) -> Vec<&str> {
    let found: Vec<(&str, &str)> = text.lines().filter_map(count_mark).collect();
    let counts = |place: fn(&str) -> Option<usize>| {
        let numbers = found.iter().map(|(mark, _)| place(mark));
        found.len() > 1 && numbers.eq((1..=found.len()).map(Some))
    };
    if counts(roman) || counts(letter) {
        return found.into_iter().map(|(_, text)| text).collect();
    }
    Vec::new()
}

/// `a)`, `B.` or `iv.` at the beginning of a line, and what follows it.
fn count_mark(line: &str) -> Option<(&str, &str)> {
    let line = line.trim_start_matches([' ', '\t', '*', '_', '(']);
    let length = line
        .find(|c: char| !c.is_ascii_alphabetic())
        .filter(|length| (1..=5).contains(length))?;
    let (mark, rest) = line.split_at(length);
    let rest = rest
        .trim_start_matches(['*', '_'])
        .strip_prefix(['.', ')', ':'])?;
    let text = rest.trim_start_matches(['*', '_']);
    let spaced = text.starts_with([' ', '\t']);
    (spaced && !text.trim().is_empty()).then(|| (mark, text.trim()))
}

fn letter(mark: &str) -> Option<usize> {
    let mut bytes = mark.bytes();
    let letter = bytes.next()?.to_ascii_lowercase();
    bytes.next().is_none().then(|| usize::from(letter - b'a') + 1)
}

fn roman(mark: &str) -> Option<usize> {
    let numerals = [
        "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii",
    ];
    numerals
        .iter()
        .position(|numeral| numeral.eq_ignore_ascii_case(mark))
        .map(|at| at + 1)
}
