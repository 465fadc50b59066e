//! Messages of the bus that a person may wait for, as the settings name them.

use loquat_settings::form::Form;
use loquat_skills::alerts::{Messages, MessagesError};
use serde::{Deserialize, Serialize};

/// These messages, by what people call them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Vec<String>", into = "Vec<String>")]
pub struct AwaitedMessages(pub Messages);

impl TryFrom<Vec<String>> for AwaitedMessages {
    type Error = MessagesError;

    fn try_from(lines: Vec<String>) -> Result<Self, MessagesError> {
        Messages::try_from(lines).map(Self)
    }
}

impl From<AwaitedMessages> for Vec<String> {
    fn from(AwaitedMessages(messages): AwaitedMessages) -> Self {
        messages.into()
    }
}

impl Form for AwaitedMessages {
    fn expected() -> String {
        "a list of messages with their names, as in [\"the laundry is done = laundry.state state=done\"]"
            .to_owned()
    }
}
