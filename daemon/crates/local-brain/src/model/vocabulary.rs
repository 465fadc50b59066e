//! The model's vocabulary as llguidance sees it. Never shows it a token that is no text.

use std::sync::Arc;

use llama_cpp_2::model::LlamaModel;
use llama_cpp_2::token::LlamaToken;
use toktrie::{INVALID_TOKEN, TokRxInfo, TokTrie, TokenId, TokenizerEnv};

/// A longer token has no place in a trie, which asserts that there are at most 1024 bytes.
const LONGEST_TOKEN: usize = 512;

/// A text that vocabularies which put a space before every text do not give back.
const SAMPLE: &[u8] = br#"{"tool": "none"}"#;

/// The tokens of a model as a trie, and the model's own way to cut a text into them.
pub(crate) struct Vocabulary {
    model: Arc<LlamaModel>,
    trie: TokTrie,
    is_canonical: bool,
}

impl Vocabulary {
    /// Reads the vocabulary, which takes some tenths of a second.
    pub(crate) fn of(model: Arc<LlamaModel>) -> Self {
        let trie = trie(&model);
        let mut vocabulary = Self {
            model,
            trie,
            is_canonical: false,
        };
        vocabulary.is_canonical = vocabulary.cut(SAMPLE).is_some();
        vocabulary
    }

    /// The tokens into which the model's own tokenizer cuts this text, where they are this text again.
    fn cut(&self, text: &[u8]) -> Option<Vec<TokenId>> {
        let tokens = self.model.vocab().tokenize(text, false, false);
        let tokens: Vec<TokenId> = tokens.into_iter().map(id).collect();
        (self.trie.decode(&tokens) == text).then_some(tokens)
    }
}

impl TokenizerEnv for Vocabulary {
    fn tok_trie(&self) -> &TokTrie {
        &self.trie
    }

    /// A text may end within a letter, of which llama.cpp would make another one.
    fn tokenize_bytes(&self, text: &[u8]) -> Vec<TokenId> {
        self.cut(text).unwrap_or_else(|| self.trie.greedy_tokenize(text))
    }

    fn tokenize_is_canonical(&self) -> bool {
        self.is_canonical
    }
}

/// The number by which llguidance knows a token.
pub(super) fn id(token: LlamaToken) -> TokenId {
    token.0.cast_unsigned()
}

fn trie(model: &LlamaModel) -> TokTrie {
    let vocabulary = model.vocab();
    let text = |token| {
        let text = vocabulary.token_to_piece(token, false, None);
        let is_text = !vocabulary.is_eog(token) && !vocabulary.is_control(token);
        if is_text && text.len() <= LONGEST_TOKEN {
            text
        } else {
            Vec::new()
        }
    };
    let texts: Vec<Vec<u8>> = vocabulary.tokens().map(text).collect();
    let ends: Vec<TokenId> = vocabulary
        .tokens()
        .filter(|token| vocabulary.is_eog(*token))
        .map(id)
        .collect();
    let first_end = ends.first().copied().unwrap_or(INVALID_TOKEN);
    let size = u32::try_from(texts.len()).unwrap_or(u32::MAX);
    let trie = TokTrie::from(&TokRxInfo::new(size, first_end), &texts);
    if ends.is_empty() {
        trie
    } else {
        trie.with_eos_tokens(&ends)
    }
}
