//! `ovos-clock-tools`: date and time here and elsewhere, and the days in between.
//!
//! Reads the system's clock when a tool is called and never at another time; nothing is kept between calls.

use std::sync::Arc;

use jiff::Timestamp;

use crate::function::{Function, FunctionToolbox};
use crate::intent::{Intent, Slot};
use crate::locale::Locales;

pub(crate) mod calendar;
mod date;
mod locale;
mod place;
#[cfg(test)]
mod tests;
mod time_of_day;
mod tools;
mod words;
mod zone;

/// The toolbox's id.
pub const ID: &str = "ovos-clock-tools";

/// Tells the time; tests stop it.
pub(crate) type Now = Arc<dyn Fn() -> Timestamp + Send + Sync>;

/// The folder of its sentences.
pub(crate) const FOLDER: &str = "clock";

const PLACE: Slot = Slot {
    name: "place",
    argument: "timezone",
    read: tools::read_place,
};
const DATE: Slot = Slot {
    name: "date",
    argument: "date",
    read: tools::read_date,
};
const DAY: Slot = Slot { name: "day", ..DATE };
const CONVERSION: &[Slot] = &[
    Slot {
        name: "time",
        argument: "time",
        read: tools::read_time,
    },
    Slot {
        name: "from",
        argument: "from",
        read: tools::read_place,
    },
    Slot {
        name: "to",
        argument: "to",
        read: tools::read_place,
    },
];

/// What people say for its tools.
pub(crate) const INTENTS: &[Intent] = &[
    asking("time", "get_current_datetime", &[], Some("time")),
    asking("time_in", "get_current_datetime", &[PLACE], Some("time_in")),
    asking("date", "get_current_datetime", &[], Some("date")),
    asking("weekday", "get_current_datetime", &[], Some("weekday")),
    asking("date_of", "days_until", &[DAY], Some("date_of")),
    asking("when", "days_until", &[DATE], Some("date_of")),
    asking("days_until", "days_until", &[DATE], None),
    asking("convert_time", "convert_time", CONVERSION, None),
];

/// What its tools say.
pub(crate) const DIALOGS: &[&str] = &[
    "time",
    "time_in",
    "date",
    "weekday",
    "date_of",
    "get_current_datetime",
    "get_current_datetime_there",
    "days_until",
    "days_until_one",
    "days_until_today",
    "days_until_past",
    "days_until_yesterday",
    "convert_time",
    "convert_time_here",
    "convert_time_before",
    "convert_time_after",
];

const fn asking(
    name: &'static str,
    tool: &'static str,
    slots: &'static [Slot],
    dialog: Option<&'static str>,
) -> Intent {
    Intent {
        name,
        tool,
        slots,
        unsaid: &[],
        dialog,
        composed: None,
    }
}

/// The toolbox on the system's clock.
pub fn toolbox(locales: &Arc<Locales>) -> FunctionToolbox {
    on(Arc::new(Timestamp::now)).telling(FOLDER, locales)
}

fn on(now: Now) -> FunctionToolbox {
    let [here, there] = [Arc::clone(&now), Arc::clone(&now)];
    let functions = vec![
        Function::new(
            "get_current_datetime",
            "Current date and time, here or in another place.",
            move |arguments, person| tools::get_current_datetime(arguments, person, here()),
        )
        .with(|tool| tool.retold = named(&["iso", "date", "time", "weekday"])),
        Function::new(
            "convert_time",
            "Tell what a time of day in one place is in another.",
            move |arguments, person| tools::convert_time(arguments, person, there()),
        )
        .with(|tool| {
            tool.value = Some("spoken".to_owned());
            tool.retold = named(&["time"]);
        }),
        Function::new(
            "days_until",
            "Tell the date and weekday of a day, and how many days away it is.",
            move |arguments, person| tools::days_until(arguments, person, now()),
        )
        .with(|tool| {
            tool.value = Some("days".to_owned());
            tool.retold = named(&["date", "weekday"]);
        }),
    ];
    FunctionToolbox::new(ID, functions)
}

fn named(members: &[&str]) -> Vec<String> {
    members.iter().map(|member| (*member).to_owned()).collect()
}
