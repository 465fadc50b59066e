//! What the person was told, and when: what must be true after a cut.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::dice::Dice;

/// What may be said of a thing.
pub(super) const THERE: &str = "there";
pub(super) const GONE: &str = "gone";
pub(super) const SLOW: &str = "slow";
pub(super) const USUAL: &str = "usual";

/// A thing of which something was told.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Key {
    Timer(String),
    Item(String),
    Fact(String),
    /// How fast it speaks.
    Pace,
}

/// Something that was told.
#[derive(Debug, Clone)]
pub(super) struct Claim {
    pub(super) key: Key,
    pub(super) value: String,
    /// Operations of the disk from the request until it was told.
    span: Range<usize>,
}

/// All of it, in its order.
#[derive(Debug, Clone, Default)]
pub(super) struct Claims(Vec<Claim>);

impl Claims {
    pub(super) fn add(&mut self, key: Key, value: String, span: Range<usize>) {
        self.0.push(Claim { key, value, span });
    }

    pub(super) fn count(&self) -> usize {
        self.0.len()
    }

    pub(super) fn last(&self) -> Option<&Claim> {
        self.0.last()
    }

    /// Lists every thing once.
    pub(super) fn keys(&self) -> Vec<&Key> {
        let mut keys: Vec<&Key> = self.0.iter().map(|claim| &claim.key).collect();
        keys.sort();
        keys.dedup();
        keys
    }

    /// Gives what was told of it last.
    pub(super) fn now(&self, key: &Key) -> Option<&str> {
        let mut own = self.0.iter().rev().filter(|claim| claim.key == *key);
        own.next().map(|claim| claim.value.as_str())
    }

    /// Draws a thing of a kind that is there now.
    pub(super) fn one_that_is_there(&self, dice: &mut Dice, kind: impl Fn(&Key) -> bool) -> Option<Key> {
        let keys = self.keys().into_iter();
        let there: Vec<&Key> = keys
            .filter(|key| kind(key) && self.now(key) == Some(THERE))
            .collect();
        (!there.is_empty()).then(|| (*dice.pick(&there)).clone())
    }

    /// Draws a moment in which one of them was told.
    pub(super) fn moment_of_one(&self, dice: &mut Dice) -> Option<usize> {
        (!self.0.is_empty()).then(|| dice.pick(&self.0).span.end)
    }

    /// Lists what a thing may be after a cut: what was told last before it, or what was being done then.
    fn possible(&self, key: &Key, moment: usize) -> Vec<&str> {
        let begin = if *key == Key::Pace { USUAL } else { GONE };
        let mut possible = vec![begin];
        for claim in self.0.iter().filter(|claim| claim.key == *key) {
            if claim.span.end <= moment {
                possible = vec![&claim.value];
            } else if claim.span.start <= moment {
                possible.push(&claim.value);
            }
        }
        possible
    }

    /// Lists the things that are not as they were told to be: what they are, and what they may be.
    pub(super) fn broken(
        &self,
        moment: usize,
        found: &BTreeMap<Key, &'static str>,
    ) -> Vec<(Key, String, Vec<String>)> {
        let keys = self.keys().into_iter();
        let judged = keys.filter_map(|key| {
            let is = found.get(key).copied().unwrap_or("not looked for");
            let may = self.possible(key, moment);
            let may_be = may.iter().map(|value| (*value).to_owned()).collect();
            (!may.contains(&is)).then(|| (key.clone(), is.to_owned(), may_be))
        });
        judged.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_told_must_be_and_what_was_being_done_may_be() {
        let key = || Key::Timer("tea".to_owned());
        let mut claims = Claims::default();
        claims.add(key(), THERE.to_owned(), 10..20);
        claims.add(key(), GONE.to_owned(), 30..40);
        let broken = |moment: usize, is: &'static str| {
            !claims.broken(moment, &BTreeMap::from([(key(), is)])).is_empty()
        };
        assert!(!broken(5, GONE) && broken(5, THERE));
        assert!(!broken(15, GONE) && !broken(15, THERE));
        assert!(broken(20, GONE) && !broken(20, THERE));
        assert!(!broken(35, GONE) && !broken(35, THERE));
        assert!(!broken(40, GONE) && broken(40, THERE));
    }
}
