//! What the tools give back, and how it is told.

use loquat_kit::dialog::{Gap, Tell, Telling};
use schemars::JsonSchema;
use serde::Serialize;

use super::said::{Said, Trouble};

/// Rooms that are named in one sentence.
const MOST_NAMED: usize = 8;

/// Where it was said.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Announced {
    done: bool,
    /// Rooms in which it was said.
    rooms: Vec<String>,
    /// Rooms that are not to be disturbed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    resting: Vec<String>,
    /// Rooms that cannot be reached.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unreached: Vec<String>,
    /// Why it was said nowhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
    #[serde(skip)]
    told: Telling,
}

impl Tell for Announced {
    fn tell(&self) -> Option<Telling> {
        Some(self.told.clone())
    }
}

/// The rooms in which something can be said.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Reached {
    rooms: Vec<String>,
    #[serde(skip)]
    told: Telling,
}

impl Tell for Reached {
    fn tell(&self) -> Option<Telling> {
        Some(self.told.clone())
    }
}

impl Reached {
    pub(super) fn of(rooms: Vec<String>) -> Self {
        let told = if rooms.is_empty() {
            Telling::new("no_rooms")
        } else {
            Telling::new("rooms").with("rooms", named(&rooms))
        };
        Self { rooms, told }
    }
}

impl Announced {
    /// Nothing is said yet, and it is asked for what is missing.
    pub(super) fn asking(dialog: &'static str) -> Self {
        Self::not(
            "nothing is said yet; ask the person what to say".to_owned(),
            Telling::new(dialog),
        )
    }

    fn not(problem: String, told: Telling) -> Self {
        Self {
            done: false,
            rooms: Vec::new(),
            resting: Vec::new(),
            unreached: Vec::new(),
            problem: Some(problem),
            told,
        }
    }
}

impl From<Said> for Announced {
    fn from(said: Said) -> Self {
        if let Some(trouble) = said.trouble {
            let (problem, told) = told(trouble);
            return Self::not(problem, told);
        }
        let parts = [
            ("told", &said.heard),
            ("resting", &said.resting),
            ("unreached", &said.gone),
        ];
        let parts = parts.into_iter().filter(|(_, rooms)| !rooms.is_empty());
        let told = parts.map(|(dialog, rooms)| Telling::new(dialog).with("rooms", named(rooms)));
        Self {
            done: !said.heard.is_empty(),
            told: told
                .reduce(Telling::then)
                .unwrap_or_else(|| Telling::new("no_rooms")),
            rooms: said.heard,
            resting: said.resting,
            unreached: said.gone,
            problem: None,
        }
    }
}

fn told(trouble: Trouble) -> (String, Telling) {
    match trouble {
        Trouble::NoRooms => (
            "there is no other room in which something can be said".to_owned(),
            Telling::new("no_rooms"),
        ),
        Trouble::NoVoice(room, rooms) => (
            format!(
                "nothing can be said in '{room}'; the rooms are {}",
                rooms.join(", ")
            ),
            Telling::new("no_voice")
                .words("room", room)
                .with("rooms", named(&rooms)),
        ),
        Trouble::Here => ("that is the room of the person".to_owned(), Telling::new("here")),
        Trouble::Which(rooms) => (
            format!("ask the person: in which room? There are {}", rooms.join(", ")),
            Telling::new("ask_room").with("rooms", named(&rooms)),
        ),
        Trouble::NothingSaid => (
            "nothing was said here lately from another room".to_owned(),
            Telling::new("nothing_said"),
        ),
        Trouble::TooMany => (
            "too much is being said in other rooms; wait a minute".to_owned(),
            Telling::new("too_many"),
        ),
    }
}

fn named(rooms: &[String]) -> Gap {
    Gap::Several(rooms.iter().take(MOST_NAMED).cloned().collect())
}
