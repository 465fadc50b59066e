//! Conversations that the window has turned away from, so that turning back to one costs a copy instead of a reading.
//! Never holds more of them than it was told to, and never puts one on a disk.

use std::collections::VecDeque;
use std::fs::File;
use std::os::fd::AsRawFd;
use std::path::PathBuf;

use llama_cpp_2::context::LlamaContext;
use llama_cpp_2::token::LlamaToken;
use rustix::fs::{MemfdFlags, memfd_create};

use super::prefix::common;

/// Two conversations that have this many quarters of the shorter one in common are one that went on.
const SAME_QUARTERS: usize = 3;

/// The conversations that are kept; the one that was used longest ago comes first.
#[derive(Debug)]
pub(crate) struct Earlier {
    most: usize,
    /// There is room for this many tokens.
    room: usize,
    kept: VecDeque<Kept>,
}

#[derive(Debug)]
pub(crate) struct Kept {
    tokens: Vec<LlamaToken>,
    /// A copy of llama.cpp's state of them, in memory.
    state: File,
}

impl Earlier {
    /// Keeps at most so many, with at most so many tokens together.
    pub(crate) fn new(most: usize, room: usize) -> Self {
        let kept = VecDeque::new();
        Self { most, room, kept }
    }

    /// The number of tokens that the best conversation has in common with a prompt.
    pub(crate) fn reusable(&self, prompt: &[LlamaToken]) -> usize {
        self.nearest(prompt).map_or(0, |(_, shared)| shared)
    }

    /// Takes out the one that has the most tokens in common with a prompt.
    pub(crate) fn take(&mut self, prompt: &[LlamaToken]) -> Option<Kept> {
        let (nearest, _) = self.nearest(prompt)?;
        self.kept.remove(nearest)
    }

    /// Finds the conversation with the most tokens in common with a prompt, and their number.
    fn nearest(&self, prompt: &[LlamaToken]) -> Option<(usize, usize)> {
        let shared = self.kept.iter().map(|kept| common(&kept.tokens, prompt));
        shared.enumerate().max_by_key(|(_, shared)| *shared)
    }

    /// Keeps what a sequence of the context holds, in the place of what it goes on from.
    ///
    /// # Errors
    /// When there is no memory for it.
    pub(crate) fn keep(
        &mut self,
        context: &LlamaContext<'_>,
        sequence: i32,
        tokens: &[LlamaToken],
    ) -> Result<(), EarlierError> {
        if self.most == 0 {
            return Ok(());
        }
        self.kept.retain(|kept| !is_same(&kept.tokens, tokens));
        // First, so that there are never more than allowed, not even now.
        self.make_room(tokens.len());
        let state = copy(context, sequence, tokens)?;
        self.kept.push_back(Kept::new(tokens.to_vec(), state));
        Ok(())
    }

    /// Adds one that was kept elsewhere.
    pub(crate) fn add(&mut self, kept: Kept) {
        self.make_room(kept.tokens.len());
        self.kept.push_back(kept);
    }

    /// Lets go of the oldest until there is room for one of so many tokens.
    fn make_room(&mut self, tokens: usize) {
        let held = |kept: &VecDeque<Kept>| kept.iter().map(|kept| kept.tokens.len()).sum::<usize>();
        while self.kept.len() >= self.most || held(&self.kept) + tokens > self.room {
            if self.kept.pop_front().is_none() {
                return;
            }
        }
    }
}

/// Copies what a sequence of the context holds into a file in memory, which stands at its beginning.
///
/// # Errors
/// When there is no memory for it.
pub(crate) fn copy(
    context: &LlamaContext<'_>,
    sequence: i32,
    tokens: &[LlamaToken],
) -> Result<File, EarlierError> {
    let state = File::from(memfd_create("conversation", MemfdFlags::CLOEXEC)?);
    context
        .state_seq_save_file(path(&state), sequence, tokens)
        .map_err(|error| EarlierError::State(error.to_string()))?;
    Ok(state)
}

/// Puts such a copy of at most so many tokens into an empty sequence of the context and says which they are.
///
/// # Errors
/// When llama.cpp cannot read it, most likely for want of memory or because the file is damaged.
pub(crate) fn restore(
    context: &mut LlamaContext<'_>,
    sequence: i32,
    state: &File,
    most: usize,
) -> Result<Vec<LlamaToken>, EarlierError> {
    let restored = context.state_seq_load_file(path(state), sequence, most);
    let (tokens, _) = restored.map_err(|error| EarlierError::State(error.to_string()))?;
    Ok(tokens)
}

impl Kept {
    /// Takes the copy of a sequence that held these tokens.
    pub(crate) fn new(tokens: Vec<LlamaToken>, state: File) -> Self {
        Self { tokens, state }
    }

    /// The copy, and how many tokens it holds.
    pub(crate) fn state(&self) -> (&File, usize) {
        (&self.state, self.tokens.len())
    }
}

/// Tells whether one of two conversations went on from the other.
fn is_same(one: &[LlamaToken], other: &[LlamaToken]) -> bool {
    common(one, other) * 4 >= one.len().min(other.len()) * SAME_QUARTERS
}

/// llama.cpp opens files by name.
fn path(state: &File) -> PathBuf {
    PathBuf::from(format!("/proc/self/fd/{}", state.as_raw_fd()))
}

/// A conversation could not be kept or brought back.
#[derive(Debug, thiserror::Error)]
pub(crate) enum EarlierError {
    /// The system gives no memory.
    #[error("failed to keep an earlier conversation in memory: {0}")]
    Memory(#[from] rustix::io::Errno),
    /// llama.cpp says this of the failure.
    #[error("failed to copy a conversation: {0}")]
    State(String),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_conversation_that_went_on_is_the_same_and_one_with_the_same_beginning_is_not() {
        let tokens = |range: std::ops::Range<i32>| range.map(LlamaToken::new).collect::<Vec<_>>();
        let long = tokens(0..100);
        assert!(is_same(&long, &tokens(0..80)));
        assert!(is_same(&long, &[tokens(0..80), tokens(200..220)].concat()));
        assert!(!is_same(&long, &[tokens(0..70), tokens(200..230)].concat()));
        assert!(!is_same(&tokens(0..1), &tokens(5..9)));
    }

    #[test]
    fn the_oldest_makes_room_for_one_too_many_and_for_one_too_long() {
        let kept = |tokens: usize| Kept::new(vec![LlamaToken::new(0); tokens], tempfile::tempfile().unwrap());
        let mut earlier = Earlier::new(3, 100);
        let lengths = |earlier: &Earlier| {
            earlier
                .kept
                .iter()
                .map(|kept| kept.tokens.len())
                .collect::<Vec<_>>()
        };
        for (tokens, left) in [
            (10, vec![10]),
            (20, vec![10, 20]),
            (30, vec![10, 20, 30]),
            (31, vec![20, 30, 31]),
            (50, vec![31, 50]),
            (100, vec![100]),
        ] {
            earlier.add(kept(tokens));
            assert_eq!(lengths(&earlier), left);
        }
    }
}
