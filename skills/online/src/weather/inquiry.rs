//! A question about the weather, from its words to the figures that answer it.
//!
//! Complains of a wrong argument before it asks the service. Says nothing yet.

use std::sync::Arc;

use jiff::civil::DateTime;
use jiff::tz::{Offset, TimeZone};
use jiff::{Timestamp, ToSpan};
use loquat_agent::toolbox::{Circumstances, ToolError};

use super::forecast::Hour;
use super::service::{Forecaster, Report, Spot};
use super::view::View;
use super::when::{Kind, Reader, Span};
use super::words::Words;
use crate::net::Fault;
use loquat_kit::calendar::Calendar;
use loquat_kit::calendar::{self, Now};
use loquat_kit::locale::Locales;

/// What questions are answered with. Clones share it.
#[derive(Clone)]
pub(super) struct Asking {
    pub(super) service: Arc<Forecaster>,
    pub(super) locales: Arc<Locales>,
    pub(super) now: Now,
}

/// Place and time, as the person said them.
#[derive(Debug)]
pub(super) struct Question {
    pub(super) place: Option<String>,
    pub(super) when: Option<String>,
    /// What is meant where no time is said.
    pub(super) usual: Usual,
}

/// What a question without a time is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Usual {
    Now,
    RestOfToday,
}

/// Where and when a question is about.
pub(super) struct Scene {
    pub(super) spot: Spot,
    /// Says whether the person named the place.
    is_named: bool,
    /// It is seen from now, by the clock of the place.
    pub(super) calendar: Calendar,
    pub(super) span: Span,
    pub(super) lang: String,
}

impl Scene {
    pub(super) fn words<'a>(&'a self, locales: &'a Locales) -> Words<'a> {
        Words {
            locales,
            lang: &self.lang,
            calendar: &self.calendar,
        }
    }

    /// The place, where the person named it.
    pub(super) fn named_place(&self) -> Option<&str> {
        self.is_named.then_some(self.spot.name.as_str())
    }
}

impl Asking {
    /// The weather at the place and in the time of a question.
    pub(super) async fn answer(&self, question: Question, person: &Circumstances) -> Result<View, ToolError> {
        let now = (self.now)();
        let Scene {
            spot,
            is_named,
            calendar,
            span,
            lang,
        } = self.scene(&question, person).await?;
        let report = self.service.forecast(&spot, now).await.map_err(unanswered)?;
        let view = View {
            hours: hours(&report, &span),
            since: at(&report, report.since),
            place: spot.name,
            is_named,
            is_imperial: person.units.as_deref() == Some("imperial"),
            report,
            span,
            calendar,
            lang,
        };
        if view.is_empty() {
            let complaint = format!(
                "when: there is no forecast for {}; ask for a day of the next two weeks",
                span.from.date()
            );
            return Err(ToolError::reply("ValueError", complaint));
        }
        Ok(view)
    }

    /// The place and the time of a question.
    pub(super) async fn scene(
        &self,
        question: &Question,
        person: &Circumstances,
    ) -> Result<Scene, ToolError> {
        let now = (self.now)();
        let lang = person.lang.clone().unwrap_or_else(|| "en".to_owned());
        self.span(question, &lang, &Calendar::of(person, now))?;
        let place = question.place.as_deref().filter(|place| !is_here(place));
        let spot = match place {
            Some(place) => self.place(place, &lang, now).await?,
            None => self.home()?,
        };
        let calendar = Calendar::of(&there(person, spot.time_zone.as_deref()), now);
        let span = self.span(question, &lang, &calendar)?;
        Ok(Scene {
            spot,
            is_named: place.is_some(),
            calendar,
            span,
            lang,
        })
    }

    fn home(&self) -> Result<Spot, ToolError> {
        let complaint = "place: say for which place; the person can set one with: loquat setup";
        self.service
            .home()
            .ok_or_else(|| ToolError::reply("PlaceError", complaint))
    }

    async fn place(&self, place: &str, lang: &str, now: Timestamp) -> Result<Spot, ToolError> {
        let lang = lang.split(['-', '_']).next().unwrap_or_default().to_lowercase();
        let name: String = place
            .chars()
            .filter(|letter| !letter.is_control())
            .take(100)
            .collect();
        let found = self
            .service
            .find(name.trim(), &lang, now)
            .await
            .map_err(unanswered)?;
        let complaint = || format!("place: the weather service Open-Meteo knows no '{name}'; name a town");
        found.ok_or_else(|| ToolError::reply("LookupError", complaint()))
    }

    fn span(&self, question: &Question, lang: &str, calendar: &Calendar) -> Result<Span, ToolError> {
        let reader = Reader::new(&self.locales, lang, calendar);
        let said = question
            .when
            .as_deref()
            .map(str::trim)
            .filter(|when| !when.is_empty());
        let span = match (said, question.usual) {
            (Some(said), _) => reader.read(said),
            (None, Usual::Now) => reader.present(),
            (None, Usual::RestOfToday) => reader.rest_of_today(),
        };
        let said: String = said.unwrap_or_default().chars().take(60).collect();
        let complaint = |fault: &str| ToolError::reply("ValueError", format!("when: {fault}"));
        let unread = format!("cannot read '{said}'; write it as tomorrow, friday, at 5 pm or 2026-12-25");
        let span = span.ok_or_else(|| complaint(&unread))?;
        if span.until <= reader.now() {
            return Err(complaint(&format!(
                "'{said}' is past; ask for a time that lies ahead"
            )));
        }
        Ok(span)
    }
}

fn unanswered(fault: Fault) -> ToolError {
    fault.of("the weather service Open-Meteo")
}

fn is_here(place: &str) -> bool {
    place.trim().is_empty() || calendar::is_here(place)
}

/// The hours of a span. The present moment is the hour that it lies in.
fn hours(report: &Report, span: &Span) -> Vec<Hour> {
    let mut hours = report.forecast.hours_in(span.from, span.until);
    // What was measured is better than what was expected, unless it was measured long ago.
    let measured = report
        .forecast
        .current
        .filter(|_| span.kind == Kind::Now && !report.is_old);
    if let Some(measured) = measured {
        let chance = hours.first().and_then(|hour| hour.chance);
        hours = vec![Hour { chance, ..measured }];
    }
    hours
}

/// A moment in the time of the place.
fn at(report: &Report, moment: Timestamp) -> DateTime {
    let offset = Offset::from_seconds(report.forecast.offset_seconds).unwrap_or(Offset::UTC);
    // A report is told with the minute.
    let minutes = moment.to_zoned(TimeZone::fixed(offset)).datetime();
    minutes
        .checked_sub(i64::from(minutes.second()).seconds())
        .unwrap_or(minutes)
}

/// The person, as if at a place with this zone.
fn there(person: &Circumstances, time_zone: Option<&str>) -> Circumstances {
    let mut there = person.clone();
    if let Some(time_zone) = time_zone {
        there.time_zone = Some(time_zone.to_owned());
    }
    there
}
