//! What a subscriber wants to hear. Never receives anything itself.

use std::collections::HashSet;

use loquat_wire::topic;

/// A choice of topics, in canonical names; a legacy name stands for its canonical one.
#[derive(Debug, Clone, Default)]
pub struct Topics {
    exact: HashSet<String>,
    prefixes: Vec<String>,
    all: bool,
    own: bool,
    /// The exact topics that are wanted of this client too.
    own_exact: HashSet<String>,
}

impl Topics {
    /// Names exactly these topics.
    pub fn of<T: AsRef<str>>(topics: impl IntoIterator<Item = T>) -> Self {
        let names = topics.into_iter();
        Self {
            exact: names
                .map(|name| topic::canonical_of(name.as_ref()).to_owned())
                .collect(),
            ..Self::default()
        }
    }

    /// Wants all topics whose canonical name begins like this, such as `ovos.persona.`.
    pub fn prefix(prefix: &str) -> Self {
        Self::default().or_prefix(prefix)
    }

    /// Names every topic.
    pub fn all() -> Self {
        Self {
            all: true,
            ..Self::default()
        }
    }

    /// Adds these topics.
    #[must_use]
    pub fn or<T: AsRef<str>>(mut self, topics: impl IntoIterator<Item = T>) -> Self {
        self.exact.extend(Self::of(topics).exact);
        self
    }

    /// Adds all topics that begin like this.
    #[must_use]
    pub fn or_prefix(mut self, prefix: &str) -> Self {
        self.prefixes.push(prefix.to_owned());
        self
    }

    /// Adds what this client itself emits, when it comes back from the bus.
    #[must_use]
    pub fn including_own(mut self) -> Self {
        self.own = true;
        self
    }

    /// Adds these topics, also where this client itself emits them.
    #[must_use]
    pub fn or_own<T: AsRef<str>>(mut self, topics: impl IntoIterator<Item = T>) -> Self {
        let topics = Self::of(topics).exact;
        self.exact.extend(topics.iter().cloned());
        self.own_exact.extend(topics);
        self
    }

    /// Tells whether a frame is wanted.
    pub(crate) fn want(&self, canonical: &str, own: bool) -> bool {
        (self.own || !own || self.own_exact.contains(canonical))
            && (self.all
                || self.exact.contains(canonical)
                || self
                    .prefixes
                    .iter()
                    .any(|prefix| canonical.starts_with(prefix.as_str())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn legacy_names_stand_for_canonical_ones() {
        let topics = Topics::of(["speak"]);
        assert!(topics.want(topic::SPEAK, false));
        assert!(!topics.want(topic::STOP, false));
    }

    #[test]
    fn own_frames_are_wanted_only_on_request() {
        assert!(!Topics::all().want("a.b", true));
        assert!(Topics::all().including_own().want("a.b", true));
        let some = Topics::of(["a.b"]).or_own([topic::STOP]);
        assert!(some.want("a.b", false) && !some.want("a.b", true));
        assert!(some.want(topic::STOP, false) && some.want(topic::STOP, true));
    }

    #[test]
    fn prefixes_and_names_add_up() {
        let topics = Topics::prefix("ovos.persona.").or(["ovos.stop"]);
        assert!(topics.want("ovos.persona.query", false));
        assert!(topics.want("ovos.stop", false));
        assert!(!topics.want("ovos.personal", false));
    }
}
