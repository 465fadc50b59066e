//! `loquat-alert-tools`: timers, alarms and reminders.
//!
//! They are set, listed and cancelled here and kept in the records; the daemon rings, by what [`Alerts`] tells it.

use std::sync::Arc;

use include_dir::include_dir;
use loquat_agent::toolbox::Circumstances;

use crate::dialog::Telling;
use crate::function::{Function, FunctionToolbox};
use crate::intent::{Ask, InLanguage, Intent, Slot, Unsaid};
use crate::locale::Locales;
use crate::resources::Resources;
use crate::skill::Skill;

mod alert;
mod book;
mod cancelling;
mod changing;
mod due;
mod listing;
mod now;
mod repeat;
mod setting;
mod snoozing;
mod span;
pub(crate) mod spoken;
#[cfg(test)]
mod tests;
mod undo;
mod which;

pub(crate) use span::seconds as span_seconds;

pub use alert::{Alert, Kind, Person};
pub use book::{Alerts, Turn};
pub(crate) use due::moment_of;

/// The toolbox's id.
pub const ID: &str = "loquat-alert-tools";

/// The folder of its sentences.
const FOLDER: &str = "alerts";

/// The tool that takes calls of others back.
const RESTORE: &str = "restore_alerts";

const DURATION: Slot = slot("duration", spoken::read_span);
const NAME: Slot = slot("name", spoken::read_name);
const TIME: Slot = slot("time", spoken::read_time);
const DATE: Slot = slot("date", spoken::read_date);
const REPEAT: Slot = slot("repeat", spoken::read_repeat);
const WHEN: Slot = slot("when", spoken::read_moment).becoming("date");
const WHEN_WITH_TIME: Slot = slot("when", spoken::read_moment_with_time).becoming("time");
const TEXT: Slot = slot("text", spoken::read_text);

const MORE: Slot = slot("duration", spoken::read_span).becoming("by");
const LESS: Slot = slot("duration", spoken::read_less).becoming("by");
const NEW_DURATION: Slot = slot("duration", spoken::read_span).becoming("to");
const NEW_TIME: Slot = slot("time", spoken::read_time).becoming("to");
const NEW_CLEAR_TIME: Slot = slot("time", spoken::read_clear_time).becoming("to");
const OLD_TIME: Slot = slot("from", spoken::read_time).becoming("name");

const TIMERS: &[(&str, Unsaid)] = &[("kind", Unsaid::Words("timer"))];
const ALARMS: &[(&str, Unsaid)] = &[("kind", Unsaid::Words("alarm"))];
const REMINDERS: &[(&str, Unsaid)] = &[("kind", Unsaid::Words("reminder"))];
const LAST: &[(&str, Unsaid)] = &[("name", Unsaid::Words("last"))];
const ALL_TIMERS: &[(&str, Unsaid)] = &[("kind", Unsaid::Words("timer")), ("name", Unsaid::Words("all"))];
const ALL_ALARMS: &[(&str, Unsaid)] = &[("kind", Unsaid::Words("alarm")), ("name", Unsaid::Words("all"))];
const ALL_REMINDERS: &[(&str, Unsaid)] = &[
    ("kind", Unsaid::Words("reminder")),
    ("name", Unsaid::Words("all")),
];

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
    Intent::new("set_timer", "set_timer")
        .slots(&[DURATION, NAME])
        .asking(&[FOR_HOW_LONG]),
    Intent::new("set_alarm", "set_alarm")
        .slots(&[TIME, DATE, REPEAT, WHEN_WITH_TIME])
        .asking(&[FOR_WHAT_TIME]),
    Intent::new("set_reminder", "set_reminder")
        .slots(&[TEXT, DURATION, TIME, DATE, REPEAT, WHEN])
        .asking(&[REMIND_WHEN]),
    Intent::new("start_reminder", "set_reminder")
        .slots(&[DURATION, TIME, DATE, REPEAT, WHEN])
        .unsaid(&[("text", Unsaid::Words(""))])
        .asking(&[REMIND_OF_WHAT, REMIND_WHEN]),
    Intent::new("for_how_long", "set_timer")
        .slots(&[DURATION, NAME])
        .answering(),
    Intent::new("for_what_time", "set_alarm")
        .slots(&[TIME, DATE, REPEAT, WHEN_WITH_TIME])
        .answering(),
    Intent::new("remind_of_what", "set_reminder")
        .slots(&[TEXT])
        .answering(),
    Intent::new("remind_when", "set_reminder")
        .slots(&[DURATION, TIME, DATE, REPEAT, WHEN])
        .answering(),
    Intent::new("list_timers", "list_alerts").unsaid(TIMERS),
    Intent::new("list_alarms", "list_alerts").unsaid(ALARMS),
    Intent::new("list_reminders", "list_alerts").unsaid(REMINDERS),
    Intent::new("cancel_timer", "cancel_alert")
        .slots(&[NAME])
        .unsaid(TIMERS),
    Intent::new("cancel_alarm", "cancel_alert")
        .slots(&[TIME])
        .unsaid(ALARMS),
    Intent::new("cancel_reminder", "cancel_alert")
        .slots(&[NAME])
        .unsaid(REMINDERS),
    Intent::new("cancel_timers", "cancel_alert").unsaid(ALL_TIMERS),
    Intent::new("cancel_alarms", "cancel_alert").unsaid(ALL_ALARMS),
    Intent::new("cancel_reminders", "cancel_alert").unsaid(ALL_REMINDERS),
    Intent::new("left_on_timer", "list_alerts")
        .slots(&[NAME])
        .unsaid(TIMERS),
    Intent::new("add_to_timer", "change_alert")
        .slots(&[NAME, MORE])
        .unsaid(TIMERS),
    Intent::new("take_from_timer", "change_alert")
        .slots(&[NAME, LESS])
        .unsaid(TIMERS),
    Intent::new("change_timer", "change_alert")
        .slots(&[NAME, NEW_DURATION])
        .unsaid(TIMERS),
    Intent::new("change_alarm", "change_alert")
        .slots(&[OLD_TIME, NEW_TIME, DATE])
        .unsaid(ALARMS),
    Intent::new("delay_alarm", "change_alert")
        .slots(&[OLD_TIME, MORE])
        .unsaid(ALARMS),
    Intent::new("advance_alarm", "change_alert")
        .slots(&[OLD_TIME, LESS])
        .unsaid(ALARMS),
    Intent::new("change_reminder", "change_alert")
        .slots(&[NAME, NEW_TIME, DATE])
        .unsaid(REMINDERS),
    Intent::new("change_last", "change_alert")
        .slots(&[NEW_DURATION, NEW_CLEAR_TIME])
        .unsaid(LAST),
    Intent::new("snooze", "snooze_alert").slots(&[DURATION]),
];

