//! `loquat-alert-tools`: timers, alarms, reminders, and what is to be done later.
//!
//! They are set, listed and cancelled here and kept in the records; the daemon rings, by what [`Alerts`] tells it.

use std::sync::Arc;

use include_dir::include_dir;
use loquat_agent::Speaker;
use loquat_agent::toolbox::Circumstances;

use loquat_kit::Skill;
use loquat_kit::dialog::Telling;
use loquat_kit::function::FunctionToolbox;
use loquat_kit::intent::{Ask, InLanguage, Intent, Slot, Unsaid, slot};
use loquat_kit::locale::Locales;
use loquat_kit::people::{People, Presence};
use loquat_kit::wording::Wording;
use loquat_kit::{Rooms, Things, slots};

mod alert;
mod altered;
mod book;
mod cancelling;
mod changing;
#[cfg(test)]
mod day;
mod deed;
mod due;
mod event;
mod figures;
mod foreseen;
mod halves;
mod hours;
mod later;
mod length;
mod listing;
mod messages;
mod moment;
mod moments;
mod names;
mod night;
mod now;
mod pausing;
mod plans;
mod repeat;
mod restarting;
mod routines;
mod setting;
mod several;
mod snoozing;
mod span;
mod spoken;
mod sun;
#[cfg(test)]
mod tests;
mod told;
mod tools;
mod triggers;
mod turn;
mod undo;
mod when_words;
mod which;
mod whom;
mod wish;
mod within;

pub use alert::{Alert, Kind, Person};
pub use book::Alerts;
pub use deed::{Deed, WRITTEN};
pub(crate) use due::moment_of;
pub use event::{Condition, Event, Expected, Glance, Look, Resource};
pub use foreseen::{Asked, Foreseen, ForeseenCall, Understands};
pub use halves::{at_part_of_day, in_same_half, nearest_with, without_day};
pub use hours::lacks_hour;
pub use messages::{AwaitedResources, AwaitedResourcesError, Messages, MessagesError};
pub use moments::{Moments, SaidMoment};
pub use names::names_nothing;
pub use plans::{Plan, keep_plans};
pub use routines::steps_for;
pub use several::each_timer;
pub use spoken::{noun, nouns};
pub use turn::Turn;
pub use when_words::WhenWords;

/// The toolbox's id.
pub const ID: &str = "loquat-alert-tools";

/// The tools that know in which room something was set.
const OF_ROOMS: [&str; 5] = [
    "cancel_alert",
    "change_alert",
    "list_alerts",
    "pause_timer",
    "resume_timer",
];

/// The folder of its sentences.
const FOLDER: &str = "alerts";

/// The tool that keeps a sentence for later.
pub const DO_LATER: &str = later::TOOL;

/// The tools that keep sentences. What they keep is no such call itself.
pub const KEEPING: [&str; 3] = [later::TOOL, triggers::TOOL, routines::TOOL];

/// Tools that set something for a moment, or name what is set by its moment, so that no other moment beside them is meant.
pub const WITH_MOMENT: [&str; 4] = ["set_alarm", "set_reminder", "cancel_alert", "change_alert"];

/// The tool that keeps a routine.
pub const SET_ROUTINE: &str = routines::TOOL;

/// The tool that tells of a step that is understood no more.
pub const MISS_STEP: &str = routines::MISS;

/// The intent of sentences that set a routine, which no template foresees.
pub const ROUTINE: &str = "set_routine";

/// The tool that keeps a sentence until something is so.
pub const DO_WHEN: &str = triggers::TOOL;

/// The intent of sentences with what they wait for, which no template foresees.
pub const TRIGGERED: &str = "do_when";

/// The intent of sentences with a moment beside them, which no template foresees.
pub const DEFERRED: &str = "do_later";

/// The intent of such sentences once their gaps are known. It has no templates either.
const DEFERRED_ANEW: &str = "do_later_anew";

/// Its name among all.
pub const AS_DEFERRED: &str = "alerts.do_later_anew";

/// The tool that finds out what a sentence would do.
const FORESEE: &str = "foresee_deed";

/// The tool that takes calls of others back.
const RESTORE: &str = "restore_alerts";

