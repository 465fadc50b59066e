//! Answers one request. Never goes on when the client has gone.

use llama_cpp_2::model::LlamaModel;
use llama_cpp_2::token::LlamaToken;

use super::draw::Draw;
use super::instructions::Instructions;
use super::job::{Event, Finish, Usage};
use super::prefix;
use super::prompt::{self, Prompt};
use super::repetition::Repetition;
use super::reply::{Gone, Reply};
use super::window::{BATCH, WORTH_KEEPING, Window};
use crate::grammar::Grammars;
use crate::refusal::Refusal;
use crate::request::{ChatRequest, Message, Role, SCHEMA_FIELD};
use crate::text::stop::{Passed, StopTexts};
use crate::text::utf8::Utf8Joiner;

/// No token is this long on average, so a longer text need not be tokenised to know that it does not fit; tokenising
/// megabytes would hold everybody up.
const MOST_BYTES_A_TOKEN: usize = 32;

/// Why there is no whole reply.
#[derive(Debug)]
pub(crate) enum Ended {
    /// The client has gone.
    Gone,
    /// The request or the model is at fault.
    Refused(Refusal),
}

impl From<Gone> for Ended {
    fn from(_: Gone) -> Self {
        Self::Gone
    }
}

/// A model, its conversations' form and its grammars.
#[derive(Clone, Copy)]
pub(crate) struct Speaker<'model> {
    pub(crate) model: &'model LlamaModel,
    pub(crate) prompt: &'model Prompt,
    pub(crate) grammars: &'model Grammars,
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
        read(
            window,
            tokens.get(window.tokens().len()..).unwrap_or_default(),
            reply,
        )?;
        let mut writer = Writer {
            model: self.model,
            draw,
            joiner: Utf8Joiner::default(),
            stop: StopTexts::new(request.stop.clone()),
            repetition: Repetition::default(),
            written: 0,
            limit: request.max_tokens.map_or(usize::MAX, |limit| limit as usize),
        };
        let finish = writer.write(window, reply)?;
        let usage = Usage {
            prompt: tokens.len(),
            cached,
            completion: writer.written,
        };
        Ok((finish, usage))
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
        Ok(Draw::new(request.sampling, matcher))
    }

    /// How many of a prompt's tokens are instructions; the last of a prompt never is. None where the template takes no
    /// instructions alone.
    fn end_of_instructions(self, window: &Window<'_>, request: &ChatRequest, prompt: &[LlamaToken]) -> usize {
        let is_instruction = |message: &&Message| message.role == Role::System;
        let leading = request.messages.iter().take_while(is_instruction).count();
        let messages = request.messages.get(..leading).unwrap_or_default();
        if messages.is_empty() {
            return 0;
        }
        let alone = self.tokens(window, messages);
        alone.map_or(0, |alone| prefix::reusable(&alone, prompt))
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

/// Reads tokens of a prompt, as long as a client waits for the reply.
fn read(window: &mut Window<'_>, tokens: &[LlamaToken], reply: &Reply<'_>) -> Result<(), Ended> {
    for batch in tokens.chunks(BATCH) {
        reply.check()?;
        window
            .read(batch)
            .map_err(|error| refuse(Refusal::failed(error.to_string())))?;
    }
    Ok(())
}

/// Writes one reply.
struct Writer<'model> {
    model: &'model LlamaModel,
    draw: Draw,
    joiner: Utf8Joiner,
    stop: StopTexts,
    repetition: Repetition,
    written: usize,
    limit: usize,
}

impl Writer<'_> {
    fn write(&mut self, window: &mut Window<'_>, reply: &Reply<'_>) -> Result<Finish, Ended> {
        loop {
            reply.check()?;
            let token = self
                .draw
                .next(window.context())
                .map_err(|error| refuse(Refusal::failed(error.to_string())))?;
            if self.model.vocab().is_eog(token) {
                self.show_rest(reply)?;
                return Ok(Finish::Stop);
            }
            self.written += 1;
            let bytes = self.model.vocab().token_to_piece(token, false, None);
            if self.show(&bytes, reply)? {
                return Ok(Finish::Stop);
            }
            if self.draw.is_at_its_end() {
                self.show_rest(reply)?;
                return Ok(Finish::Stop);
            }
            let is_astray = self.repetition.closes(token.0, &bytes);
            if is_astray || self.written >= self.limit || window.is_full() {
                self.show_rest(reply)?;
                return Ok(Finish::Length);
            }
            window
                .read(&[token])
                .map_err(|error| refuse(Refusal::failed(error.to_string())))?;
        }
    }

    /// Sends what a token adds to the reply; whether a stop text was reached.
    fn show(&mut self, bytes: &[u8], reply: &Reply<'_>) -> Result<bool, Gone> {
        let text = self.joiner.push(bytes);
        match self.stop.push(&text) {
            Passed::On(text) => send(text, reply).map(|()| false),
            Passed::Stopped(text) => send(text, reply).map(|()| true),
        }
    }

    /// Sends what was held back, at an end without a stop text.
    fn show_rest(&mut self, reply: &Reply<'_>) -> Result<(), Gone> {
        let rest = self.joiner.finish();
        match self.stop.push(&rest) {
            Passed::On(text) => send(text + &self.stop.finish(), reply),
            Passed::Stopped(text) => send(text, reply),
        }
    }
}

fn send(text: String, reply: &Reply<'_>) -> Result<(), Gone> {
    if text.is_empty() {
        return Ok(());
    }
    reply.send(Event::Piece(text))
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
