//! Setting timers, alarms and reminders; deeds are set by way of it, too.
//!
//! Rings nothing and lists nothing.

use jiff::civil::Date;
use loquat_agent::origin::Origin;
use loquat_agent::toolbox::{Circumstances, ToolError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::alert::{Alert, Kind, Person, Repetition};
use super::book::MOST;
use super::deed::Deed;
use super::due::{Due, Unkept, after};
use super::event::Event;
use super::figures::{self, Figures};
use super::length::{self, Numbers};
use super::moment::{self, Told};
use super::{AlertTools, names, repeat, spoken, undo, whom};
use loquat_kit::calendar::{Calendar, Words};
use loquat_kit::dialog::{Gap, Tell, Telling};

/// The longest name or text, in characters.
const LONGEST_NAME: usize = 200;

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Timer {
    /// As the person said it, as in "10 minutes".
    #[serde(default)]
    duration: Option<String>,
    /// What it is for, if the person said so, as in "pasta".
    #[serde(default)]
    name: Option<String>,
    /// The duration in numbers, as sentences bring it; a brain writes it in words.
    #[serde(default)]
    #[schemars(skip)]
    hours: Option<f64>,
    #[serde(default)]
    #[schemars(skip)]
    minutes: Option<f64>,
    #[serde(default)]
    #[schemars(skip)]
    seconds: Option<f64>,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Alarm {
    /// As the person said it, as in "7 am".
    #[serde(default)]
    time: Option<String>,
    /// As in "tomorrow"; default: the next such time.
    #[serde(default)]
    date: Option<String>,
    /// "daily", "weekdays", "weekends" or a weekday.
    #[serde(default)]
    repeat: Option<String>,
    /// Until when it is repeated; sentences say it.
    #[serde(default)]
    #[schemars(skip)]
    until: Option<String>,
    /// What it is for, if the person said so.
    #[serde(default)]
    name: Option<String>,
    /// What was answered to the question which day is meant.
    #[serde(default)]
    #[schemars(skip)]
    choice: String,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Reminder {
    /// What to say then, as in "call Ada".
    text: String,
    /// Who is reminded, where that is not the person who asks; sentences say it.
    #[serde(default)]
    #[schemars(skip)]
    person: Option<String>,
    /// Whether it is said when that person comes home; sentences say it.
    #[serde(default)]
    #[schemars(skip)]
    when_home: bool,
    /// As in "20 minutes".
    #[serde(default)]
    duration: Option<String>,
    /// As in "5 pm".
    #[serde(default)]
    time: Option<String>,
    /// As in "tomorrow".
    #[serde(default)]
    date: Option<String>,
    /// "daily", "weekdays", "weekends" or a weekday.
    #[serde(default)]
    repeat: Option<String>,
    /// Until when it is repeated; sentences say it.
    #[serde(default)]
    #[schemars(skip)]
    until: Option<String>,
    /// What was answered to the question which day is meant.
    #[serde(default)]
    #[schemars(skip)]
    choice: String,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Set {
    /// Absent where nothing was set.
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<u64>,
    kind: &'static str,
    /// When it is due, or what to ask.
    spoken: String,
    /// The timer that was set.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    timers: Vec<Figures>,
    /// The days or times that may be meant.
    #[serde(skip)]
    meant: Vec<String>,
    #[serde(skip)]
    told: Telling,
}

impl Set {
    /// Nothing was set, and why.
    pub(super) fn nothing(kind: Kind, spoken: String, told: Telling) -> Self {
        Self {
            id: None,
            kind: kind.name(),
            spoken,
            timers: Vec::new(),
            meant: Vec::new(),
            told,
        }
    }

    /// Nothing is set before it is known which of two days is meant.
    pub(super) fn asking(kind: Kind, days: [Date; 2], names: [String; 2]) -> Self {
        let [first, second] = days;
        // Who calls again with one of these dates is not asked once more.
        let spoken = format!(
            "nothing is set yet; ask the person: today or tomorrow? Then call again with only the time of day as time, and with \
             date {first} or {second}"
        );
        let [today, tomorrow] = names;
        let told = Telling::new("ask_day")
            .words("today", today.as_str())
            .words("tomorrow", tomorrow.as_str());
        Self {
            meant: vec![today, tomorrow],
            ..Self::nothing(kind, spoken, told)
        }
    }

    /// Nothing is set before it is known of which hour these minutes are.
    pub(super) fn asking_hour(kind: Kind, minutes: &str, next: Vec<String>) -> Self {
        let spoken = format!(
            "nothing is set yet; ask the person: {minutes} which hour? Then call again with the whole time of day"
        );
        let told = Telling::new("ask_hour").words("minutes", minutes);
        Self {
            meant: next,
            ..Self::nothing(kind, spoken, told)
        }
    }
}

impl Tell for Set {
    fn tell(&self) -> Option<Telling> {
        Some(self.told.clone())
    }

    fn undo(&self) -> Map<String, Value> {
        undo::of_set(self.id)
    }

    fn choices(&self) -> Vec<String> {
        self.meant.clone()
    }
}

pub(super) async fn set_timer(
    tools: AlertTools,
    timer: Timer,
    person: &Circumstances,
) -> Result<Set, ToolError> {
    let numbers = Numbers {
        hours: timer.hours,
        minutes: timer.minutes,
        seconds: timer.seconds,
    };
    let calendar = Calendar::of(person, tools.alerts.now().wall);
    if timer
        .duration
        .as_deref()
        .is_some_and(|said| calendar.is_span(said))
    {
        let spoken = "nothing was set: a timer has one length; ask the person for it".to_owned();
        return Ok(Set::nothing(Kind::Timer, spoken, Telling::new("span_unkept")));
    }
    let Some(seconds) = length::span(&tools, numbers, timer.duration, person)? else {
        return Ok(unsaid(Kind::Timer, "ask_duration", "for how long?"));
    };
    let due = Due::after(&tools.alerts.now(), seconds);
    let name = name_of(&tools, timer.name, person)?;
    let dialog = if name.is_some() {
        "set_timer_named"
    } else {
        "set_timer"
    };
    set(&tools, Kind::Timer, name, due, dialog, person).await
}

pub(super) async fn set_alarm(
    tools: AlertTools,
    alarm: Alarm,
    person: &Circumstances,
) -> Result<Set, ToolError> {
    let Some(time) = said(alarm.time) else {
        return Ok(unsaid(Kind::Alarm, "ask_time", "for what time?"));
    };
    let told = Told {
        time: Some(time),
        date: said(alarm.date),
        repeat: said(alarm.repeat),
        until: said(alarm.until),
        choice: alarm.choice,
        is_by_day: false,
    };
    let due = match moment::due(&tools, told, person)? {
        Ok(due) => due,
        Err(asking) => return Ok(asking.set(Kind::Alarm)),
    };
    let name = name_of(&tools, alarm.name, person)?;
    let dialog = if due.repetition.is_some() {
        "set_alarm_repeating"
    } else {
        "set_alarm"
    };
    set(&tools, Kind::Alarm, name, due, dialog, person).await
}

pub(super) async fn set_reminder(
    tools: AlertTools,
    reminder: Reminder,
    person: &Circumstances,
) -> Result<Set, ToolError> {
    let text = checked("text", said(Some(reminder.text)))?;
    let Some(text) = text else {
        return Ok(unsaid(Kind::Reminder, "ask_text", "of what?"));
    };
    let whom = checked("person", said(reminder.person))?;
    if reminder.when_home {
        return whom::set_at_home(&tools, text, whom, person).await;
    }
    let [duration, time, date, repeat] =
        [reminder.duration, reminder.time, reminder.date, reminder.repeat].map(said);
    let told = Told {
        time,
        date,
        repeat,
        until: said(reminder.until),
        choice: reminder.choice,
        is_by_day: true,
    };
    let due = match duration {
        Some(duration) if told.is_nothing() => after(&tools, &duration, person)?,
        Some(_) => return Err(moment::said_twice()),
        None if told.is_nothing() => return Ok(unsaid(Kind::Reminder, "ask_moment", "when?")),
        None => match moment::due(&tools, told, person)? {
            Ok(due) => due,
            Err(asking) => return Ok(asking.set(Kind::Reminder)),
        },
    };
    let dialog = if due.repetition.is_some() {
        "set_reminder_repeating"
    } else {
        "set_reminder"
    };
    set_reminder_for(&tools, (text, whom), due, dialog, person).await
}

/// Keeps a reminder for a person, or else for who sets it.
pub(super) async fn set_reminder_for(
    tools: &AlertTools,
    (text, whom): (String, Option<String>),
    due: Due,
    dialog: &'static str,
    person: &Circumstances,
) -> Result<Set, ToolError> {
    let kept = Kept {
        whom,
        ..Kept::of(Kind::Reminder)
    };
    keep(tools, kept, Some(text), due, dialog, person).await
}

/// A name that is one: what was misread of an order is none.
fn name_of(
    tools: &AlertTools,
    name: Option<String>,
    person: &Circumstances,
) -> Result<Option<String>, ToolError> {
    let language = tools.language(person);
    let name = checked("name", said(name))?.filter(|name| names::is_name(name, &language));
    Ok(name.and_then(|name| names::plain(&name, &language)))
}

/// Keeps it, and tells so in the words of a dialog.
async fn set(
    tools: &AlertTools,
    kind: Kind,
    name: Option<String>,
    due: Due,
    dialog: &'static str,
    person: &Circumstances,
) -> Result<Set, ToolError> {
    keep(tools, Kept::of(kind), name, due, dialog, person).await
}

/// Keeps a deed, and tells so.
pub(super) async fn set_deed(
    tools: &AlertTools,
    command: String,
    deed: Deed,
    due: Due,
    person: &Circumstances,
) -> Result<Set, ToolError> {
    let kept = Kept {
        deed: Some(deed),
        ..Kept::of(Kind::Deed)
    };
    keep(tools, kept, Some(command), due, "set_deed", person).await
}

/// Keeps a trigger, and tells so. It is never due by a clock.
pub(super) async fn set_trigger(
    tools: &AlertTools,
    command: String,
    deed: Deed,
    event: Event,
    person: &Circumstances,
) -> Result<Set, ToolError> {
    let dialog = match (command.is_empty(), event.always) {
        (true, _) => "set_trigger_telling",
        (false, false) => "set_trigger",
        (false, true) => "set_trigger_always",
    };
    let kept = Kept {
        deed: Some(deed),
        on: Some(event),
        ..Kept::of(Kind::Trigger)
    };
    let never = Due::at(jiff::Timestamp::MAX);
    keep(tools, kept, Some(command), never, dialog, person).await
}

/// Keeps what is to be said to a person when something is so, and tells so.
pub(super) async fn set_reminder_on(
    tools: &AlertTools,
    (text, whom): (String, String),
    deed: Deed,
    event: Event,
    person: &Circumstances,
) -> Result<Set, ToolError> {
    let kept = Kept {
        deed: Some(deed),
        on: Some(event),
        whom: Some(whom),
        reminds: Some(text),
        ..Kept::of(Kind::Trigger)
    };
    let never = Due::at(jiff::Timestamp::MAX);
    keep(tools, kept, Some(String::new()), never, "set_reminder_on", person).await
}

/// Keeps a routine, and tells so.
pub(super) async fn set_routine(
    tools: &AlertTools,
    phrase: String,
    steps: Vec<String>,
    person: &Circumstances,
) -> Result<Set, ToolError> {
    let kept = Kept {
        steps,
        ..Kept::of(Kind::Routine)
    };
    let never = Due::at(jiff::Timestamp::MAX);
    keep(tools, kept, Some(phrase), never, "set_routine", person).await
}

/// What is kept beside its name and its moment.
struct Kept {
    kind: Kind,
    deed: Option<Deed>,
    on: Option<Event>,
    steps: Vec<String>,
    whom: Option<String>,
    reminds: Option<String>,
}

impl Kept {
    fn of(kind: Kind) -> Self {
        Self {
            kind,
            deed: None,
            on: None,
            steps: Vec::new(),
            whom: None,
            reminds: None,
        }
    }
}

async fn keep(
    tools: &AlertTools,
    Kept {
        kind,
        deed,
        on,
        steps,
        whom,
        reminds,
    }: Kept,
    name: Option<String>,
    due: Due,
    dialog: &'static str,
    person: &Circumstances,
) -> Result<Set, ToolError> {
    let make = |id| Alert {
        id,
        kind,
        name,
        person: Person::of(person),
        by: Origin::of(person),
        due: due.at,
        span_seconds: due.after_span.as_ref().map(|(_, seconds)| *seconds),
        set_seconds: due.after_span.as_ref().map(|(_, seconds)| *seconds),
        room: tools.room(person),
        paused: None,
        due_after_span: due.after_span.map(|(due, _)| due),
        repetition: due.repetition,
        ringing: None,
        deed,
        on,
        steps,
        whom,
        reminds,
    };
    let Some((alert, is_kept)) = tools.alerts.add(make).await else {
        return Err(complaint(&format!("there are {MOST} already; cancel some first")));
    };
    // The person who sets it is told their own words, which mark nothing yet.
    let as_said = Alert {
        by: Origin::Own,
        ..alert.clone()
    };
    let told = telling(tools, &as_said, dialog, person);
    let told = if is_kept {
        told
    } else {
        told.then(Telling::new("not_kept"))
    };
    Ok(set_as(tools, &alert, told, person))
}

fn set_as(tools: &AlertTools, alert: &Alert, told: Telling, person: &Circumstances) -> Set {
    Set {
        id: Some(alert.id),
        kind: alert.kind.name(),
        spoken: super::sentence(&told, tools, person).unwrap_or_else(|| alert.due.to_string()),
        timers: figures::of(std::slice::from_ref(alert), tools),
        meant: Vec::new(),
        told,
    }
}

/// What can be told of it, with the days on which it is repeated.
pub(super) fn telling(
    tools: &AlertTools,
    alert: &Alert,
    dialog: &'static str,
    person: &Circumstances,
) -> Telling {
    let told = spoken::telling(dialog, alert, person, Some(tools.alerts.now().wall));
    match &alert.repetition {
        Some(repetition) => told_repetition(tools, repetition, told, person),
        None => told,
    }
}

/// With the days on which something is repeated, and the moment of the sun by which it goes.
pub(super) fn told_repetition(
    tools: &AlertTools,
    repetition: &Repetition,
    told: Telling,
    person: &Circumstances,
) -> Telling {
    let lang = person.lang.as_deref().unwrap_or("en");
    let sun = repetition.sun.filter(|sun| !sun.is_beside());
    let told = match sun {
        Some(sun) => told.with(
            "sun",
            Gap::Listed {
                list: "sun",
                name: sun.event().name(),
                one: true,
            },
        ),
        None => told,
    };
    let told = match repeat::told(&repetition.days, lang, &tools.locales) {
        Some(days) => told.with("repeat", days),
        None => told,
    };
    match repetition.until {
        Some(last) => told.words("until", Words::of(person).date(last)),
        None => told,
    }
}

/// It goes by the sun, and where that is not known nothing is set.
pub(super) fn no_place(kind: Kind) -> Set {
    let spoken = "nothing was set: it is not known where the device is; ask the person for a time of day";
    Set::nothing(kind, spoken.to_owned(), Telling::new("no_place"))
}

/// It is understood and not kept.
pub(super) fn unkept(kind: Kind, why: Unkept) -> Set {
    let (dialog, spoken) = match why {
        Unkept::Repetition => (
            "repeat_unkept",
            "nothing was set: only days of the week can be repeated, as in daily, weekdays or monday",
        ),
        Unkept::Stretch => (
            "stretch_unkept",
            "nothing was set: that is no one moment; ask the person for one time",
        ),
    };
    Set::nothing(kind, spoken.to_owned(), Telling::new(dialog))
}

/// Nothing is set, and the person is asked for what is missing.
pub(super) fn unsaid(kind: Kind, dialog: &'static str, question: &str) -> Set {
    let spoken = format!("nothing is set yet; ask the person: {question}");
    Set::nothing(kind, spoken, Telling::new(dialog))
}

/// Models write "none" and "" where there is nothing to say.
pub(super) fn said(argument: Option<String>) -> Option<String> {
    argument.filter(|text| !matches!(text.trim().to_lowercase().as_str(), "" | "none" | "null" | "no"))
}

/// A name or text that a person could have said.
pub(super) fn checked(argument: &str, text: Option<String>) -> Result<Option<String>, ToolError> {
    match text {
        Some(text) if text.chars().count() > LONGEST_NAME => Err(complaint(&format!(
            "{argument}: has more than {LONGEST_NAME} characters"
        ))),
        other => Ok(other),
    }
}

pub(super) fn complaint(text: &str) -> ToolError {
    ToolError::reply("ValueError", text)
}

/// What a complaint repeats of an argument.
pub(super) fn short(text: &str) -> String {
    text.chars().take(60).collect()
}
