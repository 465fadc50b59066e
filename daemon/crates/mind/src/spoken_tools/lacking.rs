//! What a call lacks, and what becomes of it with the answer to the question about that. Nothing here asks the question.

use serde_json::Value;

use super::{SpokenTools, Wanted};

impl SpokenTools {
    /// Whether a call lacks something that can be asked for.
    pub fn is_incomplete(&self, wanted: &Wanted) -> bool {
        self.intents.answer_to(&wanted.intent, &wanted.call).is_some()
    }

    /// The call with which of several it means, where these words answer that.
    pub fn chosen(&self, wanted: &Wanted, choices: &[String], text: &str, lang: &str) -> Option<Wanted> {
        if !wanted.readings.is_empty() {
            let chosen = self.intents.chosen(choices, text, lang)?;
            return wanted.chosen(chosen);
        }
        let chooses = self.intents.chooses(&wanted.call, choices, text, lang);
        chooses.then(|| {
            let mut chosen = wanted.clone();
            let choice = Value::from(text);
            chosen.call.arguments.insert("choice".to_owned(), choice);
            chosen
        })
    }

    /// The call with what it lacked, where these words say it and ask for nothing else.
    pub fn completed(&self, wanted: &Wanted, text: &str, lang: &str) -> Option<Wanted> {
        let answer = self.intents.answer_to(&wanted.intent, &wanted.call)?;
        if !self.understood(text, lang).is_empty() {
            return None;
        }
        let found = self.among(text, lang, &|intent| intent == answer)?;
        let said = self.called_by_ours(&found, lang)?.arguments;
        let mut completed = wanted.clone();
        completed.call.arguments.extend(said);
        if let Some(own) = &mut completed.own {
            own.slots.extend(found.slots);
        }
        Some(completed)
    }
}