/// A sentence that is said later, and when that is.
const COMMAND: Slot = slot("command", spoken::read_command);
const MOMENT: Slot = slot("time", spoken::read_moment_with_time);
const MOMENTS: Slot = slot("repeat", spoken::read_repeat);
const DURATION: Slot = slot("duration", slots::span);
const NAME: Slot = slot("name", spoken::read_name);
const PART: Slot = slot("part", spoken::read_part).becoming("name");
/// What is set under this name now, whatever it is.
const KNOWN: Slot = slot("known", spoken::read_known).becoming("name");
const KNOWN_TIMER: Slot = slot("known", spoken::read_known_timer).becoming("name");
/// Words of a reminder that is set now.
const REMINDED: Slot = slot("reminded", spoken::read_reminded).becoming("name");
/// The sentence of a deed that is set now.
const KNOWN_DEED: Slot = slot("known", spoken::read_known_deed).becoming("name");
const TIME: Slot = slot("time", slots::time);
/// A time at which something is to be set: the tool asks for an hour that was not said.
const TIME_TO_SET: Slot = slot("time", spoken::read_time_to_set);
/// The tool tells that it needs one length.
const DURATION_TO_SET: Slot = slot("duration", spoken::read_duration_to_set);
/// Several timers at once.
const TWO_LENGTHS: Slot = slot("two_lengths", several::read_two_lengths).becoming("duration");
const THREE_LENGTHS: Slot = slot("three_lengths", several::read_three_lengths).becoming("duration");
const NAMED_LENGTHS: Slot = slot("named_lengths", several::read_named_lengths).becoming("duration");
const THINGS_LENGTHS: Slot = slot("things_lengths", several::read_things_lengths).becoming("duration");
const DATE: Slot = slot("date", spoken::read_date);
const REPEAT: Slot = slot("repeat", spoken::read_repeat);
const WHEN: Slot = slot("when", spoken::read_moment).becoming("date");
const WHEN_WITH_TIME: Slot = slot("when", spoken::read_moment_with_time).becoming("time");
/// The tools tell that a stretch of days is no moment.
const PERIOD: Slot = slot("period", spoken::read_period).becoming("date");
const PERIOD_AS_TIME: Slot = slot("period", spoken::read_period).becoming("time");
const UNTIL: Slot = slot("until", spoken::read_until);
/// Before the word for an alarm.
const DAYS: Slot = slot("days", spoken::read_days).becoming("repeat");
/// A room without a home that knows it.
const ROOM: Slot = slot("room", spoken::read_name).becoming("area");
/// When it is due, of what is listed or cancelled.
const WITHIN: Slot = slot("within", spoken::read_within);
const TEXT: Slot = slot("text", spoken::read_text);
const ANY_TEXT: Slot = slot("text", spoken::read_any_text);
/// What is to be done, at no moment that was said.
const TASK: Slot = slot("task", spoken::read_task).becoming("text");
/// A person other than who speaks.
const WHO: Slot = slot("who", whom::read_who).becoming("person");
const KIND: Slot = slot("kind", spoken::read_kind);
/// "Every event" is no order to remove all timers, alarms and reminders.
const KIND_OF_ALL: Slot = slot("kind", spoken::read_kind_of_all);
const KINDS: Slot = slot("kinds", spoken::read_kinds).becoming("kind");
const KINDS_OF_ALL: Slot = slot("kinds", spoken::read_kinds_of_all).becoming("kind");

/// What it was set to.
const LENGTH: Slot = slot("length", slots::span);

const MORE: Slot = slot("duration", slots::span).becoming("by");
/// More by its own words.
const FURTHER: Slot = slot("further", spoken::read_further).becoming("by");
/// A number alone counts minutes.
const MORE_MINUTES: Slot = slot("minutes", spoken::read_minutes).becoming("by");
const LESS: Slot = slot("duration", spoken::read_less).becoming("by");
const NEW_DURATION: Slot = slot("duration", slots::span).becoming("to");
const NEW_TIME: Slot = slot("time", slots::time).becoming("to");
const NEW_CLEAR_TIME: Slot = slot("time", spoken::read_clear_time).becoming("to");
/// One of those that were spoken of: the last, or the other.
const WHICH: Slot = slot("which", spoken::read_which).becoming("name");
const OLD_TIME: Slot = slot("from", slots::time).becoming("name");

