//! Our side: the running daemon with a small model, asked over the bus. The tools of each case are a toolbox of another program,
//! which the persona trusts.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::time::Duration;

use anyhow::Result;
use loquat_tests::daemon::Daemon;
use loquat_tests::home::Home;
use loquat_tests::probe::BusProbe;
use loquat_tests::toolbox::{Act, ScriptedTool, ScriptedToolbox};
use loquat_tests::turn::Utterance;
use serde_json::{Value, json};

use super::{Case, INSTRUCTIONS};
use crate::decoding::Wanted;

/// The longest answer, on a machine that does much else.
const THINKING: Duration = Duration::from_secs(900);

/// The longest wait for anything of a reply there.
const REPLYING: u64 = THINKING.as_secs() / 3;

const ENGINE: &str = "ovos-react-loop";

/// The toolbox.
const TOOLBOX: &str = "strangers-tools";

/// The daemon; it ends with this value.
#[derive(Debug)]
pub struct Device {
    probe: BusProbe,
    _daemon: Daemon,
    home: Home,
}

impl Device {
    /// Starts it with this model and a persona that may call the tools of these cases.
    ///
    /// # Errors
    /// Where there is no such file.
    pub async fn start(model: &Path, cases: &[Case]) -> Result<Self> {
        let home = Home::without_bus();
        let model = fs::canonicalize(model)?.display().to_string();
        home.setting("local_brain.model", &format!("{model:?}"));
        home.write("config/ovos_persona/Caller.json", &persona(cases).to_string());
        let (daemon, probe) = Daemon::start(&home).await;
        Ok(Self {
            probe,
            _daemon: daemon,
            home,
        })
    }

    /// Asks the question of a case in a session of its own, and gives the calls that were made.
    pub async fn calls(&self, number: usize, case: &Case) -> Vec<Wanted> {
        let tools = case.tools.iter().map(scripted).collect();
        let toolbox = ScriptedToolbox::join(self.home.port(), TOOLBOX, tools).await;
        let session = format!("case-{number}");
        let utterance = Utterance::new(&case.question)
            .to("Caller")
            .in_session(&session)
            .patience(THINKING);
        utterance.ask(&self.probe).await;
        let made = toolbox.calls().into_iter();
        made.map(|call| Wanted {
            tool: call.name,
            arguments: call.arguments,
        })
        .collect()
    }
}

fn scripted(tool: &Value) -> ScriptedTool {
    let definition = json!({
        "name": tool["name"],
        "description": tool["description"],
        "argument_schema": tool["parameters"],
        "output_schema": {"type": "object"},
    });
    ScriptedTool::new(definition, |_, _| Act::Returns(json!({"status": "done"})))
}

/// Writes the persona. Results are words of strangers, after which a call asks first, so the persona names each tool as one that
/// does not.
fn persona(cases: &[Case]) -> Value {
    let tools = cases.iter().flat_map(|case| &case.tools);
    let names: BTreeSet<&str> = tools.filter_map(|tool| tool["name"].as_str()).collect();
    json!({
        "name": "Caller",
        "handlers": [ENGINE],
        ENGINE: {
            "brain": "loquat-local-brain",
            "toolboxes": [TOOLBOX],
            TOOLBOX: {"trust": "safe", "unasked_when_tainted": names},
        },
        "loquat-local-brain": {
            "first_token_timeout_seconds": REPLYING,
            "next_token_timeout_seconds": REPLYING,
            "timeout_seconds": REPLYING,
        },
        "intents": false,
        "budget": {"deadline_seconds": THINKING.as_secs() * 9 / 10},
        "system_prompt": INSTRUCTIONS,
    })
}
