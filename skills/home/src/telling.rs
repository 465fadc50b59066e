//! How things of the home are named to a person, and how what is unclear or fails is told. Knows no tool.

use loquat_agent::toolbox::{Circumstances, ToolError};
use loquat_kit::asked;
use loquat_kit::dialog::{Gap, Telling};
use serde_json::{Map, Value};

use super::house::{Entity, House};
use super::link::HomeFault;

/// Named in one sentence.
pub(super) const MOST_NAMED: usize = 4;

/// A name with its room, for the question.
pub(super) fn told_name(entity: &Entity, house: &House) -> String {
    let area = entity.area.as_deref().and_then(|area| house.area(area));
    match area {
        Some(area) => format!("{} ({})", entity.name(), area.name()),
        None => entity.name().to_owned(),
    }
}

/// What a thing is set to, in what is told of a resolved call.
pub(super) const TO: &str = "to";

/// The question whether to do what was found out of a call: the names of the things, which others gave them, come first.
pub(super) fn asked(told: &Map<String, Value>) -> Option<Telling> {
    let orders = told.iter().filter(|(order, _)| *order != TO);
    let [(order, things)] = orders.collect::<Vec<_>>().try_into().ok()?;
    let dialog = if told.contains_key(TO) { "ask_to" } else { "ask" };
    let things = asked::each(order, things)?;
    let question = Telling::new(dialog)
        .words("order", order)
        .with("things", Gap::Several(things));
    match asked::named(told, TO, &[order]) {
        Some(to) => Some(question.words(TO, to)),
        None => Some(question).filter(|_| !told.contains_key(TO)),
    }
}

/// The question whether to hand a sentence on, with the things that it would move.
pub(super) fn asked_of_assist(told: &Map<String, Value>) -> Option<Telling> {
    let [(sentence, things)] = told.iter().collect::<Vec<_>>().try_into().ok()?;
    let things = asked::each(sentence, things)?;
    let question = Telling::new("ask_assist").words("sentence", sentence);
    Some(question.with("things", Gap::Several(things)))
}

pub(super) fn lang(person: &Circumstances) -> &str {
    person.lang.as_deref().unwrap_or("en")
}

pub(super) fn unknown(message: &str) -> ToolError {
    ToolError::reply("LookupError", message)
}

/// Asks which of these is meant: those that can be counted are told, and how many more there are.
pub(super) fn several(names: &[String]) -> Telling {
    let more = names.len().saturating_sub(MOST_NAMED);
    let dialog = if more == 0 { "several" } else { "several_more" };
    Telling::new(dialog)
        .with("things", named(names))
        .with("count", Gap::Number(more as f64))
        .naming(names.iter().flat_map(|name| apart(name)))
}

/// The name of a thing and that of its room, where both are told: `Lamp (Kitchen)`.
pub(super) fn apart(name: &str) -> impl Iterator<Item = String> {
    let with_room = name.strip_suffix(')').and_then(|rest| rest.split_once(" ("));
    let (thing, room) = with_room.map_or((name, None), |(thing, room)| (thing, Some(room)));
    // Of a thing without a name its id is told, which has a point in it.
    let is_of_ids = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '_' | '.');
    let thing = if thing.chars().all(is_of_ids) {
        thing.replace('.', " ")
    } else {
        thing.to_owned()
    };
    std::iter::once(thing).chain(room.map(str::to_owned))
}

/// The first few of several names.
pub(super) fn named(names: &[String]) -> Gap {
    let spoken = names
        .iter()
        .take(MOST_NAMED)
        .map(|name| loquat_agent::speakable(name));
    Gap::Several(spoken.collect())
}

/// The words of a short sentence in which others' names may stand, to be judged as names are.
pub(super) fn word_by_word(sentence: &str) -> impl Iterator<Item = &str> {
    sentence.trim_end_matches('.').split_whitespace()
}

pub(super) fn fault_dialog(fault: &HomeFault) -> Telling {
    let short = match fault {
        HomeFault::Unreachable { .. } | HomeFault::Lost => "unreachable",
        HomeFault::Refused { .. } => "wrong_token",
        HomeFault::Silent | HomeFault::Busy => "silent",
        HomeFault::Failed { message, .. } => {
            return Telling::new("failed")
                .words("why", loquat_agent::speakable(message))
                .naming(word_by_word(message));
        }
    };
    Telling::new(short)
}
