//! Which things of the home a person means: by a name, an alias or a close miss of one, by kind, by room or by floor. What is
//! meant by more than one thing is told instead of guessed. Calls nothing.

mod namesakes;
mod together;

use std::collections::BTreeSet;

use super::class::{are_of_covers, of_classes, opens_a_way};
use super::guard::{Guard, always_asks};
use super::house::{Entity, House, Place};
use super::place::{Where, miss, place};
use super::telling::told_of;
use super::words::{Kind, Named, Words};
use loquat_kit::answers::Choice;

/// What is said of what is meant.
#[derive(Debug, Clone, Default)]
pub(crate) struct Wish<'a> {
    /// A name, or a kind with or without a room.
    pub(crate) thing: &'a str,
    /// It is a room or a floor.
    pub(crate) area: &'a str,
    /// A kind as tools name it, or as people do.
    pub(crate) kind: &'a str,
    /// Classes of which a thing of the kind has to be one; none for all.
    pub(crate) classes: &'a [String],
    /// The kinds of entities that are meant where none is named.
    pub(crate) usual: &'a [&'a str],
    /// The kinds of entities that are everything.
    pub(crate) everything: &'a [&'a str],
    /// The states of those that are meant rather than others where none is named.
    pub(crate) likely: &'a [&'a str],
    /// Whether a room is meant rather than a thing of its name that is none of the usual kinds.
    pub(crate) is_for_rooms: bool,
    /// What is not meant of it: a name, a kind or a place, or several of them.
    pub(crate) spared: &'a str,
    /// What was answered to the question which of several is meant; empty where nothing was asked.
    pub(crate) choice: &'a str,
    /// Whether one thing of the usual kind is meant where nothing is named at all.
    pub(crate) is_for_one: bool,
    /// Whether of a kind, where neither a thing nor a place is named, what is near is meant rather than all of it.
    pub(crate) is_near: bool,
    /// By how much its level becomes more, or less where this is below nought; nothing where it is wished otherwise.
    pub(crate) level_by: Option<f64>,
}

/// What is meant.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Found {
    pub(crate) ids: Vec<String>,
    /// Names of what a wide wish does not reach, since it asks.
    pub(crate) left_out: Vec<String>,
    /// Whether neither a thing, nor a class of things, nor a room was named: "close everything".
    pub(crate) is_sweep: bool,
}

/// Why it is not known what is meant.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Why {
    /// Nothing is called so.
    Unknown(String),
    /// There is no such room.
    NoPlace(String),
    /// It was not told in which room the device is.
    Nowhere,
    /// Several things are.
    Several(Vec<String>),
    /// There is nothing of the kind there.
    Nothing,
    /// What is called so cannot do it.
    Unable(String),
}

/// What small models write for an area where none was said: words of the schema.
const NO_PLACE: [&str; 5] = ["area", "floor", "home", "house", "room"];

/// All of the home, whatever room the device is in.
pub(crate) const EVERYWHERE: &str = "everywhere";

/// The room of the device.
pub(crate) const HERE: &str = "here";

/// Kinds of which never all are meant: each does something of its own.
const SINGLE: [&str; 4] = ["button", "input_button", "scene", "script"];

/// A home in which things are looked for, and the words of the one who speaks.
pub(crate) struct Search<'a> {
    house: &'a House,
    guard: &'a Guard,
    words: Words,
    /// The device is in this room.
    own: Option<&'a Place>,
    /// Whether a thing can do what is wished.
    fits: &'a dyn Fn(&Entity) -> bool,
    /// Whether what asks is left out of wide wishes.
    is_careful: bool,
}

