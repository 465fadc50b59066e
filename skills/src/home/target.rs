//! Which things of the home a person means: by a name, an alias or a close miss of one, by kind, by room or by floor. What is
//! meant by more than one thing is told instead of guessed. Calls nothing.

use std::collections::BTreeSet;

use crate::locale::Locales;

use super::guard::Guard;
use super::house::{Entity, House, Place};
use super::words::{Kind, Named, Words};

/// What is said of what is meant.
#[derive(Debug, Clone, Default)]
pub(crate) struct Wish<'a> {
    /// A name, or a kind with or without a room.
    pub(crate) thing: &'a str,
    /// A room or a floor.
    pub(crate) area: &'a str,
    /// A kind as tools name it.
    pub(crate) kind: &'a str,
    /// The kinds of entities that are meant where none is named.
    pub(crate) usual: &'a [&'a str],
}

/// What is meant.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Found {
    pub(crate) ids: Vec<String>,
    /// Names of what a wide wish does not reach, since it asks.
    pub(crate) left_out: Vec<String>,
}

/// Why it is not known what is meant.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Why {
    /// Nothing is called so.
    Unknown(String),
    /// Several things are.
    Several(Vec<String>),
    /// There is nothing of the kind there.
    Nothing,
    /// What is called so cannot do it.
    Unable(String),
}

/// What small models write for an area where none was said: words of the schema.
const NO_PLACE: [&str; 5] = ["area", "floor", "home", "house", "room"];

/// Where things are.
enum Where<'a> {
    Anywhere,
    Area(&'a Place),
    Floor(&'a Place),
}

impl Where<'_> {
    fn holds(&self, entity: &Entity, house: &House) -> bool {
        let area = entity.area.as_deref();
        match self {
            Self::Anywhere => true,
            Self::Area(place) => area == Some(&place.id),
            Self::Floor(place) => {
                let area = area.and_then(|area| house.area(area));
                area.is_some_and(|area| area.floor.as_deref() == Some(&place.id))
            }
        }
    }

    fn is_anywhere(&self) -> bool {
        matches!(self, Self::Anywhere)
    }
}

/// A home in which things are looked for, and the words of the one who speaks.
pub(crate) struct Search<'a> {
    house: &'a House,
    guard: &'a Guard,
    words: Words,
    /// The room of the device.
    own: Option<&'a Place>,
    /// Whether a thing can do what is wished.
    fits: &'a dyn Fn(&Entity) -> bool,
    /// Whether what asks is left out of wide wishes.
    is_careful: bool,
}

impl<'a> Search<'a> {
    pub(crate) fn new(
        (house, guard): (&'a House, &'a Guard),
        own: Option<&str>,
        (locales, lang): (&Locales, &str),
        fits: &'a dyn Fn(&Entity) -> bool,
    ) -> Self {
        let words = Words::of(locales, lang);
        let own = own.and_then(|own| place(&house.areas, &words.plain(own), &words));
        Self {
            house,
            guard,
            words,
            own,
            fits,
            is_careful: true,
        }
    }

    /// For reading, which moves nothing.
    pub(crate) fn reading(self) -> Self {
        let is_careful = false;
        Self { is_careful, ..self }
    }

    /// What is meant.
    pub(crate) fn find(&self, wish: &Wish<'_>) -> Result<Found, Why> {
        let place = self.place_of(wish.area)?;
        let kind = Kind::named(wish.kind).map(|kind| Named {
            kind,
            is_several: true,
            is_all: true,
        });
        let thing = self.words.plain(wish.thing);
        if thing.is_empty() {
            return match (kind, place.is_anywhere()) {
                (None, true) => Err(Why::Unknown(String::new())),
                (kind, _) => self.wide(kind, &place, wish),
            };
        }
        if let Some(found) = self.named(&thing, &place) {
            return found;
        }
        if let Some(kind) = self.words.kind(&thing) {
            return self.wide(Some(kind), &place, wish);
        }
        if place.is_anywhere() {
            if let Some(place) = self.place(&thing) {
                return self.wide(kind, &place, wish);
            }
            if let Some((kind, rest)) = self.words.kind_with_rest(&thing)
                && let Some(place) = self.place(&self.words.plain(rest))
            {
                return self.wide(Some(kind), &place, wish);
            }
        }
        self.near(&thing, &place)
    }

