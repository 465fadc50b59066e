//! Reading registrations, in both vocabularies, into the manifest. Registrations are never answered (INTENT-4 §2).

use loquat_wire::{Message, language, topic};
use serde_json::Value;

use super::keyword::{Keyword, KeywordIntent, Samples};
use super::limits::{self, Source};
use super::manifest::{EntityKey, FallbackHandler, IntentKey, Manifest, Means};
use super::notes::Gate;
use super::vocabulary::{Owner, compared};

pub use super::manifest::slots;

/// A fallback handler that names no priority is asked last.
const LAST: i64 = 101;

/// Every topic that [`take`] reads.
pub const TOPICS: [&str; 15] = [
    topic::INTENT_REGISTER_TEMPLATE,
    topic::INTENT_REGISTER_KEYWORD,
    topic::INTENT_DEREGISTER,
    topic::INTENT_ENABLE,
    topic::INTENT_DISABLE,
    topic::ENTITY_REGISTER,
    topic::ENTITY_DEREGISTER,
    topic::SKILL_DEREGISTER,
    topic::SKILL_LOADED,
    topic::PADATIOUS_REGISTER_INTENT,
    topic::PADATIOUS_REGISTER_ENTITY,
    topic::ADAPT_REGISTER_VOCAB,
    topic::ADAPT_REGISTER_INTENT,
    topic::FALLBACK_REGISTER,
    topic::FALLBACK_DEREGISTER,
];

/// Reads a registration under its canonical topic; one that makes no sense is left.
pub fn take(manifest: &mut Manifest, canonical: &str, message: &Message) {
    if let Some(field) = limits::oversized(message) {
        tracing::warn!(
            topic = canonical,
            field,
            "a registration is not taken: a name in it is too long"
        );
        return;
    }
    let frame = Frame(message);
    let done = match canonical {
        topic::INTENT_REGISTER_TEMPLATE => frame.template(manifest),
        topic::INTENT_REGISTER_KEYWORD => frame.keywords(manifest),
        topic::INTENT_DEREGISTER => frame.deregister(manifest),
        topic::INTENT_ENABLE => frame.enable(manifest, true),
        topic::INTENT_DISABLE => frame.enable(manifest, false),
        topic::ENTITY_REGISTER => frame.entity(manifest),
        topic::ENTITY_DEREGISTER => frame.remove_entity(manifest),
        topic::SKILL_DEREGISTER => frame.forget(manifest),
        topic::SKILL_LOADED => frame.loaded(manifest),
        topic::PADATIOUS_REGISTER_INTENT => frame.older_template(manifest),
        topic::PADATIOUS_REGISTER_ENTITY => frame.older_entity(manifest),
        topic::ADAPT_REGISTER_VOCAB => frame.vocabulary(manifest),
        topic::ADAPT_REGISTER_INTENT => frame.older_keywords(manifest),
        topic::FALLBACK_REGISTER => frame.fallback(manifest),
        topic::FALLBACK_DEREGISTER => frame.skill().map(|id| {
            manifest.remove_fallback(id, message.context.session_id());
        }),
        _ => None,
    };
    if done.is_none() {
        tracing::debug!(topic = canonical, "a registration is not understood");
    }
}

struct Frame<'a>(&'a Message);

