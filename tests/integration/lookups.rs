//! Personas that look questions up: answers of recorded servers on loopback, and the handler behind where there is none.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use loquat_tests::brain::Reply;
use loquat_tests::daemon::Launch;
use loquat_tests::home::free_port;
use loquat_tests::turn::Utterance;
use serde_json::{Value, json};
use tokio::time::Instant;

use crate::story::{Scene, Story, assert_sentence};

const TOWER: &str = r#"{"query": {"pages": [{"pageid": 1, "title": "Eiffel Tower", "index": 1,
    "extract": "The Eiffel Tower is an iron tower in Paris."}]}}"#;
const TURM: &str = r#"{"query": {"pages": [{"pageid": 1, "title": "Eiffelturm", "index": 1,
    "extract": "Der Eiffelturm ist ein Turm aus Eisen in Paris."}]}}"#;
const WORD: &str = r#"{"query": {"pages": [{"pageid": 1, "title": "frugal", "revisions": [{"slots": {"main": {"content":
    "==English==\n===Adjective===\n# Careful with money."}}}]}]}}"#;
const NOTHING: &str = r#"{"query": {"pages": [{"ns": 0, "title": "Xyzzy", "missing": true}]}}"#;
const RESULTS: &str = r#"{"results": [{"url": "https://example.org/", "title": "Tower", "content": "It is 330 metres tall."}]}"#;

const QUESTION: &str = "What is the Eiffel Tower?";
const SUMMARY: &str = "The Eiffel Tower is an iron tower in Paris.";

/// A server that has been recorded; what it is asked is counted.
struct Works {
    url: String,
    asked: Arc<AtomicUsize>,
    is_silent: Arc<AtomicBool>,
}

impl Works {
    fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let asked = Arc::new(AtomicUsize::new(0));
        let is_silent = Arc::new(AtomicBool::new(false));
        let (count, silent) = (Arc::clone(&asked), Arc::clone(&is_silent));
        std::thread::spawn(move || {
            let mut held = Vec::new();
            for stream in listener.incoming().map_while(Result::ok) {
                count.fetch_add(1, Ordering::SeqCst);
                if silent.load(Ordering::SeqCst) {
                    held.push(stream);
                } else {
                    answer(stream);
                }
            }
        });
        Self {
            url,
            asked,
            is_silent,
        }
    }

    fn asked(&self) -> usize {
        self.asked.load(Ordering::SeqCst)
    }
}

fn answer(mut stream: TcpStream) {
    let mut lines = BufReader::new(stream.try_clone().unwrap())
        .lines()
        .map_while(Result::ok);
    let path = lines.next().unwrap_or_default();
    for line in lines {
        if line.is_empty() {
            break;
        }
    }
    let body = match path.to_lowercase() {
        path if path.contains("/search?") => RESULTS,
        path if path.contains("frugal") => WORD,
        path if path.contains("/de/") && path.contains("eiffelturm") => TURM,
        path if path.contains("/en/") && path.contains("eiffel") => TOWER,
        _ => NOTHING,
    };
    let length = body.len();
    let head = format!(
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n"
    );
    drop(stream.write_all((head + body).as_bytes()));
}

fn scene(url: &str) -> Scene {
    let scene = Scene::default();
    for key in ["wikipedia_url", "wiktionary_url"] {
        scene
            .home
            .setting(&format!("web.{key}"), &format!("\"{url}/{{lang}}\""));
    }
    scene
}

fn write(scene: &Scene, name: &str, file: &Value) {
    scene
        .home
        .write(&format!("config/ovos_persona/{name}.json"), &file.to_string());
}

/// A persona that looks up and then asks a brain.
fn looking(scene: &Scene, plugins: &[&str]) {
    let brain = json!({"module": "ovos-solver-openai-plugin", "api_url": scene.brain.url("behind"),
        "key": "sk-scripted", "model": "m"});
    let plugins = plugins.iter().map(|plugin| json!(plugin));
    let solvers: Vec<Value> = plugins.chain([brain]).collect();
    write(scene, "Looking", &json!({"name": "Looking", "solvers": solvers}));
}

