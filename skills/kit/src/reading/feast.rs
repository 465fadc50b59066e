//! Days of the year that have a name: Christmas, Easter, Good Friday.
//!
//! Knows no names; these are in the language files.

use jiff::ToSpan;
use jiff::civil::Date;

/// A day of each year that has a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Feast {
    /// The month and the day.
    On(i8, i8),
    /// So many days behind Easter Sunday of the western churches.
    ByEaster(i64),
}

impl Feast {
    /// Its day in this year; nothing where the year has none.
    pub(crate) fn in_year(self, year: i16) -> Option<Date> {
        match self {
            Self::On(month, day) => Date::new(year, month, day).ok(),
            Self::ByEaster(days) => easter(year)?.checked_add(days.days()).ok(),
        }
    }
}

/// Easter Sunday of the western churches, by the rule of Meeus, Jones and Butcher.
fn easter(year: i16) -> Option<Date> {
    let year = i32::from(year);
    let (golden, century, rest) = (year % 19, year / 100, year % 100);
    let moon_corrected = (century - (century + 8) / 25 + 1) / 3;
    let epact = (19 * golden + century - century / 4 - moon_corrected + 15) % 30;
    let weekday = (32 + 2 * (century % 4) + 2 * (rest / 4) - epact - rest % 4) % 7;
    let shift = (golden + 11 * epact + 22 * weekday) / 451;
    let day = epact + weekday - 7 * shift + 114;
    let month = i8::try_from(day / 31).ok()?;
    Date::new(i16::try_from(year).ok()?, month, i8::try_from(day % 31 + 1).ok()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn easter_is_where_the_churches_have_it() {
        for known in [
            "1943-04-25",
            "1961-04-02",
            "1981-04-19",
            "2000-04-23",
            "2008-03-23",
            "2019-04-21",
            "2024-03-31",
            "2025-04-20",
            "2026-04-05",
            "2027-03-28",
            "2038-04-25",
            "2285-03-22",
        ] {
            let date: Date = known.parse().unwrap();
            assert_eq!(easter(date.year()), Some(date));
        }
        assert_eq!(Feast::ByEaster(-2).in_year(2027), "2027-03-26".parse().ok());
        assert_eq!(Feast::On(2, 29).in_year(2027), None);
    }
}
