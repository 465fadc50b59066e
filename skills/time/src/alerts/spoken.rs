//! What fills the gaps of sentences about alerts, and what stands in those of their dialogs.
//!
//! Decides nothing.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use loquat_agent::toolbox::Circumstances;
use loquat_agent::turn::IntendedCall;
use loquat_kit::slots;
use loquat_kit::{Repeat, When};
use serde_json::{Map, Value};

use super::alert::{Alert, Kind};
use super::book::Alerts;
use super::{FOLDER, hours, names, span, within};
use loquat_kit::calendar::Calendar;
use loquat_kit::dialog::{Gap, Telling};
use loquat_kit::intent::InLanguage;
use loquat_kit::locale::Locales;

/// It stands in the place of a name for what is set no more. It cannot be said, so that nothing that is set is called so.
pub(super) const GONE: &str = "(gone)";

/// It stands in the place of a name for what was gone and is set again. "The last one" could be another that was set meanwhile.
pub(super) const BACK: &str = "(back)";

/// The most words of a name.
const LONGEST_NAME: usize = 3;

/// The most words of what a reminder says.
const LONGEST_TEXT: usize = 25;

/// A span of time by which something is earlier.
pub(super) fn read_less(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    slots::seconds(said, spoken.lang).map(|_| Value::from(format!("-{said}")))
}

/// A number of minutes that is said without them: "the potatoes need five more". One more may be an hour as well.
pub(super) fn read_minutes(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    let number = loquat_kit::numbers::number(said, spoken.lang)?;
    let is_one = number.fract() == 0.0 && (2.0..=60.0).contains(&number);
    is_one.then(|| Value::from(format!("{number} minutes")))
}

/// A span of time that says itself that it comes on top of another: `six more minutes`.
pub(super) fn read_further(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    let is_further = || Calendar::spoken(spoken.lang).is_further(said);
    slots::span(said, spoken).filter(|_| is_further())
}

/// A few words that are neither a number nor a span.
pub(super) fn read_name(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    let is_name = (1..=LONGEST_NAME).contains(&said.split_whitespace().count())
        && !loquat_kit::numbers::with_figures(said, spoken.lang).contains(|c: char| c.is_ascii_digit())
        && slots::seconds(said, spoken.lang).is_none()
        && names::is_name(said, spoken)
        && !ends_with_article(said, spoken)
        && !begins_with_a_place(said, spoken);
    is_name.then(|| Value::from(said))
}

/// Whether words stop at an article, behind which the name would go on.
fn ends_with_article(said: &str, spoken: &InLanguage<'_>) -> bool {
    let last = said.rsplit(' ').next();
    said.contains(' ') && last.is_some_and(|last| names::begins_with_article(last, spoken))
}

/// Whether words begin with a room and the word that joins it, and so are no name.
fn begins_with_a_place(said: &str, spoken: &InLanguage<'_>) -> bool {
    let words: Vec<&str> = said.split_whitespace().collect();
    let places = spoken
        .rooms
        .map(|rooms| rooms.places_in(&words, spoken.locales, spoken.lang));
    places.is_some_and(|places| places.first().is_some_and(|(place, _)| place.start == 0))
}

/// A part of the day, by which one alert of several is called: the evening one.
pub(super) fn read_part(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    let calendar = Calendar::spoken(spoken.lang);
    let day = calendar.told_weekday(calendar.now().date());
    let when = calendar.moment(&format!("{day} {said}")).ok()?;
    let is_part = when.part.is_some() && !when.has_clock && calendar.day(said).is_none();
    is_part.then(|| Value::from(said))
}

/// The name of something that is set now.
pub(super) fn read_known(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    let is_set = !kinds_called(said, spoken).is_empty();
    is_set.then(|| Value::from(said))
}

/// The name of a timer that is set now.
pub(super) fn read_known_timer(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    let is_set = kinds_called(said, spoken).contains(&Kind::Timer);
    is_set.then(|| Value::from(said))
}

/// The sentence of a deed that is set now.
pub(super) fn read_known_deed(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    let is_set = kinds_called(said, spoken).contains(&Kind::Deed);
    is_set.then(|| Value::from(said))
}

