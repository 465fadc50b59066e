//! Puts the rest of the device off for as long as it listens or speaks, so that its last sentence is heard to the end.
//!
//! logind waits for it, but not for longer than its `InhibitDelayMaxSec`; nothing here can keep the device awake.

use tokio::sync::Mutex;
use tokio::time::timeout;
use zbus::{Connection, OwnedFd};

use super::logind::{ManagerProxy, NAME, PATH, SERVICE};
use crate::dbus::{Fault, PATIENCE, proxy, within};

const WHAT: &str = "sleep:shutdown";
const WHO: &str = "Loquat";
const WHY: &str = "a person is being listened or spoken to";

/// Holds the device awake for a moment.
#[derive(Debug)]
pub struct Inhibitor {
    address: Option<String>,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// One of its own: those of the tools pass no descriptors.
    connection: Option<Connection>,
    /// While it is open, the device is held.
    lock: Option<OwnedFd>,
}

impl Inhibitor {
    /// On the bus of the machine at this address.
    pub fn new(address: Option<String>) -> Self {
        let state = Mutex::default();
        Self { address, state }
    }

    /// Holds the device from now on. Where there is no logind nothing is held, and nothing needs to be.
    pub async fn hold(&self) {
        let mut state = self.state.lock().await;
        if state.lock.is_some() {
            return;
        }
        match self.lock(&mut state.connection).await {
            Ok(lock) => state.lock = lock,
            Err(error) => tracing::debug!(%error, "nothing puts the rest of the device off"),
        }
    }

    /// Lets go.
    pub async fn release(&self) {
        self.state.lock().await.lock = None;
    }

    async fn lock(&self, kept: &mut Option<Connection>) -> Result<Option<OwnedFd>, Fault> {
        let Some(address) = self.address.as_deref() else {
            return Ok(None);
        };
        let connection = match kept.as_ref().filter(|connection| !connection.is_closed()) {
            Some(connection) => connection.clone(),
            None => kept.insert(open(address).await?).clone(),
        };
        let logind: ManagerProxy<'_> = within(SERVICE, proxy(&connection, NAME, PATH)).await?;
        let asked = logind.inhibit(WHAT, WHO, WHY, "delay");
        within(SERVICE, asked).await.map(Some)
    }
}

async fn open(address: &str) -> Result<Connection, Fault> {
    let unreachable = |why: String| Fault::Unreachable {
        service: SERVICE.to_owned(),
        address: address.to_owned(),
        why,
    };
    let builder = zbus::connection::Builder::address(address).method_timeout(PATIENCE);
    let opened = timeout(PATIENCE, builder.build()).await;
    let opened = opened.map_err(|_| unreachable("it is silent".to_owned()))?;
    opened.map_err(|error| unreachable(error.to_string()))
}
