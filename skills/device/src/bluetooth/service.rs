//! `BlueZ` on the bus: which devices there are, and what one is told.
//!
//! All that it says has a bound.

use std::collections::HashMap;

use zbus::fdo::ObjectManagerProxy;
use zbus::{Connection, OwnedObjectPath, OwnedVariant, Variant};

use crate::dbus::{DeviceBus, Fault, LONGEST_PATIENCE, proxy, within, within_for};
use loquat_kit::plain;

/// As people call it.
pub(super) const SERVICE: &str = "BlueZ";

const NAME: &str = "org.bluez";
const DEVICE: &str = "org.bluez.Device1";
const ADAPTER: &str = "org.bluez.Adapter1";

/// Devices; one that looks around sees many of strangers, which are not paired.
const MOST: usize = 64;

#[zbus::proxy(interface = "org.bluez.Device1")]
trait Radio {
    fn connect(&self) -> zbus::Result<()>;
    fn disconnect(&self) -> zbus::Result<()>;
}

/// A device that is paired.
#[derive(Debug, Clone)]
pub(super) struct Device {
    pub(super) name: String,
    pub(super) is_connected: bool,
    path: OwnedObjectPath,
}

/// What the adapter of this device sees.
pub(super) struct Bluetooth {
    connection: Connection,
    /// Whether there is an adapter, and whether it is on.
    pub(super) is_on: Option<bool>,
    /// Those that are connected first.
    pub(super) paired: Vec<Device>,
}

type Properties = HashMap<String, OwnedVariant>;

impl Bluetooth {
    pub(super) async fn reach(bus: &DeviceBus) -> Result<Self, Fault> {
        let connection = bus.connection(SERVICE).await?;
        let manager: ObjectManagerProxy<'_> = within(SERVICE, proxy(&connection, NAME, "/")).await?;
        let all = within(SERVICE, async { Ok(manager.get_managed_objects().await?) }).await?;
        let mut is_on = None;
        let mut paired = Vec::new();
        for (path, interfaces) in all {
            for (interface, properties) in interfaces {
                match interface.as_str() {
                    ADAPTER => is_on = Some(is(&properties, "Powered") || is_on == Some(true)),
                    DEVICE => paired.extend(device(&properties, path.clone())),
                    _ => {}
                }
            }
        }
        paired.sort_by_key(|device| (!device.is_connected, device.name.clone()));
        paired.truncate(MOST);
        Ok(Self {
            connection,
            is_on,
            paired,
        })
    }

    pub(super) async fn connect(&self, device: &Device) -> Result<(), Fault> {
        let radio = self.radio(device).await?;
        within_for(LONGEST_PATIENCE, SERVICE, radio.connect()).await
    }

    pub(super) async fn disconnect(&self, device: &Device) -> Result<(), Fault> {
        let radio = self.radio(device).await?;
        within_for(LONGEST_PATIENCE, SERVICE, radio.disconnect()).await
    }

    async fn radio(&self, device: &Device) -> Result<RadioProxy<'static>, Fault> {
        within(SERVICE, proxy(&self.connection, NAME, device.path.as_str())).await
    }
}

/// A device, where it is paired and has a name that can be said.
fn device(properties: &Properties, path: OwnedObjectPath) -> Option<Device> {
    if !is(properties, "Paired") {
        return None;
    }
    let Variant::Str(name) = &**properties.get("Alias")? else {
        return None;
    };
    Some(Device {
        name: plain(name)?,
        is_connected: is(properties, "Connected"),
        path,
    })
}

fn is(properties: &Properties, name: &str) -> bool {
    let value = properties.get(name).map(|value| &**value);
    matches!(value, Some(Variant::Bool(true)))
}