impl<'a> Search<'a> {
    pub(crate) fn new(
        house: &'a House,
        guard: &'a Guard,
        own: Option<&str>,
        words: Words,
        fits: &'a dyn Fn(&Entity) -> bool,
    ) -> Self {
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

    /// What is meant. An answer chooses only where it is still a question which one is: a thing may have gone meanwhile, and
    /// what is left then is meant only if the answer names it.
    pub(crate) fn find(&self, wish: &Wish<'_>) -> Result<Found, Why> {
        self.sparing(self.chosen_or_meant(wish)?, wish.spared)
    }

    fn chosen_or_meant(&self, wish: &Wish<'_>) -> Result<Found, Why> {
        if wish.choice.trim().is_empty() {
            return self.meant(wish);
        }
        let unchosen = Wish {
            choice: "",
            ..wish.clone()
        };
        match self.meant(&unchosen) {
            Err(Why::Several(_)) => self.meant(wish),
            found => self.if_named(found?, wish.choice),
        }
    }

    /// What is found without an answer, where it is one thing and the answer names it. A number counts things that were told,
    /// which are not these.
    fn if_named(&self, found: Found, choice: &str) -> Result<Found, Why> {
        let things = found.ids.iter().filter_map(|id| self.house.entities.get(id));
        let things: Vec<&Entity> = things.collect();
        if things.is_empty() {
            return Err(Why::Nothing);
        }
        let plain = self.words.plain(choice);
        let named = self.words.answers().choice(&plain).err();
        let named = named.and_then(|said| self.said_of(&things, said));
        if named.is_some() && things.len() == 1 {
            return Ok(found);
        }
        Err(Why::Several(self.told_apart(&things)))
    }

    fn meant(&self, wish: &Wish<'_>) -> Result<Found, Why> {
        let place = self.place_of(wish.area)?;
        let kind = self.kind_of(wish);
        let thing = self.words.plain(wish.thing);
        if thing.is_empty() {
            return self.unnamed(kind, &place, wish);
        }
        if let Some(found) = self.named(&thing, &place, wish) {
            return found;
        }
        if let Some(found) = self.together(wish).or_else(|| self.pair(&thing, wish)) {
            return found;
        }
        if let Some(kind) = self.said_kind(&thing, wish) {
            return self.wide(Some(kind), &place, wish);
        }
        if place.is_anywhere()
            && let Some(found) = self.in_a_place(&thing, kind, wish)
        {
            return found;
        }
        self.near(&thing, &place, wish)
    }

    /// Those of these things that are where it is wished.
    pub(crate) fn within<'e>(
        &self,
        wish: &Wish<'_>,
        things: impl Iterator<Item = &'e Entity>,
    ) -> Result<Vec<&'e Entity>, Why> {
        let place = self.place_of(wish.area)?;
        Ok(things.filter(|entity| place.holds(entity, self.house)).collect())
    }

    /// A room, a kind of things in a room, or a thing with its room before or behind it.
    fn in_a_place(&self, thing: &str, kind: Option<Named>, wish: &Wish<'_>) -> Option<Result<Found, Why>> {
        if let Some(place) = self.place(thing) {
            return Some(self.wide(kind, &place, wish));
        }
        if let Some((kind, rest)) = self
            .words
            .kind_with_rest(thing, &|said| self.said_kind(said, wish))
            && let Some(place) = self.place(&self.words.plain(rest))
        {
            return Some(self.wide(Some(kind), &place, wish));
        }
        self.words.halves(thing).find_map(|(front, back)| {
            let of = |place: &str, name: &str| self.named(name, &self.place(place)?, wish);
            of(front, back).or_else(|| of(back, front))
        })
    }

    /// The kind that the caller names; who names a class of covers alone means covers.
    fn kind_of(&self, wish: &Wish<'_>) -> Option<Named> {
        let all_of = |kind: Kind| Named {
            kind,
            class: None,
            other_class: None,
            is_several: true,
            is_all: true,
        };
        let said = || self.words.kind(&self.words.plain(wish.kind));
        let of_class = || are_of_covers(wish.classes).then(|| all_of(Kind::Cover));
        let named = Kind::named(wish.kind).map(all_of);
        named.or_else(said).or_else(of_class)
    }

    /// The kind of things that these words are; who locks or unlocks a door means its lock.
    fn said_kind(&self, plain: &str, wish: &Wish<'_>) -> Option<Named> {
        let is_for_locks = wish.usual == ["lock"];
        let door = || self.words.door(plain).filter(|_| is_for_locks);
        let named = self.words.kind(plain).or_else(door)?;
        // Articles in front are not told from it.
        let is_all = self.words.says_all(wish.thing);
        Some(Named {
            is_all: is_all || named.is_all,
            is_several: is_all || named.is_several,
            ..named
        })
    }

    fn place_of(&self, area: &str) -> Result<Where<'a>, Why> {
        let plain = self.words.plain(area);
        match self.place(&plain) {
            _ if plain.is_empty() => Ok(Where::Anywhere),
            _ if plain == EVERYWHERE => Ok(Where::Anywhere),
            _ if plain == HERE => self.own.map(Where::Area).ok_or(Why::Nowhere),
            Some(place) => Ok(place),
            None if NO_PLACE.contains(&plain.as_str()) => Ok(Where::Anywhere),
            None => Err(Why::NoPlace(shown(area))),
        }
    }

    /// A room or a floor of this name; close misses count where only one is close.
    fn place(&self, plain: &str) -> Option<Where<'a>> {
        let area = place(&self.house.areas, plain, &self.words).map(Where::Area);
        let floor = || place(&self.house.floors, plain, &self.words).map(Where::Floor);
        area.or_else(floor)
    }

    /// Where nothing is called by its name: a kind, a room, or the only thing that can be meant.
    fn unnamed(&self, kind: Option<Named>, place: &Where<'_>, wish: &Wish<'_>) -> Result<Found, Why> {
        let kind = kind.map(|kind| if wish.is_near { kind.near() } else { kind });
        if kind.is_some() || !place.is_anywhere() || !wish.classes.is_empty() {
            return self.wide(kind, place, wish);
        }
        let domain = wish.usual.first().filter(|_| wish.is_for_one);
        let Some(kind) = domain.and_then(|domain| Kind::named(domain)) else {
            return Err(Why::Unknown(String::new()));
        };
        let one = Named {
            kind,
            class: None,
            other_class: None,
            is_several: false,
            is_all: false,
        };
        self.wide(Some(one), place, wish)
    }

    /// Things with just this name; nothing where there are none.
    fn named(&self, plain: &str, place: &Where<'_>, wish: &Wish<'_>) -> Option<Result<Found, Why>> {
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
        let is_place = || self.place(plain).is_some();
        if able.is_empty() {
            // A room may have the name of a thing that cannot do it.
            let is_other = is_place() || self.words.kind(plain).is_some();
            return (!is_other).then(|| Err(Why::Unable(first.name().to_owned())));
        }
        let kind = self.kind_of(wish).map(|named| Self::domains(named, wish));
        let rather = kind.or(wish.is_for_rooms.then_some(wish.usual));
        let is_of_another_kind =
            rather.is_some_and(|kinds| !able.iter().any(|entity| kinds.contains(&entity.domain())));
        if is_of_another_kind && is_place() {
            return None;
        }
        if let Some(found) = self.or_its_room(plain, &able, wish) {
            return Some(found);
        }
        Some(self.the_one(&self.narrowed(able, wish), wish))
    }

    /// Those of the kind and the class that were named, or else of the usual kinds, where some are.
    fn narrowed<'e>(&self, able: Vec<&'e Entity>, wish: &Wish<'_>) -> Vec<&'e Entity> {
        let kinds = self
            .kind_of(wish)
            .map_or(wish.usual, |named| Self::domains(named, wish));
        let of_kind: Vec<&Entity> = able
            .iter()
            .copied()
            .filter(|entity| kinds.contains(&entity.domain()))
            .collect();
        let able = if of_kind.is_empty() { able } else { of_kind };
        let of_class = of_classes(&able, wish.classes);
        if of_class.is_empty() { able } else { of_class }
    }

    /// The thing that is meant: the only one, the only one on the floor of the device, or the only one in its room.
    fn the_one(&self, able: &[&Entity], wish: &Wish<'_>) -> Result<Found, Why> {
        if let [one] = able {
            return Ok(one_of(one));
        }
        if !wish.choice.trim().is_empty() {
            return Ok(all_of(&self.chosen(able, wish)?));
        }
        let floor = self.own.and_then(|own| own.floor.as_deref());
        let floor = floor.and_then(|floor| self.house.floors.iter().find(|place| place.id == floor));
        let nearer = floor
            .map(Where::Floor)
            .into_iter()
            .chain(self.own.map(Where::Area));
        for place in nearer {
            let mut near = able.iter().filter(|entity| place.holds(entity, self.house));
            if let (Some(one), None) = (near.next(), near.next()) {
                return Ok(one_of(one));
            }
        }
        Ok(all_of(&self.chosen(able, wish)?))
    }

    /// Those of several that an answer chooses: by number, by room, by name or by kind. Without an answer it is a question.
    /// A number, and the last, count those that are told one by one; all are also those of which only the number is told.
    fn chosen<'e>(&self, several: &[&'e Entity], wish: &Wish<'_>) -> Result<Vec<&'e Entity>, Why> {
        let plain = self.words.plain(wish.choice);
        let one = |entity: Option<&&'e Entity>| entity.map(|entity| vec![*entity]);
        let told = several.get(..told_of(several.len())).unwrap_or(several);
        let chosen = match self.words.answers().choice(&plain) {
            _ if plain.is_empty() => None,
            Ok(Choice::Nth(number)) => one(told.get(number)),
            Ok(Choice::Last) => one(told.last()),
            Ok(Choice::All) => Some(several.to_vec()),
            Err(said) => one(self.said_of(several, said)),
        };
        chosen.ok_or_else(|| Why::Several(self.told_apart(several)))
    }

    /// The only one of several with this name, in this room, of this kind, or that all of these words tell of.
    fn said_of<'l, 'e>(&self, several: &'l [&'e Entity], said: &str) -> Option<&'l &'e Entity> {
        let only = |is_it: &dyn Fn(&Entity) -> bool| {
            let mut meant = several.iter().filter(|entity| is_it(entity));
            let one = meant.next();
            one.filter(|_| meant.next().is_none())
        };
        let place = self.place(said);
        let is_there = |entity: &Entity| {
            place
                .as_ref()
                .is_some_and(|place| place.holds(entity, self.house))
        };
        let kind = self
            .words
            .kind(said)
            .map_or(&[][..], |named| named.kind.domains());
        let name = |entity: &Entity| self.words.plain(entity.name());
        let words: Vec<&str> = self.words.answers().telling(said).collect();
        let tells = |entity: &Entity, is_like: &dyn Fn(&str, &str) -> bool| {
            let of_it = self.words_of(entity);
            let is_of_it = |word: &&str| of_it.iter().any(|known| is_like(word, known));
            !words.is_empty() && words.iter().all(is_of_it)
        };
        let is_close = |word: &str, known: &str| word == known || miss(word, known).is_some();
        only(&|entity| name(entity) == said)
            .or_else(|| only(&is_there))
            .or_else(|| only(&|entity| kind.contains(&entity.domain())))
            .or_else(|| only(&|entity| tells(entity, &|word, known| word == known)))
            .or_else(|| only(&|entity| tells(entity, &is_close)))
    }

    /// The words that tell of a thing: its names, those of its room, and its kind.
    fn words_of(&self, entity: &Entity) -> Vec<String> {
        let area = entity.area.as_deref().and_then(|area| self.house.area(area));
        let names = entity
            .names
            .iter()
            .chain(area.into_iter().flat_map(|area| &area.names));
        let kind = self.words.one_of(entity.domain()).map(str::to_owned);
        let all = names.map(|name| self.words.plain(name)).chain(kind);
        all.flat_map(|name| name.split(' ').map(str::to_owned).collect::<Vec<_>>())
            .collect()
    }

    /// Names of several things, where they are called alike with their rooms, and where that is not enough with their kinds.
    fn told_apart(&self, several: &[&Entity]) -> Vec<String> {
        let are_distinct = |names: &[String]| {
            let distinct: BTreeSet<&String> = names.iter().collect();
            distinct.len() == several.len()
        };
        let told = |tell: &dyn Fn(&Entity) -> String| -> Vec<String> {
            several.iter().map(|entity| tell(entity)).collect()
        };
        let room = |entity: &Entity| {
            let area = entity.area.as_deref().and_then(|area| self.house.area(area));
            area.map(|area| area.name().to_owned())
        };
        let behind = |entity: &Entity, more: Option<String>| match more {
            Some(more) => format!("{} ({more})", entity.name()),
            None => entity.name().to_owned(),
        };
        let names = told(&|entity| entity.name().to_owned());
        let rooms = told(&|entity| behind(entity, room(entity)));
        if are_distinct(&names) {
            return names;
        }
        if are_distinct(&rooms) {
            return rooms;
        }
        let kind = |entity: &Entity| self.words.one_of(entity.domain()).map(str::to_owned);
        let kinds = told(&|entity| behind(entity, kind(entity)));
        if are_distinct(&kinds) {
            return kinds;
        }
        told(&|entity| {
            let kind = kind(entity);
            let more: Vec<String> = room(entity).into_iter().chain(kind).collect();
            behind(entity, (!more.is_empty()).then(|| more.join(", ")))
        })
    }

    /// The kinds of entities of a kind that was named.
    fn domains<'w>(named: Named, wish: &Wish<'w>) -> &'w [&'w str] {
        match named.kind {
            Kind::Everything if !wish.everything.is_empty() => wish.everything,
            kind => kind.domains(),
        }
    }

    /// All things of a kind, here or everywhere.
    fn wide(&self, named: Option<Named>, place: &Where<'_>, wish: &Wish<'_>) -> Result<Found, Why> {
        let is_everywhere = wish.area.trim() == EVERYWHERE;
        let named = named.map(|named| Named {
            is_all: named.is_all || is_everywhere,
            ..named
        });
        let of_name = named.into_iter().flat_map(Named::classes);
        let of_name: Vec<String> = of_name.map(str::to_owned).collect();
        let classes = if wish.classes.is_empty() {
            of_name
        } else {
            self.words.of_one_name(wish.classes)
        };
        let classes = classes.as_slice();
        let meant = self.awake(self.all(named, place, wish, classes)?, wish)?;
        let domains = named.map_or(wish.usual, |named| Self::domains(named, wish));
        let is_meant = domains.iter().all(|domain| always_asks(domain))
            || classes.iter().any(|class| opens_a_way(class));
        let names_no_kind = named.is_none_or(|named| named.kind == Kind::Everything);
        let is_sweep = names_no_kind && classes.is_empty() && !matches!(place, Where::Area(_));
        // Who names a kind that always asks, or says what is done to no other kind, means it.
        let leaves_out =
            |entity: &&Entity| self.is_careful && !is_meant && self.guard.asks(entity, self.house);
        if self.is_careful && meant.len() > 1 && meant.iter().all(|entity| SINGLE.contains(&entity.domain()))
        {
            return Ok(all_of(&self.chosen(&meant, wish)?));
        }
        let (left_out, reached): (Vec<&Entity>, Vec<&Entity>) = meant.into_iter().partition(leaves_out);
        if reached.is_empty() && left_out.is_empty() {
            return Err(Why::Nothing);
        }
        Ok(Found {
            ids: reached.iter().map(|entity| entity.id.clone()).collect(),
            left_out: left_out.iter().map(|entity| entity.name().to_owned()).collect(),
            is_sweep,
        })
    }

    /// All things of a kind that can be meant.
    fn all(
        &self,
        named: Option<Named>,
        place: &Where<'_>,
        wish: &Wish<'_>,
        classes: &[String],
    ) -> Result<Vec<&'a Entity>, Why> {
        let domains = named.map_or(wish.usual, |named| Self::domains(named, wish));
        let is_of_kind =
            |entity: &&Entity| domains.contains(&entity.domain()) && entity.is_there() && (self.fits)(entity);
        let all: Vec<&Entity> = self.house.exposed().filter(is_of_kind).collect();
        let within = |place: &Where<'_>| {
            let here = all
                .iter()
                .copied()
                .filter(|entity| place.holds(entity, self.house));
            let here: Vec<&Entity> = here.collect();
            likely(of_classes(&here, classes), wish.likely)
        };
        let meant = within(place);
        let Some(named) = named.filter(|named| place.is_anywhere() && !named.is_all) else {
            return Ok(meant);
        };
        let here = self.own.map_or_else(Vec::new, |own| within(&Where::Area(own)));
        if !here.is_empty() {
            return Ok(here);
        }
        if meant.len() > 1 && !named.is_several {
            return self.chosen(&meant, wish);
        }
        Ok(meant)
    }

    /// Of several whose level is to be more or less those that are on: what is off is started only where it is named. Where
    /// none is on, it is asked which of them is to be more.
    fn awake<'e>(&self, things: Vec<&'e Entity>, wish: &Wish<'_>) -> Result<Vec<&'e Entity>, Why> {
        let Some(by) = wish.level_by.filter(|_| things.len() > 1) else {
            return Ok(things);
        };
        let is_on = |entity: &&Entity| entity.state != "off";
        let awake: Vec<&Entity> = things.iter().copied().filter(is_on).collect();
        if !awake.is_empty() {
            return Ok(awake);
        }
        if by > 0.0 {
            return self.chosen(&things, wish);
        }
        Ok(things)
    }

    /// A close miss, where only one thing is close.
    fn near(&self, plain: &str, place: &Where<'_>, wish: &Wish<'_>) -> Result<Found, Why> {
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
        self.the_one(&self.narrowed(close, wish), wish)
    }
}

/// Those in one of these states, where some are.
fn likely<'e>(things: Vec<&'e Entity>, states: &[&str]) -> Vec<&'e Entity> {
    let in_it = things
        .iter()
        .filter(|entity| states.contains(&entity.state.as_str()));
    let in_it: Vec<&Entity> = in_it.copied().collect();
    if in_it.is_empty() { things } else { in_it }
}

fn all_of(things: &[&Entity]) -> Found {
    Found {
        ids: things.iter().map(|entity| entity.id.clone()).collect(),
        ..Found::default()
    }
}

fn one_of(entity: &Entity) -> Found {
    Found {
        ids: vec![entity.id.clone()],
        ..Found::default()
    }
}

/// Words of a person as they are told again.
fn shown(said: &str) -> String {
    let short: String = said.chars().take(40).collect();
    loquat_agent::speakable(&short)
}
