//! A daemon with all skills in a home of its own, and what it needs of the world.

use anyhow::Result;
use loquat_tests::brain::{Reply, ScriptedBrain};
use loquat_tests::daemon::Daemon;
use loquat_tests::home::Home;
use loquat_tests::home_assistant::{FakeHomeAssistant, Manner};
use loquat_tests::probe::BusProbe;
use serde_json::{Map, Value, json};

use super::entry::{Entry, entries};
use super::world::World;

/// Who answers what no skill understands.
pub const PERSONA: &str = "Nobody Else";

/// What that persona says.
pub const NOT_UNDERSTOOD: &str = "The persona has it.";

/// Files of the person.
const FILES: [(&str, &str); 4] = [
    ("Documents/packing list.txt", "Passport\nSocks\nA towel\n"),
    ("Documents/garden plan.txt", "Beans along the wall.\n"),
    ("Documents/recipes/pancakes.txt", "Flour, milk and three eggs.\n"),
    (
        "config/loquat/skills/party-budget/SKILL.md",
        "---\nname: party-budget\ndescription: Plans what a party costs.\n---\nMultiply the guests by the price.\n",
    ),
];

/// Where the device stands.
const LOCATION: &str = r#"{"timezone": {"code": "Europe/Lisbon"}, "coordinate": {"latitude": 38.72, "longitude": -9.14},
    "city": {"name": "Lisbon", "state": {"name": "Lisboa", "country": {"name": "Portugal", "code": "PT"}}}}"#;

/// The daemon and all that it asks.
#[derive(Debug)]
pub struct Room {
    /// What is judged.
    pub entries: Vec<Entry>,
    /// On its bus.
    pub probe: BusProbe,
    _daemon: Daemon,
    _brain: ScriptedBrain,
    _world: World,
    _home_assistant: FakeHomeAssistant,
}

/// A home with the person's files and place, whose daemon asks a server of ours instead of the internet.
pub async fn furnished(home: &Home) -> World {
    let world = World::start().await;
    world.furnish(home);
    for (name, text) in FILES {
        home.write(name, text);
    }
    home.mycroft_conf(
        &json!({"location": serde_json::from_str::<Value>(LOCATION).expect("our own text is JSON")}),
    );
    world
}

impl Room {
    /// Opens it: no model is asked, and every toolbox is offered on the bus.
    ///
    /// # Errors
    /// Where the files of the skills cannot be read.
    pub async fn open_at(home: &Home) -> Result<Self> {
        let entries = entries()?;
        let brain = ScriptedBrain::start();
        brain.whenever(PERSONA, "", Reply::answers(NOT_UNDERSTOOD));
        let world = furnished(home).await;
        let home_assistant = FakeHomeAssistant::start(Manner::Good).await;
        home_assistant.furnish(home);
        let ids: Vec<&str> = entries.iter().map(|entry| entry.toolbox.as_str()).collect();
        home.setting("tools.expose", &json!(ids).to_string());
        home.setting("services.allowed", "[\"radio.service\"]");
        // The probe is a client of the bus, and says yes.
        home.setting("desk.consent_from", "\"bus\"");
        home.setting("desk.persona", &format!("\"{PERSONA}\""));
        home.write(
            "config/ovos_persona/nobody.json",
            &persona(&brain, &entries).to_string(),
        );
        let (daemon, probe) = Daemon::start(home).await;
        Ok(Self {
            entries,
            probe,
            _daemon: daemon,
            _brain: brain,
            _world: world,
            _home_assistant: home_assistant,
        })
    }
}

fn persona(brain: &ScriptedBrain, entries: &[Entry]) -> Value {
    const ID: &str = "ovos-chat-openai-plugin";
    const ENGINE: &str = "ovos-react-loop";
    let ids: Vec<&str> = entries.iter().map(|entry| entry.toolbox.as_str()).collect();
    let mut engine = Map::new();
    engine.insert("brain".to_owned(), json!(ID));
    engine.insert("toolboxes".to_owned(), json!(ids));
    let server = json!({"api_url": brain.url(PERSONA), "key": "sk-scripted", "model": "scripted", "supports_tools": false});
    engine.insert(ID.to_owned(), server);
    let of_boxes = entries.iter().filter(|entry| !entry.settings.is_empty());
    engine.extend(of_boxes.map(|entry| (entry.toolbox.clone(), json!(entry.settings))));
    json!({"name": PERSONA, "handlers": [ENGINE], ENGINE: engine})
}
