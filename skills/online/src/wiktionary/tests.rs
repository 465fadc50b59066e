//! Questions to Wiktionary, against a server of our own that answers in its form.

use std::sync::Arc;

use loquat_agent::toolbox::{Circumstances, Outcome, ToolError, Toolbox};
use serde_json::json;

use super::{SKILL, toolbox};
use crate::knowledge::{Knowledge, KnowledgeKind};
use crate::web::WebSettings;
use loquat_kit::Skill;
use loquat_kit::permission::{Permissions, Rules};
use loquat_kit::wording::Wording;
use loquat_trial::heard;
use loquat_trial::{Answer, Replay};

const TREE: &str = r#"{"query": {"pages": [{"ns": 0, "title": "Loquat", "missing": true},
    {"pageid": 1, "title": "loquat", "revisions": [{"slots": {"main": {"content":
    "==English==\n===Noun===\n# A [[tree]] with orange fruit.\n# The fruit itself.\n# More."}}}]}]}}"#;

const MISSING: &str = r#"{"query": {"pages": [{"ns": 0, "title": "Xyzzy", "missing": true}]}}"#;

/// The works at this server.
fn knowledge(url: &str) -> Arc<Knowledge> {
    let settings = WebSettings {
        wiktionary_url: format!("{url}/{{lang}}"),
        ..WebSettings::default()
    };
    let permissions = Arc::new(Permissions::new(Rules::everything()));
    let now = "2026-11-24T09:00:00Z".parse().expect("a moment");
    let locales = Skill::locales([&SKILL, &crate::wikipedia::SKILL]).into();
    Arc::new(Knowledge::new(
        &settings,
        &permissions,
        locales,
        Arc::new(move || now),
    ))
}

async fn define(url: &str, word: &str, lang: &str) -> Result<Outcome, ToolError> {
    let now = "2026-11-24T09:00:00Z".parse().expect("a moment");
    let wording = Wording::new(Skill::locales([&SKILL]).into());
    let toolbox = toolbox(&knowledge(url).wiktionary, Arc::new(move || now), &wording);
    let arguments = serde_json::from_value(json!({"word": word})).expect("an object");
    let person = Circumstances {
        lang: Some(lang.to_owned()),
        ..Circumstances::default()
    };
    toolbox.call("define_word", arguments, &person).await
}

fn english(path: &str) -> Answer {
    Answer::json(if path.starts_with("/en/") { TREE } else { MISSING })
}

#[tokio::test]
async fn meanings_are_told() {
    let server = Replay::start("127.0.0.1", english).await;
    let outcome = define(&server.url, "Loquat", "en-US").await.expect("meanings");
    let told = "Loquat: A tree with orange fruit. The fruit itself.";
    assert_eq!(outcome.spoken.as_deref(), Some(told));
    assert_eq!(
        outcome.result["meanings"],
        json!(["A tree with orange fruit.", "The fruit itself."])
    );
    let asked = server.questions().concat();
    assert!(asked.contains("titles=Loquat%7Cloquat "), "{asked}");
    let told = define(&server.url, "loquat", "de")
        .await
        .expect("meanings")
        .spoken
        .expect("a sentence");
    assert!(
        told.starts_with("Das habe ich nur auf Englisch gefunden: loquat: A tree"),
        "{told}"
    );
}

#[tokio::test]
async fn what_is_unknown_is_passed_on() {
    for (answer, word, expected) in [
        (
            Answer::json(MISSING),
            "xyzzy",
            "LookupError: word: Wiktionary does not know 'xyzzy'",
        ),
        (Answer::json(MISSING), "a|b", "ValueError: word: is no word"),
        (
            Answer::json("{}"),
            "x",
            "ConnectionError: Wiktionary gave an answer that makes no sense",
        ),
        (
            Answer::html("<html>"),
            "x",
            "ConnectionError: Wiktionary gave an answer that makes no sense",
        ),
        (
            Answer::busy(),
            "x",
            "ConnectionError: Wiktionary has had too many questions; ask again in 180 seconds",
        ),
        (
            Answer::status(500),
            "x",
            "ConnectionError: Wiktionary has a fault of its own (status 500)",
        ),
        (
            Answer::Cut(TREE.into()),
            "x",
            "ConnectionError: Wiktionary broke off in the middle of its answer",
        ),
    ] {
        let server = Replay::start("127.0.0.1", move |_| answer.clone()).await;
        let complaint = define(&server.url, word, "en")
            .await
            .expect_err("a complaint")
            .to_string();
        assert!(complaint.starts_with(expected), "{complaint}");
    }
}

#[tokio::test]
async fn questions_are_answered_without_a_tool() {
    let server = Replay::start("127.0.0.1", english).await;
    let knowledge = knowledge(&server.url);
    for question in [
        "What does loquat mean?",
        "define loquat",
        "what is the meaning of loquat",
    ] {
        let answer = knowledge
            .answer(KnowledgeKind::Dictionary, question, "en-US")
            .await;
        assert_eq!(
            answer.as_deref(),
            Some("A tree with orange fruit. The fruit itself."),
            "{question}"
        );
    }
    for question in ["what does that mean", "what is a loquat doing here", "hello"] {
        assert_eq!(
            knowledge
                .answer(KnowledgeKind::Dictionary, question, "en-US")
                .await,
            None,
            "{question}"
        );
    }
}

#[test]
fn people_are_understood() {
    for (lang, said, word) in [
        ("en-us", "What does serendipity mean?", "serendipity"),
        ("en-us", "define serendipity", "serendipity"),
        ("en-us", "what is the definition of loquat", "loquat"),
        ("de-de", "Was bedeutet Prokrastination?", "Prokrastination"),
        ("de-de", "Was heißt Quintessenz?", "Quintessenz"),
        ("fr-fr", "Que veut dire procrastination ?", "procrastination"),
        ("fr-fr", "Que signifie sérendipité ?", "sérendipité"),
        ("es-es", "¿Qué significa serendipia?", "serendipia"),
        ("pt-pt", "O que significa saudade?", "saudade"),
        ("it-it", "Che cosa significa serendipità?", "serendipità"),
        ("it-it", "definisci serendipità", "serendipità"),
    ] {
        let call = heard(&[&SKILL], said, lang).unwrap_or_else(|| panic!("{said} ({lang})"));
        assert_eq!(
            (call.tool.as_str(), call.arguments["word"].as_str()),
            ("define_word", Some(word)),
            "{said}"
        );
    }
}