/// Words of the one reminder that has them.
pub(super) fn read_reminded(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    let alerts = spoken.things.get::<Alerts>()?;
    (read_name(said, spoken).is_some() && alerts.reminds_of(said)).then(|| Value::from(said))
}

/// The kinds of what is set now under just this name, each once.
fn kinds_called(name: &str, spoken: &InLanguage<'_>) -> Vec<Kind> {
    let alerts = spoken.things.get::<Alerts>();
    alerts.map(|alerts| alerts.kinds_called(name)).unwrap_or_default()
}

/// What a call cancels, pauses or changes by its name, with the words for what is called so.
pub(crate) fn about(call: &IntendedCall, spoken: &InLanguage<'_>) -> Option<String> {
    const CHANGING: [&str; 4] = ["cancel_alert", "change_alert", "pause_timer", "resume_timer"];
    if !CHANGING.contains(&call.tool.as_str()) {
        return None;
    }
    let argument = |name: &str| call.arguments.get(name).and_then(Value::as_str);
    let name = argument("name")?;
    let is_meant = |kind: &Kind| match (argument("kind"), call.tool.as_str()) {
        (Some(said), _) => kind.name() == said,
        (None, "pause_timer" | "resume_timer") => *kind == Kind::Timer,
        (None, _) => true,
    };
    let kinds = kinds_called(name, spoken).into_iter().filter(is_meant);
    let words: Vec<String> = kinds.filter_map(|kind| word(kind, spoken)).collect();
    (!words.is_empty()).then(|| format!("{name} ({})", words.join(", ")))
}

/// What names the alert that a call was about: the one that was set last, or the words of the call. What is cancelled is gone.
pub(crate) fn object(call: &IntendedCall) -> Option<Map<String, Value>> {
    const NAMING: [&str; 5] = ["area", "choice", "kind", "length", "name"];
    let is_of_gone = call.arguments.get("name").and_then(Value::as_str) == Some(GONE);
    let kind = match call.tool.as_str() {
        "set_timer" => Kind::Timer,
        "set_alarm" => Kind::Alarm,
        "set_reminder" => Kind::Reminder,
        "do_later" => Kind::Deed,
        "do_when" => Kind::Trigger,
        "set_routine" => Kind::Routine,
        "restart_timer" if is_of_gone => return Some(of_its_kind(BACK, call)),
        "list_alerts" | "change_alert" | "pause_timer" | "resume_timer" | "restart_timer" => {
            let naming = call.arguments.iter();
            let naming = naming.filter(|(argument, _)| NAMING.contains(&argument.as_str()));
            return Some(
                naming
                    .map(|(argument, value)| (argument.clone(), value.clone()))
                    .collect(),
            );
        }
        "cancel_alert" => return Some(of_its_kind(GONE, call)),
        _ => return None,
    };
    let last = [("kind", kind.name()), ("name", "last")];
    Some(Map::from_iter(last.map(|(argument, value)| {
        (argument.to_owned(), Value::from(value))
    })))
}

/// One of the kind that a call was about, by what stands in the place of its name: what was cancelled is gone, so that nothing is
/// meant by it any more, and of its kind there may be another.
fn of_its_kind(name: &str, call: &IntendedCall) -> Map<String, Value> {
    let kind = call.arguments.get_key_value("kind").into_iter();
    let kind = kind.map(|(kind, value)| (kind.clone(), value.clone()));
    kind.chain([("name".to_owned(), Value::from(name))]).collect()
}

/// What a language calls one of a kind.
fn word(kind: Kind, spoken: &InLanguage<'_>) -> Option<String> {
    noun(kind.name(), spoken.lang, spoken.locales)
}

/// What a language calls one of a kind, by the name of the kind.
pub fn noun(kind: &str, lang: &str, locales: &Locales) -> Option<String> {
    let mut kinds = locales.values(FOLDER, lang, "kind.value");
    let (_, words) = kinds.find(|(known, _)| known.trim() == kind)?;
    words.split('|').next().map(|word| word.trim().to_owned())
}

/// What a language calls several of a kind, by the name of the kind.
pub fn nouns(kind: &str, lang: &str, locales: &Locales) -> Vec<String> {
    let mut kinds = locales.values(FOLDER, lang, "kinds.value");
    let found = kinds.find(|(known, _)| known.trim() == kind);
    let words = found.map(|(_, words)| words.split('|').map(|word| word.trim().to_owned()).collect());
    words.unwrap_or_default()
}

