//! What the tools take, do and tell; `BlueZ` is the work of the module beside.

use std::sync::Arc;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use loquat_agent::toolbox::{Circumstances, ToolError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::service::{Bluetooth, Device};
use crate::dbus::{DeviceBus, Problem};
use crate::dialog::{Gap, Tell, Telling};

/// Named in one sentence, and in one result.
const MOST_NAMED: usize = 5;
const MOST_LISTED: usize = 20;

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Nothing {}

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Named {
    /// Of the device.
    name: String,
}

/// The devices that are paired.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Listed {
    devices: Vec<Entry>,
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
    #[serde(skip)]
    told: Telling,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Entry {
    name: String,
    connected: bool,
}

/// What came of a wish.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Obeyed {
    done: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
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

pub(super) fn list(
    bus: Arc<DeviceBus>,
    _: Nothing,
    _: &Circumstances,
) -> BoxFuture<'_, Result<Listed, ToolError>> {
    async move {
        Ok(match reached(&bus).await {
            Ok(bluetooth) => listed(&bluetooth.paired),
            Err(problem) => Listed {
                devices: Vec::new(),
                problem: Some(problem.text),
                told: problem.told,
            },
        })
    }
    .boxed()
}

fn listed(paired: &[Device]) -> Listed {
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
    Listed {
        devices: entries.collect(),
        problem: None,
        told,
    }
}

pub(super) fn connect(
    bus: Arc<DeviceBus>,
    asked: Named,
    _: &Circumstances,
) -> BoxFuture<'_, Result<Obeyed, ToolError>> {
    changed(bus, asked.name, true)
}

pub(super) fn disconnect(
    bus: Arc<DeviceBus>,
    asked: Named,
    _: &Circumstances,
) -> BoxFuture<'_, Result<Obeyed, ToolError>> {
    changed(bus, asked.name, false)
}

fn changed(
    bus: Arc<DeviceBus>,
    name: String,
    connects: bool,
) -> BoxFuture<'static, Result<Obeyed, ToolError>> {
    async move {
        Ok(match change(&bus, &name, connects).await {
            Ok((name, told)) => Obeyed {
                done: true,
                name: Some(name),
                problem: None,
                told,
            },
            Err(problem) => Obeyed {
                done: false,
                name: None,
                problem: Some(problem.text),
                told: problem.told,
            },
        })
    }
    .boxed()
}

async fn change(bus: &DeviceBus, name: &str, connects: bool) -> Result<(String, Telling), Problem> {
    let bluetooth = reached(bus).await?;
    let wanted = crate::folded(name);
    let meant = |device: &&Device| crate::folded(&device.name) == wanted;
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
    Ok((device.name.clone(), told))
}
