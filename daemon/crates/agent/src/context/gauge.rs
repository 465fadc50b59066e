//! How many tokens a request takes, estimated before it is sent and set right by what the server counts.
//!
//! Every model counts in its own way, but the same way each time: what the first reply reports makes the estimates of
//! the following requests good.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::brain::{ChatMessage, ChatReply, ChatRequest, ToolOffer, Usage};

/// What is counted of a request: letters, digits, blanks, signs, letters of other scripts, signs of East Asian ones, and
/// messages with what a template puts around them.
const KINDS: usize = 7;

/// Tokens of one of each kind, as the tokenizers of today's models have them on average.
const USUAL: [f64; KINDS] = [0.22, 0.5, 0.05, 0.55, 0.45, 0.9, 4.0];

/// How far tokenizers differ as a whole, and in each kind on its own, as shares of what is usual.
const SPREAD: f64 = 0.5;
const OWN_SPREAD: f64 = 0.35;

/// How far a count may lie beside the sum of its kinds.
const NOISE: f64 = 0.02;

/// How much of what was learned may be wrong by the next reply, since servers change their models.
const DRIFT: f64 = 0.01;

/// Reports beyond these ratios to what is usual are no counts of tokens.
const LEAST: f64 = 0.2;
const MOST: f64 = 5.0;

/// No model that can be talked to has a smaller window, in tokens.
const SMALLEST_WINDOW: u64 = 500;

type Counts = [f64; KINDS];

/// What is known about how a brain counts, and how much it takes.
///
/// A recursive least squares estimate (a Kalman filter whose state stands still) of the tokens for each kind.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) struct Gauge {
    tokens: Counts,
    /// How uncertain they are, and how much they go together.
    covariance: [Counts; KINDS],
    /// A request of so many tokens was too long.
    too_long: Option<u64>,
}

impl Default for Gauge {
    fn default() -> Self {
        let covariance = std::array::from_fn(|row| {
            std::array::from_fn(|column| {
                let usual = at(&USUAL, row) * at(&USUAL, column);
                let own = if row == column {
                    OWN_SPREAD * OWN_SPREAD
                } else {
                    0.0
                };
                usual * (SPREAD * SPREAD + own)
            })
        });
        Self {
            tokens: USUAL,
            covariance,
            too_long: None,
        }
    }
}

fn at(counts: &Counts, index: usize) -> f64 {
    counts.get(index).copied().unwrap_or_default()
}

fn product(one: &Counts, other: &Counts) -> f64 {
    one.iter().zip(other).map(|(one, other)| one * other).sum()
}

impl Gauge {
    /// How many tokens the server will count.
    pub(crate) fn estimate(&self, size: &Size) -> u64 {
        product(&size.0, &self.tokens).round() as u64
    }

    /// Takes in what the server counted; zero says that it does not count.
    pub(crate) fn observe(&mut self, size: &Size, prompt_tokens: u64) {
        if prompt_tokens == 0 {
            return;
        }
        let Size(counts) = *size;
        let usual = product(&counts, &USUAL);
        let reported = prompt_tokens as f64;
        if !(usual * LEAST..=usual * MOST).contains(&reported) {
            return;
        }
        let spread: Counts = self.covariance.map(|row| product(&row, &counts));
        let noise = reported * NOISE;
        let certainty = product(&spread, &counts) + noise * noise;
        let surprise = reported - product(&counts, &self.tokens);
        let gain = spread.map(|share| share / certainty);
        for ((tokens, gain), usual) in self.tokens.iter_mut().zip(gain).zip(USUAL) {
            *tokens = (*tokens + gain * surprise).clamp(0.0, usual * MOST);
        }
        for (index, (row, gain)) in self.covariance.iter_mut().zip(gain).enumerate() {
            for (cell, share) in row.iter_mut().zip(spread) {
                *cell -= gain * share;
            }
            if let (Some(own), Some(usual)) = (row.get_mut(index), USUAL.get(index)) {
                *own += (usual * DRIFT).powi(2);
            }
        }
    }

    /// Takes in that a request was too long. A short one was too long for another reason.
    pub(crate) fn too_long(&mut self, size: &Size) {
        let tokens = self.estimate(size);
        if tokens < SMALLEST_WINDOW {
            return;
        }
        self.too_long = Some(self.too_long.map_or(tokens, |known| known.min(tokens)));
    }

    /// The window, as far as it is known; `told` is what the brain says of itself.
    pub(crate) fn window(&self, told: Option<u32>) -> Option<u64> {
        let told = told.map(u64::from);
        told.into_iter()
            .chain(self.too_long)
            .min()
            .filter(|window| *window > 0)
    }
}

