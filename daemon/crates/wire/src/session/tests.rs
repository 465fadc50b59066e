//! The rows of SESSION-1 on fields: tolerance, and nothing lost.

use serde_json::json;

use super::*;

fn session(fields: Value) -> Session {
    Session::from(crate::object(fields))
}

#[test]
fn se1_2_null_and_wrong_types_are_absent_and_can_be_named() {
    let session = session(json!({
        "session_id": null, "lang": 7, "persona_id": null, "blacklisted_skills": "x", "location": [], "zzz": 1,
        "tts_transformers": {}, "site_id": "kitchen",
    }));
    assert_eq!(session.id(), "default");
    assert_eq!(
        (session.lang(), session.persona_id(), session.time_zone()),
        (None, None, None)
    );
    assert!(session.blacklisted_skills().is_empty());
    let mut mistyped = session.mistyped();
    mistyped.sort_unstable();
    assert_eq!(
        mistyped,
        [
            ("blacklisted_skills", "string"),
            ("lang", "number"),
            ("location", "array"),
            ("tts_transformers", "object")
        ]
    );
}

#[test]
fn se1_5_unknown_fields_survive_a_change() {
    let mut session = session(json!({"zzz": {"a": [1]}, "active_skills": [["x", 1.5]]}));
    session.set_persona_id(Some("alice"));
    assert_eq!(
        Value::Object(session.into()),
        json!({"zzz": {"a": [1]}, "active_skills": [["x", 1.5]], "persona_id": "alice"})
    );
}

#[test]
fn se1_9_the_time_zone_is_found_in_both_shapes() {
    for (location, zone) in [
        (json!({"tz": "Europe/Lisbon"}), Some("Europe/Lisbon")),
        (
            json!({"timezone": {"code": "America/Chicago"}}),
            Some("America/Chicago"),
        ),
        (
            json!({"tz": "Asia/Tokyo", "timezone": {"code": "America/Chicago"}}),
            Some("Asia/Tokyo"),
        ),
        (
            json!({"tz": null, "timezone": {"code": "America/Chicago"}}),
            Some("America/Chicago"),
        ),
        (json!({"tz": "", "timezone": null}), None),
    ] {
        assert_eq!(
            session(json!({"location": location})).time_zone(),
            zone,
            "{location}"
        );
    }
}

#[test]
fn preferences_are_read_as_they_are() {
    let session = session(json!({
        "lang": "en-US", "output_lang": "pt-PT", "system_unit": "metric", "time_format": "full", "date_format": "DMY",
        "blacklisted_skills": ["a", 5, "b"],
    }));
    assert_eq!(
        (session.lang(), session.output_lang()),
        (Some("en-US"), Some("pt-PT"))
    );
    assert_eq!(session.system_unit(), Some("metric"));
    assert_eq!(
        (session.time_format(), session.date_format()),
        (Some("full"), Some("DMY"))
    );
    assert_eq!(session.blacklisted_skills(), ["a", "b"]);
}

#[test]
fn an_empty_persona_is_none() {
    let mut session = session(json!({"persona_id": ""}));
    assert_eq!(session.persona_id(), None);
    session.set_persona_id(Some(""));
    assert_eq!(session.get("persona_id"), None);
    session.set_persona_id(Some("alice"));
    session.set_persona_id(None);
    assert!(session.as_map().is_empty());
}
