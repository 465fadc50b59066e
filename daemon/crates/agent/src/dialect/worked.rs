//! The instructions for JSON objects, with a call that was worked through.

use serde_json::{Value, json};

use super::Speech;
use super::prompts::{self, Prompt, asked, tools};
use super::spaced::spaced;
use super::step_schema::NO_TOOL;
use super::wishes::without_tool;
use crate::catalogue::Catalogue;
use crate::toolbox::Example;

/// The instructions for one JSON object a step. Tools, forms, examples: models of half a billion parameters choose
/// right far more often in this order, and with a thought that says what is asked and not what is used. What calls no tool
/// stands between two calls, for they take what was said last for what is to be said.
pub(super) fn instructions(speech: &Speech<'_>) -> String {
    let catalogue = speech.catalogue;
    let last = further(catalogue).map(|last| format!("\n{last}"));
    format!(
        "{}\n{}\n\n{}\n\nExamples:\n{}\n{}{}",
        tools(catalogue),
        speech.text(&prompts::STEP_SCHEMA_NO_TOOL),
        speech.text(&prompts::STEP_SCHEMA),
        worked(catalogue),
        without_tool(catalogue, speech.lang),
        last.unwrap_or_default()
    )
}

/// The instructions for a plan as one JSON object. What one tool does is one step in the person's own words; a small model
/// otherwise breaks up everything.
pub(crate) fn planning(speech: &Speech<'_>) -> String {
    let catalogue = speech.catalogue;
    let at_once = |(_, example): (String, Example)| {
        let step = json!({"step": example.question, "needs": []});
        asked_for(
            &example,
            &json!({"thought": "One call does this.", "steps": [step]}),
        )
    };
    let examples = [
        first_of_several(catalogue).map(at_once),
        Some(format!("{}\n", speech.text(&prompts::PLAN_SCHEMA_EXAMPLES))),
        brought(catalogue).map(at_once),
    ];
    let examples: String = examples.into_iter().flatten().collect();
    behind_tools(speech, &prompts::PLAN_SCHEMA, examples.trim_end())
}

/// The instructions for all calls as one JSON object.
pub(crate) fn calling(speech: &Speech<'_>) -> String {
    let catalogue = speech.catalogue;
    let own = brought(catalogue).map(|(name, example)| {
        asked_for(
            &example,
            &json!({"calls": [{"name": name, "arguments": example.arguments}]}),
        )
    });
    let examples = own.unwrap_or_default() + speech.text(&prompts::CALLS_SCHEMA_EXAMPLES);
    behind_tools(speech, &prompts::CALLS_SCHEMA, &examples)
}

/// The instructions for the claims of a draft, and how to check them, as one JSON object.
pub(crate) fn checking(speech: &Speech<'_>) -> String {
    let catalogue = speech.catalogue;
    let checked = |(name, example): (String, Example)| {
        let call = json!({"name": name, "arguments": example.arguments});
        let claims = spaced(&json!({"claims": [{"claim": example.answer, "call": call}]}));
        format!("{}\n{claims}\n", drafted(&example.question, &example.answer))
    };
    let first = first_of_several(catalogue).map(checked).unwrap_or_default();
    let last = checked(brought(catalogue).unwrap_or_else(imagined));
    let examples = format!("{first}{}\n{last}", speech.text(&prompts::CLAIMS_SCHEMA_EXAMPLE));
    behind_tools(speech, &prompts::CLAIMS_SCHEMA, examples.trim_end())
}

/// A question with the draft of its answer, as these instructions show them.
pub(crate) fn drafted(question: &str, draft: &str) -> String {
    format!("Person: {question}\nYou said: {draft}")
}

/// The instructions for follow-up questions as one JSON object a step. A call of a tool that is there comes last: a small
/// model takes what was said last for what is to be said.
pub(crate) fn asking_on(speech: &Speech<'_>) -> String {
    let catalogue = speech.catalogue;
    let own = brought(catalogue).map(|_| format!("\n{}", worked(catalogue)));
    let last = further(catalogue).map(|last| format!("\n{last}"));
    format!(
        "{}\n\n{}{}{}",
        tools(catalogue),
        speech.text(&prompts::FOLLOW_UP_SCHEMA),
        own.unwrap_or_default(),
        last.unwrap_or_default()
    )
}

fn asked_for(example: &Example, reply: &Value) -> String {
    format!("Person: {}\n{}\n", example.question, spaced(reply))
}

fn behind_tools(speech: &Speech<'_>, forms: &Prompt, examples: &str) -> String {
    let listed = if speech.catalogue.is_empty() {
        String::new()
    } else {
        tools(speech.catalogue) + "\n\n"
    };
    format!("{listed}{}\n\nExamples:\n{examples}", speech.text(forms))
}

/// The worked call that the last of the tools that bring one has.
fn brought(catalogue: &Catalogue) -> Option<(String, Example)> {
    all_brought(catalogue).last()
}

fn all_brought(catalogue: &Catalogue) -> impl Iterator<Item = (String, Example)> {
    catalogue.entries().iter().filter_map(|entry| {
        let example = entry.tool.example.clone()?;
        Some((entry.tool.name.clone(), example))
    })
}

/// The call of the first of several worked examples, without what came of it.
fn further(catalogue: &Catalogue) -> Option<String> {
    let (name, example) = first_of_several(catalogue)?;
    Some(format!(
        "Person: {}\n{}",
        example.question,
        called(&name, &example)
    ))
}

fn first_of_several(catalogue: &Catalogue) -> Option<(String, Example)> {
    let mut several = all_brought(catalogue);
    several.next().filter(|_| several.next().is_some())
}

fn called(name: &str, example: &Example) -> String {
    spaced(&json!({"thought": example.thought, "tool": name, "arguments": example.arguments}))
}

/// The last worked call that a tool brings, else one of a tool that everybody can imagine.
fn worked(catalogue: &Catalogue) -> String {
    let (name, example) = brought(catalogue).unwrap_or_else(imagined);
    let answer =
        json!({"thought": "The observation has the result.", "tool": NO_TOOL, "answer": example.answer});
    let [result, answer] = [&example.result, &answer].map(spaced);
    format!(
        "Person: {0}\n{1}\nObservation: {result}\n{2}\n{answer}",
        example.question,
        called(&name, &example),
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
