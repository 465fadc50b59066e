//! Several things that are named beside each other, two of a kind, and what is spared of many: "the lamp and the fan", "both
//! doors", "all lights except the hall". Moves nothing.

use super::{EVERYWHERE, Found, Search, Why, Wish, shown};
use crate::house::Entity;
use crate::place::miss;
use crate::words::Named;

/// So many things are named beside each other.
const MOST_NAMES: usize = 6;

impl Search<'_> {
    /// What several names mean that stand beside each other; nothing where there is only one.
    pub(super) fn together(&self, wish: &Wish<'_>) -> Option<Result<Found, Why>> {
        let names = self.words.beside_each_other(wish.thing);
        let (first, others) = names.split_first()?;
        if others.is_empty() || names.len() > MOST_NAMES {
            return None;
        }
        let first = self.words.two_of(first).unwrap_or(first);
        let names = std::iter::once(first).chain(others.iter().map(String::as_str));
        let names: Vec<&str> = names.collect();
        let found = names.iter().map(|name| self.one_of_several(name, &names, wish));
        Some(found.collect::<Result<Vec<_>, _>>().map(|found| merged(&found)))
    }

    /// What one of several names means, which may leave to another what they have in common: "the hall and bedroom lights".
    fn one_of_several(&self, name: &str, names: &[&str], wish: &Wish<'_>) -> Result<Found, Why> {
        if wish.area.trim().is_empty()
            && let Some(place) = self.place(name)
            && let Some(kind) = names.iter().find_map(|other| self.kind_in_a_place(other, wish))
        {
            return self.wide(Some(kind), &place, wish);
        }
        let called = |thing: &str| {
            self.meant(&Wish {
                thing,
                ..wish.clone()
            })
        };
        let common = || {
            let noun = names.last().and_then(|last| last.rsplit(' ').next())?;
            let front = names.first().and_then(|first| first.split(' ').next())?;
            let whole = [format!("{name} {noun}"), format!("{front} {name}")];
            whole.iter().find_map(|whole| called(whole).ok())
        };
        // A place that is said behind the last name may be that one's alone.
        let elsewhere = || {
            let is_last = names.last() == Some(&name);
            let area = "";
            let thing = name;
            (!is_last)
                .then(|| {
                    self.meant(&Wish {
                        thing,
                        area,
                        ..wish.clone()
                    })
                    .ok()
                })
                .flatten()
        };
        match called(name) {
            Err(Why::Unknown(said)) => common().or_else(elsewhere).ok_or(Why::Unknown(said)),
            Err(why) => elsewhere().ok_or(why),
            found => found,
        }
    }

    /// The kind of a name that is one with a room: lights of "lights in the kitchen".
    fn kind_in_a_place(&self, name: &str, wish: &Wish<'_>) -> Option<Named> {
        let is_kind = |said: &str| self.said_kind(said, wish);
        let (kind, rest) = self.words.kind_with_rest(name, &is_kind)?;
        self.place(&self.words.plain(rest)).map(|_| kind)
    }

    /// What "both" means: two of a kind in the room of the device, or in all of the home. Where there are more it is a question.
    pub(super) fn pair(&self, thing: &str, wish: &Wish<'_>) -> Option<Result<Found, Why>> {
        let thing = self.words.two_of(thing)?;
        // Each of two is meant, whether it is on or off.
        let within = |area| {
            self.meant(&Wish {
                thing,
                area,
                level_by: None,
                ..wish.clone()
            })
        };
        let is_pair = |found: &Found| found.ids.len() + found.left_out.len() == 2;
        let near = match within(wish.area) {
            Ok(found) if !is_pair(&found) => found,
            near => return Some(near),
        };
        let names_place = !wish.area.trim().is_empty();
        let wide = (!names_place).then(|| within(EVERYWHERE).ok()).flatten();
        let all = wide.unwrap_or(near);
        Some(if is_pair(&all) {
            Ok(all)
        } else {
            self.which_two(&all, wish)
        })
    }

    fn which_two(&self, found: &Found, wish: &Wish<'_>) -> Result<Found, Why> {
        let things = found.ids.iter().filter_map(|id| self.house.entities.get(id));
        let things: Vec<&Entity> = things.collect();
        if things.is_empty() {
            return Err(Why::Nothing);
        }
        self.chosen(&things, wish).map(|chosen| super::all_of(&chosen))
    }

    /// What was found without what these words spare of it.
    pub(super) fn sparing(&self, mut found: Found, said: &str) -> Result<Found, Why> {
        if said.trim().is_empty() {
            return Ok(found);
        }
        let spared = self.spared(said).ok_or_else(|| Why::Unknown(shown(said)))?;
        let is_spared = |id: &String| spared.iter().any(|entity| entity.id == *id);
        found.ids.retain(|id| !is_spared(id));
        let names: Vec<&str> = spared.iter().map(|entity| entity.name()).collect();
        found.left_out.retain(|name| !names.contains(&name.as_str()));
        if found.ids.is_empty() && found.left_out.is_empty() {
            return Err(Why::Nothing);
        }
        Ok(found)
    }

    /// All things that these words name, by name, kind or place; nothing where one of them names none.
    pub(crate) fn spared(&self, said: &str) -> Option<Vec<&Entity>> {
        let names = self.words.beside_each_other(said);
        let spared: Option<Vec<Vec<&Entity>>> = names.iter().map(|name| self.named_at_all(name)).collect();
        let spared: Vec<&Entity> = spared?.into_iter().flatten().collect();
        (!spared.is_empty()).then_some(spared)
    }

    fn named_at_all(&self, name: &str) -> Option<Vec<&Entity>> {
        let bare = self.words.spared(name);
        let place = self.place(&bare);
        let kind = self.words.kind(&bare).or_else(|| self.words.door(&bare));
        let beside = self.words.kind_with_rest(name, &|said| self.words.kind(said));
        let beside = beside.and_then(|(kind, rest)| Some((kind, self.place(&self.words.spared(rest))?)));
        let is_kind = |entity: &Entity, kind: Named| kind.kind.domains().contains(&entity.domain());
        let is_named = |entity: &&Entity| {
            let is_there = || {
                place
                    .as_ref()
                    .is_some_and(|place| place.holds(entity, self.house))
            };
            let is_of_kind = || kind.is_some_and(|kind| is_kind(entity, kind));
            let is_beside = || {
                beside
                    .as_ref()
                    .is_some_and(|(kind, place)| is_kind(entity, *kind) && place.holds(entity, self.house))
            };
            let mut names = entity.names.iter().map(|known| self.words.plain(known));
            names.any(|known| known == name || known == bare || miss(&bare, &known).is_some())
                || is_there()
                || is_of_kind()
                || is_beside()
        };
        let named: Vec<&Entity> = self.house.exposed().filter(is_named).collect();
        (!named.is_empty()).then_some(named)
    }
}

