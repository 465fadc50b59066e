//! Rooms and floors by what people call them, and what is in them. Calls nothing.

use super::house::{Entity, House, Place};
use super::words::Words;

/// Where things are.
pub(super) enum Where<'a> {
    Anywhere,
    Area(&'a Place),
    Floor(&'a Place),
}

impl Where<'_> {
    pub(super) fn holds(&self, entity: &Entity, house: &House) -> bool {
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

    pub(super) fn is_anywhere(&self) -> bool {
        matches!(self, Self::Anywhere)
    }
}

/// The place of this name, or the only one nearly called so.
pub(super) fn place<'a>(places: &'a [Place], plain: &str, words: &Words) -> Option<&'a Place> {
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
pub(super) fn miss(said: &str, name: &str) -> Option<usize> {
    let length = name.chars().count();
    if !(4..=48).contains(&length) || said.chars().count().abs_diff(length) > length / 5 + 1 {
        return None;
    }
    let miss = strsim::damerau_levenshtein(said, name);
    (miss <= (length / 5).max(1)).then_some(miss)
}
