//! Which of the registered intents recognise an utterance. Comparing costs what the effort allows, and changes nothing.

use std::collections::{BTreeMap, HashSet};

use loquat_sentences::words::Word;
use loquat_sentences::{Fit, Fitting, Utterance};
use loquat_wire::Session;
use serde_json::{Map, Value};

use super::super::effort::{Effort, spend};
use super::super::notes;
use super::{EntityKey, Intent, IntentKey, Manifest, Means};

/// An intent that recognised an utterance.
#[derive(Debug, Clone, PartialEq)]
pub struct Recognised {
    /// The intent is this skill's.
    pub skill_id: String,
    /// The skill calls the intent so.
    pub intent_name: String,
    /// These words filled its gaps.
    pub slots: Vec<(String, String)>,
    /// It foresaw this share of the utterance, up to 1.0.
    pub score: f64,
}

/// An utterance, with the language and the session in which it was said.
#[derive(Clone, Copy)]
pub(super) struct Spoken<'a> {
    pub(super) said: &'a Utterance,
    pub(super) lang: &'a str,
    pub(super) session: &'a Session,
}

impl Manifest {
    /// Finds the intents that recognise an utterance in this language and session, the best first. Of equally
    /// good ones those of `preferred` come first.
    ///
    /// Skills share the steps that comparisons may take: those with less to compare come first, each may take as much as
    /// each that is left, and what they leave is for the others. So no skill is without, whatever others register. Where a
    /// skill's part was too small, the effort is spent.
    pub fn recognise(
        &self,
        said: &[Word],
        lang: &str,
        session: &Session,
        preferred: &str,
        effort: &mut Effort,
    ) -> Vec<Recognised> {
        let mut found = Vec::new();
        let armed = self.armed(lang, session);
        let said = &Utterance::new(said);
        let spoken = Spoken { said, lang, session };
        for (skills_left, intents) in (1..=armed.len()).rev().zip(armed) {
            let mut part = effort.part(skills_left);
            let fits = intents
                .into_iter()
                .filter_map(|(key, intent)| self.fit(key, intent, spoken, &mut part));
            found.extend(fits);
            effort.give_back(&part);
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

    /// Lists the intents of each skill that may match in this language and session, the skill with the least
    /// to compare first.
    fn armed(&self, lang: &str, session: &Session) -> Vec<Vec<(&IntentKey, &Intent)>> {
        let is_armed = |(key, intent): &(&IntentKey, &Intent)| {
            intent.enabled && key.is_for(lang, session.id()) && intent.gate.is_open(session)
        };
        let mut by_skill: BTreeMap<&String, Vec<_>> = BTreeMap::new();
        for (key, intent) in self.intents.iter().filter(is_armed) {
            by_skill.entry(&key.skill_id).or_default().push((key, intent));
        }
        let mut armed: Vec<_> = by_skill.into_iter().collect();
        armed.sort_by_key(|(skill_id, _)| self.weights.get(skill_id.as_str()));
        armed.into_iter().map(|(_, intents)| intents).collect()
    }

    pub(super) fn fit(
        &self,
        key: &IntentKey,
        intent: &Intent,
        Spoken { said, lang, session }: Spoken<'_>,
        effort: &mut Effort,
    ) -> Option<Recognised> {
        let (slots, score) = match &*intent.means {
            Means::Templates {
                sentences,
                gaps,
                excluded,
                ..
            } => {
                let words = said.words();
                let cost = words.len().saturating_mul(excluded.len());
                spend(&mut effort.words, u32::try_from(cost).unwrap_or(u32::MAX))?;
                if words.iter().any(|word| excluded.contains(&word.plain)) {
                    return None;
                }
                let fits = sentences.fits(said, Fitting::ALL, &mut effort.templates);
                let (slots, score) = self.best_of(key, fits)?;
                let noted = |gap: &String| {
                    let text = notes::noted(session, &key.skill_id, gap)?;
                    Some((gap.clone(), text.to_owned()))
                };
                (filled(slots, gaps.iter().filter_map(noted)), score)
            }
            Means::Keywords(keywords) => {
                let noted = |slot: &str| notes::noted(session, &key.skill_id, slot).map(str::to_owned);
                keywords.fit(said.words(), lang, &self.vocabulary, noted, &mut effort.words)?
            }
        };
        Some(Recognised {
            skill_id: key.skill_id.clone(),
            intent_name: key.intent_name.clone(),
            slots,
            score,
        })
    }

    /// Chooses the fit that foresees most of the words, and says how much; of equally good ones it is the
    /// first. A slot whose values are known is worth less with another one.
    fn best_of(&self, intent: &IntentKey, fits: Vec<Fit<'_>>) -> Option<(Vec<(String, String)>, f64)> {
        let mut values: BTreeMap<String, Option<&HashSet<String>>> = BTreeMap::new();
        let mut best: Option<(Fit<'_>, f64)> = None;
        for fit in fits {
            let mut strange = 0;
            for (name, text) in &fit.slots {
                let known = values.entry(name.clone());
                let known = known.or_insert_with(|| self.known_values(intent, name));
                strange += usize::from(known.is_some_and(|values| !values.contains(&text.to_lowercase())));
            }
            let score = fit.score / (1 + strange) as f64;
            if score > best.as_ref().map_or(0.0, |(_, score)| *score) {
                best = Some((fit, score));
            }
        }
        best.map(|(fit, score)| (fit.slots, score))
    }

    pub(super) fn known_values(&self, intent: &IntentKey, slot: &str) -> Option<&HashSet<String>> {
        [intent.lang.as_str(), ""].into_iter().find_map(|lang| {
            self.entities.get(&EntityKey {
                skill_id: intent.skill_id.clone(),
                name: slot.to_owned(),
                lang: lang.to_owned(),
            })
        })
    }
}

/// Gathers the slots that were filled, and those that only a note fills.
fn filled(
    mut slots: Vec<(String, String)>,
    noted: impl Iterator<Item = (String, String)>,
) -> Vec<(String, String)> {
    for (name, text) in noted {
        if !slots.iter().any(|(known, _)| *known == name) {
            slots.push((name, text));
        }
    }
    slots
}

/// Writes slots as a JSON object.
pub fn slots(slots: &[(String, String)]) -> Map<String, Value> {
    slots
        .iter()
        .map(|(name, text)| (name.clone(), Value::from(text.as_str())))
        .collect()
}
