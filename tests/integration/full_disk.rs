//! A disk that takes nothing more: an effect that cannot be written down does not happen, none happens twice, and the
//! person is told once.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use loquat_tests::brain::{Gate, Reply, ScriptedBrain};
use loquat_tests::bus::FakeBus;
use loquat_tests::daemon::{Daemon, Launch};
use loquat_tests::frame::Frame;
use loquat_tests::home::Home;
use loquat_tests::persona::Persona;
use loquat_tests::process::descendants;
use loquat_tests::toolbox::{Act, ScriptedTool, ScriptedToolbox};
use loquat_tests::turn::Utterance;
use loquat_tests::wait::{PATIENCE, wait_for};
use rusqlite::Connection;
use rustix::process::{Pid, Signal, kill_process};

use crate::crash::{LAMPS, beside_a_lamp, on};
use crate::story::{Scene, Story, TESTER, assert_sentence};

const UNWRITABLE: &str = "I can't write to my disk.";
const FULL: &str = "My disk is full.";

/// A home beside a lamp on a bus that outlives the daemon.
async fn scene() -> (FakeBus, Scene, Persona) {
    let bus = FakeBus::start().await;
    let scene = Scene::at(Home::with_bus(bus.port()));
    scene.home.setting("bus.embed", "\"never\"");
    scene.home.setting("desk.mode", "\"solo\"");
    let tester = scene.tester().trusting(LAMPS);
    scene.home.persona(&tester);
    (bus, scene, tester)
}

async fn lamps(bus: &FakeBus) -> ScriptedToolbox {
    let tools = vec![ScriptedTool::named("switch_lamp", Act::Returns(on()))];
    ScriptedToolbox::join(bus.port(), LAMPS, tools).await
}

/// How often a sentence that begins like this was spoken, without its repetitions for older peers.
fn said(bus: &FakeBus, beginning: &str) -> usize {
    let frames = bus.recording().since(0);
    let is_it =
        |frame: &&Frame| frame.is_speak() && !frame.is_twin() && frame.utterance().starts_with(beginning);
    frames
        .iter()
        .filter(is_it)
        .inspect(|frame| assert_sentence(frame.utterance()))
        .count()
}

async fn hears(bus: &FakeBus, beginning: &str, times: usize) {
    wait_for(
        &format!("`{beginning}` for the {times}. time"),
        PATIENCE,
        async || (said(bus, beginning) == times).then_some(()),
    )
    .await;
}

async fn switch(story: &Story) -> String {
    story.script([Reply::acts("switch_lamp", &on()), Reply::answers("That is all.")]);
    let before = story.brain.requests(TESTER).len();
    assert_eq!(story.ask("Switch the lamp on").await.answer(), "That is all.");
    story.brain.requests(TESTER)[before + 1].newest()
}

#[tokio::test]
async fn what_cannot_be_written_down_is_not_done_and_reading_goes_on() {
    let (bus, Scene { home, brain }, _) = scene().await;
    // The system ends a process that ignores its limit, unless it ignores that too.
    let (daemon, probe) = Launch::through_shell(&home, &[], "trap '' XFSZ; exec \"$@\"", &["run"])
        .ready()
        .await;
    let lamps = lamps(&bus).await;
    let story = Story {
        home,
        brain,
        daemon,
        probe,
    };
    for times in 1..=2 {
        story.daemon.limit_files(Some(1));
        let shown = switch(&story).await;
        assert!(shown.contains("cannot be written down"), "{shown}");
        assert_eq!(lamps.calls().len(), times - 1);
        hears(&bus, UNWRITABLE, times).await;
        story.script([
            Reply::acts("evaluate_expression", &serde_json::json!({"expression": "2 + 3"})),
            Reply::answers("Five."),
        ]);
        assert_eq!(story.ask("What is 2 plus 3?").await.answer(), "Five.");
        assert!(switch(&story).await.contains("cannot be written down"));
        assert_eq!(said(&bus, UNWRITABLE), times, "it is said once");
        story.daemon.limit_files(None);
        let well = wait_for("the disk to be well", PATIENCE, async || {
            let output = story.daemon.output();
            (output.matches("can be written again").count() == times).then_some(())
        });
        well.await;
        let shown = switch(&story).await;
        assert!(!shown.contains("cannot be written down"), "{shown}");
        assert_eq!(lamps.calls().len(), times);
    }
}

