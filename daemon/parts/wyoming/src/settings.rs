//! `[wyoming]`: the door through which Home Assistant comes in.

use std::net::{IpAddr, SocketAddr};

use loquat_settings::section;

section! {
    /// The door for Home Assistant and other programs that speak the Wyoming protocol: sentences to be answered, and
    /// recordings to be turned into text.
    "wyoming" Wyoming {
        /// Address and port of this device at which Wyoming is listened for.
        /// Absent: it is not. The protocol knows neither passwords nor encryption: every program at an address that is let in
        /// talks to the device as a person does, and every machine on the way can read what is said.
        listen: Option<SocketAddr> = None, eg "127.0.0.1:10700";
        /// The other machines that are let in, by their IP addresses; programs on this machine always are. Without any,
        /// `listen` must be an address of this machine alone.
        allow: Vec<IpAddr> = Vec::new();
        /// Whether recordings are turned into text too, where a whisper model is installed. The microphone's own go first.
        transcribe: bool = true;
    }
}

impl Wyoming {
    /// Complains of an address that others reach while the settings do not name the machines that may come in.
    pub(super) fn complaint(&self) -> Option<String> {
        let listen = self.listen?;
        let is_open = !listen.ip().to_canonical().is_loopback() && self.allow.is_empty();
        is_open.then(|| {
            format!(
                "wyoming.listen is {listen}, which other machines reach, and wyoming.allow names none; name those that \
                 may come in, as in allow = [\"192.168.1.20\"], or listen at 127.0.0.1:{}",
                listen.port()
            )
        })
    }

    /// Tells whether a peer at this address is let in.
    pub fn lets_in(&self, peer: IpAddr) -> bool {
        let peer = peer.to_canonical();
        peer.is_loopback() || self.allow.iter().any(|allowed| allowed.to_canonical() == peer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_named_machines_come_in_from_outside() {
        let wyoming = Wyoming {
            allow: vec!["192.168.1.20".parse().unwrap(), "fd00::7".parse().unwrap()],
            ..Wyoming::default()
        };
        for (peer, comes_in) in [
            ("127.0.0.1", true),
            ("127.8.8.8", true),
            ("::1", true),
            ("::ffff:127.0.0.1", true),
            ("192.168.1.20", true),
            ("::ffff:192.168.1.20", true),
            ("fd00::7", true),
            ("192.168.1.21", false),
            ("0.0.0.0", false),
            ("fd00::8", false),
        ] {
            assert_eq!(wyoming.lets_in(peer.parse().unwrap()), comes_in, "{peer}");
        }
    }

    #[test]
    fn an_open_door_is_complained_of() {
        let at = |listen: &str, allow: &[&str]| Wyoming {
            listen: Some(listen.parse().unwrap()),
            allow: allow.iter().map(|peer| peer.parse().unwrap()).collect(),
            ..Wyoming::default()
        };
        for closed in [
            at("127.0.0.1:10700", &[]),
            at("[::1]:1", &[]),
            at("0.0.0.0:1", &["10.0.0.2"]),
        ] {
            assert_eq!(closed.complaint(), None);
        }
        for open in ["0.0.0.0:10700", "192.168.1.5:10700", "[::]:10700"] {
            let complaint = at(open, &[]).complaint().unwrap();
            assert!(
                complaint.contains(open) && complaint.contains("wyoming.allow"),
                "{complaint}"
            );
        }
    }
}