/// What is to be remembered, without the moment at which; not what asks for something known.
pub(super) fn read_text(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    read_any_text(said, spoken).filter(|_| !names::asks(said, spoken))
}

/// What is to be remembered where neither a moment nor a word in front of it tells that it is: something to do, and no thing,
/// of which a person may as well want to hear.
pub(super) fn read_task(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    read_text(said, spoken).filter(|_| !names::begins_with_article(said, spoken))
}

/// What is to be remembered where that was asked for.
pub(super) fn read_any_text(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    let is_text = (1..=LONGEST_TEXT).contains(&said.split_whitespace().count());
    let calendar = Calendar::spoken(spoken.lang);
    let is_time = calendar.is_in(said) || calendar.until(said).is_some();
    let is_whole = is_text && !is_time && !calendar.is_unfinished(said);
    is_whole.then(|| Value::from(said))
}

/// A sentence that is to be said later.
#[expect(
    clippy::unnecessary_wraps,
    reason = "a gap is read by a function of this type"
)]
pub(super) fn read_command(said: &str, _: &InLanguage<'_>) -> Option<Value> {
    Some(Value::from(said))
}

/// A time of day that is no mere number.
pub(super) fn read_clear_time(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    let hour = Calendar::spoken(spoken.lang).hour(said);
    hour.filter(|hour| hour.is_clear).map(|_| Value::from(said))
}

/// A time at which something may be set, also one of which the hour was not said.
pub(super) fn read_time_to_set(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    slots::time(said, spoken).or_else(|| hours::lack_hour(said, spoken))
}

/// A length of time, also one that is none in particular.
pub(super) fn read_duration_to_set(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    let is_range = || Calendar::spoken(spoken.lang).is_span(said);
    slots::span(said, spoken).or_else(|| is_range().then(|| Value::from(said)))
}

/// A day, or a part of one.
pub(super) fn read_date(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    let moment = Calendar::spoken(spoken.lang).moment(said).ok();
    let is_day = |when: &When| {
        let is_else = when.has_clock || when.repeat.is_some() || when.stretch.is_some();
        !is_else && when.day.is_some()
    };
    moment.filter(is_day).map(|_| Value::from(said))
}

/// A timer, an alarm, a reminder or any of them, in the singular or the plural.
pub(super) fn read_kind(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    named(said, spoken, "kind.value").or_else(|| read_kinds(said, spoken))
}

/// What an order for all of a kind may name: a kind in the singular, as in "every timer", and all kinds in the plural alone,
/// since such an order takes away everything.
pub(super) fn read_kind_of_all(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    let single = named(said, spoken, "kind.value").filter(|kind| kind.as_str() != Some("all"));
    single.or_else(|| read_kinds_of_all(said, spoken))
}

/// Kinds in the plural of which all may be taken away. "Alarms and timers" are not everything: reminders stay.
pub(super) fn read_kinds_of_all(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    let is_one_kind = |word: &str| named(word, spoken, "kinds.value").is_some_and(|kind| kind != "all");
    let kinds = read_kinds(said, spoken)?;
    let names_kinds = kinds == "all" && said.split(' ').any(is_one_kind);
    (!names_kinds).then_some(kinds)
}

/// Timers, alarms, reminders or all of them, in the plural.
pub(super) fn read_kinds(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    named(said, spoken, "kinds.value")
}

/// Which of several that were spoken of.
pub(super) fn read_which(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    named(said, spoken, "which.value")
}

/// The name that a list has for these words.
fn named(said: &str, spoken: &InLanguage<'_>, list: &str) -> Option<Value> {
    let said = loquat_kit::folded(said);
    let mut kinds = spoken.locales.values(FOLDER, spoken.lang, list);
    let is_called = |words: &str| words.split('|').any(|word| loquat_kit::folded(word) == said);
    let (kind, _) = kinds.find(|(_, words)| is_called(words))?;
    Some(Value::from(kind.trim()))
}

