//! The names of a home: its things, rooms and floors, and what is known of where the device stands. They change at run time.

use std::collections::BTreeMap;

use crate::choices::Choices;
use crate::context::Context;
use crate::spoken::normalised;
use crate::value::Value;

/// The names that a sentence may hold, and what is known beside its words. Made once, and again when a name changes.
#[derive(Debug, Default)]
pub struct Home {
    lists: BTreeMap<String, Choices>,
    context: Context,
}

/// What something is called.
#[derive(Debug, Clone, PartialEq)]
pub struct Name {
    /// The name as it is said. It is never a template.
    pub said: String,
    /// What the slot holds: a name or an identifier.
    pub value: Value,
    /// What is known when it is said: `domain`, `device_class`.
    pub context: Context,
}

impl Name {
    /// A name whose value is itself.
    pub fn new(said: &str) -> Self {
        Self {
            said: said.to_owned(),
            value: Value::from(said),
            context: Context::new(),
        }
    }

    /// The name with a piece of context.
    #[must_use]
    pub fn with(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.context.set(key, value.into());
        self
    }
}

impl Home {
    /// A home without names.
    pub fn new() -> Self {
        Self::default()
    }

    /// Gives the names of a list: `name`, `area`, `floor`, or one of a skill.
    pub fn set_names(&mut self, list: &str, names: impl IntoIterator<Item = Name>) {
        let choices = names.into_iter().map(|name| {
            let said: String = normalised(&name.said).into_iter().collect();
            (said, name.value, name.context)
        });
        self.lists.insert(list.to_owned(), Choices::plain(choices));
    }

    /// The home with the names of a list.
    #[must_use]
    pub fn with_names(mut self, list: &str, names: impl IntoIterator<Item = Name>) -> Self {
        self.set_names(list, names);
        self
    }

    /// Says what is known beside the words: `area` is the room of the device.
    pub fn set_context(&mut self, key: &str, value: impl Into<Value>) {
        self.context.set(key, value.into());
    }

    /// The home with a piece of context.
    #[must_use]
    pub fn with_context(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.set_context(key, value);
        self
    }

    /// What is known beside the words.
    pub fn context(&self) -> &Context {
        &self.context
    }

    pub(crate) fn list(&self, name: &str) -> Option<&Choices> {
        self.lists.get(name)
    }
}
