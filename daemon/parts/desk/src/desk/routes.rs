//! Which frame goes to which handler: one table, from which the desk subscribes and by which it dispatches.
//!
//! It never looks into a frame. When a frame counts, as beside a core only, is up to its handler.

use std::collections::HashMap;

use loquat_bus::Topics;
use loquat_orchestrator::frames::{FALLBACK_REQUEST, SKILL_ID};
use loquat_orchestrator::pipeline::{Stage, USUAL};
use loquat_orchestrator::search::CHAT;
use loquat_orchestrator::{commands, registration};
use loquat_wire::topic;

use super::STOP_US;
use super::job::Origin;

/// The service of ovos-core that we stand in for where we orchestrate.
pub(super) const SKILLS: &str = "skills";

/// What is done with a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Handler {
    /// An utterance was said or typed.
    Utterance,
    /// Everything in a session is to stop.
    Stop,
    /// The wake word was said.
    WakeWord,
    /// We are to stop.
    StopUs,
    /// A core asks what we could stop.
    StopPing {
        /// Whether it asks under the older name.
        older: bool,
    },
    /// A core tells which skill it has chosen to stop.
    StopChosen,
    /// The emergency stop is set, cleared or asked about.
    EmergencyStop,
    /// What goes on in the background is asked about, or ended.
    Background,
    /// It begins to be spoken, or has ended.
    Speech { begins: bool },
    /// What was to be spoken was not heard to its end.
    SpeechInterrupted,
    /// One of our stages in a core's pipeline asks whether an utterance is ours.
    CoreStage,
    /// A skill registers something, or takes it back.
    Registration,
    /// A skill tells something about a session, or that it takes part in it.
    Note(Note),
    /// A core asks whether we would take an utterance that no skill wanted.
    FallbackPing,
    /// A core asks whether we go on with a conversation.
    ConversePing {
        /// Whether only we are asked.
        alone: bool,
    },
    /// A core brings us an utterance.
    Brought(Origin),
    /// A core brings us an utterance that is this intent of ours.
    Intent(&'static str),
    /// A core has an utterance in its hands.
    CoreAtWork,
    /// An utterance has ended, perhaps by a core.
    Ended,
    /// A core tells which intents there are.
    CoreLists,
    /// A core tells the sentences of a skill.
    CoreDescribes,
    /// A core has come up.
    CoreUp,
    /// A program asks a persona something.
    Query,
    /// A program asks which personas there are.
    Personas,
    /// A persona is offered, or taken back.
    Offer(bool),
    /// A program asks whether this service of ours has loaded everything.
    AllLoaded(&'static str),
    /// A program asks what the orchestrator knows.
    Inquiry(Inquiry),
}

impl Handler {
    /// Whether a person or a program waits for the end of what comes to it.
    pub(super) fn owes_an_end(&self) -> bool {
        matches!(
            self,
            Self::Utterance | Self::Query | Self::CoreStage | Self::Brought(_) | Self::Intent(_)
        )
    }
}

/// What a skill tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Note {
    /// It waits for an answer.
    Waits,
    WaitsNoMore,
    Active,
    /// It is not active any more.
    Inactive,
    /// It takes part in common query.
    Knows,
}

/// What is asked of the orchestrator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Inquiry {
    /// Which intents are there?
    Intents,
    /// What is this intent?
    Intent,
    /// Which skills are there?
    Skills,
    /// Which skills may converse in a session?
    Conversing,
    /// Which skills are active in a session? The older question.
    ActiveSkills,
    /// Which intents does this stage match?
    Stage(Stage),
}

/// Frames that count also where this process has sent them: the terminal, the ear, the voice and the door for satellites use
/// the desk's client.
const OWN: [(&str, Handler); 7] = [
    // A satellite that we serve has gone.
    (STOP_US, Handler::StopUs),
    (topic::UTTERANCE_HANDLE, Handler::Utterance),
    (topic::STOP, Handler::Stop),
    (topic::WAKEWORD, Handler::WakeWord),
    (topic::AUDIO_OUTPUT_STARTED, Handler::Speech { begins: true }),
    (topic::AUDIO_OUTPUT_ENDED, Handler::Speech { begins: false }),
    (topic::LOQUAT_SPEECH_INTERRUPTED, Handler::SpeechInterrupted),
];

