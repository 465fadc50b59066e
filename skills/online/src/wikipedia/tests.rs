//! Questions to Wikipedia, against a server of our own that answers in its form.

use std::sync::Arc;

use jiff::{Timestamp, ToSpan};
use loquat_agent::toolbox::{Circumstances, Outcome, ToolError, Toolbox};
use parking_lot::Mutex;
use serde_json::json;

use super::{SKILL, toolbox};
use crate::knowledge::{Knowledge, KnowledgeKind};
use crate::web::WebSettings;
use loquat_kit::Skill;
use loquat_kit::function::FunctionToolbox;
use loquat_kit::permission::{Permissions, Rules};
use loquat_kit::wording::Wording;
use loquat_trial::{Answer, Replay};

mod sentences;

const NONE: &str = r#"{"batchcomplete": true}"#;

const ADA: &str = r#"{"batchcomplete": true, "query": {"pages": [
    {"pageid": 3, "ns": 0, "title": "Analytical engine", "index": 2, "extract": "A machine. Ada Lovelace wrote of it."},
    {"pageid": 1, "ns": 0, "title": "Ada Lovelace", "index": 1,
     "extract": "Ada Lovelace (born Byron; 1815) was an English mathematician. She wrote a programme.\nMore of her life."}]}}"#;

const MERCURY: &str = r#"{"batchcomplete": true, "query": {"pages": [
    {"pageid": 1, "title": "Mercury (planet)", "index": 1, "extract": "Mercury is a planet."},
    {"pageid": 2, "title": "Mercury (element)", "index": 3, "extract": "Mercury is a metal."},
    {"pageid": 3, "title": "Mercury", "index": 2, "extract": "Mercury may refer to:", "pageprops": {"disambiguation": ""}},
    {"pageid": 4, "title": "Freddie Mercury", "index": 4, "extract": "A singer."},
    {"pageid": 5, "title": "Bohemian Rhapsody", "index": 5, "extract": "A song."}]}}"#;

struct Device {
    toolbox: FunctionToolbox,
    knowledge: Arc<Knowledge>,
    now: Arc<Mutex<Timestamp>>,
}

impl Device {
    fn asking(url: &str) -> Self {
        let settings = WebSettings {
            wikipedia_url: format!("{url}/{{lang}}/"),
            ..WebSettings::default()
        };
        let now = Arc::new(Mutex::new("2026-11-24T09:00:00Z".parse().expect("a moment")));
        let clock = Arc::clone(&now);
        let now_there = Arc::clone(&now);
        let permissions = Arc::new(Permissions::new(Rules::everything()));
        let wording = Wording::new(Skill::locales([&SKILL]).into());
        let locales = Arc::clone(&wording.locales);
        let knowledge = Knowledge::new(
            &settings,
            &permissions,
            locales,
            Arc::new(move || *now_there.lock()),
        );
        let knowledge = Arc::new(knowledge);
        let toolbox = toolbox(&knowledge.wikipedia, Arc::new(move || *clock.lock()), &wording);
        Self {
            toolbox,
            knowledge,
            now,
        }
    }

    async fn ask(&self, query: &str, lang: &str) -> Result<Outcome, ToolError> {
        let arguments = serde_json::from_value(json!({"query": query})).expect("an object");
        let person = Circumstances {
            lang: Some(lang.to_owned()),
            ..Circumstances::default()
        };
        self.toolbox.call("search_wikipedia", arguments, &person).await
    }

    async fn complaint(&self, query: &str, lang: &str) -> String {
        self.ask(query, lang).await.expect_err("a complaint").to_string()
    }
}

/// English knows Ada Lovelace, German does not.
fn english(path: &str) -> Answer {
    Answer::json(if path.starts_with("/en/") { ADA } else { NONE })
}

#[tokio::test]
async fn the_beginning_of_an_article_is_told() {
    let server = Replay::start("127.0.0.1", english).await;
    let device = Device::asking(&server.url);
    let outcome = device.ask("ada lovelace", "en-US").await.expect("an article");
    let summary = "Ada Lovelace was an English mathematician. She wrote a programme. More of her life.";
    assert_eq!(outcome.spoken.as_deref(), Some(summary));
    assert_eq!(outcome.result["title"], "Ada Lovelace");
    assert_eq!(
        outcome.result["url"],
        format!("{}/en/wiki/Ada_Lovelace", server.url)
    );
    assert_eq!(outcome.result["source"], "Wikipedia, CC BY-SA 4.0");
    let [asked] = server.questions().try_into().expect("one question");
    assert!(
        asked.starts_with("GET /en/w/api.php?format=json&") && asked.contains("user-agent: Loquat/"),
        "{asked}"
    );
    *device.now.lock() += 23.hours();
    device
        .ask("Ada Lovelace", "en")
        .await
        .expect("an article that was kept");
    assert_eq!(server.connections(), 1);
    *device.now.lock() += 2.hours();
    device.ask("Ada Lovelace", "en").await.expect("a new one");
    assert_eq!(server.connections(), 2);
}

