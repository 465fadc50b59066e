//! Joining the bus of the machine, or bringing one where there is none.

use std::time::Duration;

use loquat_bus::{Bus, BusActor, BusAddress, BusServerOptions, ClientOptions, EmbeddedBus};
use loquat_wire::Vocabulary;
use tokio::net::TcpStream;

use crate::bus_settings::{Bus as Settings, Compat, Embed};
use crate::supervisor::Supervisor;

/// A bus on this machine accepts at once; one across the house within this.
const PATIENCE: Duration = Duration::from_millis(500);

/// How we came to a bus.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Joined {
    /// A bus answered, or is waited for.
    Theirs,
    /// No bus answered, so we brought our own.
    Ours,
}

/// Tells whether a program listens at an address.
pub async fn answers(address: &BusAddress) -> bool {
    let connection = TcpStream::connect((address.host.as_str(), address.port));
    matches!(tokio::time::timeout(PATIENCE, connection).await, Ok(Ok(_)))
}

/// Joins the bus at an address. If no bus answers there and the address is on this machine, an embedded one is started,
/// as the settings have it.
pub async fn join(
    settings: &Settings,
    address: BusAddress,
    supervisor: &Supervisor,
) -> (Bus, BusAddress, Joined) {
    let embed = match settings.embed {
        Embed::Never => false,
        Embed::Always => true,
        Embed::Auto => address.is_of_this_machine() && !answers(&address).await,
    };
    let ours = if embed {
        embed_at(&address, supervisor)
    } else {
        None
    };
    let joined = if ours.is_some() {
        Joined::Ours
    } else {
        Joined::Theirs
    };
    let address = ours.unwrap_or(address);
    let bus = another_client(address.clone(), settings.compat, supervisor);
    (bus, address, joined)
}

/// Brings a bus on a free port, for a question that no other program is to hear.
pub fn private(
    settings: &Settings,
    address: BusAddress,
    supervisor: &Supervisor,
) -> Option<(Bus, BusAddress)> {
    let anywhere = BusAddress {
        host: "127.0.0.1".to_owned(),
        port: 0,
        ..address
    };
    let address = embed_at(&anywhere, supervisor)?;
    let bus = another_client(address.clone(), settings.compat, supervisor);
    Some((bus, address))
}

/// Starts a client of its own on a bus that is there. What it sends is not what a person has said to this
/// process.
pub fn another_client(address: BusAddress, compat: Compat, supervisor: &Supervisor) -> Bus {
    let mut options = ClientOptions::default();
    options.vocabulary = match compat {
        Compat::Both => Vocabulary::Both,
        Compat::Legacy => Vocabulary::Legacy,
        Compat::Spec => Vocabulary::Canonical,
    };
    let (bus, actor): (Bus, BusActor) = loquat_bus::client(address, options);
    supervisor.company().is_joined_by_us();
    supervisor.spawn(&supervisor.back, "bus client", actor.run(supervisor.back.token()));
    bus
}

fn embed_at(address: &BusAddress, supervisor: &Supervisor) -> Option<BusAddress> {
    let mut options = BusServerOptions::on_port(address.port);
    options.host.clone_from(&address.host);
    options.route.clone_from(&address.route);
    match EmbeddedBus::bind(options) {
        Ok(server) => {
            let local = server.local_addr();
            supervisor.company().is_on_ours(server.clients());
            supervisor.spawn(
                &supervisor.back,
                "embedded bus",
                server.run(supervisor.back.token()),
            );
            Some(BusAddress {
                port: local.port(),
                ..address.clone()
            })
        }
        Err(error) => {
            tracing::warn!(%error, "failed to bring a bus; joining whoever has the port");
            None
        }
    }
}
