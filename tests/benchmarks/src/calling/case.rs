//! The cases: a question, the tools on offer, and the calls that count as right.

use std::ops::Range;
use std::path::Path;

use anyhow::{Context, Result};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::decoding::bfcl;

/// Tools of strangers and requests that we made up, for development.
const DEVELOPMENT: &str = include_str!("../../development/strangers.json");

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
    /// The values that count as right for each argument; an empty text means that it may be left out. Absent where only the tool
    /// counts, however often it is called.
    pub options: Option<Map<String, Value>>,
}

impl Case {
    /// Reads these of the requests of our own, of which only the tools are judged. They may be looked at.
    ///
    /// # Errors
    /// Where the file is damaged.
    pub fn of_development(rows: Range<usize>) -> Result<Vec<Self>> {
        let set: Development = serde_json::from_str(DEVELOPMENT).context("the development set is damaged")?;
        let rows = set
            .requests
            .iter()
            .enumerate()
            .filter(|(row, _)| rows.contains(row));
        Ok(rows.map(|(_, request)| set.case(request)).collect())
    }

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

/// A request of our own development set.
#[derive(Debug, Deserialize)]
struct Request {
    said: String,
    kind: String,
    tools: Vec<String>,
    wants: Vec<String>,
}

/// Tools and requests of our own.
#[derive(Debug, Deserialize)]
struct Development {
    tools: Vec<Value>,
    requests: Vec<Request>,
}

impl Development {
    fn case(&self, request: &Request) -> Case {
        let tool = |name: &String| self.tools.iter().find(|tool| tool["name"] == **name).cloned();
        let truth = |name: &String| Truth {
            tool: name.clone(),
            options: None,
        };
        let category = match (request.wants.len(), request.tools.len()) {
            (0, _) => 3,
            (1, 1) if request.kind != "several" => 0,
            (1, _) if request.kind != "several" => 1,
            _ => 2,
        };
        Case {
            category,
            question: request.said.clone(),
            tools: request.tools.iter().filter_map(tool).collect(),
            truth: request.wants.iter().map(truth).collect(),
        }
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
                options: Some(options.as_object().cloned().unwrap_or_default()),
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
        let options = case.truth[0].options.as_ref().unwrap();
        assert_eq!(options["type"], json!(["square", ""]));
    }

    #[test]
    fn the_development_set_has_all_categories_and_knows_its_tools() {
        let cases = Case::of_development(0..usize::MAX).unwrap();
        for category in 0..CATEGORIES.len() {
            assert!(cases.iter().any(|case| case.category == category), "{category}");
        }
        for case in cases {
            let is_offered = |truth: &Truth| case.tools.iter().any(|tool| tool["name"] == truth.tool);
            assert!(
                !case.tools.is_empty() && case.truth.iter().all(is_offered),
                "{}",
                case.question
            );
            assert_eq!(case.truth.is_empty(), case.category == 3, "{}", case.question);
        }
    }
}
