//! The hive that this device joins: where it is, by which keys, and which key it had at the first meeting. The keys come from
//! a file or a credential each time, and what the password becomes is kept in memory alone.

use std::path::PathBuf;
use std::time::Duration;

use loquat_failure::with_causes;
use loquat_hive::{DeriveError, JoinError, Link, Membership, Psk, PublicKey, Target, TargetError, join};
use loquat_settings::{Folders, Secret, SecretError};
use loquat_tls::trust as tls;
use parking_lot::Mutex;
use secrecy::{ExposeSecret, SecretString};
use tokio::net::TcpStream;
use tokio::task::spawn_blocking;
use tokio::time::timeout;

use super::clients::{Clients, ClientsError};
use super::line::Line;
use super::settings::Hive;

/// The hive has answered by then. A small board takes seconds to derive the key of the password.
const PATIENCE: Duration = Duration::from_secs(60);

/// The setting that names the file of certificates, for complaints.
const CA_FILE: &str = "hive.join_ca_file";

/// The name by which this program introduces itself to the hive.
const PROGRAM: &str = "Loquat";

/// Says why the hive was not joined.
#[derive(Debug, thiserror::Error)]
pub enum HubError {
    /// There is none in the settings.
    #[error("failed to join a hive: hive.join is not set in loquat.toml")]
    Unset,
    /// The address of the hive makes no sense.
    #[error("failed to join the hive: hive.join is no address")]
    Target(#[from] TargetError),
    /// The keys cannot be read from their file or credential.
    #[error("failed to join the hive")]
    Secret(#[from] SecretError),
    /// The file or credential was read and holds no keys.
    #[error(
        "failed to join the hive: the file or credential of its keys must hold ACCESS_KEY:PASSWORD in its first line"
    )]
    Keys,
    /// Our own key, or the hive's, cannot be kept.
    #[error(transparent)]
    Kept(#[from] ClientsError),
    /// The hive's certificate is not trusted, or the trusted ones cannot be read.
    #[error("failed to join the hive at {place}: {why}")]
    Tls {
        /// The hive is at this address.
        place: String,
        /// A sentence that says why.
        why: String,
    },
    /// It answers too late.
    #[error("failed to join the hive: it did not answer within {} s", PATIENCE.as_secs())]
    TooLate,
    /// It was not joined.
    #[error("failed to join the hive at {place}: {}", with_causes(source))]
    Join {
        /// The hive is at this address.
        place: String,
        /// The session failed for this reason.
        #[source]
        source: JoinError,
    },
}

/// The hive that this device joins.
#[derive(Debug)]
pub struct Hub {
    target: Target,
    /// Certificates that are trusted in the place of those of this machine.
    ca_file: Option<PathBuf>,
    secret: Secret,
    folders: Folders,
    clients: Clients,
    /// The place of this device, as its hive is told.
    pub(super) site: String,
    /// It is derived from the password, for the listener with this id.
    derived: Mutex<Option<Derived>>,
}

#[derive(Debug)]
struct Derived {
    node_id: String,
    password: SecretString,
    psk: Psk,
}

impl Hub {
    /// Takes the hive from the settings. Nothing is read or connected to yet.
    pub fn of(own: &Hive, folders: &Folders) -> Result<Self, HubError> {
        let address = own.join.as_ref().ok_or(HubError::Unset)?;
        let file: Option<PathBuf> = own.join_file.clone();
        Ok(Self {
            target: Target::parse(&address.0)?,
            ca_file: own.join_ca_file.clone(),
            secret: file.map_or_else(|| Secret::Credential(own.join_credential.clone()), Secret::File),
            folders: folders.clone(),
            clients: Clients::of(&folders.state),
            site: own.site.clone().unwrap_or_else(|| "unknown".to_owned()),
            derived: Mutex::default(),
        })
    }

    /// Gives the address of the hive as a person reads it.
    pub fn place(&self) -> String {
        format!("{}:{}", self.target.host, self.target.port)
    }

    /// Joins it.
    pub async fn join(&self) -> Result<Link<Line>, HubError> {
        let joined = timeout(PATIENCE, self.joined()).await;
        joined.unwrap_or(Err(HubError::TooLate))
    }

    async fn joined(&self) -> Result<Link<Line>, HubError> {
        let (access_key, password) = self.keys()?;
        let clients = self.clients.clone();
        let place = self.place();
        let kept = off_the_runtime(move || Ok((clients.greeting()?, clients.hub_key(&place)?))).await?;
        let (greeting, known) = kept;
        let membership = Membership {
            program: PROGRAM.to_owned(),
            access_key,
            key: greeting.key,
            known,
        };
        let psk = async |node_id: &str| self.psk(node_id, &password).await;
        let failed = |source| HubError::Join {
            place: self.place(),
            source,
        };
        let stream = self.target.connect().await;
        let line = self
            .secured(stream.map_err(|error| failed(error.into()))?)
            .await?;
        let joined = join(line, &self.target, &membership, psk).await;
        let (link, key) = joined.map_err(failed)?;
        if known.is_none() {
            self.keep(key).await?;
        }
        Ok(link)
    }

    /// Puts TLS around the connection, where the address asks for that.
    async fn secured(&self, stream: TcpStream) -> Result<Line, HubError> {
        if !self.target.has_tls {
            return Ok(Box::new(stream));
        }
        let failed = |why| HubError::Tls {
            place: self.place(),
            why,
        };
        let file = self.ca_file.clone();
        let read = spawn_blocking(move || tls::connector(file.as_deref(), CA_FILE)).await;
        let read = read.unwrap_or_else(|error| Err(error.to_string()));
        let shaken = tls::handshake(&read.map_err(failed)?, &self.target.host, stream, CA_FILE).await;
        Ok(Box::new(shaken.map_err(failed)?))
    }

    async fn keep(&self, key: PublicKey) -> Result<(), HubError> {
        let (clients, place) = (self.clients.clone(), self.place());
        Ok(off_the_runtime(move || clients.keep_hub_key(&place, key)).await?)
    }

    fn keys(&self) -> Result<(String, SecretString), HubError> {
        let line = self.secret.fetch(&self.folders)?;
        let keys = line.expose_secret().split_once(':').ok_or(HubError::Keys)?;
        let (access_key, password) = (keys.0.trim(), keys.1.trim());
        if access_key.is_empty() || password.is_empty() {
            return Err(HubError::Keys);
        }
        Ok((access_key.to_owned(), SecretString::from(password)))
    }

    async fn psk(&self, node_id: &str, password: &SecretString) -> Result<Psk, DeriveError> {
        let is_same = |known: &&Derived| {
            known.node_id == node_id && known.password.expose_secret() == password.expose_secret()
        };
        if let Some(known) = self.derived.lock().as_ref().filter(is_same) {
            return Ok(known.psk.clone());
        }
        let (id, secret) = (node_id.to_owned(), password.clone());
        let derived = spawn_blocking(move || Psk::derive(secret.expose_secret(), &id)).await;
        let psk = derived.map_err(|_| DeriveError::interrupted())??;
        *self.derived.lock() = Some(Derived {
            node_id: node_id.to_owned(),
            password: password.clone(),
            psk: psk.clone(),
        });
        Ok(psk)
    }
}

/// Runs what blocks beside the runtime.
async fn off_the_runtime<Out: Send + 'static>(
    work: impl FnOnce() -> Result<Out, ClientsError> + Send + 'static,
) -> Result<Out, ClientsError> {
    match spawn_blocking(work).await {
        Ok(outcome) => outcome,
        Err(error) => Err(ClientsError::Interrupted(error.to_string())),
    }
}
