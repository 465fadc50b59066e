//! What the skills on this bus have registered: their intents, their fallback handlers, and that they are there.
//!
//! Bounded in every direction, since anybody may register anything; what does not fit is not taken, and the log says
//! so. The manifest records; it neither matches nor answers.

mod listing;

use std::collections::{BTreeMap, BTreeSet, HashSet};

use loquat_wire::Session;
use loquat_wire::session::DEFAULT_SESSION_ID;

use super::keyword::KeywordIntent;
use super::limits;
use super::notes::{self, Gate};
use super::template::{ALL_FUEL, Fit, Template};
use super::vocabulary::{ALL_STEPS, Owner, Refused, Vocabulary, same_language};
use super::words::Word;

/// A device with more intents than this is under attack.
const INTENTS: usize = 2000;

/// Slots with known values, fallback handlers and skills kept.
const NAMES: usize = 2000;

/// What an intent is registered under.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct IntentKey {
    /// The skill.
    pub skill_id: String,
    /// The intent, without `.intent`.
    pub intent_name: String,
    /// BCP-47; empty is every language, as old keyword intents name none.
    pub lang: String,
    /// The session it is for; `default` is for all.
    pub session_id: String,
}

/// How an intent is recognised.
#[derive(Debug, Clone)]
pub enum Means {
    /// Sentences.
    Templates {
        /// As they were registered.
        samples: Vec<String>,
        /// As they are compared.
        templates: Vec<Template>,
        /// An utterance with one of these words is another's.
        excluded: Vec<String>,
    },
    /// Words.
    Keywords(KeywordIntent),
}

/// A registered intent.
#[derive(Debug, Clone)]
pub struct Intent {
    /// How it is recognised.
    pub means: Means,
    /// Whether it is armed.
    pub enabled: bool,
    /// What has to be noted in a session for it to match.
    pub gate: Gate,
}

/// A fallback handler of another skill.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FallbackHandler {
    /// The skill.
    pub skill_id: String,
    /// Lower is asked earlier.
    pub priority: i64,
    /// The session it is for; `default` is for all.
    pub session_id: String,
}

/// An intent that recognised an utterance.
#[derive(Debug, Clone, PartialEq)]
pub struct Recognised {
    /// Whose.
    pub skill_id: String,
    /// Which.
    pub intent_name: String,
    /// What filled its gaps.
    pub slots: Vec<(String, String)>,
    /// How much of the utterance it foresaw, up to 1.0.
    pub score: f64,
}

/// What the known values of a slot are registered under.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct EntityKey {
    /// The skill.
    pub skill_id: String,
    /// The slot.
    pub name: String,
    /// BCP-47; empty is every language.
    pub lang: String,
}

/// Everything registered.
#[derive(Debug, Clone, Default)]
pub struct Manifest {
    intents: BTreeMap<IntentKey, Intent>,
    vocabulary: Vocabulary,
    entities: BTreeMap<EntityKey, HashSet<String>>,
    fallbacks: Vec<FallbackHandler>,
    /// Skills that registered in the vocabulary of the specifications, and so leave the end marker to us.
    modern: BTreeSet<String>,
    /// Skills that registered in the older vocabulary, and so read slots beside `utterance`.
    older: BTreeSet<String>,
    capabilities: BTreeMap<String, Vec<String>>,
    /// Skills that take part in common query.
    knowing: BTreeSet<String>,
    /// What the texts of all this weigh, by skill.
    weights: BTreeMap<String, usize>,
}

impl Means {
    /// Sentences, with those left out that make no sense.
    pub fn templates(samples: Vec<String>, excluded: Vec<String>) -> Self {
        let templates = samples
            .iter()
            .filter_map(|sample| Template::parse(sample))
            .collect();
        Self::Templates {
            samples,
            templates,
            excluded,
        }
    }

