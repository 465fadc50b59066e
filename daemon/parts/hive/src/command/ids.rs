//! Whether what the owner names for a satellite is there: personas, skills, intents and topics. What nothing bears would deny
//! nothing, and the owner would not notice. Changes nothing.

use std::collections::BTreeSet;
use std::fmt::Debug;

use futures_util::future::BoxFuture;
use loquat_orchestrator::frames::SKILL_ID;
use loquat_settings::wording::{did_you_mean, nearest};
use loquat_wire::topic;

use super::HiveAccess;

/// Of more names none is told where none is near.
const MOST_TOLD: usize = 12;

/// Why something that was named is not taken.
#[derive(Debug, thiserror::Error)]
pub(super) enum UnknownError {
    /// Nothing bears the id.
    #[error("failed to find the {what} {id}: {mend}")]
    Nothing {
        what: &'static str,
        /// As it was named.
        id: String,
        /// What to write instead.
        mend: String,
    },
    #[error("failed to read {id}: an intent is written as SKILL:INTENT, as in {SKILL_ID}:clock.time")]
    Form {
        /// As it was named.
        id: String,
    },
    /// No message has such a topic.
    #[error("failed to take {0}: a topic has letters, digits, dots, colons and the like, and no spaces")]
    Topic(String),
}

/// What is there.
#[derive(Debug, Default)]
pub struct Known {
    /// The personas.
    pub personas: Vec<String>,
    /// Our own skill, and all toolboxes that this device has.
    pub boxes: Vec<String>,
    /// They are those of our own skill.
    pub intents: Vec<String>,
    /// The skills of others, where a running daemon has told them.
    pub skills: Option<Vec<String>>,
}

/// The port by which it is found out.
pub trait Names: Debug + Send + Sync {
    /// Asks the settings, and a running daemon, what is there.
    fn known(&self) -> BoxFuture<'_, Known>;
}

impl Known {
    /// Tells whether all that is named is there; what cannot be known is given back.
    pub(super) fn check(&self, wanted: &HiveAccess) -> Result<Vec<String>, UnknownError> {
        if let Some(persona) = &wanted.persona {
            self.persona(persona)?;
        }
        for named in wanted.allow.iter().chain(&wanted.deny) {
            topic(named)?;
        }
        let mut unsure = Vec::new();
        for skill in &wanted.deny_skill {
            unsure.extend(self.skill(skill)?);
        }
        for intent in &wanted.deny_intent {
            unsure.extend(self.intent(intent)?);
        }
        Ok(unsure)
    }

    fn persona(&self, named: &str) -> Result<(), UnknownError> {
        let is_it = |known: &String| known.to_lowercase() == named.trim().to_lowercase();
        if self.personas.iter().any(is_it) {
            return Ok(());
        }
        Err(nothing("persona", named, self.personas.iter()))
    }

    /// Nothing where it is there; the id where that cannot be known.
    fn skill(&self, named: &str) -> Result<Option<String>, UnknownError> {
        let all = || self.boxes.iter().chain(self.skills.iter().flatten());
        if all().any(|known| known == named) {
            return Ok(None);
        }
        let names: Vec<&str> = all().map(String::as_str).collect();
        let is_near = nearest(named, names).is_some();
        if is_near || self.skills.is_some() {
            return Err(nothing("skill", named, all()));
        }
        Ok(Some(named.to_owned()))
    }

    fn intent(&self, named: &str) -> Result<Option<String>, UnknownError> {
        let Some((skill, intent)) = topic::dispatch_of(named) else {
            return Err(UnknownError::Form { id: named.to_owned() });
        };
        if skill != SKILL_ID {
            return Ok(self.skill(skill)?.map(|_| named.to_owned()));
        }
        if self.intents.iter().any(|known| known == intent) {
            return Ok(None);
        }
        let whole: Vec<String> = self
            .intents
            .iter()
            .map(|known| topic::dispatch(SKILL_ID, known))
            .collect();
        Err(nothing("intent", named, whole.iter()))
    }
}

