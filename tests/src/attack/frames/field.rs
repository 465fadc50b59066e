//! Frames of every topic that is heard, of which some fields are hostile: in the data, in the context, in the session.
//!
//! Put together as text, since much of what is hostile is no value of a JSON library.

use super::value::hostile;
use crate::dice::Dice;

/// Topics with the fields of their data. Nothing here is a lasting wish that a client may have by the specifications, such
/// as taking the persona back.
const TOPICS: [(&str, &[&str]); 66] = [
    ("recognizer_loop:utterance", &["utterances", "lang", "utterance"]),
    ("ovos.utterance.handle", &["utterances", "lang"]),
    ("recognizer_loop:utterance", &["utterances", "ident"]),
    ("ovos.persona.query", &["persona_id", "utterance"]),
    ("ovos.persona.list", &["persona_id"]),
    ("ovos.persona.register", &["persona_id"]),
    ("ovos.persona.tools.discover", &["toolbox_id"]),
    ("ovos.persona.tools.discover.response", &["toolbox_id", "tools"]),
    ("ovos.persona.tools.call", &["toolbox_id", "name", "kwargs"]),
    (
        "ovos.persona.tools.ovos-math-tools.call",
        &["toolbox_id", "name", "kwargs"],
    ),
    (
        "ovos.persona.tools.call.response",
        &["toolbox_id", "name", "result", "error", "extras", "answer"],
    ),
    ("ovos.tools.list", &["name"]),
    ("ovos.tools.get", &["name"]),
    ("ovos.tools.invoke", &["name", "args"]),
    ("ovos.tools.reload", &[]),
    (
        "ovos.intent.register.template",
        &["skill_id", "intent_name", "lang", "samples"],
    ),
    (
        "ovos.intent.register.keyword",
        &[
            "skill_id",
            "intent_name",
            "lang",
            "required",
            "optional",
            "excluded",
            "one_of",
        ],
    ),
    ("ovos.intent.deregister", &["skill_id", "intent_name", "lang"]),
    ("ovos.intent.enable", &["skill_id", "intent_name", "lang"]),
    ("ovos.intent.disable", &["skill_id", "intent_name", "lang"]),
    (
        "ovos.entity.register",
        &["skill_id", "entity_name", "lang", "samples"],
    ),
    ("ovos.entity.deregister", &["skill_id", "entity_name", "lang"]),
    ("ovos.skill.deregister", &["skill_id"]),
    ("ovos.skill.loaded", &["skill_id", "capabilities"]),
    (
        "padatious:register_intent",
        &["name", "samples", "lang", "blacklisted_words"],
    ),
    ("padatious:register_entity", &["name", "samples", "lang"]),
    (
        "register_vocab",
        &["entity_value", "entity_type", "lang", "regex", "start", "end"],
    ),
    (
        "register_intent",
        &["name", "requires", "optional", "at_least_one", "excludes"],
    ),
    ("detach_intent", &["intent_name"]),
    ("ovos.intent.list", &["lang", "skill_id"]),
    ("ovos.intent.describe", &["skill_id", "intent_name"]),
    ("ovos.skills.list", &[]),
    ("ovos.stop.ping", &["skill_id"]),
    ("ovos.stop.pong", &["skill_id", "can_handle"]),
    ("skill.stop.pong", &["skill_id", "can_handle"]),
    ("ovos.converse.ping", &["skill_id", "utterances", "lang"]),
    ("ovos.converse.pong", &["skill_id", "can_handle", "result"]),
    ("loquat.converse.ping", &["skill_id", "utterances", "lang"]),
    ("loquat.converse.request", &["skill_id", "utterances", "lang"]),
    ("skill.converse.response", &["skill_id", "result"]),
    ("intent.service.skills.activate", &["skill_id"]),
    ("intent.service.skills.deactivate", &["skill_id"]),
    ("ovos.converse.active.list", &["skill_id"]),
    ("skill.converse.get_response.enable", &["skill_id"]),
    ("skill.converse.get_response.disable", &["skill_id"]),
    ("ovos.fallback.register", &["skill_id", "priority"]),
    ("ovos.skills.fallback.pong", &["skill_id", "can_handle"]),
    (
        "ovos.skills.fallback.loquat.request",
        &["skill_id", "utterances", "lang"],
    ),
    (
        "question:query.response",
        &["phrase", "skill_id", "answer", "conf", "searching"],
    ),
    ("ovos.common_query.pong", &["utterance", "skill_id", "can_answer"]),
    ("loquat:chat", &["utterance", "lang", "slots"]),
    ("loquat:converse", &["utterances", "lang"]),
    ("loquat:response", &["utterances", "lang"]),
    ("loquat.match", &["round", "pipeline_id", "utterances", "lang"]),
    ("ovos.session.sync", &[]),
    ("ovos.session.update_default", &["session_data"]),
    ("intent.service.active_skills.get", &[]),
    ("mycroft.loquat.is_alive", &["status"]),
    ("mycroft.skills.is_ready", &["status"]),
    ("ovos.stt.failed", &["error"]),
    ("recognizer_loop:wakeword", &["utterance", "wake_word"]),
    ("recognizer_loop:b64_transcribe", &["audio", "lang"]),
    ("mycroft.mic.get_status", &[]),
    ("recognizer_loop:state.get", &[]),
    ("speak", &["utterance", "lang", "expect_response", "meta"]),
    ("ovos.audio.queue", &["uri", "filename", "binary_data"]),
];

