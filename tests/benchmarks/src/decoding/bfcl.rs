//! Reads the single-turn ground truths and the irrelevance entries of the Berkeley Function-Calling Leaderboard v4.
//!
//! Source: the data folder of `bfcl-eval` on `PyPI`, in which an argument is a list of the values that count as right.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use loquat_tests::binaries::setting;
use serde_json::{Map, Value};

use super::Wanted;

/// The categories whose ground truths are calls of one turn.
const CALLS: [&str; 10] = [
    "simple_python",
    "simple_java",
    "simple_javascript",
    "multiple",
    "parallel",
    "parallel_multiple",
    "live_simple",
    "live_multiple",
    "live_parallel",
    "live_parallel_multiple",
];

/// The categories in which no tool on offer helps.
const IRRELEVANT: [&str; 2] = ["irrelevance", "live_irrelevance"];

/// One entry.
#[derive(Debug)]
pub struct Entry {
    /// Its name, for a complaint.
    pub id: String,
    /// The tools on offer.
    pub tools: Vec<String>,
    /// The calls that are right; none in an irrelevance entry.
    pub calls: Vec<Wanted>,
}

/// Where the data are, unless `LOQUAT_BFCL` names the folder they were installed into.
pub fn folder() -> PathBuf {
    let root = setting("LOQUAT_BFCL").map(PathBuf::from).unwrap_or_else(|| {
        let home = setting("HOME").unwrap_or_default();
        Path::new(&home).join(".cache/loquat/bfcl")
    });
    root.join("bfcl_eval/data")
}

/// All entries with calls.
pub fn calls(folder: &Path) -> Result<Vec<Entry>> {
    let mut entries = Vec::new();
    for category in CALLS {
        let questions = lines(&folder.join(format!("BFCL_v4_{category}.json")))?;
        let answers = lines(&folder.join(format!("possible_answer/BFCL_v4_{category}.json")))?;
        for (question, answer) in questions.iter().zip(&answers) {
            anyhow::ensure!(
                question["id"] == answer["id"],
                "{category}: questions and answers are not in the same order"
            );
            entries.push(Entry {
                calls: wanted(&answer["ground_truth"]),
                ..entry(question)
            });
        }
    }
    Ok(entries)
}

/// All entries that need no call.
pub fn irrelevant(folder: &Path) -> Result<Vec<Entry>> {
    let mut entries = Vec::new();
    for category in IRRELEVANT {
        entries.extend(
            lines(&folder.join(format!("BFCL_v4_{category}.json")))?
                .iter()
                .map(entry),
        );
    }
    Ok(entries)
}

/// Reads a file of JSON lines.
///
/// # Errors
/// Where it is not there, or a line is no JSON.
pub fn lines(path: &Path) -> Result<Vec<Value>> {
    let text = fs::read_to_string(path).with_context(|| {
        format!(
            "failed to read {}; `make bench-decoder` installs it",
            path.display()
        )
    })?;
    text.lines()
        .filter(|line| !line.trim().is_empty())
        .map(|line| Ok(serde_json::from_str(line)?))
        .collect()
}

fn entry(question: &Value) -> Entry {
    let tools = question["function"].as_array().into_iter().flatten();
    Entry {
        id: question["id"].as_str().unwrap_or_default().to_owned(),
        tools: tools
            .filter_map(|tool| tool["name"].as_str().map(str::to_owned))
            .collect(),
        calls: Vec::new(),
    }
}

fn wanted(truth: &Value) -> Vec<Wanted> {
    let calls = truth.as_array().into_iter().flatten();
    calls
        .filter_map(Value::as_object)
        .flatten()
        .map(|(tool, arguments)| Wanted {
            tool: tool.clone(),
            arguments: members(arguments),
        })
        .collect()
}

/// The members with the first right value of each; one that may be left out in its first form is.
fn members(options: &Value) -> Map<String, Value> {
    let all = options.as_object().into_iter().flatten();
    all.filter_map(|(key, options)| Some((key.clone(), chosen(options)?)))
        .collect()
}

fn chosen(options: &Value) -> Option<Value> {
    let Some(options) = options.as_array() else {
        return Some(options.clone());
    };
    options
        .iter()
        .find(|option| *option != &Value::String(String::new()))
        .map(plain)
}

/// Objects hold lists of right values again.
fn plain(value: &Value) -> Value {
    match value {
        Value::Object(_) => Value::Object(members(value)),
        Value::Array(items) => Value::Array(items.iter().map(plain).collect()),
        other => other.clone(),
    }
}
