//! Addresses that are no part of the internet, in the spellings that some program takes for them.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use crate::dice::Dice;

/// Blocks that no site on the internet has (the IANA registries of special-purpose addresses, and multicast): the first
/// address, and how many of its bits count.
const CLOSED_4: [(Ipv4Addr, u32); 15] = [
    (Ipv4Addr::UNSPECIFIED, 8),
    (Ipv4Addr::new(10, 0, 0, 0), 8),
    (Ipv4Addr::new(100, 64, 0, 0), 10),
    (Ipv4Addr::new(127, 0, 0, 0), 8),
    (Ipv4Addr::new(169, 254, 0, 0), 16),
    (Ipv4Addr::new(172, 16, 0, 0), 12),
    (Ipv4Addr::new(192, 0, 0, 0), 24),
    (Ipv4Addr::new(192, 0, 2, 0), 24),
    (Ipv4Addr::new(192, 88, 99, 0), 24),
    (Ipv4Addr::new(192, 168, 0, 0), 16),
    (Ipv4Addr::new(198, 18, 0, 0), 15),
    (Ipv4Addr::new(198, 51, 100, 0), 24),
    (Ipv4Addr::new(203, 0, 113, 0), 24),
    (Ipv4Addr::new(224, 0, 0, 0), 4),
    (Ipv4Addr::new(240, 0, 0, 0), 4),
];

/// The like of the newer addresses, within the one block that is the internet's.
const CLOSED_6: [(Ipv6Addr, u32); 4] = [
    (Ipv6Addr::new(0x2001, 0, 0, 0, 0, 0, 0, 0), 23),
    (Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 0), 32),
    (Ipv6Addr::new(0x2002, 0, 0, 0, 0, 0, 0, 0), 16),
    (Ipv6Addr::new(0x3fff, 0, 0, 0, 0, 0, 0, 0), 20),
];

/// Tells whether an address is one of the internet.
pub(super) fn is_world(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => !CLOSED_4
            .iter()
            .any(|(block, bits)| (address.to_bits() ^ block.to_bits()) >> (32 - bits) == 0),
        IpAddr::V6(address) => {
            address.segments()[0] >> 13 == 1
                && !CLOSED_6
                    .iter()
                    .any(|(block, bits)| (address.to_bits() ^ block.to_bits()) >> (128 - bits) == 0)
        }
    }
}

/// What this machine and its neighbours have in the midst of the internet's addresses, as [`super::isolation`] gives it: the
/// first addresses, and how many of their bits count.
pub(super) const NEAR: (Ipv4Addr, u32) = (Ipv4Addr::new(151, 101, 7, 0), 24);
pub(super) const NEAR_6: (Ipv6Addr, u32) = (Ipv6Addr::new(0x2a02, 0x1234, 0x5678, 0x9abc, 0, 0, 0, 0), 64);

/// Tells whether an address stands at home.
pub(super) fn is_home(address: IpAddr) -> bool {
    let is_near = match address.to_canonical() {
        IpAddr::V4(address) => (address.to_bits() ^ NEAR.0.to_bits()) >> (32 - NEAR.1) == 0,
        IpAddr::V6(address) => (address.to_bits() ^ NEAR_6.0.to_bits()) >> (128 - NEAR_6.1) == 0,
    };
    is_near || !is_world(address)
}

/// Draws an address of this machine or of a neighbour, or one of the old kind within one of the new.
pub(super) fn near(dice: &mut Dice) -> IpAddr {
    let own = dice.one_in(3);
    let old = Ipv4Addr::from_bits(NEAR.0.to_bits() | if own { 7 } else { dice.index(256) as u32 });
    let bits = u128::from(old.to_bits());
    let within = |prefix: &str, shift: u32| {
        let prefix: Ipv6Addr = prefix.parse().expect("our own text is an address");
        IpAddr::V6(Ipv6Addr::from_bits(prefix.to_bits() | bits << shift))
    };
    match dice.index(10) {
        0..4 => IpAddr::V4(old),
        4 => within("::ffff:0:0", 0),
        5 => within("64:ff9b::", 0),
        6 => within("2002::", 80),
        _ => {
            let host = if own { 7 } else { u128::from(dice.roll()) };
            IpAddr::V6(Ipv6Addr::from_bits(NEAR_6.0.to_bits() | host))
        }
    }
}

