//! On which D-Bus the device is offered, and which users it serves there.

use loquat_settings::Environment;

use super::settings::Interface;

/// Where the bus of the machine is, unless the environment names another place.
const SYSTEM_BUS: &str = "unix:path=/run/dbus/system_bus_socket";

/// A bus.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) address: String,
    /// The user who is served, beside root.
    pub(super) user: u32,
}

impl Place {
    /// Finds the bus that the settings name; it is `None` where that is none, or not there.
    pub(super) fn choose(interface: Interface, environment: &Environment) -> Option<Self> {
        let address = match interface {
            Interface::Off => return None,
            Interface::System => {
                let named = environment.variable("DBUS_SYSTEM_BUS_ADDRESS");
                Some(named.unwrap_or(SYSTEM_BUS).to_owned())
            }
            Interface::Auto | Interface::Session => environment.session_bus(),
        };
        if address.is_none() && interface == Interface::Session {
            tracing::warn!(
                "there is no D-Bus session for dbus.interface; run Loquat as a user service, or set \
                 DBUS_SESSION_BUS_ADDRESS"
            );
        }
        let user = environment.user_id();
        address.map(|address| Self { address, user })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_is_taken_where_there_is_one() {
        let with = |pairs: &[(&str, &str)]| Environment::from_pairs(pairs.iter().copied()).with_user_id(7);
        let session = with(&[("DBUS_SESSION_BUS_ADDRESS", "unix:path=/s")]);
        let chosen = Place::choose(Interface::Auto, &session).expect("a bus");
        assert_eq!((chosen.address.as_str(), chosen.user), ("unix:path=/s", 7));
        assert_eq!(Place::choose(Interface::Off, &session), None);
        let nothing = with(&[]);
        assert_eq!(Place::choose(Interface::Auto, &nothing), None);
        assert_eq!(Place::choose(Interface::Session, &nothing), None);
        let system = Place::choose(Interface::System, &nothing).expect("a bus");
        assert_eq!(system.address, SYSTEM_BUS);
        let named = with(&[("DBUS_SYSTEM_BUS_ADDRESS", "unix:path=/m")]);
        let named = Place::choose(Interface::System, &named).expect("a bus");
        assert_eq!(named.address, "unix:path=/m");
    }
}
