//! What the skills on this bus have registered: their intents, their fallback handlers, and that they are there.
//!
//! Bounded in every direction, since anybody may register anything; what does not fit is not taken, and the log says
//! so. The manifest records; it neither matches nor answers.
//!
//! A clone shares everything with its original until one of them is changed, and then all but what has changed:
//! searches hold the manifest as it was while skills go on registering.

mod callable;
mod intent;
mod listing;
mod recognition;

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::Arc;

use loquat_wire::session::DEFAULT_SESSION_ID;
use rpds::{RedBlackTreeMapSync as Map, RedBlackTreeSetSync as Set};

pub use self::callable::{Callable, Gap, Unworded, Worded, Wording};
pub use self::intent::{Intent, IntentKey, Means, without_brackets};
pub use self::recognition::{Recognised, slots};
use super::limits;
use super::notes::Gate;
use super::vocabulary::{Owner, Refused, Vocabulary, same_language};

/// A device with more intents than this is under attack. Ours are not among them.
const INTENTS: usize = 6000;

/// Slots with known values, fallback handlers and skills kept.
const NAMES: usize = 2000;

/// A fallback handler of another skill.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FallbackHandler {
    /// It belongs to this skill.
    pub skill_id: String,
    /// Lower is asked earlier.
    pub priority: i64,
    /// The session it is for; `default` is for all.
    pub session_id: String,
}

/// What the known values of a slot are registered under.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct EntityKey {
    /// It belongs to this skill.
    pub skill_id: String,
    /// The slot is called so.
    pub name: String,
    /// BCP-47; empty is every language.
    pub lang: String,
}

/// Everything registered.
#[derive(Debug, Clone, Default)]
pub struct Manifest {
    intents: Map<IntentKey, Intent>,
    vocabulary: Vocabulary,
    entities: Map<EntityKey, HashSet<String>>,
    /// The first to be asked comes first.
    fallbacks: Vec<Arc<FallbackHandler>>,
    /// Skills that registered in the vocabulary of the specifications, and so leave the end marker to us.
    modern: Set<String>,
    /// Skills that registered in the older vocabulary, and so read slots beside `utterance`.
    older: Set<String>,
    capabilities: Map<String, Vec<String>>,
    /// Skills that take part in common query.
    knowing: Set<String>,
    /// The texts of each skill weigh so much.
    weights: Map<String, usize>,
}

impl Manifest {
    /// Takes an intent; one that is known is replaced, and stays disabled if it was.
    pub fn register(&mut self, key: IntentKey, means: Means, gate: Gate) {
        let known = self.intents.get(&key);
        let enabled = known.is_none_or(|known| known.enabled);
        let own = self.intents.keys().filter(|other| other.skill_id == key.skill_id);
        let full = self.intents.size() >= INTENTS || own.count() >= limits::share(INTENTS);
        let full = known.is_none() && full;
        let before = known.map_or(0, |known| known.means.weight());
        if full || !self.makes_room(&key.skill_id, before, means.weight()) {
            let IntentKey {
                skill_id,
                intent_name,
                ..
            } = &key;
            tracing::warn!(
                skill_id,
                intent_name,
                "an intent is not taken: skills have registered too much"
            );
            return;
        }
        let means = Arc::new(means);
        self.intents.insert_mut(key, Intent { means, enabled, gate });
    }

    /// Counts a weight of a skill in place of another; `false` where there is no room for it.
    fn makes_room(&mut self, skill_id: &str, before: usize, after: usize) -> bool {
        let all: usize = self.weights.values().sum();
        let own = self.weights.get(skill_id).copied().unwrap_or_default();
        let with = |weight: usize| weight.saturating_sub(before) + after;
        let fits = with(all) <= limits::ALL && with(own) <= limits::share(limits::ALL);
        match with(own) {
            _ if !fits => {}
            // A skill that has nothing is not remembered: ids are made up faster than they are forgotten.
            0 => {
                self.weights.remove_mut(skill_id);
            }
            weight => self.weights.insert_mut(skill_id.to_owned(), weight),
        }
        fits
    }

