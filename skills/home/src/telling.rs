//! How things of the home are named to a person, and how what is unclear or fails is told. Knows no tool.

use loquat_agent::toolbox::{Circumstances, ToolError};
use loquat_kit::asked;
use loquat_kit::dialog::{Gap, Telling};
use serde_json::{Map, Value};

use super::house::{Entity, House};
use super::link::HomeFault;

/// Named in one sentence.
pub(super) const MOST_NAMED: usize = 4;

/// How many of so many are told where it is asked which one is meant. One more than usual is told too: to say that there is another
/// takes as long.
pub(super) fn told_of(count: usize) -> usize {
    if count > MOST_NAMED + 1 { MOST_NAMED } else { count }
}

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

/// By how much it becomes more, and by how much less.
pub(super) const MORE: &str = "more";
pub(super) const LESS: &str = "less";

/// What is told of a call beside its order, each with the dialog that asks with it.
const VALUES: [(&str, &str); 3] = [(TO, "ask_to"), (MORE, "ask_more"), (LESS, "ask_less")];

/// The question whether to do what was found out of a call: the names of the things, which others gave them, come first.
pub(super) fn asked(told: &Map<String, Value>) -> Option<Telling> {
    let is_value = |name: &str| VALUES.iter().any(|(known, _)| *known == name);
    let orders = told.iter().filter(|(order, _)| !is_value(order.as_str()));
    let [(order, things)] = orders.collect::<Vec<_>>().try_into().ok()?;
    let value = VALUES.into_iter().find(|(name, _)| told.contains_key(*name));
    let things = asked::each(order, things)?;
    let question = Telling::new(value.map_or("ask", |(_, dialog)| dialog))
        .words("order", order)
        .with("things", Gap::Several(things));
    let Some((name, _)) = value else {
        return Some(question);
    };
    let said = match told.get(name).and_then(Value::as_f64) {
        Some(number) => Gap::Number(number),
        None => Gap::Words(asked::named(told, name, &[order])?),
    };
    Some(question.with(name, said))
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

/// Asks which of these is meant: those that can be counted are told, and whether there are others.
pub(super) fn several(names: &[String]) -> Telling {
    let told = told_of(names.len());
    let dialog = if told == names.len() {
        "several"
    } else {
        "several_more"
    };
    Telling::new(dialog)
        .with("things", first(names, told))
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
    first(names, MOST_NAMED)
}

fn first(names: &[String], count: usize) -> Gap {
    let told = names.iter().take(count);
    Gap::Several(told.map(|name| loquat_agent::speakable(name)).collect())
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::names::FOLDER;

    /// The question about what is told.
    fn question(lang: &str, told: &Value) -> Option<String> {
        let locales = loquat_kit::Skill::locales([&crate::SKILL]);
        let person = Circumstances {
            lang: Some(lang.to_owned()),
            ..Circumstances::default()
        };
        asked(told.as_object()?)?.sentence(&locales, FOLDER, &person)
    }

    #[test]
    fn one_thing_more_is_told_and_of_others_that_they_are_there() {
        let locales = loquat_kit::Skill::locales([&crate::SKILL]);
        let asked = |lang: &str, count: usize| {
            let person = Circumstances {
                lang: Some(lang.to_owned()),
                ..Circumstances::default()
            };
            let names = ["Stove", "Hood", "Oven", "Sink", "Shelf", "Table", "Door"];
            let names: Vec<String> = names.iter().take(count).map(|name| (*name).to_owned()).collect();
            several(&names)
                .sentence(&locales, FOLDER, &person)
                .unwrap_or_default()
        };
        for (count, told) in [
            (4, "Which one do you mean: Stove, Hood, Oven and Sink?"),
            (5, "Which one do you mean: Stove, Hood, Oven, Sink and Shelf?"),
            (
                6,
                "Which one do you mean: Stove, Hood, Oven and Sink, or another one?",
            ),
            (
                7,
                "Which one do you mean: Stove, Hood, Oven and Sink, or another one?",
            ),
        ] {
            assert_eq!(asked("en-US", count), told);
        }
        for lang in ["de-DE", "fr-FR", "es-ES", "it-IT", "pt-PT"] {
            assert!(asked(lang, 5).contains("Shelf"), "{lang}");
            let more = asked(lang, 7);
            assert!(more.contains("Sink") && !more.contains("Shelf"), "{lang}: {more}");
            assert!(!more.contains(['3', '{']), "{lang}: {more}");
        }
    }

    #[test]
    fn a_step_is_asked_about_as_one_and_not_as_what_is_set() {
        for (lang, told, said) in [
            (
                "en-US",
                json!({"set": ["Cellar Valve"], "to": 40}),
                "Cellar Valve, to 40: shall I set this?",
            ),
            (
                "en-US",
                json!({"set": ["Cellar Valve"], "more": 15}),
                "Cellar Valve, up by 15: shall I set this?",
            ),
            (
                "en-US",
                json!({"less": 1.5, "set": ["Attic Heating"]}),
                "Attic Heating, down by 1.5: shall I set this?",
            ),
            (
                "de-DE",
                json!({"einstellen": ["Ventil"], "more": 3}),
                "Ventil, um 3 höher: Soll ich das einstellen?",
            ),
            ("en-US", json!({"open": ["Gate"]}), "Gate: shall I open this?"),
        ] {
            assert_eq!(question(lang, &told).as_deref(), Some(said));
        }
        for lang in ["de-DE", "fr-FR", "es-ES", "it-IT", "pt-PT"] {
            for way in [MORE, LESS] {
                let said = question(lang, &json!({"x": ["Valve"], way: 7})).unwrap_or_default();
                assert!(said.contains("Valve") && said.contains('7'), "{lang}: {said}");
            }
        }
    }
}
