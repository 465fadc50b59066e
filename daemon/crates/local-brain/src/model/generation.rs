//! Answers one request. Never goes on when nobody waits for the answer.

use llama_cpp_2::model::LlamaModel;
use llama_cpp_2::token::LlamaToken;

use super::draw::Draw;
use super::job::{Event, Finish, Usage};
use super::prompt::{self, Prompt};
use super::repetition::Repetition;
use super::reply::{Gone, Reply};
use super::window::{BATCH, Window};
use crate::refusal::Refusal;
use crate::request::ChatRequest;
use crate::text::stop::{Passed, StopTexts};
use crate::text::utf8::Utf8Joiner;

/// No token is this long on average, so a longer text need not be tokenised to know that it does not fit; tokenising
/// megabytes would hold everybody up.
const MOST_BYTES_A_TOKEN: usize = 32;

/// Why there is no whole reply.
#[derive(Debug)]
pub(crate) enum Ended {
    /// Nobody waits for it.
    Gone,
    /// The request or the model is at fault.
    Refused(Refusal),
}

impl From<Gone> for Ended {
    fn from(_: Gone) -> Self {
        Self::Gone
    }
}

/// A model and its conversations' form.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Speaker<'model> {
    pub(crate) model: &'model LlamaModel,
    pub(crate) prompt: &'model Prompt,
}

impl Speaker<'_> {
    /// Answers a request piece by piece.
    pub(crate) fn answer(
        self,
        window: &mut Window<'_>,
        request: &ChatRequest,
        reply: &Reply<'_>,
    ) -> Result<(Finish, Usage), Ended> {
        let tokens = self.tokens(window, request)?;
        let draw = Draw::new(self.model, request.sampling, request.grammar.as_ref())
            .map_err(|_| Ended::Refused(refuse_grammar()))?;
        reply.send(Event::Started)?;
        let cached = read_prompt(window, &tokens, reply)?;
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

    /// The prompt's tokens, of which there are fewer than the window holds.
    fn tokens(self, window: &Window<'_>, request: &ChatRequest) -> Result<Vec<LlamaToken>, Ended> {
        let text = self
            .prompt
            .render(self.model, &request.messages)
            .map_err(|error| {
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

/// Reads what of the prompt is not in the cache and says how much was.
fn read_prompt(window: &mut Window<'_>, tokens: &[LlamaToken], reply: &Reply<'_>) -> Result<usize, Ended> {
    let cached = window.keep_beginning_of(tokens);
    for batch in tokens.get(cached..).unwrap_or_default().chunks(BATCH) {
        reply.check()?;
        window
            .read(batch)
            .map_err(|error| refuse(Refusal::failed(error.to_string())))?;
    }
    Ok(cached)
}

/// Writes one reply.
struct Writer<'model> {
    model: &'model LlamaModel,
    draw: Draw<'model>,
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

fn refuse_grammar() -> Refusal {
    Refusal::bad_request(
        None,
        "failed to use the grammar: llama.cpp refuses it, most likely for repetitions within repetitions",
    )
}
