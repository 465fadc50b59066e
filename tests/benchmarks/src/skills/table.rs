//! The tables of the benchmark, as text.

use std::fmt::Write;
use std::time::Duration;

use super::calls::Tally;
use super::entry::{Entry, LANGUAGES};
use super::sentences::Heard;
use super::small_model::Mark;
use crate::turn::median;

/// Skill by language: how many of the sentences were understood, and the median of the time until something was said.
pub fn of_sentences(rows: &[(&Entry, [Heard; LANGUAGES.len()])]) -> String {
    let mut table = format!("{:<12}", "by intent");
    for (lang, _) in LANGUAGES {
        append(&mut table, format_args!("{lang:>14}"));
    }
    for (entry, heard) in rows {
        append(&mut table, format_args!("\n{:<12}", entry.name));
        for heard in heard {
            append(&mut table, format_args!("{:>14}", cell(heard)));
        }
    }
    table
}

fn cell(heard: &Heard) -> String {
    if heard.asked == 0 {
        return "-".to_owned();
    }
    let time = if heard.took.is_empty() {
        "-".to_owned()
    } else {
        milliseconds(median(heard.took.clone()))
    };
    format!("{}/{} {time}", heard.took.len(), heard.asked)
}

/// Toolbox by kind of call: how many had the end that they have to have, and the median of their times.
pub fn of_calls(tally: &Tally) -> String {
    let mut table = format!("{:<26}", "over the bus");
    for kind in tally.kinds() {
        append(&mut table, format_args!("{:>12}", kind.name()));
    }
    append(&mut table, format_args!("{:>12}", "median"));
    for (toolbox, row) in tally.rows() {
        append(&mut table, format_args!("\n{toolbox:<26}"));
        for kind in tally.kinds() {
            let (right, all) = row.count(kind);
            let cell = if all == 0 {
                "-".to_owned()
            } else {
                format!("{right}/{all}")
            };
            append(&mut table, format_args!("{cell:>12}"));
        }
        append(&mut table, format_args!("{:>12}", milliseconds(row.median())));
    }
    table
}

/// Skill by request: right or not, and in how many seconds.
pub fn of_small_model(rows: &[(&Entry, Vec<Mark>)]) -> String {
    let mut table = format!("{:<12}{:>8}{:>12}", "small model", "right", "median s");
    for (entry, marks) in rows.iter().filter(|(_, marks)| !marks.is_empty()) {
        let right = marks.iter().filter(|mark| mark.right).count();
        let times = marks.iter().map(|mark| mark.took).collect();
        append(
            &mut table,
            format_args!(
                "\n{:<12}{:>8}{:>12.1}",
                entry.name,
                format!("{right}/{}", marks.len()),
                median(times).as_secs_f64()
            ),
        );
    }
    table
}

fn milliseconds(time: Duration) -> String {
    format!("{:.1} ms", time.as_secs_f64() * 1e3)
}

fn append(table: &mut String, text: std::fmt::Arguments<'_>) {
    table.write_fmt(text).expect("a text takes any text");
}
