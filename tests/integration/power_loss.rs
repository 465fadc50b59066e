//! What a daemon finds of turns that were cut off by more than a crash: another run of the kernel, a clock that was set,
//! and turns that take the daemon down each time.

use std::path::Path;

use loquat_tests::brain::{Gate, Reply};
use loquat_tests::daemon::Launch;
use loquat_tests::toolbox::{Act, ScriptedToolbox};
use loquat_tests::turn::{Turn, Utterance};
use loquat_tests::wait::PATIENCE;
use rusqlite::Connection;
use rustix::process::Signal;

use crate::crash::{beside_a_lamp, crash, end, on, thinking_of_the_lamp};
use crate::story::{Story, TESTER, assert_sentence};

/// There when systemd-timesyncd has set the clock of this machine.
const SYNCHRONISED: &str = "/run/systemd/timesync/synchronized";

/// A turn is cut off while the brain thinks, and what is written of it becomes what `change` makes of it.
async fn cut_off(change: &str) -> (Story, ScriptedToolbox, Turn) {
    let (bus, mut story, lamps, utterance, mark) = thinking_of_the_lamp().await;
    story.daemon.signal(Signal::KILL);
    story.daemon.ended(PATIENCE).await;
    let changed = Connection::open(story.home.state().join("state.db"))
        .and_then(|state| state.execute(&format!("UPDATE turn SET {change}"), []));
    assert_eq!(changed, Ok(1));
    let (daemon, _) = Launch::new(&story.home, &["run"]).ready().await;
    story.daemon = daemon;
    let turn = end(&story, utterance, mark).await;
    story.assert_goes_on().await;
    drop(bus);
    (story, lamps, turn)
}

#[tokio::test]
async fn a_turn_from_before_the_device_was_switched_off_is_ended_in_silence() {
    for change in [
        // A board without a battery for its clock begins where it had stopped, or long before.
        "boot = 'another', since = since + 86400",
        "boot = 'another', since = since - 86400",
        "boot = 'another', since = since + 86400, synchronised = 1",
        // As it was written before the kernel was asked.
        "boot = NULL, uptime = 0",
        // In a run of the kernel that has not come that far.
        "uptime = uptime + 86400",
    ] {
        let (story, lamps, turn) = cut_off(change).await;
        assert!(turn.spoken().is_empty(), "{change}: {:?}", turn.topics());
        assert!(lamps.calls().is_empty(), "{change}");
        assert_eq!(
            story.brain.requests(TESTER).len(),
            2,
            "{change}: nobody is asked again"
        );
    }
}

#[tokio::test]
async fn a_clock_that_was_set_meanwhile_changes_nothing() {
    let (_story, lamps, turn) = cut_off("since = since - 31536000").await;
    assert_eq!(turn.answer(), "The lamp is on.");
    assert_eq!(lamps.calls().len(), 1);
}

#[tokio::test]
async fn across_a_reboot_only_a_clock_that_was_set_is_believed() {
    let (_story, lamps, turn) = cut_off("boot = 'another', synchronised = 1").await;
    let is_believed = Path::new(SYNCHRONISED).exists();
    assert_eq!(lamps.calls().len(), usize::from(is_believed));
    assert_eq!(turn.spoken().len(), usize::from(is_believed));
}

#[tokio::test]
async fn a_turn_that_takes_the_daemon_down_each_time_is_given_up() {
    let (_bus, mut story, lamps) = beside_a_lamp(Act::Returns(on())).await;
    let never = Gate::default();
    story.script((0..4).map(|_| Reply::answers("Nobody hears this.").behind(&never)));
    let utterance = Utterance::new("Switch the lamp on");
    let mark = utterance.enter(&story.probe).await;
    for times in 1..=3 {
        story.brain.asked(TESTER, times, PATIENCE).await;
        crash(&mut story).await;
    }
    let turn = end(&story, utterance, mark).await;
    assert_sentence(turn.answer());
    assert_eq!(
        story.brain.requests(TESTER).len(),
        3,
        "asked once, and twice more"
    );
    assert!(lamps.calls().is_empty());
    story.assert_goes_on().await;
}
