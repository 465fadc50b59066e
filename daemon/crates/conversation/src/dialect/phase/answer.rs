//! Words for the person: an answer, a draft, a revision.

use serde_json::{Value, json};

use super::{Heard, Otherwise, Phase, object, text};
use crate::dialect::{Dialect, Speech, StepForm, answering_schema, only_answer_schema, prompts};
use loquat_decoder::language::in_all;
use loquat_decoder::{Flaw, Marker, Table, behind, sections};

/// Asks for plain words.
#[derive(Debug, Clone, Copy)]
pub struct Answer;

impl Phase for Answer {
    type Meaning = String;

    fn schema(&self) -> Option<Value> {
        Some(only_answer_schema())
    }

    fn read(&self, heard: &Heard<'_>) -> Result<String, Flaw> {
        answer_of(heard).map(|answer| without_heading(&answer).to_owned())
    }

    fn shape(&self) -> &'static str {
        "Answer in plain words."
    }
}

/// Plain words behind observations, as a step gives them.
#[derive(Debug, Clone, Copy)]
pub struct Observed;

impl Phase for Observed {
    type Meaning = String;

    fn schema(&self) -> Option<Value> {
        Some(answering_schema(StepForm::THOUGHTFUL))
    }

    fn read(&self, heard: &Heard<'_>) -> Result<String, Flaw> {
        Answer.read(heard)
    }

    fn shape(&self) -> &'static str {
        Answer.shape()
    }
}

/// A draft or a revision has one of these as its heading, which is about the words and none of them.
const HEADINGS: Table<()> = &[
    ((), "revised answer"),
    ((), "revised draft"),
    ((), "revised version"),
    ((), "corrected answer"),
    ((), "improved answer"),
    ((), "updated answer"),
    ((), "here is the revised answer"),
    ((), "here is the corrected answer"),
    ((), "draft answer"),
    ((), "draft"),
];

/// An answer without a heading over all of it.
fn without_heading(answer: &str) -> &str {
    match sections(answer, HEADINGS) {
        ("", found) => found
            .last()
            .map(|section| section.text)
            .filter(|text| !text.is_empty())
            .unwrap_or(answer),
        _ => answer,
    }
}

/// Asks for any words, or none: a remark that is nice to have.
#[derive(Debug, Clone, Copy)]
pub struct Remark;

impl Phase for Remark {
    type Meaning = String;

    fn read(&self, heard: &Heard<'_>) -> Result<String, Flaw> {
        Ok(heard.text.clone())
    }

    fn shape(&self) -> &'static str {
        "Reply in a sentence or two."
    }
}

/// Writes the instructions for a chain of reasoning.
pub fn reasoning(speech: &Speech<'_>) -> String {
    let words = match speech.dialect {
        Dialect::Schema => &prompts::REASONING_SCHEMA,
        _ => &prompts::REASONING_TEXT,
    };
    speech.text(words).to_owned()
}

/// The instructions for an answer.
pub fn plain(speech: &Speech<'_>) -> String {
    speech.text(&prompts::ANSWER).to_owned()
}

/// Writes no instructions but the persona's own.
pub fn nothing(_: &Speech<'_>) -> String {
    String::new()
}

/// Asks for words behind a chain of reasoning.
#[derive(Debug, Clone, Copy)]
pub struct Reasoned;

impl Phase for Reasoned {
    type Meaning = String;

    fn schema(&self) -> Option<Value> {
        Some(object(&[
            ("reasoning", text(800)),
            ("answer", json!({"type": "string", "minLength": 1})),
        ]))
    }

    fn read(&self, heard: &Heard<'_>) -> Result<String, Flaw> {
        match behind(&heard.text, &final_markers()) {
            Some(answer) if !heard.is_cut() && heard.json().is_none() && speaks(answer) => {
                Ok(answer.to_owned())
            }
            _ => answer_of(heard),
        }
    }

    fn shape(&self) -> &'static str {
        "Reason in short steps, then end with FINAL ANSWER: and what to say."
    }
}

/// Markers of the answer, in a text that has steps before it.
fn final_markers() -> Vec<Marker> {
    let answers = in_all(|language| &language.labels.answer);
    answers.map(|words| (words, false)).collect()
}

fn speaks(answer: &str) -> bool {
    !answer.starts_with(['{', '[']) && !loquat_decoder::speakable(answer).is_empty()
}

fn answer_of(heard: &Heard<'_>) -> Result<String, Flaw> {
    match heard.otherwise()? {
        Otherwise::Answer(text) => Ok(text),
        Otherwise::Calls(_) => Err(Flaw::CallInsteadOfAnswer),
    }
}
