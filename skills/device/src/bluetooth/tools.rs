//! What the tools take, do and tell; `BlueZ` is the work of the module beside.

use std::sync::Arc;

use loquat_agent::toolbox::Circumstances;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::service::{Bluetooth, Device};
use crate::dbus::DeviceBus;
use loquat_kit::dialog::{Gap, Telling};
use loquat_kit::report::{Nothing, Problem, Report, Reporting, reporting};

/// Named in one sentence, and in one result.
const MOST_NAMED: usize = 5;
const MOST_LISTED: usize = 20;

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Named {
    /// Of the device.
    name: String,
}

/// The devices that are paired.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub(super) struct Listed {
    devices: Vec<Entry>,
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

/// The adapter, where there is one that is on.
async fn reached(bus: &DeviceBus) -> Result<Bluetooth, Problem> {
    let bluetooth = Bluetooth::reach(bus).await?;
    match bluetooth.is_on {
        Some(true) => Ok(bluetooth),
        Some(false) => {
            let text = "Bluetooth is off; switch it on with `bluetoothctl power on`";
            Err(Problem::new(text, "off"))
        }
        None => {
            let text = "this device has no Bluetooth adapter; see what `bluetoothctl list` says";
            Err(Problem::new(text, "no_adapter"))
        }
    }
}

pub(super) fn list(bus: Arc<DeviceBus>, _: Nothing, _: &Circumstances) -> Reporting<'_, Listed> {
    reporting(async move { reached(&bus).await.map(|bluetooth| listed(&bluetooth.paired)) })
}

fn listed(paired: &[Device]) -> Report<Listed> {
    let names = |is_connected: bool| {
        let named = paired.iter().filter(|device| device.is_connected == is_connected);
        let names = named.map(|device| device.name.clone()).take(MOST_NAMED);
        names.collect::<Vec<String>>()
    };
    let (connected, others) = (names(true), names(false));
    let dialog = match (connected.is_empty(), others.is_empty()) {
        (true, true) => "none_paired",
        (true, false) => "paired",
        (false, true) => "connected",
        (false, false) => "connected_and_paired",
    };
    let told = Telling::new(dialog)
        .with("connected", Gap::Several(connected))
        .with("others", Gap::Several(others));
    let entries = paired.iter().take(MOST_LISTED).map(|device| Entry {
        name: device.name.clone(),
        connected: device.is_connected,
    });
    let devices = entries.collect();
    Report::new(Listed { devices }, told)
}

pub(super) fn connect(bus: Arc<DeviceBus>, asked: Named, _: &Circumstances) -> Reporting<'_, Obeyed> {
    reporting(async move { change(&bus, &asked.name, true).await })
}

pub(super) fn disconnect(bus: Arc<DeviceBus>, asked: Named, _: &Circumstances) -> Reporting<'_, Obeyed> {
    reporting(async move { change(&bus, &asked.name, false).await })
}

async fn change(bus: &DeviceBus, name: &str, connects: bool) -> Result<Report<Obeyed>, Problem> {
    let bluetooth = reached(bus).await?;
    let wanted = loquat_kit::folded(name);
    let meant = |device: &&Device| loquat_kit::folded(&device.name) == wanted;
    let Some(device) = bluetooth.paired.iter().find(meant) else {
        let text = "no paired Bluetooth device has this name; list_bluetooth_devices tells which there are, and \
                    `bluetoothctl` pairs another";
        return Err(Problem::unknown(text, name));
    };
    let dialog = match (connects, device.is_connected) {
        (true, true) => "already_connected",
        (true, false) => "now_connected",
        (false, _) => "disconnected",
    };
    if connects && !device.is_connected {
        bluetooth.connect(device).await?;
    } else if !connects && device.is_connected {
        bluetooth.disconnect(device).await?;
    }
    let told = Telling::new(dialog).words("name", &device.name);
    let name = Some(device.name.clone());
    Ok(Report::new(Obeyed { done: true, name }, told))
}