const TIMERS: &[(&str, Unsaid)] = &[("kind", Unsaid::Words("timer"))];
const ALARMS: &[(&str, Unsaid)] = &[("kind", Unsaid::Words("alarm"))];
const DEEDS: &[(&str, Unsaid)] = &[("kind", Unsaid::Words("deed"))];
const ALL_DEEDS: &[(&str, Unsaid)] = &[("kind", Unsaid::Words("deed")), ("name", Unsaid::Words("all"))];
const REMINDERS: &[(&str, Unsaid)] = &[("kind", Unsaid::Words("reminder"))];
const LAST: &[(&str, Unsaid)] = &[("name", Unsaid::Words("last"))];
const ALL: &[(&str, Unsaid)] = &[("name", Unsaid::Words("all"))];
const ALL_TIMERS: &[(&str, Unsaid)] = &[("kind", Unsaid::Words("timer")), ("name", Unsaid::Words("all"))];
const NEXT: &[(&str, Unsaid)] = &[("name", Unsaid::Words("next"))];
const OVER: &[(&str, Unsaid)] = &[("over", Unsaid::Truth(true))];
const MISSED: &[(&str, Unsaid)] = &[("missed", Unsaid::Truth(true))];

const WHEN_HOME: &[(&str, Unsaid)] = &[("when_home", Unsaid::Truth(true))];
const ROUTINES: &[(&str, Unsaid)] = &[("kind", Unsaid::Words("routine"))];
const TRIGGERS: &[(&str, Unsaid)] = &[("kind", Unsaid::Words("trigger"))];
const ALL_TRIGGERS: &[(&str, Unsaid)] = &[("kind", Unsaid::Words("trigger")), ("name", Unsaid::Words("all"))];

const AT_WHAT_TIME: Ask = Ask {
    unless: &[
        "duration", "time", "date", "repeat", "hours", "minutes", "seconds",
    ],
    answer: "remind_when",
};
const FOR_HOW_LONG: Ask = Ask {
    unless: &["duration"],
    answer: "for_how_long",
};
const FOR_WHAT_TIME: Ask = Ask {
    unless: &["time"],
    answer: "for_what_time",
};
const REMIND_OF_WHAT: Ask = Ask {
    unless: &["text"],
    answer: "remind_of_what",
};
const REMIND_WHEN: Ask = Ask {
    unless: &["duration", "time", "date", "repeat"],
    answer: "remind_when",
};

