//! The community's sentences beside ours: their order, and sentences that are said later.

use std::path::PathBuf;

use loquat_models::Pack;
use serde_json::json;

use super::super::community::Community;
use super::*;

pub(super) fn with_pack() -> SpokenTools {
    let models = std::env::var_os("LOQUAT_TEST_MODELS")
        .expect("LOQUAT_TEST_MODELS names the folder of models; `make test` fetches them and sets it");
    let catalogue = loquat_models::Catalogue::embedded();
    let known = catalogue
        .first_of(loquat_models::Kind::Sentences)
        .expect("a pack");
    let pack = Pack::open(&PathBuf::from(models).join(&known.file)).expect("the pack");
    let community = Some(Community::new(pack, None, ["en-US"]));
    SpokenTools {
        community,
        ..spoken()
    }
}

/// The tool and its arguments.
fn called(spoken: &SpokenTools, text: &str) -> Option<(String, Value)> {
    let found = spoken.recognise(text, "en-US")?;
    let call = spoken.call(&found.intent_name, text, "en-US")?.call;
    Some((call.tool, Value::Object(call.arguments)))
}

#[test]
fn theirs_come_first_where_all_words_are_known_and_last_where_any_fit() {
    let spoken = with_pack();
    for (text, tool, arguments) in [
        ("pause the timer", "pause_timer", json!({})),
        ("set the volume to 50%", "set_volume", json!({"percent": 50.0})),
        (
            "remind me to start dinner in 3 hours",
            "set_reminder",
            json!({"text": "start dinner", "duration": "3 hours"}),
        ),
        (
            "set a pasta timer for one hour in 5 minutes",
            "do_later",
            json!({"command": "set a pasta timer for one hour", "time": "in 5 minutes"}),
        ),
    ] {
        assert_eq!(
            called(&spoken, text),
            Some((tool.to_owned(), arguments)),
            "{text}"
        );
    }
}

#[test]
fn what_is_said_later_is_said_once_later_and_no_nest_of_delays_is_unfolded() {
    let spoken = with_pack();
    let delayed = "xyzzy".to_owned() + &" in 5 minutes".repeat(11);
    assert_eq!(called(&spoken, &delayed), None);
    assert_eq!(called(&spoken, "pause the timer in 5 minutes in 5 minutes"), None);
}

#[test]
fn what_names_an_alert_by_its_moment_does_not_wait_for_it() {
    let spoken = with_pack();
    for (lang, text) in [
        ("en-US", "cancel the timer at half past nine"),
        ("en-US", "delete the alarm on Sunday morning at ten"),
        ("en-US", "move the alarm to eight on Monday at nine"),
        ("de-DE", "lösch den Wecker morgen früh um zehn"),
    ] {
        let waits = spoken.deferred(text, lang).is_some();
        assert!(!waits, "{lang}: {text}");
    }
    assert!(
        spoken
            .deferred("pause the timer at half past nine", "en-US")
            .is_some()
    );
}

/// Sentences for no tool, in six languages.
const UNRELATED: [(&str, &str); 6] = [
    (
        "en-US",
        include_str!("../../../../../../tests/integration/home/unrelated/en.txt"),
    ),
    (
        "de-DE",
        include_str!("../../../../../../tests/integration/home/unrelated/de.txt"),
    ),
    (
        "fr-FR",
        include_str!("../../../../../../tests/integration/home/unrelated/fr.txt"),
    ),
    (
        "es-ES",
        include_str!("../../../../../../tests/integration/home/unrelated/es.txt"),
    ),
    (
        "it-IT",
        include_str!("../../../../../../tests/integration/home/unrelated/it.txt"),
    ),
    (
        "pt-PT",
        include_str!("../../../../../../tests/integration/home/unrelated/pt.txt"),
    ),
];

#[test]
fn what_is_for_no_tool_is_no_guess_either() {
    let spoken = with_pack();
    let mut caught = Vec::new();
    for (lang, sentences) in UNRELATED {
        for text in sentences.lines() {
            let found = spoken.recognise(text, lang);
            let found = found.or_else(|| spoken.guess(text, lang));
            caught.extend(found.map(|found| (text, found)));
            assert_eq!(spoken.refrains(text, lang), None, "{text}");
        }
    }
    assert!(caught.is_empty(), "{caught:#?}");
}

#[test]
fn words_that_are_slight_in_english_are_not_left_out_in_languages_that_are_not_ours() {
    let spoken = with_pack();
    assert!(spoken.recognise("hoe laat is het", "nl-NL").is_some());
    // One that stands twice is needless in every language.
    assert!(spoken.guess("hoe laat is is het", "nl-NL").is_some());
    assert_eq!(spoken.guess("hoe laat is het in", "nl-NL"), None);
    assert!(spoken.guess("what time is it in", "en-US").is_some());
}
