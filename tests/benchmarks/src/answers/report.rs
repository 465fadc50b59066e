//! The rows of each kind together, as lines of a table and as the answers with numbers that no tool gave.

use std::fmt::Write;

use super::Kind;
use super::row::{Answer, Row, Spans};

/// The median and the 90th percentile of some seconds; nothing of none.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Seconds {
    /// Half of them took no longer.
    pub median: f64,
    /// Nine of ten took no longer.
    pub ninetieth: f64,
}

/// The rows of one kind.
#[derive(Debug, Clone)]
pub struct Summary {
    /// The kind; absent for all together.
    pub kind: Option<Kind>,
    asked: usize,
    heard: usize,
    ours: Side,
    hearing: Option<Seconds>,
    first_byte: Option<Seconds>,
    speaking: Option<Seconds>,
    whole: Option<Seconds>,
    /// The spans of the request whose `whole` is the median.
    pub middle: Spans,
    peer: Option<Side>,
}

/// What both sides are counted by.
#[derive(Debug, Clone, Copy)]
struct Side {
    right: usize,
    brain_calls: f64,
    answering: Option<Seconds>,
}

impl Seconds {
    /// Of these values; nothing of none.
    pub(crate) fn of(values: impl Iterator<Item = f64>) -> Option<Self> {
        let mut values: Vec<f64> = values.collect();
        values.sort_by(f64::total_cmp);
        Some(Self {
            median: percentile(&values, 50)?,
            ninetieth: percentile(&values, 90)?,
        })
    }
}

/// Of values in order, the one that so many hundredths of them do not exceed; nothing of none.
fn percentile<T: Copy>(values: &[T], hundredths: usize) -> Option<T> {
    let place = (values.len() * hundredths).div_ceil(100);
    values.get(place.saturating_sub(1)).copied()
}

/// The spans of the request in the middle of those that were answered.
fn middle(spans: impl Iterator<Item = Spans>) -> Spans {
    let mut answered: Vec<(f64, Spans)> = spans.filter_map(|spans| Some((spans.whole?, spans))).collect();
    answered.sort_by(|(one, _), (other, _)| one.total_cmp(other));
    percentile(&answered, 50).unwrap_or_default().1
}

impl Summary {
    /// Of these rows; nothing of none.
    pub fn of(kind: Option<Kind>, rows: &[Row]) -> Option<Self> {
        let rows: Vec<&Row> = rows
            .iter()
            .filter(|row| kind.is_none_or(|kind| row.kind == kind))
            .collect();
        if rows.is_empty() {
            return None;
        }
        let ours = rows.iter().map(|row| (&row.answer, row.spans.answering));
        let peers: Option<Vec<_>> = rows.iter().map(|row| row.peer.as_ref()).collect();
        let seconds = |of: fn(&Row) -> Option<f64>| Seconds::of(rows.iter().filter_map(|row| of(row)));
        Some(Self {
            kind,
            asked: rows.len(),
            heard: rows.iter().filter(|row| row.heard_rightly).count(),
            ours: Side::of(ours),
            hearing: seconds(|row| row.spans.hearing),
            first_byte: seconds(|row| row.spans.first_byte),
            speaking: seconds(|row| row.spans.speaking),
            whole: seconds(|row| row.spans.whole),
            middle: middle(rows.iter().map(|row| row.spans)),
            peer: peers.map(|peers| Side::of(peers.iter().map(|(answer, seconds)| (answer, Some(*seconds))))),
        })
    }

    /// Each kind that was asked.
    pub fn by_kind(rows: &[Row]) -> Vec<Self> {
        Kind::ALL
            .into_iter()
            .filter_map(|kind| Self::of(Some(kind), rows))
            .collect()
    }

    /// What the table and the plot call it.
    pub fn name(&self) -> &'static str {
        self.kind.map_or("all", Kind::name)
    }

    /// From the utterance to the peer's answer, where there is a peer.
    pub fn peer(&self) -> Option<Seconds> {
        self.peer.and_then(|peer| peer.answering)
    }

    /// How many times as long the peer takes from the utterance to the answer, by the medians.
    pub fn ratio(&self) -> Option<f64> {
        Some(self.peer()?.median / self.ours.answering?.median)
    }
}

impl Side {
    fn of<'a>(answers: impl Iterator<Item = (&'a Answer, Option<f64>)> + Clone) -> Self {
        let count = answers.clone().count().max(1);
        let calls: usize = answers.clone().map(|(answer, _)| answer.brain_calls).sum();
        Self {
            right: answers.clone().filter(|(answer, _)| answer.right).count(),
            brain_calls: calls as f64 / count as f64,
            answering: Seconds::of(answers.filter_map(|(_, seconds)| seconds)),
        }
    }
}

/// The table: a line for each kind and one for all.
pub fn table(rows: &[Row]) -> String {
    let mut table = line([
        "",
        "heard",
        "right",
        "calls",
        "end-utterance",
        "utterance-byte",
        "byte-speak",
        "utterance-speak",
        "end-speak",
        "peer right",
        "calls",
        "utterance-answer",
        "ratio",
    ]);
    for summary in Summary::by_kind(rows).iter().chain(&Summary::of(None, rows)) {
        table += &told(summary);
    }
    table
}