/// Tells whether a message can have this topic.
pub(super) fn topic(named: &str) -> Result<(), UnknownError> {
    if !topic::is_valid(named) {
        return Err(UnknownError::Topic(named.to_owned()));
    }
    // Skills have topics of their own, so only what is a slip of the pen away from another topic is none.
    let near = |known: &&str| strsim::damerau_levenshtein(known, named) == 1;
    let is_known = topic::names_of_twins().any(|known| known == named);
    match topic::names_of_twins().find(near).filter(|_| !is_known) {
        Some(meant) => Err(UnknownError::Nothing {
            what: "topic",
            id: named.to_owned(),
            mend: format!("did you mean {meant}?"),
        }),
        None => Ok(()),
    }
}

fn nothing<'a>(what: &'static str, named: &str, known: impl Iterator<Item = &'a String>) -> UnknownError {
    let known: BTreeSet<&str> = known.map(String::as_str).collect();
    let known: Vec<&str> = known.into_iter().collect();
    let mend = match nearest(named, known.iter().copied()) {
        None if known.len() > MOST_TOLD => "nothing here is called so, or nearly so".to_owned(),
        _ => did_you_mean(named, &known),
    };
    UnknownError::Nothing {
        what,
        id: named.to_owned(),
        mend,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(skills: Option<&[&str]>) -> Known {
        let owned = |all: &[&str]| all.iter().map(|one| (*one).to_owned()).collect();
        Known {
            personas: owned(&["Cook", "Teddy"]),
            boxes: owned(&["loquat", "loquat-list-tools", "loquat-alert-tools"]),
            intents: owned(&["list_reminders", "ask"]),
            skills: skills.map(owned),
        }
    }

    #[test]
    fn what_nothing_bears_is_refused_with_the_nearest() {
        let known = known(None);
        let refused = |wanted: HiveAccess| known.check(&wanted).unwrap_err().to_string();
        let skill = |id: &str| HiveAccess {
            deny_skill: vec![id.to_owned()],
            ..HiveAccess::default()
        };
        let intent = |id: &str| HiveAccess {
            deny_intent: vec![id.to_owned()],
            ..HiveAccess::default()
        };
        let persona = |id: &str| HiveAccess {
            persona: Some(id.to_owned()),
            ..HiveAccess::default()
        };
        let allow = |id: &str| HiveAccess {
            allow: vec![id.to_owned()],
            ..HiveAccess::default()
        };
        for (wanted, mend) in [
            (skill("loquat-lists-tools"), "did you mean loquat-list-tools?"),
            (
                intent("loquat:list_reminder"),
                "did you mean loquat:list_reminders?",
            ),
            (intent("list_reminders"), "SKILL:INTENT"),
            (persona("Teddi"), "did you mean Teddy?"),
            (persona("nobody"), "known are Cook and Teddy"),
            (allow("recognizer_loop:utterence"), "recognizer_loop:utterance"),
            (allow("two words"), "topic"),
        ] {
            let told = refused(wanted);
            assert!(told.contains(mend), "{told}");
        }
    }

    #[test]
    fn what_cannot_be_known_is_taken_with_a_remark_and_what_can_be_is_not() {
        let wanted = HiveAccess {
            deny_skill: ["loquat-list-tools", "kettle"].map(str::to_owned).to_vec(),
            deny_intent: ["loquat:ask", "lamp:on"].map(str::to_owned).to_vec(),
            persona: Some("cook".to_owned()),
            allow: ["speak", "skill.own.topic"].map(str::to_owned).to_vec(),
            ..HiveAccess::default()
        };
        assert_eq!(known(None).check(&wanted).unwrap(), ["kettle", "lamp:on"]);
        assert!(
            known(Some(&["kettle", "lamp"]))
                .check(&wanted)
                .unwrap()
                .is_empty()
        );
        assert!(known(Some(&["kettle"])).check(&wanted).is_err());
    }
}
