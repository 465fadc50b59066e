//! `NetworkManager` on the bus: what is connected, what is known, and what it is told.
//!
//! Everything that it says has a bound: so many connections, names of so many characters.

use std::collections::HashMap;
use std::time::Duration;

use tokio::time::{Instant, sleep};
use zbus::{Connection, OwnedObjectPath, OwnedVariant, Variant};

use crate::dbus::{DeviceBus, Fault, proxy, within};
use loquat_kit::plain;

/// As people call it.
pub(super) const SERVICE: &str = "NetworkManager";

const NAME: &str = "org.freedesktop.NetworkManager";
const PATH: &str = "/org/freedesktop/NetworkManager";
const SETTINGS: &str = "/org/freedesktop/NetworkManager/Settings";

/// Known networks; of more than these no person asks.
const MOST: usize = 64;

/// For a network to be joined: a password is checked, and an address asked for.
const JOINING: Duration = Duration::from_secs(20);

/// Between two looks at a network that is being joined.
const PAUSE: Duration = Duration::from_millis(250);

const ACTIVATED: u32 = 2;
const DEACTIVATED: u32 = 4;
const FULL: u32 = 4;

#[zbus::proxy(interface = "org.freedesktop.NetworkManager")]
trait Manager {
    fn activate_connection(
        &self,
        connection: &zbus::ObjectPath<'_>,
        device: &zbus::ObjectPath<'_>,
        specific: &zbus::ObjectPath<'_>,
    ) -> zbus::Result<OwnedObjectPath>;

    #[zbus(property)]
    fn connectivity(&self) -> zbus::Result<u32>;
    #[zbus(property)]
    fn active_connections(&self) -> zbus::Result<Vec<OwnedObjectPath>>;
    #[zbus(property)]
    fn primary_connection(&self) -> zbus::Result<OwnedObjectPath>;
    #[zbus(property)]
    fn wireless_enabled(&self) -> zbus::Result<bool>;
    #[zbus(property)]
    fn set_wireless_enabled(&self, on: bool) -> zbus::Result<()>;
    #[zbus(property)]
    fn wireless_hardware_enabled(&self) -> zbus::Result<bool>;
}

#[zbus::proxy(interface = "org.freedesktop.NetworkManager.Connection.Active")]
trait Active {
    #[zbus(property)]
    fn id(&self) -> zbus::Result<String>;
    #[zbus(property, name = "Type")]
    fn kind(&self) -> zbus::Result<String>;
    #[zbus(property)]
    fn state(&self) -> zbus::Result<u32>;
    #[zbus(property)]
    fn connection(&self) -> zbus::Result<OwnedObjectPath>;
    #[zbus(property)]
    fn specific_object(&self) -> zbus::Result<OwnedObjectPath>;
    #[zbus(property)]
    fn ip4_config(&self) -> zbus::Result<OwnedObjectPath>;
}

#[zbus::proxy(interface = "org.freedesktop.NetworkManager.AccessPoint")]
trait AccessPoint {
    #[zbus(property)]
    fn strength(&self) -> zbus::Result<u8>;
}

#[zbus::proxy(interface = "org.freedesktop.NetworkManager.IP4Config")]
trait Addresses {
    #[zbus(property)]
    fn address_data(&self) -> zbus::Result<Vec<HashMap<String, OwnedVariant>>>;
}

#[zbus::proxy(interface = "org.freedesktop.NetworkManager.Settings")]
trait Settings {
    fn list_connections(&self) -> zbus::Result<Vec<OwnedObjectPath>>;
}

type Profile = HashMap<String, HashMap<String, OwnedVariant>>;

#[zbus::proxy(interface = "org.freedesktop.NetworkManager.Settings.Connection")]
trait Profiles {
    fn get_settings(&self) -> zbus::Result<Profile>;
}

/// What a device is connected by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Wifi,
    Cable,
    Other,
}

/// A connection that is up.
#[derive(Debug, Clone)]
pub(super) struct Connected {
    pub(super) kind: Kind,
    pub(super) name: String,
    /// It is so many of a hundred.
    pub(super) signal: Option<u8>,
    pub(super) address: Option<String>,
    /// Which known network it is.
    profile: String,
}

/// A network that the device knows.
#[derive(Debug, Clone)]
pub(super) struct Known {
    pub(super) name: String,
    pub(super) kind: Kind,
    pub(super) is_connected: bool,
    /// When it was joined last, in seconds.
    pub(super) joined: u64,
    path: OwnedObjectPath,
}

/// The service, for one call of a tool.
pub(super) struct Network {
    connection: Connection,
    manager: ManagerProxy<'static>,
}

impl Network {
    pub(super) async fn reach(bus: &DeviceBus) -> Result<Self, Fault> {
        let connection = bus.connection(SERVICE).await?;
        let manager = within(SERVICE, proxy(&connection, NAME, PATH)).await?;
        Ok(Self { connection, manager })
    }

    /// The connection by which the device reaches others, if it has one.
    pub(super) async fn connected(&self) -> Result<Option<Connected>, Fault> {
        let mut paths = within(SERVICE, self.manager.active_connections()).await?;
        // Versions that are old do not tell which of them is the first.
        let primary = within(SERVICE, self.manager.primary_connection()).await.ok();
        paths.sort_by_key(|path| primary.as_ref() != Some(path));
        for path in paths.iter().take(MOST) {
            if let Some(connected) = self.up(path).await? {
                return Ok(Some(connected));
            }
        }
        Ok(None)
    }

