//! `[bus]`: which message bus is joined, and whether one is started.

use loquat_bus::BusAddress;
use loquat_settings::mycroft::Websocket;
use loquat_settings::{choice, section};

choice! {
    /// Whether a bus of our own is started.
    Embed {
        /// Where no bus answers at the address and the address is on this machine.
        Auto = "auto",
        /// Never: wait until a bus answers.
        Never = "never",
        /// At once, without looking for another.
        Always = "always",
    }
}

choice! {
    /// Which of the two topic vocabularies is spoken. Both are always understood.
    Compat {
        /// Both, with the legacy twin marked.
        Both = "both",
        /// The legacy topics only.
        Legacy = "legacy",
        /// The topics of the specification only; OVOS releases before 2026 hear nothing then.
        Spec = "spec",
    }
}

choice! {
    /// What is told on the bus of a turn, beside its answer.
    Reports {
        /// Nothing.
        Nothing = "nothing",
        /// How it came out, on `loquat.turn.result`.
        Result = "result",
        /// That, and everything that happens in it, on `loquat.turn.event`.
        Events = "events",
    }
}

section! {
    /// The message bus.
    "bus" Bus {
        /// Host name or address of the bus.
        /// Absent: `websocket.host` of mycroft.conf, else 127.0.0.1.
        /// A program that reaches the bus controls the device; keep it on this machine.
        host: Option<String> = None, eg "127.0.0.1";
        /// Port of the bus.
        /// Absent: `websocket.port` of mycroft.conf, else 8181.
        port: Option<u16> = None => 1..=65535, eg 8181;
        /// Path of the bus.
        /// Absent: `websocket.route` of mycroft.conf, else /core.
        route: Option<String> = None, eg "/core";
        /// Whether a bus of our own is started: "auto" (when no bus answers at an address of this machine),
        /// "never" or "always".
        embed: Embed = Embed::Auto;
        /// Which topic vocabulary is spoken: "both", "legacy" or "spec". Both are always understood.
        /// With "spec" older OVOS components hear nothing.
        compat: Compat = Compat::Both;
        /// What is told of a turn beside its answer: "nothing", "result" (reason, steps, calls, tokens, timings,
        /// plan and answer on loquat.turn.result) or "events" (also what happens in it, on loquat.turn.event).
        reports: Reports = Reports::Result;
    }
}

impl Bus {
    /// Takes the address of the bus from these settings, else from `websocket` of `mycroft.conf`.
    pub fn address(&self, websocket: &Websocket) -> BusAddress {
        let route = self.route.as_ref().unwrap_or(&websocket.route);
        BusAddress {
            host: self.host.clone().unwrap_or_else(|| websocket.host.clone()),
            port: self.port.unwrap_or(websocket.port),
            route: format!("/{}", route.trim_start_matches('/')),
            ssl: websocket.ssl,
        }
    }
}