const SESSION: [&str; 26] = [
    "lang",
    "output_lang",
    "stt_lang",
    "request_lang",
    "detected_lang",
    "secondary_langs",
    "persona_id",
    "site_id",
    "system_unit",
    "time_format",
    "date_format",
    "location",
    "pipeline",
    "fallback_handlers",
    "active_handlers",
    "converse_handlers",
    "active_skills",
    "response_mode",
    "intent_context",
    "blacklisted_skills",
    "blacklisted_intents",
    "blacklisted_pipelines",
    "utterance_transformers",
    "utterance_states",
    "touch_time",
    "context",
];

const CONTEXT: [&str; 15] = [
    "source",
    "destination",
    "utterance_id",
    "skill_id",
    "tool_call_id",
    "loquat_sampling",
    "stt_lang",
    "lang",
    "client_name",
    "ident",
    "_loquat_request",
    "_loquat_repeated",
    "_namespace_compat_twin",
    "_intent_compat_twin",
    "peer",
];

/// Once in so many frames the whole data, context, session or topic is hostile instead of a field.
const WHOLE: usize = 25;

/// Makes a frame with one to four hostile fields.
pub(super) fn frame(dice: &mut Dice) -> String {
    let (topic, fields) = dice.pick(&TOPICS);
    let mut wrath = 1 + dice.index(4);
    let data = if dice.one_in(WHOLE) {
        hostile(dice)
    } else {
        fields_of(dice, fields.iter().copied(), &mut wrath)
    };
    let context = if dice.one_in(WHOLE) {
        hostile(dice)
    } else {
        context(dice, &mut wrath)
    };
    if dice.one_in(100) {
        return format!(
            "{{\"type\":{},\"data\":{data},\"context\":{context}}}",
            hostile(dice)
        );
    }
    format!("{{\"type\":\"{topic}\",\"data\":{data},\"context\":{context}}}")
}

fn context(dice: &mut Dice, wrath: &mut usize) -> String {
    let session = if dice.one_in(WHOLE) {
        hostile(dice)
    } else {
        session(dice, wrath)
    };
    let chosen = some(dice, &CONTEXT);
    let fields = fields_of(dice, chosen.into_iter(), wrath);
    let comma = if fields == "{}" { "" } else { "," };
    format!("{}{comma}\"session\":{session}}}", &fields[..fields.len() - 1])
}

