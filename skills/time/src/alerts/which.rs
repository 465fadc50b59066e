//! Which timer, alarm, reminder or deed is meant: by its kind, its name, the span that it was set to, its room, or the time
//! at which or in which it is due.
//!
//! Never decides between several that could be meant.

mod chosen;

use jiff::tz::TimeZone;
use loquat_agent::toolbox::{Circumstances, ToolError};

use super::alert::{Alert, Kind};
use super::due::read_span;
use super::length::are_equal;
use super::listing::{MOST_TOLD, are_foreign_to};
use super::setting::{checked, complaint, said, short};
use super::told::Told;
use super::within::Within;
use super::{AlertTools, names, spoken, whom};
use chosen::Chosen;
pub(crate) use chosen::chooses;
use loquat_kit::Hour;
use loquat_kit::calendar::Calendar;
use loquat_kit::dialog::Telling;
use loquat_kit::slots;

/// This name is said of two that are all of their kind.
const BOTH: &str = "both";

/// What was said of it; what was not said fits all.
#[derive(Debug, Default)]
pub(super) struct Which {
    pub(super) kind: Option<Kind>,
    pub(super) name: Option<String>,
    pub(super) time: Option<String>,
    /// The span that it was set to, in seconds.
    length: Option<f64>,
    /// The room in which it was set.
    area: Option<String>,
    /// The time in which it is due.
    within: Option<Within>,
    /// Its id, which a person who sees them all has chosen.
    id: Option<u64>,
    /// What was answered to the question which one is meant.
    chosen: Option<Chosen>,
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
            // Each is compared with every alert, which has to stay cheap.
            name: checked("name", said(name))?,
            time: checked("time", said(time))?,
            ..Self::default()
        })
    }

    /// With the span that it was set to and the room in which it was set, where these were said, and with a name that is one.
    pub(super) fn narrowed(
        self,
        tools: &AlertTools,
        length: Option<String>,
        area: Option<String>,
        person: &Circumstances,
    ) -> Result<Self, ToolError> {
        let language = tools.language(person);
        let length = said(length).map(|length| read_span("length", &length, &language));
        let area = checked("area", said(area))?;
        // "The timer" is any timer, and where no kind was said nothing else is known of it.
        let name = match (self.name, self.kind) {
            (Some(name), None) => Some(names::plain(&name, &language).unwrap_or(name)),
            (name, _) => name.and_then(|name| names::plain(&name, &language)),
        };
        Ok(Self {
            name,
            length: length.transpose()?,
            area: area.map(|area| names::plain(&area, &language).unwrap_or(area)),
            ..self
        })
    }

    /// The one of this id, where that is known: nothing else has to be said of it then.
    pub(super) fn only(self, id: Option<u64>) -> Self {
        Self { id, ..self }
    }

    /// With what was answered to the question which one is meant.
    pub(super) fn chosen(self, choice: &str, tools: &AlertTools, person: &Circumstances) -> Self {
        let chosen = Chosen::read(choice, &tools.language(person));
        Self { chosen, ..self }
    }

    /// With the time in which it is due, where that was said.
    pub(super) fn due_within(
        self,
        within: Option<String>,
        tools: &AlertTools,
        person: &Circumstances,
    ) -> Result<Self, ToolError> {
        let Some(within) = said(within) else {
            return Ok(self);
        };
        let calendar = Calendar::of(person, tools.alerts.now().wall);
        let read = Within::read(&within, &tools.language(person), &calendar).ok_or_else(|| {
            complaint(&format!(
                "within: cannot read '{}'; write it as \"tomorrow\" or \"between 4 and 5 pm\"",
                short(&within)
            ))
        })?;
        Ok(Self {
            within: Some(read),
            ..self
        })
    }

    /// The time in which it is due.
    pub(super) fn within(&self) -> Option<&Within> {
        self.within.as_ref()
    }

    /// Whether just this was said for its name.
    pub(super) fn is_named(&self, name: &str) -> bool {
        self.name
            .as_deref()
            .is_some_and(|own| loquat_kit::folded(own) == name)
    }

    /// Whether all are meant.
    pub(super) fn is_all(&self) -> bool {
        self.is_named("all") || self.chosen.as_ref().is_some_and(Chosen::is_all)
    }

    /// Whether it is clear that just these are meant: the only one, all of them, or both of two. Who says "both" of one or of three
    /// thinks of others.
    pub(super) fn is_clear(&self, found: &[Alert]) -> bool {
        if self.is_named(BOTH) && self.chosen.is_none() {
            return matches!(found.len(), 0 | 2);
        }
        found.len() < 2 || self.is_all()
    }

    /// Whether the one is meant that is due first, whichever that is.
    pub(super) fn is_next(&self) -> bool {
        self.is_named("next")
    }

    /// Whether a single one is.
    pub(super) fn names_one(&self) -> bool {
        let is_said = self.name.is_some() || self.length.is_some() || self.area.is_some();
        (is_said || self.chosen.is_some()) && !self.is_all()
    }

    /// Those that are meant and that the person may know of, the next one first.
    pub(super) async fn find(&self, tools: &AlertTools, person: &Circumstances) -> Vec<Alert> {
        let found = self.possible(tools, person).await;
        self.choose(found, tools, person)
    }

    /// Of these the one that was answered to the question which is meant; all of them where nothing was asked.
    pub(super) fn choose(&self, found: Vec<Alert>, tools: &AlertTools, person: &Circumstances) -> Vec<Alert> {
        match &self.chosen {
            Some(chosen) => chosen.among(found, tools, person),
            None => found,
        }
    }

    /// Those that may be meant, whatever was answered.
    pub(super) async fn possible(&self, tools: &AlertTools, person: &Circumstances) -> Vec<Alert> {
        let all = tools.alerts.all().await.into_iter();
        let all = all.filter(|alert| self.id.is_none_or(|id| alert.id == id));
        let all = all.filter(|alert| whom::knows(tools, alert, person));
        let of_kind = all.filter(|alert| self.kind.is_none_or(|kind| alert.kind == kind));
        let in_time = of_kind.filter_map(|alert| self.due_in_time(alert, tools, person));
        let mut found = self.called(in_time.collect(), tools, person);
        if let Some(length) = self.length {
            found = of_length(found, length);
        }
        if let Some(area) = &self.area {
            found = of_room(found, area);
        }
        found
    }

    /// The alert as it is due in the time that was said; nothing where it is not.
    fn due_in_time(&self, alert: Alert, tools: &AlertTools, person: &Circumstances) -> Option<Alert> {
        let Some(within) = &self.within else {
            return Some(alert);
        };
        let due = within.due(&alert, tools.alerts.now().wall, &spoken::zone(person))?;
        Some(Alert { due, ..alert })
    }

    /// Those that are called so and due then.
    fn called(&self, of_kind: Vec<Alert>, tools: &AlertTools, person: &Circumstances) -> Vec<Alert> {
        if self.is_named("all") || self.is_named(BOTH) {
            return of_kind;
        }
        if self.is_named("last") {
            let last = of_kind.into_iter().max_by_key(|alert| alert.id);
            return last.into_iter().collect();
        }
        if self.is_named("next") {
            return of_kind.into_iter().take(1).collect();
        }
        if self.is_named("first") {
            return first_of(of_kind);
        }
        // Where one alone is left, it is the other one; of several the person is asked which.
        if self.is_named("other") {
            return of_kind;
        }
        if self.name.as_deref() == Some(spoken::GONE) {
            return Vec::new();
        }
        if self.name.as_deref() == Some(spoken::BACK) {
            let back = tools.alerts.back();
            return of_kind
                .into_iter()
                .filter(|alert| back == Some(alert.id))
                .collect();
        }
        let zone = spoken::zone(person);
        let time = self.time.as_deref().map(|time| hour(time, tools, person));
        let is_at = |alert: &Alert| time.is_none_or(|time| is_at(alert, time, &zone));
        let found = of_kind.into_iter().filter(is_at).collect();
        match &self.name {
            Some(name) => Named::read(name, tools, person).among(found, &zone),
            None => found,
        }
    }

    /// The kind that was asked about, where this is an answer: that something else is set does not make it "nothing".
    fn asked_kind(&self, tools: &AlertTools, person: &Circumstances) -> Option<Kind> {
        let told = tools.alerts.told_to(&person.session_id);
        self.chosen.as_ref().and(told.first()).map(|told| told.kind)
    }

    /// What is said where there is none, or none that the person may know of.
    pub(super) async fn none(&self, tools: &AlertTools, person: &Circumstances) -> Telling {
        let told = Telling::new(match self.kind.or_else(|| self.asked_kind(tools, person)) {
            Some(Kind::Timer) => "cancel_no_timer",
            Some(Kind::Alarm) => "cancel_no_alarm",
            Some(Kind::Reminder) => "cancel_no_reminder",
            Some(Kind::Deed | Kind::Trigger) => "cancel_no_deed",
            Some(Kind::Routine) => "list_no_routines",
            None => "list_none",
        });
        self.told_here(told, tools, person).await
    }

    /// A sentence that tells of nothing, with a second one where there is something that is not for this person.
    pub(super) async fn told_here(
        &self,
        told: Telling,
        tools: &AlertTools,
        person: &Circumstances,
    ) -> Telling {
        let all = tools.alerts.all().await;
        let mut of_kind = all
            .iter()
            .filter(|alert| self.kind.is_none_or(|kind| alert.kind == kind));
        if of_kind.any(|alert| !whom::knows(tools, alert, person)) {
            told.then(Telling::new("only_here"))
        } else {
            told
        }
    }
}

