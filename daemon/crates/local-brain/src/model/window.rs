//! The model's window on the conversation: what it has read, and reading more. Never forgets what it can use again.

use llama_cpp_2::DecodeError;
use llama_cpp_2::context::LlamaContext;
use llama_cpp_2::llama_batch::LlamaBatch;
use llama_cpp_2::token::LlamaToken;

use super::prefix;

/// Tokens that are read at once. Larger batches read hardly faster on a processor, and between two of them a reader that
/// nobody waits for can stop.
pub(crate) const BATCH: usize = 64;

/// The only sequence: one conversation at a time.
const SEQUENCE: i32 = 0;

/// What the model has read.
#[derive(Debug)]
pub(crate) struct Window<'model> {
    context: LlamaContext<'model>,
    batch: LlamaBatch<'static>,
    tokens: Vec<LlamaToken>,
}

impl<'model> Window<'model> {
    /// An empty window.
    pub(crate) fn new(context: LlamaContext<'model>) -> Self {
        Self {
            context,
            batch: LlamaBatch::new(BATCH, 1),
            tokens: Vec::new(),
        }
    }

    /// How many tokens it holds at most.
    pub(crate) fn size(&self) -> usize {
        self.context.n_ctx() as usize
    }

    /// Whether no more can be read.
    pub(crate) fn is_full(&self) -> bool {
        self.tokens.len() >= self.size()
    }

    /// llama.cpp's context, whose last output is that of the token read last.
    pub(crate) fn context(&self) -> &LlamaContext<'model> {
        &self.context
    }

    /// Forgets what does not belong to the beginning of this prompt and says how many of its tokens are read already.
    pub(crate) fn keep_beginning_of(&mut self, prompt: &[LlamaToken]) -> usize {
        let kept = prefix::reusable(&self.tokens, prompt);
        let forgotten = u32::try_from(kept)
            .is_ok_and(|from| self.context.clear_kv_cache_seq(Some(0), Some(from), None) == Ok(true));
        if forgotten {
            self.tokens.truncate(kept);
        } else {
            // Recurrent models cannot forget a part.
            self.forget_all();
        }
        self.tokens.len()
    }

    /// Forgets everything.
    pub(crate) fn forget_all(&mut self) {
        self.context.clear_kv_cache();
        self.tokens.clear();
    }

    /// Reads at most [`BATCH`] tokens, so that the next one can be drawn.
    ///
    /// # Errors
    /// When llama.cpp fails; the window is empty then, since it is not known how far it came.
    pub(crate) fn read(&mut self, tokens: &[LlamaToken]) -> Result<(), ReadError> {
        let read = self.try_read(tokens);
        if read.is_err() {
            self.forget_all();
        }
        read
    }

    fn try_read(&mut self, tokens: &[LlamaToken]) -> Result<(), ReadError> {
        self.batch.clear();
        for (index, token) in tokens.iter().enumerate() {
            let position = i32::try_from(self.tokens.len() + index).map_err(|_| ReadError::Full)?;
            let is_last = index + 1 == tokens.len();
            self.batch
                .add(*token, position, &[SEQUENCE], is_last)
                .map_err(|_| ReadError::Full)?;
        }
        self.context.decode(&mut self.batch)?;
        self.tokens.extend_from_slice(tokens);
        Ok(())
    }
}

/// The model could not read on.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ReadError {
    /// More than a batch or the window takes.
    #[error("failed to read the conversation: the window is full")]
    Full,
    /// llama.cpp's own word.
    #[error("failed to read the conversation: {0}")]
    Decode(#[from] DecodeError),
}