    fn place_of(&self, area: &str) -> Result<Where<'a>, Why> {
        let plain = self.words.plain(area);
        if plain.is_empty() {
            return Ok(Where::Anywhere);
        }
        match self.place(&plain) {
            Some(place) => Ok(place),
            None if NO_PLACE.contains(&plain.as_str()) => Ok(Where::Anywhere),
            None => Err(Why::Unknown(shown(area))),
        }
    }

    /// A room or a floor of this name; close misses count where only one is close.
    fn place(&self, plain: &str) -> Option<Where<'a>> {
        let area = place(&self.house.areas, plain, &self.words).map(Where::Area);
        let floor = || place(&self.house.floors, plain, &self.words).map(Where::Floor);
        area.or_else(floor)
    }

    /// Things with just this name; nothing where there are none.
    fn named(&self, plain: &str, place: &Where<'_>) -> Option<Result<Found, Why>> {
        let is_called = |entity: &&Entity| {
            let mut names = entity.names.iter();
            names.any(|name| self.words.plain(name) == plain)
        };
        let here = |entity: &&Entity| place.holds(entity, self.house);
        let called: Vec<&Entity> = self.house.exposed().filter(is_called).filter(here).collect();
        let first = called.first()?;
        let able: Vec<&Entity> = called
            .iter()
            .copied()
            .filter(|entity| (self.fits)(entity))
            .collect();
        if able.is_empty() {
            // A room may have the name of a thing that cannot do it.
            let is_place = self.place(plain).is_some() || self.words.kind(plain).is_some();
            return (!is_place).then(|| Err(Why::Unable(first.name().to_owned())));
        }
        Some(self.the_one(&able))
    }

    /// The thing that is meant: the only one, or the only one in the room of the device.
    fn the_one(&self, able: &[&Entity]) -> Result<Found, Why> {
        let here = |entity: &&&Entity| {
            let own = self.own.map(|own| own.id.as_str());
            own.is_some() && entity.area.as_deref() == own
        };
        let mut at_home = able.iter().filter(here);
        match (able, at_home.next(), at_home.next()) {
            ([one], ..) => Ok(one_of(one)),
            (_, Some(one), None) => Ok(one_of(one)),
            (several, ..) => Err(Why::Several(self.told_apart(several))),
        }
    }

    /// Names of several things, with their rooms where they are called alike.
    fn told_apart(&self, several: &[&Entity]) -> Vec<String> {
        let names: BTreeSet<&str> = several.iter().map(|entity| entity.name()).collect();
        let told = |entity: &&Entity| {
            let area = entity.area.as_deref().and_then(|area| self.house.area(area));
            match area.filter(|_| names.len() < several.len()) {
                Some(area) => format!("{} ({})", entity.name(), area.name()),
                None => entity.name().to_owned(),
            }
        };
        several.iter().map(told).collect()
    }

    /// All things of a kind, here or everywhere.
    fn wide(&self, named: Option<Named>, place: &Where<'_>, wish: &Wish<'_>) -> Result<Found, Why> {
        let domains = named.map_or(wish.usual, |named| named.kind.domains());
        let is_of_kind =
            |entity: &&Entity| domains.contains(&entity.domain()) && entity.is_there() && (self.fits)(entity);
        let own = self
            .own
            .filter(|_| !named.is_none_or(|named| named.is_all))
            .map(Where::Area);
        let all: Vec<&Entity> = self.house.exposed().filter(is_of_kind).collect();
        let within = |place: &Where<'_>| -> Vec<&Entity> {
            let here = all.iter().filter(|entity| place.holds(entity, self.house));
            here.copied().collect()
        };
        let mut meant = within(place);
        if let Some(own) = own.filter(|_| place.is_anywhere()) {
            let here = within(&own);
            meant = if here.is_empty() { meant } else { here };
        } else if place.is_anywhere() && meant.len() > 1 && named.is_some_and(|named| !named.is_several) {
            return Err(Why::Several(self.told_apart(&meant)));
        }
        // Who names a kind that always asks means it.
        let is_meant = named
            .is_some_and(|named| matches!(named.kind, Kind::Lock | Kind::Alarm | Kind::Valve | Kind::Siren));
        let leaves_out =
            |entity: &&Entity| self.is_careful && !is_meant && self.guard.asks(entity, self.house);
        let (left_out, reached): (Vec<&Entity>, Vec<&Entity>) = meant.into_iter().partition(leaves_out);
        if reached.is_empty() && left_out.is_empty() {
            return Err(Why::Nothing);
        }
        Ok(Found {
            ids: reached.iter().map(|entity| entity.id.clone()).collect(),
            left_out: left_out.iter().map(|entity| entity.name().to_owned()).collect(),
        })
    }

    /// A close miss, where only one thing is close.
    fn near(&self, plain: &str, place: &Where<'_>) -> Result<Found, Why> {
        let able = self.house.exposed().filter(|entity| (self.fits)(entity));
        let here = able.filter(|entity| place.holds(entity, self.house));
        let mut close: Vec<(usize, &Entity)> = here
            .filter_map(|entity| {
                let names = entity.names.iter().map(|name| self.words.plain(name));
                let misses = names.filter_map(|name| miss(plain, &name));
                Some((misses.min()?, entity))
            })
            .collect();
        let least = close.iter().map(|(miss, _)| *miss).min();
        close.retain(|(miss, _)| Some(*miss) == least);
        let close: Vec<&Entity> = close.into_iter().map(|(_, entity)| entity).collect();
        if close.is_empty() {
            return Err(Why::Unknown(shown(plain)));
        }
        self.the_one(&close)
    }
}

fn one_of(entity: &Entity) -> Found {
    Found {
        ids: vec![entity.id.clone()],
        left_out: Vec::new(),
    }
}

/// The place of this name, or the only one nearly called so.
fn place<'a>(places: &'a [Place], plain: &str, words: &Words) -> Option<&'a Place> {
    let names = |place: &Place| -> Vec<String> { place.names.iter().map(|name| words.plain(name)).collect() };
    let exact = places
        .iter()
        .find(|place| names(place).iter().any(|name| name == plain));
    if exact.is_some() || plain.is_empty() {
        return exact;
    }
    let is_near = |place: &&Place| names(place).iter().any(|name| miss(plain, name).is_some());
    let mut near = places.iter().filter(is_near);
    match (near.next(), near.next()) {
        (Some(one), None) => Some(one),
        _ => None,
    }
}

/// By how much a name is missed, where that is little: one letter of five.
fn miss(said: &str, name: &str) -> Option<usize> {
    let length = name.chars().count();
    if !(4..=48).contains(&length) || said.chars().count().abs_diff(length) > length / 5 + 1 {
        return None;
    }
    let miss = strsim::damerau_levenshtein(said, name);
    (miss <= (length / 5).max(1)).then_some(miss)
}

/// Words of a person as they are told again.
fn shown(said: &str) -> String {
    let short: String = said.chars().take(40).collect();
    loquat_agent::speakable(&short)
}
