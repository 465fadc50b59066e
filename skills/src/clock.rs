//! `ovos-clock-tools`: date and time here and elsewhere, and the days in between.
//!
//! Reads the system's clock when a tool is called and never at another time; nothing is kept between calls.

use std::sync::Arc;

use jiff::Timestamp;

use crate::function::{Function, FunctionToolbox};

mod date;
mod locale;
mod place;
#[cfg(test)]
mod tests;
mod time_of_day;
mod tools;
mod zone;

/// The toolbox's id.
pub const ID: &str = "ovos-clock-tools";

/// Tells the time; tests stop it.
type Now = Arc<dyn Fn() -> Timestamp + Send + Sync>;

/// The toolbox on the system's clock.
pub fn toolbox() -> FunctionToolbox {
    on(Arc::new(Timestamp::now))
}

fn on(now: Now) -> FunctionToolbox {
    let [here, there] = [Arc::clone(&now), Arc::clone(&now)];
    let functions = vec![
        Function::new(
            "get_current_datetime",
            "Current date and time, here or in another place.",
            move |arguments, person| tools::get_current_datetime(arguments, person, here()),
        ),
        Function::new(
            "convert_time",
            "Tell what a time of day in one place is in another.",
            move |arguments, person| tools::convert_time(arguments, person, there()),
        ),
        Function::new(
            "days_until",
            "Tell the date and weekday of a day, and how many days away it is.",
            move |arguments, person| tools::days_until(arguments, person, now()),
        ),
    ];
    FunctionToolbox::new(ID, functions)
}
