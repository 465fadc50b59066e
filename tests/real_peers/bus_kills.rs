//! The real bus killed in the middle of turns, in both generations.

use loquat_tests::brain::ScriptedBrain;
use loquat_tests::daemon::Launch;
use loquat_tests::mortal_bus::{self, MortalBus};
use loquat_tests::ovos_core::Generation;
use loquat_tests::peers::Peers;

/// As many as the task of the whole asks for.
const KILLS: usize = 20;

async fn killed_again_and_again(generation: Generation, seed: u64) {
    let (peers, brain) = (Peers::of(generation), ScriptedBrain::start());
    mortal_bus::furnish(peers.home(), &brain);
    let mut bus = MortalBus::begin(peers.home().port(), || peers.start_bus());
    let (daemon, _probe) = Launch::new(peers.home(), &["run"]).ready().await;
    bus.is_survived(&daemon, &brain, seed, KILLS).await;
}

#[tokio::test]
async fn the_stable_bus_killed_in_the_middle_of_turns_costs_and_doubles_nothing() {
    killed_again_and_again(Generation::Stable, 1).await;
}

#[tokio::test]
async fn the_pre_release_bus_killed_in_the_middle_of_turns_costs_and_doubles_nothing() {
    killed_again_and_again(Generation::PreRelease, 2).await;
}
