//! What may fill the gaps of sentences about a home: what it has by these words, colours, percent and degrees.

use serde_json::Value;

use super::house::domain;
use super::link::HomeAssistant;
use super::names::{CONTROL, FOLDER, ID, SET};
use super::shade::Shade;
use super::target::{EVERYWHERE, HERE, Search, Why, Wish};
use super::words;
use loquat_agent::turn::IntendedCall;
use loquat_kit::intent::InLanguage;
use loquat_kit::{Locales, Things};

/// Kinds of which a state is told.
pub(super) const READABLE: [&str; 18] = [
    "alarm_control_panel",
    "binary_sensor",
    "climate",
    "cover",
    "fan",
    "humidifier",
    "input_boolean",
    "lawn_mower",
    "light",
    "lock",
    "media_player",
    "person",
    "sensor",
    "siren",
    "switch",
    "vacuum",
    "valve",
    "weather",
];

/// The most words of one thing on a list.
const MOST_ITEM_WORDS: usize = 12;

/// The kind of fans.
const FAN: &str = "fan";

/// Kinds that clean or mow by themselves.
const CLEANERS: [&str; 2] = ["lawn_mower", "vacuum"];

/// A heating is set no further from what it is.
const MOST_DEGREES: f64 = 15.0;

/// Kinds that can be told to do something.
const MOVABLE: [&str; 17] = [
    "alarm_control_panel",
    "button",
    "climate",
    "cover",
    "fan",
    "humidifier",
    "input_boolean",
    "input_button",
    "lawn_mower",
    "light",
    "lock",
    "media_player",
    "script",
    "siren",
    "switch",
    "vacuum",
    "valve",
];

/// Something that can be told to do something. Where nothing is known of the home yet, as it cannot be reached, anything: the
/// tool tells so.
pub(super) fn thing(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    let home = &spoken.things.get::<HomeAssistant>()?;
    let is_it = !home.is_known()
        || is_known(home, spoken.said, spoken, &|kind| {
            MOVABLE.contains(&kind) || kind == "scene"
        });
    is_it.then(|| listed(said, spoken))
}

/// What was said, with its commas where they part several things.
fn listed(said: &str, spoken: &InLanguage<'_>) -> Value {
    let are_several = are_several(spoken.said, spoken.locales, spoken.lang);
    Value::from(if are_several { spoken.said } else { said })
}

/// Something that can be locked: where it is locked, a door is one.
pub(super) fn lockable(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    let home = &spoken.things.get::<HomeAssistant>()?;
    let is_it = !home.is_known() || is_known_as(home, spoken.said, spoken, &["lock"], &|kind| kind == "lock");
    is_it
        .then(|| listed(said, spoken))
        .or_else(|| thing(said, spoken))
}

/// Something of which a state is told.
pub(super) fn readable(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    let home = &spoken.things.get::<HomeAssistant>()?;
    is_known(home, spoken.said, spoken, &|kind| READABLE.contains(&kind)).then(|| listed(said, spoken))
}

/// A scene or a script.
pub(super) fn scene(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    let home = &spoken.things.get::<HomeAssistant>()?;
    is_known(home, said, spoken, &|kind| matches!(kind, "scene" | "script")).then(|| Value::from(said))
}

/// A to-do list of the home, by its name.
pub(super) fn todo_list(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    let home = &spoken.things.get::<HomeAssistant>()?;
    let house = home.house.read_recursive();
    let words = words::Words::of(spoken.locales, spoken.lang);
    let plain = words.plain(said);
    let lists = house.exposed().filter(|entity| domain(&entity.id) == "todo");
    let mut names = lists.flat_map(|list| &list.names);
    let name = names.find(|name| words.plain(name) == plain)?;
    Some(Value::from(name.as_str()))
}

/// What is put on a list or taken from it: a few words.
pub(super) fn item(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    let is_short = said.split_whitespace().nth(MOST_ITEM_WORDS).is_none();
    is_short.then(|| Value::from(spoken.said))
}

/// A room or a floor, the room of the device, or all of the home.
pub(super) fn area(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    let home = &spoken.things.get::<HomeAssistant>()?;
    let house = home.house.read_recursive();
    let words = words::Words::of(spoken.locales, spoken.lang);
    let plain = words.plain(said);
    if words.is_here(&plain) {
        return Some(Value::from(HERE));
    }
    if words.is_everywhere(&plain) {
        return Some(Value::from(EVERYWHERE));
    }
    let mut places = house.areas.iter().chain(&house.floors);
    let is_place = places.any(|place| place.names.iter().any(|name| words.plain(name) == plain));
    is_place.then(|| Value::from(said))
}