    fn weight(&self) -> usize {
        match self {
            Self::Templates {
                samples, excluded, ..
            } => limits::weight(samples.iter().chain(excluded)),
            Self::Keywords(intent) => intent.weight(),
        }
    }
}

impl Manifest {
    /// Takes an intent; one that is known is replaced, and stays disabled if it was.
    pub fn register(&mut self, key: IntentKey, means: Means, gate: Gate) {
        let known = self.intents.get(&key);
        let enabled = known.is_none_or(|known| known.enabled);
        let own = self.intents.keys().filter(|other| other.skill_id == key.skill_id);
        let full = self.intents.len() >= INTENTS || own.count() >= limits::share(INTENTS);
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
        self.intents.insert(key, Intent { means, enabled, gate });
    }

    /// Counts a weight of a skill in place of another; `false` where there is no room for it.
    fn makes_room(&mut self, skill_id: &str, before: usize, after: usize) -> bool {
        let all: usize = self.weights.values().sum();
        let own = self.weights.get(skill_id).copied().unwrap_or_default();
        let with = |weight: usize| weight.saturating_sub(before) + after;
        let fits = with(all) <= limits::ALL && with(own) <= limits::share(limits::ALL);
        match with(own) {
            _ if !fits => {}
            // Whoever has nothing is not remembered: ids are made up faster than they are forgotten.
            0 => {
                self.weights.remove(skill_id);
            }
            weight => {
                self.weights.insert(skill_id.to_owned(), weight);
            }
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
        let mut weights = BTreeMap::new();
        for (skill_id, weight) in intents.chain(values).chain(self.vocabulary.weights()) {
            *weights.entry(skill_id.clone()).or_default() += weight;
        }
        self.weights = weights;
    }

    /// Notes in which vocabulary a skill registers.
    pub fn note_vocabulary(&mut self, skill_id: &str, modern: bool) {
        let noted = if modern { &mut self.modern } else { &mut self.older };
        if noted.len() < NAMES {
            noted.insert(skill_id.to_owned());
        }
    }

    /// Whether a skill leaves the end marker to the orchestrator for sure.
    pub fn is_modern(&self, skill_id: &str) -> bool {
        self.modern.contains(skill_id)
    }

    /// Whether a skill reads its slots beside `utterance`, as all did before the specifications.
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

    /// Sets the values that a slot of a skill is known to have.
    pub fn set_entity(&mut self, key: EntityKey, values: &[String]) {
        let values: HashSet<String> = values.iter().map(|value| value.to_lowercase()).collect();
        let known = self.entities.get(&key);
        let own = self
            .entities
            .keys()
            .filter(|other| other.skill_id == key.skill_id);
        let full = self.entities.len() >= NAMES || own.count() >= limits::share(NAMES);
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
        self.entities.insert(key, values);
    }

    /// Forgets the values of a slot, in one language or in all.
    pub fn remove_entity(&mut self, skill_id: &str, name: &str, lang: Option<&str>) {
        self.entities.retain(|key, _| {
            key.skill_id != skill_id || key.name != name || lang.is_some_and(|lang| key.lang != lang)
        });
        self.weigh();
    }

    /// Forgets an intent, in one language or in all, as far as the session may.
    pub fn deregister(&mut self, skill_id: &str, intent_name: &str, lang: Option<&str>, session_id: &str) {
        self.intents.retain(|key, _| {
            key.skill_id != skill_id
                || key.intent_name != intent_name
                || lang.is_some_and(|lang| key.lang != lang)
                || !reaches(session_id, &key.session_id)
        });
        self.weigh();
    }

    /// Forgets a skill, as far as the session may.
    pub fn forget(&mut self, skill_id: &str, session_id: &str) {
        self.intents
            .retain(|key, _| key.skill_id != skill_id || !reaches(session_id, &key.session_id));
        self.remove_fallback(skill_id, session_id);
        if session_id != DEFAULT_SESSION_ID {
            return self.weigh();
        }
        self.entities.retain(|key, _| key.skill_id != skill_id);
        self.vocabulary.forget(skill_id);
        self.weigh();
        self.modern.remove(skill_id);
        self.older.remove(skill_id);
        self.capabilities.remove(skill_id);
        self.knowing.remove(skill_id);
    }

    /// Arms or disarms an intent; a name without a skill means it of every skill, as the older message does.
    pub fn enable(&mut self, skill_id: Option<&str>, intent_name: &str, enabled: bool) {
        for (key, intent) in &mut self.intents {
            if key.intent_name == intent_name && skill_id.is_none_or(|id| id == key.skill_id) {
                intent.enabled = enabled;
            }
        }
    }

    /// Takes a fallback handler; one of the same skill and session is replaced.
    pub fn add_fallback(&mut self, handler: FallbackHandler) {
        let same = |known: &FallbackHandler| {
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
        self.fallbacks.push(handler);
        self.fallbacks.sort_by_key(|handler| handler.priority);
    }

    /// Forgets a fallback handler, as far as the session may.
    pub fn remove_fallback(&mut self, skill_id: &str, session_id: &str) {
        self.fallbacks
            .retain(|handler| handler.skill_id != skill_id || !reaches(session_id, &handler.session_id));
    }

    /// The fallback handlers of a session with a priority in the range, the first to be asked first and none twice.
    pub fn fallbacks(&self, session_id: &str, band: std::ops::RangeInclusive<i64>) -> Vec<&FallbackHandler> {
        let own = |handler: &&FallbackHandler| {
            band.contains(&handler.priority)
                && (handler.session_id == DEFAULT_SESSION_ID || handler.session_id == session_id)
        };
        let mut seen = BTreeSet::new();
        let handlers = self.fallbacks.iter().filter(own);
        handlers
            .filter(|handler| seen.insert(&handler.skill_id))
            .collect()
    }

    /// Notes that a skill takes part in common query.
    pub fn note_knowing(&mut self, skill_id: &str) {
        if self.knowing.len() < NAMES {
            self.knowing.insert(skill_id.to_owned());
        }
    }

    /// Skills that take part in common query.
    pub fn knowing(&self) -> impl Iterator<Item = &str> {
        self.knowing.iter().map(String::as_str)
    }

    /// Notes what a skill says it can do.
    pub fn set_capabilities(&mut self, skill_id: &str, capabilities: Vec<String>) {
        if self.capabilities.len() < NAMES {
            self.capabilities.insert(skill_id.to_owned(), capabilities);
        }
    }

    /// The intents that recognise an utterance in this language and session, the best first. Of equally good ones
    /// those of `preferred` come first.
    ///
    /// Skills share the steps that comparisons may take: those with less to compare come first, each may take as much as
    /// each that is left, and what they leave is for the others. So nobody is without, whatever others register.
    pub fn recognise(
        &self,
        said: &[Word],
        lang: &str,
        session: &Session,
        preferred: &str,
    ) -> Vec<Recognised> {
        let (mut steps_left, mut words_left) = (ALL_FUEL, ALL_STEPS);
        let mut found = Vec::new();
        let armed = self.armed(lang, session);
        for (skills_left, intents) in (1..=armed.len() as u32).rev().zip(armed) {
            let (mut steps, mut words) = (steps_left / skills_left, words_left / skills_left);
            (steps_left, words_left) = (steps_left - steps, words_left - words);
            let fits = intents
                .into_iter()
                .filter_map(|intent| self.fit(intent, (said, lang, session), &mut steps, &mut words));
            found.extend(fits);
            (steps_left, words_left) = (steps_left + steps, words_left + words);
        }
        found.sort_by(|one, other| {
            let own = |found: &Recognised| found.skill_id == preferred;
            other
                .score
                .total_cmp(&one.score)
                .then_with(|| own(other).cmp(&own(one)))
                .then_with(|| one.skill_id.cmp(&other.skill_id))
        });
        found
    }

    /// The intents of each skill that may match in this language and session, the skill with the least to compare first.
    fn armed(&self, lang: &str, session: &Session) -> Vec<Vec<(&IntentKey, &Intent)>> {
        let is_armed = |(key, intent): &(&IntentKey, &Intent)| {
            intent.enabled && key.is_for(lang, session.id()) && intent.gate.is_open(session)
        };
        let mut by_skill: BTreeMap<&String, Vec<_>> = BTreeMap::new();
        for (key, intent) in self.intents.iter().filter(is_armed) {
            by_skill.entry(&key.skill_id).or_default().push((key, intent));
        }
        let mut armed: Vec<_> = by_skill.into_iter().collect();
        armed.sort_by_key(|(skill_id, _)| self.weights.get(*skill_id));
        armed.into_iter().map(|(_, intents)| intents).collect()
    }

    fn fit(
        &self,
        (key, intent): (&IntentKey, &Intent),
        (said, lang, session): (&[Word], &str, &Session),
        steps_left: &mut u32,
        words_left: &mut u32,
    ) -> Option<Recognised> {
        let (slots, score) = match &intent.means {
            Means::Templates {
                templates, excluded, ..
            } => {
                let named = templates.iter().flat_map(Template::slots);
                let noted: BTreeMap<&str, &str> = named
                    .filter_map(|slot| Some((slot, notes::noted(session, &key.skill_id, slot)?)))
                    .collect();
                if said.iter().any(|word| excluded.contains(&word.plain)) {
                    return None;
                }
                let fits = templates
                    .iter()
                    .filter_map(|template| template.fit(said, steps_left));
                fits.map(|fit| self.weighed(key, fit))
                    .filter(|(_, score)| *score > 0.0)
                    .max_by(|one, other| one.1.total_cmp(&other.1))
                    .map(|(slots, score)| (filled(slots, noted), score))?
            }
            Means::Keywords(keywords) => {
                let noted = |slot: &str| notes::noted(session, &key.skill_id, slot).map(str::to_owned);
                keywords.fit((said, lang), &self.vocabulary, noted, words_left)?
            }
        };
        Some(Recognised {
            skill_id: key.skill_id.clone(),
            intent_name: key.intent_name.clone(),
            slots,
            score,
        })
    }

    /// A slot whose values are known is worth less with another one.
    fn weighed(&self, intent: &IntentKey, fit: Fit) -> (Vec<(String, String)>, f64) {
        let strange = |(name, text): &&(String, String)| {
            let known = [intent.lang.as_str(), ""].into_iter().find_map(|lang| {
                self.entities.get(&EntityKey {
                    skill_id: intent.skill_id.clone(),
                    name: name.clone(),
                    lang: lang.to_owned(),
                })
            });
            known.is_some_and(|values| !values.contains(&text.to_lowercase()))
        };
        let strange = fit.slots.iter().filter(strange).count();
        let score = fit.score / (1 + strange) as f64;
        (fit.slots, score)
    }
}

/// The slots that were filled, and those that only a note fills.
fn filled(mut slots: Vec<(String, String)>, noted: BTreeMap<&str, &str>) -> Vec<(String, String)> {
    for (name, text) in noted {
        if !slots.iter().any(|(known, _)| known == name) {
            slots.push((name.to_owned(), text.to_owned()));
        }
    }
    slots
}

impl IntentKey {
    fn is_for(&self, lang: &str, session_id: &str) -> bool {
        let own_session = self.session_id == DEFAULT_SESSION_ID || self.session_id == session_id;
        own_session && same_language(&self.lang, lang)
    }
}

/// Whether what a session takes back may be what another has registered: the device's own stands for all, any other only
/// for itself (INTENT-4 §11).
fn reaches(session_id: &str, registered_in: &str) -> bool {
    session_id == DEFAULT_SESSION_ID || session_id == registered_in
}

#[cfg(test)]
mod tests;
