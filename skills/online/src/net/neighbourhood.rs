//! Which addresses are the device's own, and which its neighbours on a link have: what a home has in the midst of the world's
//! addresses, as every home with IPv6 does.
//!
//! Asks the kernel for its addresses and routes each time, since a device moves from network to network: whatever has the prefix
//! of an own address, or is reached without a gateway, is near. They are read as text, which the service may do that has no
//! sockets but those of the internet.

use std::fs::File;
use std::io::{self, BufRead, BufReader, ErrorKind};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// The routes of IPv4, of all tables.
const ROUTES: &str = "/proc/self/net/fib_trie";

/// The routes and the addresses of IPv6; a kernel without it has no such files.
const ROUTES_6: &str = "/proc/self/net/ipv6_route";
const ADDRESSES_6: &str = "/proc/self/net/if_inet6";

/// A network without a gateway that has fewer bits in its prefix is no link but a tunnel to the world.
const WIDEST: u32 = 8;
const WIDEST_6: u32 = 32;

/// Of routes of IPv6: through a gateway, and one that was learnt of a single destination.
const GATEWAY: u32 = 0x2;
const CACHED: u32 = 0x0100_0000;

/// Whether the device has this address itself, or reaches it without a gateway.
///
/// # Errors
/// When the kernel's routes cannot be read, so that nothing is known of the address.
pub(super) fn holds(address: IpAddr) -> io::Result<bool> {
    match address {
        IpAddr::V4(address) => {
            let routes = lines(File::open(ROUTES)?);
            any_of(near(routes), |(network, prefix)| {
                (network.to_bits() ^ address.to_bits()) >> (32 - prefix) == 0
            })
        }
        IpAddr::V6(address) => {
            let is_in = |(network, prefix): (Ipv6Addr, u32)| {
                (network.to_bits() ^ address.to_bits()) >> (128 - prefix) == 0
            };
            let routes = there(ROUTES_6)?.map_or(Ok(false), |routes| any_of(near_6(routes), is_in));
            if routes? {
                return Ok(true);
            }
            there(ADDRESSES_6)?.map_or(Ok(false), |own| any_of(own_6(own), is_in))
        }
    }
}

fn there(path: &str) -> io::Result<Option<impl Iterator<Item = io::Result<String>>>> {
    match File::open(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        opened => opened.map(|file| Some(lines(file))),
    }
}

fn lines(file: File) -> impl Iterator<Item = io::Result<String>> {
    BufReader::new(file).lines()
}

fn any_of<T>(
    mut networks: impl Iterator<Item = io::Result<T>>,
    holds: impl Fn(T) -> bool,
) -> io::Result<bool> {
    networks
        .find_map(|network| match network {
            Ok(network) => holds(network).then_some(Ok(true)),
            Err(error) => Some(Err(error)),
        })
        .unwrap_or(Ok(false))
}

/// Networks of IPv4 without a gateway. A line `|-- 192.168.1.0` names an address, and lines such as `/24 link UNICAST` behind
/// it the prefix, the scope and the kind of its routes.
fn near(
    lines: impl Iterator<Item = io::Result<String>>,
) -> impl Iterator<Item = io::Result<(Ipv4Addr, u32)>> {
    let mut network = None;
    lines.filter_map(move |line| {
        let line = match line {
            Ok(line) => line,
            Err(error) => return Some(Err(error)),
        };
        let line = line.trim_start();
        if let Some(address) = line.strip_prefix("|-- ") {
            network = address.trim_end().parse().ok();
            return None;
        }
        let mut words = line.strip_prefix('/')?.split_whitespace();
        let prefix = words.next()?.parse().ok().filter(|prefix| *prefix <= 32)?;
        let is_near = match (words.next()?, words.next()?) {
            ("host", _) | (_, "LOCAL" | "BROADCAST" | "ANYCAST") => prefix > 0,
            ("link", "UNICAST") => prefix >= WIDEST,
            _ => false,
        };
        Some(Ok((network?, prefix))).filter(|_| is_near)
    })
}

/// Networks of IPv6 without a gateway. A line has the network, its prefix, the network of the sender with its prefix, the gateway, three numbers,
/// the flags and the interface, in hexadecimal digits.
fn near_6(
    lines: impl Iterator<Item = io::Result<String>>,
) -> impl Iterator<Item = io::Result<(Ipv6Addr, u32)>> {
    lines.filter_map(|line| {
        let line = match line {
            Ok(line) => line,
            Err(error) => return Some(Err(error)),
        };
        let words: Vec<&str> = line.split_whitespace().collect();
        let [network, prefix, _, _, gateway, _, _, _, flags, ..] = words.as_slice() else {
            return None;
        };
        let network = Ipv6Addr::from_bits(u128::from_str_radix(network, 16).ok()?);
        let prefix = u32::from_str_radix(prefix, 16).ok()?;
        let flags = u32::from_str_radix(flags, 16).ok()?;
        let is_direct = u128::from_str_radix(gateway, 16) == Ok(0) && flags & (GATEWAY | CACHED) == 0;
        (is_direct && (WIDEST_6..=128).contains(&prefix)).then_some(Ok((network, prefix)))
    })
}

