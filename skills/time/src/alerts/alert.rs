//! One timer, alarm, reminder or deed: what it says, for whom, and when it is due.
//!
//! A timer is due after a span of the kernel's clock, so that setting the device's clock moves none; an alarm is due when
//! the clock on the wall says so. A timer that is paused is never due. Nothing here rings.

use jiff::civil::{Date, Time};
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};
use loquat_agent::Speaker;
use loquat_agent::origin::Origin;
use loquat_agent::toolbox::Circumstances;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::deed::Deed;
use super::event::Event;
use super::moment;
use super::now::{Now, seconds_between};
use super::sun::Sun;

/// Days that are looked through for the next one of a repetition.
const WEEK: i64 = 8;

/// What it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Rings after a span.
    Timer,
    /// Rings at a time of day.
    Alarm,
    /// Says something.
    Reminder,
    /// Has a sentence done that a person said before.
    Deed,
    /// Has one done when something is so.
    Trigger,
    /// Has several done when a word is said.
    Routine,
}

impl Kind {
    /// Whether it has a sentence done, and does not ring.
    pub(super) fn is_done(self) -> bool {
        matches!(self, Self::Deed | Self::Trigger)
    }

    /// As files and frames call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Timer => "timer",
            Self::Alarm => "alarm",
            Self::Reminder => "reminder",
            Self::Deed => "deed",
            Self::Trigger => "trigger",
            Self::Routine => "routine",
        }
    }
}

/// The person who set it, as far as telling them goes.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Person {
    /// The conversation.
    pub session_id: String,
    /// Who spoke there.
    #[serde(default = "before_it_was_known")]
    speaker: Speaker,
    /// BCP-47.
    pub lang: Option<String>,
    time_zone: Option<String>,
    time_format: Option<String>,
    date_format: Option<String>,
    /// The keys of a frame that bring it to them.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub route: Map<String, Value>,
}

impl Person {
    pub(super) fn of(person: &Circumstances) -> Self {
        Self {
            session_id: person.session_id.clone(),
            speaker: person.speaker.clone(),
            lang: person.lang.clone(),
            time_zone: person.time_zone.clone(),
            time_format: person.time_format.clone(),
            date_format: person.date_format.clone(),
            route: person.route.clone(),
        }
    }

    /// Whether what this person has set is for these ears and hands: the owner's are all, a guest's what came in by the same
    /// door, and a program's what any program has set: those on the bus of the device do not keep things from each other.
    pub(super) fn is_known_to(&self, other: &Circumstances) -> bool {
        match (&other.speaker, &self.speaker) {
            (Speaker::Owner, _) => true,
            (Speaker::Guest(guest), Speaker::Guest(own)) => guest.by == own.by,
            (Speaker::Program, Speaker::Program) => true,
            _ => false,
        }
    }

    /// Whether it is the owner.
    pub(super) fn is_owner(&self) -> bool {
        self.speaker.is_owner()
    }

    /// For whom tools are asked.
    pub fn circumstances(&self) -> Circumstances {
        Circumstances {
            session_id: self.session_id.clone(),
            lang: self.lang.clone(),
            time_zone: self.time_zone.clone(),
            time_format: self.time_format.clone(),
            date_format: self.date_format.clone(),
            ..Circumstances::default()
        }
    }
}

/// What was kept before it was written down who spoke is the owner's: strangers do not get to know it.
fn before_it_was_known() -> Speaker {
    Speaker::Owner
}

/// On which weekdays it is due again, and when.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Repetition {
    /// Monday is 1.
    pub(super) days: Vec<i8>,
    pub(super) time: Time,
    /// The last day on which it may be due.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) until: Option<Date>,
    /// The moment of each day, where it goes by the sun.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) sun: Option<Sun>,
}

impl Repetition {
    /// The next time that is later than this moment, where the person is.
    pub(super) fn next(&self, after: Timestamp, zone: &TimeZone) -> Option<Timestamp> {
        let today = after.to_zoned(zone.clone()).date();
        (0..WEEK).find_map(|days| {
            let date = today.checked_add(days.days()).ok()?;
            let due = moment::of_day(self, date, zone)?;
            (self.falls_on(date) && due > after).then_some(due)
        })
    }

    fn falls_on(&self, date: Date) -> bool {
        let is_in_time = self.until.is_none_or(|last| date <= last);
        is_in_time && self.days.contains(&date.weekday().to_monday_one_offset())
    }
}

/// The moment of a date and a time of day.
pub(super) fn at(date: Date, time: Time, zone: &TimeZone) -> Option<Timestamp> {
    let moment = date.to_datetime(time).to_zoned(zone.clone()).ok()?;
    Some(moment.timestamp())
}

