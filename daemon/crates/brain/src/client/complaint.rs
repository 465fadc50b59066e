//! Which tool, parameter or figure a server complains of, in the words of the usual servers.
//!
//! Only what was sent counts: a word of the complaint that is none of it says nothing.

use loquat_conversation::brain::ToolOffer;
use serde_json::{Map, Value};

use super::dialect::{MAX_TOKENS, NEWER_MAX_TOKENS};
use crate::lesson::Lesson;
use crate::server_words::ServerWords;

/// No request can do without these.
const NEEDED: [&str; 3] = ["model", "stream", "messages"];

/// Servers say so that they do not take a parameter, or not in this form.
const COMPLAINTS: [&str; 20] = [
    "unsupported",
    "not support",
    "n't support",
    "unknown",
    "unrecognized",
    "unrecognised",
    "unexpected",
    "extra",
    "not permitted",
    "not allowed",
    "not available",
    "not valid",
    "not implemented",
    "not compatible",
    "incompatible",
    "invalid",
    "deprecated",
    "must be",
    "only the default",
    "requires",
];

/// Servers say so that a figure is too large.
const TOO_LARGE: [&str; 12] = [
    "too large",
    "too high",
    "too big",
    "at most",
    "maximum",
    "exceed",
    "greater than",
    "less than",
    "no more than",
    "out of range",
    "<=",
    ">",
];

/// The usual servers write one of these before the place of a tool, the inner list first.
const LISTS: [&str; 4] = [
    "function_declarations",
    "functiondeclarations",
    "functions",
    "tools",
];

/// These numbers stand beside a complaint and are no figure of it.
const STATUSES: [u64; 2] = [400, 422];

/// Names of parameters that are everyday words, too: a server has to name them as parameters.
const EVERYDAY: [&str; 4] = ["stop", "seed", "user", "n"];

pub(super) struct Complaint<'w> {
    words: &'w ServerWords,
    text: String,
}

impl<'w> Complaint<'w> {
    pub(super) fn of(words: &'w ServerWords) -> Self {
        let text = format!("{} {}", words.text, words.parameter).to_lowercase();
        Self { words, text }
    }

    fn says(&self, phrases: &[&str]) -> bool {
        phrases.iter().any(|phrase| self.text.contains(phrase))
    }

