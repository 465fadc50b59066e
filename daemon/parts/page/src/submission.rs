//! What a browser sends with a form of ours. Judges none of it.

use std::sync::Arc;

use serde_json::Value;

/// What was sent with a form.
#[derive(Debug, Clone, Default)]
pub(super) struct Submission(Arc<Vec<(String, String)>>);

impl Submission {
    /// Takes the fields in the order of the form.
    pub(super) fn new(fields: Vec<(String, String)>) -> Self {
        Self(Arc::new(fields))
    }

    /// Gives the field of this name, if it was sent.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        let mut all = self.0.iter();
        all.find(|(known, _)| known == name)
            .map(|(_, value)| value.as_str())
    }

    /// Gives the words of a field as an argument of a tool; nothing where it is not there or was left empty.
    pub(super) fn words(&self, name: &str) -> Value {
        let words = self.get(name).map(str::trim).filter(|words| !words.is_empty());
        words.map_or(Value::Null, Value::from)
    }
}

#[cfg(test)]
impl Submission {
    /// Makes what a form with these fields sends.
    pub(super) fn of(fields: &[(&str, &str)]) -> Self {
        let fields = fields
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        Self(Arc::new(fields.collect()))
    }
}
