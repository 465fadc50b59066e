//! The rows of MSG-1: what is a frame, and what derived messages inherit.

use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::session::Session;

fn with(context: Value) -> Message {
    Message::new("test.topic", ()).with_context(Context::from(crate::object(context)))
}

fn context_of(message: &Message) -> Value {
    Value::Object(message.context.as_map().clone())
}

#[test]
fn the_topic_is_found_without_the_message() {
    assert_eq!(
        topic_of(r#"{"data":{"type":"x"},"type":"a\u002eb"}"#).as_deref(),
        Some("a.b")
    );
    assert_eq!(
        topic_of(&Message::new("a.b", json!({"x": 1})).to_text()).as_deref(),
        Some("a.b")
    );
    for none in [
        r#"{"data":{"type":"x"}}"#,
        r#"{"type":""}"#,
        r#"{"type":7}"#,
        r#"["type"]"#,
        "type",
    ] {
        assert_eq!(topic_of(none), None, "{none}");
    }
}

#[test]
fn ms_1_a_frame_has_three_keys_and_no_others() {
    let message = Message::new("a.b", json!({"x": 1}));
    let frame: Value = serde_json::from_str(&message.to_text()).unwrap();
    assert_eq!(frame, json!({"type": "a.b", "data": {"x": 1}, "context": {}}));
}

#[test]
fn ms_2_absent_and_null_are_empty_and_unknown_keys_are_ignored() {
    for text in [
        r#"{"type":"a"}"#,
        r#"{"type":"a","data":null,"context":null}"#,
        r#"{"x":[1,{}],"type":"a","data":{},"context":{},"y":null}"#,
    ] {
        assert_eq!(Message::parse(text).unwrap(), Message::new("a", ()), "{text}");
    }
}

#[test]
fn ms_3_what_is_malformed_says_why() {
    let complaint = |text: &str| Message::parse(text).unwrap_err();
    for text in [
        "",
        "not json",
        "{",
        r#"{"type":"a",}"#,
        r#"{"type":"a"} x"#,
        r#"{"type":NaN}"#,
    ] {
        assert!(matches!(complaint(text), ParseError::NotJson(_)), "{text}");
    }
    for text in ["[]", "42", "null", r#""a""#, "true"] {
        assert!(matches!(complaint(text), ParseError::NotAnObject), "{text}");
    }
    for text in ["{}", r#"{"type":5}"#, r#"{"type":""}"#, r#"{"type":null}"#] {
        assert!(matches!(complaint(text), ParseError::NoTopic), "{text}");
    }
    for (text, wrong) in [
        (r#"{"type":"a","data":[]}"#, "data"),
        (r#"{"type":"a","data":0}"#, "data"),
        (r#"{"type":"a","context":"x"}"#, "context"),
        (r#"{"type":"a","context":false}"#, "context"),
    ] {
        assert!(
            matches!(complaint(text), ParseError::NotAMap { key, .. } if key == wrong),
            "{text}"
        );
    }
}

#[test]
fn ms_3_nesting_without_end_is_malformed_and_no_crash() {
    let deep = format!(r#"{{"type":"a","data":{}"#, r#"{"x":"#.repeat(100_000));
    assert!(matches!(Message::parse(&deep), Err(ParseError::NotJson(_))));
}

#[test]
fn ms_3_a_complaint_is_short_however_long_the_topic() {
    let frame = format!(r#"{{"type":"{}","data":1}}"#, "x".repeat(100_000));
    assert!(Message::parse(&frame).unwrap_err().to_string().len() < 200);
}

#[test]
fn ms_6_unknown_context_keys_are_carried_on_by_every_derivation() {
    let message = with(json!({"zzz": {"deep": [1, null]}, "utterance_id": "u"}));
    for derived in [
        message.forward("x", ()),
        message.reply("x", ()),
        message.response(()),
    ] {
        assert_eq!(context_of(&derived), context_of(&message));
    }
}

#[test]
fn ms_7_and_8_routing_is_read_from_texts_and_lists_and_written_as_texts() {
    let message = with(json!({"source": "", "destination": ["skills", "audio"]}));
    assert_eq!(message.context.source(), None);
    assert_eq!(message.context.destination(), Some("skills"));
    assert_eq!(
        context_of(&message.forward("x", ())),
        json!({"destination": "skills"})
    );
}

#[test]
fn ms_9_forward_keeps_the_context() {
    let context = json!({"source": "A", "destination": "B", "session": {"session_id": "s", "x": 1}});
    let forwarded = with(context.clone()).forward("other", json!({"y": 2}));
    assert_eq!(forwarded.topic, "other");
    assert_eq!(forwarded.data, crate::object(json!({"y": 2})));
    assert_eq!(context_of(&forwarded), context);
}

#[test]
fn ms_10_reply_turns_the_routing_around() {
    for (before, after) in [
        (
            json!({"source": "A", "destination": "B"}),
            json!({"source": "B", "destination": "A"}),
        ),
        (
            json!({"source": "A", "destination": ["B", "C"]}),
            json!({"source": "B", "destination": "A"}),
        ),
        (
            json!({"source": ["A"], "destination": ["B"]}),
            json!({"source": "B", "destination": "A"}),
        ),
        (json!({"source": "A"}), json!({"source": "A", "destination": "A"})),
        (
            json!({"destination": "B"}),
            json!({"source": "B", "destination": "B"}),
        ),
        (json!({"source": "", "destination": []}), json!({})),
        (json!({}), json!({})),
    ] {
        assert_eq!(
            context_of(&with(before.clone()).reply("x", ())),
            after,
            "{before}"
        );
    }
}

#[test]
fn ms_11_a_response_is_a_reply_on_its_topic() {
    let response = with(json!({"source": "A"})).response(json!({"x": 1}));
    assert_eq!(response.topic, "test.topic.response");
    assert_eq!(response.context.destination(), Some("A"));
}

#[test]
fn ms_12_the_session_rides_along_unchanged() {
    let session = json!({"session_id": "s", "lang": "en-US", "zzz": {"deep": null}, "pipeline": []});
    let forwarded = with(json!({"session": session})).forward("x", ());
    assert_eq!(forwarded.context.get("session"), Some(&session));
}

#[test]
fn ms_14_no_number_is_infinite_on_the_wire() {
    let text = Message::new("a", json!({"x": f64::NAN, "y": f64::INFINITY})).to_text();
    assert_eq!(text, r#"{"type":"a","data":{"x":null,"y":null},"context":{}}"#);
}

#[test]
fn twin_markers_are_never_derived() {
    let message = with(json!({"_namespace_compat_twin": true, "_intent_compat_twin": true, "a": 1}));
    for derived in [
        message.forward("x", ()),
        message.reply("x", ()),
        message.response(()),
    ] {
        assert_eq!(context_of(&derived), json!({"a": 1}));
    }
}

#[test]
fn se1_1_no_session_field_that_we_emit_is_null() {
    let message = with(json!({"session": {"session_id": "s", "persona_id": null, "lang": null}}));
    assert_eq!(
        context_of(&message.forward("x", ())),
        json!({"session": {"session_id": "s"}})
    );
    let mut session = Session::named("s");
    session.insert("lang", Value::Null);
    let mut fresh = Message::new("a", ());
    fresh.context.set_session(&session);
    assert_eq!(context_of(&fresh), json!({"session": {"session_id": "s"}}));
}

#[test]
fn se1_3_no_session_and_an_empty_one_are_the_default_one() {
    for context in [
        json!({}),
        json!({"session": null}),
        json!({"session": {}}),
        json!({"session": {"session_id": "default"}}),
        json!({"session": {"session_id": ""}}),
        json!({"session": {"session_id": 5}}),
    ] {
        assert!(with(context.clone()).context.session().is_default(), "{context}");
    }
}

#[test]
fn se1_4_a_session_that_is_no_object_is_an_error_of_its_own() {
    for session in ["\"x\"", "5", "[]", "true"] {
        let text = format!(r#"{{"type":"a.b","context":{{"session":{session},"utterance_id":"u"}}}}"#);
        let error = Message::parse(&text).unwrap_err();
        let rejection = error.rejection().unwrap();
        assert_eq!(rejection.topic, "ovos.session.rejected");
        let reason = json!({"msg_type": "a.b", "reason": "malformed_carrier"});
        assert_eq!(Value::Object(rejection.data.clone()), reason);
        assert_eq!(context_of(&rejection), json!({"utterance_id": "u"}));
    }
    let error = Message::parse(r#"{"type":"a","context":{"session":0}}"#).unwrap_err();
    assert_eq!(context_of(&error.rejection().unwrap()), json!({}));
    assert!(Message::parse("[]").unwrap_err().rejection().is_none());
}

#[test]
fn data_can_be_a_map_a_json_object_or_nothing() {
    let map = Message::new("a", crate::object(json!({"x": 1})));
    assert_eq!(map, Message::new("a", json!({"x": 1})));
    assert_eq!(Message::new("a", ()), Message::new("a", json!(null)));
}

fn json_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        ".{0,8}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map("[a-z_]{0,6}", inner, 0..4)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

fn json_map() -> impl Strategy<Value = Map<String, Value>> {
    prop::collection::btree_map("source|destination|session|[a-z_]{1,6}", json_value(), 0..6)
        .prop_map(|map| map.into_iter().collect())
}

proptest! {
    #[test]
    fn parsing_never_panics(text in ".{0,200}") {
        Message::parse(&text).ok();
    }

    #[test]
    fn a_message_survives_the_wire(topic in "[a-z.:_-]{1,12}", data in json_map(), context in json_map()) {
        let message = Message::new(topic, data).with_context(Context::from(context));
        match Message::parse(&message.to_text()) {
            Ok(parsed) => prop_assert_eq!(parsed, message),
            Err(error) => prop_assert!(error.rejection().is_some() && message.context.has_malformed_session()),
        }
    }

    #[test]
    fn what_is_derived_can_always_be_emitted(context in json_map()) {
        let message = Message::new("a", ()).with_context(Context::from(context));
        for derived in [message.forward("b", ()), message.reply("b", ())] {
            for key in ["source", "destination"] {
                prop_assert!(derived.context.get(key).is_none_or(|value| value.as_str().is_some_and(|text| !text.is_empty())));
            }
            let session = derived.context.session();
            prop_assert!(session.as_map().values().all(|value| !value.is_null()));
            for (key, value) in message.context.as_map() {
                if !["source", "destination", "session"].contains(&key.as_str()) {
                    prop_assert_eq!(derived.context.get(key), Some(value));
                }
            }
        }
    }

    #[test]
    fn the_check_of_the_relay_agrees_with_the_parser(
        frame in prop::collection::btree_map("type|data|context|x", json_value(), 0..4),
        session in prop::option::of(json_value()),
    ) {
        let mut frame: Map<String, Value> = frame.into_iter().collect();
        if let (Some(Value::Object(context)), Some(session)) = (frame.get_mut("context"), session) {
            context.insert("session".to_owned(), session);
        }
        let text = Value::Object(frame).to_string();
        let parsed = Message::parse(&text).map(drop).map_err(|error| error.to_string());
        let checked = crate::carrier::check(&text).map_err(|error| error.to_string());
        prop_assert_eq!(checked, parsed);
    }
}
