//! Reading and writing a context.

use serde_json::json;

use super::*;

#[test]
fn ids_are_texts_that_are_not_empty() {
    let mut context = Context::from(crate::object(json!({"utterance_id": 5, "skill_id": ""})));
    assert_eq!((context.utterance_id(), context.skill_id()), (None, None));
    context.set_utterance_id("u");
    context.set_skill_id("s");
    assert_eq!(
        (context.utterance_id(), context.skill_id()),
        (Some("u"), Some("s"))
    );
}

#[test]
fn an_empty_routing_key_is_absent() {
    let mut context = Context::default();
    context.set_source("us");
    context.set_destination("them");
    assert_eq!(
        (context.source(), context.destination()),
        (Some("us"), Some("them"))
    );
    context.set_source("");
    context.set_destination("");
    assert!(context.as_map().is_empty());
}

#[test]
fn se1_8_an_empty_session_is_left_out() {
    let mut context = Context::from(crate::object(json!({"session": {"session_id": "x"}})));
    context.set_session(&Session::default());
    assert!(context.as_map().is_empty());
}

#[test]
fn a_marker_is_the_truth_and_nothing_else() {
    for (context, twin) in [
        (json!({"_namespace_compat_twin": true}), true),
        (json!({"_intent_compat_twin": true}), true),
        (json!({"_namespace_compat_twin": false}), false),
        (json!({"_namespace_compat_twin": "true"}), false),
        (json!({}), false),
    ] {
        assert_eq!(
            Context::from(crate::object(context.clone())).is_twin(),
            twin,
            "{context}"
        );
    }
}

#[test]
fn the_id_is_that_of_the_session() {
    for session in [
        json!({"session_id": "x"}),
        json!({"session_id": ""}),
        json!({"session_id": 7}),
        json!({}),
        json!(null),
    ] {
        let context = Context::from(crate::object(json!({"session": session})));
        assert_eq!(context.session_id(), context.session().id(), "{session}");
    }
}

#[test]
fn what_is_changed_in_a_copy_is_not_changed_in_the_original() {
    let original = Context::from(crate::object(json!({"source": "a", "skill_id": "b"})));
    let mut copy = original.clone();
    copy.set_skill_id("c");
    copy.remove("source");
    assert_eq!((original.source(), original.skill_id()), (Some("a"), Some("b")));
    assert_eq!((copy.source(), copy.skill_id()), (None, Some("c")));
}
