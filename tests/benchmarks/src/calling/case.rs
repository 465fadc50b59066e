//! The cases: a question, the tools on offer, and the calls that count as right.

use std::ops::Range;
use std::path::Path;

use anyhow::{Context, Result};
use serde_json::{Map, Value, json};

use crate::decoding::bfcl;

/// The categories, each with its column in the table. In the last one no tool on offer helps.
pub const CATEGORIES: [&str; 4] = ["simple_python", "multiple", "parallel", "irrelevance"];

/// One case.
#[derive(Debug, Clone)]
pub struct Case {
    /// Its place in [`CATEGORIES`].
    pub category: usize,
    /// What is asked.
    pub question: String,
    /// The tools on offer: `name`, `description` and `parameters`, a JSON Schema.
    pub tools: Vec<Value>,
    /// For each call that is wanted, its tool and the values that count as right for each argument.
    pub truth: Vec<Truth>,
}

/// A call that is wanted.
#[derive(Debug, Clone)]
pub struct Truth {
    /// The tool.
    pub tool: String,
    /// The values that count as right for each argument; an empty text means that it may be left out.
    pub options: Map<String, Value>,
}

impl Case {
    /// Reads these rounds of so many cases of each category, spread evenly over it. A round has one of each category, so that a run
    /// that is ended early has asked each of them as often.
    ///
    /// # Errors
    /// Where the data are not installed.
    pub fn some(folder: &Path, of_each: usize, rounds: Range<usize>) -> Result<Vec<Self>> {
        let mut all = Vec::new();
        for category in 0..CATEGORIES.len() {
            all.push(of_category(folder, category, of_each)?);
        }
        let taken = rounds.flat_map(|row| all.iter().filter_map(move |cases| cases.get(row)));
        Ok(taken.cloned().collect())
    }
}

fn of_category(folder: &Path, category: usize, wanted: usize) -> Result<Vec<Case>> {
    let name = CATEGORIES[category];
    let questions = bfcl::lines(&folder.join(format!("BFCL_v4_{name}.json")))?;
    let answers = folder.join(format!("possible_answer/BFCL_v4_{name}.json"));
    // Where no call is right, there is no file of right ones.
    let answers = answers.is_file().then(|| bfcl::lines(&answers)).transpose()?;
    let wanted = wanted.min(questions.len());
    let rows = (0..wanted).map(|row| row * questions.len() / wanted);
    rows.map(|row| {
        let answer = answers.as_ref().and_then(|answers| answers.get(row));
        case(category, &questions[row], answer).with_context(|| format!("{name}, row {row}"))
    })
    .collect()
}

fn case(category: usize, question: &Value, answer: Option<&Value>) -> Result<Case> {
    if let Some(answer) = answer {
        anyhow::ensure!(
            question["id"] == answer["id"],
            "questions and answers are not in the same order"
        );
    }
    let messages = question["question"][0].as_array().context("no question")?;
    let texts: Vec<&str> = messages
        .iter()
        .filter_map(|message| message["content"].as_str())
        .collect();
    let tools = question["function"].as_array().context("no tools")?;
    let truth = answer.and_then(|answer| answer["ground_truth"].as_array());
    let calls = truth.into_iter().flatten().filter_map(Value::as_object).flatten();
    Ok(Case {
        category,
        question: texts.join("\n"),
        tools: tools.iter().map(tool).collect(),
        truth: calls
            .map(|(tool, options)| Truth {
                tool: tool.clone(),
                options: options.as_object().cloned().unwrap_or_default(),
            })
            .collect(),
    })
}

fn tool(function: &Value) -> Value {
    json!({
        "name": function["name"],
        "description": function["description"],
        "parameters": schema(&function["parameters"]),
    })
}

/// Writes a type of Python as JSON Schema has it.
fn schema(value: &Value) -> Value {
    match value {
        Value::Object(members) => members
            .iter()
            .filter(|(key, value)| !(*key == "type" && *value == "any"))
            .map(|(key, value)| {
                (
                    key.clone(),
                    if key == "type" { kind(value) } else { schema(value) },
                )
            })
            .collect(),
        Value::Array(items) => items.iter().map(schema).collect(),
        other => other.clone(),
    }
}

/// A property may itself be called `type`, which is an object then.
fn kind(value: &Value) -> Value {
    match value.as_str() {
        Some("dict") => json!("object"),
        Some("float") => json!("number"),
        Some("tuple") => json!("array"),
        _ => schema(value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_case_has_the_schemas_and_the_truths_of_its_entry() {
        let question = json!({"id": "a", "question": [[{"role": "user", "content": "How long is the side?"}]], "function": [{
            "name": "geometry.side", "description": "Gives a side.",
            "parameters": {"type": "dict", "properties": {
                "area": {"type": "float"}, "type": {"type": "string"}, "rest": {"type": "any"}}, "required": ["area"]}}]});
        let answer = json!({"id": "a", "ground_truth": [{"geometry.side": {"area": [4, 4.0], "type": ["square", ""]}}]});
        let case = case(0, &question, Some(&answer)).unwrap();
        assert_eq!(case.question, "How long is the side?");
        assert_eq!(
            case.tools[0]["parameters"],
            json!({"type": "object", "properties": {
                "area": {"type": "number"}, "type": {"type": "string"}, "rest": {}}, "required": ["area"]})
        );
        assert_eq!(case.truth[0].tool, "geometry.side");
        assert_eq!(case.truth[0].options["type"], json!(["square", ""]));
    }
}