/// A colour, as tools name it.
pub(super) fn colour(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    let said = loquat_kit::folded(said);
    let mut listed = spoken.locales.values(FOLDER, spoken.lang, "colours.value");
    let named = listed.find(|(_, forms)| forms.split('|').any(|form| loquat_kit::folded(form) == said));
    let (name, _) = named?;
    Shade::named(name.trim()).map(|_| Value::from(name.trim()))
}

/// So many hundredths, with the word or the sign for percent behind the number.
pub(super) fn hundredths(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    let is_number = |text: &str| loquat_kit::numbers::number(text, spoken.lang).is_some();
    let is_word = |(number, word): (&str, &str)| is_number(number) && !is_number(word);
    let mut words = said.match_indices(' ').map(|(at, _)| said.split_at(at));
    let is_marked = said.ends_with('%') || words.any(|(number, word)| is_word((number, word.trim())));
    loquat_kit::slots::percent(said, spoken).filter(|_| is_marked)
}

/// A temperature that people set.
pub(super) fn degrees(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    let degrees = loquat_kit::numbers::number(said, spoken.lang)?;
    (-50.0..=150.0).contains(&degrees).then(|| Value::from(degrees))
}

/// A room or a floor with lights.
pub(super) fn lit(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    with_any(said, spoken, "light")
}

/// What can have a colour. Of a home that is not known yet the tool tells.
pub(super) fn lamp(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    let home = &spoken.things.get::<HomeAssistant>()?;
    let is_it = !home.is_known() || is_known(home, spoken.said, spoken, &|kind| kind == "light");
    is_it.then(|| listed(said, spoken))
}

/// A heating that is known.
pub(super) fn heating(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    let home = &spoken.things.get::<HomeAssistant>()?;
    is_known(home, spoken.said, spoken, &|kind| kind == "climate").then(|| Value::from(said))
}

/// A player, or a place with players.
pub(super) fn played(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    const PLAYER: &str = "media_player";
    let home = &spoken.things.get::<HomeAssistant>()?;
    let is_there = is_known_as(home, spoken.said, spoken, &[PLAYER], &|kind| kind == PLAYER);
    is_there.then(|| Value::from(said))
}

/// A room or a floor with a heating.
pub(super) fn heated(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    with_any(said, spoken, "climate")
}

/// A place that has something of a kind.
fn with_any(said: &str, spoken: &InLanguage<'_>, kind: &str) -> Option<Value> {
    let place = area(said, spoken)?;
    let home = &spoken.things.get::<HomeAssistant>()?;
    let house = home.house.read_recursive();
    let fits = |entity: &super::house::Entity| domain(&entity.id) == kind;
    let words = words::Words::of(spoken.locales, spoken.lang);
    let own = home.settings.area.as_deref();
    let search = Search::new(&house, &home.guard, own, words, &fits).reading();
    let found = search.find(&Wish {
        area: place.as_str()?,
        kind,
        ..Wish::default()
    });
    found.is_ok_and(|found| !found.ids.is_empty()).then_some(place)
}

/// So many degrees more.
pub(super) fn more_degrees(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    step(said, spoken).map(Value::from)
}

/// So many degrees less.
pub(super) fn less_degrees(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    step(said, spoken).map(|step| Value::from(-step))
}

/// So many degrees more, with the word or the sign for them.
pub(super) fn degrees_more(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    measured_step(said, spoken).map(Value::from)
}

/// So many degrees less, with the word or the sign for them.
pub(super) fn degrees_less(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    measured_step(said, spoken).map(|step| Value::from(-step))
}

fn measured_step(said: &str, spoken: &InLanguage<'_>) -> Option<f64> {
    let end = said.find('°').or_else(|| said.rfind(' '))?;
    let (number, unit) = said.split_at(end);
    let step = step(number.trim(), spoken)?;
    let words = words::Words::of(spoken.locales, spoken.lang);
    words.is_degrees(unit).then_some(step)
}

