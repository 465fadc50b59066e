//! Reading registrations, in both vocabularies, into the manifest. Registrations are never answered (INTENT-4 §2).

use loquat_wire::{Message, language, topic};
use serde_json::{Map, Value};

use super::keyword::{Keyword, KeywordIntent, Samples};
use super::manifest::{FallbackHandler, IntentKey, Manifest, Means};

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

    fn texts(&self, key: &str) -> Vec<String> {
        texts(self.0.data.get(key))
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
        // Matched, it would be dispatched on a topic that no bus carries, and nobody would ever end the utterance.
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

    /// The language in the spelling in which intents are kept, whatever the spelling of the skill.
    fn lang(&self) -> Option<String> {
        self.text("lang").map(spelled)
    }

    fn template(&self, manifest: &mut Manifest) -> Option<()> {
        let skill_id = self.skill()?;
        let key = self.key(skill_id, self.text("intent_name")?)?;
        manifest.note_vocabulary(skill_id, true);
        let excluded = lowered(self.texts("blacklist"));
        manifest.register(key, Means::templates(self.texts("samples"), excluded));
        Some(())
    }

    fn keywords(&self, manifest: &mut Manifest) -> Option<()> {
        let skill_id = self.skill()?;
        let key = self.key(skill_id, self.text("intent_name")?)?;
        let data = &self.0.data;
        let groups = data.get("one_of").and_then(Value::as_array);
        let intent = KeywordIntent {
            required: described(data.get("required")),
            one_of: groups
                .into_iter()
                .flatten()
                .map(|group| described(Some(group)))
                .filter(|group| !group.is_empty())
                .collect(),
            optional: described(data.get("optional")),
            excluded: described(data.get("excluded")),
        };
        manifest.note_vocabulary(skill_id, true);
        manifest.register(key, Means::Keywords(intent));
        Some(())
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
        manifest.set_entity(self.skill()?, name, self.texts("samples"));
        Some(())
    }

    fn remove_entity(&self, manifest: &mut Manifest) -> Option<()> {
        let name = self.text("entity_name").or_else(|| self.text("name"))?;
        manifest.remove_entity(self.skill()?, name);
        Some(())
    }

    fn forget(&self, manifest: &mut Manifest) -> Option<()> {
        manifest.forget(self.skill()?, self.0.context.session_id());
        Some(())
    }

    fn loaded(&self, manifest: &mut Manifest) -> Option<()> {
        manifest.set_capabilities(self.skill()?, self.texts("capabilities"));
        Some(())
    }

    /// `{name: "<skill_id>:<intent>[.intent]", samples, lang}`.
    fn older_template(&self, manifest: &mut Manifest) -> Option<()> {
        let (skill_id, name) = self.text("name")?.split_once(':')?;
        let key = self.key(skill_id, name)?;
        manifest.note_vocabulary(skill_id, false);
        let excluded = lowered(self.texts("blacklisted_words"));
        manifest.register(key, Means::templates(self.texts("samples"), excluded));
        Some(())
    }

    fn older_entity(&self, manifest: &mut Manifest) -> Option<()> {
        let (skill_id, name) = self.text("name")?.split_once(':')?;
        manifest.set_entity(skill_id, name.trim_end_matches(".entity"), self.texts("samples"));
        Some(())
    }

    /// `{entity_value, entity_type}`, or an alias of a value of the same type.
    fn vocabulary(&self, manifest: &mut Manifest) -> Option<()> {
        let kind = self.text("entity_type").or_else(|| self.text("end"))?;
        let value = self.text("entity_value").or_else(|| self.text("start"))?;
        manifest.add_vocabulary(kind, value);
        Some(())
    }

    /// `{name, requires: [[type, slot]], at_least_one: [[type, …]], optional, excludes}`.
    fn older_keywords(&self, manifest: &mut Manifest) -> Option<()> {
        let (skill_id, name) = self.text("name")?.split_once(':')?;
        let key = self.key(skill_id, name)?;
        let data = &self.0.data;
        let groups = data.get("at_least_one").and_then(Value::as_array);
        let intent = KeywordIntent {
            required: typed(data.get("requires")),
            one_of: groups
                .into_iter()
                .flatten()
                .map(|group| typed(Some(group)))
                .filter(|group| !group.is_empty())
                .collect(),
            optional: typed(data.get("optional")),
            excluded: typed(data.get("excludes")),
        };
        manifest.note_vocabulary(skill_id, false);
        // Old skills name no language: their words are of the device's.
        let key = IntentKey {
            lang: self.text("lang").map_or_else(String::new, |_| key.lang.clone()),
            ..key
        };
        manifest.register(key, Means::Keywords(intent));
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

/// A language as intents are kept under it.
pub fn spelled(lang: &str) -> String {
    language::standard(lang).unwrap_or_else(|| lang.to_owned())
}

fn texts(value: Option<&Value>) -> Vec<String> {
    let entries = value.and_then(Value::as_array).into_iter().flatten();
    entries.filter_map(Value::as_str).map(str::to_owned).collect()
}

fn lowered(texts: Vec<String>) -> Vec<String> {
    texts.into_iter().map(|text| text.to_lowercase()).collect()
}

/// Keywords as the specification describes them: `[{name, samples}]`.
fn described(value: Option<&Value>) -> Vec<Keyword> {
    let read = |entry: &Value| {
        Some(Keyword {
            name: entry.get("name")?.as_str()?.to_owned(),
            samples: Samples::Inline(texts(entry.get("samples"))),
        })
    };
    let entries = value.and_then(Value::as_array).into_iter().flatten();
    entries.filter_map(read).collect()
}

/// Keywords as Adapt had them: a type, or a type and the slot it fills.
fn typed(value: Option<&Value>) -> Vec<Keyword> {
    let read = |entry: &Value| {
        let (kind, name) = match entry {
            Value::String(kind) => (kind.as_str(), kind.as_str()),
            Value::Array(pair) => {
                let kind = pair.first()?.as_str()?;
                (kind, pair.get(1).and_then(Value::as_str).unwrap_or(kind))
            }
            _ => return None,
        };
        Some(Keyword {
            name: name.to_owned(),
            samples: Samples::Vocabulary(kind.to_owned()),
        })
    };
    let entries = value.and_then(Value::as_array).into_iter().flatten();
    entries.filter_map(read).collect()
}

/// Slots as a JSON object.
pub fn slots(slots: &[(String, String)]) -> Map<String, Value> {
    slots
        .iter()
        .map(|(name, text)| (name.clone(), Value::from(text.as_str())))
        .collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::words::words;
    use super::*;

    fn recognised(registrations: &[(&str, Value)], said: &str) -> Option<String> {
        let mut manifest = Manifest::default();
        for (topic, data) in registrations {
            take(&mut manifest, topic, &Message::new(*topic, data.clone()));
        }
        let found = manifest.recognise(&words(said), "en-US", "s", "own");
        let first = found.first()?;
        Some(format!(
            "{}:{} {:?}",
            first.skill_id, first.intent_name, first.slots
        ))
    }

    #[test]
    fn both_vocabularies_of_templates_are_read() {
        let modern =
            json!({"skill_id": "t.s", "intent_name": "say", "lang": "en-us", "samples": ["say {what}"]});
        let older = json!({"name": "t.s:say.intent", "lang": "en-us", "samples": ["say {what}"]});
        for (topic, data) in [
            (topic::INTENT_REGISTER_TEMPLATE, modern),
            (topic::PADATIOUS_REGISTER_INTENT, older),
        ] {
            assert_eq!(
                recognised(&[(topic, data)], "Say hello").unwrap(),
                r#"t.s:say [("what", "hello")]"#
            );
        }
    }

    #[test]
    fn both_vocabularies_of_keywords_are_read() {
        let modern = json!({"skill_id": "t", "intent_name": "hi", "lang": "en-US",
                            "required": [{"name": "Hello", "samples": ["hello there"]}]});
        assert!(recognised(&[(topic::INTENT_REGISTER_KEYWORD, modern)], "Hello there").is_some());
        let vocabulary = json!({"entity_value": "hello there", "entity_type": "tHello", "lang": "en-us"});
        let older =
            json!({"name": "t:hi", "requires": [["tHello", "Hello"]], "at_least_one": [], "lang": "en-us"});
        let both = [
            (topic::ADAPT_REGISTER_VOCAB, vocabulary),
            (topic::ADAPT_REGISTER_INTENT, older),
        ];
        assert_eq!(
            recognised(&both, "Hello there").unwrap(),
            r#"t:hi [("Hello", "Hello there")]"#
        );
    }

    #[test]
    fn what_was_registered_is_taken_back_in_the_spelling_of_the_skill() {
        let named = json!({"skill_id": "t.s", "intent_name": "say", "lang": "en-us", "samples": ["say it"]});
        let registered = (topic::INTENT_REGISTER_TEMPLATE, named.clone());
        assert!(recognised(std::slice::from_ref(&registered), "Say it").is_some());
        assert_eq!(
            recognised(&[registered, (topic::INTENT_DEREGISTER, named)], "Say it"),
            None
        );
    }

    #[test]
    fn what_could_never_be_dispatched_is_not_taken() {
        for (skill, intent) in [
            ("t.s", "größe"),
            ("t.s", "two words"),
            ("t s", "say"),
            ("t.s", "a:b"),
        ] {
            let data =
                json!({"skill_id": skill, "intent_name": intent, "lang": "en-US", "samples": ["say it"]});
            let registered = (topic::INTENT_REGISTER_TEMPLATE, data);
            assert_eq!(recognised(&[registered], "Say it"), None, "{skill} {intent}");
        }
    }

    #[test]
    fn what_makes_no_sense_is_left() {
        for topic in TOPICS {
            for data in [
                json!({}),
                json!({"skill_id": 7}),
                json!({"name": "x", "samples": "y"}),
            ] {
                assert_eq!(recognised(&[(topic, data)], "x"), None, "{topic}");
            }
        }
        let reserved = json!({"skill_id": "t", "intent_name": "stop", "lang": "en-US", "samples": ["halt"]});
        assert_eq!(
            recognised(&[(topic::INTENT_REGISTER_TEMPLATE, reserved)], "halt"),
            None
        );
    }
}
