//! A home folder of its own for each daemon, so that no test sees this machine's settings or another test.

use std::fs;
use std::net::TcpListener;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::mortal_disk::Tree;
use crate::persona::Persona;

/// Where our own settings are.
const SETTINGS: &str = "config/loquat/loquat.toml";

/// A test neither opens the microphone of the machine nor speaks into its room, and does not wait long for an
/// ovos-core that is not there. What it asks is the persona's to answer, although a skill would understand it. It serves no
/// page: many daemons run at once. It asks what it wants outside of the device without asking the person first.
const QUIET: [(&str, &str); 7] = [
    ("speech.enabled", "false"),
    ("voice.espeak", "\"never\""),
    ("voice.piper", "\"never\""),
    ("desk.core_probe_seconds", "0.3"),
    ("skills.intents", "\"never\""),
    ("page.port", "0"),
    ("network.allowed", "\"all\""),
];

/// Below the ports that Linux gives to those who do not care (32768 and up).
const PORTS: Range<u16> = 12_000..32_000;

/// Processes that run at the same time begin at different ports.
const PORTS_PER_PROCESS: u32 = 97;

/// The tree; it is removed with this value.
#[derive(Debug)]
pub struct Home {
    folder: TempDir,
    port: u16,
}

impl Home {
    /// Makes a tree whose `mycroft.conf` names a bus on `port`.
    pub fn with_bus(port: u16) -> Self {
        let home = Self {
            folder: temporary(),
            port,
        };
        for part in [
            "config/mycroft",
            "config/ovos_persona",
            "config/loquat",
            "state",
            "data",
            "cache",
            "run",
        ] {
            fs::create_dir_all(home.path().join(part)).expect("the temporary folder can be written");
        }
        home.mycroft_conf(&json!({}));
        // ALSA finds no card of this machine, whose loudness is not a test's to change.
        home.write(".asoundrc", "ctl.!default { type hw card \"none\" }\n");
        home.write(SETTINGS, "");
        for (key, value) in QUIET {
            home.setting(key, value);
        }
        home
    }

    /// Makes a home of what is left of the tree of one whose bus was on `port`.
    pub fn of_remains(port: u16, remains: &Tree) -> Self {
        let home = Self {
            folder: temporary(),
            port,
        };
        remains
            .lay(home.path())
            .expect("the temporary folder can be written");
        // What a start of the machine makes anew.
        fs::create_dir_all(home.path().join("run")).expect("the temporary folder can be written");
        home
    }

    /// Makes a tree whose `mycroft.conf` names a port without a listener.
    pub fn without_bus() -> Self {
        Self::with_bus(free_port())
    }

    /// Gives the port of the bus in its `mycroft.conf`.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Gives the root of the tree.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Writes `mycroft.conf`; `settings` replace the usual ones at the top level.
    pub fn mycroft_conf(&self, settings: &Value) {
        let mut whole = json!({
            "lang": "en-US",
            "system_unit": "metric",
            "websocket": {"host": "127.0.0.1", "port": self.port, "route": "/core", "ssl": false},
            "location": {"timezone": {"code": "Europe/Lisbon"}},
        });
        for (key, value) in settings.as_object().into_iter().flatten() {
            whole[key] = value.clone();
        }
        self.write("config/mycroft/mycroft.conf", &whole.to_string());
    }

    /// Writes a persona's file.
    pub fn persona(&self, persona: &Persona) {
        let name = format!("config/ovos_persona/{}.json", persona.name());
        self.write(&name, &persona.json().to_string());
    }

    /// Sets a key of `loquat.toml`; `value` is written as TOML.
    pub fn setting(&self, key: &str, value: &str) {
        let before = fs::read_to_string(self.path().join(SETTINGS)).expect("the settings file is there");
        let own = format!("{key} = ");
        let mut lines: Vec<&str> = before.lines().filter(|line| !line.starts_with(&own)).collect();
        let line = format!("{own}{value}");
        lines.push(&line);
        self.write(SETTINGS, &format!("{}\n", lines.join("\n")));
    }

    /// Leaves a key of `loquat.toml` as it is on a new device.
    pub fn without_setting(&self, key: &str) {
        let own = format!("{key} = ");
        let before = self.settings();
        let lines: Vec<&str> = before.lines().filter(|line| !line.starts_with(&own)).collect();
        self.write(SETTINGS, &format!("{}\n", lines.join("\n")));
    }

    /// Reads what stands in `loquat.toml` now.
    pub fn settings(&self) -> String {
        fs::read_to_string(self.path().join(SETTINGS)).expect("the settings file is there")
    }

    /// Adds tables to `loquat.toml`; no key is set after that.
    pub fn add_settings(&self, tables: &str) {
        let before = fs::read_to_string(self.path().join(SETTINGS)).expect("the settings file is there");
        self.write(SETTINGS, &format!("{before}\n{tables}"));
    }

    /// Writes any file of the tree, in a folder that is made where it is missing.
    pub fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path().join(name);
        let written =
            fs::create_dir_all(path.parent().unwrap_or(&path)).and_then(|()| fs::write(&path, text));
        written.expect("the temporary folder can be written");
        path
    }

    /// Gives the folder in which the daemon keeps its state.
    pub fn state(&self) -> PathBuf {
        self.path().join("state/loquat")
    }

    /// Lists what a process has to find in its environment to live here.
    pub fn environment(&self) -> Vec<(&'static str, PathBuf)> {
        let parts = [
            ("HOME", ""),
            ("XDG_CONFIG_HOME", "config"),
            ("XDG_STATE_HOME", "state"),
            ("XDG_DATA_HOME", "data"),
            ("XDG_CACHE_HOME", "cache"),
            ("XDG_RUNTIME_DIR", "run"),
        ];
        let folders = parts.map(|(key, part)| (key, self.path().join(part)));
        // A test that says yes to "restart the device" must not reach the services of this machine.
        let no_bus = format!("unix:path={}", self.path().join("no_system_bus").display());
        let system_bus = ("DBUS_SYSTEM_BUS_ADDRESS", PathBuf::from(no_bus));
        folders.into_iter().chain([system_bus]).collect()
    }
}

fn temporary() -> TempDir {
    tempfile::Builder::new()
        .prefix("loquat-test-")
        .tempdir()
        .expect("a temporary folder can be made")
}

/// Finds a port of the loopback interface without a listener a moment ago.
///
/// The system gives none of these to those who ask it for any port, so no process takes it between now and its use.
pub fn free_port() -> u16 {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let begin = std::process::id().wrapping_mul(PORTS_PER_PROCESS);
    loop {
        let step =
            begin.wrapping_add(NEXT.fetch_add(1, Ordering::Relaxed)) % u32::from(PORTS.end - PORTS.start);
        let port = PORTS.start + u16::try_from(step).expect("a step within a range of ports");
        if TcpListener::bind(("127.0.0.1", port)).is_ok() {
            return port;
        }
    }
}
