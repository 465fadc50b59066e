//! Whether words answer the question which of several things is meant. Moves nothing, and asks nothing.

use std::sync::Arc;

use loquat_agent::toolbox::Circumstances;
use loquat_agent::turn::IntendedCall;
use serde_json::Value;

use super::given::given;
use super::link::HomeAssistant;
use super::reading::Read;
use super::tools::Tools;
use super::{CONTROL, PLAY, READ, SET};
use crate::locale::Locales;

/// Whether these words say which of several is meant by a call, in this language.
pub(crate) fn chooses(
    (home, locales): (&Arc<HomeAssistant>, &Arc<Locales>),
    call: &IntendedCall,
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
    let mut arguments = call.arguments.clone();
    arguments.insert("choice".to_owned(), Value::from(said));
    match call.tool.as_str() {
        CONTROL | SET | PLAY => {
            let given = given(&call.tool, &arguments).ok();
            given.is_some_and(|given| tools.find(given, &person).is_ok())
        }
        READ => {
            let asked = serde_json::from_value::<Read>(Value::Object(arguments));
            asked.is_ok_and(|asked| tools.is_clear(asked, &person))
        }
        _ => false,
    }
}
