//! Draws the next token, within a grammar where there is one. Never gives a token that the grammar refuses.
//!
//! Testing all tokens of the vocabulary against the grammar costs a third of the speed, so first a token is drawn freely
//! and only that one is tested; llama.cpp's own server does the same. With temperature 0 the result is the same too.

use llama_cpp_2::GrammarError;
use llama_cpp_2::context::LlamaContext;
use llama_cpp_2::model::LlamaModel;
use llama_cpp_2::sampling::LlamaSampler;
use llama_cpp_2::token::LlamaToken;
use llama_cpp_2::token::data::LlamaTokenData;
use llama_cpp_2::token::data_array::LlamaTokenDataArray;

use crate::grammar::Grammar;
use crate::request::Sampling;

/// llama.cpp's `LLAMA_DEFAULT_SEED`: another reply each time.
const ANY_SEED: u32 = u32::MAX;

/// Nucleus sampling always leaves one token to draw.
const AT_LEAST_ONE: usize = 1;

/// Index of the output of the token that was read last.
const LAST_OUTPUT: i32 = -1;

/// Draws the tokens of one reply.
#[derive(Debug)]
pub(crate) struct Draw<'model> {
    model: &'model LlamaModel,
    choice: LlamaSampler,
    grammar: Option<LlamaSampler>,
}

/// No token could be drawn: none of the vocabulary goes on as the grammar wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("failed to go on: no token of this model follows the grammar here")]
pub(crate) struct DeadEnd;

impl<'model> Draw<'model> {
    /// Prepares to draw.
    ///
    /// # Errors
    /// When llama.cpp refuses the grammar.
    pub(crate) fn new(
        model: &'model LlamaModel,
        sampling: Sampling,
        grammar: Option<&Grammar>,
    ) -> Result<Self, GrammarError> {
        let grammar = match grammar {
            Some(grammar) => Some(LlamaSampler::grammar(model, grammar.as_str(), "root")?),
            None => None,
        };
        Ok(Self {
            model,
            choice: choice(sampling),
            grammar,
        })
    }

    /// Draws the token that follows what was read.
    ///
    /// # Errors
    /// [`DeadEnd`] when the grammar leaves nothing to draw.
    pub(crate) fn next(&mut self, context: &LlamaContext<'_>) -> Result<LlamaToken, DeadEnd> {
        let token = self.choice.sample(context, LAST_OUTPUT);
        let Some(grammar) = &mut self.grammar else {
            return Ok(token);
        };
        let token = if allows(grammar, self.model, token) {
            token
        } else {
            among_allowed(grammar, self.model, &mut self.choice, context)?
        };
        // llama.cpp aborts on an end that the grammar does not allow; the test above came first.
        grammar.try_accept(token).map_err(|_| DeadEnd)?;
        Ok(token)
    }
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

/// Whether the grammar allows this one token.
fn allows(grammar: &mut LlamaSampler, model: &LlamaModel, token: LlamaToken) -> bool {
    let mut only = LlamaTokenDataArray::new(vec![LlamaTokenData::new(token, 1.0, 0.0)], false);
    grammar.apply(&mut only);
    only.data.iter().all(is_possible) && is_text_or_end(model, token)
}

/// Draws among all tokens that the grammar allows.
fn among_allowed(
    grammar: &mut LlamaSampler,
    model: &LlamaModel,
    choice: &mut LlamaSampler,
    context: &LlamaContext<'_>,
) -> Result<LlamaToken, DeadEnd> {
    let mut tokens = context.token_data_array_ith(LAST_OUTPUT);
    grammar.apply(&mut tokens);
    tokens
        .data
        .retain(|token| is_possible(token) && is_text_or_end(model, token.id()));
    if tokens.data.is_empty() {
        return Err(DeadEnd);
    }
    choice.apply(&mut tokens);
    tokens.selected_token().ok_or(DeadEnd)
}

/// The grammar sampler marks what it refuses with minus infinity.
fn is_possible(token: &LlamaTokenData) -> bool {
    token.logit().is_finite()
}

/// The grammar sampler takes control tokens such as `<|im_start|>` for their names, which a string may hold; but they
/// are no text.
fn is_text_or_end(model: &LlamaModel, token: LlamaToken) -> bool {
    let vocabulary = model.vocab();
    vocabulary.is_eog(token) || !vocabulary.is_control(token)
}
