//! What the tools take, do and tell; systemd is the work of the module beside.

use std::sync::Arc;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use loquat_agent::toolbox::{Circumstances, ToolError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::allowed::{AllowedServices, spoken};
use super::systemd::{Condition, Order, Systemd};
use crate::dbus::{DeviceBus, Problem};
use crate::dialog::{Gap, Tell, Telling};

/// Asked about in one call.
const MOST: usize = 16;

/// What all tools work with.
pub(super) struct Desk {
    pub(super) bus: DeviceBus,
    pub(super) allowed: AllowedServices,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Nothing {}

#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Action {
    Start,
    Stop,
    Restart,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Wanted {
    action: Action,
    /// Its name, as the list of services has it.
    service: String,
}

/// The services that are allowed.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Listed {
    services: Vec<Entry>,
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
    #[serde(skip)]
    told: Telling,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Entry {
    name: String,
    /// "running", "stopped", "failed" or "changing".
    state: &'static str,
}

/// What came of an order.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Obeyed {
    done: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    state: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
    #[serde(skip)]
    told: Telling,
}

impl Tell for Listed {
    fn tell(&self) -> Option<Telling> {
        Some(self.told.clone())
    }
}

impl Tell for Obeyed {
    fn tell(&self) -> Option<Telling> {
        Some(self.told.clone())
    }
}

fn word(condition: Condition) -> &'static str {
    match condition {
        Condition::Running => "running",
        Condition::Stopped => "stopped",
        Condition::Failed => "failed",
        Condition::Changing => "changing",
    }
}

pub(super) fn list(
    desk: Arc<Desk>,
    _: Nothing,
    _: &Circumstances,
) -> BoxFuture<'_, Result<Listed, ToolError>> {
    async move {
        Ok(match conditions(&desk).await {
            Ok(all) => listed(all),
            Err(problem) => Listed {
                services: Vec::new(),
                problem: Some(problem.text),
                told: problem.told,
            },
        })
    }
    .boxed()
}

async fn conditions(desk: &Desk) -> Result<Vec<(String, Condition)>, Problem> {
    let systemd = Systemd::reach(&desk.bus).await?;
    let mut all = Vec::new();
    for unit in desk.allowed.names().take(MOST) {
        all.push((unit.to_owned(), systemd.condition(unit).await?));
    }
    Ok(all)
}

fn listed(all: Vec<(String, Condition)>) -> Listed {
    let names = |is_running: bool| {
        let chosen = all
            .iter()
            .filter(|(_, condition)| (*condition == Condition::Running) == is_running);
        chosen.map(|(unit, _)| spoken(unit)).collect::<Vec<String>>()
    };
    let (running, others) = (names(true), names(false));
    let dialog = match (running.is_empty(), others.is_empty()) {
        (true, _) => "none_run",
        (false, true) => "all_run",
        (false, false) => "some_run",
    };
    let told = Telling::new(dialog)
        .with("running", Gap::Several(running))
        .with("others", Gap::Several(others));
    let entries = all.into_iter().map(|(name, condition)| Entry {
        name,
        state: word(condition),
    });
    Listed {
        services: entries.collect(),
        problem: None,
        told,
    }
}

pub(super) fn control(
    desk: Arc<Desk>,
    asked: Wanted,
    _: &Circumstances,
) -> BoxFuture<'_, Result<Obeyed, ToolError>> {
    async move {
        Ok(controlled(&desk, &asked).await.unwrap_or_else(|problem| Obeyed {
            done: false,
            state: None,
            problem: Some(problem.text),
            told: problem.told,
        }))
    }
    .boxed()
}

async fn controlled(desk: &Desk, asked: &Wanted) -> Result<Obeyed, Problem> {
    let Some(unit) = desk.allowed.find(&asked.service) else {
        let text =
            "services.allowed of loquat.toml names no such service; list_services tells which it names";
        return Err(Problem::unknown(text, &asked.service));
    };
    let (order, wanted, dialog) = match asked.action {
        Action::Start => (Order::Start, Condition::Running, "started"),
        Action::Stop => (Order::Stop, Condition::Stopped, "stopped"),
        Action::Restart => (Order::Restart, Condition::Running, "restarted"),
    };
    let systemd = Systemd::reach(&desk.bus).await?;
    let condition = systemd.tell(unit, order).await?;
    let told = |dialog| Telling::new(dialog).words("name", spoken(unit));
    if condition == wanted {
        return Ok(Obeyed {
            done: true,
            state: Some(word(condition)),
            problem: None,
            told: told(dialog),
        });
    }
    let state = word(condition);
    Err(Problem {
        text: format!("systemd was told, but {unit} is {state}; see `systemctl status {unit}`"),
        told: told("not_done"),
    })
}
