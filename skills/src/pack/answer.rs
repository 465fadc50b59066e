//! Results told in the pack's own answers, in languages in which the tools have no words. What the answers say of a result is
//! the work of the module beside.

use std::fmt;
use std::sync::Arc;

use loquat_agent::turn::Phrasing;
use loquat_kit::wording;
use loquat_sentences::Responses;
use serde_json::{Map, Value};

use super::account::Account;

/// The answers of the pack.
pub trait Answers: fmt::Debug + Send + Sync {
    /// Those in a language, where the pack has it.
    fn answers(&self, lang: &str) -> Option<Arc<Responses>>;
}

/// Tells results in the answers of the pack.
#[derive(Debug)]
pub(crate) struct Telling(pub(crate) Arc<dyn Answers>);

impl wording::Answers for Telling {
    fn tell(
        &self,
        lang: &str,
        phrasing: &Phrasing,
        toolbox_id: &str,
        result: &Map<String, Value>,
    ) -> Option<String> {
        in_their_words(phrasing, toolbox_id, result, &*self.0.answers(lang)?)
    }
}

fn in_their_words(
    phrasing: &Phrasing,
    toolbox_id: &str,
    result: &Map<String, Value>,
    answers: &Responses,
) -> Option<String> {
    let told = match Account::of(phrasing, toolbox_id, result)? {
        Account::Done(given) => answers.answer(&phrasing.intent, &phrasing.response, &given),
        Account::Failed(why, given) => answers.failure(why, &given),
    };
    told.inspect_err(|error| tracing::debug!(%error, "left an answer to the persona"))
        .ok()
        .filter(|told| !told.is_empty())
}

#[cfg(test)]
mod tests;
