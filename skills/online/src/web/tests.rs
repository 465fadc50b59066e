//! Searching and reading, against servers on this machine of which one stands for the world.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;

use jiff::Timestamp;
use loquat_agent::toolbox::{Circumstances, Outcome, ToolError, Toolbox};
use serde_json::{Value, json};

use super::{Pages, SKILL, Searching, WebSettings, toolbox};
use crate::knowledge::Knowledge;
use loquat_kit::Skill;
use loquat_kit::calendar::Now;
use loquat_kit::function::FunctionToolbox;
use loquat_kit::permission::{Permissions, Rules};
use loquat_kit::wording::Wording;
use loquat_trial::{Answer, Replay};

mod attacks;

fn now() -> Timestamp {
    "2026-11-24T09:00:00Z".parse().expect("a moment")
}

fn made(settings: &WebSettings, rules: Rules) -> FunctionToolbox {
    let permissions = Arc::new(Permissions::new(rules));
    let wording = Wording::new(Skill::locales([&SKILL]).into());
    let knowledge = Knowledge::new(
        settings,
        &permissions,
        Arc::clone(&wording.locales),
        Arc::new(now),
    );
    let searching = Searching::new(settings, &permissions, knowledge.wikipedia);
    let pages = Pages::new(settings, &permissions);
    toolbox(
        Arc::new(searching),
        Arc::new(pages),
        &(Arc::new(now) as Now),
        &wording,
    )
}

async fn call(settings: WebSettings, tool: &str, arguments: Value) -> Result<Outcome, ToolError> {
    let toolbox = made(&settings, Rules::everything());
    let arguments = serde_json::from_value(arguments).expect("an object");
    let person = Circumstances {
        lang: Some("de-DE".to_owned()),
        ..Circumstances::default()
    };
    toolbox.call(tool, arguments, &person).await
}

fn searching_at(url: &str) -> WebSettings {
    WebSettings {
        search_url: Some(url.to_owned()),
        contact: Some("me@example.org".to_owned()),
        ..WebSettings::default()
    }
}

const HITS: &str = r#"{"query": "loquat", "number_of_results": 0, "results": [
    {"url": "https://example.org/loquat", "title": "Loquat\n tree", "content": "An evergreen.", "engine": "x", "score": 1.0},
    {"url": "javascript:alert(1)", "title": "Bad", "content": ""},
    {"url": "https://example.org/two", "title": "Two", "content": null},
    {"url": "https://example.org/three", "title": "Three"}], "answers": [], "unresponsive_engines": []}"#;

#[tokio::test]
async fn a_search_server_of_one_s_own_is_asked() {
    let server = Replay::start("127.0.0.1", |_| Answer::json(HITS)).await;
    let arguments = json!({"query": "loquat tree", "max_results": 2});
    let outcome = call(searching_at(&server.url), "web_search", arguments)
        .await
        .expect("results");
    assert_eq!(
        Value::Object(outcome.result),
        json!({"results": [
            {"title": "Loquat tree", "url": "https://example.org/loquat", "snippet": "An evergreen."},
            {"title": "Two", "url": "https://example.org/two", "snippet": ""},
        ], "query": "loquat tree"})
    );
    let told = outcome.spoken.expect("a sentence");
    assert_eq!(told, "Als Erstes habe ich Loquat tree gefunden: An evergreen.");
    let [asked] = server.questions().try_into().expect("one question");
    assert!(
        asked.starts_with("GET /search?q=loquat+tree&format=json&language=de "),
        "{asked}"
    );
    assert!(
        asked.contains("user-agent: Loquat/") && asked.contains("; me@example.org)"),
        "{asked}"
    );
}

#[tokio::test]
async fn without_one_wikipedia_is_searched() {
    let hits = r#"{"batchcomplete": true, "query": {"search": [
        {"ns": 0, "title": "Wollmispel & Co", "pageid": 1, "snippet": "Die <span class=\"searchmatch\">Wollmispel</span> &quot;x&quot;"}]}}"#;
    let server = Replay::start("127.0.0.1", move |_| Answer::json(hits)).await;
    let settings = WebSettings {
        wikipedia_url: format!("{}/{{lang}}", server.url),
        ..WebSettings::default()
    };
    let outcome = call(settings, "web_search", json!({"query": "Wollmispel"}))
        .await
        .expect("results");
    let url = format!("{}/de/wiki/Wollmispel_%26_Co", server.url);
    assert_eq!(
        outcome.result["results"],
        json!([{"title": "Wollmispel & Co", "url": url, "snippet": "Die Wollmispel \"x\""}])
    );
}

#[tokio::test]
async fn faults_of_a_search_are_told() {
    for (answer, expected) in [
        (
            Answer::json(r#"{"results": []}"#),
            "LookupError: query: the search server found nothing",
        ),
        (
            Answer::status(403),
            "ConnectionError: the search server gives no JSON",
        ),
        (
            Answer::status(502),
            "ConnectionError: the search server has a fault of its own (status 502)",
        ),
        (
            Answer::busy(),
            "ConnectionError: the search server has had too many questions; ask again in 180 seconds",
        ),
        (
            Answer::html("<p>Sign in"),
            "ConnectionError: the search server gave an answer that makes no sense",
        ),
        (
            Answer::json("[]"),
            "ConnectionError: the search server gave an answer that makes no sense",
        ),
        (
            Answer::Cut(HITS.into()),
            "ConnectionError: the search server broke off",
        ),
        (
            Answer::elsewhere("http://127.0.0.2/"),
            "ConnectionError: the search server has a fault of its own (status 302)",
        ),
    ] {
        let server = Replay::start("127.0.0.1", move |_| answer.clone()).await;
        let complaint = call(searching_at(&server.url), "web_search", json!({"query": "x"})).await;
        let complaint = complaint.expect_err("a complaint").to_string();
        assert!(complaint.starts_with(expected), "{complaint}");
    }
    let complaint = call(WebSettings::default(), "web_search", json!({"query": " "})).await;
    assert!(
        complaint
            .expect_err("a complaint")
            .to_string()
            .starts_with("ValueError: query: ")
    );
}

#[tokio::test]
async fn what_sends_is_marked_as_sending() {
    for tool in made(&WebSettings::default(), Rules::default()).tools().iter() {
        assert!(
            !tool.read_only && tool.brings_foreign_text && tool.idempotent,
            "{}",
            tool.name
        );
    }
}

/// Stands for a server of the world.
const WORLD: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 2);

fn is_world(address: IpAddr) -> bool {
    address == IpAddr::V4(WORLD)
}
