//! The community's sentences beside ours: their order, and sentences that are said later.

use std::path::PathBuf;

use loquat_models::Pack;
use serde_json::json;

use super::super::community::Community;
use super::*;

fn with_pack() -> SpokenTools {
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
            json!({"command": "set a pasta timer for one hour", "minutes": 5.0}),
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

/// Sentences for no tool, in six languages.
const UNRELATED: [(&str, &str); 6] = [
    (
        "en-US",
        include_str!("../../../../tests/integration/home/unrelated/en.txt"),
    ),
    (
        "de-DE",
        include_str!("../../../../tests/integration/home/unrelated/de.txt"),
    ),
    (
        "fr-FR",
        include_str!("../../../../tests/integration/home/unrelated/fr.txt"),
    ),
    (
        "es-ES",
        include_str!("../../../../tests/integration/home/unrelated/es.txt"),
    ),
    (
        "it-IT",
        include_str!("../../../../tests/integration/home/unrelated/it.txt"),
    ),
    (
        "pt-PT",
        include_str!("../../../../tests/integration/home/unrelated/pt.txt"),
    ),
];

#[test]
fn what_is_for_no_tool_is_no_guess_either() {
    let spoken = with_pack();
    let mut caught = Vec::new();
    for (lang, sentences) in UNRELATED {
        for text in sentences.lines() {
            caught.extend(spoken.recognise(text, lang).map(|found| (text, found)));
        }
    }
    assert!(caught.is_empty(), "{caught:#?}");
}

#[test]
#[ignore = "prints what guesses cost"]
fn guesses_cost_little() {
    let spoken = with_pack();
    let names: Vec<String> = (0..1_000)
        .map(|number| format!("{} lamp {number}", ["desk", "hall", "attic"][number % 3]))
        .collect();
    let near = super::super::nearly::NearNames::new(names.iter().map(String::as_str));
    for (lang, sentences) in UNRELATED {
        let mut costs: Vec<[f64; 3]> = Vec::new();
        for text in sentences.lines() {
            let said = loquat_sentences::words::words_and_figures(text);
            let timed = |work: &dyn Fn()| {
                let start = std::time::Instant::now();
                work();
                start.elapsed().as_secs_f64() * 1e3
            };
            let understood = timed(&|| drop(spoken.understood(text, lang)));
            let nearly = timed(&|| drop(spoken.nearly(text, lang)));
            let corrected = timed(&|| drop(near.corrections(&said, 6)));
            costs.push([understood, nearly, corrected]);
        }
        for (at, what) in ["understood", "nearly", "names"].into_iter().enumerate() {
            let mut of: Vec<f64> = costs.iter().map(|cost| cost[at]).collect();
            of.sort_by(f64::total_cmp);
            println!(
                "{lang} {what}: median {:.3} ms, most {:.3} ms",
                of[of.len() / 2],
                of[of.len() - 1]
            );
        }
    }
}
