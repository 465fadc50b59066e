//! Pairs on the wire: what is sent, and what a receiver acts on.

use proptest::prelude::*;
use serde_json::json;

use super::*;

const fn at(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

fn speech(text: &str) -> Message {
    let mut message = Message::new(topic::SPEAK, json!({"utterance": text}));
    message.context = Context::from(crate::object(json!({"source": "skills", "utterance_id": "u"})));
    message
}

fn pair(message: Message) -> (Message, Message) {
    let (message, twin) = with_twin(message, Vocabulary::Both);
    (message, twin.unwrap())
}

fn legacy(message: &Message) -> Message {
    let mut legacy = pair(message.clone()).1;
    legacy.context.strip_markers();
    legacy
}

fn acted_on(frames: &[&Message]) -> Vec<String> {
    let mut filter = TwinFilter::new();
    let kept = frames.iter().filter(|frame| !filter.is_duplicate(frame, at(0)));
    kept.map(|frame| frame.topic.clone()).collect()
}

#[test]
fn the_twin_is_the_same_frame_on_the_legacy_topic_with_a_marker() {
    let (canonical, twin) = pair(speech("hi"));
    assert_eq!(canonical, speech("hi"));
    assert_eq!(twin.topic, "speak");
    assert_eq!(twin.data, canonical.data);
    let mut context = canonical.context.clone();
    context.insert("_namespace_compat_twin", true);
    assert_eq!(twin.context, context);
}

#[test]
fn a_dispatch_has_a_twin_for_old_skills_and_reserved_ones_have_their_own() {
    let (_, twin) = pair(Message::new("clock:tell", json!({"utterance": "time"})));
    assert_eq!(twin.topic, "clock:tell.intent");
    assert_eq!(twin.context.get("_intent_compat_twin"), Some(&json!(true)));
    let (_, twin) = pair(Message::new("clock:stop", ()));
    assert_eq!(twin.topic, "clock.stop");
    assert_eq!(twin.context.get("_namespace_compat_twin"), Some(&json!(true)));
    for topic in ["clock:converse", "clock:fallback", "clock:tell.intent"] {
        assert_eq!(
            with_twin(Message::new(topic, ()), Vocabulary::Both).1,
            None,
            "{topic}"
        );
    }
}

#[test]
fn what_is_legacy_or_has_one_name_only_is_sent_alone() {
    for topic in [
        "speak",
        "recognizer_loop:utterance",
        topic::UTTERANCE_HANDLED,
        topic::SKILL_HANDLER_COMPLETE,
    ] {
        assert_eq!(
            with_twin(Message::new(topic, ()), Vocabulary::Both).1,
            None,
            "{topic}"
        );
    }
}

#[test]
fn whoever_speaks_one_vocabulary_sends_one_frame_without_a_marker() {
    let (alone, twin) = with_twin(speech("hi"), Vocabulary::Canonical);
    assert_eq!((alone, twin), (speech("hi"), None));
    let (alone, twin) = with_twin(speech("hi"), Vocabulary::Legacy);
    assert_eq!((alone.topic.as_str(), twin), ("speak", None));
    assert_eq!(alone.context, speech("hi").context);
    let dispatch = Message::new("clock:tell", ());
    let (first, second) = with_twin(dispatch.clone(), Vocabulary::Legacy);
    assert_eq!(
        (first, second),
        (dispatch.clone(), Some(pair(dispatch.clone()).1))
    );
    assert_eq!(with_twin(dispatch, Vocabulary::Canonical).1, None);
}

#[test]
fn a_marker_that_was_inherited_is_not_emitted() {
    let mut inherited = speech("hi");
    inherited.context.insert("_namespace_compat_twin", true);
    assert!(!with_twin(inherited, Vocabulary::Both).0.context.is_twin());
}

#[test]
fn payloads_that_changed_are_translated_both_ways() {
    let data = json!({"skill_id": "clock", "intent_name": "tell", "lang": "en-US"});
    let (_, twin) = pair(Message::new(topic::INTENT_DEREGISTER, data.clone()));
    assert_eq!(json!(twin.data), json!({"intent_name": "clock:tell"}));
    let back = modernised(twin);
    assert_eq!(
        json!(back.data),
        json!({"skill_id": "clock", "intent_name": "tell"})
    );
    let (_, twin) = pair(Message::new(topic::INTENT_ENABLE, data));
    assert_eq!(json!(twin.data), json!({"intent_name": "tell"}));
    assert_eq!(modernised(speech("hi")), speech("hi"));
}

#[test]
fn a_pair_is_acted_on_once_marked_or_not_and_in_either_order() {
    let (canonical, twin) = pair(speech("hi"));
    let plain = legacy(&canonical);
    assert_eq!(acted_on(&[&canonical, &twin]), [topic::SPEAK]);
    assert_eq!(acted_on(&[&canonical, &plain]), [topic::SPEAK]);
    assert_eq!(acted_on(&[&plain, &canonical]), ["speak"]);
    let (dispatch, suffixed) = pair(Message::new("clock:tell", ()));
    assert_eq!(acted_on(&[&dispatch, &suffixed]), ["clock:tell"]);
    let (stop, old_stop) = pair(Message::new("clock:stop", ()));
    assert_eq!(acted_on(&[&stop, &old_stop]), ["clock:stop"]);
    let (removal, old_removal) = pair(Message::new(
        topic::INTENT_DEREGISTER,
        json!({"skill_id": "clock", "intent_name": "tell", "lang": "en-US"}),
    ));
    assert_eq!(acted_on(&[&removal, &old_removal]), [topic::INTENT_DEREGISTER]);
}

#[test]
fn the_same_thing_said_twice_is_heard_twice() {
    let (canonical, twin) = pair(speech("hi"));
    let plain = legacy(&canonical);
    assert_eq!(acted_on(&[&canonical, &twin, &canonical, &twin]).len(), 2);
    assert_eq!(acted_on(&[&canonical, &canonical, &twin, &twin]).len(), 2);
    assert_eq!(acted_on(&[&plain, &plain]).len(), 2);
    assert_eq!(acted_on(&[&canonical, &twin, &plain]).len(), 2);
}

#[test]
fn a_marked_frame_without_its_witness_is_an_event() {
    let (canonical, twin) = pair(speech("hi"));
    assert_eq!(acted_on(&[&twin]), ["speak"]);
    assert_eq!(acted_on(&[&pair(speech("other")).0, &twin]).len(), 2);
    // An old peer copied the marker into its answer, which is an event of its own.
    let mut answer = Message::new("skill.stop.pong", json!({"skill_id": "x"}));
    answer.context = twin.context.clone();
    assert_eq!(
        acted_on(&[&canonical, &twin, &answer]),
        [topic::SPEAK, "skill.stop.pong"]
    );
}

#[test]
fn a_marked_twin_may_differ_in_what_does_not_make_the_event() {
    let (canonical, twin) = pair(speech("hi"));
    let mut elsewhere = twin.clone();
    elsewhere.context.set_destination("audio");
    assert_eq!(acted_on(&[&canonical, &elsewhere]).len(), 1);
    for (key, value) in [
        ("utterance_id", json!("v")),
        ("session", json!({"session_id": "s"})),
    ] {
        let mut other = twin.clone();
        other.context.insert(key, value);
        assert_eq!(acted_on(&[&canonical, &other]).len(), 2, "{key}");
    }
}

#[test]
fn an_unmarked_frame_with_another_context_is_an_event() {
    let canonical = speech("hi");
    let mut other = legacy(&canonical);
    other.context.set_destination("audio");
    assert_eq!(acted_on(&[&canonical, &other]).len(), 2);
}

#[test]
fn a_witness_counts_for_a_second() {
    let (canonical, twin) = pair(speech("hi"));
    for (later, duplicate) in [(1000, true), (1001, false)] {
        let mut filter = TwinFilter::new();
        assert!(!filter.is_duplicate(&canonical, at(500)));
        assert_eq!(filter.is_duplicate(&twin, at(500 + later)), duplicate);
    }
}

#[test]
fn a_flood_does_not_grow_the_memory() {
    let mut filter = TwinFilter::new();
    for number in 0..3 * WITNESSES {
        filter.is_duplicate(&speech(&number.to_string()), at(0));
    }
    assert_eq!(filter.witnesses.len(), WITNESSES);
    let (_, last) = pair(speech(&(3 * WITNESSES - 1).to_string()));
    assert!(filter.is_duplicate(&last, at(0)));
}

#[test]
fn other_topics_leave_no_trace() {
    let mut filter = TwinFilter::new();
    for _ in 0..3 {
        assert!(!filter.is_duplicate(&Message::new(topic::UTTERANCE_HANDLED, ()), at(0)));
    }
    assert!(filter.witnesses.is_empty());
}

proptest! {
    #[test]
    fn every_event_of_a_mixed_bus_is_acted_on_exactly_once(
        events in prop::collection::vec(("[ab]", 0_u8..4), 0..30),
    ) {
        let mut filter = TwinFilter::new();
        let mut acted = 0;
        for (index, (text, manner)) in events.iter().enumerate() {
            let (canonical, twin) = pair(speech(text));
            let frames = match manner {
                // A newer peer, an older peer, a peer that knows the new names only, one that mirrors by hand.
                0 => vec![canonical, twin],
                1 => vec![legacy(&canonical)],
                2 => vec![canonical],
                _ => vec![canonical.clone(), legacy(&canonical)],
            };
            // Events are further apart than twins; a peer with one name does not meet the other's within the window.
            let now = at(2000 * index as u64);
            acted += frames.iter().filter(|frame| !filter.is_duplicate(frame, now)).count();
        }
        prop_assert_eq!(acted, events.len());
    }
}
