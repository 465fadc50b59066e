//! A forecast as the service gives it, put in order: the weather now, by the hour and by the day.
//!
//! Metric throughout; what is missing or no number is left out, and what the service says in words is not read.

use jiff::civil::{Date, DateTime};
use serde::Deserialize;
use serde_json::Value;

/// The weather to come at one place, in the time of that place.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Forecast {
    pub(super) current: Option<Hour>,
    pub(super) hours: Vec<Hour>,
    pub(super) days: Vec<Day>,
    /// The clock of the place is so far from UTC.
    pub(super) offset_seconds: i32,
}

/// An hour, or the present moment.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Hour {
    pub(super) time: DateTime,
    /// It is in °C.
    pub(super) temperature: f64,
    /// It feels like this, in °C.
    pub(super) felt: Option<f64>,
    /// Rain or snow falls with this probability, in percent.
    pub(super) chance: Option<f64>,
    /// The World Meteorological Organization has given it this code.
    pub(super) code: u8,
    /// It is in km/h.
    pub(super) wind: Option<f64>,
    /// It is that of the air, in percent.
    pub(super) humidity: Option<f64>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Day {
    pub(super) date: Date,
    pub(super) low: f64,
    pub(super) high: f64,
    pub(super) chance: Option<f64>,
    pub(super) code: u8,
    pub(super) wind: Option<f64>,
    /// It is the highest index of ultraviolet light.
    pub(super) ultraviolet: Option<f64>,
}

/// What is asked for, by the service's names.
pub(super) const CURRENT: &str =
    "temperature_2m,apparent_temperature,weather_code,wind_speed_10m,relative_humidity_2m";
pub(super) const HOURLY: &str = "temperature_2m,apparent_temperature,precipitation_probability,weather_code,\
                                 wind_speed_10m,relative_humidity_2m";
pub(super) const DAILY: &str = "temperature_2m_max,temperature_2m_min,precipitation_probability_max,weather_code,\
                                wind_speed_10m_max,uv_index_max";

#[derive(Deserialize)]
struct Answer {
    utc_offset_seconds: i32,
    #[serde(default)]
    current: Option<Now>,
    hourly: Hourly,
    daily: Daily,
}

#[derive(Deserialize)]
struct Now {
    time: String,
    temperature_2m: Option<f64>,
    apparent_temperature: Option<f64>,
    weather_code: Option<u8>,
    wind_speed_10m: Option<f64>,
    relative_humidity_2m: Option<f64>,
}

/// A column may be missing where a server of one's own has no such figures.
type Column<T> = Vec<Option<T>>;

#[derive(Deserialize)]
struct Hourly {
    time: Vec<String>,
    temperature_2m: Column<f64>,
    #[serde(default)]
    apparent_temperature: Column<f64>,
    #[serde(default)]
    precipitation_probability: Column<f64>,
    weather_code: Column<u8>,
    #[serde(default)]
    wind_speed_10m: Column<f64>,
    #[serde(default)]
    relative_humidity_2m: Column<f64>,
}

#[derive(Deserialize)]
struct Daily {
    time: Vec<String>,
    temperature_2m_max: Column<f64>,
    temperature_2m_min: Column<f64>,
    #[serde(default)]
    precipitation_probability_max: Column<f64>,
    weather_code: Column<u8>,
    #[serde(default)]
    wind_speed_10m_max: Column<f64>,
    #[serde(default)]
    uv_index_max: Column<f64>,
}

impl Forecast {
    /// `None` for what is no forecast, or one of nothing.
    pub(super) fn read(answer: Value) -> Option<Self> {
        let answer: Answer = serde_json::from_value(answer).ok()?;
        let hours: Vec<Hour> = (0..answer.hourly.time.len())
            .filter_map(|index| answer.hourly.hour(index))
            .collect();
        let days: Vec<Day> = (0..answer.daily.time.len())
            .filter_map(|index| answer.daily.day(index))
            .collect();
        let is_one = !hours.is_empty() && !days.is_empty();
        is_one.then_some(Self {
            current: answer.current.and_then(Now::hour),
            hours,
            days,
            offset_seconds: answer.utc_offset_seconds,
        })
    }

    /// The hours that begin in this span, without its end.
    pub(super) fn hours_in(&self, from: DateTime, until: DateTime) -> Vec<Hour> {
        let within = self
            .hours
            .iter()
            .filter(|hour| (from..until).contains(&hour.time));
        within.copied().collect()
    }

    /// The days from one on, at most so many.
    pub(super) fn days_from(&self, first: Date, count: usize) -> Vec<Day> {
        let later = self.days.iter().filter(|day| day.date >= first);
        later.take(count).copied().collect()
    }
}

impl Now {
    fn hour(self) -> Option<Hour> {
        Some(Hour {
            time: self.time.parse().ok()?,
            temperature: self.temperature_2m?,
            felt: self.apparent_temperature,
            chance: None,
            code: self.weather_code?,
            wind: self.wind_speed_10m,
            humidity: self.relative_humidity_2m,
        })
    }
}

impl Hourly {
    fn hour(&self, index: usize) -> Option<Hour> {
        Some(Hour {
            time: self.time.get(index)?.parse().ok()?,
            temperature: at(&self.temperature_2m, index)?,
            felt: at(&self.apparent_temperature, index),
            chance: at(&self.precipitation_probability, index),
            code: at(&self.weather_code, index)?,
            wind: at(&self.wind_speed_10m, index),
            humidity: at(&self.relative_humidity_2m, index),
        })
    }
}

impl Daily {
    fn day(&self, index: usize) -> Option<Day> {
        Some(Day {
            date: self.time.get(index)?.parse().ok()?,
            low: at(&self.temperature_2m_min, index)?,
            high: at(&self.temperature_2m_max, index)?,
            chance: at(&self.precipitation_probability_max, index),
            code: at(&self.weather_code, index)?,
            wind: at(&self.wind_speed_10m_max, index),
            ultraviolet: at(&self.uv_index_max, index),
        })
    }
}

fn at<T: Copy>(column: &Column<T>, index: usize) -> Option<T> {
    column.get(index).copied().flatten()
}