impl Frame<'_> {
    fn text(&self, key: &str) -> Option<&str> {
        let text = self.0.data.get(key).and_then(Value::as_str);
        text.filter(|text| !text.is_empty())
    }

    fn skill(&self) -> Option<&str> {
        self.text("skill_id")
    }

    fn texts(&self, key: &str, most: usize) -> Vec<String> {
        limits::texts(self.0.data.get(key), most, self.source(key))
    }

    /// Names the skill whose registration it is, for the log.
    fn whose(&self) -> &str {
        let named = self.skill().or_else(|| self.text("name"));
        named.or_else(|| self.0.context.skill_id()).unwrap_or("nobody")
    }

    fn source<'a>(&'a self, field: &'a str) -> Source<'a> {
        let owner = self.whose();
        Source { owner, field }
    }

    fn session_id(&self) -> String {
        self.0.context.session_id().to_owned()
    }

    fn key(&self, skill_id: &str, intent_name: &str) -> Option<IntentKey> {
        let intent_name = intent_name.strip_suffix(".intent").unwrap_or(intent_name);
        let reserved = ["stop", "converse", "response", "fallback", "common_query"].contains(&intent_name);
        if intent_name.is_empty() || reserved {
            return None;
        }
        // Matched, it would be dispatched on a topic that no bus carries, and no skill would ever end the utterance.
        let can_be_called =
            topic::is_valid(skill_id) && topic::is_valid(intent_name) && !intent_name.contains(':');
        if !can_be_called || skill_id.contains(':') {
            tracing::warn!(
                skill_id,
                intent_name,
                "an intent is not taken: ids and names have ASCII letters and digits, parted by single '.', '_' or '-'"
            );
            return None;
        }
        Some(IntentKey {
            skill_id: skill_id.to_owned(),
            intent_name: intent_name.to_owned(),
            lang: self.lang().unwrap_or_default(),
            session_id: self.session_id(),
        })
    }

    /// Gives the language in the spelling in which intents are kept, whatever the spelling of the skill.
    fn lang(&self) -> Option<String> {
        self.text("lang").map(spelled)
    }

    fn gate(&self, skill_id: &str) -> Gate {
        Gate::of(skill_id, &self.0.data)
    }

    fn template(&self, manifest: &mut Manifest) -> Option<()> {
        let skill_id = self.skill()?;
        let key = self.key(skill_id, self.text("intent_name")?)?;
        manifest.note_vocabulary(skill_id, true);
        let excluded = lowered(self.texts("blacklist", limits::SAMPLES));
        manifest.register(
            key,
            Means::templates(self.texts("samples", limits::SAMPLES), excluded),
            self.gate(skill_id),
        );
        Some(())
    }

    fn keywords(&self, manifest: &mut Manifest) -> Option<()> {
        let skill_id = self.skill()?;
        let key = self.key(skill_id, self.text("intent_name")?)?;
        let intent = self.keyword_intent(["required", "one_of", "optional", "excluded"], described);
        manifest.note_vocabulary(skill_id, true);
        manifest.register(key, Means::Keywords(intent), self.gate(skill_id));
        Some(())
    }

    /// Reads the parts of a keyword intent, under the names that a vocabulary has for them.
    fn keyword_intent(
        &self,
        [required, one_of, optional, excluded]: [&str; 4],
        read: fn(&Value, &str) -> Option<Keyword>,
    ) -> KeywordIntent {
        let whose = self.whose();
        let listed = |value: Option<&Value>, part: &str| -> Vec<Keyword> {
            let entries = limits::entries(value, limits::KEYWORDS, self.source(part));
            entries.iter().filter_map(|entry| read(entry, whose)).collect()
        };
        let field = |part: &str| listed(self.0.data.get(part), part);
        let groups = limits::entries(self.0.data.get(one_of), limits::KEYWORDS, self.source(one_of));
        KeywordIntent {
            required: field(required),
            one_of: groups
                .iter()
                .map(|group| listed(Some(group), one_of))
                .filter(|group| !group.is_empty())
                .collect(),
            optional: field(optional),
            excluded: field(excluded),
        }
    }

    fn deregister(&self, manifest: &mut Manifest) -> Option<()> {
        let name = self.text("intent_name")?;
        let (skill_id, name) = match (self.skill(), name.split_once(':')) {
            (Some(skill_id), _) => (skill_id, name),
            (None, Some((skill_id, name))) => (skill_id, name),
            (None, None) => (self.0.context.skill_id()?, name),
        };
        let name = name.strip_suffix(".intent").unwrap_or(name);
        let lang = self.lang();
        manifest.deregister(skill_id, name, lang.as_deref(), self.0.context.session_id());
        Some(())
    }

    fn enable(&self, manifest: &mut Manifest, enabled: bool) -> Option<()> {
        let name = self.text("intent_name")?;
        let (skill_id, name) = match name.split_once(':') {
            Some((skill_id, name)) => (Some(skill_id), name),
            None => (self.skill().or_else(|| self.0.context.skill_id()), name),
        };
        manifest.enable(skill_id, name.strip_suffix(".intent").unwrap_or(name), enabled);
        Some(())
    }

    fn entity(&self, manifest: &mut Manifest) -> Option<()> {
        let name = self.text("entity_name").or_else(|| self.text("name"))?;
        self.set_entity(manifest, self.skill()?, name);
        Some(())
    }

    fn set_entity(&self, manifest: &mut Manifest, skill_id: &str, name: &str) {
        let key = EntityKey {
            skill_id: skill_id.to_owned(),
            name: name.to_owned(),
            lang: self.lang().unwrap_or_default(),
        };
        manifest.set_entity(key, &self.texts("samples", limits::VALUES));
    }

    fn remove_entity(&self, manifest: &mut Manifest) -> Option<()> {
        let name = self.text("entity_name").or_else(|| self.text("name"))?;
        manifest.remove_entity(self.skill()?, name, self.lang().as_deref());
        Some(())
    }

    fn forget(&self, manifest: &mut Manifest) -> Option<()> {
        manifest.forget(self.skill()?, self.0.context.session_id());
        Some(())
    }

    fn loaded(&self, manifest: &mut Manifest) -> Option<()> {
        manifest.set_capabilities(self.skill()?, self.texts("capabilities", limits::CAPABILITIES));
        Some(())
    }

    /// Reads `{name: "<skill_id>:<intent>[.intent]", samples, lang}`.
    fn older_template(&self, manifest: &mut Manifest) -> Option<()> {
        let (skill_id, name) = self.text("name")?.split_once(':')?;
        let key = self.key(skill_id, name)?;
        manifest.note_vocabulary(skill_id, false);
        let excluded = lowered(self.texts("blacklisted_words", limits::SAMPLES));
        manifest.register(
            key,
            Means::templates(self.texts("samples", limits::SAMPLES), excluded),
            self.gate(skill_id),
        );
        Some(())
    }

    fn older_entity(&self, manifest: &mut Manifest) -> Option<()> {
        let (skill_id, name) = self.text("name")?.split_once(':')?;
        self.set_entity(manifest, skill_id, slot_of_file(name));
        Some(())
    }

    /// Reads `{entity_value, entity_type}`, or an alias of a value of the same type, or `{regex}`.
    fn vocabulary(&self, manifest: &mut Manifest) -> Option<()> {
        let owner = Owner {
            skill_id: self.0.context.skill_id().unwrap_or_default().to_owned(),
            lang: self.lang().unwrap_or_default(),
        };
        let skill_id = owner.skill_id.clone();
        let kind = self.text("entity_type").or_else(|| self.text("end"));
        let taken = if let Some(pattern) = self.text("regex") {
            manifest.add_pattern(pattern, &owner)
        } else {
            let value = self.text("entity_value").or_else(|| self.text("start"))?;
            manifest.add_vocabulary(kind?, owner, value)
        };
        if let Err(error) = taken {
            tracing::warn!(skill_id, kind, %error, "a word or a pattern for keywords is not taken");
        }
        Some(())
    }

    /// Reads `{name, requires: [[type, slot]], at_least_one: [[type, …]], optional, excludes}`.
    fn older_keywords(&self, manifest: &mut Manifest) -> Option<()> {
        let (skill_id, name) = self.text("name")?.split_once(':')?;
        let key = self.key(skill_id, name)?;
        let intent = self.keyword_intent(["requires", "at_least_one", "optional", "excludes"], typed);
        manifest.note_vocabulary(skill_id, false);
        // Old skills name no language: their words are of the device's.
        let key = IntentKey {
            lang: self.text("lang").map_or_else(String::new, |_| key.lang.clone()),
            ..key
        };
        manifest.register(key, Means::Keywords(intent), self.gate(skill_id));
        Some(())
    }

    fn fallback(&self, manifest: &mut Manifest) -> Option<()> {
        let priority = self
            .0
            .data
            .get("priority")
            .and_then(Value::as_i64)
            .unwrap_or(LAST);
        manifest.add_fallback(FallbackHandler {
            skill_id: self.skill()?.to_owned(),
            priority,
            session_id: self.session_id(),
        });
        Some(())
    }
}