/// The one that was set first where it is due first as well; otherwise all of them, as the person has to tell which is meant.
fn first_of(of_kind: Vec<Alert>) -> Vec<Alert> {
    let set = of_kind.iter().map(|alert| alert.id).min();
    let due = of_kind.first().map(|alert| alert.id);
    if set == due {
        return of_kind.into_iter().take(1).collect();
    }
    of_kind
}

/// What an alert may be called, read once for all of them.
#[derive(Debug)]
struct Named {
    name: String,
    span: Option<f64>,
    hour: Option<Hour>,
    /// The first and the last hour of the part of the day that it names.
    part: Option<[i8; 2]>,
}

impl Named {
    fn read(name: &str, tools: &AlertTools, person: &Circumstances) -> Self {
        Self {
            span: slots::seconds(name, tools.language(person).lang),
            hour: hour(name, tools, person),
            part: part_of_day(name, tools, person),
            name: loquat_kit::folded(name),
        }
    }

    /// Those of this name; where there are none, those that were set to this span.
    fn among(&self, found: Vec<Alert>, zone: &TimeZone) -> Vec<Alert> {
        let called: Vec<Alert> = found
            .iter()
            .filter(|alert| self.is_of(alert, zone))
            .cloned()
            .collect();
        match self.span {
            Some(span) if called.is_empty() => of_length(found, span),
            _ => called,
        }
    }

