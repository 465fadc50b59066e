//! Classes of things, such as blinds and curtains of covers, and which things are of one. Moves nothing.

use super::guard::{CLASSES as WAYS, is_opening_for_people};
use super::house::Entity;

/// Classes of covers, as Home Assistant names them.
pub(super) const OF_COVERS: [&str; 10] = [
    "awning", "blind", "curtain", "damper", "door", "garage", "gate", "shade", "shutter", "window",
];

pub(super) fn are_of_covers(classes: &[String]) -> bool {
    let is_it = |class: &String| OF_COVERS.iter().any(|known| is_class(known, class));
    classes.iter().any(is_it)
}

/// Things of these classes. Where none has one, those that have no class at all may be of it; what opens a way for people
/// is then a door, a garage or a gate only.
pub(super) fn of_classes<'e>(things: &[&'e Entity], classes: &[String]) -> Vec<&'e Entity> {
    if classes.is_empty() {
        return things.to_vec();
    }
    let is_meant = |class: &str| classes.iter().any(|meant| is_class(class, meant));
    let with = |is_it: &dyn Fn(&Entity) -> bool| -> Vec<&'e Entity> {
        things.iter().copied().filter(|entity| is_it(entity)).collect()
    };
    let known = with(&|entity| entity.text("device_class").is_some_and(is_meant));
    if !known.is_empty() {
        return known;
    }
    with(&|entity| {
        let has_none = entity.domain() == "cover" && entity.text("device_class").is_none();
        let is_way = is_opening_for_people(entity);
        has_none && classes.iter().any(|class| opens_a_way(class) == is_way)
    })
}

/// Whether a thing's class is the one that is meant, which may be written as several of it.
fn is_class(class: &str, meant: &str) -> bool {
    let meant = meant.trim();
    let one = meant.strip_suffix('s').unwrap_or(meant);
    class == meant || class == one || (class == "garage_door" && one == "garage")
}

/// Whether covers of this class open a way for people.
pub(super) fn opens_a_way(class: &str) -> bool {
    WAYS.iter().any(|way| is_class(way, class))
}
