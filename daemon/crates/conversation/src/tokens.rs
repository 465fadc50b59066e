//! How many tokens a request takes, estimated before it is sent and set right by what the server counts.
//!
//! A tokenizer makes about so many tokens of a text of so many bytes, each model's with a ratio of its own, which follows
//! what the server reports. Nothing is counted exactly here.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::brain::{ChatReply, ChatRequest, ToolOffer, Usage};

/// A token has about this many bytes, over all models and languages: words of East Asia have more bytes and more
/// tokens alike.
const BYTES: f64 = 3.5;

/// A template puts about this many tokens around a message.
const FRAME: f64 = 4.0;

/// A new report counts this much beside all before it.
const NEWEST: f64 = 0.5;

/// Reports beyond these ratios to what is usual are no counts of tokens.
const PLAUSIBLE: std::ops::RangeInclusive<f64> = 0.2..=5.0;

/// No model that can be talked to has a smaller window, in tokens.
const SMALLEST_WINDOW: u64 = 500;

/// Knows how a brain counts, and how much it takes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct TokenEstimator {
    /// The brain's count beside what is usual; absent until it has reported.
    ratio: Option<f64>,
    /// A request for which so many tokens are usual was too long.
    too_long: Option<f64>,
}

impl TokenEstimator {
    /// Estimates the tokens that the server will count.
    pub fn estimate(&self, size: Size) -> u64 {
        self.counted(size.0)
    }

    fn counted(&self, usual: f64) -> u64 {
        (usual * self.ratio.unwrap_or(1.0)).round() as u64
    }

    /// Takes in what the server counted; zero says that it does not count.
    pub fn observe(&mut self, size: Size, prompt_tokens: u64) {
        let reported = prompt_tokens as f64 / size.0;
        if PLAUSIBLE.contains(&reported) {
            let known = self.ratio.unwrap_or(reported);
            self.ratio = Some(known + (reported - known) * NEWEST);
        }
    }

    /// Takes in that a request was too long. A short one was too long for another reason.
    pub fn too_long(&mut self, size: Size) {
        if self.estimate(size) >= SMALLEST_WINDOW {
            self.too_long = Some(self.too_long.map_or(size.0, |known| known.min(size.0)));
        }
    }

    /// The window, as far as it is known; `told` is what the brain says of itself.
    pub fn window(&self, told: Option<u32>) -> Option<u64> {
        let told = told.map(u64::from);
        told.into_iter()
            .chain(self.too_long.map(|usual| self.counted(usual)))
            .min()
            .filter(|window| *window > 0)
    }
}

/// The size of a request, as far as it can be told without a tokenizer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Size(f64);

impl Size {
    /// What a call of a weighed request took. What was learned of the brain is left out: other turns teach it too, and a
    /// turn that is run again has to come to the same.
    pub fn usage(self, reply: &ChatReply) -> Usage {
        Usage {
            prompt_tokens: self.usual(),
            completion_tokens: Self::of_reply(reply).usual(),
            cost_millionths: 0,
            estimated: true,
        }
    }

    fn of(bytes: usize, frames: usize) -> Self {
        Self(bytes as f64 / BYTES + frames as f64 * FRAME)
    }

    fn usual(self) -> u64 {
        self.0.round() as u64
    }

    fn of_reply(reply: &ChatReply) -> Self {
        let calls = reply.tool_calls.iter();
        let calls: usize = calls.map(|call| call.name.len() + call.arguments.len()).sum();
        Self::of(reply.reasoning.len() + reply.content.len() + calls, 0)
    }
}

/// Weighs requests. Tools that were weighed for the last one are known.
#[derive(Debug, Default)]
pub struct Scales(Vec<(Arc<ToolOffer>, usize)>);

impl Scales {
    /// Weighs what is sent.
    pub fn weigh(&mut self, request: &ChatRequest) -> Size {
        let messages = request.messages.iter().map(|message| {
            let calls = message.tool_calls.iter();
            let calls: usize = calls.map(|call| call.name.len() + call.arguments.len()).sum();
            message.content.len() + calls
        });
        let bytes = messages.sum::<usize>() + self.tools(&request.tools);
        Size::of(bytes, request.messages.len() + request.tools.len())
    }

    fn tools(&mut self, tools: &[Arc<ToolOffer>]) -> usize {
        let is_same =
            |(known, tool): (&(Arc<ToolOffer>, usize), &Arc<ToolOffer>)| Arc::ptr_eq(&known.0, tool);
        let same = self.0.iter().zip(tools).take_while(|pair| is_same(*pair)).count();
        self.0.truncate(same);
        self.0.extend(
            tools
                .iter()
                .skip(same)
                .map(|tool| (Arc::clone(tool), of_tool(tool))),
        );
        self.0.iter().map(|(_, bytes)| bytes).sum()
    }
}

fn of_tool(tool: &ToolOffer) -> usize {
    tool.name.len() + tool.description.len() + tool.parameters.to_string().len()
}

impl ChatRequest {
    /// What the call took as today's models usually count, for a server that does not say.
    pub fn estimated_usage(&self, reply: &ChatReply) -> Usage {
        Scales::default().weigh(self).usage(reply)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::brain::ChatMessage;

    fn request(text: &str) -> Size {
        Scales::default().weigh(&ChatRequest {
            messages: vec![ChatMessage::user(text).into()],
            ..ChatRequest::default()
        })
    }

    #[test]
    fn an_estimate_without_a_report_is_about_right() {
        // Counts of cl100k_base and of Qwen's tokenizer lie between these.
        for (text, least, most) in [
            ("The quick brown fox jumps over the lazy dog.", 9, 18),
            (
                "Wie wird morgen das Wetter in Düsseldorf, und brauche ich einen Regenschirm?",
                17,
                32,
            ),
            ("明日の東京の天気はどうですか？", 10, 24),
            (
                "{\"degrees\": 21.5, \"place\": \"Lyon\", \"rain\": false}",
                18,
                34,
            ),
        ] {
            let tokens = TokenEstimator::default().estimate(request(text));
            assert!((least..=most).contains(&tokens), "{tokens} for {text}");
        }
    }

    #[test]
    fn a_report_sets_the_estimate_right() {
        let mut estimator = TokenEstimator::default();
        let long = request(&"word ".repeat(500));
        estimator.observe(long, 900);
        assert!(estimator.estimate(long).abs_diff(900) < 10);
        let settled = estimator.estimate(long);
        estimator.observe(long, 0);
        estimator.observe(long, 7);
        estimator.observe(long, u64::MAX);
        assert_eq!(estimator.estimate(long), settled);
    }

    #[test]
    fn a_window_is_learned() {
        let mut estimator = TokenEstimator::default();
        assert_eq!(estimator.window(None), None);
        assert_eq!(estimator.window(Some(4_096)), Some(4_096));
        let long = request(&"word ".repeat(900));
        estimator.too_long(request("word"));
        assert_eq!(estimator.window(Some(4_096)), Some(4_096));
        estimator.too_long(long);
        assert_eq!(estimator.window(Some(4_096)), Some(estimator.estimate(long)));
    }
}