/// How much a request holds of each kind.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Size(Counts);

impl Size {
    /// How many tokens that is for today's models.
    fn usual(&self) -> u64 {
        product(&self.0, &USUAL).round() as u64
    }

    fn of_reply(reply: &ChatReply) -> Self {
        let mut written = Counts::default();
        add(&mut written, &reply.reasoning);
        add(&mut written, &reply.content);
        for call in &reply.tool_calls {
            add(&mut written, &call.name);
            add(&mut written, &call.arguments);
        }
        Self(written)
    }
}

/// Weighs requests. Of one that goes on from the last one only what is new is counted.
#[derive(Debug, Default)]
pub(crate) struct Scales {
    messages: Weighed<ChatMessage>,
    tools: Weighed<ToolOffer>,
}

type Weighed<T> = Vec<(Arc<T>, Counts)>;

impl Scales {
    /// How much is sent.
    pub(crate) fn weigh(&mut self, request: &ChatRequest) -> Size {
        let mut counts = Counts::default();
        sum(&mut counts, &mut self.messages, &request.messages, of_message);
        sum(&mut counts, &mut self.tools, &request.tools, of_tool);
        Size(counts)
    }
}

/// Adds up what these weigh, with what is known of those that stood at their places before.
fn sum<T>(counts: &mut Counts, known: &mut Weighed<T>, all: &[Arc<T>], of: impl Fn(&T) -> Counts) {
    known.truncate(all.len());
    let same = known.iter().zip(all);
    let same = same
        .take_while(|((before, _), now)| Arc::ptr_eq(before, now))
        .count();
    known.truncate(same);
    known.extend(all.iter().skip(same).map(|new| (Arc::clone(new), of(new))));
    for (_, own) in known {
        for (all, own) in counts.iter_mut().zip(own) {
            *all += *own;
        }
    }
}

impl Usage {
    /// What a call took as today's models usually count, for a server that does not say.
    pub fn estimate(request: &ChatRequest, reply: &ChatReply) -> Self {
        Self::of_size(&Scales::default().weigh(request), reply)
    }

    /// The same for a request that was weighed. What was learned of the brain is left out: other turns teach it too, and a
    /// turn that is run again has to come to the same.
    pub(crate) fn of_size(request: &Size, reply: &ChatReply) -> Self {
        Self {
            prompt_tokens: request.usual(),
            completion_tokens: Size::of_reply(reply).usual(),
            cost_millionths: 0,
            estimated: true,
        }
    }
}

/// A message alone.
const ONE: Counts = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0];

fn of_message(message: &ChatMessage) -> Counts {
    let mut counts = ONE;
    add(&mut counts, &message.content);
    for call in &message.tool_calls {
        add(&mut counts, &call.name);
        add(&mut counts, &call.arguments);
    }
    counts
}

fn of_tool(tool: &ToolOffer) -> Counts {
    let mut counts = ONE;
    add(&mut counts, &tool.name);
    add(&mut counts, &tool.description);
    add_json(&mut counts, &tool.parameters);
    counts
}

/// Words of eight bytes that are counted together: no byte of a sum runs over.
const MOST_WORDS: usize = 255;

/// The highest bit of each byte of a word.
const HIGHEST: u64 = 0x8080_8080_8080_8080;

/// Counts a text.
fn add(counts: &mut Counts, text: &str) {
    let (words, rest) = text.as_bytes().as_chunks();
    // Filled up with what is no ASCII character.
    let mut last = [u8::MAX; 8];
    for (byte, own) in last.iter_mut().zip(rest) {
        *byte = *own;
    }
    let mut ascii = 0;
    for words in words.chunks(MOST_WORDS).chain([[last].as_slice()]) {
        let own = of_ascii(words);
        ascii += own.iter().sum::<u64>();
        for (count, own) in counts.iter_mut().zip(own) {
            *count += own as f64;
        }
    }
    if ascii < text.len() as u64 {
        let [.., foreign, east_asian, _] = counts;
        for c in text.chars().filter(|c| !c.is_ascii()) {
            *(if c < '\u{2e80}' {
                &mut *foreign
            } else {
                &mut *east_asian
            }) += 1.0;
        }
    }
}

