//! Which addresses belong to the world, and which to a machine, a home or a laboratory.
//!
//! Of IPv6 only what has been given out as global unicast counts, so that every way to write an IPv4 address in an IPv6
//! one is closed as well.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use super::neighbourhood;

/// Networks of IPv4 that are not the world's, with the lengths of their prefixes (IANA's registry of special addresses).
const CLOSED: &[([u8; 4], u32)] = &[
    ([0, 0, 0, 0], 8),
    ([10, 0, 0, 0], 8),
    ([100, 64, 0, 0], 10),
    ([127, 0, 0, 0], 8),
    ([169, 254, 0, 0], 16),
    ([172, 16, 0, 0], 12),
    ([192, 0, 0, 0], 24),
    ([192, 0, 2, 0], 24),
    ([192, 88, 99, 0], 24),
    ([192, 168, 0, 0], 16),
    ([198, 18, 0, 0], 15),
    ([198, 51, 100, 0], 24),
    ([203, 0, 113, 0], 24),
    // Multicast, reserved and broadcast.
    ([224, 0, 0, 0], 3),
];

/// Global unicast.
const OPEN_6: (Ipv6Addr, u32) = (Ipv6Addr::new(0x2000, 0, 0, 0, 0, 0, 0, 0), 3);

/// What of it is special: protocols with Teredo among them, documentation, 6to4.
const CLOSED_6: &[(Ipv6Addr, u32)] = &[
    (Ipv6Addr::new(0x2001, 0, 0, 0, 0, 0, 0, 0), 23),
    (Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 0), 32),
    (Ipv6Addr::new(0x2002, 0, 0, 0, 0, 0, 0, 0), 16),
    (Ipv6Addr::new(0x3fff, 0, 0, 0, 0, 0, 0, 0), 20),
];

/// Whether an address is one of the internet, and neither the device's own nor that of a neighbour on its link, which it may be
/// as well. Where that cannot be found out, it is taken for one.
pub(super) fn is_public(address: IpAddr) -> bool {
    is_of_the_world(address) && !is_near(address)
}

fn is_near(address: IpAddr) -> bool {
    neighbourhood::holds(address).unwrap_or_else(|error| {
        tracing::warn!(%error, "failed to read the routes of this device under /proc/self/net; no page is fetched, since it could be one \
                                of the home");
        true
    })
}

fn is_of_the_world(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => !CLOSED.iter().any(|(network, prefix)| {
            let beyond = 32 - prefix;
            address.to_bits() >> beyond == Ipv4Addr::from(*network).to_bits() >> beyond
        }),
        IpAddr::V6(address) => {
            let is_in = |(network, prefix): &(Ipv6Addr, u32)| {
                let beyond = 128 - prefix;
                address.to_bits() >> beyond == network.to_bits() >> beyond
            };
            is_in(&OPEN_6) && !CLOSED_6.iter().any(is_in)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::is_of_the_world;

    #[test]
    fn the_world_is_open() {
        for address in [
            "1.1.1.1",
            "8.8.8.8",
            "9.255.255.255",
            "11.0.0.0",
            "100.63.255.255",
            "100.128.0.0",
            "126.255.255.255",
            "128.0.0.1",
            "169.253.255.255",
            "172.15.255.255",
            "172.32.0.0",
            "192.0.1.1",
            "192.167.255.255",
            "192.169.0.0",
            "198.17.255.255",
            "198.20.0.0",
            "223.255.255.255",
            "2606:4700:4700::1111",
            "2a00:1450:4001::1",
            "2001:4860:4860::8888",
            "2400:cb00::1",
        ] {
            assert!(is_of_the_world(address.parse().expect(address)), "{address}");
        }
    }

    #[test]
    fn what_is_not_the_world_s_is_closed() {
        for address in [
            // This machine, private networks, providers' networks, links.
            "0.0.0.0",
            "0.1.2.3",
            "10.0.0.1",
            "10.255.255.255",
            "100.64.0.1",
            "100.127.255.255",
            "127.0.0.1",
            "127.255.255.254",
            "169.254.169.254",
            "169.254.0.1",
            "172.16.0.1",
            "172.31.255.255",
            "192.168.0.1",
            "192.168.255.255",
            // Protocols, documentation, 6to4 relays, benchmarks, multicast, reserved, broadcast.
            "192.0.0.1",
            "192.0.0.170",
            "192.0.2.1",
            "198.51.100.1",
            "203.0.113.1",
            "192.88.99.1",
            "198.18.0.1",
            "198.19.255.255",
            "224.0.0.1",
            "239.255.255.250",
            "240.0.0.1",
            "255.255.255.255",
            // The same of IPv6.
            "::",
            "::1",
            "fe80::1",
            "febf::1",
            "fec0::1",
            "fc00::1",
            "fd12:3456:789a::1",
            "ff02::1",
            "ff0e::1",
            "2001:db8::1",
            "3fff::1",
            "100::1",
            "5f00::1",
            "2001::1",
            "2001:2::1",
            "2001:20::1",
            "4000::1",
            // IPv4 in IPv6: mapped, translated, compatible, NAT64, 6to4, Teredo, ISATAP.
            "::ffff:127.0.0.1",
            "::ffff:8.8.8.8",
            "::ffff:0:127.0.0.1",
            "::127.0.0.1",
            "::7f00:1",
            "64:ff9b::127.0.0.1",
            "64:ff9b::8.8.8.8",
            "64:ff9b:1::a00:1",
            "2002:7f00:1::1",
            "2002:a00:1::1",
            "2001:0:4136:e378:8000:63bf:3fff:fdd2",
            "fe80::5efe:127.0.0.1",
        ] {
            assert!(!is_of_the_world(address.parse().expect(address)), "{address}");
        }
    }
}
