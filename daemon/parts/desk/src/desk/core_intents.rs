//! What skills have registered with an ovos-core before we came to its bus, or while our connection was broken: it is
//! asked for the intents (INTENT-4 §10.1), and then for the sentences of each skill (§10.2).
//!
//! Cores of the older generation keep no such list and do not answer; beside one, what was registered in our absence stays
//! unknown. What is described here is taken with the bounds of every registration.

use std::collections::{BTreeMap, BTreeSet};

use loquat_bus::Bus;
use loquat_orchestrator::frames::{self, SKILL_ID};
use loquat_orchestrator::registration;
use loquat_wire::{Message, Session, topic};
use serde_json::{Map, Value, json};

use super::Desk;

/// The key by which an answer is known to be one to our question.
const KEY: &str = "loquat_core_intents";

/// Skills that are asked for.
const MOST_SKILLS: usize = 256;

/// What a core was asked and has not answered yet.
#[derive(Debug, Default)]
pub(super) struct CoreIntents {
    /// What the question for the list carries.
    key: String,
    /// The skills that were asked for, and those of their intents that do not count now.
    awaited: BTreeMap<String, BTreeSet<String>>,
}

impl CoreIntents {
    /// Asks the core now and on every new connection.
    pub(super) fn ask(&mut self, bus: &Bus) {
        self.key = super::new_id();
        self.awaited.clear();
        let question = self.question(topic::INTENT_LIST, json!({}));
        bus.announce(KEY, vec![question]);
    }

    /// There is no core to be asked any more.
    pub(super) fn forget(&mut self, bus: &Bus) {
        *self = Self::default();
        bus.withdraw(KEY);
    }

    fn question(&self, topic: &str, data: Value) -> Message {
        let mut question = frames::originated(topic, data);
        question.context.insert(KEY, self.key.as_str());
        question
    }

    fn is_answer(&self, message: &Message) -> bool {
        !self.key.is_empty() && message.context.text(KEY) == Some(&self.key)
    }

    /// The questions for the skills of a list.
    fn listed(&mut self, answer: &Message) -> Vec<Message> {
        for row in rows(answer, "intents") {
            let [Some(skill_id), Some(intent)] = [text(row, "skill_id"), text(row, "intent_name")] else {
                continue;
            };
            let is_wanted = skill_id != SKILL_ID
                && (self.awaited.len() < MOST_SKILLS || self.awaited.contains_key(skill_id));
            if is_wanted {
                let disabled = self.awaited.entry(skill_id.to_owned()).or_default();
                if row.get("enabled") == Some(&Value::Bool(false)) {
                    disabled.insert(intent.to_owned());
                }
            }
        }
        let skills = self.awaited.keys();
        skills
            .map(|skill_id| self.question(topic::INTENT_DESCRIBE, json!({"skill_id": skill_id})))
            .collect()
    }

    /// The registrations of a skill that is described, under their topics.
    fn described(&mut self, answer: &Message) -> Vec<(&'static str, Message)> {
        let definitions: Vec<&Map<String, Value>> = rows(answer, "definitions").collect();
        let skill_id = definitions.first().and_then(|row| text(row, "skill_id"));
        let Some(disabled) = skill_id.and_then(|skill_id| self.awaited.remove(skill_id)) else {
            return Vec::new();
        };
        let of_the_skill = definitions
            .into_iter()
            .filter(|row| text(row, "skill_id") == skill_id);
        let counts =
            of_the_skill.filter(|row| text(row, "intent_name").is_some_and(|name| !disabled.contains(name)));
        counts.filter_map(registered).collect()
    }
}

/// What a skill had sent, from what a core tells of it.
fn registered(row: &Map<String, Value>) -> Option<(&'static str, Message)> {
    let topic = match text(row, "method")? {
        "template" => topic::INTENT_REGISTER_TEMPLATE,
        "keyword" => topic::INTENT_REGISTER_KEYWORD,
        _ => return None,
    };
    let mut data = row.get("definition")?.as_object()?.clone();
    for key in ["skill_id", "intent_name", "lang"] {
        data.insert(key.to_owned(), row.get(key)?.clone());
    }
    let mut message = Message::new(topic, Value::Object(data));
    message
        .context
        .set_session(&Session::named(text(row, "session_id").unwrap_or("default")));
    Some((topic, message))
}

fn rows<'a>(answer: &'a Message, key: &str) -> impl Iterator<Item = &'a Map<String, Value>> {
    let rows = answer.data.get(key).and_then(Value::as_array);
    rows.into_iter().flatten().filter_map(Value::as_object)
}

fn text<'a>(row: &'a Map<String, Value>, key: &str) -> Option<&'a str> {
    row.get(key).and_then(Value::as_str)
}

impl Desk {
    pub(super) async fn core_lists(&mut self, answer: &Message) {
        if !self.repertoire.core_intents.is_answer(answer) {
            return;
        }
        for question in self.repertoire.core_intents.listed(answer) {
            self.emit(question).await;
        }
    }

    /// A core tells the sentences of a skill.
    pub(super) fn core_describes(&mut self, answer: &Message) {
        if !self.repertoire.core_intents.is_answer(answer) {
            return;
        }
        let registered = self.repertoire.core_intents.described(answer);
        self.repertoire.registered.change(|manifest| {
            for (topic, message) in &registered {
                registration::take(manifest, topic, message);
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(of: &CoreIntents, data: Value) -> Message {
        of.question(topic::INTENT_LIST, json!({})).response(data)
    }

    #[test]
    fn a_skill_is_taken_once_as_it_was_listed() {
        let mut core = CoreIntents {
            key: "k".into(),
            ..CoreIntents::default()
        };
        let row = |intent: &str, enabled: bool| json!({"skill_id": "kettle", "intent_name": intent, "enabled": enabled});
        let ours = json!({"skill_id": SKILL_ID, "intent_name": "chat"});
        let list = answer(
            &core,
            json!({"intents": [row("on", true), row("off", false), ours]}),
        );
        assert!(core.is_answer(&list));
        let questions = core.listed(&list);
        assert_eq!(questions.len(), 1);
        assert_eq!(questions[0].data["skill_id"], "kettle");
        let told = |skill: &str, intent: &str| {
            json!({"skill_id": skill, "intent_name": intent, "lang": "en-US", "method": "template",
                   "session_id": "kitchen", "definition": {"samples": ["put the kettle on"]}})
        };
        let described =
            json!({"definitions": [told("kettle", "on"), told("kettle", "off"), told("door", "open")]});
        let described = answer(&core, described);
        let registered = core.described(&described);
        let [(topic, message)] = &registered[..] else {
            panic!("one counts: {registered:?}");
        };
        assert_eq!(*topic, topic::INTENT_REGISTER_TEMPLATE);
        assert_eq!(message.context.session_id(), "kitchen");
        assert_eq!(message.data["intent_name"], "on");
        assert!(
            core.described(&described).is_empty(),
            "it was not asked for again"
        );
        assert!(!CoreIntents::default().is_answer(&Message::new(topic::INTENT_LIST, json!({}))));
    }
}