/// Any moment, by all that is said of it.
pub(super) fn read_moment(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    let moment = Calendar::spoken(spoken.lang).moment(said);
    let moment = moment.is_ok().then(|| Value::from(said));
    moment.or_else(|| hours::lack_hour(said, spoken))
}

/// A stretch of time in which alerts may be due, such as tomorrow or between four and five.
pub(super) fn read_within(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    within::is_one(said, spoken).then(|| Value::from(said))
}

/// A stretch of days, such as next week.
pub(super) fn read_period(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    // The name of a month may be any word.
    let is_long = said.contains(' ');
    let is_period = is_long && Calendar::spoken(spoken.lang).is_period(said);
    is_period.then(|| Value::from(said))
}

/// A moment of which the time of day was said, or which is so long from now, and a time that is no one moment.
pub(super) fn read_moment_with_time(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    let moment = Calendar::spoken(spoken.lang).moment(said).ok();
    let has_time = |when: &When| {
        let is_exact = when.ahead.is_some_and(|ahead| !ahead.is_of_days());
        when.has_clock || when.stretch.is_some() || is_exact
    };
    let moment = moment.filter(has_time).map(|_| Value::from(said));
    moment.or_else(|| hours::lack_hour(said, spoken))
}

/// Days on which something is repeated, perhaps at a part of them.
pub(super) fn read_repeat(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    let moment = Calendar::spoken(spoken.lang).moment(said).ok();
    let is_repeated = |when: &When| {
        let has_time = when.has_clock || when.stretch.is_some();
        !has_time && matches!(when.repeat, Some(Repeat::Weekdays(_)))
    };
    moment.filter(is_repeated).map(|_| Value::from(said))
}

/// Until when something is repeated.
pub(super) fn read_until(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    let until = Calendar::spoken(spoken.lang).until(said);
    until.map(|_| Value::from(said))
}

/// Days by the word that stands for them before an alarm, as in "weekend alarm".
pub(super) fn read_days(said: &str, spoken: &InLanguage<'_>) -> Option<Value> {
    named(said, spoken, "days.value")
}

/// What can be told of an alert; where it is known when it is told, its moment as it is said then.
pub(super) fn telling(
    dialog: &'static str,
    alert: &Alert,
    person: &Circumstances,
    now: Option<Timestamp>,
) -> Telling {
    let calendar = Calendar::of(person, now.unwrap_or(alert.due));
    let zone = loquat_kit::calendar::zone_of(person);
    let due = alert.due.to_zoned(zone);
    let moment = if now.is_some() {
        calendar.told_from_now(&due)
    } else {
        calendar.told_moment(&due)
    };
    let told = Telling::new(dialog)
        .words("moment", moment)
        .words("time", calendar.told_time(due.time()))
        .of_strangers(alert.is_foreign_to(person));
    let told = if alert.steps.is_empty() {
        told
    } else {
        told.words("text", alert.steps.join("; "))
    };
    let told = match &alert.on {
        Some(event) => told.words("event", event.words.as_str()),
        None => told,
    };
    let told = match alert.span_seconds {
        Some(seconds) => of_span(told, seconds),
        None => told,
    };
    let told = match &alert.whom {
        Some(who) => told.words("who", who.as_str()),
        None => told,
    };
    if let Some(text) = &alert.reminds {
        return told.words("text", text.as_str());
    }
    match (&alert.name, alert.kind) {
        (Some(text), Kind::Reminder | Kind::Deed | Kind::Trigger) => told.words("text", text),
        (Some(name), _) => told.words("name", name),
        (None, _) => told,
    }
}

/// What can be told of a span. One of a single unit can stand before a noun, as in "the 10-minute timer".
fn of_span(told: Telling, seconds: f64) -> Telling {
    let amounts = span::told(seconds);
    let told = match span::single(&amounts) {
        Some((number, name)) => {
            let unit = |one| Gap::Listed {
                list: span::UNITS,
                name,
                one,
            };
            told.with("number", Gap::Number(number))
                .with("unit", unit(true))
                .with("units", unit(false))
        }
        None => told,
    };
    told.with("span", Gap::Amounts(amounts))
}

/// The zone in which a time of day is meant.
pub(super) fn zone(person: &Circumstances) -> TimeZone {
    loquat_kit::calendar::zone_of(person)
}
