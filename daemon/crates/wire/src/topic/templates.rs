//! Topics that are put together from an id (MSG-1 §2.1.1). The specifications allow few, the old stack has more.

/// Names the topic on which a matched intent is dispatched, `<skill_id>:<intent_name>` (PIPELINE-1 §7).
pub fn dispatch(skill_id: &str, intent_name: &str) -> String {
    format!("{skill_id}:{intent_name}")
}

/// Names a topic of a skill, `<skill_id>.<event>`, such as `clock.stop` or `clock.converse.ping`.
pub fn skill_topic(skill_id: &str, event: &str) -> String {
    format!("{skill_id}.{event}")
}

/// Names `ovos.skills.fallback.<skill_id>.<event>`, where the event is `request`, `start` or `response`.
pub fn fallback_topic(skill_id: &str, event: &str) -> String {
    format!("ovos.skills.fallback.{skill_id}.{event}")
}

/// Names the call of a tool as it ships today, `ovos.persona.tools.<toolbox_id>.call`.
pub fn toolbox_call(toolbox_id: &str) -> String {
    format!("ovos.persona.tools.{toolbox_id}.call")
}

/// Names `ovos.pipeline.<pipeline_id>.intents.list`, which is answered on `.response` (PIPELINE-1 §10).
pub fn pipeline_intents(pipeline_id: &str) -> String {
    format!("ovos.pipeline.{pipeline_id}.intents.list")
}

/// Names `mycroft.<service>.is_alive`, which is answered on `.response` with `{status}`.
pub fn is_alive(service: &str) -> String {
    format!("mycroft.{service}.is_alive")
}

/// Names `mycroft.<service>.all_loaded`, which is answered on `.response` with `{status}`.
pub fn all_loaded(service: &str) -> String {
    format!("mycroft.{service}.all_loaded")
}

/// Names `mycroft.<service>.is_ready`, which is answered on `.response` with `{status}`.
pub fn is_ready(service: &str) -> String {
    format!("mycroft.{service}.is_ready")
}
