//! The journals of turns as they stand at the server: whether a run that was succeeded wrote behind its successor.

use std::collections::BTreeMap;
use std::fmt;

/// What stands there.
#[derive(Debug, Default)]
pub struct Journals {
    /// Turns that have one.
    pub turns: usize,
    /// Those that more than one run wrote.
    pub shared: usize,
    /// All entries.
    pub entries: usize,
    /// Entries of a run behind those of its successor.
    pub late: usize,
}

impl Journals {
    /// Those of a pool.
    ///
    /// # Panics
    /// When the server does not give them.
    pub async fn read(url: &str, pool: &str) -> Self {
        let client = async_nats::connect(url)
            .await
            .expect("the server lets everybody in");
        let jetstream = async_nats::jetstream::new(client);
        let stream = jetstream.get_stream(format!("LOQUAT_JOURNAL_{pool}")).await;
        let mut stream = stream.expect("workers have made the stream");
        let state = stream.info().await.expect("it tells its size").state.clone();
        let mut runs: BTreeMap<String, Vec<String>> = BTreeMap::new();
        let mut journals = Self::default();
        for sequence in state.first_sequence..=state.last_sequence {
            let Ok(entry) = stream.get_raw_message(sequence).await else {
                continue;
            };
            let run = entry.headers.get("Loquat-Run").map(|run| run.as_str().to_owned());
            journals.add(
                runs.entry(entry.subject.to_string()).or_default(),
                run.unwrap_or_default(),
            );
        }
        journals.turns = runs.len();
        journals.shared = runs.values().filter(|runs| runs.len() > 1).count();
        journals
    }

    /// The next entry of a turn that these runs have written, the last of them last.
    fn add(&mut self, runs: &mut Vec<String>, run: String) {
        self.entries += 1;
        if runs.last() == Some(&run) {
            return;
        }
        self.late += usize::from(runs.contains(&run));
        runs.push(run);
    }
}

impl fmt::Display for Journals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} entries of {} journals, {} of them by several runs, {} entries of a run behind its successor's",
            self.entries, self.turns, self.shared, self.late
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_of_a_run_that_was_succeeded_is_seen() {
        let mut journals = Journals::default();
        let mut runs = Vec::new();
        for run in ["first", "first", "second", "second", "first"] {
            journals.add(&mut runs, run.to_owned());
        }
        assert_eq!((journals.entries, journals.late), (5, 1));
    }
}
