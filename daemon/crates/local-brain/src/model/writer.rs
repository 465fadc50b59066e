//! Writes one reply. Never goes on when the client has gone.
//!
//! Reading some tokens in one batch takes less time than one after the other. So what the grammar forces is read with the
//! token before it, and what the client guesses of the reply's beginning is read with the end of the prompt: each of its
//! tokens is then drawn, and counts as long as it is the one that was guessed.
//!
//! A model that thinks before it answers does so freely, and only what comes behind the thought is the reply.

use llama_cpp_2::model::LlamaModel;
use llama_cpp_2::token::LlamaToken;

use super::draw::Draw;
use super::generation::{Ended, failed};
use super::job::{Event, Finish, Written};
use super::repetition::Repetition;
use super::reply::{Gone, Reply};
use super::thought::{Marks, Thinking};
use super::window::{BATCH, Window};
use crate::request::ChatRequest;
use crate::text::stop::{Passed, StopTexts};
use crate::text::utf8::Utf8Joiner;

/// This many tokens are read before it is their turn. For each that is only guessed llama.cpp keeps the weights of
/// the whole vocabulary, half a megabyte.
const MOST_AHEAD: usize = 32;

/// A thought of this many tokens is ended: on a small board the person has waited for it long enough.
const LONGEST_THOUGHT: usize = 512;

/// What stands between a thought and the answer.
const BETWEEN: &[u8] = b"\n\n";

pub(super) struct Writer<'model> {
    model: &'model LlamaModel,
    draw: Draw,
    joiner: Utf8Joiner,
    stop: StopTexts,
    repetition: Repetition,
    written: Written,
    limit: usize,
    thinking: Thinking,
    /// Nothing of the answer behind a thought was shown yet.
    begins: bool,
}

impl<'model> Writer<'model> {
    pub(super) fn new(
        model: &'model LlamaModel,
        draw: Draw,
        request: &ChatRequest,
        thinking: Thinking,
    ) -> Self {
        Self {
            model,
            draw,
            joiner: Utf8Joiner::default(),
            stop: StopTexts::new(request.stop.clone()),
            repetition: Repetition::default(),
            written: Written::default(),
            limit: request.max_tokens.map_or(usize::MAX, |limit| limit as usize),
            thinking,
            begins: false,
        }
    }

    pub(super) fn written(&self) -> Written {
        self.written
    }

    /// Reads the rest of the prompt and writes the reply, which may begin with the guess.
    pub(super) fn write(
        &mut self,
        window: &mut Window<'_>,
        rest: &[LlamaToken],
        guess: &[LlamaToken],
        reply: &Reply<'_>,
    ) -> Result<Finish, Ended> {
        let finish = match self.thinking {
            Thinking::Never => self.read_and_go_on(window, rest, guess, reply),
            Thinking::MayBegin(marks) => self.think_first(window, rest, marks, false, reply),
            Thinking::HasBegun(marks) => self.think_first(window, rest, marks, true, reply),
        };
        // What was guessed and not said is no part of the conversation.
        window.forget_guess().map_err(failed)?;
        finish
    }

    fn read_and_go_on(
        &mut self,
        window: &mut Window<'_>,
        rest: &[LlamaToken],
        guess: &[LlamaToken],
        reply: &Reply<'_>,
    ) -> Result<Finish, Ended> {
        let forced = self.read(window, rest, guess, reply)?;
        match self.take(&forced, reply)? {
            Some(finish) => Ok(finish),
            None => self.go_on(window, reply),
        }
    }

    /// Reads the rest of the prompt and lets the model think, if it does, before it answers.
    fn think_first(
        &mut self,
        window: &mut Window<'_>,
        rest: &[LlamaToken],
        marks: Marks,
        has_begun: bool,
        reply: &Reply<'_>,
    ) -> Result<Finish, Ended> {
        read(window, rest, reply)?;
        if (has_begun || self.draw.freely(window) == marks.open)
            && let Some(finish) = self.think(window, marks, has_begun, reply)?
        {
            return Ok(finish);
        }
        self.go_on(window, reply)
    }

