//! What our own sentences do not understand, handed to Home Assistant's own Assist, where the settings want it.
//!
//! Assist unlocks a door without a question. So each sentence is tried without effect first, which tells what it would
//! move: what asks waits for a yes, and what Assist understands without telling what it would move is not handed on.

use std::collections::BTreeSet;

use futures_util::FutureExt;
use loquat_agent::toolbox::{Circumstances, Resolved, ToolError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::house::{Entity, House};
use super::link::HomeFault;
use super::telling::{apart, fault_dialog, lang, told_name, unknown, word_by_word};
use super::tools::{Shared, Tools};
use loquat_kit::dialog::{Gap, Telling};
use loquat_kit::plain;
use loquat_kit::report::{Problem, Report, Reporting, reporting};

/// In bytes.
const LONGEST: usize = 500;

/// What Assist says, in characters.
const LONGEST_ANSWER: usize = 400;

/// The agent that moves things by sentences of its own; others may be language models, which tell nothing beforehand.
const AGENT: &str = "conversation.home_assistant";

/// Intents that only tell something, or only write on a list, whatever they name.
const HARMLESS: [&str; 8] = [
    "HassClimateGetTemperature",
    "HassGetCurrentDate",
    "HassGetCurrentTime",
    "HassGetState",
    "HassGetWeather",
    "HassListAddItem",
    "HassListCompleteItem",
    "HassShoppingListAddItem",
];

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Said {
    /// As it was said.
    pub(super) text: String,
    /// What was resolved; not for callers.
    #[serde(default)]
    #[schemars(skip)]
    entities: Option<Vec<String>>,
}

/// What Assist made of it.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub(super) struct Assisted {
    done: bool,
    /// What it says.
    #[serde(skip_serializing_if = "String::is_empty")]
    says: String,
}

/// What a sentence would do.
#[derive(Debug)]
struct Rehearsed {
    intent: String,
    entities: BTreeSet<String>,
}

impl Rehearsed {
    /// Of the answer to a try; nothing where Assist does not understand the sentence.
    fn of(answer: &Value) -> Option<Self> {
        let result = answer.pointer("/results/0").filter(|one| one["match"] == true)?;
        let targets = result
            .get("targets")
            .and_then(Value::as_object)
            .into_iter()
            .flatten();
        Some(Self {
            intent: result.pointer("/intent/name")?.as_str()?.to_owned(),
            // Those that it says do not match count too: of a question these are in another state.
            entities: targets.map(|(id, _)| id.clone()).collect(),
        })
    }

    fn is_harmless(&self) -> bool {
        HARMLESS.contains(&self.intent.as_str())
    }

    /// Whether a person has to say yes. What is not known here asks, since it could be anything.
    fn asks(&self, tools: &Tools, house: &House) -> bool {
        let asks = |id: &String| {
            let entity = house.entities.get(id).filter(|entity| entity.is_exposed);
            entity.is_none_or(|entity| tools.home.guard.asks(entity, house))
        };
        !self.is_harmless() && self.entities.iter().any(asks)
    }
}

pub(super) fn ask(tools: Shared, said: Said, person: &Circumstances) -> Reporting<'_, Assisted> {
    let is_text = !said.text.trim().is_empty() && said.text.len() <= LONGEST;
    if !is_text {
        let complaint = format!("text: write a sentence of at most {LONGEST} bytes");
        return std::future::ready(Err(ToolError::reply("ValueError", complaint))).boxed();
    }
    async move {
        match tools.rehearse(&said.text, person).await {
            Ok(Some(rehearsed)) => {
                let work = tools.hand_on(said, rehearsed, person);
                reporting(work).await
            }
            Ok(None) => Err(unknown("Assist of Home Assistant does not understand it")),
            Err(fault) => Err(unknown(&fault.to_string())),
        }
    }
    .boxed()
}

impl Tools {
    /// What a sentence means, and whether the person is asked first.
    pub(super) async fn resolve_sentence(
        &self,
        mut arguments: Map<String, Value>,
        person: &Circumstances,
    ) -> Result<Resolved, ToolError> {
        let text = arguments.get("text").and_then(Value::as_str).unwrap_or_default();
        let text = text.to_owned();
        let rehearsed = self.rehearse(&text, person).await;
        let rehearsed = rehearsed.map_err(|fault| unknown(&fault.to_string()))?;
        let Some(rehearsed) = rehearsed else {
            return Err(unknown("Assist of Home Assistant does not understand it"));
        };
        let house = self.home.house.read_recursive();
        let names: Vec<String> = rehearsed.entities.iter().map(|id| name(id, &house)).collect();
        let told = Map::from_iter([(loquat_agent::speakable(&text), json!(names))]);
        let asks = rehearsed.asks(self, &house);
        arguments.insert("entities".to_owned(), json!(rehearsed.entities));
        Ok(Resolved {
            arguments,
            asks,
            told,
        })
    }

    /// What Assist would do, without doing it.
    async fn rehearse(&self, text: &str, person: &Circumstances) -> Result<Option<Rehearsed>, HomeFault> {
        // A person who speaks of something else does not wait for a home that is not there.
        if !self.home.is_ready() {
            return Err(self.home.fault());
        }
        let command = json!({
            "type": "conversation/agent/homeassistant/debug",
            "sentences": [text],
            "language": language(person),
        });
        Ok(Rehearsed::of(&self.home.ask(command).await?))
    }

