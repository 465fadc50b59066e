//! Settings that are changed while the daemon runs, by a sentence and by a file that holds a mistake: what counts, what the
//! file holds, and what is told.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use loquat_tests::brain::Reply;
use loquat_tests::browser::{Browser, served};
use loquat_tests::daemon::Launch;
use loquat_tests::home::Home;
use loquat_tests::turn::Utterance;
use loquat_tests::wait::{PATIENCE, wait_for};
use reqwest::StatusCode;
use rustix::process::Signal;
use serde_json::json;

use crate::page;
use crate::story::{Scene, Story, TESTER};

const FILE: &str = "config/loquat/loquat.toml";

/// A voice that only notes how it was called.
const VOICE: &str = "#!/bin/sh\ncat > /dev/null\nprintf '%s\\n' \"$*\" >> \"$0.calls\"\n";

fn text(home: &Home) -> String {
    fs::read_to_string(home.path().join(FILE)).unwrap()
}

/// The device's own conversation.
async fn said(story: &Story, words: &str) -> String {
    let turn = Utterance::new(words)
        .in_session("default")
        .ask(&story.probe)
        .await;
    turn.answer().to_owned()
}

/// A daemon that speaks itself; its calls are in the file beside the voice.
async fn speaking(more: impl Fn(&Home)) -> (Story, std::path::PathBuf) {
    let scene = Scene::default();
    scene.home.setting("skills.intents", "\"alone\"");
    scene.home.setting("voice.espeak", "\"auto\"");
    more(&scene.home);
    fs::create_dir(scene.home.path().join("bin")).unwrap();
    let voice = scene.home.write("bin/espeak-ng", VOICE);
    fs::set_permissions(&voice, Permissions::from_mode(0o755)).unwrap();
    let bin = scene.home.path().join("bin").display().to_string();
    let tester = scene.tester();
    scene.home.persona(&tester);
    let story = scene
        .start_with(|launch| launch.env("PATH", format!("{bin}:/usr/bin:/bin")))
        .await;
    (story, voice.with_extension("calls"))
}

async fn called_with(calls: &Path, speed: &str) {
    let wanted = format!("-s {speed} ");
    wait_for(
        &format!("{wanted} in {}", calls.display()),
        PATIENCE,
        async || {
            fs::read_to_string(calls)
                .ok()
                .filter(|calls| calls.contains(&wanted))
        },
    )
    .await;
}

#[tokio::test]
async fn speak_more_slowly_is_written_with_comments_kept_and_heard_at_once() {
    let (story, calls) = speaking(|home| {
        let before = text(home);
        home.write(
            FILE,
            &format!("# the kitchen's\n{before}# quick enough\nvoice.words_per_minute = 200 # best\n"),
        );
    })
    .await;
    // In its first second the daemon looks whether an audio service is there that speaks.
    wait_for("its own voice", PATIENCE, async || {
        (said(&story, "Speak more slowly").await == "I speak more slowly now.").then_some(())
    })
    .await;
    let file = text(&story.home);
    assert!(
        file.contains("# quick enough\nvoice.words_per_minute = 165 # best\n"),
        "{file}"
    );
    assert!(file.starts_with("# the kitchen's\n"), "{file}");
    called_with(&calls, "165").await;
    assert_eq!(said(&story, "Speak normally").await, "I speak at my usual speed.");
    assert!(
        !text(&story.home).contains("words_per_minute"),
        "{}",
        text(&story.home)
    );
    assert!(
        text(&story.home).contains("# quick enough\n# best\n"),
        "{}",
        text(&story.home)
    );
    called_with(&calls, "175").await;
    let file = story.home.path().join(FILE);
    fs::write(&file, "bus.prot = 1\n").unwrap();
    let told = said(&story, "Speak faster").await;
    assert!(told.contains("mistake in my settings"), "{told}");
    assert_eq!(text(&story.home), "bus.prot = 1\n");
}

#[tokio::test]
async fn what_the_environment_fixes_is_told_and_left() {
    let scene = Scene::default();
    scene.home.setting("skills.intents", "\"alone\"");
    let models = scene.home.path().join("data/loquat/models");
    fs::create_dir_all(&models).unwrap();
    for name in [
        "qwen2.5-coder-0.5b-instruct-q4_k_m",
        "qwen2.5-coder-1.5b-instruct-q4_k_m",
    ] {
        fs::write(models.join(format!("{name}.gguf")), "no model").unwrap();
    }
    let tester = scene.tester();
    scene.home.persona(&tester);
    let before = text(&scene.home);
    let story = scene
        .start_with(|launch| launch.env("LOQUAT_LOCAL_BRAIN__MODEL", "qwen2.5-coder-1.5b-instruct-q4_k_m"))
        .await;
    let told = said(&story, "Use the small model").await;
    assert!(
        told.contains("LOCAL_BRAIN") && told.contains("change it there"),
        "{told}"
    );
    assert_eq!(text(&story.home), before);
    let told = said(&story, "Speak faster").await;
    assert!(told.contains("do not speak here myself"), "{told}");
}

