//! Who is at home, for what is to be told to a person then. Only persons that conversations may see are known.

use loquat_agent::consent::AgreedCall;
use loquat_kit::folded;
use loquat_kit::people::Presence;
use serde_json::json;

use super::link::HomeAssistant;
use super::names::{ID, READ};

impl Presence for HomeAssistant {
    fn at_home(&self, name: &str) -> Option<AgreedCall> {
        let house = self.house.read_recursive();
        let wanted = folded(name);
        let mut persons = house.exposed().filter(|entity| entity.domain() == "person");
        let person = persons.find(|person| person.names.iter().any(|name| folded(name) == wanted))?;
        let arguments = json!({"question": "is", "kind": "person", "state": "home", "thing": person.name()});
        Some(AgreedCall {
            toolbox_id: ID.to_owned(),
            tool: READ.to_owned(),
            arguments: arguments.as_object().cloned().unwrap_or_default(),
        })
    }
}
