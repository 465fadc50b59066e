//! What Loquat devices of one hive tell each other, beside what HiveMind has: which rooms there are, what is to be said in one, and
//! what came of it. All of it is words to be spoken; nothing of it is an order.

use loquat_skills::Unspoken;
use loquat_skills::intercom::{Aim, Caller, Intercom, LONGEST, Said};
use serde_json::{Map, Value};

/// A member asks which rooms there are.
pub(super) const ROOMS: &str = "loquat.rooms";

/// A member has something said in a room.
pub(super) const ANNOUNCE: &str = "loquat.announce";

/// A member tells what came of what it was to say.
pub(super) const ANNOUNCED: &str = "loquat.announced";

/// Our own key in the context of a `speak` that is to be said in a member's room: an id, and the room from which it comes.
pub(super) const ANNOUNCEMENT: &str = "loquat_announcement";

/// Characters of the name of a room.
const LONGEST_NAME: usize = 60;

/// What came of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    Said,
    Rests,
    Gone,
}

impl Outcome {
    /// Reads what another device tells.
    pub(super) fn read(data: &Map<String, Value>) -> Self {
        match data.get("outcome").and_then(Value::as_str) {
            Some("said") => Self::Said,
            Some("resting") => Self::Rests,
            _ => Self::Gone,
        }
    }

    /// As it is told.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Said => "said",
            Self::Rests => "resting",
            Self::Gone => "gone",
        }
    }
}

impl From<Outcome> for Result<(), Unspoken> {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Said => Ok(()),
            Outcome::Rests => Err(Unspoken::Rests),
            Outcome::Gone => Err(Unspoken::Gone),
        }
    }
}

impl From<Result<(), Unspoken>> for Outcome {
    fn from(spoken: Result<(), Unspoken>) -> Self {
        match spoken {
            Ok(()) => Self::Said,
            Err(Unspoken::Rests) => Self::Rests,
            Err(Unspoken::Gone) => Self::Gone,
        }
    }
}

impl From<&Said> for Outcome {
    fn from(said: &Said) -> Self {
        if !said.heard.is_empty() {
            return Self::Said;
        }
        if said.resting.is_empty() {
            Self::Gone
        } else {
            Self::Rests
        }
    }
}

/// What a member has said in a room.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Wish {
    pub(super) id: String,
    pub(super) message: String,
    pub(super) aim: Aim,
    pub(super) is_reply: bool,
    /// The language that it names.
    pub(super) lang: Option<String>,
}

impl Wish {
    /// Reads it; none where it says nothing, or too much.
    pub(super) fn read(data: &Map<String, Value>) -> Option<Self> {
        let text = |key: &str| data.get(key).and_then(Value::as_str).map(str::to_owned);
        let message = text("message").filter(|message| !message.trim().is_empty())?;
        let is_name = |room: &String| room.chars().count() <= LONGEST_NAME;
        let is_short = message.chars().count() <= LONGEST && text("room").as_ref().is_none_or(is_name);
        is_short.then(|| Self {
            id: text("id").unwrap_or_default(),
            message,
            aim: text("room").map_or(Aim::Everywhere, Aim::Room),
            is_reply: data.get("reply").and_then(Value::as_bool) == Some(true),
            lang: text("lang").and_then(|lang| loquat_wire::language::standard(&lang)),
        })
    }

    /// Has it said. An answer goes to where that comes from which was said there last, and else to the room that is named.
    pub(super) async fn say(&self, intercom: &Intercom, caller: &Caller) -> Outcome {
        if self.is_reply {
            let said = intercom.say(caller, &self.message, &Aim::Back).await;
            if said.trouble.is_none() {
                return Outcome::from(&said);
            }
        }
        Outcome::from(&intercom.say(caller, &self.message, &self.aim).await)
    }
}