    /// By its name, and where it is none that runs by the time at which it is due.
    fn is_of(&self, alert: &Alert, zone: &TimeZone) -> bool {
        let named = alert.name.as_deref().map(loquat_kit::folded);
        let is_due = || is_at(alert, self.hour, zone) || is_in(alert, self.part, zone);
        named.is_some_and(|named| named.contains(&self.name))
            || matches!(alert.kind, Kind::Alarm | Kind::Reminder) && is_due()
    }
}

/// Those that were set to this span; where there are none, those that run for it since time was added or taken away.
fn of_length(found: Vec<Alert>, seconds: f64) -> Vec<Alert> {
    let is_it = |span: Option<f64>| span.is_some_and(|span| are_equal(span, seconds));
    let (set, others): (Vec<Alert>, Vec<Alert>) = found.into_iter().partition(|alert| is_it(alert.set_to()));
    if set.is_empty() {
        others
            .into_iter()
            .filter(|alert| is_it(alert.span_seconds))
            .collect()
    } else {
        set
    }
}

/// Those that were set in this room; where there are none, those in whose names it stands.
fn of_room(found: Vec<Alert>, area: &str) -> Vec<Alert> {
    let area = loquat_kit::folded(area);
    let is_it = |words: Option<&str>| words.is_some_and(|words| loquat_kit::folded(words) == area);
    let is_named_after = |name: &str| {
        let name = loquat_kit::folded(name);
        let words: Vec<&str> = name.split_whitespace().collect();
        let room: Vec<&str> = area.split_whitespace().collect();
        words.windows(room.len().max(1)).any(|part| part == room)
    };
    let (there, others): (Vec<Alert>, Vec<Alert>) =
        found.into_iter().partition(|alert| is_it(alert.room.as_deref()));
    if there.is_empty() {
        others
            .into_iter()
            .filter(|alert| alert.name.as_deref().is_some_and(is_named_after))
            .collect()
    } else {
        there
    }
}

