//! The manifest as others are shown it (INTENT-4 §10).

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{Intent, IntentKey, Manifest, Means};
use crate::payload::with;

impl Manifest {
    /// The entries of `ovos.intent.list.response`, filtered by what the request names.
    pub fn listing(&self, lang: Option<&str>, skill_id: Option<&str>) -> Vec<Value> {
        let wanted = |key: &&IntentKey| {
            lang.is_none_or(|lang| key.lang == lang) && skill_id.is_none_or(|id| key.skill_id == id)
        };
        let entry = |key: &IntentKey| {
            let intent = self.intents.get(key);
            let method = match intent.map(|intent| &intent.means) {
                Some(Means::Keywords(_)) => "keyword",
                _ => "template",
            };
            json!({"skill_id": key.skill_id, "intent_name": key.intent_name, "lang": key.lang, "method": method,
                   "enabled": intent.is_some_and(|intent| intent.enabled), "session_id": key.session_id})
        };
        self.intents.keys().filter(wanted).map(entry).collect()
    }

    /// What `ovos.intent.describe` shows of one intent, once for each language.
    pub fn description(&self, skill_id: &str, intent_name: &str) -> Vec<Value> {
        let wanted =
            |(key, _): &(&IntentKey, &Intent)| key.skill_id == skill_id && key.intent_name == intent_name;
        let entry = |(key, intent): (&IntentKey, &Intent)| {
            let samples = match &intent.means {
                Means::Templates { samples, .. } => json!(samples),
                Means::Keywords(_) => Value::Null,
            };
            let mut entry = json!({"skill_id": key.skill_id, "intent_name": key.intent_name, "lang": key.lang,
                                   "enabled": intent.enabled, "session_id": key.session_id});
            if !samples.is_null() {
                entry = with(entry, "samples", samples);
            }
            entry
        };
        self.intents.iter().filter(wanted).map(entry).collect()
    }

    /// The entries of `ovos.skills.list.response`.
    pub fn skills(&self) -> Vec<Value> {
        let owners = self.intents.keys().map(|key| key.skill_id.as_str());
        let fallbacks = self.fallbacks.iter().map(|handler| handler.skill_id.as_str());
        let loaded = self.capabilities.keys().map(String::as_str);
        let ids: BTreeSet<&str> = owners.chain(fallbacks).chain(loaded).collect();
        let entry = |id: &&str| {
            let intents: BTreeSet<&str> = self
                .intents
                .keys()
                .filter(|key| key.skill_id == **id)
                .map(|key| key.intent_name.as_str())
                .collect();
            let mut capabilities = self.capabilities.get(*id).cloned().unwrap_or_default();
            let falls_back = self.fallbacks.iter().any(|handler| handler.skill_id == **id);
            if falls_back && !capabilities.iter().any(|known| known == "fallback") {
                capabilities.push("fallback".to_owned());
            }
            json!({"skill_id": id, "session_id": "default", "capabilities": capabilities, "intents": intents})
        };
        ids.iter().map(entry).collect()
    }
}