async fn answered(story: &Story, persona: &str, said: &str, lang: &str) -> String {
    let utterance = Utterance::new(said)
        .to(persona)
        .in_session(persona)
        .session("lang", json!(lang));
    let turn = utterance.ask(&story.probe).await;
    turn.assert_ended_once();
    turn.answer().to_owned()
}

async fn play(scene: Scene) -> Story {
    let tester = scene.tester();
    let story = scene.play(&tester).await;
    story
        .brain
        .whenever("behind", "", Reply::answers("The brain has it."));
    story
}

#[tokio::test]
async fn what_is_found_is_answered_in_the_language_and_in_the_order_of_the_file() {
    let works = Works::start();
    let scene = scene(&works.url);
    looking(
        &scene,
        &["ovos-solver-wordnet-plugin", "ovos-solver-wikipedia-plugin"],
    );
    let story = play(scene).await;
    for (said, lang, expected) in [
        (QUESTION, "en-US", SUMMARY),
        (
            "Was ist der Eiffelturm?",
            "de-DE",
            "Der Eiffelturm ist ein Turm aus Eisen in Paris.",
        ),
        ("What does frugal mean?", "en-US", "Frugal: Careful with money."),
    ] {
        assert_eq!(answered(&story, "Looking", said, lang).await, expected, "{said}");
    }
    assert!(story.brain.requests("behind").is_empty());
    // What English knows is no answer to a German question, and what asks nothing goes nowhere.
    let before = works.asked();
    assert_eq!(
        answered(&story, "Looking", "Turn on the light", "en-US").await,
        "The brain has it."
    );
    assert_eq!(works.asked(), before);
    assert_eq!(
        answered(&story, "Looking", "Was ist der Eiffel Tower?", "de-DE").await,
        "The brain has it."
    );
    let request = story.brain.requests("behind").pop().unwrap().text();
    assert!(request.contains(SUMMARY), "the conversation is one: {request}");
}

#[tokio::test]
async fn a_search_server_is_asked_where_there_is_one() {
    let works = Works::start();
    let scene = scene(&works.url);
    scene
        .home
        .setting("web.search_url", &format!("\"{}\"", works.url));
    looking(&scene, &["ovos-solver-ddg-plugin"]);
    let story = play(scene).await;
    for said in ["How tall is the Eiffel Tower?", "Where is the Eiffel Tower?"] {
        let answer = answered(&story, "Looking", said, "en-US").await;
        assert_eq!(
            answer, "The first thing I found is Tower: It is 330 metres tall.",
            "{said}"
        );
    }
    assert!(story.brain.requests("behind").is_empty());
}

#[tokio::test]
async fn without_a_network_the_next_handler_answers_at_once() {
    let scene = scene(&format!("http://127.0.0.1:{}", free_port()));
    looking(
        &scene,
        &[
            "ovos-solver-wikipedia-plugin",
            "ovos-solver-ddg-plugin",
            "ovos-solver-wordnet-plugin",
        ],
    );
    let story = play(scene).await;
    for _ in 0..2 {
        assert_eq!(
            answered(&story, "Looking", QUESTION, "en-US").await,
            "The brain has it."
        );
    }
}

#[tokio::test]
async fn a_silent_server_costs_a_few_seconds_once() {
    let works = Works::start();
    works.is_silent.store(true, Ordering::SeqCst);
    let scene = scene(&works.url);
    looking(
        &scene,
        &["ovos-solver-wikipedia-plugin", "ovos-solver-ddg-plugin"],
    );
    let story = play(scene).await;
    let began = Instant::now();
    assert_eq!(
        answered(&story, "Looking", QUESTION, "en-US").await,
        "The brain has it."
    );
    let first = began.elapsed();
    assert!(first < Duration::from_secs(6), "{first:?}");
    let asked = works.asked();
    assert_eq!(
        answered(&story, "Looking", QUESTION, "en-US").await,
        "The brain has it."
    );
    assert_eq!(works.asked(), asked, "a server that is silent is left alone");
}

