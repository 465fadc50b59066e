//! A name server that answers every question at once: names of the world, of homes, of both, and names that change their mind.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv4Addr};

use tokio::net::UdpSocket;
use tokio::task::JoinSet;

/// Of a question for an address of the old kind, and of the new.
const A: u16 = 1;
const AAAA: u16 = 28;

/// The bytes in front of a question.
const HEAD: usize = 12;

/// The server; it goes away with this value.
#[derive(Debug)]
pub(super) struct NameServer {
    _task: JoinSet<()>,
}

/// What it knows.
struct Zone {
    homes: Vec<IpAddr>,
    world: IpAddr,
    /// How often a name was asked for, by kind.
    asked: HashMap<(String, u16), usize>,
}

impl NameServer {
    /// Starts on the port of name servers, which is free in a namespace.
    pub(super) async fn start(homes: Vec<IpAddr>, world: IpAddr) -> Self {
        let socket = UdpSocket::bind((Ipv4Addr::LOCALHOST, 53)).await;
        let socket = socket.expect("the port of names is free in a namespace of its own");
        let mut zone = Zone {
            homes,
            world,
            asked: HashMap::new(),
        };
        let mut task = JoinSet::new();
        task.spawn(async move {
            let mut bytes = vec![0; 1500];
            while let Ok((length, from)) = socket.recv_from(&mut bytes).await {
                let Some(answer) = zone.answer(&bytes[..length]) else {
                    continue;
                };
                // Who has gone away needs no answer.
                drop(socket.send_to(&answer, from).await);
            }
        });
        Self { _task: task }
    }
}

impl Zone {
    /// Answers a question, and nothing to what is none.
    fn answer(&mut self, question: &[u8]) -> Option<Vec<u8>> {
        let (name, end) = read(question)?;
        let kind = u16::from_be_bytes([*question.get(end)?, *question.get(end + 1)?]);
        let found = self.addresses(&name, kind);
        let mut answer = question.get(..2)?.to_vec();
        // An answer, recursion offered, no error; one question, as many answers as there are, nothing else.
        answer.extend([0x81, 0x80, 0, 1, 0, found.len() as u8, 0, 0, 0, 0]);
        answer.extend(question.get(HEAD..end + 4)?);
        for address in found {
            // The name of the question, its kind, the internet, good for no second.
            answer.extend([0xc0, HEAD as u8]);
            answer.extend(kind.to_be_bytes());
            answer.extend([0, 1, 0, 0, 0, 0]);
            match address {
                IpAddr::V4(address) => {
                    answer.extend([0, 4]);
                    answer.extend(address.octets());
                }
                IpAddr::V6(address) => {
                    answer.extend([0, 16]);
                    answer.extend(address.octets());
                }
            }
        }
        Some(answer)
    }

    fn addresses(&mut self, name: &str, kind: u16) -> Vec<IpAddr> {
        let label = name.split('.').next().unwrap_or_default();
        let (what, number) = label.rsplit_once('-').unwrap_or((label, ""));
        let home = number
            .parse()
            .ok()
            .and_then(|number: usize| self.homes.get(number).copied());
        let times = self.asked.entry((name.to_owned(), kind)).or_default();
        *times += 1;
        let found = match (what, home) {
            ("home", Some(home)) => vec![home],
            ("mixed", Some(home)) => vec![home, self.world],
            ("rebinding", Some(_)) if *times == 1 => vec![self.world],
            ("rebinding", Some(home)) => vec![home],
            _ => vec![self.world],
        };
        let is_of_kind = |address: &IpAddr| match kind {
            A => address.is_ipv4(),
            AAAA => address.is_ipv6(),
            _ => false,
        };
        found.into_iter().filter(is_of_kind).collect()
    }
}

/// Reads the name of a question, and where its kind stands.
fn read(question: &[u8]) -> Option<(String, usize)> {
    let mut labels = Vec::new();
    let mut at = HEAD;
    loop {
        let length = usize::from(*question.get(at)?);
        if length == 0 {
            return Some((labels.join(".").to_lowercase(), at + 1));
        }
        let label = question.get(at + 1..at + 1 + length)?;
        labels.push(String::from_utf8_lossy(label).into_owned());
        at += 1 + length;
    }
}
