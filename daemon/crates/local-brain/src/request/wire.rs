//! The request as it stands on the wire, and the checks of its numbers. Never reaches the model.

use serde::Deserialize;
use serde_json::Value;

use super::constraint::{self, ResponseFormat};
use super::message::WireMessage;
use super::one_or_many::OneOrMany;
use super::{ChatRequest, Favour, Sampling, is_asked_for};
use crate::refusal::Refusal;

/// OpenAI takes 4 stop texts; each is looked for in every piece.
const MOST_STOP_TEXTS: usize = 32;

/// More decides for a word whatever the model finds.
const MOST_FAVOUR: f32 = 100.0;

/// The fields that are looked at.
#[derive(Debug, Deserialize)]
pub(super) struct Request {
    messages: Vec<WireMessage>,
    #[serde(default)]
    stream: Option<bool>,
    #[serde(default)]
    response_format: Option<ResponseFormat>,
    #[serde(default)]
    grammar: Option<Value>,
    #[serde(default)]
    guess: Option<String>,
    #[serde(default)]
    favour: Option<Favour>,
    #[serde(default)]
    stop: Option<OneOrMany>,
    #[serde(default)]
    max_tokens: Option<u32>,
    #[serde(default)]
    max_completion_tokens: Option<u32>,
    #[serde(default)]
    temperature: Option<f32>,
    #[serde(default)]
    top_p: Option<f32>,
    #[serde(default)]
    seed: Option<i64>,
    #[serde(default)]
    n: Option<u32>,
    #[serde(default)]
    tools: Option<Vec<Value>>,
    #[serde(default)]
    tool_choice: Option<Value>,
    #[serde(default)]
    functions: Option<Value>,
    #[serde(default)]
    logprobs: Option<Value>,
}

impl Request {
    pub(super) fn into_request(self) -> Result<ChatRequest, Refusal> {
        self.refuse_what_is_not_done()?;
        if self.messages.is_empty() {
            return Err(refused("messages", "at least one message is needed"));
        }
        let stop = self.stop.map(|stop| stop.0).unwrap_or_default();
        if stop.len() > MOST_STOP_TEXTS {
            return Err(refused("stop", format!("there are more than {MOST_STOP_TEXTS}")));
        }
        Ok(ChatRequest {
            stream: self.stream.unwrap_or(false),
            schema: constraint::schema(self.response_format)?,
            guess: self.guess,
            favour: favour(self.favour)?,
            stop,
            max_tokens: max_tokens(self.max_completion_tokens, self.max_tokens)?,
            sampling: Sampling {
                temperature: within("temperature", self.temperature, 0.0, 2.0)?.unwrap_or(0.0),
                top_p: within("top_p", self.top_p, 0.0, 1.0)?.unwrap_or(1.0),
                // The model's sampler takes 32 bits; those above them only choose among equally random replies.
                seed: self.seed.map(|seed| (seed & 0xFFFF_FFFF) as u32),
            },
            messages: self
                .messages
                .into_iter()
                .enumerate()
                .map(|(index, message)| message.into_message(index))
                .collect::<Result<_, _>>()?,
        })
    }

    fn refuse_what_is_not_done(&self) -> Result<(), Refusal> {
        let tools_withheld = self.tool_choice == Some(Value::from("none"));
        if self.tools.as_ref().is_some_and(|tools| !tools.is_empty()) && !tools_withheld {
            let what = "this server takes no native tools; ask for a call in JSON with `response_format`";
            return Err(refused("tools", what));
        }
        if self.functions.as_ref().is_some_and(is_asked_for) {
            return Err(refused("functions", "this server takes no native functions"));
        }
        if self.grammar.as_ref().is_some_and(is_asked_for) {
            let what = "this server takes no GBNF; give a JSON schema in `response_format`";
            return Err(refused("grammar", what));
        }
        if self.logprobs.as_ref().is_some_and(is_asked_for) {
            return Err(refused("logprobs", "this server gives none"));
        }
        match self.n {
            None | Some(1) => Ok(()),
            Some(_) => Err(refused("n", "this server writes one reply")),
        }
    }
}

fn max_tokens(newer: Option<u32>, older: Option<u32>) -> Result<Option<u32>, Refusal> {
    match newer.or(older) {
        Some(0) => Err(refused("max_tokens", "at least 1 is needed")),
        limit => Ok(limit),
    }
}

/// A number that is none would spoil all others.
fn favour(favour: Option<Favour>) -> Result<Option<Favour>, Refusal> {
    match favour {
        Some(favour) if favour.word.is_empty() => Err(refused("favour.word", "it is empty")),
        Some(favour) => {
            within("favour.by", Some(favour.by), -MOST_FAVOUR, MOST_FAVOUR)?;
            Ok(Some(favour))
        }
        None => Ok(None),
    }
}

fn within(field: &str, value: Option<f32>, least: f32, most: f32) -> Result<Option<f32>, Refusal> {
    match value {
        Some(value) if !(least..=most).contains(&value) => Err(refused(
            field,
            format!("{value} is not between {least} and {most}"),
        )),
        value => Ok(value),
    }
}

fn refused(field: &str, what: impl std::fmt::Display) -> Refusal {
    Refusal::bad_request(
        Some(field.to_owned()),
        format!("failed to read the request: `{field}`: {what}"),
    )
}
