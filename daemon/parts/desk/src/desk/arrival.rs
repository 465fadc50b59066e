//! How an utterance comes in, and who says it: found out once, from what this process knows of its doors, and carried with
//! the job. No field of a session makes anybody the owner.

use loquat_agent::Speaker;
use loquat_part::guests::Guests;
use loquat_part::heard::LATER;
use loquat_part::heard::RECORDED;
use loquat_part::owners_word::PAGE;
use loquat_part::satellite::SATELLITES;
use loquat_wire::Message;
use serde::{Deserialize, Serialize};
use tokio::sync::watch;
use tokio::time::Instant;

use super::saying::Saying;
use crate::kept::Kept;

/// By which way an utterance came in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Voice {
    /// Whether the microphone or the terminal of this process heard it.
    pub(super) own: bool,
    /// What the utterance names as its source.
    pub(super) source: Option<String>,
}

/// How an utterance came in.
#[derive(Debug, Clone)]
pub(super) struct Arrival {
    /// When it came.
    pub(super) at: Instant,
    /// How and when it was said.
    pub(super) saying: Saying,
    pub(super) speaker: Speaker,
    /// By which way it came, where that was heard: of what a core brings it may not be known.
    pub(super) voice: Option<Voice>,
    /// What is known of it since it was kept for later.
    pub(super) kept: Option<Kept>,
}

impl Arrival {
    /// Whether the microphone or the terminal of this process heard it.
    pub(super) fn is_heard_here(&self) -> bool {
        self.voice.as_ref().is_some_and(|voice| voice.own)
    }
}

/// Where the owner can speak or type.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Attendance {
    /// It is not known yet: the device is starting.
    #[default]
    Unknown,
    /// It comes to this process.
    Here,
    /// To nothing of this process: another listener on the bus speaks for them.
    Elsewhere,
}

/// What is known of the ways by which utterances come in.
#[derive(Debug, Clone)]
pub(super) struct Ways {
    guests: Guests,
    attendance: watch::Receiver<Attendance>,
}

impl Ways {
    pub(super) fn new(guests: Guests, attendance: watch::Receiver<Attendance>) -> Self {
        Self { guests, attendance }
    }

    /// An utterance that has just come; `emitted_here` tells whether this process has put it on the bus.
    pub(super) fn arrival(&self, entry: &Message, emitted_here: bool) -> Arrival {
        let own = is_heard_here(entry, emitted_here);
        let voice = Voice {
            own,
            source: entry.context.source().map(str::to_owned),
        };
        Arrival {
            at: Instant::now(),
            saying: Saying::of(entry, own),
            speaker: self.speaker(entry, emitted_here),
            voice: Some(voice),
            kept: Kept::read(entry, emitted_here),
        }
    }

    /// An utterance that a core brings and that was not heard before.
    pub(super) fn brought(&self, dispatch: &Message) -> Arrival {
        Arrival {
            at: Instant::now(),
            saying: Saying::of(dispatch, false),
            speaker: self.speaker(dispatch, false),
            voice: None,
            kept: None,
        }
    }

    /// Who asks without saying anything: a guest of ours, or a program.
    pub(super) fn asker(&self, session_id: &str) -> Speaker {
        self.guests.caller(session_id)
    }

    /// Where nothing of this process hears the owner, another listener speaks for them in the device's own session.
    fn speaker(&self, entry: &Message, emitted_here: bool) -> Speaker {
        let session = entry.context.session();
        if let Some(guest) = self.guests.of_session(session.id()) {
            return Speaker::Guest(guest);
        }
        let is_from_satellite = entry.context.source() == Some(SATELLITES);
        let is_of_listener = *self.attendance.borrow() == Attendance::Elsewhere;
        let is_elsewhere = is_from_satellite || !session.is_default() || !is_of_listener;
        let is_own = is_heard_here(entry, emitted_here)
            || is_typed_on_page(entry, emitted_here)
            || is_said_later(entry, emitted_here);
        if is_own || !is_elsewhere {
            return Speaker::Owner;
        }
        Speaker::Program
    }
}

/// Whether an utterance that this process has emitted was heard or typed here. What a satellite says was said elsewhere, and
/// so was what stands in a recording. What we dispatch to a skill is ours as well, under a topic of that skill's choice and
/// with words of another client's, but it names a skill and the utterance that it came of, and what is heard or typed names
/// neither.
fn is_heard_here(entry: &Message, emitted_here: bool) -> bool {
    let context = &entry.context;
    let is_of_door = [SATELLITES, PAGE].map(Some).contains(&context.source());
    let is_elsewhere = is_of_door || context.get(RECORDED).is_some() || context.get(LATER).is_some();
    emitted_here && !is_elsewhere && is_derived_of_none(entry)
}

