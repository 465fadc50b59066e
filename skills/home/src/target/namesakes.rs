//! A name that things and a room have in common: which of them is meant makes a difference, and is asked. Moves nothing.

use std::collections::BTreeSet;

use super::{Found, Search, Why, Wish, all_of, one_of};
use crate::house::{Entity, Place};
use crate::place::Where;
use crate::telling::told_of;
use loquat_kit::answers::Choice;

/// What a name may mean: things that are called so, and all that is in the room that is.
struct Namesakes<'e> {
    things: &'e [&'e Entity],
    room: Found,
}

impl Search<'_> {
    /// What a name means that a room has as well; nothing where it is no room's, where a kind or a room was named beside it, or
    /// where both come to the same.
    pub(super) fn or_its_room(
        &self,
        plain: &str,
        things: &[&Entity],
        wish: &Wish<'_>,
    ) -> Option<Result<Found, Why>> {
        let says_more =
            self.kind_of(wish).is_some() || !wish.classes.is_empty() || !wish.area.trim().is_empty();
        // What is dimmed or coloured is a light, whatever else has its name.
        if says_more || wish.is_for_one || wish.is_for_rooms || !self.is_careful {
            return None;
        }
        let is_called_so = |room: &&Place| room.names.iter().any(|name| self.words.plain(name) == plain);
        let room = self.house.areas.iter().find(is_called_so)?;
        let unchosen = Wish {
            choice: "",
            ..wish.clone()
        };
        let found = self.wide(None, &Where::Area(room), &unchosen).ok()?;
        if reaches_all(&found, &self.narrowed(things.to_vec(), wish)) {
            return None;
        }
        let several = self.told_with_room(things, room)?;
        let namesakes = Namesakes { things, room: found };
        let meant = self.answered(&namesakes, (plain, wish.choice));
        Some(meant.ok_or(Why::Several(several)))
    }

    /// The things with their kinds, and the room; nothing where the language has no word for one.
    fn told_with_room(&self, things: &[&Entity], room: &Place) -> Option<Vec<String>> {
        let kind = |entity: &&Entity| {
            let kind = self.words.one_of(entity.domain())?;
            Some(format!("{} ({kind})", entity.name()))
        };
        let kinds: Option<Vec<String>> = things.iter().map(kind).collect();
        let are_distinct = |names: &Vec<String>| names.iter().collect::<BTreeSet<_>>().len() == things.len();
        let names = kinds.filter(are_distinct);
        let mut names = names.unwrap_or_else(|| self.told_apart(things));
        names.push(format!("{} ({})", room.name(), self.words.room()?));
        Some(names)
    }

    /// What an answer chooses of them. The name alone says nothing that was not said before.
    fn answered(&self, of: &Namesakes<'_>, (name, choice): (&str, &str)) -> Option<Found> {
        let plain = self.words.plain(choice);
        let count = told_of(of.things.len() + 1);
        let nth = |number: usize| match of.things.get(number) {
            Some(thing) => Some(one_of(thing)),
            None if number == of.things.len() => Some(of.room.clone()),
            None => None,
        };
        match self.words.answers().choice(&plain) {
            _ if plain.is_empty() => None,
            Ok(Choice::Nth(number)) => (number < count).then(|| nth(number)).flatten(),
            Ok(Choice::Last) => nth(count - 1),
            Ok(Choice::All) => Some(of.all()),
            Err(said) if said == name => None,
            Err(said) if self.words.says_room(said, name) => Some(of.room.clone()),
            Err(said) => self.said_of(of.things, said).map(|thing| one_of(thing)),
        }
    }
}

/// Whether one thing, or the group that it is, is all that would be reached in the room.
fn reaches_all(in_room: &Found, things: &[&Entity]) -> bool {
    let [one] = things else {
        return in_room.ids.is_empty();
    };
    let members = one.members().unwrap_or_default();
    let is_of_it = |id: &String| *id == one.id || members.contains(&id.as_str());
    in_room.ids.iter().all(is_of_it)
}