#[tokio::test]
async fn a_conversation_is_forgotten_when_it_is_asked_for() {
    let scene = Scene::default();
    scene.home.setting("skills.intents", "\"alone\"");
    let tester = scene.tester();
    let story = scene.play(&tester).await;
    story.script([Reply::answers("Hello Ann.")]);
    said(&story, "My name is Ann, greet me").await;
    assert_eq!(
        said(&story, "Forget this conversation").await,
        "I have forgotten this conversation."
    );
    story.script([Reply::answers("I do not know.")]);
    said(&story, "Guess who I might be").await;
    let requests = story.brain.requests(TESTER);
    let last = format!("{:?}", requests.last().unwrap());
    assert!(!last.contains("Ann"), "{last}");
}

#[tokio::test]
async fn a_conversation_is_forgotten_at_once_from_the_page() {
    let (story, mut browser) = page::story().await;
    assert!(
        browser
            .look("/settings")
            .await
            .contains("Forget this conversation")
    );
    story.script([Reply::answers("Hello Ann.")]);
    said(&story, "My name is Ann, greet me").await;
    let of_no_form = browser.submit("/conversation/forget", &[]).await;
    assert_eq!(of_no_form.status(), StatusCode::FORBIDDEN);
    story.script([Reply::answers("You are Ann.")]);
    said(&story, "Say who I am").await;
    let last = |story: &Story| format!("{:?}", story.brain.requests(TESTER).last().unwrap());
    assert!(last(&story).contains("My name is Ann"), "{}", last(&story));
    let shown = browser.send_and_look("/conversation/forget", &[]).await;
    assert!(shown.contains("The conversation is forgotten"), "{shown}");
    story.script([Reply::answers("I do not know.")]);
    said(&story, "Guess who I might be").await;
    assert!(!last(&story).contains("Ann"), "{}", last(&story));
}

#[tokio::test]
async fn a_mistake_stops_nothing_that_worked_before() {
    let scene = Scene::default();
    let root = served(&scene.home);
    let tester = scene.tester();
    let mut story = scene.play(&tester).await;
    story.daemon.wrote("the page is served", PATIENCE).await;
    let mut browser = Browser::entered(&story.home, &root).await;
    let good = text(&story.home);
    story.home.write(FILE, &format!("{good}bus.prot = 1\n"));
    story.daemon.signal(Signal::HUP);
    story.daemon.wrote("bus.prot", PATIENCE).await;
    story.script([Reply::answers("As before.")]);
    assert_eq!(story.ask("Hello").await.answer(), "As before.");
    let shown = browser.look("/settings").await;
    assert!(
        shown.contains("old settings count") && shown.contains("bus.prot"),
        "{shown}"
    );
    let asked = Launch::new(&story.home, &["ask", "Are you there?"]);
    story.script([Reply::answers("I am.")]);
    let asked = asked.run().await;
    assert_eq!(asked.status.code(), Some(0), "{}", asked.shown());
    assert!(
        asked.stderr.contains("bus.prot") && asked.stdout.contains("I am."),
        "{}",
        asked.shown()
    );
    // Also at the next start.
    story.daemon.signal(Signal::TERM);
    story.daemon.ended(PATIENCE).await;
    let (daemon, probe) = Launch::new(&story.home, &["run"]).ready().await;
    daemon.wrote("bus.prot", PATIENCE).await;
    story.script([Reply::answers("Still here.")]);
    assert_eq!(Utterance::new("Hello").ask(&probe).await.answer(), "Still here.");
    // Mended, all is as the file says.
    story.home.write(FILE, &good);
    daemon.signal(Signal::HUP);
    daemon.wrote("were read again", PATIENCE).await;
    let check = Launch::new(&story.home, &["check"]).run().await;
    assert!(!check.shown().contains("bus.prot"), "{}", check.shown());
    // A mistake on the command line was made just now.
    let typed = Launch::new(&story.home, &["ask", "--set", "bus.prot=1", "Hello"])
        .run()
        .await;
    assert_eq!(typed.status.code(), Some(78), "{}", typed.shown());
}

