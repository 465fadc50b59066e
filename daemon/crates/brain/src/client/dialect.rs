//! What this server does not take, learnt from its refusals, so that each is met once only.
//!
//! Models differ in the optional parameters they accept: older servers know no `stream_options`, newer models of
//! OpenAI neither `max_tokens` nor a temperature of one's own.

use parking_lot::Mutex;
use serde_json::{Map, Value};

use super::refusal::ServerWords;

/// Parameters that a reply can do without.
const OPTIONAL: [&str; 5] = ["stream_options", "max_tokens", "temperature", "top_p", "stop"];

/// What newer models call the bound of the reply.
const NEWER_MAX_TOKENS: &str = "max_completion_tokens";

/// How servers say that a parameter is not theirs.
const COMPLAINTS: [&str; 8] = [
    "unsupported",
    "not support",
    "unknown",
    "unrecognized",
    "unexpected",
    "extra",
    "not permitted",
    "not allowed",
];

/// The parameters that one server refused.
#[derive(Debug, Default)]
pub(crate) struct Dialect {
    refused: Mutex<Vec<&'static str>>,
}

impl Dialect {
    /// Leaves out, or renames, what the server refused before.
    pub(crate) fn apply(&self, body: &mut Map<String, Value>) {
        // The list is whole after each push, so that a panic elsewhere cannot have left it half done.
        let refused = self.refused.lock();
        for parameter in refused.iter() {
            let value = body.remove(*parameter);
            if *parameter == "max_tokens"
                && let Some(value) = value
            {
                body.insert(NEWER_MAX_TOKENS.to_owned(), value);
            }
        }
    }

    /// Whether the refusal names a parameter that can be left out; then the same request may be made again.
    pub(crate) fn learn(&self, words: &ServerWords, sent: &Map<String, Value>) -> bool {
        let Some(parameter) = OPTIONAL
            .into_iter()
            .find(|parameter| sent.contains_key(*parameter) && is_about(words, parameter))
        else {
            return false;
        };
        tracing::info!(parameter, "brain refuses a parameter, going on without it");
        let mut refused = self.refused.lock();
        if !refused.contains(&parameter) {
            refused.push(parameter);
        }
        true
    }
}

fn is_about(words: &ServerWords, parameter: &str) -> bool {
    match parameter {
        "max_tokens" => words.text.contains(NEWER_MAX_TOKENS),
        "stream_options" => words.text.contains(parameter) || words.text.contains("include_usage"),
        _ => {
            let text = words.text.to_lowercase();
            let named = words.parameter == parameter || text.contains(parameter);
            // `stop` is also an everyday word, so the server has to name it as the parameter.
            let named = named && (parameter != "stop" || words.parameter == "stop");
            named && COMPLAINTS.iter().any(|complaint| text.contains(complaint))
        }
    }
}
