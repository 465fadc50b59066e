//! Draws the next token, within a grammar where there is one. Never gives a token that the grammar refuses.
//!
//! A token is drawn freely first and only that one is tested: testing all tokens of the vocabulary takes longer, and with
//! temperature 0 gives the same.

use std::fmt::Display;

use llama_cpp_2::context::LlamaContext;
use llama_cpp_2::model::LlamaModel;
use llama_cpp_2::sampling::LlamaSampler;
use llama_cpp_2::token::LlamaToken;
use llama_cpp_2::token::logit_bias::LlamaLogitBias;
use llguidance::Matcher;

use super::vocabulary::id;
use super::window::Window;
use crate::request::{Favour, Sampling};

/// llama.cpp draws another reply each time with this seed, its `LLAMA_DEFAULT_SEED`.
const ANY_SEED: u32 = u32::MAX;

/// Nucleus sampling always leaves one token to draw.
const AT_LEAST_ONE: usize = 1;

/// Draws the tokens of one reply.
pub(crate) struct Draw {
    choice: LlamaSampler,
    matcher: Option<Matcher>,
    forces: bool,
}

/// No token could be drawn: none of the vocabulary goes on as the grammar wants, or the grammar became too costly.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("failed to go on: no token of this model follows the grammar here: {0}")]
pub(crate) struct DeadEnd(String);

impl Draw {
    /// Prepares to draw. Where it does not force, it draws also what the grammar leaves no choice in.
    pub(crate) fn new(
        sampling: Sampling,
        favoured: Option<LlamaSampler>,
        matcher: Option<Matcher>,
        forces: bool,
    ) -> Self {
        Self {
            choice: match favoured {
                Some(favoured) => LlamaSampler::chain_simple([favoured, choice(sampling)]),
                None => choice(sampling),
            },
            matcher,
            forces,
        }
    }

    /// Draws the token that follows what was read, whatever the grammar says: a thought is held to none.
    pub(crate) fn freely(&mut self, window: &Window<'_>) -> LlamaToken {
        self.choice.sample(window.context(), window.output())
    }

    /// Draws the token that follows what was read.
    ///
    /// # Errors
    /// [`DeadEnd`] when the grammar leaves nothing to draw.
    pub(crate) fn next(&mut self, window: &Window<'_>) -> Result<LlamaToken, DeadEnd> {
        let (context, output) = (window.context(), window.output());
        let token = self.freely(window);
        let Some(matcher) = &mut self.matcher else {
            return Ok(token);
        };
        let token = if matcher.validate_tokens(&[id(token)]).map_err(dead_end)? == 1 {
            token
        } else {
            among_allowed(matcher, &mut self.choice, context, output)?
        };
        matcher.consume_token(id(token)).map_err(dead_end)?;
        Ok(token)
    }

    /// The tokens that follow in any case, `most` of them at most; they need not be drawn.
    ///
    /// # Errors
    /// [`DeadEnd`] when the grammar became too costly.
    pub(crate) fn forced(&mut self, most: usize) -> Result<Vec<LlamaToken>, DeadEnd> {
        let Some(matcher) = self.matcher.as_mut().filter(|_| self.forces) else {
            return Ok(Vec::new());
        };
        let mut forced = matcher.compute_ff_tokens();
        forced.truncate(most);
        matcher.consume_tokens(&forced).map_err(dead_end)?;
        Ok(forced
            .into_iter()
            .map(|id| LlamaToken(id.cast_signed()))
            .collect())
    }

    /// Tells whether the grammar takes nothing more, so that there is nothing left to draw.
    pub(crate) fn is_at_its_end(&self) -> bool {
        self.matcher.as_ref().is_some_and(Matcher::is_stopped)
    }
}

/// Draws a word as if it were likelier. Nothing where it has no token.
pub(crate) fn favoured(model: &LlamaModel, favour: &Favour) -> Option<LlamaSampler> {
    let tokens = model.vocab().tokenize(favour.word.as_bytes(), false, false);
    let bias = LlamaLogitBias::new(*tokens.first()?, favour.by);
    Some(LlamaSampler::logit_bias(model.n_vocab(), &[bias]))
}

fn choice(sampling: Sampling) -> LlamaSampler {
    if sampling.temperature <= 0.0 {
        return LlamaSampler::greedy();
    }
    LlamaSampler::chain_simple([
        LlamaSampler::top_p(sampling.top_p, AT_LEAST_ONE),
        LlamaSampler::temp(sampling.temperature),
        LlamaSampler::dist(sampling.seed.unwrap_or(ANY_SEED)),
    ])
}

/// Draws among all tokens that the grammar allows.
fn among_allowed(
    matcher: &mut Matcher,
    choice: &mut LlamaSampler,
    context: &LlamaContext<'_>,
    output: i32,
) -> Result<LlamaToken, DeadEnd> {
    let mask = matcher.compute_mask().map_err(dead_end)?;
    let mut tokens = context.token_data_array_ith(output);
    tokens.data.retain(|token| mask.is_allowed(id(token.id())));
    choice.apply(&mut tokens);
    tokens
        .selected_token()
        .ok_or_else(|| dead_end("the mask is empty"))
}

/// The first line is what is wrong; what follows is llguidance's state.
fn dead_end(error: impl Display) -> DeadEnd {
    DeadEnd(error.to_string().lines().next().unwrap_or_default().to_owned())
}