fn session(dice: &mut Dice, wrath: &mut usize) -> String {
    let id = if dice.one_in(20) {
        hostile(dice)
    } else {
        format!("\"stranger-{}\"", dice.index(500))
    };
    let chosen = some(dice, &SESSION);
    let fields = fields_of(dice, chosen.into_iter(), wrath);
    let comma = if fields == "{}" { "" } else { "," };
    format!("{}{comma}\"session_id\":{id}}}", &fields[..fields.len() - 1])
}

fn some(dice: &mut Dice, names: &[&'static str]) -> Vec<&'static str> {
    (0..dice.index(4)).map(|_| *dice.pick(names)).collect()
}

fn fields_of<'n>(dice: &mut Dice, names: impl Iterator<Item = &'n str>, wrath: &mut usize) -> String {
    let fields: Vec<_> = names
        .map(|name| {
            let is_hostile = *wrath > 0 && dice.one_in(2);
            let value = if is_hostile {
                *wrath -= 1;
                hostile(dice)
            } else {
                usual(dice, name)
            };
            format!("\"{name}\":{value}")
        })
        .collect();
    format!("{{{}}}", fields.join(","))
}

/// Writes what the field usually holds, so that the frame gets as far as the next field.
fn usual(dice: &mut Dice, name: &str) -> String {
    let text = match name {
        "utterances" => return format!("[\"tell me about stranger {}\"]", dice.index(50)),
        "samples" => return "[\"sing {song} [loudly]\",\"(hum|whistle) {song}\"]".into(),
        "tools" => return "[{\"name\":\"t\",\"description\":\"d\",\"argument_schema\":{}}]".into(),
        "kwargs" | "args" => return "{\"expression\":\"1+1\"}".into(),
        "result" | "extras" | "slots" | "capabilities" | "session_data" | "context" | "meta" => {
            return "{\"text\":\"x\"}".into();
        }
        "can_handle" | "can_answer" | "status" | "searching" | "expect_response" => return "true".into(),
        "priority" | "conf" | "start" | "end" | "touch_time" => return dice.index(100).to_string(),
        "required" | "requires" | "optional" | "excluded" | "excludes" | "one_of" | "at_least_one" => {
            return "[\"k1\"]".into();
        }
        "location" => return "{\"tz\":\"Europe/Lisbon\"}".into(),
        "intent_context" => return "{\"who\":{\"turns_remaining\":2,\"value\":\"me\"}}".into(),
        "response_mode" => return "{\"skill_id\":\"singer\",\"expires_at\":9999999999}".into(),
        "loquat_sampling" => return "{\"temperature\":0.5}".into(),
        "_loquat_repeated" => return "15".into(),
        "_namespace_compat_twin" | "_intent_compat_twin" => return "false".into(),
        _ if name.ends_with("_handlers") => {
            return "[{\"skill_id\":\"singer\",\"activated_at\":1}]".into();
        }
        "lang" | "output_lang" | "stt_lang" | "request_lang" | "detected_lang" => "en-US",
        "persona_id" => "Tester",
        "toolbox_id" => "ovos-math-tools",
        "name" => "evaluate_expression",
        "system_unit" => "metric",
        "time_format" => "full",
        "skill_id" => "singer",
        "intent_name" => "sing",
        _ if name.starts_with("blacklisted_") || name.ends_with("_transformers") => {
            return "[\"nobody\"]".into();
        }
        "secondary_langs" | "pipeline" | "active_skills" => return "[]".into(),
        _ => "something",
    };
    format!("\"{text}\"")
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    #[test]
    fn most_frames_are_json_and_many_are_whole_frames() {
        let mut dice = Dice::new(1);
        let frames: Vec<_> = (0..2000).map(|_| frame(&mut dice)).collect();
        let read = frames
            .iter()
            .filter(|text| serde_json::from_str::<Value>(text).is_ok())
            .count();
        assert!(read > 1200, "{read} of 2000");
        let topics = frames
            .iter()
            .filter(|text| crate::frame::Frame::parse(text).is_some());
        assert!(topics.count() > 1100);
    }
}
