//! The manager of systemd: how a unit is, and what it is told.
//!
//! Takes names of units from the list of those that are allowed, never from a sentence.

use std::time::Duration;

use tokio::time::{Instant, sleep};
use zbus::{Connection, OwnedObjectPath};

use crate::dbus::{DeviceBus, Fault, proxy, within};

/// As people call it.
pub(super) const SERVICE: &str = "systemd";

const NAME: &str = "org.freedesktop.systemd1";
const PATH: &str = "/org/freedesktop/systemd1";

/// For a unit to start or to stop.
const CHANGING: Duration = Duration::from_secs(15);

/// Between two looks at a unit that changes.
const PAUSE: Duration = Duration::from_millis(250);

#[zbus::proxy(interface = "org.freedesktop.systemd1.Manager")]
trait Manager {
    fn get_unit(&self, name: &str) -> zbus::Result<OwnedObjectPath>;
    fn start_unit(&self, name: &str, mode: &str) -> zbus::Result<OwnedObjectPath>;
    fn stop_unit(&self, name: &str, mode: &str) -> zbus::Result<OwnedObjectPath>;
    fn restart_unit(&self, name: &str, mode: &str) -> zbus::Result<OwnedObjectPath>;
}

#[zbus::proxy(interface = "org.freedesktop.systemd1.Unit")]
trait Unit {
    #[zbus(property)]
    fn active_state(&self) -> zbus::Result<String>;
}

/// How a unit is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Condition {
    Running,
    Stopped,
    Failed,
    /// It is on the way from one to another.
    Changing,
}

/// What a unit can be told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    Start,
    Stop,
    Restart,
}

/// The manager, for one call of a tool.
pub(super) struct Systemd {
    connection: Connection,
    manager: ManagerProxy<'static>,
}

impl Systemd {
    pub(super) async fn reach(bus: &DeviceBus) -> Result<Self, Fault> {
        let connection = bus.connection(SERVICE).await?;
        let manager = within(SERVICE, proxy(&connection, NAME, PATH)).await?;
        Ok(Self { connection, manager })
    }

    /// How a unit is. One that systemd has not loaded is stopped.
    pub(super) async fn condition(&self, unit: &str) -> Result<Condition, Fault> {
        let asked = async {
            match self.manager.get_unit(unit).await {
                Ok(path) => Ok(Some(path)),
                Err(zbus::Error::MethodError(name, ..)) if name.as_str().ends_with(".NoSuchUnit") => Ok(None),
                Err(error) => Err(error),
            }
        };
        let Some(path) = within(SERVICE, asked).await? else {
            return Ok(Condition::Stopped);
        };
        let unit: UnitProxy<'_> = within(SERVICE, proxy(&self.connection, NAME, path.as_str())).await?;
        let state = within(SERVICE, unit.active_state()).await?;
        Ok(match state.as_str() {
            "active" | "reloading" => Condition::Running,
            "inactive" => Condition::Stopped,
            "failed" => Condition::Failed,
            _ => Condition::Changing,
        })
    }

    /// Tells a unit, and waits until it has come to rest, or does not.
    pub(super) async fn tell(&self, unit: &str, order: Order) -> Result<Condition, Fault> {
        let told = async {
            match order {
                Order::Start => self.manager.start_unit(unit, "replace").await,
                Order::Stop => self.manager.stop_unit(unit, "replace").await,
                Order::Restart => self.manager.restart_unit(unit, "replace").await,
            }
        };
        within(SERVICE, told).await?;
        let deadline = Instant::now() + CHANGING;
        loop {
            let condition = self.condition(unit).await?;
            if condition != Condition::Changing || Instant::now() >= deadline {
                return Ok(condition);
            }
            sleep(PAUSE).await;
        }
    }
}
