//! What a browser sends with a form of ours. Judges none of it.

use std::sync::Arc;

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

    /// Gives all values of fields of this name.
    pub(super) fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        let all = self.0.iter().filter(move |(known, _)| known == name);
        all.map(|(_, value)| value.as_str())
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
