//! The way to the services of this device over D-Bus: one connection to each of its two buses, opened when it is first
//! needed, kept, and opened again after it was lost.
//!
//! No call takes longer than [`PATIENCE`], and no message larger than a bound is kept. Knows no service.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use loquat_kit::report::Problem;
use tokio::net::UnixStream;
use tokio::sync::Mutex;
use tokio::time::timeout;
use zbus::proxy::CacheProperties;
use zbus::{Connection, DBusError};

mod bounded;
#[cfg(test)]
pub(crate) mod stage;

use bounded::Bounded;

/// A service that takes longer is one that hangs; a person waits no longer for a sentence.
pub(crate) const PATIENCE: Duration = Duration::from_secs(2);

/// For what takes its time by nature, such as a device that is to be reached by radio. What waits less long says so itself.
pub(crate) const LONGEST_PATIENCE: Duration = Duration::from_secs(25);

/// Where the services of this device are reached. Without an address none of that kind is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DeviceAddresses {
    /// The D-Bus of the person who is logged in, as `DBUS_SESSION_BUS_ADDRESS` has it.
    pub session_bus: Option<String>,
    /// The D-Bus of the machine, as `DBUS_SYSTEM_BUS_ADDRESS` has it.
    pub system_bus: Option<String>,
    /// The sound server listens on this socket.
    pub sound_server: Option<PathBuf>,
    /// The files that may hold what the sound server knows its clients by; the first that is there counts.
    pub sound_cookies: Vec<PathBuf>,
    /// The name of the mixer of ALSA, such as `default`.
    pub alsa_mixer: Option<String>,
}

/// Why a service did not do what it was asked.
#[derive(Debug, Clone, thiserror::Error)]
pub(crate) enum Fault {
    /// This process has no address of the bus.
    #[error(
        "failed to reach {service}: there is no D-Bus session; run Loquat as a user service, or set DBUS_SESSION_BUS_ADDRESS"
    )]
    NoBus { service: String },
    /// This process has no address of the machine's bus.
    #[error("failed to reach {service}: this device has no D-Bus of the system; install and start dbus")]
    NoSystemBus { service: String },
    /// The bus does not answer.
    #[error(
        "failed to reach {service}: the D-Bus at {address} does not answer ({why}); see whether dbus runs"
    )]
    Unreachable {
        service: String,
        address: String,
        why: String,
    },
    /// No program has the name.
    #[error("failed to reach {service}: no program has this name on D-Bus; start the program that brings it")]
    Absent { service: String },
    /// The service does not answer.
    #[error("{service} gave no answer within {seconds} seconds; start it again")]
    Silent { service: String, seconds: u64 },
    /// The service said no.
    #[error("{service} refused ({why}); see what it allows the user of Loquat")]
    Refused { service: String, why: String },
}

impl From<Fault> for Problem {
    fn from(fault: Fault) -> Self {
        let dialog = match fault {
            Fault::NoBus { .. }
            | Fault::NoSystemBus { .. }
            | Fault::Unreachable { .. }
            | Fault::Absent { .. } => "absent",
            Fault::Silent { .. } | Fault::Refused { .. } => "refused",
        };
        Self::new(fault.to_string(), dialog)
    }
}

/// A bus of this device. Clones share the connection.
#[derive(Debug, Clone)]
pub struct DeviceBus {
    address: Option<String>,
    is_system: bool,
    connection: Arc<Mutex<Option<Connection>>>,
}

impl DeviceBus {
    /// The bus of the person who is logged in, at this address.
    pub fn at(address: Option<String>) -> Self {
        Self {
            address,
            is_system: false,
            connection: Arc::default(),
        }
    }

    /// The machine's own.
    pub fn of_system(address: Option<String>) -> Self {
        let is_system = true;
        Self {
            is_system,
            ..Self::at(address)
        }
    }

    /// Where it is, if this process has an address.
    pub(crate) fn address(&self) -> Option<&str> {
        self.address.as_deref()
    }

