//! There is one daemon for each state folder and for each bus; a second one says who runs and ends.

use loquat_tests::brain::{Gate, Reply};
use loquat_tests::bus::FakeBus;
use loquat_tests::daemon::{Daemon, Finished, Launch};
use loquat_tests::home::Home;
use loquat_tests::probe::BusProbe;
use loquat_tests::toolbox::Act;
use loquat_tests::turn::Utterance;
use loquat_tests::wait::{PATIENCE, wait_for};
use rustix::process::Signal;
use serde_json::json;

use crate::crash::{beside_a_lamp, on};
use crate::story::{Scene, Story, TESTER};

/// `EX_UNAVAILABLE`; the units tell systemd not to start it again then.
const TAKEN: Option<i32> = Some(69);

fn assert_told(finished: &Finished, daemon: &Daemon) {
    let shown = finished.shown();
    assert_eq!(finished.status.code(), TAKEN, "{shown}");
    assert!(shown.contains(&format!("as process {}", daemon.pid())), "{shown}");
    assert!(shown.contains("loquat ask"), "{shown}");
}

#[tokio::test]
async fn a_second_daemon_on_the_same_state_takes_up_nothing() {
    let (_bus, story, lamps) = beside_a_lamp(Act::Returns(on())).await;
    let thinking = Gate::default();
    story.script([
        Reply::acts("switch_lamp", &on()).behind(&thinking),
        Reply::answers("The lamp is on."),
    ]);
    let utterance = Utterance::new("Switch the lamp on");
    let mark = utterance.enter(&story.probe).await;
    story.brain.asked(TESTER, 1, PATIENCE).await;
    let second = Launch::new(&story.home, &["run"]).run().await;
    assert_told(&second, &story.daemon);
    assert!(second.shown().contains("since 2"), "{}", second.shown());
    thinking.open();
    assert_eq!(
        utterance.end(&story.probe, mark).await.answer(),
        "The lamp is on."
    );
    assert_eq!(lamps.calls().len(), 1);
}

#[tokio::test]
async fn a_second_daemon_on_the_same_bus_with_another_state_ends_too() {
    let story = Story::begin().await;
    let other = Scene::at(Home::with_bus(story.home.port()));
    other.home.persona(&other.tester());
    let second = Launch::new(&other.home, &["run"]).run().await;
    assert_told(&second, &story.daemon);
    story.assert_goes_on().await;
    // Elsewhere there is room for it.
    let elsewhere = Home::without_bus();
    let (_daemon, probe) = Launch::new(&elsewhere, &["run"]).ready().await;
    probe.leave().await;
}

#[tokio::test]
async fn of_two_that_start_at_the_same_moment_one_stays() {
    let bus = FakeBus::start().await;
    let homes = [Home::with_bus(bus.port()), Home::with_bus(bus.port())];
    let mut both = homes.each_ref().map(|home| Launch::new(home, &["run"]).spawn());
    let place = wait_for("one of the two to end", PATIENCE, || {
        let ended = both.iter_mut().position(|daemon| !daemon.is_alive());
        async move { ended }
    })
    .await;
    let [first, second] = both;
    let (mut loser, winner) = if place == 0 {
        (first, second)
    } else {
        (second, first)
    };
    assert_eq!(loser.ended(PATIENCE).await.code(), TAKEN, "{}", loser.output());
    winner.joined(bus.port()).await;
}

#[tokio::test]
async fn after_a_kill_the_place_is_free_at_once() {
    let mut story = Story::begin().await;
    story.daemon.signal(Signal::KILL);
    story.daemon.ended(PATIENCE).await;
    let other = Home::with_bus(story.home.port());
    let (_daemon, _probe) = Launch::new(&other, &["run"]).ready().await;
}

#[tokio::test]
async fn a_stranger_on_the_bus_keeps_nobody_from_starting() {
    let bus = FakeBus::start().await;
    let stranger = BusProbe::connect(bus.port()).await;
    let claim = json!({"type": "mycroft.loquat.is_alive.response", "data": {"status": true}, "context": {}});
    stranger.send(&claim).await;
    let scene = Scene::at(Home::with_bus(bus.port()));
    let tester = scene.tester();
    let story = scene.play(&tester).await;
    stranger.send(&claim).await;
    story.assert_goes_on().await;
}
