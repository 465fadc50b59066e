//! `ovos-wikidata-tools`: single facts, such as a height, a population or a date of birth, by Wikidata.
//!
//! Asks a server only when a tool is called. Knows the facts of its list and no others.

use std::sync::Arc;

use futures_util::FutureExt;
use include_dir::include_dir;

use crate::reference::{self, gap};
use loquat_kit::calendar::Now;
use loquat_kit::function::{Function, FunctionToolbox};
use loquat_kit::intent::{InLanguage, Intent, Slot, Unsaid};
use loquat_kit::permission::Service;
use loquat_kit::wording::Wording;
use loquat_kit::{Skill, folded};
use serde_json::Value;

mod fact;
mod service;
#[cfg(test)]
mod tests;
mod tools;

pub use service::Wikidata;

/// The toolbox's id.
pub const ID: &str = "ovos-wikidata-tools";

/// The folder of its sentences.
pub(crate) const FOLDER: &str = "wikidata";

const FIND: &str = "find_fact";

const SUBJECT: Slot = Slot {
    name: "subject",
    argument: "subject",
    read: gap::read_topic,
};
const PERSON: Slot = Slot {
    name: "person",
    read: gap::read_full_name,
    ..SUBJECT
};
/// One of the facts that nothing but such a thing has, by the word for it: whose size is asked for may be anything.
const FACT: Slot = Slot {
    name: "fact",
    argument: "fact",
    read: read_fact,
};

fn read_fact(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    let said = folded(said);
    let mut asked = spoken.locales.values(FOLDER, spoken.lang, "asked.value");
    let (fact, _) = asked.find(|(_, words)| words.split('|').any(|word| folded(word) == said))?;
    Some(Value::from(fact.trim()))
}

/// What people say for its tools.
const INTENTS: &[Intent] = &[
    Intent::new("height", FIND)
        .slots(&[SUBJECT])
        .unsaid(&[("fact", Unsaid::Words("height"))]),
    Intent::new("age", FIND)
        .slots(&[PERSON])
        .unsaid(&[("fact", Unsaid::Words("age"))]),
    Intent::new("born", FIND)
        .slots(&[PERSON])
        .unsaid(&[("fact", Unsaid::Words("birth"))]),
    Intent::new("population", FIND)
        .slots(&[SUBJECT])
        .unsaid(&[("fact", Unsaid::Words("population"))]),
    Intent::new("capital", FIND)
        .slots(&[SUBJECT])
        .unsaid(&[("fact", Unsaid::Words("capital"))]),
    Intent::new("died", FIND)
        .slots(&[PERSON])
        .unsaid(&[("fact", Unsaid::Words("death"))]),
    Intent::new("birthplace", FIND)
        .slots(&[PERSON])
        .unsaid(&[("fact", Unsaid::Words("birthplace"))]),
    Intent::new("deathplace", FIND)
        .slots(&[PERSON])
        .unsaid(&[("fact", Unsaid::Words("deathplace"))]),
    Intent::new("country", FIND)
        .slots(&[SUBJECT])
        .unsaid(&[("fact", Unsaid::Words("country"))]),
    Intent::new("continent", FIND)
        .slots(&[SUBJECT])
        .unsaid(&[("fact", Unsaid::Words("continent"))]),
    Intent::new("spouse", FIND)
        .slots(&[PERSON])
        .unsaid(&[("fact", Unsaid::Words("spouse"))]),
    Intent::new("fact", FIND).slots(&[FACT, SUBJECT]),
];

/// The skill.
pub const SKILL: Skill = Skill {
    id: ID,
    folder: FOLDER,
    sentences: &include_dir!("$CARGO_MANIFEST_DIR/src/wikidata/sentences"),
    intents: INTENTS,
    ..Skill::PLAIN
};

/// The toolbox. The server is the device's.
pub fn toolbox(wikidata: &Arc<Wikidata>, now: Now, wording: &Wording) -> FunctionToolbox {
    let (wikidata, locales) = (Arc::clone(wikidata), Arc::clone(&wording.locales));
    let functions = vec![
        Function::waiting(
            FIND,
            "Tell a fact: height, weight, area, population, capital, age, birth, death and the like.",
            move |question, person| {
                let (wikidata, locales, now) = (Arc::clone(&wikidata), Arc::clone(&locales), now());
                async move { tools::find_fact(question, person, &wikidata, &locales, now).await }.boxed()
            },
        )
        .with(|tool| {
            tool.value = Some("value".to_owned());
            tool.brings_foreign_text = true;
            tool.sends = true;
            tool.reaches = Some(Service::Wikidata.to_string());
            tool.timeout = 2 * reference::PATIENCE;
        }),
    ];
    FunctionToolbox::new(ID, functions).telling(FOLDER, wording)
}
