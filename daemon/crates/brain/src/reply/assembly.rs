//! A reply put together from what the server sends, piece by piece or at once.

use loquat_conversation::brain::{ChatReply, Delta, DeltaSink, Finish, Usage};
use serde_json::value::RawValue;

use super::ReplyFault;
use super::calls::Calls;
use super::shape::{self, Choice, Piece, Said};
use crate::server_words::ServerWords;

/// Says what a piece of a stream brought.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Progress {
    /// The piece was a sign of life and nothing else.
    Alive,
    /// Text, reasoning or a call.
    Token,
}

#[derive(Debug, Default)]
pub(crate) struct Assembly {
    content: String,
    reasoning: String,
    calls: Calls,
    finish: Option<Finish>,
    usage: Usage,
}

impl Assembly {
    /// Tells whether the server said why the model stopped, so that nothing but figures can follow.
    pub(crate) fn is_finished(&self) -> bool {
        self.finish.is_some()
    }

    /// Takes the data of one event. Servers that put no empty line between events have several pieces in one.
    pub(crate) fn event(&mut self, data: &str, sink: &dyn DeltaSink) -> Result<Progress, ReplyFault> {
        match self.piece(data, sink) {
            Err(ReplyFault::Garbled(_)) if data.contains('\n') => {
                let mut progress = Progress::Alive;
                for line in data.lines().filter(|line| !line.trim().is_empty()) {
                    progress = progress.max(self.piece(line, sink)?);
                }
                Ok(progress)
            }
            outcome => outcome,
        }
    }

    /// Takes a piece of a stream, or a reply that came at once: the two differ in the name of one field.
    pub(crate) fn piece(&mut self, json: &str, sink: &dyn DeltaSink) -> Result<Progress, ReplyFault> {
        let piece: Piece<'_> = serde_json::from_str(json).map_err(|error| ReplyFault::json(&error))?;
        if let Some(error) = piece.error {
            let complaint = serde_json::from_str(error.get()).map_err(|error| ReplyFault::json(&error))?;
            return Err(ReplyFault::Complaint(ServerWords::of(&complaint)));
        }
        if let Some(usage) = piece.usage {
            self.count(usage);
        }
        match piece.choices.first() {
            Some(choice) => self.choice(choice, sink),
            None => Ok(Progress::Alive),
        }
    }

    fn choice(&mut self, choice: &Choice<'_>, sink: &dyn DeltaSink) -> Result<Progress, ReplyFault> {
        let progress = match choice.delta.as_ref().or(choice.message.as_ref()) {
            Some(said) => self.said(said, sink)?,
            None => Progress::Alive,
        };
        if let Some(reason) = shape::string(choice.finish_reason) {
            self.finish = Some(finish(&reason));
        }
        Ok(progress)
    }

    fn said(&mut self, said: &Said<'_>, sink: &dyn DeltaSink) -> Result<Progress, ReplyFault> {
        let mut content = shape::content(said.content)
            .ok_or_else(|| ReplyFault::Garbled("its content is neither text nor parts".to_owned()))?;
        // A refusal is an answer in words.
        content.text += &shape::string(said.refusal).unwrap_or_default();
        // Some servers send both fields with the same text.
        let reasoning = shape::string(said.reasoning_content)
            .or_else(|| shape::string(said.reasoning))
            .unwrap_or_default();
        content.reasoning += &reasoning;
        let silent = content.text.is_empty() && content.reasoning.is_empty() && said.tool_calls.is_empty();
        if !content.reasoning.is_empty() {
            self.reasoning += &content.reasoning;
            sink.delta(Delta::Reasoning(content.reasoning));
        }
        if !content.text.is_empty() {
            self.content += &content.text;
            sink.delta(Delta::Content(content.text));
        }
        for call in &said.tool_calls {
            self.calls.add(call);
        }
        Ok(if silent { Progress::Alive } else { Progress::Token })
    }

    /// The last figures count, since some servers send running totals.
    fn count(&mut self, usage: &RawValue) {
        #[derive(serde::Deserialize)]
        struct Figures<'a> {
            #[serde(borrow)]
            prompt_tokens: Option<&'a RawValue>,
            #[serde(borrow)]
            completion_tokens: Option<&'a RawValue>,
        }
        if let Ok(figures) = serde_json::from_str::<Figures<'_>>(usage.get()) {
            self.usage = Usage {
                prompt_tokens: shape::number(figures.prompt_tokens).unwrap_or_default(),
                completion_tokens: shape::number(figures.completion_tokens).unwrap_or_default(),
                cost_millionths: 0,
                estimated: false,
            };
        }
    }

    /// Gives the whole reply. Models that call tools and then say "stop" called tools nevertheless.
    pub(crate) fn into_reply(self) -> ChatReply {
        let tool_calls = self.calls.into_native();
        let finish = match self.finish {
            None | Some(Finish::Stop) if !tool_calls.is_empty() => Finish::ToolCalls,
            None => Finish::Stop,
            Some(finish) => finish,
        };
        ChatReply {
            content: self.content,
            reasoning: self.reasoning,
            tool_calls,
            finish,
            usage: self.usage,
        }
    }
}

fn finish(reason: &str) -> Finish {
    match reason {
        "stop" | "eos" | "eos_token" | "end_turn" | "stop_sequence" => Finish::Stop,
        "tool_calls" | "function_call" | "tool_use" => Finish::ToolCalls,
        "length" | "max_tokens" => Finish::Length,
        _ => Finish::Other,
    }
}
