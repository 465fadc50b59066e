//! What a server says instead of a reply, and which of our errors that is.
//!
//! The server's words are shown shortened, without the key and without what was said: some servers quote both.

use std::time::Duration;

use loquat_conversation::brain::{BrainError, ChatRequest};

use super::fault::{Again, Fault};
use crate::server_words::ServerWords;

/// The words are cut to this many bytes, which are enough for a sentence.
const MAX_WORDS: usize = 200;

/// A run of this many characters that the conversation holds too is no chance.
const TELLTALE_RUN: usize = 24;

/// Says whose refusal it is, and what is needed to word it.
#[derive(Clone, Copy)]
pub(crate) struct Circumstance<'a> {
    pub(crate) address: &'a str,
    pub(crate) model: &'a str,
    pub(crate) key: Option<&'a str>,
    pub(crate) request: &'a ChatRequest,
    pub(crate) retry_after_cap: Duration,
}

impl Circumstance<'_> {
    /// The error behind a status that is no success.
    pub(crate) fn refused(&self, status: u16, retry_after: Option<Duration>, words: &ServerWords) -> Fault {
        let address = self.address.to_owned();
        let too_long = matches!(status, 400 | 422 | 500) && words.is_context_too_long();
        if status == 413 || too_long {
            return Fault::lasting(BrainError::ContextTooLong { address });
        }
        let overloaded = matches!(status, 429 | 529) || (status == 503 && retry_after.is_some());
        if overloaded && !words.is_out_of_credit() {
            return Fault {
                again: self.when(retry_after),
                error: BrainError::Overloaded {
                    address,
                    status,
                    retry_after,
                },
            };
        }
        if matches!(status, 408 | 425 | 500 | 502..=599) {
            let message = self.shorten(&words.text);
            return Fault::passing(BrainError::Faulty {
                address,
                status,
                message,
            });
        }
        Fault::lasting(BrainError::Refused {
            address,
            status,
            message: self.mend(status, &self.shorten(&words.text)),
        })
    }

    /// Makes the error of a complaint inside a reply that began as a success.
    pub(crate) fn complained(&self, words: &ServerWords) -> Fault {
        let status = words.code.split(' ').find_map(|code| code.parse::<u16>().ok());
        match status.filter(|status| (400..600).contains(status)) {
            _ if words.is_context_too_long() => self.refused(400, None, words),
            _ if words.code.contains("rate_limit") => self.refused(429, None, words),
            Some(status) => self.refused(status, None, words),
            None => self.refused(500, None, words),
        }
    }

    /// A pause that no person would wait out is as good as none.
    fn when(&self, retry_after: Option<Duration>) -> Again {
        match retry_after {
            Some(pause) if pause > self.retry_after_cap => Again::No,
            Some(pause) => Again::After(pause),
            None => Again::Soon,
        }
    }

    /// Adds what a person can do about it.
    fn mend(&self, status: u16, words: &str) -> String {
        let model = self.model;
        let about_model = words.to_lowercase().contains("model");
        let mend = match (status, self.key) {
            (300..=399, _) => "the address points elsewhere; set api_url to where it leads".to_owned(),
            (401 | 403, None) => "no key is set; set this brain's key".to_owned(),
            (401 | 403, Some(_)) => "check this brain's key".to_owned(),
            (404, _) if about_model => format!("check the model's name, {model:?}"),
            (404, _) => format!("check api_url, which usually ends in /v1, and the model's name, {model:?}"),
            (402, _) => "check the account's credit".to_owned(),
            (429, _) => "check the account's quota".to_owned(),
            _ => return words.to_owned(),
        };
        if words.is_empty() {
            mend
        } else {
            format!("{words} ({mend})")
        }
    }

    /// Cuts the server's words to one line that may be shown.
    pub(crate) fn shorten(&self, words: &str) -> String {
        let spaced = words.replace(char::is_control, " ");
        let masked: Vec<&str> = spaced
            .split_whitespace()
            .map(|word| if self.shows_key(word) { "[key]" } else { word })
            .collect();
        let line = masked.join(" ");
        let shown: String = line.chars().take(MAX_WORDS).collect();
        if self.quotes_conversation(&shown) {
            return "its words are withheld, since they quote the conversation".to_owned();
        }
        if shown.len() < line.len() {
            format!("{shown}…")
        } else {
            shown
        }
    }

    /// Servers show a wrong key whole, or its ends around a mask.
    fn shows_key(&self, word: &str) -> bool {
        let Some(key) = self.key.filter(|key| key.len() >= 4) else {
            return false;
        };
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
        let masked = word.contains('*') || word.contains("...") || word.contains('…');
        let head: String = key.chars().take(3).collect();
        let tail: String = key.chars().skip(key.chars().count().saturating_sub(3)).collect();
        word.contains(key) || (masked && (bare.starts_with(&head) || bare.ends_with(&tail)))
    }

    fn quotes_conversation(&self, shown: &str) -> bool {
        let characters: Vec<char> = shown.chars().collect();
        let runs: Vec<String> = characters.windows(TELLTALE_RUN).map(String::from_iter).collect();
        self.request.messages.iter().any(|message| {
            let said = message.content.split_whitespace().collect::<Vec<_>>().join(" ");
            let short = said.chars().count() < TELLTALE_RUN;
            // Shorter texts than a word or two are in many sentences.
            let quoted_whole = short && said.chars().count() >= 8 && shown.contains(&said);
            quoted_whole || runs.iter().any(|run| said.contains(run))
        })
    }
}

#[cfg(test)]
mod tests;