fn hour(time: &str, tools: &AlertTools, person: &Circumstances) -> Option<Hour> {
    Calendar::of(person, tools.alerts.now().wall).hour(time)
}

/// The first and the last hour of a part of the day, by its name as it stands behind a day.
fn part_of_day(name: &str, tools: &AlertTools, person: &Circumstances) -> Option<[i8; 2]> {
    let calendar = Calendar::of(person, tools.alerts.now().wall);
    let day = calendar.told_weekday(calendar.now().date());
    let when = calendar.moment(&format!("{day} {name}")).ok()?;
    when.part.filter(|_| !when.has_clock).map(|part| part.hours)
}

/// Whether it is due in this part of the day, which may end behind midnight.
fn is_in(alert: &Alert, part: Option<[i8; 2]>, zone: &TimeZone) -> bool {
    let hour = alert.due.to_zoned(zone.clone()).hour();
    part.is_some_and(|[first, last]| {
        if first <= last {
            (first..=last).contains(&hour)
        } else {
            hour >= first || hour <= last
        }
    })
}

/// Whether it is due at this hour.
fn is_at(alert: &Alert, hour: Option<Hour>, zone: &TimeZone) -> bool {
    let due = alert.due.to_zoned(zone.clone()).time();
    hour.is_some_and(|hour| {
        let later = hour.time.wrapping_add(jiff::SignedDuration::from_hours(12));
        due == hour.time || hour.may_be_later && due == later
    })
}

/// Asks which of several is meant; the next ones are told one by one, and the answer is read among these.
pub(super) fn unclear(meant: &[Alert], tools: &AlertTools, person: &Circumstances) -> (Vec<String>, Telling) {
    let named = meant.iter().take(MOST_TOLD);
    let named: Vec<Told> = named.filter_map(|alert| Told::of(alert, tools, person)).collect();
    let which: Vec<String> = named.iter().map(|told| told.text.clone()).collect();
    tools.alerts.note_told(&person.session_id, named);
    let told = Telling::new("cancel_which").words("list", which.join("; "));
    (which, told.of_strangers(are_foreign_to(person, meant)))
}

/// The kind that an argument names, also in the plural.
pub(super) fn kind_of(kind: Option<&str>) -> Result<Option<Kind>, ToolError> {
    let name = kind.map(|kind| kind.trim().to_lowercase());
    match name.as_deref().map(|name| name.trim_end_matches('s')) {
        None | Some("" | "none" | "null" | "all" | "alert") => Ok(None),
        Some("timer") => Ok(Some(Kind::Timer)),
        Some("alarm") => Ok(Some(Kind::Alarm)),
        Some("reminder") => Ok(Some(Kind::Reminder)),
        Some("deed") => Ok(Some(Kind::Deed)),
        Some("trigger") => Ok(Some(Kind::Trigger)),
        Some("routine") => Ok(Some(Kind::Routine)),
        Some(_) => Err(complaint("kind: write timer, alarm or reminder, or leave it out")),
    }
}

#[cfg(test)]
mod tests;
