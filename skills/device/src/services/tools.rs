//! What the tools take, do and tell; systemd is the work of the module beside.

use std::sync::Arc;

use loquat_agent::toolbox::Circumstances;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::allowed::{AllowedServices, spoken};
use super::systemd::{Condition, Order, Systemd};
use crate::dbus::DeviceBus;
use loquat_kit::dialog::{Gap, Telling};
use loquat_kit::report::{Nothing, Problem, Report, Reporting, reporting};

/// Asked about in one call.
const MOST: usize = 16;

/// What all tools work with.
pub(super) struct Desk {
    pub(super) bus: DeviceBus,
    pub(super) allowed: AllowedServices,
}

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
#[derive(Debug, Default, Serialize, JsonSchema)]
pub(super) struct Listed {
    services: Vec<Entry>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Entry {
    name: String,
    /// "running", "stopped", "failed" or "changing".
    state: &'static str,
}

/// What came of an order.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub(super) struct Obeyed {
    done: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    state: Option<&'static str>,
}

fn word(condition: Condition) -> &'static str {
    match condition {
        Condition::Running => "running",
        Condition::Stopped => "stopped",
        Condition::Failed => "failed",
        Condition::Changing => "changing",
    }
}

pub(super) fn list(desk: Arc<Desk>, _: Nothing, _: &Circumstances) -> Reporting<'_, Listed> {
    reporting(async move { conditions(&desk).await.map(listed) })
}

async fn conditions(desk: &Desk) -> Result<Vec<(String, Condition)>, Problem> {
    let systemd = Systemd::reach(&desk.bus).await?;
    let mut all = Vec::new();
    for unit in desk.allowed.names().take(MOST) {
        all.push((unit.to_owned(), systemd.condition(unit).await?));
    }
    Ok(all)
}

fn listed(all: Vec<(String, Condition)>) -> Report<Listed> {
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
    let services = entries.collect();
    Report::new(Listed { services }, told)
}

pub(super) fn control(desk: Arc<Desk>, asked: Wanted, _: &Circumstances) -> Reporting<'_, Obeyed> {
    reporting(async move { controlled(&desk, &asked).await })
}

async fn controlled(desk: &Desk, asked: &Wanted) -> Result<Report<Obeyed>, Problem> {
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
        let state = Some(word(condition));
        return Ok(Report::new(Obeyed { done: true, state }, told(dialog)));
    }
    let state = word(condition);
    Err(Problem {
        text: format!("systemd was told, but {unit} is {state}; see `systemctl status {unit}`"),
        told: told("not_done"),
    })
}