    /// A connection, where it is up and leads to others.
    async fn up(&self, path: &OwnedObjectPath) -> Result<Option<Connected>, Fault> {
        let active: ActiveProxy<'_> = self.object(path).await?;
        let is_up = within(SERVICE, active.state()).await? == ACTIVATED;
        let kind = within(SERVICE, active.kind()).await?;
        if !is_up || ["loopback", "bridge", "tun"].contains(&kind.as_str()) {
            return Ok(None);
        }
        let name = within(SERVICE, active.id()).await?;
        let profile = within(SERVICE, active.connection()).await?;
        let access_point = within(SERVICE, active.specific_object()).await.ok();
        let config = within(SERVICE, active.ip4_config()).await.ok();
        Ok(Some(Connected {
            kind: Kind::of(&kind),
            name: plain(&name).unwrap_or_else(|| "?".to_owned()),
            signal: self.signal(access_point).await,
            address: self.address(config).await,
            profile: profile.to_string(),
        }))
    }

    async fn signal(&self, access_point: Option<OwnedObjectPath>) -> Option<u8> {
        let path = access_point.filter(|path| path.as_str() != "/")?;
        let point: AccessPointProxy<'_> = self.object(&path).await.ok()?;
        let strength = within(SERVICE, point.strength()).await.ok()?;
        Some(strength.min(100))
    }

    async fn address(&self, config: Option<OwnedObjectPath>) -> Option<String> {
        let path = config.filter(|path| path.as_str() != "/")?;
        let config: AddressesProxy<'_> = self.object(&path).await.ok()?;
        let all = within(SERVICE, config.address_data()).await.ok()?;
        let first = text(all.first()?.get("address")?)?;
        let address: std::net::IpAddr = first.parse().ok()?;
        Some(address.to_string())
    }

    /// Whether the internet is reached, as far as that is known.
    pub(super) async fn reaches_internet(&self) -> Option<bool> {
        let known = within(SERVICE, self.manager.connectivity()).await.ok()?;
        (known > 0).then_some(known == FULL)
    }

    /// Those that it knows, the one that was joined last first.
    pub(super) async fn known(&self) -> Result<Vec<Known>, Fault> {
        let connected = self.connected().await?.map(|connected| connected.profile);
        let settings: SettingsProxy<'_> = within(SERVICE, proxy(&self.connection, NAME, SETTINGS)).await?;
        let paths = within(SERVICE, settings.list_connections()).await?;
        let mut known = Vec::new();
        for path in paths.into_iter().take(MOST) {
            let profile: ProfilesProxy<'_> = self.object(&path).await?;
            let Ok(profile) = within(SERVICE, profile.get_settings()).await else {
                continue;
            };
            known.extend(network(&profile, path, connected.as_deref()));
        }
        known.sort_by_key(|network| std::cmp::Reverse(network.joined));
        Ok(known)
    }

    /// Joins a network, and waits until that has succeeded or not.
    pub(super) async fn join(&self, network: &Known) -> Result<bool, Fault> {
        let any = OwnedObjectPath::default();
        let asked = self.manager.activate_connection(&network.path, &any, &any);
        let path = within(SERVICE, asked).await?;
        let active: ActiveProxy<'_> = self.object(&path).await?;
        let deadline = Instant::now() + JOINING;
        while Instant::now() < deadline {
            match within(SERVICE, active.state()).await {
                Ok(ACTIVATED) => return Ok(true),
                // The connection that failed is no object any more.
                Ok(DEACTIVATED) | Err(Fault::Refused { .. }) => return Ok(false),
                Ok(_) => sleep(PAUSE).await,
                Err(fault) => return Err(fault),
            }
        }
        Ok(false)
    }

    pub(super) async fn is_wifi_on(&self) -> Result<bool, Fault> {
        within(SERVICE, self.manager.wireless_enabled()).await
    }

    /// Whether no switch of the device keeps its wifi off.
    pub(super) async fn may_have_wifi(&self) -> Result<bool, Fault> {
        within(SERVICE, self.manager.wireless_hardware_enabled()).await
    }

    pub(super) async fn set_wifi(&self, on: bool) -> Result<(), Fault> {
        within(SERVICE, self.manager.set_wireless_enabled(on)).await
    }

    async fn object<P>(&self, path: &OwnedObjectPath) -> Result<P, Fault>
    where
        P: zbus::proxy::Defaults + From<zbus::Proxy<'static>>,
    {
        within(SERVICE, proxy(&self.connection, NAME, path.as_str())).await
    }
}

impl Kind {
    fn of(kind: &str) -> Self {
        match kind {
            "802-11-wireless" => Self::Wifi,
            "802-3-ethernet" => Self::Cable,
            _ => Self::Other,
        }
    }
}

/// What a profile says of its network; nothing for what is no way to others.
fn network(profile: &Profile, path: OwnedObjectPath, connected: Option<&str>) -> Option<Known> {
    let told = profile.get("connection")?;
    let kind = text(told.get("type")?)?;
    if ["loopback", "bridge", "tun"].contains(&kind.as_str()) {
        return None;
    }
    let joined = told.get("timestamp").and_then(|value| match &**value {
        Variant::U64(seconds) => Some(*seconds),
        _ => None,
    });
    Some(Known {
        name: plain(&text(told.get("id")?)?)?,
        kind: Kind::of(&kind),
        is_connected: connected == Some(path.as_str()),
        joined: joined.unwrap_or_default(),
        path,
    })
}

fn text(value: &OwnedVariant) -> Option<String> {
    match &**value {
        Variant::Str(text) => Some(text.to_string()),
        _ => None,
    }
}