/// The names in OVOS's marketplace of personas whose only plugin is one for OpenAI's protocol.
const MARKET: [&str; 45] = [
    "The Philosopher",
    "Sherlock",
    "Caveman",
    "Socratic Tutor",
    "Zen Master",
    "The Chef",
    "Pirate Captain",
    "Coding Wizard",
    "Noir Detective",
    "Enthusiastic Intern",
    "Grumpy Old Man",
    "Steampunk Inventor",
    "Fantasy Narrator",
    "Drunk Viking",
    "Cyberpunk Netrunner",
    "Victorian Lady",
    "NASA Mission Control",
    "Yoga Instructor",
    "Angry Gordon",
    "Shakespearean Actor",
    "Southern Belle",
    "1337 H4x0r",
    "Valley Girl",
    "Stoic Warrior",
    "Mad Scientist",
    "Ancient Roman",
    "Space Marine",
    "Gothic Poet",
    "Hippie Dreamer",
    "Corporate Bot",
    "Femme Fatale",
    "Samurai Master",
    "Disco King",
    "Future Robot",
    "Alien Researcher",
    "Conspiracy Theorist",
    "Friendly Neighbor",
    "Medieval Alchemist",
    "Time Traveler",
    "Jazz Musician",
    "Sports Commentator",
    "Survivalist",
    "Old School Librarian",
    "The Oracle",
    "OpenAI Assistant",
];

/// The others, with their plugins, a question, and the answer of the recorded server. Where there is none, the plugins are
/// passed over, and the model of this device answers.
const OTHERS: [(&str, &[&str], &str, Option<&str>); 6] = [
    (
        "OldSchoolBot",
        &[
            "ovos-solver-wikipedia-plugin",
            "ovos-solver-ddg-plugin",
            "ovos-solver-wordnet-plugin",
            "ovos-solver-rivescript-plugin",
        ],
        "What does frugal mean?",
        Some("Frugal: Careful with money."),
    ),
    (
        "Wikipedia",
        &["ovos-solver-wikipedia-plugin"],
        QUESTION,
        Some(SUMMARY),
    ),
    ("DuckDuckGo", &["ovos-solver-ddg-plugin"], QUESTION, Some(SUMMARY)),
    (
        "WordNet",
        &["ovos-solver-wordnet-plugin"],
        "What does frugal mean?",
        Some("Frugal: Careful with money."),
    ),
    (
        "Wolfram Alpha",
        &["ovos-solver-plugin-wolfram-alpha"],
        QUESTION,
        None,
    ),
    ("RiveScript", &["ovos-solver-rivescript-plugin"], QUESTION, None),
];

#[tokio::test]
async fn every_persona_of_the_marketplace_answers() {
    let works = Works::start();
    let scene = scene(&works.url);
    for name in MARKET {
        let plugin = json!({"persona": format!("You are {name}."), "api_url": scene.brain.url("market"), "key": "sk-scripted"});
        let file = json!({"name": name, "solvers": ["ovos-solver-openai-plugin", "ovos-solver-failure-plugin"],
            "ovos-solver-openai-plugin": plugin, "description": "d", "catch_phrase": "c"});
        write(&scene, name, &file);
    }
    for (name, plugins, ..) in OTHERS {
        let solvers: Vec<&str> = plugins
            .iter()
            .copied()
            .chain(["ovos-solver-failure-plugin"])
            .collect();
        write(
            &scene,
            name,
            &json!({"name": name, "solvers": solvers, "description": "d", "catch_phrase": "c"}),
        );
    }
    let listed = Launch::new(&scene.home, &["--json", "personas"]).run().await;
    let listed: Value = serde_json::from_str(&listed.stdout).unwrap();
    let names = listed["personas"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|persona| persona["name"].as_str());
    let names: Vec<&str> = names.collect();
    let all = MARKET.iter().chain(OTHERS.iter().map(|(name, ..)| name));
    assert_eq!(all.clone().count(), 51);
    for name in all {
        assert!(names.contains(name), "{name} is not loaded: {listed}");
    }
    let story = play(scene).await;
    story
        .brain
        .whenever("market", "", Reply::answers("It is a tower."));
    for name in MARKET {
        assert_eq!(
            answered(&story, name, QUESTION, "en-US").await,
            "It is a tower.",
            "{name}"
        );
    }
    for (name, _, question, expected) in OTHERS {
        let answer = answered(&story, name, question, "en-US").await;
        if let Some(expected) = expected {
            assert_eq!(answer, expected, "{name}");
            continue;
        }
        assert_sentence(&answer);
        assert!(
            answer.contains("loquat"),
            "it is the model of this device that is missing: {answer}"
        );
    }
}