/// What people say for its tools.
const INTENTS: &[Intent] = &[
    Intent::new("add_to_known", "change_alert")
        .slots(&[KNOWN_TIMER, MORE, FURTHER, MORE_MINUTES])
        .unsaid(TIMERS),
    Intent::new("set_timer", "set_timer")
        .slots(&[DURATION_TO_SET, NAME])
        .asking(&[FOR_HOW_LONG]),
    Intent::new("set_timers", "set_timer").slots(&[
        TWO_LENGTHS,
        THREE_LENGTHS,
        NAMED_LENGTHS,
        THINGS_LENGTHS,
    ]),
    Intent::new("set_alarm", "set_alarm")
        .slots(&[
            TIME_TO_SET,
            DATE,
            REPEAT,
            WHEN_WITH_TIME,
            PERIOD_AS_TIME,
            NAME,
            UNTIL,
            DAYS,
        ])
        .asking(&[FOR_WHAT_TIME]),
    Intent::new("set_reminder", "set_reminder")
        .slots(&[
            TEXT,
            TASK,
            DURATION,
            TIME_TO_SET,
            DATE,
            REPEAT,
            UNTIL,
            WHEN,
            PERIOD,
        ])
        .asking(&[REMIND_WHEN]),
    Intent::new("remind_somebody", "set_reminder")
        .slots(&[WHO, TEXT, DURATION, TIME_TO_SET, WHEN])
        .asking(&[REMIND_WHEN]),
    Intent::new("remind_at_home", "set_reminder")
        .slots(&[WHO, TEXT])
        .unsaid(WHEN_HOME),
    Intent::new("start_reminder", "set_reminder")
        .slots(&[DURATION, TIME_TO_SET, DATE, REPEAT, WHEN])
        .unsaid(&[("text", Unsaid::Words(""))])
        .asking(&[REMIND_OF_WHAT, REMIND_WHEN]),
    Intent::new(DEFERRED, DO_LATER).asking(&[AT_WHAT_TIME]),
    Intent::new(DEFERRED_ANEW, DO_LATER).slots(&[COMMAND, MOMENT, MOMENTS]),
    Intent::new(TRIGGERED, DO_WHEN),
    Intent::new(ROUTINE, SET_ROUTINE),
    Intent::new("list_routines", "list_alerts").unsaid(ROUTINES),
    Intent::new("cancel_routine", "cancel_alert")
        .slots(&[KNOWN])
        .unsaid(ROUTINES),
    Intent::new("list_triggers", "list_alerts").unsaid(TRIGGERS),
    Intent::new("cancel_triggers", "cancel_alert").unsaid(ALL_TRIGGERS),
    Intent::new("list_deeds", "list_alerts")
        .slots(&[WITHIN])
        .unsaid(DEEDS),
    Intent::new("cancel_deeds", "cancel_alert").unsaid(ALL_DEEDS),
    Intent::new("cancel_known_deed", "cancel_alert")
        .slots(&[KNOWN_DEED])
        .unsaid(DEEDS),
    Intent::new("for_how_long", "set_timer")
        .slots(&[DURATION_TO_SET, NAME])
        .answering(),
    Intent::new("for_what_time", "set_alarm")
        .slots(&[TIME_TO_SET, DATE, REPEAT, WHEN_WITH_TIME])
        .answering(),
    Intent::new("remind_of_what", "set_reminder")
        .slots(&[ANY_TEXT])
        .answering(),
    Intent::new("remind_when", "set_reminder")
        .slots(&[DURATION, TIME_TO_SET, DATE, REPEAT, WHEN])
        .answering(),
    Intent::new("list_timers", "list_alerts").unsaid(TIMERS),
    Intent::new("list_alarms", "list_alerts")
        .slots(&[NAME, WITHIN])
        .unsaid(ALARMS),
    Intent::new("list_reminders", "list_alerts")
        .slots(&[WITHIN])
        .unsaid(REMINDERS),
    Intent::new("cancel_timer", "cancel_alert")
        .slots(&[NAME, LENGTH])
        .unsaid(TIMERS),
    Intent::new("cancel_alarm", "cancel_alert")
        .slots(&[TIME, NAME, WITHIN])
        .unsaid(ALARMS),
    Intent::new("cancel_reminder", "cancel_alert")
        .slots(&[NAME, WITHIN])
        .unsaid(REMINDERS),
    Intent::new("cancel_known", "cancel_alert").slots(&[KNOWN]),
    Intent::new("cancel_reminded", "cancel_alert")
        .slots(&[REMINDED])
        .unsaid(REMINDERS),
    Intent::new("cancel_all", "cancel_alert")
        .slots(&[KIND_OF_ALL, KINDS_OF_ALL, WITHIN])
        .unsaid(ALL),
    Intent::new("cancel_in_room", "cancel_alert")
        .slots(&[ROOM])
        .unsaid(ALL_TIMERS),
    Intent::new("cancel_next", "cancel_alert")
        .slots(&[KIND])
        .unsaid(NEXT),
    Intent::new("list_all", "list_alerts").slots(&[KIND, KINDS, WITHIN]),
    Intent::new("list_any", "list_alerts").slots(&[WITHIN]),
    Intent::new("list_in_room", "list_alerts")
        .slots(&[ROOM])
        .unsaid(TIMERS),
    Intent::new("left_on_known", "list_alerts").slots(&[KNOWN]),
    Intent::new("alarm_at", "list_alerts")
        .slots(&[OLD_TIME])
        .unsaid(ALARMS),
    Intent::new("count", "list_alerts")
        .slots(&[KIND, WITHIN])
        .answered("count"),
    Intent::new("list_next", "list_alerts")
        .slots(&[KIND])
        .unsaid(NEXT),
    Intent::new("list_missed", "list_alerts")
        .slots(&[KIND])
        .unsaid(MISSED),
    Intent::new("pause_timer", "pause_timer").slots(&[NAME, LENGTH]),
    Intent::new("resume_timer", "resume_timer").slots(&[NAME, LENGTH]),
    Intent::new("pause_known", "pause_timer").slots(&[KNOWN_TIMER]),
    Intent::new("resume_known", "resume_timer").slots(&[KNOWN_TIMER]),
    Intent::new("left_on_timer", "list_alerts")
        .slots(&[NAME, LENGTH])
        .unsaid(TIMERS),
    Intent::new("add_to_timer", "change_alert")
        .slots(&[NAME, LENGTH, MORE, FURTHER])
        .unsaid(TIMERS),
    Intent::new("take_from_timer", "change_alert")
        .slots(&[NAME, LENGTH, LESS])
        .unsaid(TIMERS),
    Intent::new("take_from_known", "change_alert")
        .slots(&[KNOWN_TIMER, LESS])
        .unsaid(TIMERS),
    Intent::new("change_timer", "change_alert")
        .slots(&[NAME, NEW_DURATION])
        .unsaid(TIMERS),
    Intent::new("change_alarm", "change_alert")
        .slots(&[OLD_TIME, NAME, PART, NEW_TIME, DATE])
        .unsaid(ALARMS),
    Intent::new("delay_alarm", "change_alert")
        .slots(&[OLD_TIME, MORE])
        .unsaid(ALARMS),
    Intent::new("advance_alarm", "change_alert")
        .slots(&[OLD_TIME, LESS])
        .unsaid(ALARMS),
    Intent::new("delay_reminder", "change_alert")
        .slots(&[NAME, MORE])
        .unsaid(REMINDERS),
    Intent::new("advance_reminder", "change_alert")
        .slots(&[NAME, LESS])
        .unsaid(REMINDERS),
    Intent::new("change_reminder", "change_alert")
        .slots(&[NAME, PART, NEW_TIME, DATE])
        .unsaid(REMINDERS),
    Intent::new("change_last", "change_alert")
        .slots(&[NEW_DURATION, NEW_CLEAR_TIME])
        .unsaid(LAST)
        .meaning_last_or_own(),
    Intent::new("snooze", "snooze_alert").slots(&[DURATION]),
    Intent::new("add_to_it", "change_alert")
        .slots(&[MORE])
        .meaning_last(),
    Intent::new("take_from_it", "change_alert")
        .slots(&[LESS])
        .meaning_last(),
    Intent::new("left_on_it", "list_alerts").meaning_last(),
    Intent::new("left_on_one", "list_alerts")
        .slots(&[WHICH])
        .meaning_last(),
    Intent::new("left_on_other", "list_alerts")
        .slots(&[WHICH])
        .only_behind("list_alerts"),
    Intent::new("cancel_other", "cancel_alert")
        .slots(&[WHICH])
        .only_behind("cancel_alert"),
    Intent::new("cancel_it", "cancel_alert").meaning_last(),
    Intent::new("cancel_one", "cancel_alert")
        .slots(&[WHICH])
        .meaning_last(),
    Intent::new("pause_it", "pause_timer").meaning_last(),
    Intent::new("resume_it", "resume_timer").meaning_last(),
    Intent::new("restart_it", "restart_timer").meaning_last(),
    Intent::new("start_over", "restart_timer")
        .unsaid(OVER)
        .meaning_last(),
    Intent::new("resume_paused", "resume_timer").only_behind("pause_timer"),
];