/// Draws an address that is none of the internet.
pub(super) fn private(dice: &mut Dice) -> IpAddr {
    let old = old(dice);
    let bits = u128::from(old.to_bits());
    let within = |prefix: &str, shift: u32| {
        let prefix: Ipv6Addr = prefix.parse().expect("our own text is an address");
        IpAddr::V6(Ipv6Addr::from_bits(prefix.to_bits() | bits << shift))
    };
    match dice.index(20) {
        0 => IpAddr::V6(Ipv6Addr::LOCALHOST),
        1 => IpAddr::V6(Ipv6Addr::UNSPECIFIED),
        2 => within("fe80::", 0),
        3 => within("fd00::", 0),
        4 => within("ff02::", 0),
        5 => within("::ffff:0:0", 0),
        6 => within("::", 0),
        7 => within("64:ff9b::", 0),
        8 => within("2002::", 80),
        9 => within("64:ff9b:1::", 0),
        10 => within("2001:db8::", 0),
        _ => IpAddr::V4(old),
    }
}

fn old(dice: &mut Dice) -> Ipv4Addr {
    if dice.one_in(3) {
        return Ipv4Addr::LOCALHOST;
    }
    let (block, bits) = *dice.pick(&CLOSED_4);
    let own = (dice.roll() as u32).checked_shr(bits).unwrap_or_default();
    Ipv4Addr::from_bits(block.to_bits() | own)
}

/// Spells an address of a page there.
pub(super) fn spelled(dice: &mut Dice, home: IpAddr) -> String {
    let host = match home {
        IpAddr::V4(address) => spelled_old(dice, address),
        IpAddr::V6(address) => spelled_new(dice, address),
    };
    let form = *dice.pick(&[
        "http://H/",
        "http://H/",
        "http://H:8080/x",
        "http://H:22/",
        "https://H/",
        "https://H:8443/",
        "HTTP://H/",
        "  http://H/  ",
        "http:H/",
        "http:/H/",
        "http:\\\\H\\",
        "http:///H/",
        "http://H#@public.example/",
        "http://H?@public.example/",
        "http://H\\@public.example/",
        "http://public.example@H/",
        "http://public.example:80@H/",
        "ht\ntp://H/",
    ]);
    form.replace('H', &host)
}

fn spelled_old(dice: &mut Dice, address: Ipv4Addr) -> String {
    let [a, b, c, d] = address.octets();
    let bits = address.to_bits();
    let mut part = |number: u32| match dice.index(4) {
        0 => format!("0x{number:x}"),
        1 => format!("0{number:o}"),
        2 => format!("0x0{number:X}"),
        _ => number.to_string(),
    };
    let parts = [a, b, c, d].map(|octet| part(u32::from(octet)));
    let short = [part(u32::from(a)), part(bits & 0xff_ffff)];
    let third = [part(u32::from(a)), part(u32::from(b)), part(bits & 0xffff)];
    let dotted = address.to_string();
    match dice.index(12) {
        0 => bits.to_string(),
        1 => format!("0x{bits:08x}"),
        2 => format!("0{bits:o}"),
        3 => parts.join("."),
        4 => short.join("."),
        5 => third.join("."),
        6 => format!("{dotted}."),
        7 => dotted.bytes().map(escaped).collect::<Vec<_>>().concat(),
        8 => dotted.replace('.', "%2e"),
        9 => dotted.replace('.', "\u{3002}"),
        10 => dotted.chars().map(wide).collect(),
        _ => dotted,
    }
}

fn escaped(byte: u8) -> String {
    format!("%{byte:02x}")
}

/// Gives the letter as it stands among those of full width.
fn wide(letter: char) -> char {
    letter
        .to_digit(10)
        .and_then(|digit| char::from_u32(0xff10 + digit))
        .unwrap_or('\u{ff0e}')
}

fn spelled_new(dice: &mut Dice, address: Ipv6Addr) -> String {
    let parts = address.segments().map(|part| format!("{part:x}"));
    let low = Ipv4Addr::from_bits(address.to_bits() as u32);
    let spelled = match dice.index(4) {
        0 => parts.join(":"),
        1 => format!("{}:{low}", parts[..6].join(":")),
        2 => address.to_string().to_uppercase(),
        _ => address.to_string(),
    };
    format!("[{spelled}]")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_made_is_no_address_of_the_internet() {
        let mut dice = Dice::new(1);
        for _ in 0..2000 {
            let home = private(&mut dice);
            assert!(!is_world(home.to_canonical()), "{home}");
            let url = spelled(&mut dice, home);
            assert!(url.len() > 6, "{url}");
        }
        for world in ["93.184.216.34", "8.8.8.8", "2600::1", "2a00:1450:4001::1"] {
            assert!(is_world(world.parse().unwrap()), "{world}");
        }
    }
}
