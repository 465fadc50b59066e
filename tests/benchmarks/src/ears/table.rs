//! What was heard by whom, as tables: word errors by set, and what a second of sound costs.

use std::fmt::Write;

use anyhow::Result;
use serde::Serialize;

use super::at;
use super::contestant::{Contestant, Heard, Who};
use super::recordings::{Clip, Set};
use super::words::Errors;

/// What one contestant heard with one model, recording by recording.
#[derive(Debug, Serialize)]
pub struct Column {
    /// Who.
    pub who: Who,
    /// With which model.
    pub model: &'static str,
    /// With how many threads.
    pub threads: usize,
    results: Vec<Outcome>,
}

/// What came of one recording.
#[derive(Debug, Serialize)]
struct Outcome {
    set: Set,
    said: String,
    wrong: usize,
    words: usize,
    /// How long the recording is, in seconds.
    length: f64,
    heard: Heard,
}

impl Column {
    /// Has a contestant hear these, telling after each.
    ///
    /// # Errors
    /// When it ends.
    pub async fn of(
        mut contestant: Contestant,
        (who, model, threads): (Who, &'static str, usize),
        clips: &[&Clip],
    ) -> Result<Self> {
        let mut results = Vec::new();
        for clip in clips {
            let heard = contestant.hear(clip).await?;
            let Errors { wrong, said } = Errors::of(&clip.said, &heard.text, &clip.lang);
            results.push(Outcome {
                set: clip.set,
                said: clip.said.clone(),
                wrong,
                words: said,
                length: clip.seconds,
                heard,
            });
        }
        Ok(Self {
            who,
            model,
            threads,
            results,
        })
    }

    /// The words of a set; nothing where it was not heard.
    pub fn errors(&self, set: Set) -> Option<Errors> {
        let of_set: Vec<Errors> = self.of_set(set).map(errors).collect();
        (!of_set.is_empty()).then(|| of_set.into_iter().sum())
    }

    /// Recordings of a set that were cut in more than one piece.
    fn cut(&self, set: Set) -> usize {
        self.of_set(set)
            .filter(|outcome| outcome.heard.pieces > 1)
            .count()
    }

    fn of_set(&self, set: Set) -> impl Iterator<Item = &Outcome> {
        self.results.iter().filter(move |outcome| outcome.set == set)
    }

    /// Seconds of work for a second of sound.
    fn real_time_factor(&self) -> f64 {
        let sum = |of: fn(&Outcome) -> f64| self.results.iter().map(of).sum::<f64>();
        sum(|outcome| outcome.heard.seconds) / sum(|outcome| outcome.length).max(f64::MIN_POSITIVE)
    }

    fn seconds(&self, part: f64) -> f64 {
        at(self.results.iter().map(|outcome| outcome.heard.seconds), part).unwrap_or_default()
    }

    fn mebibytes(&self) -> u64 {
        let most = self.results.iter().map(|outcome| outcome.heard.memory).max();
        most.unwrap_or_default() >> 20
    }

    fn name(&self) -> String {
        format!("{} {}", self.who, self.model)
    }

    /// The word errors of each set in a line, so that a run that is ended early has told what it found.
    pub fn told(&self) -> String {
        let sets: Vec<String> = Set::ALL
            .into_iter()
            .filter_map(|set| Some(format!("{set} {:.1} %", self.errors(set)?.percent())))
            .collect();
        format!("{}: {}", self.name(), sets.join(", "))
    }
}

fn errors(outcome: &Outcome) -> Errors {
    Errors {
        wrong: outcome.wrong,
        said: outcome.words,
    }
}

/// Percent of the words of each set that were heard wrongly, and what was cut by us.
pub fn words(columns: &[Column]) -> String {
    let mut table = format!("{:<14}{:>6}", "word errors", "words");
    for column in columns {
        line(&mut table, &format!("{:>25}", column.name()));
    }
    line(&mut table, "   cut by us\n");
    for set in Set::ALL {
        let Some(words) = columns.iter().find_map(|column| column.errors(set)) else {
            continue;
        };
        line(&mut table, &format!("{set:<14}{:>6}", words.said));
        for column in columns {
            let cell = column.errors(set).map_or_else(
                || "-".to_owned(),
                |errors| format!("{:.1} % ({})", errors.percent(), errors.wrong),
            );
            line(&mut table, &format!("{cell:>25}"));
        }
        let cut: Vec<String> = columns
            .iter()
            .filter(|column| column.who == Who::Loquat)
            .map(|column| format!("{} of {}", column.cut(set), column.of_set(set).count()))
            .collect();
        line(&mut table, &format!("   {}\n", cut.join(", ")));
    }
    table
}

/// What each contestant needs for a second of sound, by number of threads.
pub fn speed(columns: &[Column]) -> String {
    let mut table = format!(
        "{:<25}{:>8}{:>18}{:>20}{:>14}\n",
        "", "threads", "real-time factor", "a clip: median/p95", "most memory"
    );
    for column in columns {
        let clip = format!("{:.2} / {:.2} s", column.seconds(0.5), column.seconds(0.95));
        line(
            &mut table,
            &format!(
                "{:<25}{:>8}{:>18.2}{clip:>20}{:>10} MiB\n",
                column.name(),
                column.threads,
                column.real_time_factor(),
                column.mebibytes()
            ),
        );
    }
    table
}

/// Where our word errors are more than those of the best of them, and where a sentence was cut after which more had to come.
pub fn misses(columns: &[Column]) -> Vec<String> {
    let mut misses = Vec::new();
    for ours in columns.iter().filter(|column| column.who == Who::Loquat) {
        let others = columns
            .iter()
            .filter(|column| column.model == ours.model && column.who != Who::Loquat);
        for set in Set::ALL {
            let best = others
                .clone()
                .filter_map(|column| Some((column.errors(set)?.wrong, column.who)))
                .min_by_key(|(wrong, _)| *wrong);
            let own = ours.errors(set).map(|errors| errors.wrong);
            if let (Some(own), Some((best, who))) = (own, best)
                && own > best
            {
                misses.push(format!(
                    "{} {set}: {own} words wrong, {best} with {who}",
                    ours.model
                ));
            }
        }
        let cut = ours.cut(Set::PausedOpen);
        if cut > 0 {
            misses.push(format!(
                "{}: {cut} sentences were cut at a pause after which more had to come",
                ours.model
            ));
        }
    }
    misses
}

fn line(table: &mut String, text: &str) {
    // Writing to a text cannot fail.
    write!(table, "{text}").ok();
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A contestant that heard one recording of a set.
    pub(crate) fn column(who: Who, set: Set, wrong: usize, pieces: usize) -> Column {
        let outcome = Outcome {
            set,
            said: "set a timer for ten minutes".to_owned(),
            wrong,
            words: 6,
            length: 2.0,
            heard: Heard {
                text: String::new(),
                seconds: 0.5,
                pieces,
                memory: 100 << 20,
            },
        };
        Column {
            who,
            model: "base",
            threads: 2,
            results: vec![outcome],
        }
    }

    #[test]
    fn who_hears_worse_than_the_best_misses() {
        let clean = |ours, theirs, others| {
            [
                column(Who::Loquat, Set::Clean, ours, 1),
                column(Who::WhisperCpp, Set::Clean, theirs, 1),
                column(Who::FasterWhisper, Set::Clean, others, 1),
            ]
        };
        assert_eq!(misses(&clean(1, 1, 3)), Vec::<String>::new());
        assert_eq!(
            misses(&clean(2, 3, 1)),
            ["base clean: 2 words wrong, 1 with faster-whisper"]
        );
        let cut = misses(&[column(Who::Loquat, Set::PausedOpen, 0, 2)]);
        assert!(cut[0].contains("1 sentences were cut"), "{cut:?}");
        assert!(misses(&[column(Who::Loquat, Set::PausedWhole, 0, 2)]).is_empty());
    }

    #[test]
    fn each_set_that_was_heard_has_a_line() {
        let columns = [
            column(Who::Loquat, Set::Noise(15), 3, 2),
            column(Who::WhisperCpp, Set::Noise(15), 0, 1),
        ];
        let words = words(&columns);
        let lines: Vec<&str> = words.lines().collect();
        assert_eq!(lines.len(), 2);
        assert_eq!(columns[0].told(), "loquat base: 15 dB 50.0 %");
        assert!(lines[1].starts_with("15 dB"), "{words}");
        for cell in ["50.0 % (3)", "0.0 % (0)", "1 of 1"] {
            assert!(lines[1].contains(cell), "{cell} in {words}");
        }
        let speed = speed(&columns);
        assert!(speed.contains("0.25") && speed.contains("100 MiB"), "{speed}");
    }
}