/// The skill.
pub const SKILL: Skill = Skill {
    id: ID,
    folder: FOLDER,
    sentences: &include_dir!("$CARGO_MANIFEST_DIR/src/alerts/sentences"),
    intents: INTENTS,
    tools_of_rooms: &OF_ROOMS,
    chooses: |call, choices, spoken| {
        hours::answers(call, spoken.said, spoken)
            .unwrap_or_else(|| which::chooses(choices, spoken.said, spoken))
    },
    about: spoken::about,
    object: spoken::object,
    ..Skill::PLAIN
};

/// What the tools work with.
#[derive(Debug, Clone)]
struct AlertTools {
    alerts: Arc<Alerts>,
    locales: Arc<Locales>,
    neighbours: Neighbours,
    /// What sentences may name: nothing, as only arguments are read.
    things: Things,
}

impl AlertTools {
    /// For reading spans and times, without a home and without sentences that are kept.
    fn reading(alerts: &Arc<Alerts>, locales: &Arc<Locales>) -> Self {
        Self {
            alerts: Arc::clone(alerts),
            locales: Arc::clone(locales),
            neighbours: Neighbours::default(),
            things: Things::default(),
        }
    }

    /// The room in which a person speaks: that of the device, as far as the settings name it. A guest speaks elsewhere, and
    /// where that is is not known.
    fn room(&self, person: &Circumstances) -> Option<String> {
        let is_here = !matches!(person.speaker, Speaker::Guest(_));
        let rooms = self.neighbours.rooms.as_ref().filter(|_| is_here)?;
        rooms.own_room().map(str::to_owned)
    }

