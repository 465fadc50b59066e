//! The daemon beside the real OVOS bus, core and client of both generations.
//!
//! `make test-peers` installs them and runs this. What the stock client's handlers hear is what a skill hears; a probe
//! of our own sees the order on the wire.
#![cfg(test)]

mod audio;
mod beside_core;
mod bus_kills;
mod commands;
mod consent;
mod installed;
mod interrupted;
mod neighbour;
mod pipeline;
mod skills;
mod solo;
mod tools;

use loquat_tests::brain::ScriptedBrain;
use loquat_tests::daemon::{Daemon, Launch};
use loquat_tests::frame::Frame;
use loquat_tests::ovos_core::Generation;
use loquat_tests::peers::Peers;
use loquat_tests::persona::Persona;
use loquat_tests::probe::BusProbe;
use loquat_tests::turn::HANDLED;
use serde_json::Value;

/// Both of them live in the field.
const GENERATIONS: [Generation; 2] = [Generation::Stable, Generation::PreRelease];

/// The persona, and the lane of its brain.
const TESTER: &str = "Tester";

/// Writes the persona and starts the daemon on the bus that is already there.
async fn daemon(peers: &Peers, brain: &ScriptedBrain) -> (Daemon, BusProbe) {
    let home = peers.home();
    home.setting("desk.persona", &format!("\"{TESTER}\""));
    home.setting("bus.embed", "\"never\"");
    home.persona(
        &Persona::react(TESTER, &brain.url(TESTER)).toolboxes(&["ovos-math-tools", "ovos-clock-tools"]),
    );
    Launch::new(home, &["run"]).ready().await
}

/// What the stock client heard and what was on the wire: one answer, one end, in this order.
fn assert_answered_once(heard: &Value, wire: &[Frame], answer: &str, generation: Generation) {
    assert_eq!(
        heard["speak"],
        serde_json::json!([answer]),
        "{generation:?}: {heard}"
    );
    assert_eq!(
        heard[HANDLED].as_array().map(Vec::len),
        Some(1),
        "{generation:?}: {heard}"
    );
    let spoken = wire
        .iter()
        .filter(|frame| frame.is_speak() && !frame.is_twin())
        .count();
    assert_eq!(spoken, 1, "{generation:?}");
    let ends = wire.iter().filter(|frame| frame.topic == HANDLED).count();
    assert_eq!(ends, 1, "{generation:?}");
    let last_word = wire.iter().rposition(Frame::is_speak);
    let end = wire.iter().position(|frame| frame.topic == HANDLED);
    assert!(last_word < end, "{generation:?}: spoken after the end");
}
