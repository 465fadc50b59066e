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
use crate::choosing::named;
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
    let is_answer = are_as_told || named(told, said, &Words::of(locales, lang)).is_some();
    is_answer && meant(said).is_some_and(|found| found.is_ok())
}

/// The only thing that a call moves, with the word for its kind; nothing where it moves none or several, or only looks.
pub(crate) fn about(
    (home, locales): (&Arc<HomeAssistant>, &Arc<Locales>),
    call: &IntendedCall,
    lang: &str,
) -> Option<String> {
    let tools = Tools {
        home: Arc::clone(home),
        locales: Arc::clone(locales),
    };
    let person = Circumstances {
        lang: Some(lang.to_owned()),
        ..Circumstances::default()
    };
    if ![CONTROL, SET].contains(&call.tool.as_str()) {
        return None;
    }
    let found = tools.meant((&call.tool, call.arguments.clone()), &person)?.ok()?;
    let [id] = found.ids.as_slice() else { return None };
    let house = home.house.read_recursive();
    let entity = house.entities.get(id)?;
    let words = Words::of(locales, lang);
    Some(format!("{} ({})", entity.name(), words.one_of(entity.domain())?))
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
