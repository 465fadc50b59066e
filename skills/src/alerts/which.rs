//! Which timer, alarm or reminder is meant: by its kind, its name, its span, or the time at which it is due.
//!
//! Never decides between several that could be meant.

use loquat_agent::toolbox::{Circumstances, ToolError};

use super::alert::{Alert, Kind};
use super::listing::item;
use super::{AlertTools, span, spoken};
use crate::clock::calendar::Calendar;
use crate::dialog::Telling;

/// What was said of it; what was not said fits all.
#[derive(Debug, Default)]
pub(super) struct Which {
    pub(super) kind: Option<Kind>,
    pub(super) name: Option<String>,
    pub(super) time: Option<String>,
}

impl Which {
    /// By the arguments of a tool.
    pub(super) fn of(
        kind: Option<&str>,
        name: Option<String>,
        time: Option<String>,
    ) -> Result<Self, ToolError> {
        let said = |argument: Option<String>| argument.filter(|text| !text.trim().is_empty());
        Ok(Self {
            kind: kind_of(kind)?,
            name: said(name),
            time: said(time),
        })
    }

    fn is_named(&self, name: &str) -> bool {
        self.name.as_deref().is_some_and(|own| crate::folded(own) == name)
    }

    /// Whether all are meant.
    pub(super) fn is_all(&self) -> bool {
        self.is_named("all")
    }

    /// Whether a single one is.
    pub(super) fn names_one(&self) -> bool {
        self.name.is_some() && !self.is_all()
    }

    /// Those that may be meant, the next one first.
    pub(super) async fn find(&self, tools: &AlertTools, person: &Circumstances) -> Vec<Alert> {
        let all = tools.alerts.all().await.into_iter();
        let of_kind = all.filter(|alert| self.kind.is_none_or(|kind| alert.kind == kind));
        if self.is_all() {
            return of_kind.collect();
        }
        if self.is_named("last") {
            return of_kind.max_by_key(|alert| alert.id).into_iter().collect();
        }
        of_kind.filter(|alert| self.fits(alert, tools, person)).collect()
    }

    fn fits(&self, alert: &Alert, tools: &AlertTools, person: &Circumstances) -> bool {
        let name = self.name.as_deref();
        let time = self.time.as_deref();
        name.is_none_or(|name| is_called(alert, name, tools, person))
            && time.is_none_or(|time| is_at(alert, time, tools, person))
    }

    /// What is said where there is none.
    pub(super) fn none(&self) -> Telling {
        Telling::new(match self.kind {
            Some(Kind::Timer) => "cancel_no_timer",
            Some(Kind::Alarm) => "cancel_no_alarm",
            Some(Kind::Reminder) => "cancel_no_reminder",
            None => "list_none",
        })
    }
}

fn is_called(alert: &Alert, name: &str, tools: &AlertTools, person: &Circumstances) -> bool {
    let wanted = crate::folded(name);
    let named = alert.name.as_deref().map(crate::folded);
    let lasts =
        || alert.span_seconds.is_some() && span::seconds(name, &tools.language(person)) == alert.span_seconds;
    named.is_some_and(|named| named.contains(&wanted))
        || lasts()
        || alert.kind != Kind::Timer && is_at(alert, name, tools, person)
}

fn is_at(alert: &Alert, time: &str, tools: &AlertTools, person: &Circumstances) -> bool {
    let calendar = Calendar::of(person, tools.alerts.now().wall);
    let due = alert.due.to_zoned(spoken::zone(person)).time();
    calendar.hour(time).is_some_and(|hour| {
        let later = hour.time.wrapping_add(jiff::SignedDuration::from_hours(12));
        due == hour.time || hour.may_be_later && due == later
    })
}

/// Asks which of several is meant; they are told one by one.
pub(super) fn unclear(meant: &[Alert], tools: &AlertTools, person: &Circumstances) -> (Vec<String>, Telling) {
    let which: Vec<String> = meant
        .iter()
        .filter_map(|alert| item(alert, tools, person))
        .collect();
    let told = Telling::new("cancel_which").words("list", which.join("; "));
    (which, told)
}

/// The kind that an argument names, also in the plural.
pub(super) fn kind_of(kind: Option<&str>) -> Result<Option<Kind>, ToolError> {
    let name = kind.map(|kind| kind.trim().to_lowercase());
    match name.as_deref().map(|name| name.trim_end_matches('s')) {
        None | Some("" | "none" | "null" | "all" | "alert") => Ok(None),
        Some("timer") => Ok(Some(Kind::Timer)),
        Some("alarm") => Ok(Some(Kind::Alarm)),
        Some("reminder") => Ok(Some(Kind::Reminder)),
        Some(_) => Err(super::setting::complaint(
            "kind: write timer, alarm or reminder, or leave it out",
        )),
    }
}
