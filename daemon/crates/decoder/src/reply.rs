//! A brain's reply as it comes, before anything of it is read: words, reasoning, native calls, and what it cost. Never says
//! what any of it means.

use serde::{Deserialize, Serialize};

/// A call in the model server's own form, before the decoder has looked at it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NativeCall {
    /// The server's id, which the observation must repeat; made up by the client when the server sent none.
    pub id: String,
    /// The tool's name as the model wrote it.
    pub name: String,
    /// They stand as the model wrote them: usually, but not surely, a JSON object.
    pub arguments: String,
}

/// Says why the model stopped writing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Finish {
    /// It was done, or a stop text was reached.
    Stop,
    /// It called tools.
    ToolCalls,
    /// The token limit cut it off. The text is incomplete.
    Length,
    /// The server said anything else.
    Other,
}

/// The tokens that a call cost; zero where the server does not say.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// The tokens that were read.
    pub prompt_tokens: u64,
    /// The tokens that were written.
    pub completion_tokens: u64,
    /// The cost in millionths of the currency in which the brain's prices are set; zero where none are.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub cost_millionths: u64,
    /// Says whether the server counted nothing and these are estimates of ours, at least in part.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub estimated: bool,
}

impl Usage {
    /// Tells whether nothing was used.
    pub fn is_nothing(&self) -> bool {
        *self == Self::default()
    }
}

impl Usage {
    /// Tells whether the server counted nothing.
    pub fn is_unknown(&self) -> bool {
        self.prompt_tokens == 0 && self.completion_tokens == 0
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
fn is_zero(number: &u64) -> bool {
    *number == 0
}

impl std::ops::AddAssign for Usage {
    fn add_assign(&mut self, other: Self) {
        self.prompt_tokens += other.prompt_tokens;
        self.completion_tokens += other.completion_tokens;
        self.cost_millionths = self.cost_millionths.saturating_add(other.cost_millionths);
        self.estimated |= other.estimated;
    }
}

/// A whole reply.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChatReply {
    /// The text, without what the server itself marked as reasoning. It may still hold `<think>` blocks.
    pub content: String,
    /// The server marked it as reasoning.
    pub reasoning: String,
    /// Native calls in the order of the reply.
    pub tool_calls: Vec<NativeCall>,
    /// Says why the reply ended.
    pub finish: Finish,
    /// It cost these tokens and this money.
    pub usage: Usage,
}

impl ChatReply {
    /// Words alone, of which nothing was counted.
    pub fn of_words(content: impl Into<String>) -> Self {
        Self {
            content: content.into(),
            reasoning: String::new(),
            tool_calls: Vec::new(),
            finish: Finish::Stop,
            usage: Usage::default(),
        }
    }
}
