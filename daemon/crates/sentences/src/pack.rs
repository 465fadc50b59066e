//! The community's sentences: reads a file of `home-assistant-intents`. A block with an unknown key is left out and reported.

mod lists;

use serde_json::{Map, Value as Json};

use crate::context::{Allowed, Requirement};
use crate::language::{Complaint, Language, Problem};
use crate::source::{Block, EmptyPart, Intent, List, Source};
use crate::value::Value;

/// Lists that only the home knows.
const HOME_LISTS: [&str; 3] = ["name", "area", "floor"];

/// Keys of a block; `metadata` has no effect.
const BLOCK_KEYS: [&str; 7] = [
    "sentences",
    "response",
    "slots",
    "requires_context",
    "metadata",
    "lists",
    "expansion_rules",
];

/// Why a file of sentences is none.
#[derive(Debug, thiserror::Error)]
pub enum PackError {
    /// It is no JSON.
    #[error("failed to read sentences as JSON")]
    Json(#[from] serde_json::Error),
    /// It lacks what every such file has.
    #[error("failed to find `{0}` in a file of sentences")]
    Missing(&'static str),
}

impl Language {
    /// Compiles a file of the community's sentences. What is not understood is left out and reported.
    ///
    /// # Errors
    /// If the file is no JSON, or has no language or no intents.
    pub fn from_pack(json: &str) -> Result<(Self, Vec<Complaint>), PackError> {
        let (source, mut complaints) = Source::from_pack(json)?;
        let (language, more) = Self::build(&source);
        complaints.extend(more);
        Ok((language, complaints))
    }
}

impl Source {
    /// Reads a file of the community's sentences, and says what was left out of it.
    ///
    /// # Errors
    /// If the file is no JSON, or has no language or no intents.
    pub fn from_pack(json: &str) -> Result<(Self, Vec<Complaint>), PackError> {
        let pack: Json = serde_json::from_str(json)?;
        let language = pack
            .get("language")
            .and_then(Json::as_str)
            .ok_or(PackError::Missing("language"))?;
        let intents = pack
            .get("intents")
            .and_then(Json::as_object)
            .ok_or(PackError::Missing("intents"))?;
        let mut reader = Reader {
            complaints: Vec::new(),
            intent: None,
            block: 0,
        };
        let mut source = Self {
            language: language.to_owned(),
            ignore_whitespace: is_set(pack.get("settings"), "ignore_whitespace"),
            skip_words: texts(pack.get("skip_words")),
            empty_part: EmptyPart::Never,
            ..Self::default()
        };
        for name in HOME_LISTS {
            source.lists.insert(name.to_owned(), List::Home);
        }
        source.lists.extend(reader.lists(pack.get("lists")));
        source.rules.extend(reader.rules(pack.get("expansion_rules")));
        source.intents = intents
            .iter()
            .map(|(name, intent)| reader.intent(name, intent))
            .collect();
        Ok((source, reader.complaints))
    }
}

/// A file that is being read.
struct Reader {
    complaints: Vec<Complaint>,
    /// Where it is read: the intent and the number of the block.
    intent: Option<String>,
    block: usize,
}

impl Reader {
    fn complain(&mut self, problem: Problem) {
        let (intent, block) = (self.intent.clone(), self.block);
        self.complaints.push(Complaint {
            intent,
            block,
            sentence: None,
            problem,
        });
    }

    fn intent(&mut self, name: &str, intent: &Json) -> Intent {
        self.intent = Some(name.to_owned());
        let mut blocks = Vec::new();
        for (at, block) in intent
            .get("data")
            .and_then(Json::as_array)
            .into_iter()
            .flatten()
            .enumerate()
        {
            self.block = at;
            let read = block
                .as_object()
                .ok_or_else(|| wrong("data", "an object"))
                .and_then(|block| self.block(block));
            // A block that is left out keeps its place, so that the numbers of the others stay.
            blocks.push(read.unwrap_or_else(|problem| {
                self.complain(problem);
                Block::default()
            }));
        }
        self.intent = None;
        self.block = 0;
        Intent {
            name: name.to_owned(),
            blocks,
        }
    }

    fn block(&mut self, block: &Map<String, Json>) -> Result<Block, Problem> {
        known_keys(block, &BLOCK_KEYS)?;
        Ok(Block {
            sentences: texts(block.get("sentences")),
            response: block.get("response").and_then(Json::as_str).map(str::to_owned),
            slots: pairs(block.get("slots"))?,
            requires: entries(block.get("requires_context"))
                .map(|(key, json)| requirement(key, json))
                .collect::<Result<_, _>>()?,
            lists: self.lists(block.get("lists")).into_iter().collect(),
            rules: self.rules(block.get("expansion_rules")).into_iter().collect(),
        })
    }

    fn lists(&mut self, lists: Option<&Json>) -> Vec<(String, List)> {
        let read = entries(lists).filter_map(|(name, json)| match lists::list(name, json) {
            Ok(list) => Some((name.to_owned(), list)),
            Err(problem) => {
                self.complain(problem);
                None
            }
        });
        read.collect()
    }

    fn rules(&mut self, rules: Option<&Json>) -> Vec<(String, String)> {
        let mut read = Vec::new();
        for (name, json) in entries(rules) {
            if let Some(rule) = json.as_str() {
                read.push((name.to_owned(), rule.to_owned()));
            } else {
                self.complain(wrong(name, "a template"));
            }
        }
        read
    }
}

fn wrong(key: &str, expected: &str) -> Problem {
    Problem::Form {
        key: key.to_owned(),
        expected: expected.to_owned(),
    }
}

fn known_keys(object: &Map<String, Json>, known: &[&str]) -> Result<(), Problem> {
    match object.keys().find(|key| !known.contains(&key.as_str())) {
        Some(key) => Err(Problem::Key(key.clone())),
        None => Ok(()),
    }
}

fn entries(json: Option<&Json>) -> impl Iterator<Item = (&str, &Json)> {
    let entries = json.and_then(Json::as_object).into_iter().flatten();
    entries.map(|(key, json)| (key.as_str(), json))
}

fn texts(json: Option<&Json>) -> Vec<String> {
    let all = json.and_then(Json::as_array).into_iter().flatten();
    all.filter_map(Json::as_str).map(str::to_owned).collect()
}

fn is_set(json: Option<&Json>, key: &str) -> bool {
    json.and_then(|json| json.get(key))
        .and_then(Json::as_bool)
        .unwrap_or_default()
}

fn pairs(json: Option<&Json>) -> Result<Vec<(String, Value)>, Problem> {
    let pair = |(key, json): (&str, &Json)| {
        Value::from_json(json)
            .map(|value| (key.to_owned(), value))
            .ok_or_else(|| wrong(key, "a value"))
    };
    entries(json).map(pair).collect()
}

fn requirement(key: &str, json: &Json) -> Result<Requirement, Problem> {
    let (value, slot) = match json {
        Json::Object(object) => {
            known_keys(object, &["value", "slot"])?;
            (object.get("value").unwrap_or(&Json::Null), object.get("slot"))
        }
        json => (json, None),
    };
    let allowed = match value {
        Json::Null => Allowed::Anything,
        Json::Array(values) => Allowed::OneOf(values.iter().filter_map(Value::from_json).collect()),
        value => Allowed::Only(Value::from_json(value).ok_or_else(|| wrong(key, "a value"))?),
    };
    let slot = match slot {
        Some(Json::String(name)) => Some(name.clone()),
        Some(Json::Bool(true)) => Some(key.to_owned()),
        _ => None,
    };
    Ok(Requirement {
        key: key.to_owned(),
        allowed,
        slot,
    })
}
