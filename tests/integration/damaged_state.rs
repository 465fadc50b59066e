//! A state file that is not what was written: noticed at the start and while running, put aside, told once; and nothing
//! out of it is done again.

use std::fs::{self, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::PathBuf;

use loquat_tests::brain::{Gate, Reply};
use loquat_tests::bus::FakeBus;
use loquat_tests::daemon::Launch;
use loquat_tests::frame::Frame;
use loquat_tests::toolbox::Act;
use loquat_tests::turn::Utterance;
use loquat_tests::wait::PATIENCE;
use rusqlite::Connection;
use rustix::process::Signal;

use crate::crash::{beside_a_lamp, on, replay};
use crate::story::{Scene, Story, TESTER, assert_sentence};

const TOLD: &str = "My notes on the disk were damaged.";

/// Ruins every page of the file but the first, behind the back of the process that has it open.
fn ruin(story: &Story) {
    let path = story.home.state().join("state.db");
    let state = Connection::open(&path).unwrap();
    // What is still in the log would be read instead. A change makes others forget what they have read.
    state
        .execute_batch("CREATE TABLE IF NOT EXISTS stranger (x); PRAGMA wal_checkpoint(TRUNCATE);")
        .unwrap();
    drop(state);
    let mut file = OpenOptions::new().write(true).open(&path).unwrap();
    let size = file.metadata().unwrap().len();
    file.seek(SeekFrom::Start(4096)).unwrap();
    file.write_all(&vec![0x55; usize::try_from(size - 4096).unwrap()])
        .unwrap();
}

fn aside(story: &Story) -> Vec<PathBuf> {
    let entries = fs::read_dir(story.home.state()).unwrap();
    let is_aside = |path: &PathBuf| {
        let name = path.file_name().unwrap().to_string_lossy();
        name.starts_with("state.damaged-") && !name.ends_with("-wal")
    };
    entries
        .map(|entry| entry.unwrap().path())
        .filter(is_aside)
        .collect()
}

async fn told(bus: &FakeBus) {
    let is_told = |frame: &Frame| frame.is_speak() && !frame.is_twin() && frame.utterance().starts_with(TOLD);
    let frame = bus.recording().wait("the sentence", 0, PATIENCE, is_told).await;
    assert_sentence(frame.utterance());
    let all = bus.recording().since(0);
    assert_eq!(all.iter().filter(|frame| is_told(frame)).count(), 1);
}

#[tokio::test]
async fn damage_behind_the_first_page_is_found_at_the_start() {
    let (bus, mut story, lamps) = beside_a_lamp(Act::Hangs).await;
    let never = Gate::default();
    story.script([
        Reply::acts("switch_lamp", &on()),
        Reply::answers("Nobody hears this.").behind(&never),
    ]);
    let utterance = Utterance::new("Switch the lamp on");
    utterance.enter(&story.probe).await;
    lamps.called(1, PATIENCE).await;
    story.daemon.signal(Signal::KILL);
    story.daemon.ended(PATIENCE).await;
    ruin(&story);
    let checked = Launch::new(&story.home, &["check"]).run().await.shown();
    assert!(checked.contains("state.db is damaged"), "{checked}");
    let (daemon, _) = Launch::new(&story.home, &["run"]).ready().await;
    story.daemon = daemon;
    told(&bus).await;
    assert_eq!(aside(&story).len(), 1);
    story.assert_goes_on().await;
    assert_eq!(
        lamps.calls().len(),
        1,
        "nothing out of a damaged file is done again"
    );
    let (ok, list) = replay(&story, &[]).await;
    assert!(ok && list.contains("Are you still there?"), "{list}");
}

#[tokio::test]
async fn damage_is_found_while_the_daemon_runs() {
    let (bus, story, lamps) = beside_a_lamp(Act::Returns(on())).await;
    let thinking = Gate::default();
    story.script([
        Reply::acts("switch_lamp", &on()).behind(&thinking),
        Reply::answers("It is on."),
    ]);
    let running = Utterance::new("Switch the lamp on");
    let mark = running.enter(&story.probe).await;
    story.brain.asked(TESTER, 1, PATIENCE).await;
    ruin(&story);
    thinking.open();
    // The turn that runs comes to its end, and does nothing that is not written down.
    assert_eq!(running.end(&story.probe, mark).await.answer(), "It is on.");
    assert!(lamps.calls().len() <= 1);
    told(&bus).await;
    assert_eq!(aside(&story).len(), 1);
    let before = lamps.calls().len();
    story.script([Reply::acts("switch_lamp", &on()), Reply::answers("It is on.")]);
    assert_eq!(story.ask("Once more").await.answer(), "It is on.");
    assert_eq!(lamps.calls().len(), before + 1);
    let (ok, list) = replay(&story, &[]).await;
    assert!(ok && list.contains("Once more"), "{list}");
}

#[tokio::test]
async fn three_damaged_files_are_kept() {
    let scene = Scene::default();
    let tester = scene.tester();
    let folder = scene.home.state();
    fs::create_dir_all(&folder).unwrap();
    for second in 1..=4 {
        fs::write(folder.join(format!("state.damaged-000000000{second}")), "old").unwrap();
    }
    fs::write(
        folder.join("state.db"),
        "no database, and long enough to look like one".repeat(50),
    )
    .unwrap();
    let story = scene.play(&tester).await;
    story.assert_goes_on().await;
    let mut kept: Vec<String> = aside(&story)
        .iter()
        .map(|path| path.file_name().unwrap().to_string_lossy().into_owned())
        .collect();
    kept.sort();
    assert_eq!(kept.len(), 3, "{kept:?}");
    assert_eq!(
        kept[..2],
        ["state.damaged-0000000003", "state.damaged-0000000004"]
    );
}
