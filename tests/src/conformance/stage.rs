//! One daemon for all scenarios, with a persona, a brain and tools for each of them.

use std::collections::BTreeSet;
use std::time::Duration;

use serde_json::{Value, json};

use super::scenario::Scenario;
use super::tools::{ToolboxIds, Toolboxes};
use crate::brain::ScriptedBrain;
use crate::daemon::Daemon;
use crate::home::Home;
use crate::probe::BusProbe;
use crate::turn::{Turn, Utterance};

/// How long one turn may take; a scripted brain answers at once, so this is for what hangs.
const PATIENCE: Duration = Duration::from_secs(30);

/// How long a persona file may take to be listed.
const LISTING: Duration = Duration::from_secs(10);

/// The running daemon and everything around it.
#[derive(Debug)]
pub struct Stage {
    home: Home,
    brain: ScriptedBrain,
    daemon: Daemon,
    probe: BusProbe,
    toolboxes: Toolboxes,
    served: BTreeSet<String>,
}

/// What came of one scenario, in the form that the judge takes.
#[derive(Debug, Clone)]
pub struct Performance {
    /// `final_answer`, `brain_calls`, `tool_calls`, `requests` and `request_chars`.
    pub run: Value,
    /// What went wrong around the turn itself.
    pub faults: Vec<String>,
}

impl Stage {
    /// Writes all personas and starts the daemon on a bus of its own.
    pub async fn set(scenarios: &[Scenario]) -> Self {
        let home = Home::without_bus();
        let brain = ScriptedBrain::start();
        let ids = ToolboxIds::of(scenarios);
        for scenario in scenarios {
            let toolbox = ids.id(scenario.tools());
            home.persona(&scenario.persona(&brain.url(scenario.id()), toolbox.as_deref()));
            brain.script(scenario.id(), scenario.replies());
        }
        let (daemon, probe) = Daemon::start(&home).await;
        let toolboxes = Toolboxes::join(home.port(), &ids, scenarios).await;
        let served = served(&probe).await;
        Self {
            home,
            brain,
            daemon,
            probe,
            toolboxes,
            served,
        }
    }

    /// Tells whether the daemon has taken the scenario's persona, which it does not when it does not know its
    /// engine.
    pub fn serves(&self, scenario: &Scenario) -> bool {
        self.served.contains(scenario.id())
    }

    /// Tells whether the daemon still runs.
    pub fn is_standing(&mut self) -> bool {
        self.daemon.is_alive()
    }

    /// Gives what the daemon has written.
    pub fn output(&self) -> String {
        self.daemon.output()
    }

    /// Gives the port of its bus, for messages.
    pub fn port(&self) -> u16 {
        self.home.port()
    }

    /// Plays one scenario.
    pub async fn perform(&self, scenario: &Scenario) -> Performance {
        let mut answer = Value::Null;
        let mut faults = Vec::new();
        for text in scenario.utterances() {
            match self.turn(scenario, text).await {
                Some(turn) => {
                    answer = turn
                        .spoken()
                        .last()
                        .map_or(Value::Null, |frame| frame.data["utterance"].clone());
                    faults.extend(miscounted(&turn));
                }
                None => faults.push(format!("no end of the utterance within {PATIENCE:?}")),
            }
        }
        Performance {
            run: self.run(scenario, &answer),
            faults,
        }
    }

    async fn turn(&self, scenario: &Scenario, text: &str) -> Option<Turn> {
        let utterance = Utterance::new(text)
            .to(scenario.id())
            .in_session(scenario.session_id())
            .session("lang", json!(scenario.lang()))
            .session("system_unit", json!(scenario.units()))
            .patience(PATIENCE);
        let mark = utterance.enter(&self.probe).await;
        utterance.try_end(&self.probe, mark).await
    }

    fn run(&self, scenario: &Scenario, answer: &Value) -> Value {
        let requests = self.brain.requests(scenario.id());
        let calls = self.toolboxes.calls(scenario.session_id());
        let calls: Vec<_> = calls
            .iter()
            .map(|call| json!({"name": call.name, "args": call.arguments}))
            .collect();
        let shown: Vec<_> = requests
            .iter()
            .map(|request| json!({"messages": request.messages(), "tools": request.tools()}))
            .collect();
        let chars: Vec<_> = requests.iter().map(crate::brain::Request::chars).collect();
        json!({
            "final_answer": answer,
            "brain_calls": requests.len(),
            "tool_calls": calls,
            "requests": shown,
            "request_chars": chars,
        })
    }
}

fn miscounted(turn: &Turn) -> Vec<String> {
    let counts = [("answers", turn.spoken().len()), ("ends", turn.ends())];
    let wrong = counts.into_iter().filter(|(_, count)| *count != 1);
    wrong
        .map(|(what, count)| format!("{count} {what} of one utterance instead of one"))
        .collect()
}

async fn served(probe: &BusProbe) -> BTreeSet<String> {
    let mark = probe.mark();
    probe
        .send(&json!({"type": "ovos.persona.list", "data": {}, "context": {"source": "probe"}}))
        .await;
    let is_answer = |frame: &crate::frame::Frame| frame.topic == "ovos.persona.list.response";
    let answer = probe.wait("the list of personas", mark, LISTING, is_answer).await;
    let personas = answer.data["personas"].as_array().cloned().unwrap_or_default();
    personas
        .iter()
        .filter_map(|persona| Some(persona["persona_id"].as_str()?.to_owned()))
        .collect()
}
