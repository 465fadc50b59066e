//! The figures that answer a question, in the person's units, and the sentences that tell them.
//!
//! Knows no service.

use jiff::civil::DateTime;
use loquat_agent::toolbox::Circumstances;

use super::condition;
use super::forecast::{Day, Hour};
use super::service::Report;
use super::when::{Kind, Span};
use super::words::Words;
use loquat_kit::calendar::Calendar;
use loquat_kit::dialog::{Amount, Gap, Telling};
use loquat_kit::locale::Locales;

/// Below this a chance of rain is not worth a word, in percent.
const NOTEWORTHY_CHANCE: i32 = 30;

/// Beaufort 6, in km/h: umbrellas are hard to use.
const NOTEWORTHY_WIND: f64 = 39.0;

/// Between what is measured and what is felt, in kelvins.
const NOTEWORTHY_DIFFERENCE: f64 = 4.0;

const KILOMETERS_IN_A_MILE: f64 = 1.609_344;

/// What is known for a place and a time.
#[derive(Debug)]
pub(super) struct View {
    pub(super) place: String,
    /// Says whether the person named the place.
    pub(super) is_named: bool,
    pub(super) is_imperial: bool,
    pub(super) lang: String,
    pub(super) span: Span,
    pub(super) hours: Vec<Hour>,
    pub(super) report: Report,
    /// When the report was given, in the time of the place.
    pub(super) since: DateTime,
    pub(super) calendar: Calendar,
}

/// The weather of a span in a few figures.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Summary {
    pub(super) low: f64,
    pub(super) high: f64,
    pub(super) felt: Option<f64>,
    pub(super) chance: Option<f64>,
    pub(super) code: u8,
    pub(super) wind: Option<f64>,
}

impl View {
    pub(super) fn is_empty(&self) -> bool {
        self.hours.is_empty() && self.days().is_empty()
    }

    /// The days of several, or the one that is meant.
    pub(super) fn days(&self) -> Vec<Day> {
        let count = match self.span.kind {
            Kind::Days(count) => count,
            Kind::Day => 1,
            _ => return Vec::new(),
        };
        let days = self.report.forecast.days_from(self.span.from.date(), count);
        let within = days.into_iter().filter(|day| day.date < self.span.until.date());
        within.collect()
    }

    /// Of the hours, or of the whole day where one is meant.
    pub(super) fn summary(&self) -> Option<Summary> {
        match self.days().first() {
            Some(day) => Some(Summary::of_day(day)),
            None => Summary::of_hours(&self.hours),
        }
    }

    pub(super) fn words<'a>(&'a self, locales: &'a Locales) -> Words<'a> {
        Words {
            locales,
            lang: &self.lang,
            calendar: &self.calendar,
        }
    }

    /// When and where, as a sentence begins.
    pub(super) fn label(&self, locales: &Locales) -> String {
        self.words(locales).label(&self.span, self.named_place())
    }

    /// The place, where the person named it.
    pub(super) fn named_place(&self) -> Option<&str> {
        self.is_named.then_some(self.place.as_str())
    }

    /// In the person's units, in whole degrees.
    pub(super) fn degrees(&self, celsius: f64) -> i32 {
        whole(if self.is_imperial {
            celsius * 1.8 + 32.0
        } else {
            celsius
        })
    }

