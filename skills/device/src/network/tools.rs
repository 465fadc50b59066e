//! What the tools take, do and tell; `NetworkManager` is the work of the module beside.

use std::sync::Arc;

use loquat_agent::toolbox::Circumstances;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::service::{Kind, Known, Network};
use crate::dbus::DeviceBus;
use loquat_kit::dialog::{Gap, Telling};
use loquat_kit::report::{Nothing, Problem, Report, Reporting, reporting};

/// Named in one sentence, and in one result.
const MOST_NAMED: usize = 5;
const MOST_LISTED: usize = 20;

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Wanted {
    /// Of the network; default: the one that it was connected to last.
    #[serde(default)]
    name: Option<String>,
}

#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Switch {
    On,
    Off,
}

#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
pub(super) struct Wifi {
    state: Switch,
}

/// How the device is connected.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub(super) struct State {
    connected: bool,
    /// "wifi", "cable" or "other".
    #[serde(skip_serializing_if = "Option::is_none")]
    by: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    /// In percent.
    #[serde(skip_serializing_if = "Option::is_none")]
    signal: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    address: Option<String>,
    /// Whether the internet is reached.
    #[serde(skip_serializing_if = "Option::is_none")]
    internet: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    wifi_on: Option<bool>,
}

/// The networks that the device knows.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub(super) struct Listed {
    networks: Vec<Entry>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Entry {
    name: String,
    connected: bool,
}

/// What came of a wish.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub(super) struct Obeyed {
    done: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
}

impl Obeyed {
    fn told(told: Telling, name: Option<String>) -> Report<Self> {
        Report::new(Self { done: true, name }, told)
    }
}

pub(super) fn get(bus: Arc<DeviceBus>, _: Nothing, _: &Circumstances) -> Reporting<'_, State> {
    reporting(async move { state(&bus).await })
}

async fn state(bus: &DeviceBus) -> Result<Report<State>, Problem> {
    let network = Network::reach(bus).await?;
    let wifi_on = Some(network.is_wifi_on().await?);
    let Some(connected) = network.connected().await? else {
        let state = State {
            wifi_on,
            ..State::default()
        };
        return Ok(Report::new(state, Telling::new("offline")));
    };
    let internet = network.reaches_internet().await;
    let (by, dialog) = match (connected.kind, connected.signal) {
        (Kind::Wifi, Some(_)) => ("wifi", "wifi_signal"),
        (Kind::Wifi, None) => ("wifi", "wifi"),
        (Kind::Cable, _) => ("cable", "cable"),
        (Kind::Other, _) => ("other", "other"),
    };
    let mut told = Telling::new(dialog).words("name", &connected.name).with(
        "signal",
        Gap::Number(f64::from(connected.signal.unwrap_or_default())),
    );
    if let Some(address) = &connected.address {
        told = told.words("address", address);
    }
    if internet == Some(false) {
        told = told.then(Telling::new("no_internet"));
    }
    let state = State {
        connected: true,
        by: Some(by),
        name: Some(connected.name),
        signal: connected.signal,
        address: connected.address,
        internet,
        wifi_on,
    };
    Ok(Report::new(state, told))
}

pub(super) fn list(bus: Arc<DeviceBus>, _: Nothing, _: &Circumstances) -> Reporting<'_, Listed> {
    reporting(async move { known(&bus).await.map(|(_, known)| listed(known)) })
}

fn listed(known: Vec<Known>) -> Report<Listed> {
    let names: Vec<String> = known
        .iter()
        .take(MOST_NAMED)
        .map(|one| one.name.clone())
        .collect();
    let told = match (names.is_empty(), known.len() > MOST_NAMED) {
        (true, _) => Telling::new("none_known"),
        (false, is_more) => {
            let dialog = if is_more { "many_known" } else { "known" };
            let more = known.len().saturating_sub(MOST_NAMED);
            Telling::new(dialog)
                .with("networks", Gap::Several(names))
                .with("more", Gap::Number(more as f64))
        }
    };
    let entries = known.into_iter().take(MOST_LISTED).map(|one| Entry {
        name: one.name,
        connected: one.is_connected,
    });
    let networks = entries.collect();
    Report::new(Listed { networks }, told)
}

async fn known(bus: &DeviceBus) -> Result<(Network, Vec<Known>), Problem> {
    let network = Network::reach(bus).await?;
    let known = network.known().await?;
    Ok((network, known))
}

pub(super) fn connect(bus: Arc<DeviceBus>, asked: Wanted, _: &Circumstances) -> Reporting<'_, Obeyed> {
    reporting(async move { joined(&bus, asked).await })
}

async fn joined(bus: &DeviceBus, asked: Wanted) -> Result<Report<Obeyed>, Problem> {
    let (network, known) = known(bus).await?;
    let wanted = asked.name.filter(|name| !name.trim().is_empty());
    let meant = match &wanted {
        Some(name) => known
            .iter()
            .find(|one| loquat_kit::folded(&one.name) == loquat_kit::folded(name)),
        // Without a wifi it is the cable that was pulled out and put in again.
        None => known
            .iter()
            .find(|one| one.kind == Kind::Wifi)
            .or_else(|| known.first()),
    };
    let Some(meant) = meant else {
        let name = wanted.unwrap_or_default();
        if known.is_empty() {
            let text = "NetworkManager knows no network; join one with nmcli or the desktop's settings first";
            return Err(Problem::new(text, "none_known"));
        }
        let text = "the device knows no network of this name; list_networks tells which it knows";
        return Err(Problem::unknown(text, &name));
    };
    let told = |dialog| Telling::new(dialog).words("name", &meant.name);
    if network.join(meant).await? {
        return Ok(Obeyed::told(told("joined"), Some(meant.name.clone())));
    }
    Err(Problem {
        text: format!(
            "NetworkManager did not get a connection to {}; see whether it is near and its password is right",
            meant.name
        ),
        told: told("not_joined"),
    })
}

pub(super) fn set_wifi(bus: Arc<DeviceBus>, asked: Wifi, _: &Circumstances) -> Reporting<'_, Obeyed> {
    reporting(async move { switched(&bus, asked.state).await })
}

async fn switched(bus: &DeviceBus, wanted: Switch) -> Result<Report<Obeyed>, Problem> {
    let network = Network::reach(bus).await?;
    let (on, dialog) = match wanted {
        Switch::On => (true, "wifi_is_on"),
        Switch::Off => (false, "wifi_is_off"),
    };
    if on && !network.may_have_wifi().await? {
        let text = "a switch of the device keeps its wifi off; see what `rfkill list` says";
        return Err(Problem::new(text, "blocked"));
    }
    network.set_wifi(on).await?;
    Ok(Obeyed::told(Telling::new(dialog), None))
}
