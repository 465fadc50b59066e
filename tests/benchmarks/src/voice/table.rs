//! The rows of each kind together: what was heard and answered rightly, the median of each part, and the first sound.

use std::fmt::Write;

use super::parts::Parts;
use super::{Kind, Outcome, Row};
use crate::answers::report::Seconds;

/// The rows of one kind.
#[derive(Debug, Clone)]
pub struct Summary {
    /// The kind.
    pub kind: Kind,
    /// Our side.
    pub side: Side,
    /// The peer's; absent without one.
    pub peer: Option<Side>,
}

/// What came of the requests of a kind on one side.
#[derive(Debug, Clone)]
pub struct Side {
    asked: usize,
    heard: usize,
    right: usize,
    /// The parts of those that were answered, in the order of the whole.
    parts: Vec<Parts>,
    work: f64,
    /// Shown and written, on average.
    tokens: [f64; 2],
}

impl Summary {
    /// Each kind that was asked.
    pub fn by_kind(rows: &[Row]) -> Vec<Self> {
        let of = |kind: Kind| {
            let rows: Vec<&Row> = rows.iter().filter(|row| row.kind == kind).collect();
            let ours: Vec<&Outcome> = rows.iter().map(|row| &row.ours).collect();
            let theirs: Vec<&Outcome> = rows.iter().filter_map(|row| row.peer.as_ref()).collect();
            (!rows.is_empty()).then(|| Self {
                kind,
                side: Side::of(&ours),
                peer: (!theirs.is_empty()).then(|| Side::of(&theirs)),
            })
        };
        Kind::ALL.into_iter().filter_map(of).collect()
    }
}

impl Side {
    fn of(outcomes: &[&Outcome]) -> Self {
        let count = |is: fn(&Outcome) -> bool| outcomes.iter().filter(|outcome| is(outcome)).count();
        let mut parts: Vec<Parts> = outcomes.iter().filter_map(|outcome| outcome.parts).collect();
        parts.sort_by(|one, other| one.whole().total_cmp(&other.whole()));
        let asked = outcomes.len();
        Self {
            asked,
            heard: count(|outcome| outcome.heard_rightly),
            right: count(|outcome| outcome.right),
            parts,
            work: outcomes.iter().map(|outcome| outcome.work).sum::<f64>() / asked.max(1) as f64,
            tokens: [0, 1].map(|place| {
                let tokens = outcomes.iter().map(|outcome| outcome.tokens[place]);
                tokens.sum::<u64>() as f64 / asked.max(1) as f64
            }),
        }
    }

    /// From the last sound that was said to the first that was heard; nothing where none was.
    pub fn whole(&self) -> Option<Seconds> {
        Seconds::of(self.parts.iter().map(Parts::whole))
    }

    /// The parts of the request in the middle.
    pub fn middle(&self) -> Parts {
        let middle = self.parts.len().saturating_sub(1) / 2;
        self.parts.get(middle).copied().unwrap_or_default()
    }

    /// The median of each part by itself.
    fn medians(&self) -> Option<[f64; 5]> {
        let mut medians = [0.0; 5];
        for (place, median) in medians.iter_mut().enumerate() {
            let part = self
                .parts
                .iter()
                .filter_map(|parts| parts.each().get(place).copied());
            *median = Seconds::of(part)?.median;
        }
        Some(medians)
    }
}

/// What the peer is called.
pub(super) const PEER: &str = "  Assist";

/// The table: a line for each kind, and below it one of the peer with how many times as long it took at the median.
pub fn table(summaries: &[Summary]) -> String {
    let mut table = format!("{:<12}{:>7}{:>7}", "", "heard", "right");
    for name in Parts::NAMES {
        cell(&mut table, 15, name);
    }
    cell(&mut table, 22, "first sound: 50 / 90 %");
    cell(&mut table, 10, "work");
    cell(&mut table, 18, "shown / written");
    cell(&mut table, 8, "ratio");
    table.push('\n');
    for Summary { kind, side, peer } in summaries {
        line(&mut table, kind.name(), side);
        let [shown, written] = side.tokens;
        cell(&mut table, 18, &format!("{shown:.0} / {written:.0}"));
        table.push('\n');
        if let Some(peer) = peer {
            line(&mut table, PEER, peer);
            cell(&mut table, 18, "-");
            cell(&mut table, 8, &ratio(peer, side));
            table.push('\n');
        }
    }
    table
}

