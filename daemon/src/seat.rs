//! One daemon of this machine at a time on a bus: two would both answer every utterance.
//!
//! The seat is an abstract socket that is named after the bus. The kernel gives it to one process and takes it back when
//! that ends; programs that share the loopback interface with us share these names too. Frames on the bus decide nothing
//! here: anybody on it could keep the device mute with them. So a daemon of another machine, or of another container, is
//! only warned of.

use std::io;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixListener, UnixStream};
use std::time::Duration;

use loquat_bus::{Bus, BusAddress};
use loquat_orchestrator::frames::{SKILL_ID, originated};
use loquat_wire::topic;
use rustix::net::sockopt::socket_peercred;
use serde_json::json;

/// Another daemon answers within this.
const PATIENCE: Duration = Duration::from_secs(2);

/// Held as long as this lives.
#[derive(Debug)]
pub struct Seat(#[expect(dead_code, reason = "the seat goes with the socket")] Option<UnixListener>);

/// Another daemon has the seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("failed to take the seat on the bus: another Loquat answers there")]
pub struct Taken {
    /// Its process, as far as the system tells.
    pub process: Option<i32>,
}

impl Seat {
    /// Takes the seat on a bus. Never waits. Where the system has no such seats, everybody gets one.
    pub fn take(address: &BusAddress, is_loopback: bool) -> Result<Self, Taken> {
        // The loopback interface has several names.
        let host = if is_loopback { "localhost" } else { &address.host };
        let name = format!("loquat-on-bus-{host}:{}", address.port);
        let Ok(place) = SocketAddr::from_abstract_name(name) else {
            return Ok(Self(None));
        };
        match UnixListener::bind_addr(&place) {
            Ok(listener) => Ok(Self(Some(listener))),
            Err(error) if error.kind() == io::ErrorKind::AddrInUse => Err(Taken {
                process: holder(&place).ok(),
            }),
            Err(error) => {
                tracing::debug!(%error, "nobody can tell whether another daemon is on this bus");
                Ok(Self(None))
            }
        }
    }
}

fn holder(place: &SocketAddr) -> io::Result<i32> {
    let stream = UnixStream::connect_addr(place)?;
    Ok(socket_peercred(&stream)?.pid.as_raw_pid())
}

/// Warns of another Loquat on a bus beyond this machine. It is not believed enough to be silent for it.
pub async fn warn_of_another(bus: Bus) {
    let question = originated(&topic::is_alive(SKILL_ID), json!({}));
    if bus.request(question, None, PATIENCE).await.is_ok() {
        tracing::warn!(
            "another Loquat says that it is on this bus; every utterance is answered twice until one of the two is stopped"
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seat_is_one_process_s_until_it_lets_go() {
        let address = |port| BusAddress {
            host: "127.0.0.1".to_owned(),
            port,
            route: "/core".to_owned(),
            ssl: false,
        };
        // Below the ports of other tests, and none is opened.
        let port = 2_000 + u16::try_from(std::process::id() % 8_000).unwrap();
        let seat = Seat::take(&address(port), true).unwrap();
        let us = i32::try_from(std::process::id()).ok();
        assert_eq!(
            Seat::take(&address(port), true).unwrap_err(),
            Taken { process: us }
        );
        let elsewhere = BusAddress {
            host: "192.0.2.1".to_owned(),
            ..address(port)
        };
        assert!(Seat::take(&elsewhere, false).is_ok());
        drop(seat);
        assert!(Seat::take(&address(port), true).is_ok());
    }
}