    /// The connection, for a call of this service.
    pub(crate) async fn connection(&self, service: &str) -> Result<Connection, Fault> {
        let service = || service.to_owned();
        let address = self.address.as_deref().ok_or_else(|| {
            let service = service();
            if self.is_system {
                Fault::NoSystemBus { service }
            } else {
                Fault::NoBus { service }
            }
        })?;
        let mut kept = self.connection.lock().await;
        if let Some(connection) = kept.as_ref().filter(|connection| !connection.is_closed()) {
            return Ok(connection.clone());
        }
        let unreachable = |why: String| Fault::Unreachable {
            service: service(),
            address: address.to_owned(),
            why,
        };
        let opened = timeout(PATIENCE, open(address)).await;
        let opened = opened.map_err(|_| unreachable("it is silent".to_owned()))?;
        let connection = opened.map_err(|error| unreachable(error.to_string()))?;
        *kept = Some(connection.clone());
        Ok(connection)
    }
}

/// What a call came to, in words for the person.
pub(crate) async fn within<T>(
    service: &str,
    call: impl Future<Output = zbus::Result<T>>,
) -> Result<T, Fault> {
    within_for(PATIENCE, service, call).await
}

/// What a call came to that may take as long as this.
pub(crate) async fn within_for<T>(
    patience: Duration,
    service: &str,
    call: impl Future<Output = zbus::Result<T>>,
) -> Result<T, Fault> {
    match timeout(patience, call).await {
        Ok(Ok(value)) => Ok(value),
        Ok(Err(error)) => Err(fault(service, &error)),
        Err(_) => Err(Fault::Silent {
            service: service.to_owned(),
            seconds: patience.as_secs(),
        }),
    }
}

/// The proxy of an object, which keeps no property.
pub(crate) async fn proxy<P>(connection: &Connection, destination: &str, path: &str) -> zbus::Result<P>
where
    P: zbus::proxy::Defaults + From<zbus::Proxy<'static>>,
{
    zbus::proxy::Builder::<P>::new(connection)
        .destination(destination.to_owned())
        .path(path.to_owned())
        .cache_properties(CacheProperties::No)
        .build()
        .await
}

fn fault(service: &str, error: &zbus::Error) -> Fault {
    const ABSENT: [&str; 4] = [
        "org.freedesktop.DBus.Error.ServiceUnknown",
        "org.freedesktop.DBus.Error.NameHasNoOwner",
        "org.freedesktop.DBus.Error.Spawn.",
        "org.freedesktop.systemd1.",
    ];
    let service = service.to_owned();
    let name = match error {
        zbus::Error::MethodError(name, _, _) => name.to_string(),
        zbus::Error::FDO(own) => own.name().to_string(),
        other => other.to_string(),
    };
    if ABSENT.iter().any(|absent| name.starts_with(absent)) {
        return Fault::Absent { service };
    }
    let why = name.chars().take(80).collect();
    Fault::Refused { service, why }
}

async fn open(address: &str) -> zbus::Result<Connection> {
    connecting(address).await?.build().await
}

/// The beginning of a connection to the bus at this address, for a service of our own. It keeps no message larger than four
/// mebibytes and waits for no answer longer than two seconds.
pub async fn connecting(address: &str) -> zbus::Result<zbus::connection::Builder<'static>> {
    let stream = match socket(address) {
        Some(Socket::Path(path)) => UnixStream::connect(path).await?,
        Some(Socket::Abstract(name)) => abstract_socket(name)?,
        None => {
            return Err(zbus::Error::Address(
                "it names no socket of this machine".to_owned(),
            ));
        }
    };
    Ok(zbus::connection::Builder::socket(Bounded(stream)).method_timeout(LONGEST_PATIENCE))
}

enum Socket<'a> {
    Path(&'a str),
    Abstract(&'a str),
}

/// The first socket of an address such as `unix:path=/run/user/1000/bus,guid=…;tcp:…`.
fn socket(address: &str) -> Option<Socket<'_>> {
    let sockets = address.split(';').filter_map(|one| one.strip_prefix("unix:"));
    let mut keys = sockets.flat_map(|one| one.split(','));
    keys.find_map(|key| match key.split_once('=')? {
        ("path", path) => Some(Socket::Path(path)),
        ("abstract", name) => Some(Socket::Abstract(name)),
        _ => None,
    })
}

fn abstract_socket(name: &str) -> std::io::Result<UnixStream> {
    use std::os::linux::net::SocketAddrExt;
    let address = std::os::unix::net::SocketAddr::from_abstract_name(name)?;
    let stream = std::os::unix::net::UnixStream::connect_addr(&address)?;
    stream.set_nonblocking(true)?;
    UnixStream::from_std(stream)
}