/// All of it, each once.
fn merged(found: &[Found]) -> Found {
    let mut all = Found::default();
    for one in found {
        let is_new = |id: &&String| !all.ids.contains(*id);
        let more: Vec<String> = one.ids.iter().filter(is_new).cloned().collect();
        all.ids.extend(more);
        all.left_out.extend(one.left_out.iter().cloned());
        all.is_sweep |= one.is_sweep;
    }
    all
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::action::Action;
    use crate::guard::Guard;
    use crate::house::{House, Place};
    use crate::order::Order;
    use crate::words::Words;

    /// Two rooms and a cellar with a lamp each, two fans, and two doors.
    fn house() -> House {
        let mut house = House::default();
        house.apply(&json!({"a": {
            "fan.attic": {"s": "on", "a": {"friendly_name": "Attic Fan"}},
            "fan.cellar": {"s": "on", "a": {"friendly_name": "Cellar Fan"}},
            "light.attic": {"s": "on", "a": {"friendly_name": "Attic Light"}},
            "light.cellar": {"s": "on", "a": {"friendly_name": "Cellar Light"}},
            "light.studio": {"s": "on", "a": {"friendly_name": "Easel Lamp"}},
            "lock.north": {"s": "unlocked", "a": {"friendly_name": "North Door"}},
            "lock.south": {"s": "unlocked", "a": {"friendly_name": "South Door"}},
        }}));
        for entity in house.entities.values_mut() {
            let room = entity.id.split_once('.').map(|(_, room)| room.to_owned());
            entity.area = room.filter(|room| ["attic", "cellar", "studio"].contains(&room.as_str()));
            entity.is_exposed = true;
        }
        let place = |id: &str, names: [&str; 2]| Place {
            id: id.to_owned(),
            names: names.map(str::to_owned).to_vec(),
            ..Place::default()
        };
        house.areas = vec![
            place("attic", ["Attic", "Dachboden"]),
            place("cellar", ["Cellar", "Keller"]),
            place("studio", ["Studio", "Atelier"]),
        ];
        house
    }

    fn found(action: Action, lang: &str, thing: &str, spared: &str) -> Result<Vec<String>, Why> {
        let (house, guard, order) = (house(), Guard::default(), Order::Do(action));
        let locales = loquat_kit::Skill::locales([&crate::SKILL]);
        let fits = |entity: &Entity| order.step(entity).is_some();
        let search = Search::new(&house, &guard, None, Words::of(&locales, lang), &fits);
        let wish = Wish {
            thing,
            spared,
            usual: order.usual(),
            everything: order.everything(),
            ..Wish::default()
        };
        search.find(&wish).map(|found| found.ids)
    }

    fn named(names: &[&str]) -> Vec<String> {
        names.iter().map(|id| (*id).to_owned()).collect()
    }

    #[test]
    fn names_beside_each_other_mean_all_of_them() {
        let (attic, cellar) = ("light.attic", "light.cellar");
        for (lang, thing, meant) in [
            (
                "en",
                "the easel lamp and the attic fan",
                &["light.studio", "fan.attic"][..],
            ),
            (
                "en",
                "the easel lamp, the cellar light and the attic fan",
                &["light.studio", cellar, "fan.attic"],
            ),
            ("en", "attic and cellar lights", &[attic, cellar]),
            ("en", "the lights in the attic and the cellar", &[attic, cellar]),
            (
                "en",
                "both the attic light and the cellar light",
                &[attic, cellar],
            ),
            ("de", "die Lichter im Keller und im Dachboden", &[cellar, attic]),
            ("de", "Easel Lamp und Attic Fan", &["light.studio", "fan.attic"]),
        ] {
            assert_eq!(found(Action::Off, lang, thing, ""), Ok(named(meant)), "{thing}");
        }
        let unknown = found(Action::Off, "en", "the easel lamp and the moon", "");
        assert_eq!(
            unknown,
            Err(Why::Unknown("moon".to_owned())),
            "nothing is done by half"
        );
    }

    #[test]
    fn a_place_behind_the_last_name_need_not_be_that_of_the_first() {
        let (house, guard, order) = (house(), Guard::default(), Order::Do(Action::Off));
        let locales = loquat_kit::Skill::locales([&crate::SKILL]);
        let fits = |entity: &Entity| order.step(entity).is_some();
        let search = Search::new(&house, &guard, None, Words::of(&locales, "en"), &fits);
        let found = search.find(&Wish {
            thing: "the light in the attic and the light",
            area: "cellar",
            usual: order.usual(),
            ..Wish::default()
        });
        assert_eq!(
            found.map(|found| found.ids),
            Ok(named(&["light.attic", "light.cellar"]))
        );
    }

    #[test]
    fn doors_share_their_noun() {
        let both = Ok(named(&["lock.north", "lock.south"]));
        assert_eq!(found(Action::Lock, "en", "the north and south door", ""), both);
        assert_eq!(
            found(Action::Lock, "en", "the north door and the south door", ""),
            both
        );
    }

    #[test]
    fn both_are_two_and_a_question_where_there_are_more() {
        assert_eq!(
            found(Action::Lock, "en", "both doors", ""),
            Ok(named(&["lock.north", "lock.south"]))
        );
        assert_eq!(
            found(Action::Off, "en", "both fans", ""),
            Ok(named(&["fan.attic", "fan.cellar"]))
        );
        assert_eq!(
            found(Action::Off, "de", "beide Ventilatoren", ""),
            Ok(named(&["fan.attic", "fan.cellar"]))
        );
        let asked = found(Action::Off, "en", "both lights", "");
        assert!(matches!(asked, Err(Why::Several(names)) if names.len() == 3));
    }

    #[test]
    fn what_is_spared_is_left_as_it_is() {
        for (lang, thing, spared, meant) in [
            (
                "en",
                "all lights",
                "the attic",
                &["light.cellar", "light.studio"][..],
            ),
            (
                "en",
                "all the lights",
                "the one in the attic",
                &["light.cellar", "light.studio"],
            ),
            (
                "en",
                "all lights",
                "the easel lamp and the cellar",
                &["light.attic"],
            ),
            (
                "en",
                "everything",
                "the fans",
                &["light.attic", "light.cellar", "light.studio"],
            ),
            (
                "de",
                "alle Lichter",
                "im Keller",
                &["light.attic", "light.studio"],
            ),
        ] {
            assert_eq!(
                found(Action::Off, lang, thing, spared),
                Ok(named(meant)),
                "{thing} but {spared}"
            );
        }
        let unknown = found(Action::Off, "en", "all lights", "the moon");
        assert_eq!(
            unknown,
            Err(Why::Unknown("the moon".to_owned())),
            "then none is moved"
        );
    }
}
