//! The names of a home as sentences need them: of its things with their kinds, of its rooms and of its floors. Nothing here
//! looks for what is meant by them.

use std::ops::Range;

use super::link::HomeAssistant;
use super::words::Words;
use loquat_kit::{Locales, Rooms};

/// A joining word, an article and a name have no more words.
const MOST_WORDS_OF_A_PLACE: usize = 6;

/// A name of a thing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ThingName {
    /// As it is said.
    pub name: String,
    /// It is a kind of thing, such as `light`.
    pub domain: String,
    /// What kind of cover or sensor it is, where it tells that.
    pub class: Option<String>,
}

/// All names of a home that a conversation may know.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Vocabulary {
    /// Its things are called so.
    pub things: Vec<ThingName>,
    /// Its rooms are called so.
    pub areas: Vec<String>,
    /// Its floors are called so.
    pub floors: Vec<String>,
    /// The room in which this device stands.
    pub own_area: Option<String>,
}

impl HomeAssistant {
    /// How often something of the home has changed. With the same count its names are the same.
    pub fn changes(&self) -> u64 {
        *self.changes.borrow()
    }

    /// Whether a room of this name has a thing of this class.
    pub fn has_class_in(&self, class: &str, area: &str) -> bool {
        let house = self.house.read_recursive();
        let called = loquat_kit::folded(area);
        let is_it =
            |place: &&super::house::Place| place.names.iter().any(|name| loquat_kit::folded(name) == called);
        let rooms: Vec<&str> = house
            .areas
            .iter()
            .filter(is_it)
            .map(|room| room.id.as_str())
            .collect();
        let mut of_class = house
            .exposed()
            .filter(|entity| entity.text("device_class") == Some(class));
        of_class.any(|entity| entity.area.as_deref().is_some_and(|room| rooms.contains(&room)))
    }

    /// Whether a name of a thing, a room or a floor stands in a text, as whole words.
    pub fn is_named_in(&self, text: &str) -> bool {
        let said = format!(" {} ", loquat_kit::folded(text));
        let house = self.house.read_recursive();
        let things = house.exposed().flat_map(|entity| &entity.names);
        let places = house
            .areas
            .iter()
            .chain(&house.floors)
            .flat_map(|place| &place.names);
        let mut names = things.chain(places).map(|name| loquat_kit::folded(name));
        names.any(|name| !name.is_empty() && said.contains(&format!(" {name} ")))
    }

    /// The names that there are now.
    pub fn vocabulary(&self) -> Vocabulary {
        let house = self.house.read_recursive();
        let things = house.exposed().flat_map(|entity| {
            let class = entity.text("device_class");
            entity.names.iter().map(move |name| ThingName {
                name: name.clone(),
                domain: entity.domain().to_owned(),
                class: class.map(str::to_owned),
            })
        });
        let names = |places: &[super::house::Place]| -> Vec<String> {
            places
                .iter()
                .flat_map(|place| place.names.iter().cloned())
                .collect()
        };
        Vocabulary {
            things: things.collect(),
            areas: names(&house.areas),
            floors: names(&house.floors),
            own_area: self.settings.area.clone(),
        }
    }
}

impl Rooms for HomeAssistant {
    fn own_room(&self) -> Option<&str> {
        self.settings.area.as_deref()
    }

    fn list_called(&self, names: &[String]) -> Option<String> {
        let house = self.house.read_recursive();
        let names: Vec<String> = names.iter().map(|name| loquat_kit::folded(name)).collect();
        let is_called_so = |name: &&String| names.contains(&loquat_kit::folded(name));
        let lists = house.exposed().filter(|entity| entity.domain() == "todo");
        let mut called = lists.filter(|list| list.names.iter().any(|name| is_called_so(&name)));
        called.next().map(|list| list.name().to_owned())
    }

    /// Where in these words a place is named, with the word that joins it: "in the kitchen", "here". The longest of each
    /// beginning, with what the place is called; the room of the device has no other name where none is known.
    fn places_in(&self, said: &[&str], locales: &Locales, lang: &str) -> Vec<(Range<usize>, Option<String>)> {
        let words = Words::of(locales, lang);
        let house = self.house.read_recursive();
        let named = |text: &str| {
            let mut places = house.areas.iter().chain(&house.floors);
            let place = places.find(|place| place.names.iter().any(|name| words.plain(name) == text))?;
            Some(Some(place.name().to_owned()))
        };
        let meant = |range: &Range<usize>| {
            let text = loquat_kit::folded(&said.get(range.clone())?.join(" "));
            let joined = words.joined(&text);
            if words.is_here(joined.unwrap_or(&text)) {
                return Some(self.settings.area.clone());
            }
            named(joined?)
        };
        let longest = |from: usize| {
            let ends = (from + 1..=said.len().min(from + MOST_WORDS_OF_A_PLACE)).rev();
            ends.map(|end| from..end)
                .find_map(|range| meant(&range).map(|name| (range, name)))
        };
        let mut found: Vec<(Range<usize>, Option<String>)> = Vec::new();
        for from in 0..said.len() {
            let is_within = found.last().is_some_and(|(last, _)| last.contains(&from));
            found.extend(longest(from).filter(|_| !is_within));
        }
        found
    }
}
