//! Every topic that we say or hear, in both vocabularies. Never looks at payloads.
//!
//! The canonical names are those of the OVOS specifications (`ovos.*`), the legacy names those that came before. The
//! rest of Loquat uses canonical names only; where a topic has no canonical name, the legacy one is all there is.

mod names;
mod templates;

pub use names::*;
pub use templates::*;

/// Canonical topics and the legacy names that newer peers mirror them on. The payload is the same unless
/// [`reshape`](crate::twin) says otherwise.
const TWINS: &[(&str, &str)] = &[
    (UTTERANCE_HANDLE, "recognizer_loop:utterance"),
    (SPEAK, "speak"),
    (INTENT_UNMATCHED, "complete_intent_failure"),
    (STOP, "mycroft.stop"),
    (STOP_PONG, "skill.stop.pong"),
    (AUDIO_OUTPUT_STARTED, "recognizer_loop:audio_output_start"),
    (AUDIO_OUTPUT_ENDED, "recognizer_loop:audio_output_end"),
    (MIC_LISTEN, "mycroft.mic.listen"),
    (SPEAK_B64, "speak:b64_audio"),
    (AUDIO_SPEECH, "speak:b64_audio.response"),
    (AUDIO_QUEUE, "mycroft.audio.queue"),
    (AUDIO_PLAY_SOUND, "mycroft.audio.play_sound"),
    (AUDIO_IS_SPEAKING, "mycroft.audio.speak.status"),
    (AUDIO_STOP, "mycroft.audio.speech.stop"),
    (RECORD_STARTED, "recognizer_loop:record_begin"),
    (RECORD_ENDED, "recognizer_loop:record_end"),
    (LISTENER_SLEEP, "recognizer_loop:sleep"),
    (LISTENER_AWOKEN, "mycroft.awoken"),
    (FALLBACK_REGISTER, "ovos.skills.fallback.register"),
    (FALLBACK_DEREGISTER, "ovos.skills.fallback.deregister"),
    (FALLBACK_PING, "ovos.skills.fallback.ping"),
    (FALLBACK_PONG, "ovos.skills.fallback.pong"),
    (INTENT_DEREGISTER, "detach_intent"),
    (SKILL_DEREGISTER, "detach_skill"),
    (INTENT_ENABLE, "mycroft.skill.enable_intent"),
    (INTENT_DISABLE, "mycroft.skill.disable_intent"),
];

/// Prefixes of colon topics that are namespaces and no skill ids, so that what follows is no intent.
const NAMESPACES: &[&str] = &[
    "recognizer_loop",
    "question",
    "padatious",
    "play",
    "speak",
    "mycroft",
    "ovos",
    "gui",
    "stop",
    "converse",
];

/// Intent names that specifications reserve for dispatches of their own (PIPELINE-1 §7.3).
const RESERVED: &[&str] = &["converse", "response", "stop", "fallback", "common_query"];

/// The suffix that old skills have on the topics of their intents.
const INTENT_SUFFIX: &str = ".intent";

/// Lists the topics that have two names, by both of them.
pub fn names_of_twins() -> impl Iterator<Item = &'static str> {
    TWINS.iter().flat_map(|(canonical, legacy)| [*canonical, *legacy])
}

/// The legacy name on which a canonical topic is mirrored; `None` when it has none or is no canonical topic.
pub fn legacy_of(canonical: &str) -> Option<&'static str> {
    TWINS
        .iter()
        .find(|(name, _)| *name == canonical)
        .map(|(_, legacy)| *legacy)
}

/// The canonical name of a topic in either vocabulary; a topic that has only one name is its own.
///
/// `<skill_id>:<intent>.intent` is `<skill_id>:<intent>`. The legacy `<skill_id>.stop` stays as it is: it cannot be told
/// from other topics that end so.
pub fn canonical_of(topic: &str) -> &str {
    if let Some((canonical, _)) = TWINS.iter().find(|(_, legacy)| *legacy == topic) {
        return canonical;
    }
    match intent_of(topic) {
        Some(_) => topic.strip_suffix(INTENT_SUFFIX).unwrap_or(topic),
        None => topic,
    }
}

/// Takes the topic of a dispatch apart into skill id and intent name; it is `<skill_id>:<name>` with or
/// without `.intent`.
///
/// Reserved names count too. A topic of a subsystem, such as `recognizer_loop:utterance`, is no dispatch.
pub fn dispatch_of(topic: &str) -> Option<(&str, &str)> {
    let (skill_id, name) = topic.rsplit_once(':')?;
    let name = name.strip_suffix(INTENT_SUFFIX).unwrap_or(name);
    let namespace = skill_id.split(':').next().unwrap_or(skill_id);
    let known = NAMESPACES.contains(&namespace) || TWINS.iter().any(|(_, legacy)| *legacy == topic);
    (!skill_id.is_empty() && !name.is_empty() && !known).then_some((skill_id, name))
}

/// The skill and the intent that a dispatch is for: reserved names are no intents.
fn intent_of(topic: &str) -> Option<(&str, &str)> {
    dispatch_of(topic).filter(|(_, name)| !RESERVED.contains(name))
}

/// Names the legacy frame that newer peers send beside a canonical one, and the marker that it carries.
pub(crate) fn twin_of(topic: &str) -> Option<(String, TwinKind)> {
    if let Some(legacy) = legacy_of(topic) {
        return Some((legacy.to_owned(), TwinKind::Namespace));
    }
    let (skill_id, name) = dispatch_of(topic)?;
    if topic.ends_with(INTENT_SUFFIX) {
        return None;
    }
    if name == "stop" {
        return Some((skill_topic(skill_id, "stop"), TwinKind::Namespace));
    }
    (!RESERVED.contains(&name)).then(|| (format!("{topic}{INTENT_SUFFIX}"), TwinKind::Intent))
}

/// Tells whether a topic may be the legacy name in a pair of twins.
pub(crate) fn may_be_twin(topic: &str) -> bool {
    TWINS.iter().any(|(_, legacy)| *legacy == topic)
        || topic.strip_suffix(".stop").is_some()
        || (topic.ends_with(INTENT_SUFFIX) && intent_of(topic).is_some())
}

/// Tells which of the two mirrors made a twin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TwinKind {
    /// A canonical topic and its legacy name.
    Namespace,
    /// A dispatch and its name with `.intent`.
    Intent,
}

/// Names the topic on which a request is answered unless its specification names another (MSG-1 §5.3).
pub fn response_to(topic: &str) -> String {
    format!("{topic}.response")
}

/// Tells whether a producer may emit on the topic (MSG-1 §2.1): ASCII letters, digits and `. : _ -`, with none of
/// these four at either end or beside another.
pub fn is_valid(topic: &str) -> bool {
    let mut after_separator = true;
    for byte in topic.bytes() {
        let separator = matches!(byte, b'.' | b':' | b'_' | b'-');
        if (separator && after_separator) || !(separator || byte.is_ascii_alphanumeric()) {
            return false;
        }
        after_separator = separator;
    }
    !after_separator
}

#[cfg(test)]
mod tests;
