//! The numbers of all rows, so that none is forgotten.

/// The families of rows, and how many each has.
pub const FAMILIES: [(&str, u32); 18] = [
    ("MS", 15),
    ("SE1", 10),
    ("SE2", 8),
    ("LA", 6),
    ("PL", 21),
    ("HD", 8),
    ("PE", 23),
    ("TO", 12),
    ("AI", 12),
    ("AO", 8),
    ("SP", 11),
    ("CV", 8),
    ("FB", 6),
    ("CQ", 4),
    ("IN", 7),
    ("SC", 7),
    ("ID", 8),
    ("BU", 7),
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::{ELSEWHERE, ear, guest, solo, voice};
    use super::*;

    /// All rows that are played.
    fn played() -> BTreeSet<&'static str> {
        let rows = [solo(), guest(), voice(), ear()].into_iter().flatten();
        rows.map(|row| row.id).collect()
    }

    /// The rows of an entry such as `SC-1..3, ID-4`.
    fn listed(entry: &str) -> Vec<String> {
        let one = |part: &str| {
            let Some((first, last)) = part.split_once("..") else {
                return vec![part.to_owned()];
            };
            let (family, first) = first.split_once('-').expect("a row has a family");
            let numbers = first.parse::<u32>().expect("a number")..=last.parse().expect("a number");
            numbers.map(|number| format!("{family}-{number}")).collect()
        };
        entry.split(", ").flat_map(one).collect()
    }

    #[test]
    fn every_row_is_played_or_has_a_reason_and_none_has_both() {
        let numbered = FAMILIES
            .iter()
            .flat_map(|(family, count)| (1..=*count).map(move |number| format!("{family}-{number}")));
        let numbered: BTreeSet<String> = numbered.collect();
        let elsewhere: Vec<String> = ELSEWHERE.iter().flat_map(|(rows, _)| listed(rows)).collect();
        let played = played();
        for row in &elsewhere {
            assert!(numbered.contains(row), "{row} is no row");
            assert!(
                !played.contains(row.as_str()),
                "{row} is played, and listed as not played"
            );
        }
        for row in &numbered {
            let known = played.contains(row.as_str()) || elsewhere.contains(row);
            assert!(known, "{row} is neither played nor listed with a reason");
        }
    }
}