impl Namesakes<'_> {
    fn all(&self) -> Found {
        let mut all = all_of(self.things);
        let is_new = |id: &&String| !self.things.iter().any(|thing| thing.id == **id);
        all.ids.extend(self.room.ids.iter().filter(is_new).cloned());
        Found {
            left_out: self.room.left_out.clone(),
            ..all
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::action::Action;
    use crate::guard::Guard;
    use crate::house::House;
    use crate::order::Order;
    use crate::words::Words;

    /// A kitchen with a light and a speaker of its name, and a lamp beside them.
    fn house(is_group: bool) -> House {
        let mut house = House::default();
        let members = if is_group {
            json!({"friendly_name": "Kitchen", "entity_id": ["light.lamp"]})
        } else {
            json!({"friendly_name": "Kitchen"})
        };
        house.apply(&json!({"a": {
            "light.kitchen": {"s": "off", "a": members},
            "light.lamp": {"s": "off", "a": {"friendly_name": "Lamp"}},
            "media_player.kitchen": {"s": "playing", "a": {"friendly_name": "Kitchen"}},
        }}));
        for entity in house.entities.values_mut() {
            entity.area = Some("kitchen".to_owned());
            entity.is_exposed = true;
        }
        house.areas.push(Place {
            id: "kitchen".to_owned(),
            names: vec!["Kitchen".to_owned(), "Küche".to_owned()],
            ..Place::default()
        });
        house
    }

    fn found(house: &House, lang: &str, choice: &str) -> Result<Vec<String>, Why> {
        let (order, guard, locales) = (
            Order::Do(Action::Off),
            Guard::default(),
            loquat_kit::Skill::locales([&crate::SKILL]),
        );
        let fits = |entity: &Entity| order.step(entity).is_some();
        let search = Search::new(house, &guard, None, Words::of(&locales, lang), &fits);
        let wish = Wish {
            thing: "kitchen",
            choice,
            usual: order.usual(),
            ..Wish::default()
        };
        search.find(&wish).map(|found| found.ids)
    }

    #[test]
    fn a_room_a_light_and_a_speaker_of_one_name_are_asked_about_and_chosen_of() {
        let house = house(false);
        let asked = found(&house, "en", "");
        let names = ["Kitchen (light)", "Kitchen (media player)", "Kitchen (room)"];
        assert_eq!(asked, Err(Why::Several(names.map(str::to_owned).to_vec())));
        let ids = |ids: &[&str]| Ok(ids.iter().map(|id| (*id).to_owned()).collect());
        let (light, speaker) = (["light.kitchen"], ["media_player.kitchen"]);
        let all = ["light.kitchen", "light.lamp", "media_player.kitchen"];
        for (lang, said, meant) in [
            ("en", "the light", &light[..]),
            ("en", "the first one", &light),
            ("en", "the speaker", &speaker),
            ("en", "number two", &speaker),
            ("en", "the room", &all),
            ("en", "the whole room", &all),
            ("en", "the third", &all),
            ("de", "das Licht", &light),
            ("de", "den ganzen Raum", &all),
            ("fr", "la pièce", &all),
            ("es", "la habitación", &all),
            ("it", "tutta la stanza", &all),
            ("pt", "a divisão", &all),
        ] {
            let mut found = found(&house, lang, said);
            if let Ok(ids) = &mut found {
                ids.sort();
            }
            assert_eq!(found, ids(meant), "{lang}: {said}");
        }
        assert!(found(&house, "en", "kitchen").is_err(), "it was said before");
        assert!(found(&house, "en", "what time is it").is_err());
    }

    #[test]
    fn a_group_that_is_all_of_its_room_is_no_question() {
        let mut house = house(true);
        house.entities.remove("media_player.kitchen");
        assert_eq!(found(&house, "en", ""), Ok(vec!["light.kitchen".to_owned()]));
    }
}