/// How many degrees more or less people ask for.
fn step(said: &str, spoken: &InLanguage<'_>) -> Option<f64> {
    let step = loquat_kit::numbers::number(said, spoken.lang)?;
    (step > 0.0 && step <= MOST_DEGREES).then_some(step)
}

/// What cleans or mows by itself.
pub(super) fn cleaner(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    let home = &spoken.things.get::<HomeAssistant>()?;
    is_known(home, said, spoken, &|kind| CLEANERS.contains(&kind)).then(|| Value::from(said))
}

/// A fan, by its name or by the kind as tools name it. Of a home that is not known yet the word for one tells.
pub(super) fn fan(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    let home = &spoken.things.get::<HomeAssistant>()?;
    let is_fan = |kind: words::Kind| kind == words::Kind::Fan;
    let is_named = || {
        let words = words::Words::of(spoken.locales, spoken.lang);
        let plain = words.plain(said);
        let kind = |part: &str| words.kind(part).filter(|named| is_fan(named.kind));
        kind(&plain).is_some() || words.kind_with_rest(&plain, &kind).is_some()
    };
    let is_there = || is_known(home, said, spoken, &|kind| kind == FAN);
    let is_it = || if home.is_known() { is_there() } else { is_named() };
    (words::Kind::named(said).is_some_and(is_fan) || is_it()).then(|| Value::from(said))
}

/// Words around what is spared of many things, folded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sparing {
    /// It stands in front of it.
    pub front: String,
    /// It stands behind it; empty where nothing does.
    pub back: String,
}

/// The words of a language around what is spared, the longest first.
pub fn sparing(locales: &Locales, lang: &str) -> Vec<Sparing> {
    let words = words::Words::of(locales, lang);
    let forms = words.sparing().map(|(front, back)| Sparing {
        front: front.to_owned(),
        back: back.to_owned(),
    });
    let mut forms: Vec<Sparing> = forms.collect();
    forms.sort_by_key(|form| std::cmp::Reverse(form.front.len() + form.back.len()));
    forms
}

/// Whether the home has anything that these words name, so that it can be spared.
pub fn is_spared(things: &Things, said: &str, locales: &Locales, lang: &str) -> bool {
    let Some(home) = things.get::<HomeAssistant>() else {
        return false;
    };
    let house = home.house.read_recursive();
    let words = words::Words::of(locales, lang);
    let search = Search::new(&house, &home.guard, None, words, &|_| true);
    search.spared(said).is_some()
}

/// Whether a call may spare some of the things that it is for.
pub fn takes_exceptions(call: &IntendedCall) -> bool {
    call.toolbox_id == ID && [CONTROL, SET].contains(&call.tool.as_str()) && call.further.is_empty()
}

/// Whether words that name what the home has are names of several things beside each other. Of a home that is not known yet
/// nothing is said.
pub fn names_several(things: &Things, said: &str, locales: &Locales, lang: &str) -> bool {
    let is_known = things.get::<HomeAssistant>().is_some_and(|home| home.is_known());
    is_known && are_several(said, locales, lang)
}

fn are_several(said: &str, locales: &Locales, lang: &str) -> bool {
    words::Words::of(locales, lang).beside_each_other(said).len() > 1
}

fn is_known(
    home: &HomeAssistant,
    said: &str,
    spoken: &InLanguage<'_>,
    is_kind: &dyn Fn(&str) -> bool,
) -> bool {
    is_known_as(home, said, spoken, &["light"], is_kind)
}

/// Whether anything is called so, where these kinds are meant if a room is named alone.
fn is_known_as(
    home: &HomeAssistant,
    said: &str,
    spoken: &InLanguage<'_>,
    usual: &[&str],
    is_kind: &dyn Fn(&str) -> bool,
) -> bool {
    let house = home.house.read_recursive();
    let fits = |entity: &super::house::Entity| is_kind(domain(&entity.id));
    let words = words::Words::of(spoken.locales, spoken.lang);
    let search = Search::new(&house, &home.guard, None, words, &fits).reading();
    let wish = Wish {
        thing: said,
        usual,
        ..Wish::default()
    };
    match search.find(&wish) {
        Ok(_) | Err(Why::Several(_)) => true,
        Err(Why::Unknown(_) | Why::NoPlace(_) | Why::Nowhere | Why::Nothing | Why::Unable(_)) => false,
    }
}
