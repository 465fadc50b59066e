//! The manifest as others are shown it (INTENT-4 §10).

use std::collections::{BTreeMap, BTreeSet};

use loquat_wire::with;
use serde_json::{Value, json};

use super::{Intent, IntentKey, Manifest, Means};

impl IntentKey {
    /// Tells whether a request for all intents that names a language or a skill means it.
    pub fn is_asked_for(&self, lang: Option<&str>, skill_id: Option<&str>) -> bool {
        lang.is_none_or(|lang| self.lang == lang) && skill_id.is_none_or(|id| self.skill_id == id)
    }

    /// Writes its entry in `ovos.intent.list.response`. The method is `template` or `keyword`.
    pub fn listed(&self, method: &str, enabled: bool) -> Value {
        json!({"skill_id": self.skill_id, "intent_name": self.intent_name, "lang": self.lang, "method": method,
               "enabled": enabled, "session_id": self.session_id})
    }

    /// Writes its entry in the answer to `ovos.intent.describe`, with the sentences that it has, if it is
    /// made of any.
    pub fn described(&self, samples: Option<&[String]>, enabled: bool) -> Value {
        let entry = json!({"skill_id": self.skill_id, "intent_name": self.intent_name, "lang": self.lang,
                           "enabled": enabled, "session_id": self.session_id});
        match samples {
            Some(samples) => with(entry, "samples", json!(samples)),
            None => entry,
        }
    }
}

impl Manifest {
    /// Lists the entries of `ovos.intent.list.response`, filtered by what the request names.
    pub fn listing(&self, lang: Option<&str>, skill_id: Option<&str>) -> Vec<Value> {
        let entry = |key: &IntentKey| {
            let intent = self.intents.get(key);
            let method = match intent.map(|intent| &*intent.means) {
                Some(Means::Keywords(_)) => "keyword",
                _ => "template",
            };
            key.listed(method, intent.is_some_and(|intent| intent.enabled))
        };
        let keys = self.intents.keys();
        keys.filter(|key| key.is_asked_for(lang, skill_id))
            .map(entry)
            .collect()
    }

    /// Describes one intent for `ovos.intent.describe`, once for each language.
    pub fn description(&self, skill_id: &str, intent_name: &str) -> Vec<Value> {
        let wanted =
            |(key, _): &(&IntentKey, &Intent)| key.skill_id == skill_id && key.intent_name == intent_name;
        let entry = |(key, intent): (&IntentKey, &Intent)| {
            let samples = match &*intent.means {
                Means::Templates { samples, .. } => Some(samples.as_slice()),
                Means::Keywords(_) => None,
            };
            key.described(samples, intent.enabled)
        };
        self.intents.iter().filter(wanted).map(entry).collect()
    }

    /// Lists the entries of `ovos.skills.list.response`.
    pub fn skills(&self) -> Vec<Value> {
        let mut by_skill: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for key in self.intents.keys() {
            let intents = by_skill.entry(&key.skill_id).or_default();
            intents.insert(&key.intent_name);
        }
        let fall_back = self.fallbacks.iter().map(|handler| handler.skill_id.as_str());
        let fall_back: BTreeSet<&str> = fall_back.collect();
        for id in fall_back
            .iter()
            .copied()
            .chain(self.capabilities.keys().map(String::as_str))
        {
            by_skill.entry(id).or_default();
        }
        let entry = |(id, intents): (&str, BTreeSet<&str>)| {
            let mut capabilities = self.capabilities.get(id).cloned().unwrap_or_default();
            if fall_back.contains(id) && !capabilities.iter().any(|known| known == "fallback") {
                capabilities.push("fallback".to_owned());
            }
            json!({"skill_id": id, "session_id": "default", "capabilities": capabilities, "intents": intents})
        };
        by_skill.into_iter().map(entry).collect()
    }
}