#[tokio::test]
async fn a_state_file_that_another_program_has_locked_holds_nothing_up() {
    let (bus, story, lamps) = beside_a_lamp(Act::Returns(on())).await;
    // What is there is written.
    story.script([Reply::answers("Hello.")]);
    story.ask("Hello").await.answer();
    let other = Connection::open(story.home.state().join("state.db")).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let begun = tokio::time::Instant::now();
    let shown = switch(&story).await;
    assert!(shown.contains("cannot be written down"), "{shown}");
    assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
    assert!(lamps.calls().is_empty());
    hears(&bus, UNWRITABLE, 1).await;
    other.execute_batch("ROLLBACK").unwrap();
    story.daemon.wrote("can be written again", PATIENCE).await;
    switch(&story).await;
    assert_eq!(lamps.calls().len(), 1);
    assert_eq!(said(&bus, UNWRITABLE), 1);
    let (ok, list) = crate::crash::replay(&story, &[]).await;
    assert!(ok && list.matches("Switch the lamp on").count() == 2, "{list}");
    assert!(
        !list.contains("not answered"),
        "what waited for the lock is written: {list}"
    );
}

/// A daemon whose state is on a disk of its own, of a few hundred KiB; it is started again whenever it dies.
struct SmallDisk {
    shell: Daemon,
    state: PathBuf,
}

impl SmallDisk {
    /// Nothing where this machine does not let a user mount.
    async fn mount(home: &Home) -> Option<Self> {
        let line = "mount -t tmpfs -o size=800k none \"$XDG_STATE_HOME\" || exit 9; while :; do \"$@\"; done";
        let mut shell = Launch::through_shell(home, &["-rm"], line, &["run"]).spawn();
        let started = wait_for("the daemon in its namespace, or a refusal", PATIENCE, || {
            let refused = !shell.is_alive();
            let seen = (refused || !shell.descendants().is_empty()).then_some(!refused);
            async move { seen }
        });
        if !started.await {
            assert!(
                shell.output().contains("unshare") || shell.output().contains("mount"),
                "{}",
                shell.output()
            );
            return None;
        }
        let state = home.path().join("state");
        Some(Self { shell, state })
    }

    fn loquat(&self) -> u32 {
        *descendants(self.shell.pid()).first().expect("the daemon runs")
    }

    /// The folder, as the processes in the namespace see it.
    fn folder(&self) -> PathBuf {
        let inside = self.state.strip_prefix("/").unwrap();
        PathBuf::from(format!("/proc/{}/root", self.shell.pid())).join(inside)
    }

    /// Leaves no byte on the disk.
    fn fill(&self) {
        let file = OpenOptions::new()
            .create(true)
            .append(true)
            .open(self.folder().join("ballast"));
        let mut file = file.unwrap();
        for size in [4096, 1] {
            while file.write_all(&vec![b'x'; size]).is_ok() {}
        }
    }

    async fn crash(&self) {
        let old = self.loquat();
        kill_process(Pid::from_raw(i32::try_from(old).unwrap()).unwrap(), Signal::KILL).unwrap();
        wait_for("the next daemon", PATIENCE, async || {
            descendants(self.shell.pid())
                .first()
                .is_some_and(|id| *id != old)
                .then_some(())
        })
        .await;
    }
}

#[tokio::test]
async fn a_full_disk_and_a_crash_do_nothing_twice() {
    let (bus, Scene { home, brain }, _) = scene().await;
    let Some(disk) = SmallDisk::mount(&home).await else {
        eprintln!("not tested: this machine lets nobody mount a disk of their own");
        return;
    };
    let probe = disk.shell.joined(bus.port()).await;
    let lamps = lamps(&bus).await;
    let never = Gate::default();
    let script = |replies: Vec<Reply>| ScriptedBrain::script(&brain, TESTER, replies);
    script(vec![Reply::answers("Hello.")]);
    Utterance::new("Hello").ask(&probe).await.answer();
    disk.fill();
    script(vec![
        Reply::acts("switch_lamp", &on()),
        Reply::answers("Nobody hears this.").behind(&never),
    ]);
    let utterance = Utterance::new("Switch the lamp on");
    let mark = utterance.enter(&probe).await;
    lamps.called(1, PATIENCE).await;
    brain.asked(TESTER, 3, PATIENCE).await;
    hears(&bus, FULL, 1).await;
    disk.crash().await;
    let turn = utterance.end(&probe, mark).await;
    assert_sentence(turn.answer());
    assert_eq!(lamps.calls().len(), 1, "what was done is not done again");
    // With room again, all is as before.
    fs::remove_file(disk.folder().join("ballast")).unwrap();
    disk.shell.wrote("can be written again", PATIENCE).await;
    script(vec![
        Reply::acts("switch_lamp", &on()),
        Reply::answers("The lamp is on."),
    ]);
    let again = Utterance::new("And again");
    assert_eq!(again.ask(&probe).await.answer(), "The lamp is on.");
    assert_eq!(lamps.calls().len(), 2);
}
