//! Who may call: programs of the daemon's own user and of root, a bounded number at once. The bus vouches for the user.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use zbus::Connection;
use zbus::fdo::{self, DBusProxy};
use zbus::message::Header;
use zbus::names::BusName;

/// Calls that are looked at or served at once; one more is refused.
const CALLS: usize = 32;

const ROOT: u32 = 0;

/// Lets callers in. Clones share the count.
#[derive(Debug, Clone)]
pub(super) struct Callers {
    user: u32,
    places: Arc<Semaphore>,
}

impl Callers {
    pub(super) fn of(user: u32) -> Self {
        let places = Arc::new(Semaphore::new(CALLS));
        Self { user, places }
    }

    /// Gives this call a place, for as long as it is served.
    pub(super) async fn admit(
        &self,
        connection: &Connection,
        header: &Header<'_>,
    ) -> fdo::Result<OwnedSemaphorePermit> {
        let place = Arc::clone(&self.places).try_acquire_owned();
        let place = place.map_err(|_| {
            fdo::Error::LimitsExceeded(format!("{CALLS} calls are being served; try again later"))
        })?;
        let user = caller(connection, header).await?;
        if user != self.user && user != ROOT {
            let own = self.user;
            return Err(fdo::Error::AccessDenied(format!(
                "user {user} may not use the Loquat of user {own}; call as that user"
            )));
        }
        Ok(place)
    }

    /// Lets a reader of properties in. Without a header it is we who tell of a change.
    pub(super) async fn admit_reader(
        &self,
        connection: &Connection,
        header: Option<Header<'_>>,
    ) -> fdo::Result<()> {
        match header {
            Some(header) => self.admit(connection, &header).await.map(drop),
            None => Ok(()),
        }
    }
}

/// Finds the user of the program that calls.
async fn caller(connection: &Connection, header: &Header<'_>) -> fdo::Result<u32> {
    let unknown = || fdo::Error::AccessDenied("the bus does not say which user calls".to_owned());
    let sender = header.sender().ok_or_else(unknown)?;
    let bus = DBusProxy::new(connection).await?;
    let credentials = bus
        .get_connection_credentials(BusName::from(sender.as_ref()))
        .await?;
    credentials.unix_user_id().ok_or_else(unknown)
}