    /// Has the model write a thought, of which nothing is shown; whether the reply ends within it.
    fn think(
        &mut self,
        window: &mut Window<'_>,
        marks: Marks,
        has_begun: bool,
        reply: &Reply<'_>,
    ) -> Result<Option<Finish>, Ended> {
        let mut next = (!has_begun).then_some(marks.open);
        for count in 0.. {
            let is_long = count >= LONGEST_THOUGHT;
            let drawn = || {
                if is_long {
                    marks.close
                } else {
                    self.draw.freely(window)
                }
            };
            let token = next.take().unwrap_or_else(drawn);
            if self.model.vocab().is_eog(token) {
                return Ok(Some(Finish::Stop));
            }
            self.written.all += 1;
            read(window, &[token], reply)?;
            if token == marks.close {
                break;
            }
            if self.written.all >= self.limit || window.is_full() {
                return Ok(Some(Finish::Length));
            }
        }
        let between = self.model.vocab().tokenize(BETWEEN, false, false);
        if self.written.all >= self.limit || window.room() <= between.len() {
            return Ok(Some(Finish::Length));
        }
        read(window, &between, reply)?;
        self.begins = true;
        Ok(None)
    }

    /// Reads the rest of the prompt, what is forced behind it, and the guess. Gives what is forced.
    fn read(
        &mut self,
        window: &mut Window<'_>,
        rest: &[LlamaToken],
        guess: &[LlamaToken],
        reply: &Reply<'_>,
    ) -> Result<Vec<LlamaToken>, Ended> {
        let room = window.room().saturating_sub(rest.len()).min(MOST_AHEAD);
        let forced = self.forced(room)?;
        let guess = guess.strip_prefix(forced.as_slice()).unwrap_or_default();
        let guess = guess.get(..room - forced.len()).unwrap_or(guess);
        self.written.guessed = guess.len();
        let rest = [rest, &forced].concat();
        let of_last_batch = ((rest.len().max(1) - 1) % BATCH + 1).min(BATCH - guess.len());
        let (first, last) = rest.split_at(rest.len().saturating_sub(of_last_batch));
        read(window, first, reply)?;
        reply.check()?;
        window.read(last, guess).map_err(failed)?;
        Ok(forced)
    }

    fn go_on(&mut self, window: &mut Window<'_>, reply: &Reply<'_>) -> Result<Finish, Ended> {
        loop {
            reply.check()?;
            let token = self.draw.next(window).map_err(failed)?;
            if self.model.vocab().is_eog(token) {
                self.show_rest(reply)?;
                return Ok(Finish::Stop);
            }
            if let Some(finish) = self.take(&[token], reply)? {
                return Ok(finish);
            }
            if window.is_full() {
                self.show_rest(reply)?;
                return Ok(Finish::Length);
            }
            if window.has_guessed(token) {
                self.written.accepted += 1;
                continue;
            }
            let forced = self.forced(window.room() - 1)?;
            window
                .read(&[&[token], forced.as_slice()].concat(), &[])
                .map_err(failed)?;
            if let Some(finish) = self.take(&forced, reply)? {
                return Ok(finish);
            }
        }
    }

    fn forced(&mut self, most: usize) -> Result<Vec<LlamaToken>, Ended> {
        let forced = self.draw.forced(most.min(MOST_AHEAD)).map_err(failed)?;
        self.written.forced += forced.len();
        Ok(forced)
    }

    /// Makes tokens a part of the reply, of which the grammar has taken all; whether the reply ends with one of them.
    fn take(&mut self, tokens: &[LlamaToken], reply: &Reply<'_>) -> Result<Option<Finish>, Gone> {
        for (left, token) in (0..tokens.len()).rev().zip(tokens) {
            self.written.all += 1;
            let bytes = self.model.vocab().token_to_piece(*token, false, None);
            if self.show(&bytes, reply)? {
                return Ok(Some(Finish::Stop));
            }
            if left == 0 && self.draw.is_at_its_end() {
                self.show_rest(reply)?;
                return Ok(Some(Finish::Stop));
            }
            if self.repetition.closes(token.0, &bytes) || self.written.all >= self.limit {
                self.show_rest(reply)?;
                return Ok(Some(Finish::Length));
            }
        }
        Ok(None)
    }

    /// Sends what a token adds to the reply; whether a stop text was reached.
    fn show(&mut self, bytes: &[u8], reply: &Reply<'_>) -> Result<bool, Gone> {
        let mut text = self.joiner.push(bytes);
        if self.begins {
            text = text.trim_start().to_owned();
            self.begins = text.is_empty();
        }
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

/// Reads tokens of a prompt, as long as a client waits for the reply.
pub(super) fn read(window: &mut Window<'_>, tokens: &[LlamaToken], reply: &Reply<'_>) -> Result<(), Ended> {
    for batch in tokens.chunks(BATCH) {
        reply.check()?;
        window.read(batch, &[]).map_err(failed)?;
    }
    Ok(())
}

fn send(text: String, reply: &Reply<'_>) -> Result<(), Gone> {
    if text.is_empty() {
        return Ok(());
    }
    reply.send(Event::Piece(text))
}
