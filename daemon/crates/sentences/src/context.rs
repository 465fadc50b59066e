//! What is known beside the words of a sentence, and what a block of sentences requires of it.

use crate::value::Value;

/// What is known: the room of the device, or the domain of the thing that was named.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Context(Vec<(String, Value)>);

/// A piece of context that a block of sentences needs.
#[derive(Debug, Clone, PartialEq)]
pub struct Requirement {
    /// Its name.
    pub key: String,
    /// What it may be.
    pub allowed: Allowed,
    /// The slot that it fills, if no word of the sentence does.
    pub slot: Option<String>,
}

/// What a piece of context may be.
#[derive(Debug, Clone, PartialEq)]
pub enum Allowed {
    /// Anything, as long as it is known.
    Anything,
    /// Only this is meant.
    Only(Value),
    /// One of these is meant.
    OneOf(Vec<Value>),
}

impl Context {
    /// Nothing is known.
    pub fn new() -> Self {
        Self::default()
    }

    /// The context with one more piece; an older one of that name is replaced.
    #[must_use]
    pub fn with(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.set(key, value.into());
        self
    }

    /// Puts a piece in; an older one of that name is replaced.
    pub fn set(&mut self, key: &str, value: Value) {
        match self.0.iter_mut().find(|(known, _)| known == key) {
            Some((_, old)) => *old = value,
            None => self.0.push((key.to_owned(), value)),
        }
    }

    /// A piece by its name.
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.0
            .iter()
            .find(|(known, _)| known == key)
            .map(|(_, value)| value)
    }

    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All pieces.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.0.iter().map(|(key, value)| (key.as_str(), value))
    }
}

impl Requirement {
    /// Whether this is what is required.
    pub(crate) fn is_met_by(&self, known: Option<&Value>) -> bool {
        let Some(known) = known else { return false };
        match &self.allowed {
            Allowed::Anything => true,
            Allowed::Only(value) => value.equals(known),
            Allowed::OneOf(values) => values.iter().any(|value| value.equals(known)),
        }
    }

    /// Whether nothing that is known yet contradicts it.
    pub(crate) fn is_open_to(&self, context: &Context) -> bool {
        let known = context.get(&self.key);
        known.is_none() || self.is_met_by(known)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_contradicts_nothing_and_meets_nothing() {
        let domain = Requirement {
            key: "domain".into(),
            allowed: Allowed::OneOf(vec!["light".into(), "switch".into()]),
            slot: None,
        };
        let light = Context::new().with("domain", "light");
        assert!(domain.is_open_to(&Context::new()) && domain.is_open_to(&light));
        assert!(!domain.is_open_to(&Context::new().with("domain", "lock")));
        assert!(domain.is_met_by(light.get("domain")) && !domain.is_met_by(None));
    }
}
