//! Several timers that are set in one breath: "potatoes twenty minutes, carrots eight", "two timers, five and ten minutes". A number
//! that lacks its unit has that of the others, where these have one.
//!
//! Sets nothing.

use loquat_agent::turn::IntendedCall;
use loquat_kit::dialog::JOINT;
use loquat_kit::intent::InLanguage;
use loquat_kit::{numbers, slots};
use serde_json::{Map, Value};

use super::{FOLDER, names, spoken};

/// The arguments of a timer, of which the first holds all of several until they are set.
const DURATION: &str = "duration";
const NAME: &str = "name";

/// The tool.
const SET: &str = "set_timer";

/// The list of words between a length and what it is for.
const FOR: &str = "length_of.value";

/// Two of a unit that others share last no longer, in seconds.
const LONGEST_SHARED: f64 = 120.0;

/// So many are set in one breath at most.
const MOST: usize = 6;

/// Two lengths.
pub(super) fn read_two_lengths(_: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    lengths(spoken, 2)
}

/// Three lengths.
pub(super) fn read_three_lengths(_: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    lengths(spoken, 3)
}

/// Two lengths or more, each with a name.
pub(super) fn read_named_lengths(_: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    all_named(spoken, &|words| name(words, spoken))
}

/// Two lengths or more, each with a name of one word: where nothing tells of timers, more words may be a statement, as in "the film
/// lasts two hours and the break ten minutes".
pub(super) fn read_things_lengths(_: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    let is_question = spoken.said.contains('?');
    let one = |words: &[&str]| {
        let is_order = words.iter().any(|word| names::is_of_order(word, spoken));
        let name = name(words, spoken).filter(|_| !is_order)?;
        (!name.contains(char::is_whitespace) && !names::asks(&name, spoken)).then_some(name)
    };
    all_named(spoken, &one).filter(|_| !is_question)
}

/// Reads a name.
type ReadName<'r> = dyn Fn(&[&str]) -> Option<String> + 'r;

fn all_named(spoken: &InLanguage<'_>, name: &ReadName<'_>) -> Option<Value> {
    let timers = parts(spoken, &|part, unit| named(part, unit, spoken, name))?;
    ((2..=MOST).contains(&timers.len())).then(|| Value::from(timers))
}

/// The calls of a call that sets several timers; nothing for any other.
pub fn each_timer(call: &IntendedCall) -> Option<Vec<IntendedCall>> {
    let timers = call.arguments.get(DURATION).filter(|_| call.tool == SET)?;
    let one = |timer: &Value| {
        let arguments = timer.as_object()?.clone();
        let call = call.clone();
        Some(IntendedCall { arguments, ..call })
    };
    timers.as_array()?.iter().map(one).collect()
}

fn lengths(spoken: &InLanguage<'_>, count: usize) -> Option<Value> {
    let timers = parts(spoken, &|part, unit| {
        let length = length(part, unit, spoken)?;
        Some(timer(None, &length))
    })?;
    (timers.len() == count).then(|| Value::from(timers))
}

/// Reads the words of one part, with the only unit of all of them.
type ReadPart<'r> = dyn Fn(&[&str], Option<&str>) -> Option<Value> + 'r;

/// What each part of the words is read as: they are parted at their commas, and at a word that joins two where a part is none.
fn parts(spoken: &InLanguage<'_>, read: &ReadPart<'_>) -> Option<Vec<Value>> {
    let unit = only_unit(spoken);
    let is_joint = |word: &&str| is_in(word, &format!("{JOINT}.value"), spoken);
    let mut found = Vec::new();
    for part in spoken.said.split(',') {
        let words: Vec<&str> = part.split_whitespace().collect();
        let words = match words.split_first() {
            Some((first, rest)) if is_joint(first) => rest,
            _ => words.as_slice(),
        };
        if let Some(whole) = read(words, unit) {
            found.push(whole);
            continue;
        }
        let joints = (1..words.len()).filter(|at| words.get(*at).is_some_and(is_joint));
        let mut ways = joints.filter_map(|at| {
            let (front, behind) = (words.get(..at)?, words.get(at + 1..)?);
            Some([read(front, unit)?, read(behind, unit)?])
        });
        found.extend(ways.next()?);
    }
    Some(found)
}

/// The unit in which all lengths are told that have one; nothing where they have several, and none of more than a minute: who says
/// "peas an hour, beans ten" means no ten hours.
fn only_unit<'s>(spoken: &InLanguage<'s>) -> Option<&'s str> {
    let words = spoken
        .said
        .split(|letter: char| letter.is_whitespace() || letter == ',');
    let is_unit =
        |word: &&str| !word.is_empty() && slots::seconds(&format!("2 {word}"), spoken.lang).is_some();
    let mut units = words.filter(is_unit);
    let first = units.next()?;
    let seconds = slots::seconds(&format!("2 {first}"), spoken.lang)?;
    (units.all(|unit| unit == first) && seconds <= LONGEST_SHARED).then_some(first)
}

/// A length, with the unit that it lacks.
fn length(words: &[&str], unit: Option<&str>, spoken: &InLanguage<'_>) -> Option<String> {
    let said = words.join(" ");
    if slots::seconds(&said, spoken.lang).is_some() {
        return Some(said);
    }
    let number = numbers::number(&said, spoken.lang).filter(|number| *number > 0.0);
    let whole = format!("{said} {}", number.and(unit)?);
    slots::seconds(&whole, spoken.lang).map(|_| whole)
}

/// A timer of these words: a name with a length behind it, or a length and what it is for.
fn named(words: &[&str], unit: Option<&str>, spoken: &InLanguage<'_>, name: &ReadName<'_>) -> Option<Value> {
    let mut places = (1..words.len()).filter_map(|at| words.split_at_checked(at));
    places.find_map(|(front, behind)| {
        let length_last = || Some((name(front)?, length(behind, unit, spoken)?));
        let length_first = || {
            let (_, named) = behind
                .split_first()
                .filter(|(word, _)| is_in(word, FOR, spoken))?;
            Some((name(named)?, length(front, unit, spoken)?))
        };
        let (name, length) = length_last().or_else(length_first)?;
        Some(timer(Some(&name), &length))
    })
}

/// What something is called, without its article.
fn name(words: &[&str], spoken: &InLanguage<'_>) -> Option<String> {
    let said = words.join(" ");
    spoken::read_name(&said, spoken)?;
    names::plain(&said, spoken)
}

fn timer(name: Option<&str>, length: &str) -> Value {
    let told = [name.map(|name| (NAME, name)), Some((DURATION, length))];
    let told = told.into_iter().flatten();
    let arguments: Map<String, Value> = told
        .map(|(argument, said)| (argument.to_owned(), Value::from(said)))
        .collect();
    Value::from(arguments)
}

/// Whether a word stands in a list.
fn is_in(word: &str, list: &str, spoken: &InLanguage<'_>) -> bool {
    let said = loquat_kit::folded(word);
    let mut values = spoken.locales.values(FOLDER, spoken.lang, list);
    values.any(|(_, words)| {
        words
            .split('|')
            .any(|known| loquat_kit::folded(known.trim()) == said)
    })
}