    /// The tools that it names, by their place or by their name.
    pub(super) fn tools<'s>(&self, sent: &[(&str, &'s ToolOffer)]) -> Vec<&'s ToolOffer> {
        let places = self.places();
        let by_place: Vec<_> = places.iter().filter_map(|place| sent.get(*place)).collect();
        let found = if by_place.is_empty() {
            let is_named = |(name, _): &&(&str, &ToolOffer)| self.names_tool(name);
            sent.iter().filter(is_named).collect()
        } else {
            by_place
        };
        found.into_iter().map(|(_, offer)| *offer).collect()
    }

    /// Finds the places of tools: `tools[3].function`, `tools.3.custom`, `tools/3/`, `('body', 'tools', 3,
    /// 'function')`. Where the declarations of functions are a list within the tools, theirs count.
    fn places(&self) -> Vec<usize> {
        for list in LISTS {
            let mut found: Vec<usize> = Vec::new();
            for (at, _) in self.text.match_indices(list) {
                let before = self.text.get(..at).and_then(|before| before.chars().next_back());
                let behind = self.text.get(at + list.len()..).unwrap_or_default();
                let is_word = before.is_none_or(|c| !(c.is_alphanumeric() || c == '_'));
                found.extend(place_at(behind).filter(|_| is_word));
            }
            found.sort_unstable();
            found.dedup();
            if !found.is_empty() {
                return found;
            }
        }
        Vec::new()
    }

    /// Tells whether it speaks of a tool or a schema and names this one, in quotes or as a word that is no everyday
    /// one.
    fn names_tool(&self, name: &str) -> bool {
        let name = name.to_lowercase();
        // What is wrong with an earlier call is wrong without the tool, too.
        let is_of_history = self.says(&["messages[", "messages.", "'messages'", "\"messages\""]);
        let speaks = !is_of_history && self.says(&["tool", "function", "schema", "parameters"]);
        let is_marked = name.contains(['_', '-']) || name.chars().any(|c| c.is_ascii_digit());
        speaks && mentions(&self.text, &name, !is_marked)
    }

    /// The bound of the reply, where it is refused: its newer name, the figure that the server would take, or none at all.
    pub(super) fn bound(&self, sent: &Map<String, Value>) -> Option<Lesson> {
        let (name, asked) = [MAX_TOKENS, NEWER_MAX_TOKENS]
            .into_iter()
            .find_map(|name| Some((name, sent.get(name)?.as_u64()?)))?;
        let is_about = self.says(&[
            MAX_TOKENS,
            NEWER_MAX_TOKENS,
            "max_new_tokens",
            "max_output_tokens",
            "maxoutputtokens",
            "output tokens",
            "completion tokens",
            "in the completion",
        ]);
        if !is_about {
            return None;
        }
        if self.words.is_context_too_long() {
            // What the conversation leaves of the window the server knows best.
            let window = figures(&self.text)
                .into_iter()
                .filter(|figure| *figure != asked)
                .max();
            let is_its_fault =
                figures(&self.text).contains(&asked) && window.is_some_and(|window| asked * 2 >= window);
            return is_its_fault.then(|| Lesson::Parameter(name.to_owned()));
        }
        let is_renamed = name == MAX_TOKENS && self.text.contains(NEWER_MAX_TOKENS);
        if is_renamed && self.says(&["unsupported", "not support", "instead"]) {
            return Some(Lesson::NewerBound);
        }
        if self.says(&TOO_LARGE) {
            let is_bound = |figure: &u64| (1..asked).contains(figure) && !STATUSES.contains(figure);
            let smaller = figures(&self.text).into_iter().filter(is_bound).max();
            return Some(smaller.map_or_else(|| Lesson::Parameter(name.to_owned()), Lesson::Bound));
        }
        is_renamed.then_some(Lesson::NewerBound)
    }

    /// The parameter that it names, for one that a request can do without.
    pub(super) fn parameter(&self, sent: &Map<String, Value>) -> Option<Lesson> {
        if self.words.is_context_too_long() {
            return None;
        }
        let own = self.words.parameter.split(['.', '[']).next().unwrap_or_default();
        let mut optional = sent.keys().filter(|name| !NEEDED.contains(&name.as_str()));
        let named = optional.clone().find(|name| *name == own);
        let mentioned = || optional.find(|name| self.mentions_parameter(name));
        let found = named.or_else(mentioned)?;
        self.says(&COMPLAINTS).then(|| Lesson::Parameter(found.clone()))
    }

    fn mentions_parameter(&self, name: &str) -> bool {
        // What is asked for with an option is complained of by its name.
        let options: &[&str] = match name {
            "stream_options" => &["include_usage"],
            "response_format" => &["json_schema", "guided_json"],
            _ => &[],
        };
        mentions(&self.text, name, EVERYDAY.contains(&name))
            || options.iter().any(|option| mentions(&self.text, option, false))
    }
}

/// The place in a list that a text begins with, in brackets, behind a point or as the next part of a path.
fn place_at(behind: &str) -> Option<usize> {
    let inside = behind.trim_start_matches(['"', '\'', '`', ' ', ',']);
    let inside = inside.strip_prefix(['[', '.', '/']).unwrap_or(inside);
    // `tools 3` is no path, while `'tools', 3` is one.
    let is_path = behind.starts_with(['[', '.', '/', '"', '\'', '`']);
    let digits = inside.find(|c: char| !c.is_ascii_digit()).unwrap_or(inside.len());
    inside.get(..digits)?.parse().ok().filter(|_| is_path)
}

/// Tells whether a text holds a name as a whole word; within quotes only where that is asked for.
fn mentions(text: &str, name: &str, in_quotes: bool) -> bool {
    let is_joined = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    let is_quote = |c: char| matches!(c, '"' | '\'' | '`' | '‘' | '’' | '“' | '”');
    text.match_indices(name).any(|(at, _)| {
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        let behind = text
            .get(at + name.len()..)
            .and_then(|behind| behind.chars().next());
        let whole = !before.is_some_and(is_joined) && !behind.is_some_and(is_joined);
        whole && (!in_quotes || before.is_some_and(is_quote) && behind.is_some_and(is_quote))
    })
}

/// The whole numbers of a text that are parts of no name and no date.
fn figures(text: &str) -> Vec<u64> {
    let is_joined = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
    let words = text.split(|c: char| !is_joined(c));
    let plain = words.map(|word| word.trim_end_matches('.'));
    plain.filter_map(|word| word.parse().ok()).collect()
}
