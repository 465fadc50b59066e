//! The connection to the NATS server, and what is wrong where there is none, in one sentence for a person.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use async_nats::{Client, ConnectErrorKind, ConnectOptions, Event};
use secrecy::{ExposeSecret, SecretString};
use tokio_util::sync::CancellationToken;

use crate::subjects::inbox;

/// Connecting and signing in may take this long.
const CONNECT: Duration = Duration::from_secs(3);

/// Fetches a password for one connection; it is kept nowhere.
pub type Password = Arc<dyn Fn() -> Result<SecretString, String> + Send + Sync>;

/// Says where the NATS server is and who signs in there.
#[derive(Clone)]
pub struct BrokerSettings {
    /// It is written `nats://HOST:PORT` or `tls://HOST:PORT`.
    pub address: String,
    /// The name of the pool, which is a part of all subjects.
    pub pool: String,
    /// The user that signs in; absent where the server asks for no name.
    pub user: Option<String>,
    /// The user's password; absent where the server asks for none.
    pub password: Option<Password>,
    /// Certificates in the form of PEM that are trusted beside those that the machine trusts.
    pub ca_file: Option<PathBuf>,
}

impl fmt::Debug for BrokerSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BrokerSettings")
            .field("address", &self.address)
            .field("pool", &self.pool)
            .field("user", &self.user)
            .finish_non_exhaustive()
    }
}

/// Says why there is no connection.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BrokerError {
    /// Nothing answers as a NATS server does.
    #[error(
        "failed to reach the NATS server at {address}: {reason}; see that it runs and that workers.address is right"
    )]
    Unreachable {
        /// The server was asked at this address.
        address: String,
        /// The client failed for this reason.
        reason: String,
    },
    /// The server refuses who signs in.
    #[error(
        "failed to sign in to the NATS server at {address}: it refuses the user or the password; see workers.user and \
         workers.password_file"
    )]
    Refused {
        /// The server was asked at this address.
        address: String,
    },
    /// The password is not there.
    #[error("failed to sign in to the NATS server at {address}: {reason}")]
    Password {
        /// The server was asked at this address.
        address: String,
        /// The reason why the password cannot be read.
        reason: String,
    },
}

/// A connection that is given up as a whole when it breaks, so that nothing waits for what was lost with it.
#[derive(Debug, Clone)]
pub(crate) struct Connection {
    pub(crate) client: Client,
    /// Cancelled when it has broken.
    pub(crate) lost: CancellationToken,
}

/// Connects once, as a device or worker of this name.
pub(crate) async fn connect(settings: &BrokerSettings, name: &str) -> Result<Connection, BrokerError> {
    let address = settings.address.clone();
    let lost = CancellationToken::new();
    let told = lost.clone();
    let mut options = ConnectOptions::new()
        .name(name)
        .custom_inbox_prefix(inbox(name))
        .connection_timeout(CONNECT)
        .request_timeout(Some(CONNECT))
        .ping_interval(Duration::from_secs(5))
        .max_reconnects(1)
        .event_callback(move |event| {
            let told = told.clone();
            async move {
                match event {
                    Event::Disconnected | Event::Closed => told.cancel(),
                    Event::ServerError(error) => tracing::warn!(%error, "the NATS server complains"),
                    _ => {}
                }
            }
        });
    if let (Some(user), Some(password)) = (&settings.user, &settings.password) {
        let password = password().map_err(|reason| BrokerError::Password {
            address: address.clone(),
            reason,
        })?;
        options = options.user_and_password(user.clone(), password.expose_secret().to_owned());
    }
    if let Some(ca_file) = &settings.ca_file {
        options = options.add_root_certificates(ca_file.clone());
    }
    let client = options
        .connect(settings.address.as_str())
        .await
        .map_err(|error| match error.kind() {
            ConnectErrorKind::Authentication | ConnectErrorKind::AuthorizationViolation => {
                BrokerError::Refused {
                    address: address.clone(),
                }
            }
            _ => BrokerError::Unreachable {
                address: address.clone(),
                reason: loquat_failure::with_causes(&error),
            },
        })?;
    Ok(Connection { client, lost })
}
