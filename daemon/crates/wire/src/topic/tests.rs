//! Both vocabularies, and what is a dispatch.

use proptest::prelude::*;

use super::*;

#[test]
fn every_pair_maps_both_ways_and_no_name_is_used_twice() {
    for (canonical, legacy) in TWINS {
        assert_eq!(legacy_of(canonical), Some(*legacy));
        assert_eq!(canonical_of(legacy), *canonical);
        assert_eq!(canonical_of(canonical), *canonical);
        assert_eq!(legacy_of(legacy), None);
    }
    let names: std::collections::BTreeSet<_> = TWINS.iter().flat_map(|(a, b)| [a, b]).collect();
    assert_eq!(names.len(), 2 * TWINS.len());
}

#[test]
fn what_is_not_bridged_stays_apart() {
    for topic in [
        SKILL_HANDLER_START,
        HANDLER_START,
        CONVERSE_PING,
        SKILL_CONVERSE_PONG,
        WAKEWORD,
        LEGACY_WAKEWORD,
        LISTENER_WAKE,
        STT_FAILED,
        QUESTION_QUERY,
        STOP_PING,
        UTTERANCE_HANDLED,
    ] {
        assert_eq!(twin_of(topic), None, "{topic}");
        assert_eq!(canonical_of(topic), topic);
    }
}

#[test]
fn a_dispatch_is_a_skill_and_an_intent() {
    for (topic, parts) in [
        ("clock:tell", Some(("clock", "tell"))),
        ("clock:tell.intent", Some(("clock", "tell"))),
        (
            "my.skill.author:food.order.intent",
            Some(("my.skill.author", "food.order")),
        ),
        ("clock:stop", Some(("clock", "stop"))),
        ("persona:query", Some(("persona", "query"))),
        ("recognizer_loop:utterance", None),
        ("speak:b64_audio.response", None),
        ("question:query", None),
        ("padatious:register_intent", None),
        ("stop:global", None),
        (":x", None),
        ("x:", None),
        ("x:.intent", None),
        ("speak", None),
    ] {
        assert_eq!(dispatch_of(topic), parts, "{topic}");
    }
}

#[test]
fn a_suffixed_dispatch_has_the_canonical_name_without_it() {
    assert_eq!(canonical_of("clock:tell.intent"), "clock:tell");
    assert_eq!(canonical_of("clock.intent:tell"), "clock.intent:tell");
    assert_eq!(canonical_of("clock:stop.intent"), "clock:stop.intent");
    assert_eq!(canonical_of("clock.intent"), "clock.intent");
}

#[test]
fn ms_4_valid_topics() {
    for topic in [
        "speak",
        "ovos.utterance.handle",
        "a:b",
        "recognizer_loop:audio_output_start",
        "A-1.b_2",
    ] {
        assert!(is_valid(topic), "{topic}");
    }
    for topic in ["", ".a", "a.", "a..b", "a:.b", "a b", "a/b", "\u{e4}", "a\n", ":"] {
        assert!(!is_valid(topic), "{topic}");
    }
}

#[test]
fn every_name_of_ours_is_valid() {
    for (canonical, legacy) in TWINS {
        assert!(is_valid(canonical) && is_valid(legacy), "{canonical} {legacy}");
    }
    for topic in [
        dispatch("clock", "tell"),
        skill_topic("clock", "stop"),
        fallback_topic("clock", "request"),
        toolbox_call("ovos-clock-tools"),
        pipeline_intents("loquat"),
        is_alive("loquat"),
        is_ready("loquat"),
    ] {
        assert!(is_valid(&topic), "{topic}");
    }
}

proptest! {
    #[test]
    fn canonical_names_are_their_own(topic in "[a-z.:_]{0,20}(\\.intent)?") {
        let canonical = canonical_of(&topic);
        if !canonical.ends_with(INTENT_SUFFIX) {
            prop_assert_eq!(canonical_of(canonical), canonical);
        }
    }
}