#[tokio::test]
async fn english_helps_out_and_says_so() {
    let server = Replay::start("127.0.0.1", english).await;
    let device = Device::asking(&server.url);
    let outcome = device.ask("Ada Lovelace", "de-DE").await.expect("an article");
    let told = outcome.spoken.expect("a sentence");
    assert!(
        told.starts_with("Das habe ich nur auf Englisch gefunden: Ada Lovelace was"),
        "{told}"
    );
}

#[tokio::test]
async fn several_things_of_one_name_are_told() {
    let server = Replay::start("127.0.0.1", |_| Answer::json(MERCURY)).await;
    let device = Device::asking(&server.url);
    let outcome = device.ask("mercury", "en").await.expect("choices");
    assert_eq!(
        outcome.spoken.as_deref(),
        Some("Mercury can mean several things: Mercury (planet), Mercury (element) or Freddie Mercury.")
    );
    let choices = json!(["Mercury (planet)", "Mercury (element)", "Freddie Mercury"]);
    assert_eq!(outcome.result["choices"], choices);
}

#[tokio::test]
async fn what_the_search_only_guessed_is_nothing() {
    for body in [NONE, ADA] {
        let server = Replay::start("127.0.0.1", move |_| Answer::json(body)).await;
        let device = Device::asking(&server.url);
        for lang in ["en", "fr"] {
            let complaint = device.complaint("Grace Hopper", lang).await;
            let expected =
                "LookupError: query: Wikipedia has nothing on 'Grace Hopper'; name it in another way";
            assert_eq!(complaint, expected);
        }
    }
}

#[tokio::test]
async fn faults_are_told_in_plain_words() {
    for (answer, expected) in [
        (
            Answer::busy(),
            "has had too many questions; ask again in 180 seconds",
        ),
        (Answer::status(503), "has a fault of its own (status 503)"),
        (
            Answer::html("<html>Sign in"),
            "gave an answer that makes no sense",
        ),
        (
            Answer::json(r#"{"error": {"code": "maxlag"}}"#),
            "gave an answer that makes no sense",
        ),
        (
            Answer::json(r#"{"query": {"pages": [{"title": 7}]}}"#),
            "gave an answer that makes no sense",
        ),
        (Answer::Cut(ADA.into()), "broke off in the middle of its answer"),
        (Answer::Endless, "gave an answer that is longer than 2 MiB"),
    ] {
        let server = Replay::start("127.0.0.1", move |_| answer.clone()).await;
        let complaint = Device::asking(&server.url).complaint("Ada", "de").await;
        assert_eq!(complaint, format!("ConnectionError: Wikipedia {expected}"));
        assert_eq!(
            server.connections(),
            1,
            "{expected}: English is not asked after a fault"
        );
    }
    let complaint = Device::asking("http://127.0.0.1:1")
        .complaint(" (?) ", "en")
        .await;
    assert_eq!(
        complaint,
        "ValueError: query: is empty; name a person, a place or a thing"
    );
}

#[tokio::test]
async fn who_cannot_be_reached_is_not_asked_for_a_while() {
    let server = Replay::start("127.0.0.1", english).await;
    let unreachable = Device::asking(&server.url.replace("127.0.0.1", "127.0.0.3"));
    for _ in 0..2 {
        let complaint = unreachable.complaint("Ada Lovelace", "en").await;
        assert_eq!(complaint, "ConnectionError: Wikipedia cannot be reached");
    }
}

#[tokio::test(start_paused = true)]
async fn a_silent_server_is_given_up_soon_and_left_alone() {
    let server = Replay::start("127.0.0.1", |_| Answer::Silence).await;
    let device = Device::asking(&server.url);
    let started = tokio::time::Instant::now();
    let slow = "ConnectionError: Wikipedia did not answer in time";
    assert_eq!(device.complaint("Ada", "en").await, slow);
    assert!(
        started.elapsed() <= crate::reference::PATIENCE,
        "{:?}",
        started.elapsed()
    );
    let asked_again = tokio::time::Instant::now();
    assert_eq!(device.complaint("Grace", "en").await, slow);
    assert!(asked_again.elapsed().is_zero());
    assert_eq!(server.connections(), 1);
    *device.now.lock() += 31.seconds();
    assert_eq!(device.complaint("Grace", "en").await, slow);
    assert_eq!(server.connections(), 2);
}

#[tokio::test]
async fn questions_are_answered_without_a_tool() {
    let server = Replay::start("127.0.0.1", english).await;
    let knowledge = Device::asking(&server.url).knowledge;
    let answer = async |question: &str, lang: &str| {
        knowledge
            .answer(KnowledgeKind::Encyclopedia, question, lang)
            .await
    };
    for question in [
        "Who was Ada Lovelace?",
        "tell me about Ada Lovelace",
        "who's ada lovelace",
    ] {
        let answer = answer(question, "en-US").await.expect(question);
        assert!(
            answer.starts_with("Ada Lovelace was an English mathematician."),
            "{answer}"
        );
    }
    for question in [
        "who are you",
        "what is my name",
        "what is 5 plus 3",
        "how are you",
        "",
        "turn on the light",
    ] {
        assert_eq!(answer(question, "en-US").await, None, "{question}");
    }
    assert_eq!(server.connections(), 1, "what is no question is not asked");
    assert_eq!(
        answer("Wer war Ada Lovelace?", "de-DE").await,
        None,
        "English is not spoken to a German"
    );
}