/// Whether the owner has had it kept for later, and this process says it now. Nothing is heard then, but the words are the
/// owner's.
fn is_said_later(entry: &Message, emitted_here: bool) -> bool {
    Kept::read(entry, emitted_here).is_some() && is_derived_of_none(entry)
}

/// Whether it was made of no other utterance.
fn is_derived_of_none(entry: &Message) -> bool {
    entry.context.skill_id().is_none() && entry.context.utterance_id().is_none()
}

/// Whether the owner has typed it on the page. That is no voice at the device, but the words are the owner's.
fn is_typed_on_page(entry: &Message, emitted_here: bool) -> bool {
    emitted_here && entry.context.source() == Some(PAGE)
}

#[cfg(test)]
mod tests {
    use loquat_wire::{Session, topic};
    use serde_json::json;

    use super::*;

    fn said(session_id: &str, source: Option<&str>) -> Message {
        let mut entry = Message::new(topic::UTTERANCE_HANDLE, json!({"utterances": ["yes"]}));
        entry.context.set_session(&Session::named(session_id));
        if let Some(source) = source {
            entry.context.set_source(source);
        }
        entry
    }

    fn ways(attendance: Attendance) -> Ways {
        Ways::new(Guests::default(), watch::channel(attendance).1)
    }

    #[test]
    fn what_is_heard_here_is_the_owner_s_and_what_comes_by_a_door_is_not() {
        let ways = ways(Attendance::Here);
        let owner = ways.arrival(&said("default", Some("audio")), true);
        assert!(owner.speaker.is_owner() && owner.voice.is_some_and(|voice| voice.own));
        let page = ways.arrival(&said("default", Some(PAGE)), true);
        assert!(page.speaker.is_owner());
        assert!(page.voice.is_some_and(|voice| !voice.own), "it is no voice");
        let mut recorded = said("default", Some("audio"));
        recorded.context.insert(RECORDED, true);
        for (entry, emitted_here) in [
            (said("default", Some("audio")), false),
            (said("default", Some(PAGE)), false),
            (said("default", Some(SATELLITES)), true),
            (said("wyoming:10.0.0.2:c", Some(SATELLITES)), true),
            (said("hive:kitchen:s", None), false),
            (recorded, true),
        ] {
            let arrival = ways.arrival(&entry, emitted_here);
            assert!(!arrival.speaker.is_owner(), "{entry:?}");
            assert!(arrival.voice.is_some_and(|voice| !voice.own), "{entry:?}");
        }
    }

    #[test]
    fn what_the_owner_has_had_kept_is_the_owner_s_where_this_process_says_it_and_no_voice() {
        let ways = ways(Attendance::Here);
        let mut kept = said("default", Some("audio"));
        kept.context.insert(LATER, json!({}));
        let arrival = ways.arrival(&kept, true);
        assert!(arrival.speaker.is_owner() && arrival.voice.is_some_and(|voice| !voice.own));
        let program = ways.arrival(&kept, false);
        assert!(!program.speaker.is_owner(), "a program says so");
        for dispatched in ["loquat", "a-skill"] {
            let mut dispatch = kept.clone();
            dispatch.context.set_skill_id(dispatched);
            assert!(!ways.arrival(&dispatch, true).speaker.is_owner());
        }
        let mut guest = said("hive:kitchen:s", None);
        guest.context.insert(LATER, json!({}));
        assert!(matches!(ways.arrival(&guest, true).speaker, Speaker::Guest(_)));
    }

    #[test]
    fn until_it_is_known_who_hears_the_owner_no_program_speaks_for_them() {
        let arrival = ways(Attendance::Unknown).arrival(&said("default", None), false);
        assert!(!arrival.speaker.is_owner());
    }

    #[test]
    fn where_nothing_hears_the_owner_the_device_s_own_session_is_theirs() {
        let ways = ways(Attendance::Elsewhere);
        assert!(ways.arrival(&said("default", None), false).speaker.is_owner());
        assert!(ways.brought(&said("default", None)).speaker.is_owner());
        for (session, source) in [
            ("default", Some(SATELLITES)),
            ("elsewhere", None),
            ("hive:kitchen:default", None),
            ("wyoming:10.0.0.2:default", None),
            ("mcp-1", None),
        ] {
            let arrival = ways.arrival(&said(session, source), false);
            assert!(!arrival.speaker.is_owner(), "{session}");
        }
    }
}