    /// Weighs again what is left.
    fn weigh(&mut self) {
        let intents = self
            .intents
            .iter()
            .map(|(key, intent)| (&key.skill_id, intent.means.weight()));
        let values = self
            .entities
            .iter()
            .map(|(key, values)| (&key.skill_id, limits::weight(values)));
        let mut weights: BTreeMap<&String, usize> = BTreeMap::new();
        for (skill_id, weight) in intents.chain(values).chain(self.vocabulary.weights()) {
            *weights.entry(skill_id).or_default() += weight;
        }
        let weights = weights.into_iter();
        self.weights = weights
            .map(|(skill_id, weight)| (skill_id.clone(), weight))
            .collect();
    }

    /// Notes in which vocabulary a skill registers.
    pub fn note_vocabulary(&mut self, skill_id: &str, modern: bool) {
        let noted = if modern { &mut self.modern } else { &mut self.older };
        if noted.size() < NAMES {
            noted.insert_mut(skill_id.to_owned());
        }
    }

    /// Tells whether a skill leaves the end marker to the orchestrator for sure.
    pub fn is_modern(&self, skill_id: &str) -> bool {
        self.modern.contains(skill_id)
    }

    /// Tells whether a skill reads its slots beside `utterance`, as all did before the specifications.
    pub fn is_older(&self, skill_id: &str) -> bool {
        self.older.contains(skill_id)
    }

    /// Adds a sample of a keyword that is registered on its own.
    pub fn add_vocabulary(&mut self, kind: &str, owner: Owner, sample: &str) -> Result<(), Refused> {
        let weight = limits::weight([&sample.to_owned()]);
        let skill_id = owner.skill_id.clone();
        if sample.len() > limits::LONGEST || !self.makes_room(&skill_id, 0, weight) {
            return Err(Refused::Full);
        }
        let taken = self.vocabulary.add(kind, owner, sample);
        if taken != Ok(true) {
            self.makes_room(&skill_id, weight, 0);
        }
        taken.map(|_| ())
    }

    /// Adds a pattern whose named groups are keywords.
    pub fn add_pattern(&mut self, pattern: &str, owner: &Owner) -> Result<(), Refused> {
        self.vocabulary.add_pattern(pattern, owner)
    }

    /// Gives the known values of all slots in this language.
    pub fn values(&self, lang: &str) -> impl Iterator<Item = &str> {
        let is_spoken = |(key, _): &(&EntityKey, _)| key.lang.is_empty() || same_language(&key.lang, lang);
        let values = self.entities.iter().filter(is_spoken);
        values.flat_map(|(_, values)| values.iter().map(String::as_str))
    }

    /// Sets the values that a slot of a skill is known to have.
    pub fn set_entity(&mut self, key: EntityKey, values: &[String]) {
        let values: HashSet<String> = values.iter().map(|value| value.to_lowercase()).collect();
        let known = self.entities.get(&key);
        let own = self
            .entities
            .keys()
            .filter(|other| other.skill_id == key.skill_id);
        let full = self.entities.size() >= NAMES || own.count() >= limits::share(NAMES);
        let full = known.is_none() && full;
        let before = known.map_or(0, limits::weight);
        if full || !self.makes_room(&key.skill_id, before, limits::weight(&values)) {
            let EntityKey { skill_id, name, .. } = &key;
            tracing::warn!(
                skill_id,
                name,
                "the values of a slot are not taken: skills have registered too much"
            );
            return;
        }
        self.entities.insert_mut(key, values);
    }

    /// Forgets the values of a slot, in one language or in all.
    pub fn remove_entity(&mut self, skill_id: &str, name: &str, lang: Option<&str>) {
        let meant = |key: &EntityKey| {
            key.skill_id == skill_id && key.name == name && lang.is_none_or(|lang| key.lang == lang)
        };
        if remove(&mut self.entities, meant) {
            self.weigh();
        }
    }

    /// Forgets an intent, in one language or in all, as far as the session may.
    pub fn deregister(&mut self, skill_id: &str, intent_name: &str, lang: Option<&str>, session_id: &str) {
        let meant = |key: &IntentKey| {
            key.skill_id == skill_id
                && key.intent_name == intent_name
                && lang.is_none_or(|lang| key.lang == lang)
                && reaches(session_id, &key.session_id)
        };
        if remove(&mut self.intents, meant) {
            self.weigh();
        }
    }

