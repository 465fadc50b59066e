//! What this device has that the hive's owner may name for a satellite: personas, skills and intents. Changes nothing.

use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use loquat_bus::Bus;
use loquat_hive_part::{Known, Names};
use loquat_orchestrator::frames::SKILL_ID;
use loquat_orchestrator::{commands, search};
use loquat_skills::Resources;
use loquat_wire::{Message, topic};
use serde_json::{Value, json};

use super::load_personas;
use crate::settings::{self, Environment, Settings, bus_address};
use crate::spoken_tools::SpokenTools;
use crate::supervisor::Supervisor;
use crate::tools::own_toolboxes;
use crate::{home_assistant, link, mcp_servers};

/// A daemon answers at once.
const PATIENCE: Duration = Duration::from_secs(2);

/// The names of this device.
#[derive(Debug)]
pub(super) struct HiveNames {
    pub(super) settings: Settings,
    /// The environment they were read from.
    pub(super) environment: Environment,
}

impl Names for HiveNames {
    fn known(&self) -> BoxFuture<'_, Known> {
        async {
            let settings = &self.settings;
            let (personas, _) = load_personas(settings, &self.environment);
            let boxes = own_toolboxes(&Resources::volatile(Arc::new(loquat_skills::locales())));
            let boxes = boxes.iter().map(|toolbox| toolbox.id().to_owned());
            let own = boxes
                .chain(mcp_servers::toolbox_ids(&settings.mcp))
                .chain([SKILL_ID.to_owned()]);
            let (spoken, _) = SpokenTools::load(
                settings::sentences(settings),
                home_assistant::of(&settings.home_assistant, &settings.folders),
            );
            let commands = commands::ALL.into_iter().chain([search::CHAT]);
            Known {
                personas: personas.iter().map(|persona| persona.name.clone()).collect(),
                boxes: own.collect(),
                intents: spoken.names().chain(commands).map(str::to_owned).collect(),
                skills: skills(settings).await,
            }
        }
        .boxed()
    }
}

/// Asks a running daemon for the skills of others that it knows.
async fn skills(settings: &Settings) -> Option<Vec<String>> {
    if !link::answers(&bus_address(settings)).await {
        return None;
    }
    let supervisor = Supervisor::new();
    let (bus, ..) = link::join(&settings.bus, bus_address(settings), &supervisor).await;
    let listed = listed(&bus).await;
    supervisor.end_back().await;
    listed
}

async fn listed(bus: &Bus) -> Option<Vec<String>> {
    let question = Message::new(topic::SKILLS_LIST, json!({}));
    let answer = bus.request(question, None, PATIENCE).await.ok()?;
    let id = |skill: &Value| {
        let id = skill.get("skill_id").unwrap_or(skill);
        id.as_str().map(str::to_owned)
    };
    Some(
        answer
            .data
            .get("skills")?
            .as_array()?
            .iter()
            .filter_map(id)
            .collect(),
    )
}
