//! How long sentences take to be read and a language takes to load, beside hassil in the same run: `make bench-sentences`.
#![expect(
    clippy::disallowed_types,
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a benchmark reads the clock, prints a table, and stops where its peer fails"
)]

#[path = "../tests/community/environment.rs"]
mod environment;

use std::fs;
use std::time::Instant;

use loquat_sentences::{Home, Language, Name, best};
use serde_json::Value as Json;

use environment::Environment;

const SENTENCES: &str = "1000";

const LANGUAGES: [&str; 9] = ["de", "en", "es", "fi", "fr", "it", "pt", "ru", "zh-CN"];

/// The times of one reader, in milliseconds.
struct Times {
    loading: f64,
    megabytes: f64,
    /// Each sentence, the shortest first.
    sentences: Vec<f64>,
}

impl Times {
    fn at(&self, part: f64) -> f64 {
        let last = self.sentences.len() - 1;
        self.sentences[(last as f64 * part) as usize]
    }

    fn row(&self) -> [f64; 5] {
        [
            self.at(0.5),
            self.at(0.99),
            self.at(1.0),
            self.loading,
            self.megabytes,
        ]
    }
}

/// The memory of this process in megabytes.
fn resident() -> f64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))
        .unwrap();
    line.trim().trim_end_matches(" kB").trim().parse::<f64>().unwrap() / 1024.0
}

fn milliseconds(began: Instant) -> f64 {
    began.elapsed().as_secs_f64() * 1000.0
}

fn sorted(mut times: Vec<f64>) -> Vec<f64> {
    times.sort_by(f64::total_cmp);
    times
}

fn home(told: &Json) -> Home {
    let text = |json: &Json| json.as_str().unwrap().to_owned();
    let all = |key: &str| told[key].as_array().unwrap().clone();
    let names = all("names")
        .into_iter()
        .map(|name| Name::new(&text(&name[0])).with("domain", text(&name[1])));
    let places = |key: &str| {
        all(key)
            .iter()
            .map(|name| Name::new(&text(name)))
            .collect::<Vec<_>>()
    };
    let home = Home::new().with_names("name", names);
    let home = home
        .with_names("area", places("areas"))
        .with_names("floor", places("floors"));
    home.with_context("area", "kitchen")
}

fn ours(pack: &str, home_told: &Json, lines: &[Json]) -> (Times, usize) {
    let (before, began) = (resident(), Instant::now());
    let (language, _) = Language::from_pack(pack).unwrap();
    let loading = milliseconds(began);
    let home = home(home_told);
    let megabytes = resident() - before;
    let (mut sentences, mut different) = (Vec::new(), 0);
    for line in lines {
        let text = line["text"].as_str().unwrap();
        let began = Instant::now();
        let understood = language.read(text, &home);
        let intent = best(&understood.readings).map(|reading| reading.intent.as_str());
        sentences.push(milliseconds(began));
        different += usize::from(intent != line["best"]["intent"].as_str());
    }
    (
        Times {
            loading,
            megabytes,
            sentences: sorted(sentences),
        },
        different,
    )
}

fn main() {
    let Some(environment) = Environment::find() else {
        return;
    };
    println!("milliseconds         median     p99 longest    load      MB");
    for code in environment
        .languages()
        .iter()
        .filter(|code| LANGUAGES.contains(&code.as_str()))
    {
        let mut lines = environment.lines("../../benches/peer.py", &["1", SENTENCES, code]);
        let first = lines.remove(0);
        let (ours, different) = ours(&environment.pack(code), &first, &lines);
        let theirs = Times {
            loading: first["loading"].as_f64().unwrap(),
            megabytes: first["kilobytes"].as_f64().unwrap() / 1024.0,
            sentences: sorted(lines.iter().map(|line| line["spent"].as_f64().unwrap()).collect()),
        };
        let told = |row: [f64; 5]| row.map(|number| format!("{number:8.3}")).concat();
        println!("{code:5} ours        {}", told(ours.row()));
        println!("{code:5} hassil      {}", told(theirs.row()));
        let ratios: Vec<String> = ours
            .row()
            .iter()
            .zip(theirs.row())
            .map(|(one, other)| format!("{:8.0}", other / one))
            .collect();
        println!(
            "{code:5} times faster{}   ({different} of {} intents differ)",
            ratios.concat(),
            lines.len()
        );
    }
}
