//! What a client of the hive may do: which messages it may send, which skills and intents answer it, and which persona. It
//! only takes away: what the device itself may not do, no client may. Where it stands and whose it is stands beside that.

use std::collections::BTreeSet;

use loquat_orchestrator::frames::SKILL_ID;
use loquat_skills::rest::{Hours, HoursError};
use loquat_wire::{Session, topic};
use serde::{Deserialize, Serialize};
use serde_json::json;

/// The topics that a client may send unless its owner says otherwise: what it was told or heard, a stop, and wishes
/// for speech.
const USUAL: [&str; 6] = [
    topic::UTTERANCE_HANDLE,
    topic::STOP,
    topic::SPEAK_B64,
    SPEAK_SYNTH,
    topic::LISTENER_B64_TRANSCRIBE,
    topic::LISTENER_B64_AUDIO,
];

/// The topic of a wish for speech that comes back as bytes.
pub(super) const SPEAK_SYNTH: &str = "speak:synth";

/// An owner may allow at most this many topics.
const MOST_TOPICS: usize = 200;

/// At most this many skills and as many intents may be denied: a session holds no more, and would lose the rest.
const MOST_DENIED: usize = loquat_wire::session::bounds::ENTRIES;

/// The word for the quiet hours of the house, in the place of hours of its own.
const HOUSE: &str = "house";

/// A room or a person has a name of at most this many characters.
const LONGEST_NAME: usize = 40;

/// A topic or an id has at most this many bytes.
const LONGEST: usize = 256;

/// The rights of one client: what it may send, and who answers it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Access {
    /// The topics of messages that it may send, by their canonical names.
    pub topics: BTreeSet<String>,
    /// Skills that do not answer it.
    #[serde(default)]
    pub denied_skills: BTreeSet<String>,
    /// Intents that do not answer it, as `skill:intent`.
    #[serde(default)]
    pub denied_intents: BTreeSet<String>,
    /// The persona that answers it and no other; the device's own choice if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub persona: Option<String>,
    /// The room in which it stands; its name says that if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub room: Option<String>,
    /// The person whose it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub person: Option<String>,
    /// When nothing is said there that comes from other rooms; in the quiet hours of the house if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quiet_hours: Option<Hours>,
}

/// What is said of where a client stands and whose it is; what is absent stays.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Standing {
    pub(super) room: Option<String>,
    pub(super) person: Option<String>,
    /// The hours, or "house" for those of the house.
    pub(super) quiet_hours: Option<String>,
}

/// Says why what is said of where a client stands cannot be.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StandingError {
    /// A name of a room or a person is too long to be one.
    #[error("a room or a person has a name of {LONGEST_NAME} characters at most: {0}…")]
    Name(String),
    /// The hours are none.
    #[error(transparent)]
    Hours(#[from] HoursError),
}

impl Default for Access {
    fn default() -> Self {
        Self {
            topics: USUAL.iter().map(|topic| (*topic).to_owned()).collect(),
            denied_skills: BTreeSet::new(),
            denied_intents: BTreeSet::new(),
            persona: None,
            room: None,
            person: None,
            quiet_hours: None,
        }
    }
}

/// Says why a list of topics or ids is none.
#[derive(Debug, thiserror::Error)]
#[error(
    "failed to take {one}: topics and ids have 1 to {LONGEST} visible characters of ASCII, and {most} are the most"
)]
pub struct AccessError {
    one: String,
    most: usize,
}

impl Access {
    /// Allows messages of these topics.
    pub fn allow(&mut self, topics: &[String]) -> Result<(), AccessError> {
        let canonical: Vec<String> = topics
            .iter()
            .map(|topic| topic::canonical_of(topic).to_owned())
            .collect();
        add(&mut self.topics, &canonical, MOST_TOPICS)
    }

    /// Allows them no more.
    pub fn deny(&mut self, topics: &[String]) {
        for topic in topics {
            self.topics.remove(topic::canonical_of(topic));
        }
    }

    /// Takes what is said of where it stands and whose it is; empty words take that back.
    ///
    /// # Errors
    /// Where a name is too long to be one or the hours are none; nothing is changed then.
    pub(super) fn settle(&mut self, standing: &Standing) -> Result<(), StandingError> {
        let hours = match standing.quiet_hours.as_deref().map(str::trim) {
            None => self.quiet_hours,
            Some("" | HOUSE) => None,
            Some(hours) => Some(hours.parse()?),
        };
        for name in [&standing.room, &standing.person].into_iter().flatten() {
            let is_name = name.chars().all(|letter| !letter.is_control());
            if name.chars().count() > LONGEST_NAME || !is_name {
                return Err(StandingError::Name(name.chars().take(LONGEST_NAME).collect()));
            }
        }
        let told = |name: &str| Some(name.trim().to_owned()).filter(|name| !name.is_empty());
        if let Some(room) = &standing.room {
            self.room = told(room);
        }
        if let Some(person) = &standing.person {
            self.person = told(person);
        }
        self.quiet_hours = hours;
        Ok(())
    }