#[tokio::test]
async fn what_is_wrong_with_personas_after_a_reload_is_on_the_status_line() {
    let (story, browser) = page::story().await;
    let status = async |words: &str, is_there: bool| {
        let what = format!("{words} on the status line: {is_there}");
        wait_for(&what, PATIENCE, async || {
            let shown = browser.clone().look("/check").await;
            (shown.contains(words) == is_there).then_some(())
        })
        .await;
    };
    let broken = "config/ovos_persona/Broken.json";
    story.home.write(broken, r#"{"name": "Broken", "handlers": []}"#);
    status("a mistake in a persona", false).await;
    story.daemon.signal(Signal::HUP);
    status("a mistake in a persona", true).await;
    fs::remove_file(story.home.path().join(broken)).unwrap();
    story.daemon.signal(Signal::HUP);
    status("a mistake in a persona", false).await;
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../personas");
    let shipped = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let names = shipped.filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned()));
    let names: Vec<String> = names.chain([TESTER.to_owned()]).collect();
    let none = json!({"persona": {"persona_blacklist": names}});
    story.home.mycroft_conf(&json!({"intents": none}));
    story.daemon.signal(Signal::HUP);
    status("old settings count: there is no persona", true).await;
    story.script([Reply::answers("As before.")]);
    assert_eq!(story.ask("Hello").await.answer(), "As before.");
}

#[tokio::test]
async fn the_page_changes_what_the_sentences_change() {
    let scene = Scene::default();
    let root = served(&scene.home);
    let models = scene.home.path().join("data/loquat/models");
    fs::create_dir_all(&models).unwrap();
    for size in ["0.5b", "1.5b"] {
        fs::write(
            models.join(format!("qwen2.5-coder-{size}-instruct-q4_k_m.gguf")),
            "no model",
        )
        .unwrap();
    }
    scene.home.setting("skills.intents", "\"alone\"");
    let tester = scene.tester();
    let story = scene.play(&tester).await;
    story.daemon.wrote("the page is served", PATIENCE).await;
    let mut browser = Browser::entered(&story.home, &root).await;
    let told = said(&story, "Use the small model").await;
    assert!(told.contains("0.5b"), "{told}");
    wait_for("the small model on the status line", PATIENCE, async || {
        let mut browser = browser.clone();
        browser
            .look("/check")
            .await
            .contains("model qwen2.5-coder-0.5b")
            .then_some(())
    })
    .await;
    let speed = "voice.words_per_minute";
    let shown = browser.send_and_look("/settings", &[(speed, "120")]).await;
    assert!(shown.contains("Saved. It counts from now on."), "{shown}");
    assert!(
        text(&story.home).contains("words_per_minute = 120"),
        "{}",
        text(&story.home)
    );
    for wrong in ["7", "fast"] {
        let shown = browser.send_and_look("/settings", &[(speed, wrong)]).await;
        assert!(shown.contains("from 80 to 450"), "{shown}");
        assert!(
            text(&story.home).contains("words_per_minute = 120"),
            "{}",
            text(&story.home)
        );
    }
    let stranger = [("desk.consent_from", "bus")];
    let shown = browser.send_and_look("/settings", &stranger).await;
    assert!(shown.contains("not changed here"), "{shown}");
    assert!(
        !text(&story.home).contains("consent_from"),
        "{}",
        text(&story.home)
    );
    // Half of a place is none, and nothing of it is written.
    let half = [
        ("device.place", "Lisbon"),
        ("device.latitude", "38.72"),
        ("device.longitude", ""),
    ];
    let shown = browser.send_and_look("/settings", &half).await;
    assert!(shown.contains("belong together"), "{shown}");
    assert!(!text(&story.home).contains("Lisbon"), "{}", text(&story.home));
    let place = [
        ("device.place", "Lisbon"),
        ("device.latitude", "38.72"),
        ("device.longitude", "-9.14"),
        ("device.language", "de-DE"),
    ];
    let shown = browser.send_and_look("/settings", &place).await;
    assert!(
        shown.contains("After a restart") && shown.contains("device.language"),
        "{shown}"
    );
    assert!(
        shown.contains("Lisbon (latitude 38.72, longitude -9.14)"),
        "{shown}"
    );
    // Who asks for the sun is told of the place without a restart.
    let sun = said(&story, "When is sunset?").await;
    assert!(!sun.contains("place"), "{sun}");
}
