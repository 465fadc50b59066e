//! `ovos-clock-tools`: date and time here and elsewhere, the days in between, and the moon.
//!
//! Reads the system's clock when a tool is called and never at another time; nothing is kept between calls.

use std::sync::Arc;

use include_dir::include_dir;

use loquat_kit::calendar::Now;
use loquat_kit::function::{Function, FunctionToolbox};
use loquat_kit::intent::{Intent, Slot, Unsaid};
use loquat_kit::wording::Wording;
use loquat_kit::{Skill, slots};

mod moon;
mod occasions;
#[cfg(test)]
mod tests;
mod tools;

/// The toolbox's id.
pub const ID: &str = "ovos-clock-tools";

/// The folder of its sentences.
pub(crate) const FOLDER: &str = "clock";

const NOW: &str = "get_current_datetime";
const DAYS: &str = "days_until";
const DIFFERENCE: &str = "time_difference";
const WEEKEND: &str = "weekend";
const LEAP_YEAR: &str = "leap_year";
const MOON: &str = "tell_moon";

const PLACE: Slot = Slot {
    name: "place",
    argument: "timezone",
    read: slots::place,
};
const DATE: Slot = Slot {
    name: "date",
    argument: "date",
    read: tools::read_date,
};
const YEAR: Slot = Slot {
    name: "year",
    argument: "year",
    read: occasions::read_year,
};
const AFTER: Slot = Slot {
    name: "duration",
    argument: "after",
    read: slots::span,
};
const CONVERSION: &[Slot] = &[
    Slot {
        name: "time",
        argument: "time",
        read: slots::hour,
    },
    Slot {
        name: "from",
        argument: "from",
        read: slots::place,
    },
    Slot {
        name: "to",
        argument: "to",
        read: slots::place,
    },
];
const COMPARISON: &[Slot] = &[
    Slot {
        argument: "place",
        ..PLACE
    },
    Slot {
        name: "other",
        argument: "other",
        read: slots::place,
    },
];

/// What people say for its tools.
const INTENTS: &[Intent] = &[
    Intent::new("time", NOW).answered("time").widened_by("time_in"),
    Intent::new("time_in", NOW).slots(&[PLACE]).answered("time_in"),
    Intent::new("date", NOW).answered("date").widened_by("date_of"),
    Intent::new("weekday", NOW)
        .answered("weekday")
        .widened_by("date_of"),
    Intent::new("week", NOW).answered("week").widened_by("week_of"),
    Intent::new("week_of", DAYS).slots(&[DATE]).answered("week_of"),
    Intent::new("month", NOW).answered("month"),
    Intent::new("year", NOW).answered("year"),
    Intent::new("time_later", NOW)
        .slots(&[AFTER, PLACE])
        .answered("time_later"),
    Intent::new("date_of", DAYS).slots(&[DATE]).answered("date_of"),
    Intent::new("weekend", WEEKEND),
    Intent::new("last_weekend", WEEKEND).unsaid(&[("is_last", Unsaid::Truth(true))]),
    Intent::new("leap_year", LEAP_YEAR).widened_by("leap_year_of"),
    Intent::new("leap_year_of", LEAP_YEAR).slots(&[YEAR]),
    Intent::new("moon", MOON),
    Intent::new("full_moon", MOON).unsaid(&[("phase", Unsaid::Words("full"))]),
    Intent::new("new_moon", MOON).unsaid(&[("phase", Unsaid::Words("new"))]),
    Intent::new("days_until", DAYS).slots(&[DATE]),
    Intent::new("convert_time", "convert_time").slots(CONVERSION),
    Intent::new("time_difference", DIFFERENCE).slots(COMPARISON),
];

/// The skill.
pub const SKILL: Skill = Skill {
    id: ID,
    folder: FOLDER,
    sentences: &include_dir!("$CARGO_MANIFEST_DIR/src/clock/sentences"),
    intents: INTENTS,
    ..Skill::PLAIN
};

/// The toolbox, which reads this clock. Zone, language and units are the person's and come with each call.
pub fn toolbox(now: Now, wording: &Wording) -> FunctionToolbox {
    let [here, there, apart] = std::array::from_fn(|_| Arc::clone(&now));
    let [weekend, leap, moon] = std::array::from_fn(|_| Arc::clone(&now));
    let functions = vec![
        Function::new(
            NOW,
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
            DIFFERENCE,
            "Tell how many hours the clocks of one place are ahead of those of another.",
            move |arguments, person| tools::time_difference(arguments, person, apart()),
        )
        .with(|tool| {
            tool.value = Some("hours".to_owned());
            tool.retold = named(&["hours"]);
            tool.unseen = true;
        }),
        Function::new(
            DAYS,
            "Tell the date and weekday of a day, and how many days away it is.",
            move |arguments, person| tools::days_until(arguments, person, now()),
        )
        .with(|tool| {
            tool.value = Some("days".to_owned());
            tool.retold = named(&["date", "weekday"]);
        }),
        Function::new(
            WEEKEND,
            "Tell the days of the next or the last weekend.",
            move |arguments, person| occasions::weekend(arguments, person, weekend()),
        )
        .with(|tool| tool.unseen = true),
        Function::new(
            LEAP_YEAR,
            "Tell when the next leap year is, or whether a year is one.",
            move |arguments, person| occasions::leap_year(arguments, person, leap()),
        )
        .with(|tool| tool.unseen = true),
        Function::new(
            MOON,
            "Tell how the moon looks, and when it is full or new next.",
            move |arguments, person| moon::tell_moon(arguments, person, moon()),
        )
        .with(|tool| tool.unseen = true),
    ];
    FunctionToolbox::new(ID, functions).telling(FOLDER, wording)
}

fn named(members: &[&str]) -> Vec<String> {
    members.iter().map(|member| (*member).to_owned()).collect()
}
