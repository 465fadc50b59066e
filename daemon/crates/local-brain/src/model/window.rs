//! The model's window on the conversation: what it has read, and reading more. Never forgets what it can use again, as far
//! as there is room for it.

use std::fs::File;
use std::time::SystemTime;

use llama_cpp_2::DecodeError;
use llama_cpp_2::context::LlamaContext;
use llama_cpp_2::llama_batch::LlamaBatch;
use llama_cpp_2::token::LlamaToken;

use super::earlier::{self, Earlier, EarlierError, Kept};
use super::prefix;

/// This many tokens are read at once. Larger batches read hardly faster on a processor, and between two of them the
/// reading can stop when the client has gone.
pub(crate) const BATCH: usize = 64;

/// The only sequence: there is one conversation at a time.
const SEQUENCE: i32 = 0;

/// This many tokens are worth keeping when they would be forgotten. What one question and its answer add is less.
pub(crate) const WORTH_KEEPING: usize = 256;

/// This many tokens are worth a copy of an earlier conversation, since reading them takes longer.
const WORTH_A_COPY: usize = 64;

/// Earlier conversations together take as much memory as so many windows at most: the beginnings of all first questions have room,
/// which are those for a sentence of the device, for a step with tools, and for talk.
const WINDOWS_OF_EARLIER: usize = 2;

/// The window: all that the model has read and not forgotten.
#[derive(Debug)]
pub(crate) struct Window<'model> {
    context: LlamaContext<'model>,
    batch: LlamaBatch<'static>,
    tokens: Vec<LlamaToken>,
    /// The tokens that were read behind them and are only guessed, the next one last.
    guess: Vec<LlamaToken>,
    /// The place in the last batch of the token behind which the next one is drawn.
    output: i32,
    earlier: Earlier,
}

impl<'model> Window<'model> {
    /// An empty window that keeps so many earlier conversations.
    pub(crate) fn new(context: LlamaContext<'model>, earlier: usize) -> Self {
        let room = WINDOWS_OF_EARLIER * context.n_ctx() as usize;
        Self {
            context,
            batch: LlamaBatch::new(BATCH, 1),
            tokens: Vec::new(),
            guess: Vec::new(),
            output: 0,
            earlier: Earlier::new(earlier, room),
        }
    }

    /// The number of tokens that it holds at most.
    pub(crate) fn size(&self) -> usize {
        self.context.n_ctx() as usize
    }

    /// Tells whether no more can be read.
    pub(crate) fn is_full(&self) -> bool {
        self.tokens.len() >= self.size()
    }

    /// The number of tokens that can still be read.
    pub(crate) fn room(&self) -> usize {
        self.size().saturating_sub(self.tokens.len())
    }

