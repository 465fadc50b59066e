//! Answers one request. Never goes on when the client has gone.

use llama_cpp_2::model::LlamaModel;
use llama_cpp_2::token::LlamaToken;

use super::draw::{self, Draw};
use super::instructions::Instructions;
use super::job::{Event, Finish, Usage};
use super::prefix;
use super::prompt::{self, Prompt};
use super::reply::{Gone, Reply};
use super::window::{WORTH_KEEPING, Window};
use super::writer::{Writer, read};
use crate::grammar::Grammars;
use crate::refusal::Refusal;
use crate::request::{ChatRequest, Message, Role, SCHEMA_FIELD};

/// No token is this long on average, so a longer text need not be tokenised to know that it does not fit; tokenising
/// megabytes would hold everybody up.
const MOST_BYTES_A_TOKEN: usize = 32;

/// Says why there is no whole reply.
#[derive(Debug)]
pub(crate) enum Ended {
    Gone,
    /// The request or the model is at fault.
    Refused(Refusal),
}

impl From<Gone> for Ended {
    fn from(_: Gone) -> Self {
        Self::Gone
    }
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Ahead {
    /// Tokens that a client guesses are read with the prompt.
    pub(crate) guesses: bool,
    /// Tokens that the grammar forces are read with the one before them.
    pub(crate) forced: bool,
}

/// A model, the form of its conversations, and its grammars.
#[derive(Clone, Copy)]
pub(crate) struct Speaker<'model> {
    pub(crate) model: &'model LlamaModel,
    pub(crate) prompt: &'model Prompt,
    pub(crate) grammars: &'model Grammars,
    pub(crate) ahead: Ahead,
}

impl Speaker<'_> {
    /// Answers a request piece by piece.
    pub(crate) fn answer(
        self,
        window: &mut Window<'_>,
        instructions: &mut Instructions,
        request: &ChatRequest,
        reply: &Reply<'_>,
    ) -> Result<(Finish, Usage), Ended> {
        let draw = self.draw(request)?;
        let tokens = self.tokens(window, &request.messages)?;
        reply.send(Event::Started)?;
        let cached = window.turn_to(&tokens);
        if instructions.are_kept() && tokens.len() - cached >= WORTH_KEEPING {
            let end = self.end_of_instructions(window, request, &tokens);
            if end > cached {
                read(window, tokens.get(cached..end).unwrap_or_default(), reply)?;
                instructions.keep(window);
            }
        }
        let rest = tokens.get(window.tokens().len()..).unwrap_or_default();
        let mut writer = Writer::new(self.model, draw, request, self.prompt.thinking());
        let finish = writer.write(window, rest, &self.guess(request), reply)?;
        let usage = Usage {
            prompt: tokens.len(),
            cached,
            written: writer.written(),
        };
        Ok((finish, usage))
    }

    /// The tokens with which the reply probably begins. What is drawn by chance cannot be guessed, and a recurrent model
    /// cannot forget a guess that was wrong.
    fn guess(self, request: &ChatRequest) -> Vec<LlamaToken> {
        let forgets = !self.model.is_recurrent() && !self.model.is_hybrid();
        if !self.ahead.guesses || !forgets || request.sampling.temperature > 0.0 {
            return Vec::new();
        }
        let guess = request.guess.as_deref().unwrap_or_default();
        self.model.vocab().tokenize(guess.as_bytes(), false, false)
    }

    fn draw(self, request: &ChatRequest) -> Result<Draw, Ended> {
        let schema = request.schema.as_ref();
        let matcher = schema.map(|schema| self.grammars.matcher(schema)).transpose();
        let matcher = matcher.map_err(|error| {
            refuse(Refusal::bad_request(
                Some(SCHEMA_FIELD.to_owned()),
                error.to_string(),
            ))
        })?;
        let favour = request.favour.as_ref();
        let favoured = favour.and_then(|favour| draw::favoured(self.model, favour));
        Ok(Draw::new(request.sampling, favoured, matcher, self.ahead.forced))
    }

    /// Counts the tokens of a prompt that are instructions; the last token never is.
    fn end_of_instructions(self, window: &Window<'_>, request: &ChatRequest, prompt: &[LlamaToken]) -> usize {
        let is_instruction = |message: &&Message| message.role == Role::System;
        let leading = request.messages.iter().take_while(is_instruction).count();
        let messages = request.messages.get(..leading).unwrap_or_default();
        if messages.is_empty() {
            return 0;
        }
        let alone = self.tokens(window, messages);
        let end = alone.map_or(0, |alone| prefix::reusable(&alone, prompt));
        if end >= WORTH_KEEPING {
            return end;
        }
        self.end_before_a_question(window, messages, prompt)
            .unwrap_or(end)
    }

    /// Finds that end for a template that takes no instructions without a question: what two conversations have in common that
    /// differ in the question alone.
    fn end_before_a_question(
        self,
        window: &Window<'_>,
        instructions: &[Message],
        prompt: &[LlamaToken],
    ) -> Option<usize> {
        let asked = |text: &str| {
            let question = Message {
                role: Role::User,
                text: text.to_owned(),
            };
            self.tokens(window, &[instructions, &[question]].concat()).ok()
        };
        let (one, other) = (asked("why")?, asked("42")?);
        let shared = one.get(..prefix::common(&one, &other))?;
        Some(prefix::reusable(shared, prompt))
    }

    /// The prompt's tokens, of which there are fewer than the window holds.
    fn tokens(self, window: &Window<'_>, messages: &[Message]) -> Result<Vec<LlamaToken>, Ended> {
        let text = self.prompt.render(self.model, messages).map_err(|error| {
            refuse(Refusal::failed(format!(
                "failed to apply the chat template: {error}"
            )))
        })?;
        let size = window.size();
        if text.len() > size.saturating_mul(MOST_BYTES_A_TOKEN) {
            return Err(refuse(does_not_fit(&format!("{} bytes", text.len()), size)));
        }
        let tokens = prompt::tokens(self.model, &text);
        if tokens.len() >= size {
            return Err(refuse(does_not_fit(&format!("{} tokens", tokens.len()), size)));
        }
        Ok(tokens)
    }
}

/// Ends a reply in whose middle llama.cpp or the grammar failed.
pub(super) fn failed(error: impl std::fmt::Display) -> Ended {
    refuse(Refusal::failed(error.to_string()))
}

fn refuse(refusal: Refusal) -> Ended {
    Ended::Refused(refusal)
}

fn does_not_fit(found: &str, size: usize) -> Refusal {
    Refusal::context_length_exceeded(format!(
        "failed to read the conversation: it has {found} and the window {size} tokens; \
         shorten it or start the local brain with a larger --context"
    ))
}