fn told(summary: &Summary) -> String {
    let none = || "-".to_owned();
    let of_asked = |count: usize| format!("{count}/{}", summary.asked);
    let seconds = |seconds: Option<Seconds>| {
        seconds.map_or_else(none, |seconds| {
            format!("{:.2} / {:.2}", seconds.median, seconds.ninetieth)
        })
    };
    let peer = summary.peer;
    let cells = [
        of_asked(summary.heard),
        of_asked(summary.ours.right),
        format!("{:.1}", summary.ours.brain_calls),
        seconds(summary.hearing),
        seconds(summary.first_byte),
        seconds(summary.speaking),
        seconds(summary.ours.answering),
        seconds(summary.whole),
        peer.map_or_else(none, |peer| of_asked(peer.right)),
        peer.map_or_else(none, |peer| format!("{:.1}", peer.brain_calls)),
        seconds(summary.peer()),
        summary.ratio().map_or_else(none, |ratio| format!("{ratio:.1}x")),
    ];
    let [
        heard,
        right,
        calls,
        hearing,
        byte,
        speaking,
        answering,
        whole,
        peer_right,
        peer_calls,
        peer,
        ratio,
    ] = &cells;
    line([
        summary.name(),
        heard,
        right,
        calls,
        hearing,
        byte,
        speaking,
        answering,
        whole,
        peer_right,
        peer_calls,
        peer,
        ratio,
    ])
}

fn line(cells: [&str; 13]) -> String {
    const WIDTHS: [usize; 13] = [10, 7, 7, 7, 16, 16, 16, 17, 16, 12, 7, 18, 8];
    let mut line = String::new();
    for (place, (cell, width)) in cells.into_iter().zip(WIDTHS).enumerate() {
        let padded = if place == 0 {
            format!("{cell:<width$}")
        } else {
            format!("{cell:>width$}")
        };
        line += &padded;
    }
    line + "\n"
}

/// The answers of ours and of the peer's that tell numbers which no tool gave, and how many these are.
pub fn without_source(rows: &[Row]) -> String {
    let ours = rows.iter().map(|row| (row.said, &row.answer));
    let peers = rows
        .iter()
        .filter_map(|row| row.peer.as_ref().map(|(answer, _)| (row.said, answer)));
    let mut told = offences("loquat", ours);
    if rows.iter().any(|row| row.peer.is_some()) {
        told += &offences("the peer", peers);
    }
    told
}

fn offences<'a>(who: &str, answers: impl Iterator<Item = (&'a str, &'a Answer)>) -> String {
    let (mut count, mut listed) = (0, String::new());
    for (said, answer) in answers.filter(|(_, answer)| !answer.without_source.is_empty()) {
        count += answer.without_source.len();
        let numbers = answer.without_source.join(" ");
        // Writing to a text cannot fail.
        writeln!(listed, "  {numbers}: {said} -> {}", answer.text).ok();
    }
    format!("Numbers that no tool, question or fact holds, said by {who}: {count}\n{listed}")
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A row of this kind, heard after one second and answered after another `answering` ones.
    pub(crate) fn row(kind: Kind, answering: f64, peer: Option<f64>) -> Row {
        let answer = Answer {
            right: true,
            brain_calls: 2,
            ..Answer::default()
        };
        Row {
            kind,
            lang: "en-US",
            said: "What is <it>?",
            heard: None,
            heard_rightly: false,
            answer: answer.clone(),
            spans: Spans {
                hearing: Some(1.0),
                first_byte: None,
                speaking: Some(answering),
                answering: Some(answering),
                whole: Some(1.0 + answering),
            },
            peer: peer.map(|seconds| (answer, seconds)),
        }
    }

    #[test]
    fn the_percentiles_are_values_that_were_measured() {
        let seconds = Seconds::of((1..=10).rev().map(f64::from)).unwrap();
        assert_eq!((seconds.median, seconds.ninetieth), (5.0, 9.0));
        let one = Seconds::of([3.0].into_iter()).unwrap();
        assert_eq!((one.median, one.ninetieth), (3.0, 3.0));
        assert_eq!(Seconds::of(std::iter::empty()), None);
    }

    #[test]
    fn a_kind_has_a_line_and_all_have_one() {
        let rows = [
            row(Kind::Intent, 0.5, Some(4.0)),
            row(Kind::Decline, 2.0, Some(3.0)),
        ];
        let table = table(&rows);
        let lines: Vec<Vec<&str>> = table
            .lines()
            .map(|line| line.split_whitespace().collect())
            .collect();
        let begins: Vec<&str> = lines.iter().skip(1).map(|line| line[0]).collect();
        assert_eq!(begins, ["intent", "decline", "all"]);
        assert_eq!(lines[1].last(), Some(&"8.0x"));
        assert_eq!(lines[2].last(), Some(&"1.5x"));
    }

    #[test]
    fn the_request_in_the_middle_is_one_that_was_measured() {
        let rows = [9.0, 2.0, 5.0].map(|answering| row(Kind::NoTool, answering, None));
        let summary = Summary::of(None, &rows).unwrap();
        assert_eq!(summary.middle, rows[2].spans);
        let mut unanswered = row(Kind::NoTool, 1.0, None);
        unanswered.spans = Spans::default();
        assert_eq!(Summary::of(None, &[unanswered]).unwrap().middle, Spans::default());
    }

    #[test]
    fn without_a_peer_there_is_no_ratio() {
        let rows = [row(Kind::Intent, 0.5, None)];
        assert_eq!(Summary::of(None, &rows).unwrap().ratio(), None);
        assert!(!without_source(&rows).contains("peer"));
    }

    #[test]
    fn offences_are_counted_and_named() {
        let mut offender = row(Kind::TwoHops, 1.0, None);
        offender.answer.text = "It is 41, or 43.".to_owned();
        offender.answer.without_source = vec!["41".to_owned(), "43".to_owned()];
        let told = without_source(&[offender, row(Kind::Intent, 1.0, None)]);
        assert!(told.contains("loquat: 2\n"), "{told}");
        assert!(
            told.contains("  41 43: What is <it>? -> It is 41, or 43."),
            "{told}"
        );
    }
}