    /// Forgets a skill, as far as the session may.
    pub fn forget(&mut self, skill_id: &str, session_id: &str) {
        let meant = |key: &IntentKey| key.skill_id == skill_id && reaches(session_id, &key.session_id);
        let mut gone = remove(&mut self.intents, meant);
        self.remove_fallback(skill_id, session_id);
        if session_id == DEFAULT_SESSION_ID {
            gone |= remove(&mut self.entities, |key| key.skill_id == skill_id);
            gone |= self.vocabulary.forget(skill_id);
            self.modern.remove_mut(skill_id);
            self.older.remove_mut(skill_id);
            self.capabilities.remove_mut(skill_id);
            self.knowing.remove_mut(skill_id);
        }
        if gone {
            self.weigh();
        }
    }

    /// Arms or disarms an intent; a name without a skill means it of every skill, as the older message does.
    pub fn enable(&mut self, skill_id: Option<&str>, intent_name: &str, enabled: bool) {
        let meant = self.intents.iter().filter(|(key, intent)| {
            key.intent_name == intent_name
                && skill_id.is_none_or(|id| id == key.skill_id)
                && intent.enabled != enabled
        });
        let changed: Vec<(IntentKey, Intent)> =
            meant.map(|(key, intent)| (key.clone(), intent.clone())).collect();
        for (key, intent) in changed {
            self.intents.insert_mut(key, Intent { enabled, ..intent });
        }
    }

    /// Takes a fallback handler; one of the same skill and session is replaced.
    pub fn add_fallback(&mut self, handler: FallbackHandler) {
        let same = |known: &Arc<FallbackHandler>| {
            known.skill_id == handler.skill_id && known.session_id == handler.session_id
        };
        self.fallbacks.retain(|known| !same(known));
        let own = self
            .fallbacks
            .iter()
            .filter(|known| known.skill_id == handler.skill_id);
        if self.fallbacks.len() >= NAMES || own.count() >= limits::share(NAMES) {
            tracing::warn!(
                skill_id = handler.skill_id,
                "a fallback handler is not taken: there are too many"
            );
            return;
        }
        self.fallbacks.push(Arc::new(handler));
        self.fallbacks.sort_by_key(|handler| handler.priority);
    }

    /// Forgets a fallback handler, as far as the session may.
    pub fn remove_fallback(&mut self, skill_id: &str, session_id: &str) {
        self.fallbacks
            .retain(|handler| handler.skill_id != skill_id || !reaches(session_id, &handler.session_id));
    }

    /// The fallback handlers of a session with a priority in the range, the first to be asked first and none twice.
    pub fn fallbacks(&self, session_id: &str, band: std::ops::RangeInclusive<i64>) -> Vec<&FallbackHandler> {
        let own = |handler: &&Arc<FallbackHandler>| {
            band.contains(&handler.priority)
                && (handler.session_id == DEFAULT_SESSION_ID || handler.session_id == session_id)
        };
        let mut seen = BTreeSet::new();
        let handlers = self.fallbacks.iter().filter(own);
        handlers
            .filter(|handler| seen.insert(&handler.skill_id))
            .map(AsRef::as_ref)
            .collect()
    }

    /// Notes that a skill takes part in common query.
    pub fn note_knowing(&mut self, skill_id: &str) {
        if self.knowing.size() < NAMES {
            self.knowing.insert_mut(skill_id.to_owned());
        }
    }

    /// Names the skills that take part in common query.
    pub fn knowing(&self) -> impl Iterator<Item = &str> {
        self.knowing.iter().map(String::as_str)
    }

    /// Notes what a skill says it can do.
    pub fn set_capabilities(&mut self, skill_id: &str, capabilities: Vec<String>) {
        if self.capabilities.size() < NAMES {
            self.capabilities.insert_mut(skill_id.to_owned(), capabilities);
        }
    }
}

/// Takes out what is meant. Whether anything was.
fn remove<K: Ord + Clone, V>(map: &mut Map<K, V>, meant: impl Fn(&K) -> bool) -> bool {
    let gone: Vec<K> = map.keys().filter(|key| meant(key)).cloned().collect();
    for key in &gone {
        map.remove_mut(key);
    }
    !gone.is_empty()
}

/// Tells whether what a session takes back may be what another has registered: the device's own stands for
/// all, any other only for itself (INTENT-4 §11).
fn reaches(session_id: &str, registered_in: &str) -> bool {
    session_id == DEFAULT_SESSION_ID || session_id == registered_in
}

#[cfg(test)]
mod tests;
