//! A daemon on what a cut has left of its home: whether it starts, what it complains of, and what it still knows.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Value, json};
use tokio::time::timeout;

use super::claims::{Claims, GONE, Key, SLOW, THERE, USUAL};
use super::{MEMORY, TIMERS};
use crate::attack::flood::told;
use crate::daemon::{Daemon, Launch};
use crate::home::Home;
use crate::mortal_disk::Tree;
use crate::probe::BusProbe;
use crate::wait::PATIENCE;

const LISTS: &str = "loquat-list-tools";

/// Where the settings are.
const SETTINGS: &str = "config/loquat/loquat.toml";

/// Which run of the kernel this is, and a line that makes it another one for the daemon alone.
const BOOT: &str = "/proc/sys/kernel/random/boot_id";
const REBOOTED: &str = "cat /proc/sys/kernel/random/uuid > rebooted && mount --bind rebooted /proc/sys/kernel/random/boot_id; exec \"$@\"";

/// What was found.
pub(super) struct Remains {
    pub(super) values: BTreeMap<Key, &'static str>,
    pub(super) complaints: Vec<String>,
}

impl Remains {
    /// Starts the daemon on the tree and asks it for everything that was told.
    pub(super) async fn look(port: u16, tree: &Tree, claims: &Claims) -> Result<Self, String> {
        let home = Home::of_remains(port, tree);
        let unshare: &[&str] = if Path::new(BOOT).exists() { &["-rm"] } else { &[] };
        let daemon = Launch::through_shell(&home, unshare, REBOOTED, &["run"])
            .finding("bin")
            .spawn();
        let looked = timeout(PATIENCE, values(&daemon, &home, claims)).await;
        let output = daemon.output();
        let complaints = output
            .lines()
            .filter(|line| complains(line))
            .map(str::to_owned)
            .collect();
        daemon.kill();
        match looked {
            Ok(values) => Ok(Self { values, complaints }),
            Err(_) => Err(format!("the daemon does not start or answer: {output}")),
        }
    }
}

/// Tells whether a line of the log is a warning or worse about what is on the disk.
fn complains(line: &str) -> bool {
    let is_grave = line.contains("WARN") || line.contains("ERROR");
    is_grave
        && ["loquat_state", "state file", "settings", "disk"]
            .iter()
            .any(|word| line.contains(word))
}

async fn values(daemon: &Daemon, home: &Home, claims: &Claims) -> BTreeMap<Key, &'static str> {
    let probe = daemon.joined(home.port()).await;
    let items = told(&probe, "items", LISTS, ("export_list", &json!({}))).await;
    let pace = std::fs::read_to_string(home.path().join(SETTINGS)).unwrap_or_default();
    let mut values = BTreeMap::new();
    for key in claims.keys() {
        let is_there = match key {
            Key::Timer(name) => timer(&probe, name).await,
            Key::Item(name) => holds(&items, name),
            Key::Fact(name) => fact(&probe, name).await,
            Key::Pace => pace.contains("words_per_minute"),
        };
        let value = match (key, is_there) {
            (Key::Pace, true) => SLOW,
            (Key::Pace, false) => USUAL,
            (_, true) => THERE,
            (_, false) => GONE,
        };
        values.insert(key.clone(), value);
    }
    values
}

fn holds(answer: &Value, name: &str) -> bool {
    answer["result"].to_string().contains(name)
}

async fn timer(probe: &BusProbe, name: &str) -> bool {
    let wanted = json!({"kind": "timer", "name": name});
    let listed = told(probe, name, TIMERS, ("list_alerts", &wanted)).await;
    listed["result"]["count"] == 1
}

async fn fact(probe: &BusProbe, name: &str) -> bool {
    let asked = told(probe, name, MEMORY, ("recall", &json!({"about": name}))).await;
    holds(&asked, name)
}