/// What both sides are counted by.
fn line(table: &mut String, name: &str, side: &Side) {
    // Writing to a text cannot fail.
    write!(table, "{name:<12}").ok();
    cell(table, 7, &format!("{}/{}", side.heard, side.asked));
    cell(table, 7, &format!("{}/{}", side.right, side.asked));
    for place in 0..Parts::NAMES.len() {
        let median = side.medians().map(|medians| medians[place]);
        cell(
            table,
            15,
            &median.map_or("-".to_owned(), |median| format!("{median:.2}")),
        );
    }
    let whole = side.whole();
    let whole = whole.map_or("-".to_owned(), |whole| {
        format!("{:.2} / {:.2}", whole.median, whole.ninetieth)
    });
    cell(table, 22, &whole);
    cell(table, 10, &format!("{:.2}", side.work));
}

fn ratio(peer: &Side, side: &Side) -> String {
    let both = peer.whole().zip(side.whole());
    both.map_or("-".to_owned(), |(peer, ours)| {
        format!("{:.1}", peer.median / ours.median)
    })
}

/// A cell that ends at the right.
fn cell(table: &mut String, width: usize, text: &str) {
    // Writing to a text cannot fail.
    write!(table, " {text:>width$}", width = width - 1).ok();
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A request that was answered after so many seconds of the model.
    pub(crate) fn row(kind: Kind, model: f64) -> Row {
        let parts = Parts {
            end_point: 0.5,
            voice: 0.25,
            model,
            ..Parts::default()
        };
        Row {
            kind,
            said: "Why?",
            ours: Outcome {
                heard_rightly: true,
                right: true,
                parts: Some(parts),
                ..Outcome::default()
            },
            peer: None,
        }
    }

    #[test]
    fn a_kind_has_a_line_with_the_median_of_what_was_measured() {
        let mut silent = row(Kind::LongAnswer, 0.0);
        silent.ours = Outcome::default();
        let rows = [3.0, 1.0, 2.0].map(|model| row(Kind::LongAnswer, model));
        let rows = [&rows[..], &[silent]].concat();
        let summaries = Summary::by_kind(&rows);
        assert!((summaries[0].side.middle().model - 2.0).abs() < 1e-9);
        let table = table(&summaries);
        let line: Vec<&str> = table.lines().nth(1).unwrap().split_whitespace().collect();
        assert_eq!(
            line,
            [
                "long-answer",
                "3/4",
                "3/4",
                "0.50",
                "0.00",
                "0.00",
                "2.00",
                "0.25",
                "2.75",
                "/",
                "3.75",
                "0.00",
                "0",
                "/",
                "0"
            ]
        );
        assert_eq!(table.lines().count(), 2);
    }

    #[test]
    fn the_peer_has_a_line_below_with_how_many_times_as_long_it_took() {
        let mut both = row(Kind::OneTool, 1.25);
        both.peer = Some(row(Kind::OneTool, 5.25).ours);
        let table = table(&Summary::by_kind(&[both]));
        let line: Vec<&str> = table.lines().nth(2).unwrap().split_whitespace().collect();
        assert_eq!(line.first(), Some(&"Assist"));
        assert_eq!(line.last(), Some(&"3.0"));
    }

    #[test]
    fn of_silence_nothing_is_told() {
        let mut silent = row(Kind::Intent, 0.0);
        silent.ours = Outcome::default();
        let summaries = Summary::by_kind(&[silent]);
        assert!(summaries[0].side.whole().is_none());
        assert!(table(&summaries).contains("0/1"));
    }
}