    pub(crate) fn context(&self) -> &LlamaContext<'model> {
        &self.context
    }

    /// The output of [`Self::context`] of which the next token is drawn.
    pub(crate) fn output(&self) -> i32 {
        self.output
    }

    /// Turns to this prompt, from an earlier conversation if that is nearer to it, and says how many of its tokens are
    /// read already.
    pub(crate) fn turn_to(&mut self, prompt: &[LlamaToken]) -> usize {
        if let Err(error) = self.exchange(prompt) {
            tracing::warn!(%error, "what could have been used again is read anew");
        }
        let kept = prefix::reusable(&self.tokens, prompt);
        if self.forget_from(kept) {
            self.tokens.truncate(kept);
        } else {
            // Recurrent models cannot forget a part.
            self.forget_all();
        }
        self.tokens.len()
    }

    /// Puts what would be forgotten away, and brings the earlier conversation back that is nearest to the prompt.
    fn exchange(&mut self, prompt: &[LlamaToken]) -> Result<(), EarlierError> {
        let here = prefix::common(&self.tokens, prompt);
        let gained = self.earlier.reusable(prompt).saturating_sub(here);
        // Taken out first, or it might have to make room for the one that is put away.
        let nearer = if gained < WORTH_A_COPY {
            None
        } else {
            self.earlier.take(prompt)
        };
        // What cannot be put away is no reason to read what could be brought back.
        let put_away = if self.tokens.len() - here >= WORTH_KEEPING {
            self.earlier.keep(&self.context, SEQUENCE, &self.tokens)
        } else {
            Ok(())
        };
        if let Some(nearer) = nearer {
            self.forget_all();
            let (state, tokens) = nearer.state();
            self.tokens = earlier::restore(&mut self.context, SEQUENCE, state, tokens)?;
            // Of those in a folder the ones that are used stay.
            state.set_modified(SystemTime::now()).ok();
        }
        put_away
    }

    /// Takes the copy of a conversation as an earlier one and says how many tokens it holds. The window is empty then.
    ///
    /// # Errors
    /// When it is none that this model can use.
    pub(crate) fn recall(&mut self, state: File) -> Result<usize, EarlierError> {
        self.forget_all();
        let size = self.size();
        let tokens = earlier::restore(&mut self.context, SEQUENCE, &state, size);
        self.forget_all();
        let tokens = tokens?;
        let count = tokens.len();
        self.earlier.add(Kept::new(tokens, state));
        Ok(count)
    }

    /// A copy of what it holds.
    ///
    /// # Errors
    /// When there is no memory for it.
    pub(crate) fn copy(&self) -> Result<File, EarlierError> {
        earlier::copy(&self.context, SEQUENCE, &self.tokens)
    }

    pub(crate) fn tokens(&self) -> &[LlamaToken] {
        &self.tokens
    }

    /// Forgets everything but earlier conversations.
    pub(crate) fn forget_all(&mut self) {
        self.context.clear_kv_cache();
        self.tokens.clear();
        self.guess.clear();
    }

    /// Reads at most [`BATCH`] tokens, at least one of them no guess, so that the next one can be drawn, and the one behind
    /// each that is guessed right. An earlier guess is forgotten.
    ///
    /// # Errors
    /// When llama.cpp fails; the window is empty then, since it is not known how far it came.
    pub(crate) fn read(&mut self, tokens: &[LlamaToken], guess: &[LlamaToken]) -> Result<(), ReadError> {
        self.forget_guess()?;
        let read = self.try_read(tokens, guess);
        if read.is_err() {
            self.forget_all();
        }
        read
    }

    fn try_read(&mut self, tokens: &[LlamaToken], guess: &[LlamaToken]) -> Result<(), ReadError> {
        let last = tokens.len().saturating_sub(1);
        self.batch.clear();
        for (index, token) in tokens.iter().chain(guess).enumerate() {
            let position = i32::try_from(self.tokens.len() + index).map_err(|_| ReadError::Full)?;
            self.batch
                .add(*token, position, &[SEQUENCE], index >= last)
                .map_err(|_| ReadError::Full)?;
        }
        self.context.decode(&mut self.batch)?;
        self.tokens.extend_from_slice(tokens);
        self.guess = guess.iter().rev().copied().collect();
        self.output = i32::try_from(last).map_err(|_| ReadError::Full)?;
        Ok(())
    }

    /// Tells whether this token, which was drawn, is the next of the guess, and so is read already.
    pub(crate) fn has_guessed(&mut self, token: LlamaToken) -> bool {
        let is_guessed = self.guess.pop_if(|next| *next == token).is_some();
        if is_guessed {
            self.tokens.push(token);
            self.output += 1;
        }
        is_guessed
    }

    /// Forgets what is left of a guess.
    ///
    /// # Errors
    /// When it can only be forgotten by reading all anew, and llama.cpp fails at that.
    pub(crate) fn forget_guess(&mut self) -> Result<(), ReadError> {
        if self.guess.is_empty() {
            return Ok(());
        }
        self.guess.clear();
        if self.forget_from(self.tokens.len()) {
            return Ok(());
        }
        let tokens = std::mem::take(&mut self.tokens);
        self.forget_all();
        tokens
            .chunks(BATCH)
            .try_for_each(|batch| self.try_read(batch, &[]))
    }

    /// Tells whether llama.cpp could forget all but so many tokens.
    fn forget_from(&mut self, count: usize) -> bool {
        u32::try_from(count)
            .is_ok_and(|from| self.context.clear_kv_cache_seq(Some(0), Some(from), None) == Ok(true))
    }
}

/// The model could not read on.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ReadError {
    /// More than a batch or the window takes.
    #[error("failed to read the conversation: the window is full")]
    Full,
    /// llama.cpp says this of the failure.
    #[error("failed to read the conversation: {0}")]
    Decode(#[from] DecodeError),
}