    async fn hand_on(
        &self,
        said: Said,
        rehearsed: Rehearsed,
        person: &Circumstances,
    ) -> Result<Report<Assisted>, Problem> {
        let meant: BTreeSet<String> = said.entities.into_iter().flatten().collect();
        if rehearsed.entities.is_empty() && !rehearsed.is_harmless() {
            let text = "Assist of Home Assistant understands it, but does not tell what it would move, so it was not \
                        handed on";
            return Err(Problem::new(text, "assist_unseen"));
        }
        if meant != rehearsed.entities {
            return Err(Problem::new(
                "what is meant has only just changed; say it again",
                "gone",
            ));
        }
        if !person.is_consented && rehearsed.asks(self, &self.home.house.read_recursive()) {
            let house = self.home.house.read_recursive();
            let names: Vec<String> = rehearsed.entities.iter().map(|id| name(id, &house)).collect();
            let told = Telling::new("needs_yes").naming(names.iter().flat_map(|name| apart(name)));
            let told = told.with("things", Gap::Several(names));
            let text = "it is moved only after the person has said yes".to_owned();
            return Err(Problem { text, told });
        }
        let command = json!({
            "type": "conversation/process",
            "text": said.text,
            "language": language(person),
            "agent_id": AGENT,
        });
        let answer = self.home.ask(command).await.map_err(|fault| Problem {
            told: fault_dialog(&fault),
            text: fault.to_string(),
        })?;
        spoken(&answer, &rehearsed.entities)
    }
}

/// What Assist says of it. Its own words are told only where it names no other thing than was meant.
fn spoken(answer: &Value, meant: &BTreeSet<String>) -> Result<Report<Assisted>, Problem> {
    let kind = answer.pointer("/response/response_type").and_then(Value::as_str);
    let says = answer
        .pointer("/response/speech/plain/speech")
        .and_then(Value::as_str);
    let says = says.and_then(plain).unwrap_or_default();
    let says: String = says.chars().take(LONGEST_ANSWER).collect();
    let listed = |key: &str| {
        let listed = answer.pointer(&format!("/response/data/{key}"));
        let listed = listed.and_then(Value::as_array).into_iter().flatten();
        let entities = listed.filter(|one| one["type"] == "entity");
        entities
            .filter_map(|one| one["id"].as_str())
            .collect::<Vec<&str>>()
    };
    let is_done = listed("failed").is_empty() && listed("success").into_iter().all(|id| meant.contains(id));
    match kind {
        // Of a question, what is not so counts as failed.
        Some(kind @ ("action_done" | "query_answer")) if is_done || kind == "query_answer" => {
            let told = match says.as_str() {
                "" => Telling::new("assist_done"),
                says => Telling::new("assist_says").words("says", says),
            };
            // Names and states are what others have made them.
            let told = told
                .of_strangers(kind == "query_answer")
                .naming(word_by_word(&says));
            Ok(Report::new(Assisted { done: true, says }, told))
        }
        _ => {
            let text = format!("Assist of Home Assistant did not do all of it: {says}");
            let why = if says.is_empty() { "?".to_owned() } else { says };
            Err(Problem {
                text,
                told: Telling::new("failed")
                    .naming(word_by_word(&why))
                    .words("why", why.clone()),
            })
        }
    }
}

/// A thing's name with its room; its id where it is not known here.
fn name(id: &str, house: &House) -> String {
    let entity: Option<&Entity> = house.entities.get(id);
    entity.map_or_else(|| id.to_owned(), |entity| told_name(entity, house))
}

/// As Assist names languages.
fn language(person: &Circumstances) -> &str {
    lang(person).split(['-', '_']).next().unwrap_or("en")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_try_tells_what_would_move_and_what_is_none_tells_nothing() {
        let tried = json!({"results": [{
            "intent": {"name": "HassTurnOff"}, "match": true,
            "targets": {"lock.front_door": {"matched": true}, "light.bed": {"matched": false}},
        }]});
        let rehearsed = Rehearsed::of(&tried).expect("a match");
        assert_eq!(
            Vec::from_iter(rehearsed.entities.clone()),
            ["light.bed", "lock.front_door"]
        );
        assert!(!rehearsed.is_harmless());
        for strange in [
            json!(null),
            json!({"results": []}),
            json!({"results": [null]}),
            json!({"results": [{"match": false, "intent": {"name": "HassTurnOff"}}]}),
            json!({"results": [{"match": true}]}),
            json!({"results": [{"match": true, "intent": {"name": 3}, "targets": []}]}),
        ] {
            assert!(Rehearsed::of(&strange).is_none(), "{strange}");
        }
    }

    #[test]
    fn an_answer_counts_only_for_what_was_meant() {
        let meant = BTreeSet::from(["light.bed".to_owned()]);
        let answer = |kind: &str, success: Value, failed: Value| {
            json!({"response": {"response_type": kind, "speech": {"plain": {"speech": "Turned off\u{1b}[2J"}},
                "data": {"success": success, "failed": failed}}})
        };
        let bed = json!([{"type": "area", "id": "x"}, {"type": "entity", "id": "light.bed"}]);
        let lock = json!([{"type": "entity", "id": "lock.front_door"}]);
        assert!(spoken(&answer("action_done", bed.clone(), json!([])), &meant).is_ok());
        assert!(spoken(&answer("query_answer", json!([]), bed.clone()), &meant).is_ok());
        for (kind, success, failed) in [
            ("action_done", lock, json!([])),
            ("action_done", json!([]), bed),
            ("error", json!([]), json!([])),
            ("", json!({}), json!("x")),
        ] {
            let problem = spoken(&answer(kind, success, failed), &meant).expect_err(kind);
            assert!(problem.text.ends_with("Turned off[2J"), "{}", problem.text);
        }
        assert!(spoken(&Value::Null, &meant).is_err());
    }
}