/// Spells a language as intents are kept under it.
pub fn spelled(lang: &str) -> String {
    language::standard(lang).unwrap_or_else(|| lang.to_owned())
}

/// Names the slot that a file with its values is named after: older skills put a hash of the path behind the
/// name.
fn slot_of_file(name: &str) -> &str {
    let name = name.trim_end_matches(".entity");
    match name.rsplit_once('_') {
        Some((slot, hash)) if hash.len() == 32 && hash.chars().all(|letter| letter.is_ascii_hexdigit()) => {
            slot
        }
        _ => name,
    }
}

fn lowered(texts: Vec<String>) -> Vec<String> {
    texts.into_iter().map(|text| text.to_lowercase()).collect()
}

/// Reads a keyword as the specification describes it: `{name, samples}`.
fn described(entry: &Value, whose: &str) -> Option<Keyword> {
    let name = entry.get("name")?.as_str()?;
    let source = Source {
        owner: whose,
        field: "samples",
    };
    let samples = limits::texts(entry.get("samples"), limits::SAMPLES, source);
    Some(Keyword {
        name: short(name)?,
        samples: Samples::Inline(samples.iter().map(|sample| compared(sample)).collect()),
    })
}

/// A keyword as Adapt had it: a type, or a type and the slot it fills.
fn typed(entry: &Value, _: &str) -> Option<Keyword> {
    let (kind, name) = match entry {
        Value::String(kind) => (kind.as_str(), kind.as_str()),
        Value::Array(pair) => {
            let kind = pair.first()?.as_str()?;
            (kind, pair.get(1).and_then(Value::as_str).unwrap_or(kind))
        }
        _ => return None,
    };
    Some(Keyword {
        name: short(name)?,
        samples: Samples::Vocabulary(short(kind)?),
    })
}

fn short(name: &str) -> Option<String> {
    (name.len() <= limits::LONGEST).then(|| name.to_owned())
}

#[cfg(test)]
mod tests;
