//! What the worked examples of every phase are made of: the calls that tools bring as examples, and how they are shown.
//!
//! Never decides what a phase shows of them.

use serde_json::{Value, json};

use super::prompts::{Prompt, tools};
use super::spaced::spaced;
use super::{Speech, StepForm};
use crate::catalogue::Catalogue;
use crate::toolbox::Example;
use loquat_decoder::LAST;

/// The worked call of the last tool that brings one, with the name of the tool.
pub(super) fn brought(catalogue: &Catalogue) -> Option<(String, Example)> {
    all_brought(catalogue).last()
}

/// The worked call of the first tool that brings one, where several do.
pub(super) fn first_of_several(catalogue: &Catalogue) -> Option<(String, Example)> {
    let mut several = all_brought(catalogue);
    several.next().filter(|_| several.next().is_some())
}

fn all_brought(catalogue: &Catalogue) -> impl Iterator<Item = (String, Example)> {
    catalogue.listed().iter().filter_map(|entry| {
        let example = entry.tool.example.clone()?;
        Some((entry.tool.name.clone(), example))
    })
}

/// A worked call of a tool that is easily imagined, where none brings one.
pub(super) fn imagined() -> (String, Example) {
    let example = Example {
        question: "How high is the tower?".to_owned(),
        thought: "This asks for a height.".to_owned(),
        arguments: json!({"query": "height of the tower"}),
        result: json!({"result": "330 m"}),
        answer: "The tower is 330 metres high.".to_owned(),
    };
    ("look_up".to_owned(), example)
}

/// A step that calls a tool, on one line; `last` says whether its result is the whole answer, where that can be said.
pub(crate) fn call_step(thought: &str, tool: &str, arguments: &Value, form: StepForm, last: bool) -> String {
    let mut step = json!({"tool": tool, "arguments": arguments});
    if let (true, Some(members)) = (form.one_call, step.as_object_mut()) {
        members.insert(LAST.to_owned(), last.into());
    }
    spaced(&with_thought(form, thought, step))
}

/// The step with this thought in front of it, where steps have one.
pub(super) fn with_thought(form: StepForm, thought: &str, step: Value) -> Value {
    match step {
        Value::Object(members) if form.thinks => {
            let thought = ("thought".to_owned(), thought.into());
            std::iter::once(thought).chain(members).collect()
        }
        other => other,
    }
}

/// An example: what is said, and the reply.
pub(super) fn asked_for(example: &Example, reply: &Value) -> String {
    format!("Person: {}\n{}\n", example.question, spaced(reply))
}

/// The tools, how a reply has to look, and examples of it.
pub(super) fn behind_tools(speech: &Speech<'_>, forms: &Prompt, examples: &str) -> String {
    let listed = if speech.catalogue.is_empty() {
        String::new()
    } else {
        tools(speech.catalogue) + "\n\n"
    };
    format!("{listed}{}\n\nExamples:\n{examples}", speech.text(forms))
}