/// A timer, an alarm, a reminder or a deed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Alert {
    /// Unique for ever.
    pub id: u64,
    /// What it is.
    pub kind: Kind,
    /// What the person calls it, what a reminder says, or the sentence of a deed.
    pub name: Option<String>,
    /// Who set it.
    pub person: Person,
    /// Whose words its name is. Of what was kept before this was written down it is not known, and that soon rings.
    #[serde(default)]
    pub(super) by: Origin,
    /// When it is due by the clock on the wall.
    pub due: Timestamp,
    /// When it is due by the kernel's clock, where that counts.
    pub(super) due_after_span: Option<Now>,
    /// The whole span, in seconds, of what was set by one.
    pub(super) span_seconds: Option<f64>,
    /// The span that it was set to, in seconds; it stays when time is added or taken away. Of what was kept before this was
    /// written down it is the whole span.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) set_seconds: Option<f64>,
    /// The room in which it was set, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) room: Option<String>,
    /// What is left of it, in seconds, for as long as it is paused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) paused: Option<f64>,
    pub(super) repetition: Option<Repetition>,
    /// Since when it has been ringing, or when a deed was begun.
    pub(super) ringing: Option<Now>,
    /// What is known of a deed. Those of earlier versions have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deed: Option<Deed>,
    /// The sentences of a routine.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<String>,
    /// What a trigger waits for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub on: Option<Event>,
    /// Who is reminded, where that is not simply who set it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub whom: Option<String>,
    /// What a trigger says then, where it has nothing done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) reminds: Option<String>,
}

impl Alert {
    /// Whether it rings.
    pub fn is_ringing(&self) -> bool {
        self.ringing.is_some() && !self.kind.is_done()
    }

    /// Whether it is a deed that was begun. Where it is still kept, the process that began it has died.
    pub(super) fn has_begun(&self) -> bool {
        self.ringing.is_some() && self.kind.is_done()
    }

    /// Whether it stands still.
    pub fn is_paused(&self) -> bool {
        self.paused.is_some()
    }

    /// Whether it is a timer that counts down now.
    pub(super) fn is_running(&self, now: &Now) -> bool {
        let counts = self.kind == Kind::Timer && !self.is_paused() && self.ringing.is_none();
        counts && self.overdue(now) < 0.0
    }

    /// What is left of it, in seconds.
    pub(super) fn left(&self, now: &Now) -> f64 {
        (-self.overdue(now)).max(0.0)
    }

    /// The span that it was set to, in seconds.
    pub fn set_to(&self) -> Option<f64> {
        self.set_seconds.or(self.span_seconds)
    }

    /// Whether the owner has set it, in words of their own: what a deed says then is the owner's word.
    pub fn is_of_owner(&self) -> bool {
        self.person.speaker.is_owner() && self.by.is_own()
    }

    /// Whether a persona does it of its own accord.
    pub fn is_own_turn(&self) -> bool {
        self.deed.as_ref().is_some_and(|deed| deed.plan.is_some())
    }

    /// Whether its words may be those of another than the person who set it.
    pub fn may_be_of_strangers(&self) -> bool {
        self.by == Origin::Elsewhere
    }

    /// Whether its name may be words of a stranger to who is told it.
    pub(super) fn is_foreign_to(&self, person: &Circumstances) -> bool {
        self.name.is_some() && self.by.is_foreign_to(person)
    }

    /// Whether it is due again when it has rung.
    pub fn is_repeated(&self) -> bool {
        self.repetition.is_some()
    }

    /// The weekdays on which it is due again, Monday being 1; none where it is not repeated.
    pub fn weekdays(&self) -> &[i8] {
        self.repetition
            .as_ref()
            .map_or(&[], |repetition| &repetition.days)
    }

    /// For how many seconds it has been due; negative as long as it is not.
    pub(super) fn overdue(&self, now: &Now) -> f64 {
        match (self.paused, &self.due_after_span) {
            (Some(left), _) => -left,
            (None, Some(due)) => now.seconds_since(due),
            (None, None) => seconds_between(self.due, now.wall),
        }
    }

    /// What is left of it when it has rung or was missed: the next one, if it is repeated.
    pub(super) fn next(&self, now: &Now) -> Option<Self> {
        if let Some(event) = &self.on {
            return event.always.then(|| Self {
                ringing: None,
                ..self.clone()
            });
        }
        let zone = loquat_kit::calendar::zone_of(&self.person.circumstances());
        let repetition = self.repetition.as_ref()?;
        // A clock that was set back does not make the same one due twice.
        let due = repetition.next(self.due.max(now.wall), &zone)?;
        Some(Self {
            due,
            ringing: None,
            ..self.clone()
        })
    }
}
