//! Whether words answer the question which of several things is meant. Moves nothing, and asks nothing.

use std::collections::BTreeSet;
use std::sync::Arc;

use loquat_agent::toolbox::Circumstances;
use loquat_agent::turn::IntendedCall;
use serde_json::{Map, Value};

use super::given::given;
use super::names::{CHANGE_LIST, CLEAR_LIST, CONTROL, PLAY, READ, READ_LIST, SET, SET_TEMPERATURE};
use super::reading::Read;
use super::target::{Found, Why};
use super::tools::Tools;
use super::words::Words;
use loquat_kit::intent::InLanguage;

/// Whether these words say which of several, that were told, is meant by a call in this language.
pub(crate) fn chooses(call: &IntendedCall, told: &[String], spoken: &InLanguage<'_>) -> bool {
    let Some((tools, person)) = asked_in(spoken) else {
        return false;
    };
    let meant = |choice: &str| {
        let mut arguments = call.arguments.clone();
        arguments.insert("choice".to_owned(), Value::from(choice));
        tools.meant(&call.tool, arguments, &person)
    };
    // A number counts what was told. Where other things are there now, only a name that was told is an answer.
    let as_told: BTreeSet<&String> = told.iter().collect();
    let are_as_told =
        matches!(meant(""), Some(Err(Why::Several(now))) if now.iter().collect::<BTreeSet<_>>() == as_told);
    let is_answer = are_as_told
        || Words::of(spoken.locales, spoken.lang)
            .answers()
            .named(told, spoken.said)
            .is_some();
    is_answer && meant(spoken.said).is_some_and(|found| found.is_ok())
}

/// The only thing that a call moves, with the word for its kind; nothing where it moves none or several, or only looks.
pub(crate) fn about(call: &IntendedCall, spoken: &InLanguage<'_>) -> Option<String> {
    let (tools, person) = asked_in(spoken)?;
    if ![CONTROL, SET].contains(&call.tool.as_str()) {
        return None;
    }
    let found = tools.meant(&call.tool, call.arguments.clone(), &person)?.ok()?;
    let [id] = found.ids.as_slice() else { return None };
    let house = tools.home.house.read_recursive();
    let entity = house.entities.get(id)?;
    let words = Words::of(spoken.locales, spoken.lang);
    Some(format!("{} ({})", entity.name(), words.one_of(entity.domain())?))
}

/// What names the things that a call was about. A call that names nothing is about none.
pub(crate) fn object(call: &IntendedCall) -> Option<Map<String, Value>> {
    const NAMING: [&str; 5] = ["area", "choice", "class", "kind", "thing"];
    const HEATING: &str = "climate";
    if ![CONTROL, SET, READ].contains(&call.tool.as_str()) {
        return None;
    }
    let naming = call.arguments.iter();
    let naming = naming.filter(|(argument, _)| NAMING.contains(&argument.as_str()));
    // What is set next is the heating, whatever of it was asked for.
    let named = |value: &Value| match value.as_str() {
        Some(SET_TEMPERATURE) => Value::from(HEATING),
        _ => value.clone(),
    };
    let naming: Map<String, Value> = naming
        .map(|(argument, value)| (argument.clone(), named(value)))
        .collect();
    (!naming.is_empty()).then_some(naming)
}

/// The tools of the home, and a person who asks them in a language.
fn asked_in(spoken: &InLanguage<'_>) -> Option<(Tools, Circumstances)> {
    let tools = Tools {
        home: spoken.things.get()?,
        locales: Arc::clone(spoken.locales),
    };
    let person = Circumstances {
        lang: Some(spoken.lang.to_owned()),
        ..Circumstances::default()
    };
    Some((tools, person))
}

impl Tools {
    /// What a call means; nothing where no question asks which one it does.
    fn meant(
        &self,
        tool: &str,
        arguments: Map<String, Value>,
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
            READ_LIST | CHANGE_LIST | CLEAR_LIST => self.list_meant(tool, arguments, person),
            _ => None,
        }
    }
}
