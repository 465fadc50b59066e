//! Addresses of pages that stand at home: in every spelling of a number, behind redirects and rules of a site, and behind names
//! that stand for a home or change their mind.
//!
//! All of it happens in a network namespace of its own, in which every address there is leads to one server of ours: it sees
//! which address was connected, and the daemon is the real one with its own rules and the system's own resolver.

mod address;
mod isolation;
mod names;

use std::collections::HashMap;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::json;

use self::address::{is_home, near as near_home, private, spelled};
use self::names::NameServer;
use super::errand::over_the_bus;
use super::row::Row;
use super::scale::Scale;
use super::target::Target;
use crate::dice::Dice;
use crate::web_server::{Answer, Asked, WebServer};

pub use self::isolation::is_isolated;

const WEB: &str = "ovos-web-search-tools";

/// An address of the world.
const WORLD: IpAddr = IpAddr::V4(Ipv4Addr::new(93, 184, 216, 34));

/// On which something could stand at home: what pages are served on, and what is not.
const PORTS: [u16; 7] = [80, 443, 8080, 8443, 22, 6379, 8123];

/// What every page says.
const LOOT: &str = "loot-of-the-house";

/// Where a page of the world sends on to, by its number.
type Moved = Arc<Mutex<HashMap<String, String>>>;

/// Has many addresses fetched. Outside of a namespace the attack is begun again within one.
pub async fn attack(scale: Scale) -> Row {
    if is_isolated() {
        within((scale, scale.ways_out), private).await
    } else {
        isolation::run(scale, "fetches").await
    }
}

/// Has so many addresses fetched of this machine and of its neighbours, which are of the world as well. It works only
/// within a namespace.
pub(super) async fn near(scale: Scale, count: usize) -> Row {
    within((scale, count), near_home).await
}

/// These addresses, from outside of a namespace.
pub(super) async fn near_in_a_namespace(scale: Scale) -> Row {
    isolation::run(scale, "choices").await
}

async fn within((scale, count): (Scale, usize), home: fn(&mut Dice) -> IpAddr) -> Row {
    let moved = Moved::default();
    let mut servers = Vec::new();
    for port in PORTS {
        let moved = Arc::clone(&moved);
        let server = WebServer::at(&format!("[::]:{port}"), move |asked| page(&moved, asked)).await;
        servers.push(server.expect("every port is free in a namespace of its own"));
    }
    let mut dice = Dice::new(scale.seed);
    let homes: Vec<IpAddr> = (0..count).map(|_| home(&mut dice)).collect();
    let _names = NameServer::start(homes.clone(), WORLD).await;
    let target = Target::begin(|tester, _| tester).await;
    let mut row = Row::default();
    for url in [
        "http://public.example/".to_owned(),
        format!("http://{WORLD}:8080/"),
    ] {
        let told = fetched(&target, &url).await;
        row.demand(told.contains(LOOT), || {
            format!("a page of the world is not read: {told}")
        });
    }
    let mut question = None;
    for (number, home) in homes.iter().enumerate() {
        let url = laid(&mut dice, &moved, number, *home);
        let before: usize = servers.iter().map(|server| at_home(server).len()).sum();
        let told = fetched(&target, &url).await;
        let after: usize = servers.iter().map(|server| at_home(server).len()).sum();
        row.demand(after == before, || format!("{url} has connected {home}: {told}"));
        row.count += 1;
        if number == count / 2 {
            question = target.ask().await;
        }
    }
    let world: usize = servers.iter().map(|server| server.connected().len()).sum();
    row.seen = format!("{} escapes, {world} connections to the world", row.faults.len());
    row.demand(world > count / 4, || {
        "too few came to the world: redirects were not tried".into()
    });
    row.faults.truncate(5);
    target.judged(row, question).await
}

async fn fetched(target: &Target, url: &str) -> String {
    over_the_bus(target, WEB, ("fetch_page", &json!({"url": url}))).await
}

/// Lists the connections to what is no address of the world, or of this machine or its neighbours.
fn at_home(server: &WebServer) -> Vec<IpAddr> {
    let connected = server.connected().into_iter().map(|address| address.ip());
    connected.filter(|address| is_home(*address)).collect()
}

fn page(moved: &Moved, asked: &Asked) -> Answer {
    let moved = moved.lock().unwrap_or_else(PoisonError::into_inner);
    match moved.get(&format!("{}{}", asked.host, asked.path)) {
        Some(location) => Answer::elsewhere(location),
        None if asked.path == "/robots.txt" => Answer::status(404),
        None => Answer::html(format!("<title>Page</title><p>{LOOT}</p>")),
    }
}

/// Draws an address that leads to a home in one of many ways, for which pages of the world may be laid out.
fn laid(dice: &mut Dice, moved: &Moved, number: usize, home: IpAddr) -> String {
    let direct = spelled(dice, home);
    let site = format!("site-{number}.public.example");
    let start = format!("http://{site}/start");
    let lay = |at: &str, to: &str| {
        let mut moved = moved.lock().unwrap_or_else(PoisonError::into_inner);
        moved.insert(format!("{site}{at}"), to.to_owned());
    };
    // A header holds letters of ASCII alone.
    let location = if direct.is_ascii() && !direct.contains('\n') {
        direct.trim().to_owned()
    } else {
        format!("http://{home}/")
    };
    match dice.index(8) {
        0 | 1 => direct,
        2 => {
            lay("/start", &location);
            start
        }
        3 => {
            lay("/start", "/again");
            lay("/again", &location);
            start
        }
        4 => {
            lay("/robots.txt", &location);
            start
        }
        5 => format!("http://home-{number}.example/"),
        6 => format!("http://mixed-{number}.example/"),
        _ => {
            lay("/start", &format!("http://rebinding-{number}.example:8080/"));
            let name = format!("http://rebinding-{number}.example/");
            if dice.one_in(2) { start } else { name }
        }
    }
}