const fn slot(name: &'static str, read: crate::intent::Reader) -> Slot {
    Slot {
        name,
        argument: name,
        read,
    }
}

/// The skill.
pub(crate) const SKILL: Skill = Skill {
    id: ID,
    folder: FOLDER,
    sentences: include_dir!("$CARGO_MANIFEST_DIR/src/alerts/sentences"),
    intents: INTENTS,
    settings: &[],
    make: |_, resources| Ok(Arc::new(toolbox(resources))),
};

/// What the tools work with.
#[derive(Debug, Clone)]
struct AlertTools {
    alerts: Arc<Alerts>,
    locales: Arc<Locales>,
}

impl AlertTools {
    /// The person's, for reading arguments.
    fn language<'a>(&'a self, person: &'a Circumstances) -> InLanguage<'a> {
        InLanguage {
            lang: person.lang.as_deref().unwrap_or("en"),
            locales: &self.locales,
            said: "",
            home: None,
        }
    }
}

fn toolbox(resources: &Resources) -> FunctionToolbox {
    let tools = AlertTools {
        alerts: Arc::clone(&resources.alerts),
        locales: Arc::clone(&resources.locales),
    };
    FunctionToolbox::new(ID, functions(&tools)).telling(FOLDER, &resources.locales)
}

fn functions(shared: &AlertTools) -> Vec<Function> {
    let shared: [AlertTools; 8] = std::array::from_fn(|_| shared.clone());
    let [timer, alarm, reminder, list, cancel, change, snooze, restore] = shared;
    vec![
        Function::waiting(
            "set_timer",
            "Start a timer that rings after a while.",
            move |arguments, person| Box::pin(setting::set_timer(timer.clone(), arguments, person)),
        )
        .changing()
        .undone_by(RESTORE),
        Function::waiting(
            "set_alarm",
            "Set an alarm for a time of day, or wake the person.",
            move |arguments, person| Box::pin(setting::set_alarm(alarm.clone(), arguments, person)),
        )
        .changing()
        .undone_by(RESTORE),
        Function::waiting(
            "set_reminder",
            "Remind the person of something later.",
            move |arguments, person| Box::pin(setting::set_reminder(reminder.clone(), arguments, person)),
        )
        .changing()
        .undone_by(RESTORE),
        Function::waiting(
            "list_alerts",
            "Tell which timers, alarms and reminders are set, and how long they run.",
            move |arguments, person| Box::pin(listing::list(list.clone(), arguments, person)),
        )
        .with(|tool| tool.idempotent = false),
        Function::waiting(
            "cancel_alert",
            "Cancel a timer, an alarm or a reminder.",
            move |arguments, person| Box::pin(cancelling::cancel(cancel.clone(), arguments, person)),
        )
        .changing()
        .undone_by(RESTORE),
        Function::waiting(
            "change_alert",
            "Change when a timer, an alarm or a reminder is due.",
            move |arguments, person| Box::pin(changing::change(change.clone(), arguments, person)),
        )
        .changing()
        .undone_by(RESTORE),
        Function::waiting(
            "snooze_alert",
            "Have what rings ring again later.",
            move |arguments, person| Box::pin(snoozing::snooze(snooze.clone(), arguments, person)),
        )
        .changing(),
        Function::waiting(
            RESTORE,
            "Make timers, alarms and reminders what they were.",
            move |arguments, person| Box::pin(undo::restore(restore.clone(), arguments, person)),
        )
        .only_undoing(),
    ]
}

/// What is said when it rings, or when it was missed, in the language of the person who set it.
pub fn announcement(turn: &Turn, locales: &Locales) -> Option<String> {
    let (alert, was_missed) = match turn {
        Turn::Rings(alert) => (alert, false),
        Turn::Missed(alert) | Turn::Held(alert) => (alert, true),
        Turn::Ends(_) => return None,
    };
    let dialog = match (alert.kind, &alert.name, was_missed) {
        (Kind::Reminder, ..) if matches!(turn, Turn::Held(_)) => "held_reminder",
        (Kind::Timer, None, false) => "ring_timer",
        (Kind::Timer, Some(_), false) => "ring_timer_named",
        (Kind::Alarm, .., false) => "ring_alarm",
        (Kind::Reminder, .., false) => "ring_reminder",
        (Kind::Timer, .., true) => "missed_timer",
        (Kind::Alarm, .., true) => "missed_alarm",
        (Kind::Reminder, .., true) => "missed_reminder",
    };
    let person = alert.person.circumstances();
    spoken::telling(dialog, alert, &person).sentence(locales, FOLDER, &person)
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