/// Frames of others whose topics never vary.
const OTHERS: [(&str, Handler); 38] = [
    // Our own ear says the wake word in new words too.
    (topic::LEGACY_WAKEWORD, Handler::WakeWord),
    ("loquat:stop", Handler::StopUs),
    (topic::STOP_PING, Handler::StopPing { older: false }),
    ("loquat.stop.ping", Handler::StopPing { older: true }),
    ("stop:skill", Handler::StopChosen),
    (topic::LOQUAT_EMERGENCY_STOP, Handler::EmergencyStop),
    (topic::LOQUAT_BACKGROUND, Handler::Background),
    (topic::LOQUAT_MATCH, Handler::CoreStage),
    (topic::GET_RESPONSE_ENABLE, Handler::Note(Note::Waits)),
    (topic::GET_RESPONSE_DISABLE, Handler::Note(Note::WaitsNoMore)),
    (topic::SKILL_ACTIVATE, Handler::Note(Note::Active)),
    (topic::SKILL_DEACTIVATE, Handler::Note(Note::Inactive)),
    (topic::COMMON_QUERY_PONG, Handler::Note(Note::Knows)),
    (topic::FALLBACK_PING, Handler::FallbackPing),
    (topic::CONVERSE_PING, Handler::ConversePing { alone: false }),
    ("loquat.converse.ping", Handler::ConversePing { alone: true }),
    (FALLBACK_REQUEST, Handler::Brought(Origin::Fallback)),
    ("loquat:fallback", Handler::Brought(Origin::Fallback)),
    ("loquat.converse.request", Handler::Brought(Origin::Converse)),
    ("loquat:converse", Handler::Brought(Origin::Converse)),
    // What was no answer after all is an utterance like any other.
    ("loquat:response", Handler::Brought(Origin::Intent)),
    ("loquat.converse.get_response", Handler::Brought(Origin::Intent)),
    (topic::INTENT_MATCHED, Handler::CoreAtWork),
    (topic::INTENT_UNMATCHED, Handler::CoreAtWork),
    (topic::UTTERANCE_HANDLED, Handler::Ended),
    (topic::INTENT_LIST_RESPONSE, Handler::CoreLists),
    (topic::INTENT_DESCRIBE_RESPONSE, Handler::CoreDescribes),
    (topic::SKILLS_INITIALIZED, Handler::CoreUp),
    (topic::DEVICE_READY, Handler::CoreUp),
    (topic::PERSONA_QUERY, Handler::Query),
    (topic::PERSONA_LIST, Handler::Personas),
    (topic::PERSONA_REGISTER, Handler::Offer(true)),
    (topic::PERSONA_DEREGISTER, Handler::Offer(false)),
    (topic::INTENT_LIST, Handler::Inquiry(Inquiry::Intents)),
    (topic::INTENT_DESCRIBE, Handler::Inquiry(Inquiry::Intent)),
    (topic::SKILLS_LIST, Handler::Inquiry(Inquiry::Skills)),
    (topic::CONVERSE_ACTIVE_LIST, Handler::Inquiry(Inquiry::Conversing)),
    (topic::ACTIVE_SKILLS_GET, Handler::Inquiry(Inquiry::ActiveSkills)),
];

/// The table.
#[derive(Debug)]
pub(super) struct Routes(HashMap<String, Handler>);

impl Routes {
    /// The table, with these intents of our tools in it.
    pub(super) fn new<'a>(tools: impl Iterator<Item = &'a str>) -> Self {
        let tools = tools.map(|name| (topic::dispatch(SKILL_ID, name), Handler::Brought(Origin::Intent)));
        Self(rows().chain(tools).collect())
    }

    /// All topics that have a handler.
    pub(super) fn topics(&self) -> Topics {
        Topics::of(self.0.keys()).or_own(OWN.map(|(name, _)| name))
    }

    /// The handler of a frame, by its canonical topic. A frame that this process has sent has one only where it counts.
    pub(super) fn handler(&self, canonical: &str, own: bool) -> Option<Handler> {
        let counts = !own || OWN.iter().any(|(name, _)| *name == canonical);
        self.0.get(canonical).copied().filter(|_| counts)
    }
}

fn rows() -> impl Iterator<Item = (String, Handler)> {
    let fixed = OWN.into_iter().chain(OTHERS);
    let registrations = registration::TOPICS.map(|name| (name, Handler::Registration));
    let intents = commands::ALL.into_iter().chain([CHAT]);
    let intents = intents.map(|name| (topic::dispatch(SKILL_ID, name), Handler::Intent(name)));
    let loaded = [SKILL_ID, SKILLS].map(|service| (topic::all_loaded(service), Handler::AllLoaded(service)));
    let stages = USUAL.map(|stage| {
        let handler = Handler::Inquiry(Inquiry::Stage(stage));
        (topic::pipeline_intents(stage.id()), handler)
    });
    let named = fixed.chain(registrations);
    named
        .map(|(name, handler)| (name.to_owned(), handler))
        .chain(intents)
        .chain(loaded)
        .chain(stages)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_topic_stands_once_and_under_its_canonical_name() {
        let mut seen = HashMap::new();
        for (name, handler) in rows() {
            assert_eq!(topic::canonical_of(&name), name, "{handler:?}");
            let other = seen.insert(name.clone(), handler);
            assert_eq!(other, None, "{name} stands twice");
        }
    }

    #[test]
    fn of_what_this_process_has_sent_only_what_is_said_here_counts() {
        let routes = Routes::new(std::iter::empty());
        for (name, handler) in rows() {
            let counts = OWN.iter().any(|(own, _)| *own == name);
            assert_eq!(routes.handler(&name, false), Some(handler), "{name}");
            assert_eq!(routes.handler(&name, true).is_some(), counts, "{name}");
        }
    }
}