    pub(super) fn unit(&self) -> &'static str {
        if self.is_imperial { "fahrenheit" } else { "celsius" }
    }

    /// The figures of one time.
    pub(super) fn telling(&self, locales: &Locales, label: String, summary: &Summary) -> Telling {
        let [low, high] = [summary.low, summary.high].map(|celsius| self.degrees(celsius));
        let felt = summary
            .felt
            .filter(|felt| (felt - summary.low).abs() >= NOTEWORTHY_DIFFERENCE);
        let dialog = match (low == high, felt) {
            (true, Some(_)) => "weather_felt",
            (true, None) => "weather",
            (false, _) => "weather_between",
        };
        let telling = Telling::new(dialog)
            .words("label", label)
            .words(
                "condition",
                self.words(locales)
                    .listed("condition", condition::name(summary.code)),
            )
            .with("low", Gap::Number(f64::from(low)))
            .with("temperature", degrees(high));
        let felt = felt.map(|celsius| self.degrees(celsius));
        match felt {
            Some(felt) => telling.with("felt", degrees(felt)),
            None => telling,
        }
    }

    /// With what there is to say of rain and wind.
    pub(super) fn with_perils(&self, telling: Telling, summary: &Summary) -> Telling {
        let chance = summary
            .chance
            .map(whole)
            .filter(|chance| *chance >= NOTEWORTHY_CHANCE);
        // What falls at the moment is no matter of chance.
        let chance = chance.filter(|_| self.span.kind != Kind::Now);
        let telling = match chance {
            Some(chance) if condition::is_snow(summary.code) => {
                telling.then(chance_of("snow_chance", chance))
            }
            Some(chance) => telling.then(chance_of("rain_chance", chance)),
            None => telling,
        };
        match summary.wind.filter(|wind| *wind >= NOTEWORTHY_WIND) {
            Some(wind) => telling.then(self.wind("wind", wind)),
            None => telling,
        }
    }

    /// In the person's units.
    pub(super) fn noteworthy_wind(&self, summary: &Summary) -> Option<i32> {
        let wind = summary.wind.filter(|wind| *wind >= NOTEWORTHY_WIND)?;
        Some(self.speed(wind))
    }

    /// In the person's units.
    fn speed(&self, wind: f64) -> i32 {
        whole(if self.is_imperial {
            wind / KILOMETERS_IN_A_MILE
        } else {
            wind
        })
    }

    /// With how old the report is, where the service is silent; and with what the service calls the place.
    pub(super) fn with_age(&self, locales: &Locales, telling: Telling) -> Telling {
        let telling = telling.naming([&self.place]);
        if !self.report.is_old {
            return telling;
        }
        let moment = self.words(locales).moment(self.since);
        telling.then(Telling::new("old").words("moment", moment))
    }

    /// When the report was given, where that matters.
    pub(super) fn as_of(&self) -> Option<String> {
        self.report
            .is_old
            .then(|| self.since.strftime("%Y-%m-%dT%H:%M").to_string())
    }

    /// In the person's language, or in English where it has no words for it.
    pub(super) fn said(&self, locales: &Locales, telling: &Telling) -> String {
        said(&self.lang, locales, telling)
    }

    /// A speed of the wind, in the person's units.
    pub(super) fn wind(&self, dialog: &'static str, wind: f64) -> Telling {
        let unit = if self.is_imperial { "miles" } else { "kilometers" };
        let speed = Amount::of(f64::from(self.speed(wind)), "speed", unit);
        Telling::new(dialog).with("speed", Gap::Amounts(vec![speed]))
    }
}

/// In a language, or in English where that has no words for it.
pub(super) fn said(lang: &str, locales: &Locales, telling: &Telling) -> String {
    let said = [lang, "en"].into_iter().find_map(|lang| {
        let person = Circumstances {
            lang: Some(lang.to_owned()),
            ..Circumstances::default()
        };
        telling.sentence(locales, super::FOLDER, &person)
    });
    said.unwrap_or_default()
}

impl Summary {
    pub(super) fn of_day(day: &Day) -> Self {
        Self {
            low: day.low,
            high: day.high,
            felt: None,
            chance: day.chance,
            code: day.code,
            wind: day.wind,
        }
    }

    /// The codes grow with what they mean, so the worst is the greatest.
    pub(super) fn of_hours(hours: &[Hour]) -> Option<Self> {
        let temperatures = || hours.iter().map(|hour| hour.temperature);
        let felt = hours
            .first()
            .and_then(|hour| hour.felt)
            .filter(|_| hours.len() == 1);
        Some(Self {
            low: temperatures().reduce(f64::min)?,
            high: temperatures().reduce(f64::max)?,
            felt,
            chance: hours.iter().filter_map(|hour| hour.chance).reduce(f64::max),
            code: hours.iter().map(|hour| hour.code).max()?,
            wind: hours.iter().filter_map(|hour| hour.wind).reduce(f64::max),
        })
    }
}

/// A number with the word for degrees.
pub(super) fn degrees(number: i32) -> Gap {
    Gap::Amounts(vec![Amount::of(f64::from(number), "degree", "degree")])
}

fn chance_of(dialog: &'static str, chance: i32) -> Telling {
    Telling::new(dialog).with("chance", Gap::Number(f64::from(chance)))
}

/// Rounded; what no weather has is put to its bound.
pub(super) fn whole(number: f64) -> i32 {
    format!("{:.0}", number.clamp(-999.0, 999.0))
        .parse()
        .unwrap_or_default()
}
