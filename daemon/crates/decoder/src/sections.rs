//! Splits a text at the labels of a protocol: what stands before the first, and what each introduces.

use super::labels::{Mark, Table, label_among};
use super::line::next_line;
use super::react::section;

/// A label with what it introduces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section<'t, K> {
    /// The label introduces this.
    pub kind: K,
    /// It goes up to the next label and is trimmed.
    pub text: &'t str,
}

/// Gives the preface, trimmed, and all sections in order. Its time is linear in the text.
pub fn sections<K: Copy>(text: &str, table: Table<K>) -> (&str, Vec<Section<'_, K>>) {
    let mut marks: Vec<Mark<K>> = Vec::new();
    let mut position = 0;
    while position < text.len() {
        marks.extend(label_among(table, text, position));
        position = next_line(text, position);
    }
    let first = marks.first().map_or(text.len(), |mark| mark.start);
    let found = marks.iter().enumerate().map(|(index, mark)| Section {
        kind: mark.kind,
        text: section(text, &marks, index),
    });
    (text.get(..first).unwrap_or_default().trim(), found.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_split_a_text_however_they_are_dressed() {
        let table: Table<u8> = &[(1, "tool input"), (2, "tool"), (3, "claim")];
        let text = "Hm.\n**CLAIM:** ß is tall\n- tool : **lookup**\n`TOOL_INPUT`: a\nb\nclaims: many";
        let (preface, found) = sections(text, table);
        assert_eq!(preface, "Hm.");
        let found: Vec<_> = found.iter().map(|section| (section.kind, section.text)).collect();
        assert_eq!(
            found,
            [(3, "ß is tall"), (2, "**lookup**"), (1, "a\nb\nclaims: many")]
        );
        assert_eq!(sections("nothing", table), ("nothing", Vec::new()));
    }
}