    /// Keeps these skills from answering.
    pub fn deny_skills(&mut self, skills: &[String]) -> Result<(), AccessError> {
        add(&mut self.denied_skills, skills, MOST_DENIED)
    }

    /// Keeps these intents from answering.
    pub fn deny_intents(&mut self, intents: &[String]) -> Result<(), AccessError> {
        add(&mut self.denied_intents, intents, MOST_DENIED)
    }

    /// Tells whether a message of this topic may be sent, whichever of its names it has.
    pub(super) fn allows(&self, topic: &str) -> bool {
        self.topics.contains(topic::canonical_of(topic))
    }

    /// Tells whether a toolbox may answer it: none does beside the one persona that it may have.
    pub(super) fn reaches(&self, toolbox_id: &str) -> bool {
        self.persona.is_none() && !self.denied_skills.contains(toolbox_id)
    }

    /// Tells whether an intent of the device's own, by its name there, does not answer it.
    pub(super) fn denies_intent(&self, name: &str) -> bool {
        self.denied_intents.contains(&topic::dispatch(SKILL_ID, name))
    }

    /// Takes away in a session what the client may not have. What the session itself denies stays denied.
    pub(super) fn bind(&self, session: &mut Session) {
        for (field, denied) in [
            ("blacklisted_skills", &self.denied_skills),
            ("blacklisted_intents", &self.denied_intents),
        ] {
            if denied.is_empty() {
                continue;
            }
            let own: Vec<String> = session.texts(field).into_iter().map(str::to_owned).collect();
            // Ours go first: a list that is too long loses its end.
            let all: Vec<&String> = denied
                .iter()
                .chain(own.iter().filter(|one| !denied.contains(*one)))
                .collect();
            session.insert(field, json!(all));
        }
        if let Some(persona) = &self.persona {
            session.set_persona_id(Some(persona));
        }
    }
}

/// Adds all of them, or none.
fn add(list: &mut BTreeSet<String>, more: &[String], most: usize) -> Result<(), AccessError> {
    let mut longer = list.clone();
    for one in more {
        let is_plain = (1..=LONGEST).contains(&one.len()) && one.bytes().all(|byte| byte.is_ascii_graphic());
        longer.insert(one.clone());
        if !is_plain || longer.len() > most {
            let one = one.chars().take(LONGEST).collect();
            return Err(AccessError { one, most });
        }
    }
    *list = longer;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_topic_is_allowed_under_both_its_names() {
        let mut access = Access::default();
        assert!(access.allows("recognizer_loop:utterance") && access.allows(topic::UTTERANCE_HANDLE));
        assert!(!access.allows("speak") && !access.allows("loquat.emergency_stop"));
        access.deny(&["recognizer_loop:utterance".to_owned()]);
        assert!(!access.allows("recognizer_loop:utterance") && !access.allows(topic::UTTERANCE_HANDLE));
        access.allow(&["speak".to_owned()]).unwrap();
        assert!(access.allows(topic::SPEAK));
        let half = ["loquat.more".to_owned(), "two words".to_owned()];
        assert!(access.allow(&half).is_err() && !access.allows("loquat.more"));
    }

    #[test]
    fn no_more_is_denied_than_a_session_holds() {
        let skills: Vec<String> = (0..=MOST_DENIED)
            .map(|number| format!("skill-{number}"))
            .collect();
        let mut access = Access::default();
        assert!(access.deny_skills(&skills).is_err() && access.denied_skills.is_empty());
        access.deny_skills(&skills[1..]).unwrap();
        let mut session = Session::named("s");
        access.bind(&mut session);
        assert!(!session.bound(), "nothing is cut");
        assert_eq!(session.blacklisted_skills().len(), MOST_DENIED);
    }

    #[test]
    fn a_session_keeps_what_it_denies_and_loses_what_the_client_may_not() {
        let mut access = Access::default();
        access.deny_skills(&["locks".to_owned()]).unwrap();
        assert!(access.reaches("lamps") && !access.reaches("locks"));
        access
            .deny_intents(&["loquat:intercom.announce".to_owned()])
            .unwrap();
        let denied =
            |is_reply| loquat_skills::intercom::intents(is_reply).any(|one| access.denies_intent(&one));
        assert!(denied(false) && denied(true) && !access.denies_intent("clock.time"));
        access.denied_intents.clear();
        access.persona = Some("cook".to_owned());
        assert!(!access.reaches("lamps"), "the persona alone answers");
        let mut session = Session::named("s");
        session.insert("blacklisted_skills", json!(["games", "locks"]));
        session.set_persona_id(Some("steward"));
        access.bind(&mut session);
        assert_eq!(session.blacklisted_skills(), ["locks", "games"]);
        assert_eq!(session.persona_id(), Some("cook"));
        assert_eq!(session.get("blacklisted_intents"), None);
    }
}