    /// The person's, for reading arguments.
    fn language<'a>(&'a self, person: &'a Circumstances) -> InLanguage<'a> {
        InLanguage {
            lang: person.lang.as_deref().unwrap_or("en"),
            locales: &self.locales,
            said: "",
            rooms: None,
            things: &self.things,
        }
    }
}

/// What the tools ask beside what is kept.
#[derive(Debug, Clone, Default)]
pub struct Neighbours {
    /// What knows the room of the device.
    pub rooms: Option<Arc<dyn Rooms>>,
    /// Tells what sentences would do; without it none can be kept for later.
    pub understands: Option<Arc<dyn Understands>>,
    /// Latitude and longitude of the device, where they are known.
    pub place: Option<(f64, f64)>,
    /// Who has been named in which conversation.
    pub people: Option<Arc<dyn People>>,
    /// Tells who is at home, where there is one.
    pub presence: Option<Arc<dyn Presence>>,
}

/// The toolbox.
pub fn toolbox(alerts: &Arc<Alerts>, neighbours: Neighbours, wording: &Wording) -> FunctionToolbox {
    let tools = AlertTools {
        neighbours,
        ..AlertTools::reading(alerts, &wording.locales)
    };
    FunctionToolbox::new(ID, tools::functions(&tools)).telling(FOLDER, wording)
}

/// What is said when it rings, or when it was missed, in the language of the person who set it.
pub fn announcement(turn: &Turn, locales: &Locales) -> Option<String> {
    // What a persona does of its own accord only the persona tells.
    if turn.alert().is_own_turn() {
        return None;
    }
    let (alert, was_missed) = match turn {
        Turn::Rings(alert) => (alert, false),
        Turn::Missed(alert) | Turn::Held(alert) => (alert, true),
        Turn::Begins(alert) if alert.reminds.is_some() => (alert, false),
        Turn::Begins(alert) if alert.name.as_deref() == Some("") => return told_event(alert, locales),
        Turn::Ends(_) | Turn::Begins(_) => return None,
    };
    let dialog = match (alert.kind, &alert.name, was_missed) {
        // What is only said does no harm when it is said twice.
        (Kind::Trigger, ..) if alert.reminds.is_some() => "ring_reminder",
        (Kind::Reminder, ..) if matches!(turn, Turn::Held(_)) => "held_reminder",
        (Kind::Timer, None, false) => "ring_timer",
        (Kind::Timer, Some(_), false) => "ring_timer_named",
        (Kind::Alarm, .., false) => "ring_alarm",
        (Kind::Reminder, .., false) => "ring_reminder",
        (Kind::Timer, .., true) => "missed_timer",
        (Kind::Alarm, .., true) => "missed_alarm",
        (Kind::Reminder, .., true) => "missed_reminder",
        (Kind::Deed | Kind::Trigger, ..) if alert.has_begun() => "unsure_deed",
        (Kind::Trigger | Kind::Routine, ..) => return None,
        (Kind::Deed, ..) => "missed_deed",
    };
    let person = alert.person.circumstances();
    spoken::telling(dialog, alert, &person, None).sentence(locales, FOLDER, &person)
}

/// That what was waited for is so.
fn told_event(alert: &Alert, locales: &Locales) -> Option<String> {
    let told = Telling::new("event_so").words("event", alert.on.as_ref()?.words.as_str());
    told.sentence(locales, FOLDER, &alert.person.circumstances())
}

/// How a person ends what rings; a reminder tells of itself what is to be done.
pub fn way_to_end(alert: &Alert, locales: &Locales) -> Option<String> {
    let rings_on = matches!(alert.kind, Kind::Timer | Kind::Alarm);
    let person = alert.person.circumstances();
    let told = rings_on.then(|| Telling::new("ring_end"))?;
    told.sentence(locales, FOLDER, &person)
}

/// One sentence of these dialogs, whatever dialog the call asked for.
fn sentence(telling: &Telling, tools: &AlertTools, person: &Circumstances) -> Option<String> {
    let person = Circumstances {
        dialog: None,
        ..person.clone()
    };
    telling.sentence(&tools.locales, FOLDER, &person)
}

/// What programs and brains are told of a deed that could not be kept; the person hears it as the end of the answer.
fn warning(unkept: Option<&Telling>, tools: &AlertTools, person: &Circumstances) -> Option<String> {
    sentence(unkept?, tools, person)
}
