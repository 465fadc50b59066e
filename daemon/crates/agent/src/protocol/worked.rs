//! The instructions for one JSON object a step, with a call that was worked through.

use serde_json::json;

use super::prompts::{JSON, JSON_WITHOUT_TOOL, asked, tools};
use super::spaced::spaced;
use crate::catalogue::Catalogue;
use crate::toolbox::Example;

/// The instructions for one JSON object a step. Tools, forms, examples: models of half a billion parameters choose
/// right far more often in this order, and with a thought that says what is asked and not what is used.
pub(super) fn instructions(catalogue: &Catalogue) -> String {
    let example = worked(catalogue);
    format!(
        "{}\n\n{JSON}\n\nExamples:\n{example}\n{JSON_WITHOUT_TOOL}",
        tools(catalogue)
    )
}

/// The first worked call that a tool brings, else one of a tool that everybody can imagine.
fn worked(catalogue: &Catalogue) -> String {
    let brought = catalogue.entries().iter().find_map(|entry| {
        let example = entry.tool.example.clone()?;
        Some((entry.tool.name.clone(), example))
    });
    let (name, example) = brought.unwrap_or_else(imagined);
    let call = json!({"thought": example.thought, "call": {"name": name, "arguments": example.arguments}});
    let answer = json!({"thought": "The observation has the result.", "answer": example.answer});
    let [call, result, answer] = [&call, &example.result, &answer].map(spaced);
    format!(
        "Person: {0}\n{call}\nObservation: {result}\n{1}\n{answer}",
        example.question,
        asked(&example.question)
    )
}

fn imagined() -> (String, Example) {
    let example = Example {
        question: "How high is the tower?".to_owned(),
        thought: "This asks for a height.".to_owned(),
        arguments: json!({"query": "height of the tower"}),
        result: json!({"result": "330 m"}),
        answer: "The tower is 330 metres high.".to_owned(),
    };
    ("look_up".to_owned(), example)
}