/// The networks of the own addresses of IPv6. A line has the address, the number of the interface, the prefix and more.
fn own_6(
    lines: impl Iterator<Item = io::Result<String>>,
) -> impl Iterator<Item = io::Result<(Ipv6Addr, u32)>> {
    lines.filter_map(|line| {
        let line = match line {
            Ok(line) => line,
            Err(error) => return Some(Err(error)),
        };
        let mut words = line.split_whitespace();
        let address = u128::from_str_radix(words.next()?, 16).ok()?;
        let prefix = u32::from_str_radix(words.nth(1)?, 16).ok()?;
        // An address with a wider prefix is near all the same.
        let prefix = if (WIDEST_6..=128).contains(&prefix) {
            prefix
        } else {
            128
        };
        Some(Ok((Ipv6Addr::from_bits(address), prefix)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str) -> impl Iterator<Item = io::Result<String>> {
        text.lines().map(|line| Ok(line.to_owned()))
    }

    #[test]
    fn what_is_reached_without_a_gateway_is_near() {
        let text = "Main:\n  +-- 0.0.0.0/0 3 0 5\n     |-- 0.0.0.0\n        /0 universe UNICAST\n     |-- 198.51.100.64\n        \
                    /26 link UNICAST\n     |-- 198.51.100.70\n        /32 host LOCAL\n     |-- 9.0.0.0\n        /8 universe UNICAST\n     \
                    |-- 128.0.0.0\n        /1 link UNICAST\nId 51820:\n     |-- 0.0.0.0\n        /0 link UNICAST\n";
        let near: Vec<_> = near(told(text)).map(Result::unwrap).collect();
        let expected = [
            (Ipv4Addr::new(198, 51, 100, 64), 26),
            (Ipv4Addr::new(198, 51, 100, 70), 32),
        ];
        assert_eq!(near, expected);
    }

    #[test]
    fn the_same_holds_of_ipv6() {
        let zeros = "0".repeat(32);
        let line = |network: &str, prefix: &str, gateway: &str, flags: &str| {
            format!("{network} {prefix} {zeros} 00 {gateway} 00000100 00000001 00000000 {flags}     eth0\n")
        };
        let (home, host) = (
            "2a02123400000001".to_owned() + &"0".repeat(16),
            "2a021234000000010000000000000042",
        );
        let router = "fe800000000000000000000000000001";
        let text = [
            line(&home, "40", &zeros, "00000001"),
            line(host, "80", &zeros, "80200001"),
            line(&zeros, "00", router, "00000003"),
            line(&home, "38", router, "00000003"),
            line(&home, "80", &zeros, "01000001"),
            line(&("2".to_owned() + &"0".repeat(31)), "03", &zeros, "00000001"),
            "odd\n".to_owned(),
        ];
        let near: Vec<_> = near_6(told(&text.concat())).map(Result::unwrap).collect();
        let expected: [(Ipv6Addr, u32); 2] = [("2a02:1234:0:1::".parse().unwrap(), 64), (host_of(host), 128)];
        assert_eq!(near, expected);
    }

    #[test]
    fn the_network_of_an_own_address_is_near() {
        let text = "2a021234000000010000000000000042 02 40 00 80     eth0\n00000000000000000000000000000001 01 80 10 80       lo\n\
                    2a021234000000010000000000000043 03 00 00 80     wg0\nodd\n";
        let own: Vec<_> = own_6(told(text)).map(Result::unwrap).collect();
        let address = |text: &str| text.parse::<Ipv6Addr>().unwrap();
        let expected = [
            (address("2a02:1234:0:1::42"), 64),
            (address("::1"), 128),
            (address("2a02:1234:0:1::43"), 128),
        ];
        assert_eq!(own, expected);
    }

    fn host_of(digits: &str) -> Ipv6Addr {
        Ipv6Addr::from_bits(u128::from_str_radix(digits, 16).unwrap())
    }

    #[test]
    fn this_machine_holds_its_own_address() {
        assert!(holds("127.0.0.1".parse().unwrap()).unwrap());
        assert!(!holds("8.8.8.8".parse().unwrap()).unwrap());
    }
}
