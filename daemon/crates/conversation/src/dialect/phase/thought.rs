//! One more thought of a search, or several, or the answer that ends it.

use serde_json::{Value, json};

use super::{Heard, Phase, head, object, text};
use crate::dialect::phase::plan::items;
use loquat_decoder::{Flaw, Marker, behind};

/// Asks for the next step of a chain of thoughts.
#[derive(Debug, Clone, Copy)]
pub struct Thought;

/// The outcome of asking for a thought.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Next {
    /// It is a further thought.
    Step(String),
    /// The answer.
    Answer(String),
}

/// The longest thought that is kept, in characters.
const LONGEST_STEP: usize = 1_000;

const MARKERS: &[Marker] = &[("final answer", false), ("finalanswer", false), ("answer", false)];

impl Phase for Thought {
    type Meaning = Next;

    fn schema(&self) -> Option<Value> {
        let answer = object(&[("answer", json!({"type": "string", "minLength": 1}))]);
        Some(json!({"anyOf": [object(&[("step", text(300))]), answer]}))
    }

    fn read(&self, heard: &Heard<'_>) -> Result<Next, Flaw> {
        let spoken = heard.spoken()?;
        if let Some(Value::Object(members)) = heard.json() {
            let member = |key: &str| members.get(key).and_then(Value::as_str).map(str::trim);
            let number = members.get("answer").filter(|answer| answer.is_number());
            if let Some(number) = number {
                return Ok(Next::Answer(number.to_string()));
            }
            if let Some(answer) =
                member("answer").filter(|answer| !loquat_decoder::speakable(answer).is_empty())
            {
                return Ok(Next::Answer(answer.to_owned()));
            }
            let step = ["step", "thought", "next_step", "text"]
                .into_iter()
                .find_map(member);
            return match step.filter(|step| !step.is_empty()) {
                Some(step) => Ok(Next::Step(step.to_owned())),
                None => Err(Flaw::Json),
            };
        }
        let answer = behind(spoken, MARKERS).filter(|answer| !loquat_decoder::speakable(answer).is_empty());
        Ok(match answer {
            Some(answer) => Next::Answer(answer.to_owned()),
            // The next prompts hold it many times.
            None => Next::Step(head(spoken, LONGEST_STEP).to_owned()),
        })
    }

    fn shape(&self) -> &'static str {
        "Reply with the next step, or with ANSWER: and the answer."
    }
}

/// Asks for several different next steps in one reply.
#[derive(Debug, Clone, Copy)]
pub struct Thoughts {
    /// At most this many are wanted.
    pub most: usize,
}

impl Phase for Thoughts {
    type Meaning = Vec<Next>;

    fn schema(&self) -> Option<Value> {
        let steps = json!({"type": "array", "items": text(300), "minItems": 1, "maxItems": self.most});
        let answer = object(&[("answer", json!({"type": "string", "minLength": 1}))]);
        Some(json!({"anyOf": [object(&[("steps", steps)]), answer]}))
    }

    fn read(&self, heard: &Heard<'_>) -> Result<Vec<Next>, Flaw> {
        heard.spoken()?;
        let listed = items(heard);
        if listed.is_empty() {
            return Thought.read(heard).map(|next| vec![next]);
        }
        let next = |item: String| match behind(&item, MARKERS) {
            Some(answer) => Next::Answer(answer.to_owned()),
            None => Next::Step(item),
        };
        Ok(listed
            .into_iter()
            .take(self.most)
            .map(|item| next(item.text))
            .collect())
    }

    fn shape(&self) -> &'static str {
        "Reply with a numbered list of different next steps, or with ANSWER: and the answer."
    }
}
