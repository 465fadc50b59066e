//! Files and folders that others could have prepared: links are not followed, and what others could read is closed.

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::Command;

use loquat_tests::daemon::Launch;
use loquat_tests::home::Home;
use loquat_tests::persona::Persona;
use loquat_tests::wait::PATIENCE;
use rustix::process::Signal;
use serde_json::json;

use crate::story::{Scene, Story};

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[tokio::test]
async fn state_files_that_others_could_read_are_closed_to_them() {
    let mut story = Story::begin().await;
    story.assert_goes_on().await;
    assert_eq!(mode(&story.home.state().join("settings.toml")), 0o600);
    story.daemon.signal(Signal::KILL);
    story.daemon.ended(PATIENCE).await;
    let files = [
        "state.db",
        "state.db-wal",
        "state.db-shm",
        "state.lock",
        "state.reserve",
    ];
    for name in files {
        fs::set_permissions(story.home.state().join(name), Permissions::from_mode(0o644)).expect(name);
    }
    let (daemon, probe) = Launch::new(&story.home, &["run"]).ready().await;
    (story.daemon, story.probe) = (daemon, probe);
    story.assert_goes_on().await;
    for name in files {
        assert_eq!(mode(&story.home.state().join(name)), 0o600, "{name}");
    }
}

#[tokio::test]
async fn nothing_is_written_through_a_link() {
    for name in ["state.db", "state.lock", "state.db-wal"] {
        let scene = Scene::default();
        let tester = scene.tester();
        fs::create_dir_all(scene.home.state()).unwrap();
        let elsewhere = scene.home.write("somebody-elses", "");
        symlink(&elsewhere, scene.home.state().join(name)).unwrap();
        let story = scene.play(&tester).await;
        story.assert_goes_on().await;
        story.daemon.wrote("turns are not written down", PATIENCE).await;
        assert_eq!(fs::read(&elsewhere).unwrap(), b"", "{name}");
    }
}

/// Runs the daemon as a user whose folder under `/tmp` another user has prepared; false where this machine lets no
/// process be another user.
async fn is_refused(user: u32, home: &Home) -> bool {
    let map = format!("--map-user={user}");
    let line = "unset XDG_RUNTIME_DIR XDG_STATE_HOME HOME; exec \"$@\"";
    let finished = Launch::through_shell(home, &["--user", &map], line, &["run"])
        .run()
        .await;
    let shown = finished.shown();
    if shown.contains("unshare:") {
        eprintln!("not tested: {shown}");
        return false;
    }
    assert_eq!(finished.status.code(), Some(78), "{shown}");
    assert!(
        shown.contains(&format!("/tmp/loquat-{user}")) && shown.contains("XDG_RUNTIME_DIR"),
        "{shown}"
    );
    true
}

#[tokio::test]
async fn a_folder_that_somebody_prepared_under_tmp_is_refused() {
    let home = Home::without_bus();
    let user = 100_000 + std::process::id() % 50_000;
    let folder = Path::new("/tmp").join(format!("loquat-{user}"));
    let target = home.path().join("run");
    symlink(&target, &folder).unwrap();
    is_refused(user, &home).await;
    fs::remove_file(&folder).unwrap();
    fs::create_dir(&folder).unwrap();
    fs::set_permissions(&folder, Permissions::from_mode(0o755)).unwrap();
    is_refused(user, &home).await;
    fs::remove_dir_all(&folder).unwrap();
    assert_eq!(fs::read_dir(&target).unwrap().count(), 0);
}

#[tokio::test]
async fn a_key_that_is_no_file_does_not_hold_the_start_up() {
    let scene = Scene::default();
    scene.home.persona(&scene.tester());
    let pipe = scene.home.path().join("config/loquat/pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let large = scene.home.write("config/loquat/large", &"k".repeat(70_000));
    for (name, key) in [("Pipe", &pipe), ("Large", &large)] {
        let persona = Persona::react(name, &scene.brain.url(name)).brain("key", json!({"file": key}));
        scene.home.persona(&persona);
    }
    let story = scene.start().await;
    story.daemon.wrote("no regular file", PATIENCE).await;
    story.daemon.wrote("64 KiB", PATIENCE).await;
    story.assert_goes_on().await;
}
