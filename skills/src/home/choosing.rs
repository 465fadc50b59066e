//! Whether words answer the question which of several things is meant. Moves nothing, and asks nothing.

use std::collections::BTreeSet;
use std::sync::Arc;

use loquat_agent::toolbox::Circumstances;
use loquat_agent::turn::IntendedCall;
use serde_json::{Map, Value};

use super::given::given;
use super::link::HomeAssistant;
use super::reading::Read;
use super::target::{Found, Why};
use super::tools::Tools;
use super::words::Words;
use super::{CHANGE_LIST, CONTROL, PLAY, READ, READ_LIST, SET};
use crate::locale::Locales;

/// Whether these words say which of several, that were told, is meant by a call in this language.
pub(crate) fn chooses(
    (home, locales): (&Arc<HomeAssistant>, &Arc<Locales>),
    (call, told): (&IntendedCall, &[String]),
    (said, lang): (&str, &str),
) -> bool {
    let tools = Tools {
        home: Arc::clone(home),
        locales: Arc::clone(locales),
    };
    let person = Circumstances {
        lang: Some(lang.to_owned()),
        ..Circumstances::default()
    };
    let meant = |choice: &str| {
        let mut arguments = call.arguments.clone();
        arguments.insert("choice".to_owned(), Value::from(choice));
        tools.meant((&call.tool, arguments), &person)
    };
    // A number counts what was told. Where other things are there now, only a name that was told is an answer.
    let as_told: BTreeSet<&String> = told.iter().collect();
    let are_as_told =
        matches!(meant(""), Some(Err(Why::Several(now))) if now.iter().collect::<BTreeSet<_>>() == as_told);
    let is_answer = are_as_told || names_one(told, said, &Words::of(locales, lang));
    is_answer && meant(said).is_some_and(|found| found.is_ok())
}

/// Whether all words of an answer that say which one are those of one thing that was told, and of no other.
fn names_one(told: &[String], said: &str, words: &Words) -> bool {
    let plain = words.plain(said);
    let saying: Vec<&str> = words.telling(&plain).collect();
    if saying.is_empty() || words.choice(&plain).is_ok() {
        return false;
    }
    let has_all = |told: &&String| {
        let told = crate::folded(told);
        let known: Vec<&str> = told.split(|c: char| !c.is_alphanumeric()).collect();
        saying.iter().all(|word| known.contains(word))
    };
    told.iter().filter(has_all).count() == 1
}

impl Tools {
    /// What a call means; nothing where no question asks which one it does.
    fn meant(
        &self,
        (tool, arguments): (&str, Map<String, Value>),
        person: &Circumstances,
    ) -> Option<Result<Found, Why>> {
        match tool {
            CONTROL | SET | PLAY => {
                let found = self.find(given(tool, &arguments).ok()?, person);
                Some(found.map(|(_, found)| found))
            }
            READ => {
                let asked = serde_json::from_value::<Read>(Value::Object(arguments)).ok()?;
                Some(self.sought_now(asked, person))
            }
            READ_LIST | CHANGE_LIST => self.list_meant((tool, arguments), person),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_was_told_is_an_answer_whatever_is_left() {
        let words = Words::of(&Locales::embedded(), "en");
        let told = ["Lamp (Kitchen)", "Lamp (Bedroom)"].map(str::to_owned);
        for (said, is_one) in [
            ("the kitchen one", true),
            ("the bedroom lamp", true),
            ("the first one", false),
            ("the lamp", false),
            ("both", false),
            ("what is the weather in the kitchen", false),
            ("the hall", false),
            ("", false),
        ] {
            assert_eq!(names_one(&told, said, &words), is_one, "{said}");
        }
    }
}
