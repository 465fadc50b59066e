//! Orders that name no player where something plays in a room of the home: which is meant is asked, unless just one of them
//! plays. Knows no home.

use loquat_agent::Speaker;
use loquat_agent::toolbox::Circumstances;
use loquat_kit::answers::{Chosen, chosen, forms};
use loquat_kit::dialog::{Gap, Telling};
use loquat_kit::report::{Problem, Report};
use loquat_kit::room_players::{RoomOrder, RoomPlayer};
use loquat_kit::{Locales, folded};

use super::player::Player;
use super::tools::{Action, Obeyed, Why, told};
use super::{FOLDER, Tools};

/// The list of words for this device; the first is told.
const HERE: &str = "here.value";

/// What plays, here and in the rooms.
pub(super) struct Sounding<'a> {
    pub(super) here: Vec<&'a Player>,
    pub(super) rooms: Vec<RoomPlayer>,
}

/// What an order is for.
struct Meant {
    here: bool,
    rooms: Vec<RoomPlayer>,
}

impl Action {
    /// What a player of a room is told.
    pub(super) fn of_room(self) -> Option<RoomOrder> {
        match self {
            Self::Pause => Some(RoomOrder::Pause),
            Self::Stop => Some(RoomOrder::Stop),
            Self::Next => Some(RoomOrder::Next),
            Self::Previous => Some(RoomOrder::Previous),
            Self::Play | Self::Restart => None,
        }
    }
}

impl Tools {
    /// The players of rooms that play. A guest speaks elsewhere, and is not heard for this home.
    pub(super) fn rooms_playing(&self, person: &Circumstances) -> Vec<RoomPlayer> {
        let is_here = !matches!(person.speaker, Speaker::Guest(_));
        let rooms = self.rooms.as_ref().filter(|_| is_here);
        rooms.map(|rooms| rooms.playing()).unwrap_or_default()
    }

    /// Tells what is meant of all that plays, or asks.
    pub(super) async fn told_everywhere(
        &self,
        sounding: Sounding<'_>,
        action: Action,
        order: RoomOrder,
        choice: &str,
        person: &Circumstances,
    ) -> Result<Report<Obeyed>, Why> {
        let lang = person.lang.as_deref().unwrap_or("en");
        let names = names(&sounding, &self.locales, lang);
        let meant = match chosen_of(&names, choice, &self.locales, lang) {
            _ if names.len() == 1 => sounding.all(),
            Some(chosen) => sounding.only(chosen),
            None => return Ok(asking(&sounding, names)),
        };
        let mut last = Err(refused("no player is meant"));
        if meant.here {
            let (order, dialog) = action.order().ok_or_else(|| refused("it cannot be told that"))?;
            last = told(&self.players, &sounding.here, order, dialog).await;
        }
        for player in meant.rooms {
            let is_done = match &self.rooms {
                Some(rooms) => rooms.tell(player.id, order).await,
                None => false,
            };
            last = if is_done {
                let told = Telling::new(action.dialog()).words("player", &player.name);
                Ok(Report::new(Obeyed::by(player.name), told))
            } else {
                return Err(refused("the player of the home did not do it"));
            };
        }
        last
    }
}

impl Sounding<'_> {
    fn all(&self) -> Meant {
        Meant {
            here: !self.here.is_empty(),
            rooms: self.rooms.clone(),
        }
    }

    /// What was chosen of the names, of which this device is the first where it plays.
    fn only(&self, chosen: Chosen) -> Meant {
        let Chosen::One(place) = chosen else {
            return self.all();
        };
        let plays_here = !self.here.is_empty();
        let place = if plays_here {
            place.checked_sub(1)
        } else {
            Some(place)
        };
        let room = place.and_then(|place| self.rooms.get(place)).cloned();
        Meant {
            here: plays_here && place.is_none(),
            rooms: room.into_iter().collect(),
        }
    }
}

/// What can be chosen, this device first.
fn names(sounding: &Sounding<'_>, locales: &Locales, lang: &str) -> Vec<String> {
    let first = || here(locales, lang).into_iter().next().unwrap_or_default();
    let here = (!sounding.here.is_empty()).then(first).into_iter();
    let rooms = sounding.rooms.iter().map(|player| player.name.clone());
    here.chain(rooms).collect()
}

fn here(locales: &Locales, lang: &str) -> Vec<String> {
    forms(locales, FOLDER, lang, HERE, "here")
}

/// What these words choose of the names: "here" is this device.
pub(super) fn chosen_of(names: &[String], said: &str, locales: &Locales, lang: &str) -> Option<Chosen> {
    let words = here(locales, lang);
    let is_offered = words.first().is_some_and(|here| names.first() == Some(here));
    if is_offered && words.contains(&folded(said)) {
        return Some(Chosen::One(0));
    }
    chosen(names, said, locales, lang)
}

fn asking(sounding: &Sounding<'_>, names: Vec<String>) -> Report<Obeyed> {
    let plays_here = !sounding.here.is_empty();
    let dialog = if plays_here { "which_place" } else { "which" };
    let of_rooms = names.iter().skip(usize::from(plays_here)).cloned();
    let told = Telling::new(dialog).with("players", Gap::Several(of_rooms.collect()));
    Report::asking(Obeyed::default(), names, told)
}

fn refused(text: &str) -> Why {
    Why(Problem::new(text, "refused"))
}

#[cfg(test)]
mod tests;