/// Letters, digits, blanks and signs, eight bytes at a time: every text of every turn goes through here.
fn of_ascii(words: &[[u8; 8]]) -> [u64; 4] {
    let mut sums = [0_u64; 4];
    for word in words {
        let word = u64::from_ne_bytes(*word);
        let ascii = !word & HIGHEST;
        // The highest bit of each byte that is an ASCII character from `first` to `last`.
        let between = |word: u64, first: u8, last: u8| {
            let least = |byte: u8| (word & !HIGHEST) + u64::from_ne_bytes([128 - byte; 8]);
            least(first) & !least(last + 1) & ascii
        };
        let letters = between(word | u64::from_ne_bytes([0x20; 8]), b'a', b'z');
        let digits = between(word, b'0', b'9');
        let blanks = between(word, b' ', b' ');
        let signs = ascii & !(letters | digits | blanks);
        for (sum, own) in sums.iter_mut().zip([letters, digits, blanks, signs]) {
            *sum += own >> 7;
        }
    }
    sums.map(|sum| sum.to_ne_bytes().into_iter().map(u64::from).sum())
}

/// Counts a JSON value as it is written without blanks.
fn add_json(counts: &mut Counts, value: &Value) {
    match value {
        Value::Object(members) => {
            for (name, value) in members {
                add(counts, name);
                add(counts, "\"\":,");
                add_json(counts, value);
            }
            add(counts, "{}");
        }
        Value::Array(items) => {
            for item in items {
                add_json(counts, item);
                add(counts, ",");
            }
            add(counts, "[]");
        }
        Value::String(text) => {
            add(counts, text);
            add(counts, "\"\"");
        }
        plain => add(counts, &plain.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asking(texts: &[&str]) -> ChatRequest {
        let messages = texts.iter().map(|text| ChatMessage::user(*text).into());
        ChatRequest {
            messages: messages.collect(),
            ..ChatRequest::default()
        }
    }

    fn request(text: &str) -> Size {
        Scales::default().weigh(&asking(&[text]))
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
            let tokens = Gauge::default().estimate(&request(text));
            assert!((least..=most).contains(&tokens), "{tokens} for {text}");
        }
    }

    #[test]
    fn each_character_counts_as_what_it_is() {
        let all: String = (0..=127).map(char::from).collect();
        let text = format!("{}äß「漢", all.repeat(40));
        for start in 0..20 {
            let text = text.get(start..).expect("an ASCII beginning");
            let how_many = |is: fn(&char) -> bool| text.chars().filter(is).count();
            let mut counts = Counts::default();
            add(&mut counts, text);
            let expected = [
                how_many(char::is_ascii_alphabetic),
                how_many(char::is_ascii_digit),
                how_many(|c| *c == ' '),
                how_many(|c| c.is_ascii() && !c.is_ascii_alphanumeric() && *c != ' '),
                2,
                2,
                0,
            ];
            assert_eq!(counts.map(|count| count as usize), expected, "from {start}");
        }
    }

    #[test]
    fn a_report_sets_the_estimate_right() {
        let mut gauge = Gauge::default();
        let long = request(&"word ".repeat(500));
        gauge.observe(&long, 900);
        assert!(gauge.estimate(&long).abs_diff(900) < 10);
        let settled = gauge.estimate(&long);
        gauge.observe(&long, 0);
        gauge.observe(&long, 7);
        gauge.observe(&long, u64::MAX);
        assert_eq!(gauge.estimate(&long), settled);
    }

    #[test]
    fn a_conversation_weighs_the_same_however_it_came_about() {
        let mut scales = Scales::default();
        let mut request = asking(&["What is it?", "Well."]);
        for text in ["An elephant, 3 m high.", "Are you sure?", "Yes."] {
            request.messages.push(ChatMessage::user(text).into());
            assert_eq!(scales.weigh(&request), Scales::default().weigh(&request));
        }
        request.messages.remove(1);
        assert_eq!(scales.weigh(&request), Scales::default().weigh(&request));
        Arc::make_mut(request.messages.last_mut().unwrap())
            .content
            .push_str(" 17 of them.");
        assert_eq!(scales.weigh(&request), Scales::default().weigh(&request));
    }

    #[test]
    fn a_window_is_learned() {
        let mut gauge = Gauge::default();
        assert_eq!(gauge.window(None), None);
        assert_eq!(gauge.window(Some(4_096)), Some(4_096));
        let long = request(&"word ".repeat(900));
        gauge.too_long(&request("word"));
        assert_eq!(gauge.window(Some(4_096)), Some(4_096));
        gauge.too_long(&long);
        assert_eq!(gauge.window(Some(4_096)), Some(gauge.estimate(&long)));
    }
}
