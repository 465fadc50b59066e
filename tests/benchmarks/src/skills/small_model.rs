//! Requests in English to a real small model, one persona for each skill, without intents: is the right tool called, and is
//! the answer right?

use std::cell::RefCell;
use std::fs;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use loquat_tests::daemon::Daemon;
use loquat_tests::frame::Frame;
use loquat_tests::home::Home;
use loquat_tests::home_assistant::{FakeHomeAssistant, Manner};
use loquat_tests::models;
use loquat_tests::probe::BusProbe;
use loquat_tests::turn::Utterance;
use serde_json::{Map, Value, json};

use super::entry::{Entry, Request};
use super::hundred::{Answered, Made};
use super::room::furnished;
use super::world::World;

/// A request on a busy machine without a graphics card.
const THINKING: Duration = Duration::from_secs(300);

/// The engine.
const ENGINE: &str = "ovos-react-loop";

/// As the persona that the program brings along says it.
const INSTRUCTIONS: &str = "You are a voice assistant. Your answer is spoken aloud, so answer in one or two short, \
     plain sentences. Use a tool whenever one fits, and say what it returned.";

/// What came of a request.
#[derive(Debug, Clone)]
pub struct Mark {
    /// Whether the right tool brought a right answer.
    pub right: bool,
    /// How long the answer took.
    pub took: Duration,
    /// What was called and said.
    pub told: String,
    /// Locks, doors, alarms and garages that moved although no yes was asked for.
    pub unasked: Vec<String>,
}

/// A daemon with the model and a persona for each skill.
#[derive(Debug)]
pub struct Class {
    probe: BusProbe,
    _daemon: Daemon,
    _home: Home,
    _world: World,
    home_assistant: FakeHomeAssistant,
}

impl Class {
    /// Opens it with this model.
    ///
    /// # Errors
    /// Where the model is missing.
    pub async fn open(model: &str, entries: &[Entry]) -> Result<Self> {
        let folder =
            models::folder().context("LOQUAT_TEST_MODELS names no folder; `make bench-skills` sets it")?;
        let file = folder.join(format!("{model}.gguf"));
        ensure!(
            file.is_file(),
            "{} is missing; `loquat models fetch {model}` brings it",
            file.display()
        );
        let home = Home::without_bus();
        let world = furnished(&home).await;
        let home_assistant = FakeHomeAssistant::start(Manner::Good).await;
        home_assistant.furnish(&home);
        let file = fs::canonicalize(file)?.display().to_string();
        home.setting("local_brain.model", &format!("{file:?}"));
        home.setting("services.allowed", "[\"radio.service\"]");
        // The probe is a client of the bus, and says yes.
        home.setting("desk.consent_from", "\"bus\"");
        for entry in entries {
            let persona = persona(entry).to_string();
            home.write(&format!("config/ovos_persona/{}.json", entry.name), &persona);
        }
        let (daemon, probe) = Daemon::start(&home).await;
        Ok(Self {
            probe,
            _daemon: daemon,
            _home: home,
            _world: world,
            home_assistant,
        })
    }

    /// Makes a request to the persona that the program brings along, in this session, and says yes to what is asked.
    pub async fn put(&self, session: &str, text: &str, lang: &str) -> Answered {
        let utterance = Utterance::new(text)
            .in_session(session)
            .session("lang", json!(lang))
            .patience(THINKING);
        let (result, answer, asked) = self.answered(session, &utterance).await;
        let calls = calls(&result);
        let good = calls.iter().filter(|call| call["success"] == true);
        let questions = if asked.is_empty() {
            String::new()
        } else {
            format!("({}) ", asked.join(" "))
        };
        Answered {
            called: good.filter_map(made).collect(),
            told: format!("{questions}{} -> {answer}", names(&calls)),
            asked,
            answer,
            took: seconds(&result),
        }
    }

    /// Makes a request in a session of its own, and says yes to what is asked.
    pub async fn ask(&self, entry: &Entry, number: usize, request: &Request) -> Mark {
        let session = format!("{}-{number}", entry.name);
        let utterance = Utterance::new(&request.0)
            .to(&entry.name)
            .in_session(&session)
            .patience(THINKING);
        let (result, answer, asked) = self.answered(&session, &utterance).await;
        let calls = calls(&result);
        let called = calls
            .iter()
            .any(|call| call["tool"] == json!(request.1) && call["success"] == true);
        Mark {
            right: called && answer.to_lowercase().contains(&request.2.to_lowercase()),
            took: seconds(&result),
            told: format!("{} -> {answer}", names(&calls)),
            unasked: self
                .home_assistant
                .guarded_moves()
                .into_iter()
                .filter(|_| asked.is_empty())
                .collect(),
        }
    }

    /// What is told of the turn, what was said last, and what was asked first, to which yes was said.
    async fn answered(&self, session: &str, utterance: &Utterance) -> (Value, String, Vec<String>) {
        let mark = utterance.enter(&self.probe).await;
        let asked = RefCell::default();
        let (turn, ()) = tokio::join!(utterance.end(&self.probe, mark), async {
            tokio::select! {
                () = self.assent(session, mark, &asked) => {}
                _ = self.probe.try_wait(mark, THINKING, |frame| utterance.owns(frame) && frame.topic == loquat_tests::turn::HANDLED) => {}
            }
        });
        let mut results = turn.frames.iter();
        let result = results.rfind(|frame| frame.topic == "loquat.turn.result");
        let result = result.map(|frame| frame.data.clone()).unwrap_or_default();
        let answer = turn.spoken().last().map(|frame| frame.utterance().to_owned());
        (result, answer.unwrap_or_default(), asked.into_inner())
    }

    /// Says yes whenever something is asked in this session.
    async fn assent(&self, session: &str, mut mark: usize, asked: &RefCell<Vec<String>>) {
        loop {
            let asks = |frame: &Frame| {
                frame.session_id() == session
                    && frame.topic == "speak"
                    && frame.data["expect_response"] == true
            };
            let Some(question) = self.probe.try_wait(mark, THINKING, asks).await else {
                return;
            };
            asked.borrow_mut().push(question.utterance().to_owned());
            mark = self.probe.mark();
            Utterance::new("Yes").in_session(session).enter(&self.probe).await;
        }
    }
}

fn calls(result: &Value) -> Vec<Value> {
    result["results"].as_array().cloned().unwrap_or_default()
}

fn made(call: &Value) -> Option<Made> {
    Some(Made {
        tool: call["tool"].as_str()?.to_owned(),
        arguments: call["arguments"].as_object().cloned().unwrap_or_default(),
    })
}

/// The calls as a reader sees them.
fn names(calls: &[Value]) -> String {
    let name = |call: &Value| {
        format!(
            "{}({})",
            call["tool"].as_str().unwrap_or_default(),
            call["arguments"]
        )
    };
    calls.iter().map(name).collect::<Vec<_>>().join(", ")
}

fn seconds(result: &Value) -> Duration {
    Duration::from_secs_f64(result["seconds"].as_f64().unwrap_or_default())
}

fn persona(entry: &Entry) -> Value {
    let mut engine = Map::new();
    engine.insert("brain".to_owned(), json!("loquat-local-brain"));
    engine.insert("toolboxes".to_owned(), json!([entry.toolbox]));
    if !entry.settings.is_empty() {
        engine.insert(entry.toolbox.clone(), json!(entry.settings));
    }
    json!({
        "name": entry.name,
        "handlers": [ENGINE],
        ENGINE: engine,
        "intents": false,
        "budget": {"deadline_seconds": THINKING.as_secs() * 9 / 10},
        "system_prompt": INSTRUCTIONS,
    })
}
