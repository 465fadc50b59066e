//! What is known of a deed beside its sentence and its moment: what a person has agreed to, by which way it was set, and whether
//! it does harm when it is done late.
//!
//! Does nothing and asks nothing.

use loquat_agent::consent::AgreedCall;
use loquat_agent::toolbox::Circumstances;
use serde::{Deserialize, Serialize};

/// A deed that does harm when it comes late is done within so many seconds or not at all: the person counts on it no more, and
/// may have done it by hand.
const LATEST_HARMING: f64 = 60.0;

/// Any other is done within so many seconds.
const LATEST: f64 = 600.0;

/// One that is to be done even when it is late, within so many seconds.
const LATEST_EVER: f64 = 86_400.0;

/// The channel of what is written.
pub const WRITTEN: &str = "text";

/// What is kept of a deed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Deed {
    /// The calls to which the person has said yes when it was set. The yes is for these alone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub agreed: Vec<AgreedCall>,
    /// By which channel it was set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub channel: Option<String>,
    /// The persona that it was said to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub persona: Option<String>,
    /// The entry of the persona's own schedule that it is of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan: Option<String>,
    /// Whether it changes the home or is dangerous.
    #[serde(default)]
    harms: bool,
    /// Whether it is to be done even when it is late.
    #[serde(default)]
    even_late: bool,
}

impl Deed {
    /// One that is set under these circumstances.
    pub(super) fn set_by(person: &Circumstances, harms: bool, even_late: bool) -> Self {
        Self {
            agreed: Vec::new(),
            // What no turn has set, a program has set without one: it may do no more than what it can write.
            channel: Some(person.channel.clone().unwrap_or_else(|| WRITTEN.to_owned())),
            persona: person.persona.clone(),
            plan: None,
            harms,
            even_late,
        }
    }

    /// Of a persona's own schedule: no person has set it, and what may be done is for the channel of its time to say.
    pub(super) fn of_plan(self, plan: String, persona: &str) -> Self {
        Self {
            channel: None,
            persona: Some(persona.to_owned()),
            plan: Some(plan),
            ..self
        }
    }

    /// With what the person has agreed to. A yes that the turn does not know of is none.
    pub(super) fn agreed_to(self, calls: Vec<AgreedCall>, person: &Circumstances) -> Self {
        let agreed = if person.is_consented { calls } else { Vec::new() };
        Self { agreed, ..self }
    }

    /// By how many seconds it may be late.
    pub(super) fn latest_seconds(deed: Option<&Self>) -> f64 {
        match deed {
            Some(deed) if deed.even_late => LATEST_EVER,
            Some(deed) if !deed.harms => LATEST,
            _ => LATEST_HARMING,
        }
    }
}

#[cfg(test)]
mod tests;
