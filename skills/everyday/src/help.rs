//! `loquat-help-tools`: what can be said to the device, in examples that fit what is set up here.
//!
//! The examples stand in the sentences, and a test says each of them to the device. Nothing here knows another skill but by the
//! name of a topic.

use std::fmt;
use std::sync::Arc;

use include_dir::include_dir;
use loquat_agent::toolbox::{Circumstances, ToolError};
use loquat_kit::dialog::{Tell, Telling};
use loquat_kit::function::{Function, FunctionToolbox};
use loquat_kit::intent::{InLanguage, Intent, Unsaid, slot};
use loquat_kit::wording::Wording;
use loquat_kit::{Locales, Skill, folded};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

#[cfg(test)]
mod tests;

/// The toolbox's id.
/// The toolbox.
pub const ID: &str = "loquat-help-tools";

/// The folder of its sentences.
const FOLDER: &str = "help";

/// The tool that tells what can be said.
pub const TELL: &str = "tell_what_can_be_said";

/// The intent of what would be waited for at home, where there is none.
pub const NO_HOME: &str = "help.no_home_then";

/// The list of the words for each topic.
const WORDS: &str = "topic.value";

/// What a topic needs beside Loquat itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Need {
    Nothing,
    Home,
    Player,
}

/// All topics by the names of their examples, in the order in which they are named: first what not every device has.
const TOPICS: [(&str, Need); 12] = [
    ("lights", Need::Home),
    ("music", Need::Player),
    ("timers", Need::Nothing),
    ("weather", Need::Nothing),
    ("lists", Need::Nothing),
    ("alarms", Need::Nothing),
    ("reminders", Need::Nothing),
    ("memory", Need::Nothing),
    ("time", Need::Nothing),
    ("numbers", Need::Nothing),
    ("volume", Need::Nothing),
    ("games", Need::Nothing),
];

/// So many examples are given at once.
const EXAMPLES: usize = 3;

/// The gaps in which they are told.
const GAPS: [&str; EXAMPLES] = ["first", "second", "third"];

/// The skill.
pub const SKILL: Skill = Skill {
    id: ID,
    folder: FOLDER,
    sentences: &include_dir!("$CARGO_MANIFEST_DIR/src/help/sentences"),
    intents: &[
        Intent::new("abilities", TELL),
        Intent::new("about", TELL).slots(&[slot("topic", read)]),
        Intent::new("no_home", TELL).unsaid(&[("topic", Unsaid::Words("lights"))]),
        Intent::new("no_home_then", TELL)
            .unsaid(&[("topic", Unsaid::Words("lights"))])
            .awaited(),
    ],
    without_home: &["no_home", "no_home_then"],
    ..Skill::PLAIN
};

/// What is set up on this device, asked anew at each call.
#[derive(Clone)]
pub struct Surroundings {
    /// Whether there is a home.
    pub has_home: bool,
    /// Whether there is a media player now.
    pub has_player: Arc<dyn Fn() -> bool + Send + Sync>,
}

impl fmt::Debug for Surroundings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Surroundings");
        shown.field("has_home", &self.has_home).finish_non_exhaustive()
    }
}

impl Surroundings {
    fn have(&self, need: Need) -> bool {
        self.lack(need).is_none()
    }

    /// The dialog that tells what is not there, and the way to it.
    fn lack(&self, need: Need) -> Option<&'static str> {
        match need {
            Need::Home if !self.has_home => Some("no_home"),
            Need::Player if !(self.has_player)() => Some("no_player"),
            Need::Nothing | Need::Home | Need::Player => None,
        }
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
struct Question {
    /// As in "timers"; default: all.
    #[serde(default)]
    topic: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Advice {
    /// Sentences that the person can say.
    examples: Vec<String>,
    #[serde(skip)]
    dialog: &'static str,
}

impl Tell for Advice {
    fn tell(&self) -> Option<Telling> {
        let examples = GAPS.into_iter().zip(&self.examples);
        let told = examples.fold(Telling::new(self.dialog), |told, (gap, example)| {
            told.words(gap, example)
        });
        Some(told)
    }
}

/// The toolbox.
pub fn toolbox(here: Surroundings, wording: &Wording) -> FunctionToolbox {
    let locales = Arc::clone(&wording.locales);
    let advise = move |question: Question, person: &Circumstances| {
        let lang = person.lang.as_deref().unwrap_or("en");
        advice(question.topic.as_deref(), &here, &locales, lang)
    };
    let description = "Tell the person what they can say to this device, with examples.";
    FunctionToolbox::new(ID, vec![Function::new(TELL, description, advise)]).telling(FOLDER, wording)
}

fn advice(
    topic: Option<&str>,
    here: &Surroundings,
    locales: &Locales,
    lang: &str,
) -> Result<Advice, ToolError> {
    let Some(said) = topic.filter(|topic| !topic.trim().is_empty()) else {
        let there = TOPICS.iter().filter(|(_, need)| here.have(*need));
        let first = there.filter_map(|(name, _)| examples(name, locales, lang).next());
        return Ok(Advice {
            examples: first.take(EXAMPLES).collect(),
            dialog: "abilities",
        });
    };
    let meant = TOPICS.iter().find(|(name, _)| *name == said);
    let meant = meant.or_else(|| topic_of(said, locales, lang));
    let Some((name, need)) = meant else {
        let known: Vec<&str> = TOPICS.iter().map(|(name, _)| *name).collect();
        let rule = format!("topic: write one of {}", known.join(", "));
        return Err(ToolError::reply("ValueError", rule));
    };
    if let Some(dialog) = here.lack(*need) {
        return Ok(Advice {
            examples: Vec::new(),
            dialog,
        });
    }
    Ok(Advice {
        examples: examples(name, locales, lang).take(EXAMPLES).collect(),
        dialog: "about",
    })
}

/// The names of all topics.
pub fn topics() -> impl Iterator<Item = &'static str> {
    TOPICS.iter().map(|(name, _)| *name)
}

/// The sentences that are told of a topic, in a language.
pub fn examples(topic: &str, locales: &Locales, lang: &str) -> impl Iterator<Item = String> {
    let lines = locales.file(FOLDER, lang, &format!("{topic}.dialog"));
    lines.unwrap_or_default().iter().map(|line| line.text.clone())
}

/// The topic that these words name.
fn topic_of(said: &str, locales: &Locales, lang: &str) -> Option<&'static (&'static str, Need)> {
    let said = folded(said);
    let mut listed = locales.values(FOLDER, lang, WORDS);
    let (found, _) = listed.find(|(_, words)| words.split('|').any(|word| folded(word) == said))?;
    TOPICS.iter().find(|(name, _)| *name == found.trim())
}

fn read(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    let (topic, _) = topic_of(said, spoken.locales, spoken.lang)?;
    Some(Value::from(*topic))
}
