//! Which of the registered intents recognise an utterance. Comparing costs what the effort allows, and changes nothing.

use std::collections::BTreeMap;

use loquat_wire::Session;

use super::super::effort::{Effort, spend};
use super::super::notes;
use super::super::template::Fit;
use super::super::words::Word;
use super::{EntityKey, Intent, IntentKey, Manifest, Means};

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

impl Manifest {
    /// The intents that recognise an utterance in this language and session, the best first. Of equally good ones
    /// those of `preferred` come first.
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
        for (skills_left, intents) in (1..=armed.len()).rev().zip(armed) {
            let mut part = effort.part(skills_left);
            let fits = intents
                .into_iter()
                .filter_map(|intent| self.fit(intent, (said, lang, session), &mut part));
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
        armed.sort_by_key(|(skill_id, _)| self.weights.get(skill_id.as_str()));
        armed.into_iter().map(|(_, intents)| intents).collect()
    }

    pub(super) fn fit(
        &self,
        (key, intent): (&IntentKey, &Intent),
        (said, lang, session): (&[Word], &str, &Session),
        effort: &mut Effort,
    ) -> Option<Recognised> {
        let (slots, score) = match &*intent.means {
            Means::Templates {
                templates,
                gaps,
                excluded,
                ..
            } => {
                let cost = said.len().saturating_mul(excluded.len());
                spend(&mut effort.words, u32::try_from(cost).unwrap_or(u32::MAX))?;
                if said.iter().any(|word| excluded.contains(&word.plain)) {
                    return None;
                }
                let fits = templates
                    .iter()
                    .filter_map(|template| template.fit(said, &mut effort.templates));
                let (slots, score) = fits
                    .map(|fit| self.weighed(key, fit))
                    .filter(|(_, score)| *score > 0.0)
                    .max_by(|one, other| one.1.total_cmp(&other.1))?;
                let noted = |gap: &String| {
                    let text = notes::noted(session, &key.skill_id, gap)?;
                    Some((gap.clone(), text.to_owned()))
                };
                (filled(slots, gaps.iter().filter_map(noted)), score)
            }
            Means::Keywords(keywords) => {
                let noted = |slot: &str| notes::noted(session, &key.skill_id, slot).map(str::to_owned);
                keywords.fit((said, lang), &self.vocabulary, noted, &mut effort.words)?
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
